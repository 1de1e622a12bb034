import Ingest
import IngestCore

/// Reads the settings of a configuration file: JSON with comments, every long option a key, `folders` for the FOLDERs.
///
/// What it does not know it refuses, with the line: a mistyped key that is ignored is a setting that is lost.
struct ConfigFile: Sendable {
  let layer: [Settings.Given]
  /// What `folders` lists, and the line of that key.
  let folders: (names: [[UInt8]], origin: Origin)?
  /// What `ping` says.
  let ping: PingTarget?

  /// Keys that other commands read from the same file.
  private static let foreignKeys: Set<String> = ["publish"]

  /// Reads the settings of `run`. `name` is the file's readable name, for messages.
  init(_ bytes: [UInt8], name: String) throws(UsageError) {
    let document: JSONValue
    do {
      document = try JSONReader(.configuration).read(bytes)
    } catch {
      throw .configSyntax(file: name, line: error.line, reason: "column \(error.column): \(error.message)")
    }
    guard let members = document.objectValue else {
      throw .configSyntax(file: name, line: 1, reason: "an object is wanted, not \(document.kind)")
    }
    var layer: [Settings.Given] = []
    var folders: (names: [[UInt8]], origin: Origin)?
    var ping: PingTarget?
    for member in members where !Self.foreignKeys.contains(member.key) {
      let line = JSONPosition(ofByte: member.keyOffset ?? 0, in: bytes).line
      let place = Place(file: name, line: line, key: member.key)
      if member.key == "folders" {
        folders = (try place.names(member.value), .file(name, line: line))
        continue
      }
      if member.key == "ping" {
        ping = try PingSettings.read(member.value) { key, problem in
          .badKey(file: name, line: line, key: key, problem: problem)
        }
        continue
      }
      guard let option = OptionTable.rows(of: .run).first(where: { $0.configKey == member.key }) else {
        throw Self.unknownKey(place)
      }
      for value in try place.values(member.value, of: option) {
        layer.append(.init(option: option, value: value, origin: .file(name, line: line)))
      }
    }
    self.layer = layer
    self.folders = folders
    self.ping = ping
  }

  private static func unknownKey(_ place: Place) -> UsageError {
    if place.key == "config" { return place.refused("a configuration file cannot name another one") }
    let keys = OptionTable.rows(of: .run).compactMap(\.configKey) + ["folders", "ping"]
    let typed = place.key.utf8.map { $0 == UInt8(ascii: "_") ? ASCII.dash : $0 }
    return .unknownKey(
      file: place.file, line: place.line, key: place.key, suggestion: Suggestion.nearest(to: typed, among: keys))
  }
}

/// Names one key of the file while its value is read.
private struct Place {
  let file: String
  let line: Int
  let key: String

  func refused(_ problem: String) -> UsageError {
    .badKey(file: file, line: line, key: key, problem: problem)
  }

  func names(_ value: JSONValue) throws(UsageError) -> [[UInt8]] {
    guard let elements = value.arrayValue else { throw refused("an array of strings is wanted, not \(value.kind)") }
    var names: [[UInt8]] = []
    for element in elements {
      guard let name = element.stringValue else { throw refused("strings are wanted, not \(element.kind)") }
      names.append(Array(name.utf8))
    }
    return names
  }

  /// The values as the command line would hold them; none for a switch that is off.
  func values(_ value: JSONValue, of option: OptionSpec) throws(UsageError) -> [[UInt8]] {
    guard option.takesValue else {
      guard let isOn = value.boolValue else { throw refused("true or false is wanted, not \(value.kind)") }
      return isOn ? [[]] : []
    }
    guard let elements = value.arrayValue else { return [try single(value, of: option)] }
    guard option.takesArray else { throw refused("one value is wanted, not an array") }
    var values: [[UInt8]] = []
    for element in elements { values.append(try single(element, of: option)) }
    // A list that is one value on the command line is one here too.
    return option.isRepeatable ? values : [Array(values.joined(separator: [ASCII.comma]))]
  }

  private func single(_ value: JSONValue, of option: OptionSpec) throws(UsageError) -> [UInt8] {
    switch (value, option.value) {
    case (.string(let text), _): return Array(text.utf8)
    case (.integer(let number), .count), (.integer(let number), .pixels), (.integer(let number), .memory),
      (.integer(let number), .seconds), (.integer(let number), .share):
      return Array(String(number).utf8)
    case (.number(let number), .seconds):
      return Array(String(number).utf8)
    case (_, .count), (_, .pixels), (_, .memory), (_, .seconds), (_, .share):
      throw refused("a number is wanted, not \(value.kind)")
    default:
      throw refused("a string is wanted, not \(value.kind)")
    }
  }
}
