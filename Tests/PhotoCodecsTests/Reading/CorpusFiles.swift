import Foundation
import IngestCore
import IngestTestSupport

/// Gives the files of the corpus with what its `expected.jsonl` says of their coding.
enum CorpusFiles {
  struct File {
    let name: String
    let path: String
    let decodes: String
    let facts: JSONValue

    func bytes() throws -> [UInt8] {
      Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  static func rows(format: String) throws -> [File] {
    guard let corpus = SharedMaterial.corpus else { return [] }
    let lines = try Data(contentsOf: URL(fileURLWithPath: corpus + "/expected.jsonl")).split(separator: 0x0A)
    return try lines.compactMap { line in
      let facts = try JSONReader().read(Array(line))
      guard facts["format"]?.stringValue == format, let name = facts["path"]?.stringValue else { return nil }
      return File(
        name: name, path: "\(corpus)/\(name)", decodes: facts["decodes"]?.stringValue ?? "", facts: facts)
    }
  }
}
