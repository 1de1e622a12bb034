internal import Glibc
internal import IngestCore

/// Keeps fetched originals for later runs in `DIR/.photo-ingest/fetched/`, and half fetched ones to go on with.
///
/// Safe from every thread, one thread for each key at a time; one run has the folder. A key is made of hex digits.
/// Under it lie the content (`KEY`), what is known of it (`KEY.facts`), and both again while it is fetched
/// (`KEY.part`, `KEY.part.facts`).
public final class FetchCache: Sendable {
  static let folderPath = ".photo-ingest/fetched"

  private let folder: SourceFolder
  private let use = Guarded(Use())

  private struct Use {
    /// The keys in use, with the bytes under each when its use began; they are not thrown away.
    var keys: [String: Int64] = [:]
    /// Of all files but for what the keys in use have gained; nil until somebody has counted.
    var total: Int64?
  }

  private init(_ folder: SourceFolder) {
    self.folder = folder
  }

  /// Opens the cache of an output folder; makes it where it is missing.
  public static func open(in output: OutputFolder) throws(FileError) -> FetchCache {
    let path = Array(folderPath.utf8)
    let descriptor = try output.folder(at: path[...], whenMissing: .make)
    do {
      let identity = FolderIdentity(try descriptor.status())
      return FetchCache(SourceFolder(path: path, identity: identity, descriptor: descriptor))
    } catch {
      throw error.about(path, "cannot be opened")
    }
  }

  // MARK: Whole originals

  /// What was noted of a whole original; nil when there is none.
  public func facts(of key: String) -> [UInt8]? { content(of: key + ".facts") }

  /// Bytes of a whole original; nil when there is none.
  public func size(of key: String) -> Int64? { size(named: key) }

  /// Opens a whole original for its one read.
  public func open(_ key: String) throws(FileError) -> SourceFile {
    // The oldest use goes first when there are too many.
    _ = unsafe utimensat(folder.descriptor.number, nulTerminated(Array(key.utf8)[...]), nil, AT_SYMLINK_NOFOLLOW)
    return try folder.open(RelativePath(key))
  }

  /// Throws away all that lies under a key, whole or half; what cannot be removed stays.
  public func remove(_ key: String) {
    for ending in ["", ".facts", ".part", ".part.facts"] {
      try? folder.descriptor.remove(Array((key + ending).utf8)[...])
    }
  }

  // MARK: Half ones

  /// What was noted of a half fetched original; nil when there is none.
  public func partFacts(of key: String) -> [UInt8]? {
    size(named: key + ".part") == nil ? nil : content(of: key + ".part.facts")
  }

  /// Bytes of a half fetched original; 0 when there is none.
  public func partSize(of key: String) -> Int64 { size(named: key + ".part") ?? 0 }

  /// Begins to fetch an original anew, whatever was there of an earlier try.
  public func beginPart(_ key: String, facts: [UInt8]) throws(FileError) -> FetchPart {
    try part(key) { () throws(SystemError) in
      // What is noted must never be of other bytes than those that lie there: after a kill neither counts alone.
      try? folder.descriptor.remove(Array((key + ".part").utf8)[...])
      try write(facts, named: key + ".part.facts")
      return try folder.descriptor.open(
        Array((key + ".part").utf8)[...], O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, mode: 0o666)
    }
  }

  /// Goes on with a half fetched original.
  public func continuePart(_ key: String) throws(FileError) -> FetchPart {
    try part(key) { () throws(SystemError) in
      try folder.descriptor.open(Array((key + ".part").utf8)[...], O_WRONLY | O_APPEND | O_NOFOLLOW)
    }
  }

  /// Throws a half fetched original away with its facts; the whole one stays.
  public func removePart(_ key: String) {
    for ending in [".part", ".part.facts"] { try? folder.descriptor.remove(Array((key + ending).utf8)[...]) }
  }

  /// Makes a half fetched original the whole one.
  public func commitPart(_ key: String) throws(FileError) {
    let name = Array(key.utf8)
    do throws(SystemError) {
      // In this order a kill or a power loss leaves at worst a content without facts, which counts for nothing: facts
      // stand only over bytes that have reached the disk under their name.
      let part = Array((key + ".part").utf8)
      try folder.descriptor.open(part[...], O_RDONLY | O_NOFOLLOW).synchronize()
      for old in [key + ".facts", key] { try? folder.descriptor.remove(Array(old.utf8)[...]) }
      try folder.descriptor.rename(part[...], to: folder.descriptor, name[...])
      try folder.descriptor.open([UInt8(ascii: ".")], O_RDONLY | O_DIRECTORY).synchronize()
      try folder.descriptor.rename(
        Array((key + ".part.facts").utf8)[...], to: folder.descriptor, Array((key + ".facts").utf8)[...])
    } catch {
      throw error.about(folder.path + Array("/\(key)".utf8), "cannot be written")
    }
  }

  // MARK: Bounds

  /// Says that a key is in use until `release`: it is not thrown away meanwhile.
  public func hold(_ key: String) {
    // Counted under the guard: nobody throws it away between the count and the use.
    use.withLock { $0.keys[key] = bytes(under: key) }
  }

  /// Ends a use. When all files together have more than `limit` bytes then, the originals that were used longest ago are
  /// thrown away, a tenth more than must be: looking at them all is not worth one photo.
  public func release(_ key: String, limit: Int64) {
    let bytes = bytes(under: key)
    let total = use.withLock { use in
      let before = use.keys.removeValue(forKey: key) ?? bytes
      if let total = use.total { use.total = total + bytes - before }
      return use.total
    }
    if let total, total <= limit { return }
    let left = trim(above: limit, to: limit - limit / 10)
    use.withLock { $0.total = left }
  }

  private func bytes(under key: String) -> Int64 {
    ["", ".facts", ".part", ".part.facts"].reduce(0) { $0 + (size(named: key + $1) ?? 0) }
  }

  private struct Entry {
    var key: String
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  /// Returns the bytes that stay.
  private func trim(above limit: Int64, to goal: Int64) -> Int64 {
    var entries: [String: Entry] = [:]
    var total: Int64 = 0
    for name in (try? FolderEntries.names(in: folder.descriptor)) ?? [] {
      guard let status = try? folder.descriptor.status(of: name[...]), status.isRegular else { continue }
      let key = String(decoding: name.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
      let size = Int64(status.st_size)
      total += size
      var entry = entries[key] ?? Entry(key: key, size: 0, seconds: 0, nanoseconds: 0)
      entry.size += size
      if (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) > (entry.seconds, entry.nanoseconds) {
        (entry.seconds, entry.nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      }
      entries[key] = entry
    }
    guard total > limit else { return total }
    let oldest = entries.values.sorted {
      ($0.seconds, $0.nanoseconds, $0.key) < ($1.seconds, $1.nanoseconds, $1.key)
    }
    for entry in oldest where total > goal {
      // Looked at and thrown away under one guard: a use that begins meanwhile waits, and finds nothing.
      let isGone = use.withLock { use in
        guard use.keys[entry.key] == nil else { return false }
        remove(entry.key)
        return true
      }
      if isGone { total -= entry.size }
    }
    return total
  }

  // MARK: Files

  private func part(
    _ key: String, _ open: () throws(SystemError) -> Descriptor
  ) throws(FileError) -> FetchPart {
    let path = folder.path + Array("/\(key).part".utf8)
    do throws(SystemError) {
      let descriptor = try open()
      return FetchPart(path: path, descriptor: descriptor, size: Int64(try descriptor.status().st_size))
    } catch {
      throw error.about(path, "cannot be written")
    }
  }

  private func write(_ bytes: [UInt8], named name: String) throws(SystemError) {
    let file = try TemporaryFile.make(in: folder.descriptor)
    try file.descriptor.write(bytes[...])
    try file.rename(to: folder.descriptor, Array(name.utf8)[...])
  }

  private func size(named name: String) -> Int64? {
    guard let status = try? folder.descriptor.status(of: Array(name.utf8)[...]), status.isRegular else { return nil }
    return Int64(status.st_size)
  }

  private func content(of name: String) -> [UInt8]? {
    guard let file = try? folder.open(RelativePath(name)), file.identity.size <= 64 << 10 else { return nil }
    let bytes = file.nextPiece()
    return file.error == nil ? bytes : nil
  }
}

/// Takes the bytes of an original while they come. Belongs to one owner at a time.
public final class FetchPart: Sendable {
  private let path: [UInt8]
  private let descriptor: Descriptor
  private let count: Guarded<Int64>

  init(path: [UInt8], descriptor: Descriptor, size: Int64) {
    self.path = path
    self.descriptor = descriptor
    count = Guarded(size)
  }

  /// Bytes so far, those of earlier tries included.
  public var size: Int64 { count.withLock { $0 } }

  /// Writes the next bytes behind those that are there; they are safe from a power loss only after `commitPart`.
  public func append(_ bytes: [UInt8]) throws(FileError) {
    do {
      try descriptor.write(bytes[...])
    } catch {
      throw error.about(path, "cannot be written")
    }
    count.withLock { $0 += Int64(bytes.count) }
  }
}
