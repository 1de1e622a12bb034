import IngestCore
import IngestFiles

/// Keeps the rows of a run on disk until their order and index are settled, so that memory stays flat.
///
/// A row gets its slot by turn. A slot may stay empty for a while: a photo that changed while it was read is loaded once
/// more after all others.
struct RowSpool {
  /// Says where a turn's row lies in the spool file; 32 bytes a photo are kept in memory.
  struct Entry {
    var offset: UInt64
    var length: UInt32
    var indexOffset: UInt32
    var status: AssetRow.Status
    /// Whether the row stays in the manifest (see `UnsupportedPolicy.skip`).
    var isListed: Bool
  }

  private let file: SpoolFile
  private let encoder: ManifestEncoder
  private var entries: [Entry?]
  /// Only for the order `captured`.
  private var capturedKeys: [CapturedKey?]
  private let order: AssetOrder

  init(file: SpoolFile, order: AssetOrder, turns: Int) {
    self.file = file
    self.order = order
    encoder = ManifestEncoder(order: order)
    entries = Array(repeating: nil, count: turns)
    capturedKeys = order == .captured ? Array(repeating: nil, count: turns) : []
  }

  /// Stores the row of a turn.
  mutating func put(
    _ row: AssetRow, turn: Int, isListed: Bool
  ) throws(FileError) -> ManifestEncoder.EncodedRow {
    let encoded = encoder.row(row)
    let offset = try file.append(encoded.bytes)
    entries[turn] = Entry(
      offset: offset, length: UInt32(encoded.bytes.count), indexOffset: UInt32(encoded.indexOffset), status: row.status,
      isListed: isListed)
    if order == .captured { capturedKeys[turn] = CapturedKey(local: row.captured?.local, path: row.path) }
    return encoded
  }

  /// The manifest line of a turn at its place.
  func line(turn: Int, index: Int) throws(FileError) -> [UInt8]? {
    guard let entry = entries[turn] else { return nil }
    let bytes = try file.read(at: entry.offset, count: Int(entry.length))
    return ManifestEncoder.line(spooled: bytes[...], indexOffset: Int(entry.indexOffset), index: index)
  }

  /// The turns whose rows are listed, in manifest order.
  ///
  /// Without `captured` that is the order of the turns.
  func settledOrder() -> [Int] {
    var turns = entries.indices.filter { entries[$0]?.isListed == true }
    if order == .captured {
      turns.sort { a, b in
        guard let x = capturedKeys[a], let y = capturedKeys[b] else { return a < b }
        return x < y
      }
    }
    return turns
  }

  /// Whether a turn is over and its photo has no row in the manifest.
  func isLeftOut(turn: Int) -> Bool { entries[turn]?.isListed == false }

  /// Says how a turn ended.
  func status(turn: Int) -> AssetRow.Status? { entries[turn]?.status }

  var totals: ManifestTotals {
    var totals = ManifestTotals()
    for case let entry? in entries where entry.isListed { totals.add(entry.status) }
    return totals
  }
}
