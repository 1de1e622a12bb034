import Catalogue
import IngestCore

/// Knows for each turn where its row lies in the catalogue, until the rows' order and index are settled.
///
/// A row gets its place by turn. A place may stay empty for a while: a photo that changed while it was read is loaded once
/// more after all others. Rows stay on disk, so that memory is flat.
struct RowLedger {
  /// Says where a turn's row lies and what became of its photo.
  struct Entry {
    var line: KnownPhoto.LineID
    var status: AssetRow.Status
    var error: FailureCode?
    /// Why the photo was read; nil when an earlier run's row holds.
    var reason: ReadReason?
    /// Whether the row stays in the manifest (see `UnsupportedPolicy.skip`).
    var isListed: Bool
  }

  private let catalogue: Catalogue
  private var entries: [Entry?]
  /// Only for the order `captured`.
  private var capturedKeys: [CapturedKey?]
  private let order: AssetOrder

  init(catalogue: Catalogue, order: AssetOrder, turns: Int) {
    self.catalogue = catalogue
    self.order = order
    entries = Array(repeating: nil, count: turns)
    capturedKeys = order == .captured ? Array(repeating: nil, count: turns) : []
  }

  /// Takes down a turn's row, which the catalogue holds.
  mutating func put(_ entry: Entry, turn: Int, path: RelativePath, captured: String?) {
    entries[turn] = entry
    if order == .captured { capturedKeys[turn] = CapturedKey(local: captured, path: path) }
  }

  /// What is known of a turn; nil while its place is empty.
  func entry(turn: Int) -> Entry? { entries[turn] }

  /// The manifest line of a turn at its place.
  func line(turn: Int, index: Int) throws(RunError) -> [UInt8]? {
    guard let entry = entries[turn] else { return nil }
    do {
      return try catalogue.line(entry.line).line(index: index)
    } catch {
      throw RunError(error)
    }
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

  var totals: ManifestTotals {
    var totals = ManifestTotals()
    for case let entry? in entries where entry.isListed { totals.add(entry.status) }
    return totals
  }
}
