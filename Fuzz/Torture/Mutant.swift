import PhotoSurgery

/// Makes one damaged photo out of a good one.
struct Mutant {
  /// What was done, for the report.
  private(set) var history: [String] = []
  private(set) var bytes: [UInt8]
  private var numbers: SeededNumbers

  /// - Parameter donor: another photo, from which pieces may come.
  init(of original: [UInt8], donor: [UInt8], seed: UInt64, index: Int) {
    bytes = original
    numbers = SeededNumbers(seed: seed, stream: index)
    let steps = numbers.below(4) == 0 ? 1 + numbers.below(4) : 1
    for _ in 0..<steps {
      // Half of the changes are put together again with right lengths and checksums.
      if numbers.below(2) == 0, let parts = PhotoParts(bytes), !parts.parts.isEmpty {
        changePart(parts, PhotoParts(donor))
      } else {
        note("file", Self.change(&bytes, donor, &numbers))
      }
    }
  }

  private mutating func note(_ place: String, _ what: String) { history.append("\(place) \(what)") }

  /// Changes bytes that nobody mends.
  private static func change(
    _ bytes: inout [UInt8], _ donor: [UInt8], _ numbers: inout SeededNumbers
  ) -> String {
    let count = bytes.count
    let at = numbers.below(count)
    let few = 1 + numbers.below(numbers.below(2) == 0 ? 4 : 300)
    let end = min(count, at + few)
    guard count > 0 else {
      bytes = (0..<few).map { _ in numbers.byte() }
      return "filled"
    }
    switch numbers.below(9) {
    case 0:
      for _ in 0..<(1 + numbers.below(8)) { bytes[numbers.below(count)] ^= 1 << UInt8(numbers.below(8)) }
      return "bits"
    case 1, 2:
      for _ in 0..<(1 + numbers.below(6)) { bytes[numbers.below(count)] = numbers.byte() }
      return "bytes"
    case 3:
      bytes.removeSubrange(at...)
      return "cut at \(at)"
    case 4:
      bytes.removeSubrange(at..<end)
      return "deleted \(at)..<\(end)"
    case 5:
      bytes.insert(contentsOf: (0..<few).map { _ in numbers.byte() }, at: at)
      return "inserted \(few) at \(at)"
    case 6:
      bytes.insert(contentsOf: Array(bytes[at..<end]), at: numbers.below(count))
      return "repeated \(at)..<\(end)"
    case 7:
      for place in at..<end { bytes[place] = 0 }
      return "zeros \(at)..<\(end)"
    default:
      let from = numbers.below(donor.count)
      bytes.replaceSubrange(at..<end, with: donor[from..<min(donor.count, from + few)])
      return "\(at)..<\(end) of another photo"
    }
  }

  /// Changes a part and mends lengths and checksums.
  private mutating func changePart(_ original: PhotoParts, _ donor: PhotoParts?) {
    var photo = original
    let at = numbers.below(photo.parts.count)
    let name = photo.parts[at].name.map { String($0, radix: 16) }.joined()
    let what: String
    switch numbers.below(10) {
    case 0:
      photo.parts.remove(at: at)
      what = "removed"
    case 1:
      photo.parts.insert(photo.parts[at], at: numbers.below(photo.parts.count + 1))
      what = "doubled"
    case 2:
      photo.parts.swapAt(at, numbers.below(photo.parts.count))
      what = "swapped"
    case 3:
      photo.parts[at].name[numbers.below(photo.parts[at].name.count)] ^= 1 << UInt8(numbers.below(8))
      what = "renamed"
    case 4 where donor?.kind == photo.kind:
      if let donor, !donor.parts.isEmpty {
        photo.parts.insert(donor.parts[numbers.below(donor.parts.count)], at: numbers.below(photo.parts.count + 1))
      }
      what = "joined by another photo's"
    case 5 where photo.parts[at].following.count > 0:
      what = "codes " + Self.change(&photo.parts[at].following, [0xFF, 0], &numbers)
    case 6:
      // Cut between two parts, with the end marker put on: what a repair tool leaves.
      let keepsEnd = photo.kind == .png ? photo.parts.last : nil
      photo.parts.removeSubrange((at + 1)...)
      if let keepsEnd, at + 1 < original.parts.count { photo.parts.append(keepsEnd) }
      what = "the last"
    default:
      what = Self.change(&photo.parts[at].payload, donor?.parts.last?.payload ?? [0], &numbers)
    }
    note("part \(at) (\(name))", what)
    bytes = photo.bytes
  }
}
