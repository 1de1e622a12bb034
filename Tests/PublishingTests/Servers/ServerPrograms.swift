import Foundation

/// Knows which programs that tests talk to are on this machine.
enum ServerPrograms {
  /// OpenStack Swift with what it needs.
  static let hasObjectStore =
    ["swift-proxy-server", "swift-object-server", "swift-container-server", "swift-account-server", "memcached"]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0) }

  /// With Qiniu's own SDK where `scripts/qiniu-python` has made one that has it.
  static let python: String? = {
    let named = ProcessInfo.processInfo.environment["PHOTO_INGEST_QINIU_PYTHON"].flatMap { $0.isEmpty ? nil : $0 }
    let made = ServerProcess.scripts + "/../.build/qiniu-python/bin/python"
    return [named, made, "/usr/bin/python3"].compactMap { $0 }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }()
}
