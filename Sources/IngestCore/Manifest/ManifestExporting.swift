/// Turns the rows of `manifest.jsonl` into another manifest, row by row.
///
/// Call `begin` once, `row` for each row in order, `end` once, and write what they return one behind the other. The
/// result depends on nothing else, so a run and a later `export` give the same bytes.
public protocol ManifestExporting: Sendable {
  mutating func begin() -> [UInt8]

  /// - Parameters:
  ///   - line: the row as it stands in `manifest.jsonl`, with or without its LF
  ///   - value: the same, read
  mutating func row(line: [UInt8], value: JSONValue) -> [UInt8]

  mutating func end(totals: ManifestTotals) -> [UInt8]
}
