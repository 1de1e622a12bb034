import Foundation

/// Holds what a manifest says of one mutant.
struct Row {
  var index: Int
  var path: String
  var status: String
  var code: String?
  var message: String
  var notes: Set<String>
  var format: String?

  private init?(_ value: [String: Any]) {
    guard value["record"] as? String == "asset", let index = value["index"] as? Int,
      let path = value["path"] as? String, let status = value["status"] as? String
    else { return nil }
    self.index = index
    self.path = path
    self.status = status
    let error = value["error"] as? [String: Any]
    code = error?["code"] as? String
    message = error?["message"] as? String ?? ""
    notes = Set(value["notes"] as? [String] ?? [])
    format = value["format"] as? String
  }

  /// The rows of a manifest; nil when its end record is missing.
  static func rows(of manifest: String) -> [Row]? {
    guard let bytes = FileManager.default.contents(atPath: manifest) else { return nil }
    let values = bytes.split(separator: UInt8(ascii: "\n")).map {
      (try? JSONSerialization.jsonObject(with: $0)) as? [String: Any] ?? [:]
    }
    guard values.last?["record"] as? String == "end" else { return nil }
    return values.compactMap { Row($0) }
  }
}
