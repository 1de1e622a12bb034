import Foundation
import Glibc
import Testing

/// Remembers everything in a folder, to say later what has become of it.
struct FolderState: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    var mode: UInt32
    var content: [UInt8]
    var modified: [Int]
    var changed: [Int]
  }

  /// By the path's bytes; Strings would take two spellings of one name for the same.
  private(set) var entries: [[UInt8]: Entry] = [:]

  /// Looks at a folder and everything below it, the folder itself under an empty name; links are not followed.
  ///
  /// - Parameter leavingOut: names at the top that are not looked at.
  init(of folder: String, leavingOut: Set<String> = []) throws {
    try look(at: [], in: folder, Set(leavingOut.map { Array($0.utf8) }))
  }

  /// Of an output folder, without what is allowed to change from run to run.
  static func ofOutput(_ folder: String) throws -> FolderState {
    try FolderState(of: folder, leavingOut: [".photo-ingest"])
  }

  /// Readable names, in byte order.
  var names: [String] {
    entries.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Content alone, without times and modes; folders have none.
  var contents: [[UInt8]: [UInt8]] { entries.mapValues(\.content) }

  /// The content of regular files alone.
  var files: [[UInt8]: [UInt8]] { entries.filter { $0.value.mode & S_IFMT == S_IFREG }.mapValues(\.content) }

  /// Names whose entry is another one, or is only in one of the two.
  func differences(from other: FolderState) -> [String] {
    Set(entries.keys).union(other.entries.keys).filter { entries[$0] != other.entries[$0] }
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  private mutating func look(at name: [UInt8], in folder: String, _ leftOut: Set<[UInt8]>) throws {
    let path = Array(folder.utf8) + (name.isEmpty ? [] : [UInt8(ascii: "/")]) + name
    let cPath = path.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    try #require(unsafe lstat(cPath, &status) == 0)
    var entry = Entry(
      mode: status.st_mode, content: [], modified: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec],
      changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
    switch status.st_mode & S_IFMT {
    case S_IFREG: entry.content = try Self.content(cPath)
    case S_IFLNK:
      var target = [CChar](repeating: 0, count: 4096)
      let count = unsafe readlink(cPath, &target, target.count)
      entry.content = target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    case S_IFDIR:
      for child in try Self.names(cPath) where !(name.isEmpty && leftOut.contains(child)) {
        try look(at: name + (name.isEmpty ? [] : [UInt8(ascii: "/")]) + child, in: folder, leftOut)
      }
    default: break
    }
    entries[name] = entry
  }

  private static func names(_ path: [CChar]) throws -> [[UInt8]] {
    guard let stream = unsafe opendir(path) else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  private static func content(_ path: [CChar]) throws -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return Array(try handle.readToEnd() ?? Data())
  }
}
