extension RelativePath {
  /// The folder of the output that holds originals.
  public static let originalsFolder = Array("originals".utf8)

  /// Where the original of a source lies, relative to the output folder: the same bytes, one level deeper.
  public var original: RelativePath {
    RelativePath(Self.originalsFolder + [UInt8(ascii: "/")] + bytes)
  }

  /// The path without the last dot of its name and what follows it; the path itself when its name has no extension.
  public var withoutExtension: RelativePath {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return self }
    return RelativePath(Array(bytes[..<dot]))
  }

  /// The same path with another last part.
  public func renamed(_ name: [UInt8]) -> RelativePath {
    RelativePath(Array(bytes[..<self.name.startIndex]) + name)
  }
}

/// Makes names that carry a mark of hexadecimal digits: `stem~1a2b3c4d.ext`.
public enum MarkedName {
  /// How many digits a mark may have.
  public static let lengths = [8, 16, 64]
  /// Most file systems of Linux hold no longer one.
  public static let maximumLength = 255
  /// A longer part behind the last dot is no extension.
  private static let longestExtension = 32

  /// The name with `~` and the mark before its extension, its stem cut so that the whole fits into a file system.
  public static func make(_ name: [UInt8], mark: String) -> [UInt8] {
    let (stem, ending) = split(name)
    let room = max(0, maximumLength - ending.count - mark.utf8.count - 1)
    return cut(stem, to: room) + [UInt8(ascii: "~")] + Array(mark.utf8) + ending
  }

  /// The digits of a marked name; nil when it carries none.
  public static func mark(of name: [UInt8]) -> String? {
    let stem = split(name).stem
    guard let tilde = stem.lastIndex(of: UInt8(ascii: "~")) else { return nil }
    let digits = stem[(tilde + 1)...]
    let isHex = digits.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
    return isHex && digits.count >= 8 ? String(decoding: digits, as: UTF8.self) : nil
  }

  /// The marked name with zeros for its digits: what all marked names of one name with so many digits share.
  public static func zeroed(_ name: [UInt8]) -> [UInt8]? {
    guard let digits = mark(of: name)?.utf8.count else { return nil }
    let (stem, ending) = split(name)
    return Array(stem.prefix(stem.count - digits)) + Array(repeating: UInt8(ascii: "0"), count: digits) + ending
  }

  /// Stem, and the ending with its dot.
  private static func split(_ name: [UInt8]) -> (stem: [UInt8], ending: [UInt8]) {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= longestExtension else {
      return (name, [])
    }
    return (Array(name[..<dot]), Array(name[dot...]))
  }

  /// The first bytes, never ending inside a character of UTF-8.
  private static func cut(_ bytes: [UInt8], to count: Int) -> [UInt8] {
    guard bytes.count > count else { return bytes }
    var end = count
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<(end > 0 ? end : count)])
  }
}
