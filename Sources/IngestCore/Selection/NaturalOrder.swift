/// Puts paths in the order `name`: `IMG_2` before `IMG_10`, the same on every machine.
///
/// Path parts are compared one by one, and a path whose parts are all used up comes first. Inside a part a run of ASCII
/// digits counts by its value, however long, and everything else byte by byte. Paths that are still equal (`7`, `007`)
/// are ordered by the raw bytes of the whole path, so photos of `a1/` and `a01/` go by their own names. It is a strict total order: two different paths are never equal.
/// No locale, no case folding, no Unicode normal forms.
public enum NaturalOrder {
  public static func areInIncreasingOrder(_ left: RelativePath, _ right: RelativePath) -> Bool {
    compare(left, right) < 0
  }

  /// Negative when `left` comes first, positive when `right` does, zero for the same bytes.
  public static func compare(_ left: RelativePath, _ right: RelativePath) -> Int {
    let slash = UInt8(ascii: "/")
    let a = left.bytes.span
    let b = right.bytes.span
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      let x = a[i]
      let y = b[j]
      if isDigit(x), isDigit(y) {
        let order = compareNumbers(a, &i, b, &j)
        if order != 0 { return order }
      } else if x == y {
        i += 1
        j += 1
      } else if x == slash || y == slash {
        // The part that ends here is a prefix of the other one.
        return x == slash ? -1 : 1
      } else {
        return x < y ? -1 : 1
      }
    }
    if i < a.count { return 1 }
    if j < b.count { return -1 }
    return compareBytes(a, b)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  /// Compares the runs of digits at `i` and `j` by value and steps behind both.
  private static func compareNumbers(
    _ a: borrowing Span<UInt8>, _ i: inout Int, _ b: borrowing Span<UInt8>, _ j: inout Int
  ) -> Int {
    let zero = UInt8(ascii: "0")
    while i < a.count, a[i] == zero { i += 1 }
    while j < b.count, b[j] == zero { j += 1 }
    // Without leading zeros the longer number is the greater one; of equal length the first difference decides.
    var difference = 0
    while i < a.count, isDigit(a[i]), j < b.count, isDigit(b[j]) {
      if difference == 0, a[i] != b[j] { difference = a[i] < b[j] ? -1 : 1 }
      i += 1
      j += 1
    }
    if i < a.count, isDigit(a[i]) { return 1 }
    if j < b.count, isDigit(b[j]) { return -1 }
    return difference
  }

  static func compareBytes(_ a: borrowing Span<UInt8>, _ b: borrowing Span<UInt8>) -> Int {
    for index in 0..<min(a.count, b.count) where a[index] != b[index] {
      return a[index] < b[index] ? -1 : 1
    }
    return a.count == b.count ? 0 : (a.count < b.count ? -1 : 1)
  }
}
