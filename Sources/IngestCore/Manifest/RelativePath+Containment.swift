extension RelativePath {
  /// Whether it is the address of a remote photo. Two slashes in a row are in no path of a folder.
  public var isAddress: Bool {
    bytes.starts(with: "http://".utf8) || bytes.starts(with: "https://".utf8)
  }

  /// Whether opening it below a folder stays below that folder, symbolic links aside: not absolute, no part `..`, no
  /// NUL. A manifest comes from a disk where others may write, so its paths are not trusted.
  public var isContained: Bool {
    let slash = UInt8(ascii: "/")
    guard let first = bytes.first, first != slash, !bytes.contains(0) else { return false }
    if isAddress { return true }
    return !bytes.split(separator: slash, omittingEmptySubsequences: true).contains { $0.elementsEqual("..".utf8) }
  }
}
