internal import Glibc

extension Descriptor {
  /// Whether a regular file of this folder holds exactly these bytes.
  func holds(_ bytes: [UInt8], under name: ArraySlice<UInt8>) throws(SystemError) -> Bool {
    guard let file = try openRegular(name, size: UInt64(bytes.count)) else { return false }
    var rest = bytes[...]
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try file.fill(&chunk)
      guard count <= rest.count, chunk[..<count] == rest.prefix(count) else { return false }
      rest = rest.dropFirst(count)
      if count < chunk.count { return rest.isEmpty }
    }
  }

  /// Whether a regular file of this folder holds as many bytes with this checksum.
  func holds(checksum: String, size: UInt64, under name: ArraySlice<UInt8>) throws(SystemError) -> Bool {
    guard let file = try openRegular(name, size: size) else { return false }
    var digest = SHA256Digest()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try file.fill(&chunk)
      digest.update(chunk[..<count])
      if count < chunk.count { return digest.finishHex() == checksum }
    }
  }

  /// A file that could be the same; nil when there is none, or one that cannot be compared and so is written anew.
  private func openRegular(_ name: ArraySlice<UInt8>, size: UInt64) throws(SystemError) -> Descriptor? {
    guard let seen = try? status(of: name), seen.isRegular, UInt64(max(0, seen.st_size)) == size else { return nil }
    return try? openRegularFile(name, seenAs: seen).0
  }
}
