import Foundation

/// Finds the program that this build made.
public enum BuiltProgram {
  /// The path of the executable: `PHOTO_INGEST_PROGRAM`, or `photo-ingest` beside the running test bundle.
  public static let path: String = {
    if let named = ProcessInfo.processInfo.environment["PHOTO_INGEST_PROGRAM"], !named.isEmpty { return named }
    let running = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: running).deletingLastPathComponent().appendingPathComponent("photo-ingest").path
  }()

  /// Whether it is there and can be run.
  public static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// Whether it was built with a sanitizer, whose own memory hides that of the program.
  public static let isSanitized: Bool = {
    let program = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
    return ["__tsan_init", "__asan_init"].contains { program.range(of: Data($0.utf8)) != nil }
  }()
}
