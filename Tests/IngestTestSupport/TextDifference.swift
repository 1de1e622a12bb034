/// Says where two texts part, line by line, with what cannot be seen made visible; nil when they are the same bytes.
///
/// ```swift
/// #expect(textDifference(expected: golden, actual: output) == nil)
/// ```
public func textDifference(expected: String, actual: String, context: Int = 3) -> String? {
  bytesDifference(expected: Array(expected.utf8), actual: Array(actual.utf8), context: context)
}

/// The same for bytes that need not be UTF-8. Compares bytes, so NFC and NFD differ, and CR LF is two of them.
public func bytesDifference(expected: [UInt8], actual: [UInt8], context: Int = 3) -> String? {
  guard expected != actual else { return nil }
  let old = lines(of: expected)
  let new = lines(of: actual)
  var removed: Set<Int> = []
  var added: Set<Int> = []
  for change in new.difference(from: old) {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): added.insert(offset)
    }
  }
  var i = 0
  var j = 0
  var all: [(mark: Character, text: String)] = []
  while i < old.count || j < new.count {
    if i < old.count, removed.contains(i) {
      all.append(("-", visible(old[i])))
      i += 1
    } else if j < new.count, added.contains(j) {
      all.append(("+", visible(new[j])))
      j += 1
    } else {
      all.append((" ", i < old.count ? visible(old[i]) : ""))
      i += 1
      j += 1
    }
  }
  let changed = all.indices.filter { all[$0].mark != " " }
  var shown = ["--- expected (\(expected.count) bytes)   +++ actual (\(actual.count) bytes)"]
  var last = -1
  for index in all.indices where changed.contains(where: { abs($0 - index) <= context }) {
    if index > last + 1 { shown.append("@@ line \(index + 1)") }
    shown.append("\(all[index].mark) \(all[index].text)")
    last = index
  }
  return shown.joined(separator: "\n")
}

private func lines(of bytes: [UInt8]) -> [[UInt8]] {
  bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
}

/// Printable text as it is; control bytes, edge blanks and what is not UTF-8 as escapes.
private func visible(_ line: [UInt8]) -> String {
  let text = String(decoding: line, as: UTF8.self)
  guard text.utf8.elementsEqual(line) else {
    return line.map { (0x20..<0x7f).contains($0) ? String(UnicodeScalar($0)) : "\\x" + hex($0) }.joined()
  }
  var shown = ""
  for scalar in text.unicodeScalars {
    if scalar.value < 0x20 || scalar.value == 0x7f {
      shown += "\\x" + hex(UInt8(scalar.value))
    } else {
      shown.unicodeScalars.append(scalar)
    }
  }
  return shown.hasSuffix(" ") ? String(shown.dropLast()) + "\\x20" : shown
}

private func hex(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
