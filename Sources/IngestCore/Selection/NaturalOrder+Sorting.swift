/// Sorts many paths at once.
///
/// Comparing two paths again and again reads what they have in common again and again, which is most of a path. Here
/// each path is turned, once, into a key whose plain bytes stand in the natural order, and keys are sorted eight bytes
/// at a time: only those that agree so far are looked at further.
extension NaturalOrder {
  /// The places of the paths in natural order: `paths[result[0]]` comes first. Equal paths keep their order.
  public static func sortedPlaces(of paths: [RelativePath]) -> [Int] {
    KeyTable(paths).sortedPlaces(of: paths)
  }
}

/// Holds the keys of many paths in one array, and sorts them.
private struct KeyTable {
  /// Eight bytes of one key, as a number that compares as they do.
  private struct Entry {
    var chunk: UInt64
    var place: Int
  }

  private var bytes: [UInt8] = []
  /// Where each key begins, and where the last one ends.
  private var starts: [Int] = []
  private static let chunkLength = 8

  init(_ paths: [RelativePath]) {
    bytes.reserveCapacity(paths.reduce(0) { $0 + $1.bytes.count } + paths.count * 4)
    starts.reserveCapacity(paths.count + 1)
    for path in paths {
      starts.append(bytes.count)
      append(path)
    }
    starts.append(bytes.count)
  }

  /// Adds a key: bytes from 1 up, so that 0 can stand behind its end. A slash is less than everything but the end; what
  /// is no digit keeps its order around the digits; a number is a mark in their place, its length, and its digits
  /// without leading zeros.
  private mutating func append(_ path: RelativePath) {
    let path = path.bytes.span
    let (slash, zero, nine) = (UInt8(ascii: "/"), UInt8(ascii: "0"), UInt8(ascii: "9"))
    var index = 0
    while index < path.count {
      let byte = path[index]
      if byte < zero {
        bytes.append(byte == slash ? 1 : byte + 2)
        index += 1
      } else if byte > nine {
        bytes.append(byte)
        index += 1
      } else {
        while index < path.count, path[index] == zero { index += 1 }
        let start = index
        while index < path.count, path[index] &- zero < 10 { index += 1 }
        bytes.append(zero + 1)
        var length = index - start
        while length >= 254 {
          bytes.append(255)
          length -= 254
        }
        bytes.append(UInt8(length + 1))
        for digit in start..<index { bytes.append(path[digit]) }
      }
    }
  }

  /// The bytes of a key from `depth` on, filled up with zeros.
  private func chunk(of place: Int, at depth: Int) -> UInt64 {
    let start = starts[place] + depth
    let count = min(Self.chunkLength, starts[place + 1] - start)
    var chunk: UInt64 = 0
    for index in 0..<max(0, count) { chunk |= UInt64(bytes[start + index]) << UInt64(56 - 8 * index) }
    return chunk
  }

  func sortedPlaces(of paths: [RelativePath]) -> [Int] {
    var entries = paths.indices.map { Entry(chunk: 0, place: $0) }
    var open = [(range: 0..<entries.count, depth: 0)]
    while let (range, depth) = open.popLast() {
      var isSorted = true
      var last: UInt64 = 0
      for index in range {
        let chunk = chunk(of: entries[index].place, at: depth)
        entries[index].chunk = chunk
        if chunk < last { isSorted = false }
        last = chunk
      }
      if !isSorted { entries[range].sort { ($0.chunk, $0.place) < ($1.chunk, $1.place) } }
      var start = range.lowerBound
      while start < range.upperBound {
        let chunk = entries[start].chunk
        var end = start + 1
        while end < range.upperBound, entries[end].chunk == chunk { end += 1 }
        if end - start > 1 {
          if chunk & 0xFF != 0 {
            open.append((start..<end, depth + Self.chunkLength))
          } else {
            // Both keys have ended: only the raw bytes tell the paths apart.
            entries[start..<end].sort { a, b in
              let (x, y) = (paths[a.place], paths[b.place])
              let order = NaturalOrder.compareBytes(x.bytes.span, y.bytes.span)
              return order == 0 ? a.place < b.place : order < 0
            }
          }
        }
        start = end
      }
    }
    return entries.map(\.place)
  }
}
