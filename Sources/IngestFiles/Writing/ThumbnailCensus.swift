internal import Glibc

/// Knows which thumbnails lie in an output folder, and how long they are. No file is opened.
///
/// A thumbnail stands under its name only when its content is durable; one that was cut by somebody has another length.
public struct ThumbnailCensus: Sendable {
  /// Bytes by key, for each size.
  private var lengths: [Int: [UInt64: UInt32]] = [:]
  /// Thumbnails of all sizes.
  public private(set) var count = 0
  /// Whether there is something that a sweep would remove whatever is listed: temporary files, empty folders.
  public private(set) var hasLitter = false

  public init() {}

  /// The first sixteen digits of a thumbnail's name as a number.
  public static func key(ofName name: some Sequence<UInt8>) -> UInt64? {
    var key: UInt64 = 0
    var digits = 0
    for byte in name {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      key = key << 4 | UInt64(value)
      digits += 1
      if digits == 16 { return key }
    }
    return nil
  }

  /// In how many of these sizes a thumbnail is there, and their bytes in all.
  public func content(of key: UInt64, in sizes: [Int]) -> (count: Int, bytes: Int) {
    sizes.reduce((0, 0)) { sum, size in
      lengths[size]?[key].map { (sum.0 + 1, sum.1 + Int($0)) } ?? sum
    }
  }

  fileprivate mutating func add(_ name: [UInt8], in shelf: Descriptor, size: Int) {
    guard name.suffix(4).elementsEqual(".jpg".utf8), let key = Self.key(ofName: name) else {
      if TemporaryFile.isName(name) { hasLitter = true }
      return
    }
    count += 1
    // A link in a thumbnail's place is none.
    guard let status = try? shelf.status(of: name[...]), status.isRegular else { return }
    lengths[size, default: [:]][key] = UInt32(clamping: status.st_size)
  }

  fileprivate mutating func foundLitter() {
    hasLitter = true
  }
}

extension OutputFolder {
  /// Counts the thumbnails that are there. A folder that cannot be read has none.
  public func thumbnailCensus() -> ThumbnailCensus {
    var census = ThumbnailCensus()
    guard let top = try? descriptor.openFolder(Array("thumbnails".utf8)[...]),
      let sizes = try? FolderEntries.names(in: top)
    else { return census }
    for sizeName in sizes {
      guard let size = Int(String(decoding: sizeName, as: UTF8.self)), let folder = try? top.openFolder(sizeName[...])
      else { continue }
      var isEmpty = true
      for name in (try? FolderEntries.names(in: folder)) ?? [] where name.count == 2 {
        guard let shelf = try? folder.openFolder(name[...]) else { continue }
        var count = 0
        try? FolderEntries.forEach(in: shelf) { file, _ in
          census.add(file, in: shelf, size: size)
          count += 1
          return true
        }
        if count == 0 { census.foundLitter() }
        isEmpty = false
      }
      if isEmpty { census.foundLitter() }
    }
    return census
  }
}
