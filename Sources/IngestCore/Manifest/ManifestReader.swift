/// Reads `manifest.jsonl` piece by piece, holds it against its own counts and gives the rows.
///
/// Records and keys that it does not know are skipped, as the interface asks of every reader. The caller computes the
/// SHA-256: `feed` hands it the bytes that are under the checksum, and `finish` gives the value they must have.
///
/// ```swift
/// var reader = ManifestReader()
/// while let chunk = try file.next() {
///   for row in try reader.feed(chunk, digest: { sha.update($0) }) { use(row) }
/// }
/// let summary = try reader.finish()
/// guard sha.hex() == summary.sha256 else { ... }
/// ```
///
/// Memory: one chunk's rows and one unfinished line.
public struct ManifestReader: Sendable {
  /// Longest line that is read, in bytes. A row is about 1,000; a path at most 4,096.
  public static let maximumLineLength = 16 << 20
  /// A first line longer than this is not our header; a foreign file without line ends is told at once.
  public static let maximumHeaderLength = 64 << 10

  /// The header's `order`; nil before it has been read. A word that is none of `AssetOrder` comes from a later program.
  public private(set) var order: String?

  /// Whether every line is held against the form that manifests have.
  private let checksForm: Bool
  private var irregularLine: Int?
  private var pending: [UInt8] = []
  private var lineNumber = 0
  private var totals = ManifestTotals()
  private var bytesBeforeEnd: UInt64 = 0
  private var end: (totals: ManifestTotals, sha256: String)?

  /// - Parameter checksForm: whether `Summary.irregularLine` is wanted; costs about as much as the reading itself.
  public init(checksForm: Bool = false) {
    self.checksForm = checksForm
  }

  /// Takes the next bytes of the file and returns the rows whose lines they complete.
  ///
  /// - Parameter digest: gets every line before the end record in order, LF included. Together they are all the bytes
  ///   that the end record's checksum covers.
  public mutating func feed(
    _ chunk: ArraySlice<UInt8>, digest: (ArraySlice<UInt8>) -> Void = { _ in }
  ) throws(ManifestFault) -> [ManifestRow] {
    var rows: [ManifestRow] = []
    var rest = chunk
    while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let behind = lineEnd + 1
      pending.append(contentsOf: rest[..<behind])
      rest = rest[behind...]
      lineNumber += 1
      try checkLength()
      if let row = try record() { rows.append(row) }
      if end == nil {
        digest(pending[...])
        bytesBeforeEnd += UInt64(pending.count)
      }
      pending.removeAll(keepingCapacity: true)
    }
    pending.append(contentsOf: rest)
    try checkLength()
    if end != nil, !pending.isEmpty { throw fault(.afterEnd, line: lineNumber + 1) }
    return rows
  }

  /// Takes the next bytes of the file, as above.
  public mutating func feed(
    _ chunk: [UInt8], digest: (ArraySlice<UInt8>) -> Void = { _ in }
  ) throws(ManifestFault) -> [ManifestRow] {
    try feed(chunk[...], digest: digest)
  }

  /// Ends the reading; throws unless header, rows and end record were all there and agree.
  public func finish() throws(ManifestFault) -> Summary {
    if lineNumber == 0, pending.isEmpty { throw fault(.empty, line: 1) }
    guard let order else { throw fault(.foreign, line: 1) }
    guard let end, pending.isEmpty else { throw fault(.cutOff) }
    return Summary(
      order: order, totals: end.totals, sha256: end.sha256, bytesBeforeEnd: bytesBeforeEnd,
      irregularLine: irregularLine)
  }

  /// Holds what a whole manifest says of itself.
  public struct Summary: Sendable, Hashable {
    public let order: String
    public let totals: ManifestTotals
    /// What the SHA-256 of the first `bytesBeforeEnd` bytes must be, in lower-case hex.
    public let sha256: String
    public let bytesBeforeEnd: UInt64
    /// The first line, counted from 1, that says what it says in another form than manifests have: keys in another order,
    /// blanks, CR LF at its end. Nil when there is none, or nobody looked.
    public let irregularLine: Int?
  }

  private func fault(_ kind: ManifestFault.Kind, line: Int? = nil) -> ManifestFault {
    ManifestFault(line: line ?? lineNumber, kind: kind)
  }

  private func checkLength() throws(ManifestFault) {
    let isHeader = order == nil
    guard pending.count > (isHeader ? Self.maximumHeaderLength : Self.maximumLineLength) else { return }
    let line = pending.last == UInt8(ascii: "\n") ? lineNumber : lineNumber + 1
    throw fault(isHeader ? .foreign : .lineTooLong, line: line)
  }

  /// Reads the record in `pending`, which ends in LF.
  private mutating func record() throws(ManifestFault) -> ManifestRow? {
    if end != nil { throw fault(.afterEnd) }
    let line = Array(pending.dropLast())
    let value: JSONValue
    do {
      value = try JSONReader().read(line)
    } catch {
      throw fault(order == nil ? .foreign : .syntax("column \(error.column): \(error.message)"))
    }
    if checksForm, irregularLine == nil, !value.isCanonical(in: line) { irregularLine = lineNumber }
    guard order != nil else {
      try readHeader(value)
      return nil
    }
    guard let kind = value["record"]?.stringValue else { throw fault(.badRecord("the key \"record\" is missing")) }
    switch kind {
    case "asset":
      let row = try ManifestRow(line: line, value: value, lineNumber: lineNumber)
      guard row.index == totals.assets else { throw fault(.wrongIndex(expected: totals.assets)) }
      totals.add(row.status)
      return row
    case "end": try readEnd(value)
    case "header": throw fault(.badRecord("there is a second header"))
    default: break
    }
    return nil
  }

  private mutating func readHeader(_ value: JSONValue) throws(ManifestFault) {
    guard value["record"]?.stringValue == "header", value["format"]?.stringValue == ManifestEncoder.formatName,
      let version = value["version"]?.integerValue
    else { throw fault(.foreign) }
    guard version == ManifestEncoder.version else { throw fault(.unknownVersion(version)) }
    guard let order = value["order"]?.stringValue else { throw fault(.badRecord("the header names no order")) }
    self.order = order
  }

  private mutating func readEnd(_ value: JSONValue) throws(ManifestFault) {
    func count(_ key: String) -> Int? {
      value[key]?.integerValue.flatMap { Int(exactly: $0) }
    }
    guard let assets = count("assets"), let verified = count("verified"), let damaged = count("damaged"),
      let failed = count("failed")
    else { throw fault(.badRecord("the end record lacks a count")) }
    guard let sha256 = value["sha256"]?.stringValue, ManifestRow.isChecksum(sha256) else {
      throw fault(.badRecord("the end record lacks its checksum"))
    }
    let stated = ManifestTotals(assets: assets, verified: verified, damaged: damaged, failed: failed)
    guard stated == totals else { throw fault(.wrongTotals) }
    end = (stated, sha256)
  }
}
