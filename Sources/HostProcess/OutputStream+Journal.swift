internal import Glibc

extension OutputStream {
  /// Whether the stream leads to the journal of systemd, which takes the priority from the head of a line.
  ///
  /// `JOURNAL_STREAM` names the device and the inode of the journal's stream (systemd.exec(5)). A program that inherits
  /// the variable and has its stream redirected compares in vain, as it should.
  public var isJournal: Bool {
    guard let value = HostProcess.environment("JOURNAL_STREAM") else { return false }
    let parts = value.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var status = stat()
    guard parts.count == 2, let device = UInt64(String(decoding: parts[0], as: UTF8.self)),
      let inode = UInt64(String(decoding: parts[1], as: UTF8.self)), unsafe fstat(descriptor, &status) == 0
    else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }
}
