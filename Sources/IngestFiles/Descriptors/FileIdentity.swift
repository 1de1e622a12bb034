internal import Glibc

/// Tells one folder from every other, whatever its names.
public struct FolderIdentity: Hashable, Sendable {
  public let device: UInt64
  public let inode: UInt64

  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// The folder a path leads to now, links followed; nil when there is none. Makes nothing.
  public static func of(_ path: [UInt8]) -> FolderIdentity? {
    var status = stat()
    guard unsafe stat(nulTerminated(path[...]), &status) == 0, status.isFolder else { return nil }
    return FolderIdentity(status)
  }
}

extension FolderIdentity {
  /// Whether a path leads to this folder or to one below it, whatever the names and links on the way.
  public static func of(_ path: [UInt8], liesIn folder: FolderIdentity) -> Bool {
    var path = path
    var below: FolderIdentity?
    while let here = FolderIdentity.of(path), here != below {
      if here == folder { return true }
      below = here
      path += Array("/..".utf8)
    }
    return false
  }
}

/// Holds what tells one state of one file from every other: where it is, how long it is, when it changed.
public struct FileIdentity: Hashable, Sendable {
  public let device: UInt64
  public let inode: UInt64
  /// Bytes.
  public let size: UInt64
  /// Seconds since 1970, UTC.
  public let modifiedSeconds: Int64
  public let modifiedNanoseconds: Int32
  public let changedSeconds: Int64
  public let changedNanoseconds: Int32

  public init(
    device: UInt64, inode: UInt64, size: UInt64, modifiedSeconds: Int64, modifiedNanoseconds: Int32,
    changedSeconds: Int64, changedNanoseconds: Int32
  ) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modifiedSeconds = modifiedSeconds
    self.modifiedNanoseconds = modifiedNanoseconds
    self.changedSeconds = changedSeconds
    self.changedNanoseconds = changedNanoseconds
  }

  init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: UInt64(max(0, status.st_size)),
      modifiedSeconds: Int64(status.st_mtim.tv_sec),
      modifiedNanoseconds: Int32(truncatingIfNeeded: status.st_mtim.tv_nsec),
      changedSeconds: Int64(status.st_ctim.tv_sec),
      changedNanoseconds: Int32(truncatingIfNeeded: status.st_ctim.tv_nsec))
  }

  /// Device and inode alone: the same file, in whatever state.
  var file: FolderIdentity { FolderIdentity(device: device, inode: inode) }

  /// The time of the last change of the content, as RFC 3339 with nine digits: `2024-07-01T02:13:00.123456789Z`.
  ///
  /// UTC whatever the machine's zone. Years outside 0-9999, which some file systems can hold, are written out.
  public var modifiedRFC3339: String {
    CalendarTime(secondsSince1970: modifiedSeconds).text(nanoseconds: Int(modifiedNanoseconds))
  }
}
