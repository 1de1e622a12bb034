internal import Glibc
public import IngestCore

extension SourceFolder {
  /// Shows every file below the folder to `body`, links and the like too, in no particular order; folders are entered
  /// unless they are links.
  ///
  /// System litter (`.DS_Store`, `Thumbs.db` and the like) is not shown. Returns the folders that could not be read.
  public func listFiles(
    isCancelled: () -> Bool = { false }, _ body: @escaping @Sendable (RelativePath) -> Void
  ) -> [UnreadFolder] {
    let options = ScanOptions(
      includesHidden: true, photoExtensions: [],
      accepts: { path in
        body(path)
        return false
      })
    return scan(options, isCancelled: isCancelled).unreadFolders
  }

  /// The names in the folder that holds `path`, in no particular order.
  public func namesBeside(_ path: RelativePath) throws(FileError) -> [[UInt8]] {
    do throws(SystemError) {
      let parent = RelativePath(Array(path.bytes[..<max(0, path.name.startIndex - 1)]))
      let folder = try folder(at: parent).open([UInt8(ascii: ".")], O_RDONLY | O_DIRECTORY)
      return try FolderEntries.names(in: folder)
    } catch {
      throw error.about(path.bytes, "has a folder that cannot be read")
    }
  }

  /// Where the link at a path leads, by its bytes; nil when there is no link but something else.
  public func linkTarget(of path: RelativePath) throws(FileError) -> [UInt8]? {
    guard try status(of: path).isLink else { return nil }
    do throws(SystemError) {
      let parent = RelativePath(Array(path.bytes[..<max(0, path.name.startIndex - 1)]))
      return try folder(at: parent).target(ofLink: path.name)
    } catch {
      throw error.about(path.bytes, "cannot be read")
    }
  }

  /// The size of the regular file at a path, nothing opened; nil for anything else, and where there is nothing.
  public func size(of path: RelativePath) -> UInt64? {
    guard let status = try? status(of: path), status.isRegular else { return nil }
    return UInt64(max(0, status.st_size))
  }
}

extension SourceFile {
  /// The SHA-256 of the whole file in lower-case hex, wherever reading stands. Nil when `isCancelled` said so.
  public func wholeChecksum(isCancelled: () -> Bool = { false }) throws(FileError) -> String? {
    do {
      return try descriptor.checksum(isCancelled: isCancelled)?.sha256
    } catch {
      throw error.about(path.bytes, "cannot be read")
    }
  }
}

extension SourceFile {
  /// The next bytes, through the checksum; none at the end and after an `error`.
  public func nextPiece() -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe piece.withUnsafeMutableBytes { unsafe readNext(into: $0) }
    piece.removeLast(piece.count - count)
    return piece
  }

  /// The bytes at the end of the file, at most this many, read past the checksum.
  public func lastBytes(_ count: Int) throws(FileError) -> [UInt8] {
    do {
      let size = UInt64(max(0, try descriptor.status().st_size))
      return try descriptor.bytes(at: size - min(size, UInt64(count)), count: count)
    } catch {
      throw error.about(path.bytes, "cannot be read")
    }
  }
}
