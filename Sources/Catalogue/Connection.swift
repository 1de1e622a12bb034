internal import CSQLite

/// Is one open SQLite database that nobody else may use meanwhile. Belongs to whoever guards it.
@safe final class Connection {
  @unsafe let handle: OpaquePointer

  private init(owning handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  /// Opens a file, made when missing.
  ///
  /// The lock is exclusive: the run is the only writer anyway, and then SQLite needs neither shared memory nor locks
  /// between processes for its log, which network file systems do not have.
  ///
  /// - Parameter patience: how long a file that another program holds is waited for, in milliseconds.
  static func open(_ path: String, patience: Int32) throws(CatalogueError) -> Connection {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    let code = unsafe sqlite3_open_v2(path, &handle, flags, PlainPaths.registered)
    // A failed opening has a handle too, which holds the words.
    guard let handle = unsafe handle else { throw CatalogueError(.unreachable, code: code, "out of memory") }
    let connection = unsafe Connection(owning: handle)
    guard code == SQLITE_OK else { throw connection.failure(code) }
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, patience)
    try connection.run("PRAGMA locking_mode=EXCLUSIVE")
    try connection.run("PRAGMA journal_mode=WAL")
    // Durable at each checkpoint; a crash of the machine may cost the last photos' rows, never the file.
    try connection.run("PRAGMA synchronous=NORMAL")
    try connection.run("PRAGMA cache_size=-4096")
    try connection.run("PRAGMA temp_store=MEMORY")
    try connection.run("PRAGMA trusted_schema=OFF")
    return connection
  }

  /// Runs one statement without values.
  func run(_ text: String) throws(CatalogueError) {
    try Statement(self, text).run()
  }

  /// The whole number that a statement gives.
  func integer(_ text: String) throws(CatalogueError) -> Int64 {
    try Statement(self, text).first { $0.integer(0) } ?? 0
  }

  /// Does several things as one: all of them or, when one throws, none.
  func transaction<Value>(_ body: () throws(CatalogueError) -> Value) throws(CatalogueError) -> Value {
    try run("BEGIN IMMEDIATE")
    do throws(CatalogueError) {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      // SQLite may have rolled back by itself, as it does when the disk is full.
      if unsafe sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// The error of the call that has just failed.
  func failure(_ code: Int32) -> CatalogueError {
    let extended = unsafe sqlite3_extended_errcode(handle)
    let words = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "error \(code)"
    return CatalogueError(
      code: extended & 0xFF == code & 0xFF ? extended : code, systemError: unsafe sqlite3_system_errno(handle),
      message: words)
  }
}
