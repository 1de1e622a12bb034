import Testing

/// Reads a table as RFC 4180 has it, strictly: CRLF line ends, quotes doubled inside quotes, every row as wide as the
/// first.
struct CSVTable {
  /// By the names of the header row.
  let rows: [[String: String]]
  let header: [String]

  init(_ bytes: [UInt8]) throws {
    let quote = UInt8(ascii: "\"")
    var lines: [[String]] = []
    var line: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      var cell: [UInt8] = []
      if rest.first == quote {
        rest = rest.dropFirst()
        while true {
          let next = rest.popFirst()
          let byte = try #require(next, "a quote is not closed")
          if byte != quote {
            cell.append(byte)
          } else if rest.first == quote {
            cell.append(quote)
            rest = rest.dropFirst()
          } else {
            break
          }
        }
      } else {
        while let byte = rest.first, byte != UInt8(ascii: ","), byte != UInt8(ascii: "\r") {
          try #require(byte != quote && byte != UInt8(ascii: "\n"), "a bare quote or line feed")
          cell.append(byte)
          rest = rest.dropFirst()
        }
      }
      line.append(String(decoding: cell, as: UTF8.self))
      if rest.first == UInt8(ascii: ",") {
        rest = rest.dropFirst()
      } else {
        try #require(rest.starts(with: "\r\n".utf8), "a line does not end in CRLF")
        rest = rest.dropFirst(2)
        lines.append(line)
        line = []
      }
    }
    try #require(line.isEmpty)
    header = try #require(lines.first)
    for line in lines { try #require(line.count == header.count) }
    rows = lines.dropFirst().map { [header] in Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }
}
