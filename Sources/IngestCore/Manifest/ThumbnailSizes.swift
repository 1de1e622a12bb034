/// Collects which thumbnail sizes a manifest holds: the first pass of a CSV, whose columns depend on them.
public struct ThumbnailSizes: Sendable, Hashable {
  /// Longest sides in pixels, ascending.
  public var sizes: [Int] { found.sorted() }
  private var found: Set<Int> = []

  public init() {}

  public mutating func add(row: JSONValue) {
    for thumbnail in row["thumbnails"]?.arrayValue ?? [] {
      if let size = Self.size(of: thumbnail) { found.insert(size) }
    }
  }

  public mutating func add(_ row: AssetRow) {
    found.formUnion(row.thumbnails.map(\.size))
  }

  public mutating func add(sizes: [Int]) {
    found.formUnion(sizes)
  }

  static func size(of thumbnail: JSONValue) -> Int? {
    thumbnail["size"]?.integerValue.flatMap { Int(exactly: $0) }
  }
}
