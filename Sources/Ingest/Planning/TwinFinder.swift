import Catalogue
import IngestFiles

/// Finds among photos that are gone the one that a new file may be: the same file under another name, or a file of the same
/// size and time. Each is given away once, as long as there are others.
struct TwinFinder {
  private enum Key: Hashable {
    case file(device: UInt64, inode: UInt64, size: UInt64)
    case time(seconds: Int64, nanoseconds: Int32, size: UInt64)
  }

  private let gone: [KnownPhoto]
  private var places: [Key: [Int]] = [:]
  private var isTaken: [Bool]
  /// How many have been given away.
  private(set) var taken = 0

  var isEmpty: Bool { gone.isEmpty }

  init(_ gone: [KnownPhoto]) {
    self.gone = gone
    isTaken = Array(repeating: false, count: gone.count)
    for (place, photo) in gone.enumerated() {
      guard let stamp = photo.stamp else { continue }
      if let file = stamp.place {
        places[.file(device: file.device, inode: file.inode, size: stamp.size), default: []].append(place)
      }
      let time = Key.time(seconds: stamp.modifiedSeconds, nanoseconds: stamp.modifiedNanoseconds, size: stamp.size)
      places[time, default: []].append(place)
    }
  }

  mutating func take(for identity: FileIdentity) -> KnownPhoto? {
    let keys = [
      Key.file(device: identity.device, inode: identity.inode, size: identity.size),
      Key.time(
        seconds: identity.modifiedSeconds, nanoseconds: identity.modifiedNanoseconds, size: identity.size),
    ]
    var used: Int?
    for key in keys {
      while let place = places[key]?.last {
        guard isTaken[place] else {
          isTaken[place] = true
          taken += 1
          return gone[place]
        }
        used = used ?? place
        // The last one stays: a second copy of it has the same content.
        guard (places[key]?.count ?? 0) > 1 else { break }
        places[key]?.removeLast()
      }
    }
    return used.map { gone[$0] }
  }
}
