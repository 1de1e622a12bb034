internal import Glibc

/// Knows which thumbnails lie in an output folder, from their folders' lists alone: no file is asked.
///
/// A thumbnail stands under its name only when its content is durable, so that being there is enough. Eight bytes for
/// each file are kept.
public struct ThumbnailCensus: Sendable {
  private var keys: [Int: Set<UInt64>] = [:]
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

  /// In how many of these sizes a thumbnail is there.
  public func count(of key: UInt64, in sizes: [Int]) -> Int {
    sizes.reduce(0) { $0 + (keys[$1]?.contains(key) == true ? 1 : 0) }
  }

  fileprivate mutating func add(_ name: [UInt8], size: Int) {
    guard name.suffix(4).elementsEqual(".jpg".utf8), let key = Self.key(ofName: name) else {
      if TemporaryFile.isName(name) { hasLitter = true }
      return
    }
    count += 1
    keys[size, default: []].insert(key)
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
          census.add(file, size: size)
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
