import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// What independent tools say of the files of the corpus (`expected.jsonl`).
enum Corpus {
  static let expectations: [Facts] = {
    guard let corpus = SharedMaterial.corpus else { return [] }
    return (try? Facts.lines(of: corpus + "/expected.jsonl")) ?? []
  }()

  /// The JPEG and PNG files.
  static let photos = expectations.filter { $0.text("format") == "jpeg" || $0.text("format") == "png" }
}

/// One run of the built program over a folder, kept for several tests.
struct SharedRun: Sendable {
  let folder: TemporaryFolder
  let result: CommandResult
  /// Rows of the manifest by path.
  let rows: [String: Facts]

  var output: String { folder["out"] }

  init(over source: String, _ options: [String]) throws {
    folder = try TemporaryFolder()
    Self.removeAtExit(folder)
    result = try Command(
      BuiltProgram.path, ["run", source, "--output", folder["out"]] + options, timeLimit: 400
    ).runBlocking()
    let rows = try Facts.rows(of: folder["out"])
    self.rows = Dictionary(rows.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func row(_ path: String) throws -> Facts {
    try #require(rows[path], "\(path) has no row")
  }

  /// The sixteen cells of a photo's first thumbnail.
  func grid(_ path: String) throws -> [[Double]] {
    let thumbnail = try #require(try row(path).thumbnails.first?.text("path"), "\(path) has no thumbnail")
    return try ThumbnailGrid(file: "\(output)/\(thumbnail)").cells
  }

  /// A static value is never released, so its folder would outlive the tests.
  private static func removeAtExit(_ folder: TemporaryFolder) {
    let isFirst = keptPaths.withLock { paths in
      paths.append(folder.path)
      return paths.count == 1
    }
    guard isFirst else { return }
    atexit {
      for path in SharedRun.keptPaths.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }
  }

  private static let keptPaths = Guarded<[String]>([])

  /// Over the whole corpus.
  static let corpus = Result {
    try SharedRun(over: SharedMaterial.corpus ?? "", ["-j", "2", "--manifest", "json,csv,sha256"])
  }

  /// Over the fixtures of known faults.
  static let fixtures = Result {
    try SharedRun(
      over: SharedMaterial.fixtures ?? "", ["--manifest", "json,csv,sha256", "--order", "captured"])
  }
}
