internal import Glibc
internal import Synchronization

/// Holds a symbolic link under a name of ours until it is renamed into place, and removes it on every other way out.
///
/// Belongs to one owner. What a killed run leaves behind is swept with its temporary files.
final class TemporaryLink {
  private static let counter = Atomic<UInt64>(0)
  private let folder: Descriptor
  private let name: [UInt8]
  private var hasName = true

  init(to target: [UInt8], in folder: Descriptor) throws(SystemError) {
    self.folder = folder
    while true {
      let number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
      let name = TemporaryFile.prefix + Array("link-\(getpid())-\(number)".utf8) + TemporaryFile.suffix
      if unsafe symlinkat(nulTerminated(target[...]), folder.number, nulTerminated(name[...])) == 0 {
        self.name = name
        return
      }
      guard errno == EEXIST else { throw SystemError.last }
    }
  }

  deinit {
    if hasName { try? folder.remove(name[...]) }
  }

  func rename(to target: Descriptor, _ finalName: ArraySlice<UInt8>) throws(SystemError) {
    try folder.rename(name[...], to: target, finalName)
    hasName = false
  }
}
