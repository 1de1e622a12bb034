import Catalogue
import IngestFiles

extension FileStamp {
  init(_ identity: FileIdentity) {
    self.init(
      size: identity.size, modifiedSeconds: identity.modifiedSeconds, modifiedNanoseconds: identity.modifiedNanoseconds,
      place: Place(
        device: identity.device, inode: identity.inode, changedSeconds: identity.changedSeconds,
        changedNanoseconds: identity.changedNanoseconds))
  }

  /// What is different in the file now; nil when nothing is.
  ///
  /// A changed ctime alone counts: it is the only witness of content that was exchanged with its size and mtime kept.
  /// A stamp without a place comes from a manifest, and its size and mtime must do.
  func change(to identity: FileIdentity) -> ReadReason? {
    if size != identity.size { return .size }
    if let place, place.device != identity.device || place.inode != identity.inode { return .replaced }
    if modifiedSeconds != identity.modifiedSeconds || modifiedNanoseconds != identity.modifiedNanoseconds {
      return .modified
    }
    if let place,
      place.changedSeconds != identity.changedSeconds || place.changedNanoseconds != identity.changedNanoseconds
    {
      return .modified
    }
    return nil
  }
}
