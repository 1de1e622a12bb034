internal import CSQLite

/// Is one prepared statement: bind, step, read columns, and begin anew. Belongs to its connection.
@safe final class Statement {
  private let handle: OpaquePointer
  private let connection: Connection

  init(_ connection: Connection, _ text: String) throws(CatalogueError) {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle = unsafe handle else { throw connection.failure(code) }
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  // MARK: Values in, counted from 1

  func bind(_ values: [SQLValue]) throws(CatalogueError) {
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      let code: Int32 =
        switch value {
        case .null: unsafe sqlite3_bind_null(handle, place)
        case .integer(let number): unsafe sqlite3_bind_int64(handle, place, number)
        case .text(let text): bindCopy(Array(text.utf8), place, isText: true)
        case .blob(let bytes): bindCopy(bytes, place, isText: false)
        }
      guard code == SQLITE_OK else { throw connection.failure(code) }
    }
  }

  private func bindCopy(_ bytes: [UInt8], _ place: Int32, isText: Bool) -> Int32 {
    // SQLITE_TRANSIENT, which Swift does not see: SQLite makes its own copy.
    let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    return unsafe bytes.withUnsafeBytes { buffer in
      // An empty array may have no address, and SQLite would take that for NULL.
      guard let base = buffer.baseAddress, buffer.count > 0 else {
        return isText
          ? unsafe sqlite3_bind_text(handle, place, "", 0, copies) : unsafe sqlite3_bind_zeroblob(handle, place, 0)
      }
      let count = Int32(clamping: buffer.count)
      return isText
        ? unsafe sqlite3_bind_text(handle, place, base.assumingMemoryBound(to: CChar.self), count, copies)
        : unsafe sqlite3_bind_blob(handle, place, base, count, copies)
    }
  }

  // MARK: Rows out

  /// Moves to the next row; false behind the last one.
  func step() throws(CatalogueError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.failure(code)
    }
  }

  /// Lets the rows go and forgets the values. What a failed step had to say was thrown there.
  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  /// Runs a statement whose rows nobody needs.
  func run(_ values: SQLValue...) throws(CatalogueError) {
    try run(values)
  }

  /// Runs a statement whose rows nobody needs.
  func run(_ values: [SQLValue]) throws(CatalogueError) {
    defer { reset() }
    try bind(values)
    while try step() {}
  }

  /// Runs a statement and makes something of its first row; nil when it gives none.
  func first<Value>(_ values: SQLValue..., read: (Statement) -> Value) throws(CatalogueError) -> Value? {
    defer { reset() }
    try bind(values)
    return try step() ? read(self) : nil
  }

  // MARK: Columns, counted from 0

  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// The bytes of a blob or text; none for NULL.
  func bytes(_ column: Int32) -> [UInt8] {
    // The order matters: the count is that of the last conversion.
    guard let base = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: base, count: max(0, count)))
  }

  func text(_ column: Int32) -> String? {
    isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self)
  }
}

/// Is a value on its way into a statement.
enum SQLValue {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  init(_ number: Int64?) {
    self = number.map(SQLValue.integer) ?? .null
  }

  init(_ text: String?) {
    self = text.map(SQLValue.text) ?? .null
  }
}
