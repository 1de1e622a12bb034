internal import CSQLite
internal import Glibc

/// Is SQLite's own way to files, but with names taken as they are.
///
/// SQLite follows every link of a path before it opens a file and takes no path above 512 bytes. A run knows its folder
/// by descriptor, as `/proc/self/fd/7`, wherever it lies; SQLite still refuses a link in the place of the file itself.
enum PlainPaths {
  private static let name = "photo-ingest-plain-paths"

  /// The name to open a database by; nil, for SQLite's own way, when it cannot be had.
  static let registered: String? = {
    guard let unix = unsafe sqlite3_vfs_find("unix") else { return nil }
    // Both live as long as the process: SQLite keeps the addresses.
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    unsafe system.initialize(to: unix.pointee)
    unsafe system.pointee.zName = UnsafePointer(strdup(name))
    unsafe system.pointee.xFullPathname = { _, path, room, result in
      guard let path = unsafe path, let result = unsafe result else { return SQLITE_CANTOPEN }
      let length = unsafe strlen(path)
      guard length < Int(room) else { return SQLITE_CANTOPEN }
      unsafe memcpy(result, path, length + 1)
      return SQLITE_OK
    }
    return unsafe sqlite3_vfs_register(system, 0) == SQLITE_OK ? name : nil
  }()
}
