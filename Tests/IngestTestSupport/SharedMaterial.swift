import Foundation

/// Finds the test material that lies beside the project, when it does.
///
/// The variable `PHOTO_INGEST_SHARED` names the folder; else it is `shared` beside the root of the package.
public enum SharedMaterial {
  private static let root: String? = {
    let named = ProcessInfo.processInfo.environment["PHOTO_INGEST_SHARED"]
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = named ?? package.deletingLastPathComponent().appending(path: "shared").path
    return isFolder(folder) ? folder : nil
  }()

  /// The folder of pictures with known values, `expected.jsonl` among them.
  public static var corpus: String? { folder("corpus") }

  /// The folder of small files that show one fault each.
  public static var fixtures: String? { folder("fixtures") }

  /// Whether both folders are there.
  public static var isAvailable: Bool { corpus != nil && fixtures != nil }

  /// The path of one fixture. Ask only where `isAvailable`.
  public static func fixture(_ name: String) -> String {
    (fixtures ?? "") + "/" + name
  }

  private static func folder(_ name: String) -> String? {
    guard let folder = root.map({ $0 + "/" + name }), isFolder(folder) else { return nil }
    return folder
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
  }
}
