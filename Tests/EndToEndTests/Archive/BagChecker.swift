import Foundation
import Glibc
import IngestTestSupport

/// Holds a folder against RFC 8493, sentence by sentence, with no code of the product; `faults` says what is wrong.
///
/// Stricter than the RFC where readers differ: LF ends, no escapes that are not needed, all tag files listed.
struct BagChecker {
  let bag: String
  private(set) var faults: [String] = []
  private(set) var payload: [[UInt8]: String] = [:]

  init(_ bag: String) throws {
    self.bag = bag
    let state = try FolderState(of: bag)
    var files: [[UInt8]: [UInt8]] = [:]
    for (name, entry) in state.entries where !name.isEmpty {
      switch entry.mode & S_IFMT {
      case S_IFREG: files[name] = entry.content
      case S_IFDIR: break
      default: faults.append("\(shown(name)): is neither file nor folder")
      }
    }
    checkDeclaration(files)
    checkManifests(files)
    checkInfo(files)
  }

  private func shown(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// 2.1.1: exactly two lines.
  private mutating func checkDeclaration(_ files: [[UInt8]: [UInt8]]) {
    if files[bytes("bagit.txt")] != bytes("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n") {
      faults.append("bagit.txt: is not the declaration")
    }
  }

  /// 2.1.3, 2.2.1 and section 3: payload and tag files are listed once each, and hold what is said.
  private mutating func checkManifests(_ files: [[UInt8]: [UInt8]]) {
    let data = bytes("data/")
    payload = entries(of: "manifest-sha256.txt", files)
    for name in files.keys where name.starts(with: data) && payload[name] == nil {
      faults.append("\(shown(name)): is not in the manifest")
    }
    for name in payload.keys where !name.starts(with: data) { faults.append("\(shown(name)): is outside of data/") }
    let tags = entries(of: "tagmanifest-sha256.txt", files)
    let own = bytes("tagmanifest-sha256.txt")
    for name in files.keys where !name.starts(with: data) && name != own && tags[name] == nil {
      faults.append("\(shown(name)): is not in the tag manifest")
    }
    for name in tags.keys where name.starts(with: data) || name == own {
      faults.append("\(shown(name)): is no tag file")
    }
    for (name, sum) in payload.merging(tags, uniquingKeysWith: { a, _ in a }) {
      guard files[name] != nil else {
        faults.append("\(shown(name)): is listed and is not there")
        continue
      }
      if checksum(name) != sum { faults.append("\(shown(name)): has another checksum") }
    }
  }

  private mutating func entries(of manifest: String, _ files: [[UInt8]: [UInt8]]) -> [[UInt8]: String] {
    guard let content = files[bytes(manifest)] else {
      faults.append("\(manifest): is missing")
      return [:]
    }
    if !content.isEmpty, content.last != 0x0A { faults.append("\(manifest): ends without LF") }
    if String(bytes: content, encoding: .utf8) == nil { faults.append("\(manifest): is not UTF-8") }
    var entries: [[UInt8]: String] = [:]
    var lowered: Set<String> = []
    for line in content.split(separator: 0x0A) {
      let sum = String(decoding: line.prefix(64), as: UTF8.self)
      let name = Array(line.dropFirst(66))
      guard sum.wholeMatch(of: /[0-9a-f]{64}/) != nil, Array(line.dropFirst(64).prefix(2)) == [0x20, 0x20],
        !name.isEmpty
      else {
        faults.append("\(manifest): \(shown(Array(line))) is no entry")
        continue
      }
      if line.contains(0x0D) || name.contains(0x25) { faults.append("\(manifest): \(shown(name)) holds CR or %") }
      let parts = name.split(separator: 0x2F, omittingEmptySubsequences: false)
      if parts.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
        faults.append("\(manifest): \(shown(name)) is no plain path")
      }
      for part in parts where part.first == 0x20 || part.last == 0x20 || part.first == 0x09 || part.last == 0x09 {
        faults.append("\(manifest): \(shown(name)) has blanks at an edge")
      }
      if entries.updateValue(sum, forKey: name) != nil { faults.append("\(manifest): \(shown(name)) is listed twice") }
      lowered.insert(shown(name))
    }
    return entries
  }

  /// 2.2.2: labels, and the sum of the payload.
  private mutating func checkInfo(_ files: [[UInt8]: [UInt8]]) {
    let text = String(decoding: files[bytes("bag-info.txt")] ?? [], as: UTF8.self)
    var labels: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let match = line.wholeMatch(of: /([A-Za-z-]+): (.+)/) else {
        faults.append("bag-info.txt: \(line) is no label with a value")
        continue
      }
      labels[String(match.1)] = String(match.2)
    }
    let sizes = files.filter { $0.key.starts(with: bytes("data/")) }.map(\.value.count)
    if labels["Payload-Oxum"] != "\(sizes.reduce(0, +)).\(sizes.count)" {
      faults.append("bag-info.txt: wrong Payload-Oxum")
    }
    if labels["Bagging-Date"]?.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) == nil {
      faults.append("bag-info.txt: no Bagging-Date")
    }
    if labels["Bag-Software-Agent"]?.hasPrefix("photo-ingest ") != true { faults.append("bag-info.txt: no agent") }
    if labels["Bag-Size"]?.wholeMatch(of: /\d+(\.\d)? (B|KB|MB|GB|TB)/) == nil {
      faults.append("bag-info.txt: no Bag-Size")
    }
  }

  /// By the system's own program.
  private func checksum(_ name: [UInt8]) -> String {
    let result = try? Command("/usr/bin/sha256sum", [bytes("-z"), bytes("--"), bytes(bag + "/") + name]).runBlocking()
    return String(result?.outputText.prefix(64) ?? "")
  }
}
