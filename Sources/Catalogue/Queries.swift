internal import IngestCore

/// Holds the prepared statements of a catalogue. Belongs to whoever guards its connection.
final class Queries {
  private static let columns = """
    path, line, status, error, options, size, modified_s, modified_ns, device, inode, changed_s, changed_ns, thumbnails,
    thumbnail_bytes, thumbnail_key, captured, beside, seal
    """

  private let connection: Connection
  private let page: Statement
  private let onePhoto: Statement
  private let upsert: Statement
  private let remove: Statement
  private let readLine: Statement
  private let insertLine: Statement
  private let updateLine: Statement
  private let removeLine: Statement
  private let findOptions: Statement
  private let insertOptions: Statement
  private let readSetting: Statement
  private let writeSetting: Statement
  private let removeSetting: Statement

  init(_ connection: Connection) throws(CatalogueError) {
    self.connection = connection
    page = try Statement(
      connection, "SELECT \(Self.columns) FROM photo WHERE path > ?1 ORDER BY path LIMIT ?2")
    onePhoto = try Statement(connection, "SELECT \(Self.columns) FROM photo WHERE path = ?1")
    let marks = (1...18).map { "?\($0)" }.joined(separator: ",")
    upsert = try Statement(connection, "INSERT OR REPLACE INTO photo(\(Self.columns)) VALUES(\(marks))")
    remove = try Statement(connection, "DELETE FROM photo WHERE path = ?1")
    readLine = try Statement(connection, "SELECT index_offset, seal, bytes FROM line WHERE id = ?1")
    insertLine = try Statement(
      connection, "INSERT INTO line(index_offset, seal, bytes) VALUES(?1, ?2, ?3) RETURNING id")
    updateLine = try Statement(connection, "UPDATE line SET index_offset = ?2, seal = ?3, bytes = ?4 WHERE id = ?1")
    removeLine = try Statement(connection, "DELETE FROM line WHERE id = ?1")
    findOptions = try Statement(connection, "SELECT id FROM options WHERE text = ?1")
    insertOptions = try Statement(connection, "INSERT INTO options(text) VALUES(?1) RETURNING id")
    readSetting = try Statement(connection, "SELECT value FROM setting WHERE key = ?1")
    writeSetting = try Statement(connection, "INSERT OR REPLACE INTO setting(key, value) VALUES(?1, ?2)")
    removeSetting = try Statement(connection, "DELETE FROM setting WHERE key = ?1")
  }

  // MARK: Photos

  func photos(after path: [UInt8]?, limit: Int) throws(CatalogueError) -> [KnownPhoto] {
    defer { page.reset() }
    // No path is empty, so every one is behind the empty blob.
    try page.bind([.blob(path ?? []), .integer(Int64(limit))])
    var photos: [KnownPhoto] = []
    photos.reserveCapacity(limit)
    var last = path ?? []
    while try page.step() {
      let photo = try photo(in: page)
      guard last.lexicographicallyPrecedes(photo.path) else { throw Queries.broken }
      last = photo.path
      photos.append(photo)
    }
    return photos
  }

  func photo(at path: [UInt8]) throws(CatalogueError) -> KnownPhoto? {
    defer { onePhoto.reset() }
    try onePhoto.bind([.blob(path)])
    return try onePhoto.step() ? try photo(in: onePhoto) : nil
  }

  private func photo(in row: Statement) throws(CatalogueError) -> KnownPhoto {
    guard let photo = Record.photo(in: row), Record(photo).seal == row.integer(17) else { throw Queries.broken }
    return photo
  }

  /// Stores a photo and its row; a row that is there already keeps its number, so that rows stay in their order.
  func store(_ photo: FreshPhoto, options: Int64) throws(CatalogueError) -> (KnownPhoto.LineID, Catalogue.Storing) {
    let known = try self.photo(at: photo.path)
    var storing = Catalogue.Storing.added
    let number: Int64
    if let known {
      number = known.line.number
      storing = try line(number) == photo.line ? .same : .changed
      if storing == .changed {
        try updateLine.run(
          .integer(number), .integer(Int64(photo.line.indexOffset)), .integer(photo.line.seal), .blob(photo.line.bytes))
      }
    } else {
      let given = try insertLine.first(
        .integer(Int64(photo.line.indexOffset)), .integer(photo.line.seal), .blob(photo.line.bytes)
      ) { $0.integer(0) }
      guard let given else { throw Queries.broken }
      number = given
    }
    let fresh = KnownPhoto(
      path: photo.path, line: KnownPhoto.LineID(number: number), status: photo.status, error: photo.error,
      options: KnownPhoto.OptionsID(number: options), stamp: photo.stamp, thumbnails: photo.thumbnails,
      thumbnailBytes: photo.thumbnailBytes, thumbnailKey: photo.thumbnailKey, captured: photo.captured,
      beside: photo.beside)
    if fresh != known { try write(fresh) }
    return (fresh.line, storing)
  }

  func write(_ photo: KnownPhoto) throws(CatalogueError) {
    try upsert.run(Record(photo).values)
  }

  func forget(_ path: [UInt8]) throws(CatalogueError) {
    guard let known = try photo(at: path) else { return }
    try remove.run(.blob(path))
    try removeLine.run(.integer(known.line.number))
  }

  // MARK: Rows, options, values

  func line(_ number: Int64) throws(CatalogueError) -> StoredLine {
    let found = try readLine.first(.integer(number)) { row in
      (line: StoredLine(bytes: row.bytes(2), indexOffset: Int(clamping: row.integer(0))), seal: row.integer(1))
    }
    guard let found, found.line.seal == found.seal, (0...found.line.bytes.count).contains(found.line.indexOffset)
    else { throw Queries.broken }
    return found.line
  }

  func number(ofOptions text: String) throws(CatalogueError) -> Int64 {
    if let number = try findOptions.first(.text(text), read: { $0.integer(0) }) { return number }
    guard let number = try insertOptions.first(.text(text), read: { $0.integer(0) }) else { throw Queries.broken }
    return number
  }

  func setting(_ key: String) throws(CatalogueError) -> String? {
    try readSetting.first(.text(key)) { $0.text(0) } ?? nil
  }

  func keep(_ key: String, _ value: String) throws(CatalogueError) {
    try writeSetting.run(.text(key), .text(value))
  }

  func forget(setting key: String) throws(CatalogueError) {
    try removeSetting.run(.text(key))
  }

  static let broken = CatalogueError(.unusable, "the catalogue holds something that was not stored so")
}

extension StoredLine {
  fileprivate var seal: Int64 {
    var seal = Seal()
    seal.add(bytes)
    seal.add(Int64(indexOffset))
    return seal.value
  }
}
