internal import Glibc

/// Compares what a folder holds with what is about to be written. A file that cannot be read is not the same: it is
/// written anew.
extension Descriptor {
  /// Whether a regular file of this folder holds exactly these bytes.
  func holds(_ bytes: [UInt8], under name: ArraySlice<UInt8>) -> Bool {
    var rest = bytes[...]
    let isRead = readRegular(name, size: UInt64(bytes.count)) { chunk in
      guard chunk == rest.prefix(chunk.count) else { return false }
      rest = rest.dropFirst(chunk.count)
      return true
    }
    return isRead && rest.isEmpty
  }

  /// Whether a regular file of this folder holds as many bytes with this checksum.
  func holds(checksum: String, size: UInt64, under name: ArraySlice<UInt8>) -> Bool {
    var digest = SHA256Digest()
    let isRead = readRegular(name, size: size) { chunk in
      digest.update(chunk)
      return true
    }
    return isRead && digest.finishHex() == checksum
  }

  /// Reads a file of that size to its end, as long as `body` wants more. False when there is no such file, when it
  /// cannot be read, and when `body` stopped.
  private func readRegular(
    _ name: ArraySlice<UInt8>, size: UInt64, _ body: (ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    do throws(SystemError) {
      let seen = try status(of: name)
      guard seen.isRegular, UInt64(max(0, seen.st_size)) == size else { return false }
      let file = try openRegularFile(name, seenAs: seen).0
      var chunk = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = try file.fill(&chunk)
        guard body(chunk[..<count]) else { return false }
        if count < chunk.count { return true }
      }
    } catch {
      return false
    }
  }
}
