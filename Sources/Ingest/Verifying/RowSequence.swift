import IngestCore

/// Holds the rows of a manifest, one after the other, against the order that its header names.
///
/// Only `name` and `captured` can be told from the rows: the others go by what the scan saw, or by somebody's list.
struct RowSequence {
  private let order: AssetOrder?
  private var last: RelativePath?
  private var lastKey: CapturedKey?

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
    case .modified, .size, .list, nil: return true
    }
  }
}
