internal import Glibc
public import IngestCore

/// Says where the folder is, and whether photos that were there still are.
extension SourceFolder {
  /// The path from the root, links kept as they were given; as given when this process cannot tell where it stands.
  public var absolutePath: [UInt8] {
    guard path.first != UInt8(ascii: "/") else { return path }
    var here = [CChar](repeating: 0, count: 64 << 10)
    guard unsafe getcwd(&here, here.count) != nil else { return path }
    let current = here.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    guard current.first == UInt8(ascii: "/") else { return path }
    return current + (current.count > 1 ? [UInt8(ascii: "/")] : []) + path
  }

  /// The path from the root without links and dots; nil when the system does not say.
  public var resolvedPath: [UInt8]? {
    guard let resolved = unsafe realpath(nulTerminated(path[...]), nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  /// What a name leads to now.
  public enum Presence: Sendable, Hashable {
    case there
    /// Nothing has the name.
    case gone
    /// The system would not say: no rights, a broken disk. The words follow the name.
    case hidden(reason: String)
  }

  /// Looks whether something has this name. Opens no file.
  public func presence(of path: RelativePath) -> Presence {
    do throws(FileError) {
      _ = try status(of: path)
      return .there
    } catch {
      if error.isVanished { return .gone }
      // Behind a link there is something, but it is none of ours.
      if error.errno == 0 { return .there }
      return .hidden(reason: error.reason)
    }
  }

  /// Whether a folder has this name now. It holds photos; it is none.
  public func isFolder(_ path: RelativePath) -> Bool {
    (try? status(of: path))?.isFolder == true
  }

  /// The state of a regular file below the folder, without opening it; nil when there is none.
  public func identity(of path: RelativePath) -> FileIdentity? {
    guard let status = try? status(of: path), status.isRegular else { return nil }
    return FileIdentity(status)
  }
}
