/// Holds what told one state of one file from every other when its row was made.
public struct FileStamp: Sendable, Hashable {
  /// Where the file was and when its entry last changed; nil in rows that come from a manifest, which says neither.
  public struct Place: Sendable, Hashable {
    public var device: UInt64
    public var inode: UInt64
    /// ctime: seconds since 1970, UTC, and nanoseconds.
    public var changedSeconds: Int64
    public var changedNanoseconds: Int32

    public init(device: UInt64, inode: UInt64, changedSeconds: Int64, changedNanoseconds: Int32) {
      self.device = device
      self.inode = inode
      self.changedSeconds = changedSeconds
      self.changedNanoseconds = changedNanoseconds
    }
  }

  /// Bytes.
  public var size: UInt64
  /// mtime: seconds since 1970, UTC, and nanoseconds.
  public var modifiedSeconds: Int64
  public var modifiedNanoseconds: Int32
  public var place: Place?

  public init(size: UInt64, modifiedSeconds: Int64, modifiedNanoseconds: Int32, place: Place?) {
    self.size = size
    self.modifiedSeconds = modifiedSeconds
    self.modifiedNanoseconds = modifiedNanoseconds
    self.place = place
  }
}
