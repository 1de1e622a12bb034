import IngestCore
import IngestFiles

/// Holds the rows of a manifest, one after the other, against the order that its header names.
///
/// `list` cannot be told from the rows: it goes by somebody's list.
struct RowSequence {
  private let order: AssetOrder?
  private var last: RelativePath?
  private var lastKey: CapturedKey?
  private var lastFigure: Figure?

  init(orderNamed order: String) {
    self.order = AssetOrder(rawValue: order)
  }

  /// Takes the next row; false when it should stand before the one that came last.
  mutating func accepts(_ row: ManifestRow) -> Bool {
    switch order {
    case .name:
      defer { last = row.path }
      return last.map { NaturalOrder.compare($0, row.path) <= 0 } ?? true
    case .captured:
      let key = CapturedKey(local: row.value["captured"]?["local"]?.stringValue, path: row.path)
      defer { lastKey = key }
      return lastKey.map { !(key < $0) } ?? true
    case .size: return accepts(row, row.bytes.map { (Int64(clamping: $0), 0) })
    case .modified:
      let time = row.value["modified"]?.stringValue.flatMap { FileIdentity.time(rfc3339: $0) }
      return accepts(row, time.map { ($0.seconds, $0.nanoseconds) })
    case .list, nil: return true
    }
  }

  /// What a row is sorted by. Of an address nothing is known before it is fetched: it stands behind the files, by name.
  private struct Figure {
    var isAddress: Bool
    var value: (Int64, Int32)
    var path: RelativePath

    func comesBefore(_ other: Figure) -> Bool {
      if isAddress != other.isAddress { return other.isAddress }
      if !isAddress, value != other.value { return value < other.value }
      return NaturalOrder.compare(path, other.path) < 0
    }
  }

  /// A file whose row has no figure was gone or out of sight when it was read; its place says nothing.
  private mutating func accepts(_ row: ManifestRow, _ value: (Int64, Int32)?) -> Bool {
    let isAddress = row.path.isAddress
    guard let value = isAddress ? (0, 0) : value else { return true }
    let figure = Figure(isAddress: isAddress, value: value, path: row.path)
    defer { lastFigure = figure }
    return lastFigure.map { !figure.comesBefore($0) } ?? true
  }
}
