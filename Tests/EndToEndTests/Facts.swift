import Foundation
import IngestCore
import Testing

/// One JSON object of a manifest or an expectation, with the questions that tests ask.
struct Facts: Sendable {
  let value: JSONValue

  subscript(_ path: String...) -> JSONValue? {
    path.reduce(Optional(value)) { $0?[$1] }
  }

  func text(_ key: String) -> String? { value[key]?.stringValue }
  func integer(_ key: String) -> Int? { value[key]?.integerValue.map { Int($0) } }
  func number(_ key: String) -> Double? { value[key]?.doubleValue }
  func flag(_ key: String) -> Bool? { value[key]?.boolValue }

  var path: String { text("path") ?? "" }
  var status: String { text("status") ?? "" }
  var code: String? { self["error", "code"]?.stringValue }
  var message: String { self["error", "message"]?.stringValue ?? "" }
  var notes: Set<String> { Set((value["notes"]?.arrayValue ?? []).compactMap(\.stringValue)) }
  var captured: (local: String, offset: String?, source: String?)? {
    guard let local = self["captured", "local"]?.stringValue else { return nil }
    return (local, self["captured", "offset"]?.stringValue, self["captured", "source"]?.stringValue)
  }
  var thumbnails: [Facts] { (value["thumbnails"]?.arrayValue ?? []).map { Facts(value: $0) } }
  var displaySize: [Int?] { [integer("display_width"), integer("display_height")] }

  /// The objects of a JSON Lines file, in order.
  static func lines(of file: String) throws -> [Facts] {
    let bytes = try #require(FileManager.default.contents(atPath: file), "\(file) is missing")
    return try lines(in: Array(bytes))
  }

  static func lines(in bytes: [UInt8]) throws -> [Facts] {
    try bytes.split(separator: UInt8(ascii: "\n")).map { Facts(value: try JSONReader().read(Array($0))) }
  }

  /// The asset rows of an output folder's manifest, in order.
  static func rows(of output: String) throws -> [Facts] {
    try lines(of: output + "/manifest.jsonl").filter { $0.text("record") == "asset" }
  }
}
