internal import Glibc
internal import Synchronization

/// Holds a file under a name of ours until it is renamed into place, and removes it on every other way out.
///
/// It is locked (flock) as long as it is open, and the lock dies with the process, also in a container or after
/// kill -9: a temporary file that nobody has locked is litter. Belongs to one owner.
final class TemporaryFile {
  static let prefix = Array(".photo-ingest-".utf8)
  static let suffix = Array(".tmp".utf8)
  private static let counter = Atomic<UInt64>(0)

  let descriptor: Descriptor
  private let folder: Descriptor
  private let name: [UInt8]
  private var hasName = true

  private init(folder: Descriptor, name: [UInt8], descriptor: Descriptor) {
    self.folder = folder
    self.name = name
    self.descriptor = descriptor
  }

  deinit {
    remove()
  }

  /// Makes a new empty file in a folder, never an existing one and never through a link. The umask applies.
  static func make(in folder: Descriptor) throws(SystemError) -> TemporaryFile {
    while true {
      let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
      let name = prefix + Array("\(getpid())-\(number)".utf8) + suffix
      do {
        let descriptor = try folder.open(name[...], O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
        let file = TemporaryFile(folder: folder, name: name, descriptor: descriptor)
        if try file.isOurs() { return file }
        file.hasName = false
      } catch  where error.errno == EEXIST {
        continue
      }
    }
  }

  /// Locks the file. False when a sweep of another run was faster and has taken it for litter.
  private func isOurs() throws(SystemError) -> Bool {
    // A file system without locks refuses with other numbers; nobody sweeps there.
    if flock(descriptor.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
    return try descriptor.status().st_nlink > 0
  }

  /// Gives the content its final name, over whatever has it. A link under that name is replaced, not followed.
  func rename(to target: Descriptor, _ finalName: ArraySlice<UInt8>) throws(SystemError) {
    try folder.rename(name[...], to: target, finalName)
    hasName = false
  }

  /// Takes the name away; the content lives on until the file is closed.
  func remove() {
    guard hasName else { return }
    try? folder.remove(name[...])
    hasName = false
  }

  /// Whether a name is one of ours.
  static func isName(_ name: [UInt8]) -> Bool {
    name.starts(with: prefix) && name.suffix(suffix.count) == suffix[...]
  }

  /// Removes the temporary files of dead runs from a folder; whatever cannot be looked at stays.
  static func sweep(_ folder: Descriptor) {
    for name in (try? FolderEntries.names(in: folder)) ?? [] where isName(name) {
      // A link cannot be locked; the run that made it is over, or this one would not have begun.
      if (try? folder.status(of: name[...]))?.isLink == true { try? folder.remove(name[...]) }
      guard let file = try? folder.open(name[...], O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
        let status = try? file.status(), status.isRegular,
        flock(file.number, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? folder.remove(name[...])
    }
  }
}
