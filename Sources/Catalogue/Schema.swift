internal import CSQLite

/// Makes the tables of a catalogue and knows one that is not ours, or not of this version.
///
/// There is one version. A later one brings its steps here; what cannot be brought up to date is rebuilt from the manifest,
/// so that no migration needs to be clever.
enum Schema {
  /// "PHin": in the header of each of our files (https://www.sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x5048_696E
  static let version: Int64 = 1

  private static let tables = [
    // One row of the manifest, without its index, in the order in which photos were first read. `seal` guards it.
    """
    CREATE TABLE line(
      id INTEGER PRIMARY KEY, index_offset INTEGER NOT NULL, seal INTEGER NOT NULL, bytes BLOB NOT NULL)
    """,
    // What a row depends on beside the photo, each text once.
    "CREATE TABLE options(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",
    // Small, and in the order of the paths' bytes: a run reads it from end to end.
    """
    CREATE TABLE photo(
      path BLOB PRIMARY KEY NOT NULL, line INTEGER NOT NULL, status TEXT NOT NULL, error TEXT,
      options INTEGER NOT NULL, size INTEGER, modified_s INTEGER, modified_ns INTEGER, device INTEGER, inode INTEGER,
      changed_s INTEGER, changed_ns INTEGER, thumbnails INTEGER NOT NULL, thumbnail_bytes INTEGER NOT NULL,
      thumbnail_key INTEGER, captured TEXT,
      beside TEXT, seal INTEGER NOT NULL) WITHOUT ROWID
    """,
    "CREATE TABLE setting(key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID",
  ]

  /// Makes a new file ours, or holds an old one against what it should be. Returns whether it is new.
  static func prepare(_ connection: Connection) throws(CatalogueError) -> Bool {
    let application = try connection.integer("PRAGMA application_id")
    let version = try connection.integer("PRAGMA user_version")
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema")
    if application == 0, version == 0, tables == 0 {
      try connection.transaction { () throws(CatalogueError) in
        for table in Self.tables { try connection.run(table) }
        try connection.run("PRAGMA application_id=\(applicationID)")
        try connection.run("PRAGMA user_version=\(Self.version)")
      }
      return true
    }
    guard application == applicationID else {
      throw CatalogueError(.unusable, "the file is no catalogue of this program")
    }
    guard version == Self.version else {
      throw CatalogueError(.unusable, "the catalogue has version \(version), and this program knows \(Self.version)")
    }
    return false
  }
}
