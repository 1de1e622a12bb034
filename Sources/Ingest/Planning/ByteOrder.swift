/// Compares paths as SQLite compares blobs.
enum ByteOrder {
  static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let a = left.span
    let b = right.span
    let count = min(a.count, b.count)
    var index = 0
    while index < count {
      if a[index] != b[index] { return a[index] < b[index] }
      index += 1
    }
    return a.count < b.count
  }
}
