/// Orders photos by local capture time, then sub-second, then name; photos without a time come last, by name.
///
/// Sub-seconds are a decimal fraction, so `.7` comes after `.65`, and `.5` is the same instant as `.50`. Offsets play no
/// part: most photos have none, and to invent one would move the photos of one evening (design, rule 5).
public struct CapturedKey: Hashable, Sendable {
  /// The time without its fraction; nil when unknown.
  private let time: [UInt8]?
  /// The digits behind the point, without zeros at the end.
  private let fraction: [UInt8]
  public let path: RelativePath

  /// - Parameter local: `AssetRow.Captured.local`, such as `2024-07-01T02:13:00.65`; nil when unknown.
  public init(local: String?, path: RelativePath) {
    self.path = path
    guard let local else {
      time = nil
      fraction = []
      return
    }
    let bytes = Array(local.utf8)
    let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
    time = Array(bytes[..<point])
    var digits = bytes[point...].dropFirst()
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    fraction = Array(digits)
  }
}

extension CapturedKey: Comparable {
  public static func < (left: CapturedKey, right: CapturedKey) -> Bool {
    switch (left.time, right.time) {
    case (.some, .none): return true
    case (.none, .some): return false
    case (.some(let a), .some(let b)) where a != b: return a.lexicographicallyPrecedes(b)
    default: break
    }
    if left.fraction != right.fraction { return left.fraction.lexicographicallyPrecedes(right.fraction) }
    return NaturalOrder.areInIncreasingOrder(left.path, right.path)
  }
}
