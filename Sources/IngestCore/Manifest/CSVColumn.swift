/// Describes one column of `manifest.csv`: where its value stands in a row and how a cell is kept harmless.
struct CSVColumn: Sendable, Hashable {
  /// How a text is changed so that a spreadsheet does not run it: cells that begin with `= + - @ TAB CR` are formulas
  /// (OWASP, "CSV Injection"), also inside quotes.
  enum Form: Sendable, Hashable {
    /// A number or a flag.
    case exact
    /// Base64, which must stay exact. It may begin with `+`, but its letters can call nothing.
    case base64
    /// An offset such as `+02:00`, which must stay exact; anything else is treated as text.
    case offset
    /// A path: `./` in front does not change what it names.
    case path
    /// Text from outside: `'` in front, which a reader cannot take back with certainty.
    case text
    /// `sha256:` in front: some readers take a checksum such as `111...e1` for a number.
    case checksum
  }

  let name: String
  let form: Form
  /// The key in the row, then the key in the group.
  let keys: [String]

  init(_ name: String, _ form: Form) {
    self.name = name
    self.form = form
    keys = name.split(separator: ".").map(String.init)
  }

  /// The columns that every file has, in order; those of the thumbnails follow.
  static let fixed: [CSVColumn] = [
    CSVColumn("index", .exact), CSVColumn("path", .path), CSVColumn("path_b64", .base64), CSVColumn("status", .text),
    CSVColumn("error.code", .text), CSVColumn("error.message", .text), CSVColumn("notes", .text),
    CSVColumn("bytes", .exact), CSVColumn("modified", .text), CSVColumn("sha256", .checksum),
    CSVColumn("format", .text), CSVColumn("width", .exact), CSVColumn("height", .exact),
    CSVColumn("display_width", .exact), CSVColumn("display_height", .exact), CSVColumn("orientation", .exact),
    CSVColumn("orientation_source", .text), CSVColumn("bit_depth", .exact), CSVColumn("components", .exact),
    CSVColumn("color", .text), CSVColumn("progressive", .exact), CSVColumn("profile", .text),
    CSVColumn("captured.local", .text), CSVColumn("captured.offset", .offset), CSVColumn("captured.source", .text),
    CSVColumn("camera.make", .text), CSVColumn("camera.model", .text), CSVColumn("camera.lens", .text),
    CSVColumn("exposure.seconds", .exact), CSVColumn("exposure.f_number", .exact), CSVColumn("exposure.iso", .exact),
    CSVColumn("exposure.focal_length", .exact), CSVColumn("gps.latitude", .exact),
    CSVColumn("gps.longitude", .exact), CSVColumn("gps.altitude", .exact), CSVColumn("description", .text),
    CSVColumn("comment", .text), CSVColumn("comment_base64", .base64), CSVColumn("preview.source", .text),
    CSVColumn("preview.width", .exact), CSVColumn("preview.height", .exact),
    CSVColumn("verification.method", .text), CSVColumn("verification.trailing_bytes", .exact),
    CSVColumn("verification.warnings", .exact), CSVColumn("original", .path), CSVColumn("original_kind", .text),
  ]

  /// The columns of each thumbnail size: `thumbnails.256.path` and so on.
  static let ofThumbnail: [CSVColumn] = [
    CSVColumn("path", .path), CSVColumn("width", .exact), CSVColumn("height", .exact), CSVColumn("bytes", .exact),
    CSVColumn("sha256", .checksum),
  ]

  /// The content of the cell, not yet quoted.
  func cell(of value: JSONValue?) -> String {
    switch value {
    case .string(let text): guarded(text)
    case .integer(let number): String(number)
    case .number(let number): Self.digits(number)
    case .bool(let flag): flag ? "true" : "false"
    case .array(let elements): guarded(elements.compactMap(\.stringValue).joined(separator: " "))
    case .null, .object, nil: ""
    }
  }

  private func guarded(_ text: String) -> String {
    switch form {
    case .checksum: "sha256:" + text
    case .path: Self.runsInSpreadsheet(text) ? "./" + text : text
    case .base64 where Base64.decode(text) != nil: text
    case .offset where Self.isOffset(text): text
    case .text, .base64, .offset, .exact: Self.runsInSpreadsheet(text) ? "'" + text : text
    }
  }

  private static func runsInSpreadsheet(_ text: String) -> Bool {
    text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
  }

  private static func isOffset(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 6 && "+-".utf8.contains(bytes[0]) && bytes[3] == UInt8(ascii: ":")
      && [1, 2, 4, 5].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }
  }

  private static func digits(_ number: Double) -> String {
    var writer = JSONWriter()
    if number.isFinite { writer.number(number) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
