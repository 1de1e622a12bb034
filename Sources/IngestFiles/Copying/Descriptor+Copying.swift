internal import CIngestFiles
internal import Glibc

/// Says which side of a copy did not work.
enum CopyFault: Error {
  case source(SystemError)
  case target(SystemError)
}

extension Descriptor {
  private static let largestPiece = 256 << 10

  /// Room for one read; a small file is not worth a large one.
  private func room() -> [UInt8] {
    let size = ((try? status())?.st_size).map { Int(clamping: $0) } ?? Self.largestPiece
    return [UInt8](repeating: 0, count: min(Self.largestPiece, max(4096, size + 1)))
  }

  /// Fills an empty file with the content of this one, from its first byte: by shared blocks where the file system can,
  /// else byte by byte. Leaves the place where this descriptor reads alone.
  func copyContent(to target: Descriptor) throws(CopyFault) {
    if cf_share_blocks(target.number, number) == 0 { return }
    var piece = room()
    var offset: off_t = 0
    while true {
      let count: Int
      do { count = try read(into: &piece, at: offset) } catch { throw .source(error) }
      if count == 0 { return }
      do { try target.write(piece[..<count]) } catch { throw .target(error) }
      offset += off_t(count)
    }
  }

  /// The SHA-256 of the whole file in lower-case hex, and how long it is. Nil when `isCancelled` said so on the way.
  func checksum(isCancelled: () -> Bool = { false }) throws(SystemError) -> (sha256: String, count: UInt64)? {
    var digest = SHA256Digest()
    var piece = room()
    var offset: off_t = 0
    while true {
      if isCancelled() { return nil }
      let count = try read(into: &piece, at: offset)
      if count == 0 { return (digest.finishHex(), UInt64(offset)) }
      digest.update(piece[..<count])
      offset += off_t(count)
    }
  }

  /// Lets go of what the system keeps of the file in memory, so that the next read comes from the disk. A hint only.
  func forgetPages() {
    _ = posix_fadvise(number, 0, 0, Int32(POSIX_FADV_DONTNEED))
  }

  /// Gives the file the times and the rights of another one, without the bits that change the user of a program.
  func takeTimesAndMode(of status: stat) throws(SystemError) {
    guard fchmod(number, status.st_mode & 0o777) == 0 else { throw SystemError.last }
    let times = [status.st_atim, status.st_mtim]
    guard unsafe futimens(number, times) == 0 else { throw SystemError.last }
  }

  /// The bytes at a place of the file, fewer where it ends before.
  func bytes(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: count)
    while bytes.count < count {
      let got = try read(into: &piece, at: off_t(clamping: offset) + off_t(bytes.count))
      if got == 0 { break }
      bytes += piece[..<min(got, count - bytes.count)]
    }
    return bytes
  }

  /// Reads at a place of the file without moving there; 0 at its end.
  private func read(into piece: inout [UInt8], at offset: off_t) throws(SystemError) -> Int {
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { unsafe pread(number, $0.baseAddress, $0.count, offset) }
      if count >= 0 { return count }
      if errno != EINTR { throw SystemError.last }
    }
  }

  /// Where a link of this folder leads, by its bytes.
  func target(ofLink name: ArraySlice<UInt8>) throws(SystemError) -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlinkat(number, nulTerminated(name), &buffer, buffer.count)
    guard count >= 0 else { throw SystemError.last }
    return buffer[..<count].map { UInt8(bitPattern: $0) }
  }

  /// Gives a file of this folder one more name in another one. Never a source: that would change its times.
  func link(_ name: ArraySlice<UInt8>, to folder: Descriptor, _ newName: ArraySlice<UInt8>) throws(SystemError) {
    guard unsafe linkat(number, nulTerminated(name), folder.number, nulTerminated(newName), 0) == 0 else {
      throw SystemError.last
    }
  }
}
