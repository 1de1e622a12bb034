import Foundation

/// Finds the test material that lies beside the project and is no part of it: fixtures and the corpus.
///
/// `PHOTO_INGEST_SHARED` names its folder; without it the folder `shared` beside the package is tried. Tests that need
/// it are disabled when it is missing.
public enum SharedMaterial {
  /// The folder of single-fault pictures, or nil.
  public static let fixtures: String? = folder("fixtures")
  /// The folder of the large collection with its `expected.jsonl`, or nil.
  public static let corpus: String? = folder("corpus")
  /// Whether the fixtures are there.
  public static var isAvailable: Bool { fixtures != nil }

  /// The path of one fixture. Only for tests that are disabled when `isAvailable` is false.
  public static func fixture(_ name: String) -> String {
    "\(fixtures ?? "/nonexistent")/\(name)"
  }

  private static func folder(_ name: String) -> String? {
    let path = URL(fileURLWithPath: "\(root)/\(name)").resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory ? path : nil
  }

  private static var root: String {
    if let named = ProcessInfo.processInfo.environment["PHOTO_INGEST_SHARED"], !named.isEmpty { return named }
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared").path
  }
}
