internal import CIngestFiles
internal import Glibc

/// Says what went wrong while a file was copied and read back.
enum VerifiedCopyFault: Error {
  case source(SystemError)
  case target(SystemError)
  /// The source does not hold the content that was asked for.
  case changed
  /// The source does, the copy does not: the disk under it is at fault.
  case differs
}

extension Descriptor {
  /// Copies this file, makes the copy durable, reads it back and holds it against `sha256`.
  func copyVerified(to target: Descriptor, sha256: String) throws(VerifiedCopyFault) {
    do throws(CopyFault) {
      try copyContent(to: target)
    } catch {
      switch error {
      case .source(let error): throw .source(error)
      case .target(let error): throw .target(error)
      }
    }
    let isGood: Bool
    do throws(SystemError) {
      try target.takeTimesAndMode(of: status())
      try target.synchronize()
      target.forgetPages()
      isGood = try target.checksum()?.sha256 == sha256
    } catch {
      throw .target(error)
    }
    guard !isGood else { return }
    let now: String?
    do { now = try checksum()?.sha256 } catch { throw .source(error) }
    throw now == sha256 ? .differs : .changed
  }

  /// Whether the folder takes another spelling of a name for the same, and holds the file under that one.
  ///
  /// Asked only where two contents meet at one name.
  func foldsCase(at name: [UInt8], _ status: stat) throws(SystemError) -> Bool {
    let swapped = name.map { byte in
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      return isLetter ? byte ^ 0x20 : byte
    }
    guard swapped != name, let other = try? self.status(of: swapped[...]),
      FolderIdentity(other) == FolderIdentity(status)
    else { return false }
    return try !FolderEntries.names(in: self).contains(name)
  }

  /// Renames without ever taking a name that is there; the kernel refuses where it can, a look goes first where it cannot.
  func renameNew(
    _ name: ArraySlice<UInt8>, to folder: Descriptor, _ newName: ArraySlice<UInt8>
  ) throws(SystemError) {
    let result = unsafe cf_rename_new(number, nulTerminated(name), folder.number, nulTerminated(newName))
    switch result {
    case 0: return
    case EINVAL, ENOSYS:
      guard (try? folder.status(of: newName)) == nil else { throw SystemError(errno: EEXIST) }
      try rename(name, to: folder, newName)
    default: throw SystemError(errno: result)
    }
  }
}
