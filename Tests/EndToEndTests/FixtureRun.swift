import Foundation
import IngestTestSupport
import PhotoCodecs
import Testing

/// One run of the built program over the fixtures of known faults, shared by the tests of this folder.
struct FixtureRun {
  let folder: TemporaryFolder
  let result: Command.Result
  let rows: [String: RowFacts]

  static let shared: Result<FixtureRun, any Error> = Result {
    let folder = try TemporaryFolder()
    let fixtures = try #require(SharedMaterial.fixtures)
    let result = try Command.run(
      BuiltProgram.path,
      ["run", fixtures, "--output", folder.path + "/out", "--manifest", "json,csv,sha256", "--order", "captured"],
      timeLimit: 240)
    let rows = try RowFacts.read(folder.path + "/out/manifest.jsonl")
    return FixtureRun(
      folder: folder, result: result, rows: Dictionary(uniqueKeysWithValues: rows.map { ($0.path, $0) }))
  }

  func row(_ name: String) throws -> RowFacts {
    try #require(rows[name], "\(name) has no row")
  }

  /// The sixteen cells of a fixture's thumbnail.
  func grid(_ name: String) throws -> [[Double]] {
    let thumbnail = try #require(try row(name).thumbnailPath, "\(name) has no thumbnail")
    return try ThumbnailGrid(file: folder.path + "/out/" + thumbnail).cells
  }
}

/// Reads what tests ask of one manifest row.
struct RowFacts {
  let values: [String: Any]

  var path: String { values["path"] as? String ?? "" }
  var status: String { values["status"] as? String ?? "" }
  var code: String? { (values["error"] as? [String: Any])?["code"] as? String }
  var message: String { (values["error"] as? [String: Any])?["message"] as? String ?? "" }
  var notes: Set<String> { Set(values["notes"] as? [String] ?? []) }
  var captured: [String: String]? { values["captured"] as? [String: String] }
  var thumbnailPath: String? { (values["thumbnails"] as? [[String: Any]])?.first?["path"] as? String }
  var displaySize: [Int?] { [values["display_width"] as? Int, values["display_height"] as? Int] }
  func nested(_ key: String, _ inner: String) -> Any? { (values[key] as? [String: Any])?[inner] }

  /// The asset rows of a manifest, in order.
  static func read(_ path: String) throws -> [RowFacts] {
    let manifest = try #require(FileManager.default.contents(atPath: path), "\(path) is missing")
    return try manifest.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let values = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      return values["record"] as? String == "asset" ? RowFacts(values: values) : nil
    }
  }
}
