import Foundation
import IngestTestSupport

/// What independent tools say of one file of the corpus (`expected.jsonl`).
struct CorpusExpectation {
  let path: String
  let values: [String: Any]

  var format: String { values["format"] as? String ?? "" }
  var decodes: String { values["decodes"] as? String ?? "" }
  /// Three numbers for each of sixteen cells.
  var grid: [[Double]]? { values["grid4x4"] as? [[Double]] }

  func text(_ key: String) -> String? { (values[key] as? String).flatMap { $0.isEmpty ? nil : $0 } }
  func integer(_ key: String) -> Int? { (values[key] as? NSNumber)?.intValue }
  func number(_ key: String) -> Double? { (values[key] as? NSNumber)?.doubleValue }

  static let all: [CorpusExpectation] = {
    guard let corpus = SharedMaterial.corpus,
      let data = FileManager.default.contents(atPath: corpus + "/expected.jsonl")
    else { return [] }
    return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let values = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
        let path = values["path"] as? String
      else { return nil }
      return CorpusExpectation(path: path, values: values)
    }
  }()
}

/// One run of the built program over the whole corpus, shared by the tests of this folder.
struct CorpusRun {
  let folder: TemporaryFolder
  let result: Command.Result
  /// Rows of the manifest by path.
  let rows: [String: [String: Any]]

  static let shared: Result<CorpusRun, any Error> = Result {
    let folder = try TemporaryFolder()
    let corpus = try #require(SharedMaterial.corpus)
    let result = try Command.run(
      BuiltProgram.path, ["run", corpus, "--output", folder.path + "/out", "-j", "2", "--manifest", "json,csv,sha256"],
      timeLimit: 240)
    var rows: [String: [String: Any]] = [:]
    let manifest = try #require(FileManager.default.contents(atPath: folder.path + "/out/manifest.jsonl"))
    for line in manifest.split(separator: UInt8(ascii: "\n")) {
      let row = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      if row["record"] as? String == "asset", let path = row["path"] as? String { rows[path] = row }
    }
    return CorpusRun(folder: folder, result: result, rows: rows)
  }
}
