import IngestCore

/// Remembers what earlier runs have learned of each photo, in one SQLite file.
///
/// Keyed by the bytes of the path. Safe from every thread; one program at a time (see `Connection.open`). Each photo that
/// is stored is committed at once, so that work done before a kill is not done again. After an error that is not `full`
/// the file is not to be trusted: put it aside and rebuild it.
public final class Catalogue: Sendable {
  /// Whether the file was made, or had nothing in it.
  public let isNew: Bool
  private let state: Guarded<State>

  /// All that the lock guards: SQLite is opened without locks of its own.
  private struct State {
    let connection: Connection
    let queries: Queries
    /// Texts of options whose numbers are known.
    var options: [String: Int64] = [:]

    mutating func number(ofOptions text: String) throws(CatalogueError) -> Int64 {
      if let number = options[text] { return number }
      let number = try queries.number(ofOptions: text)
      options[text] = number
      return number
    }

    mutating func store(_ photo: FreshPhoto) throws(CatalogueError) -> (KnownPhoto.LineID, Storing) {
      let number = try number(ofOptions: photo.options)
      return try queries.store(photo, options: number)
    }
  }

  /// Opens the catalogue in a file, made when missing.
  ///
  /// - Parameter patience: how long a file that another program holds is waited for.
  public static func open(_ path: String, patience: Duration = .seconds(2)) throws(CatalogueError) -> Catalogue {
    let (seconds, attoseconds) = patience.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let connection = try Connection.open(path, patience: Int32(clamping: milliseconds))
    let isNew = try Schema.prepare(connection)
    return Catalogue(isNew: isNew, State(connection: connection, queries: try Queries(connection)))
  }

  private init(isNew: Bool, _ state: consuming sending State) {
    self.isNew = isNew
    self.state = Guarded(state)
  }

  // MARK: Reading

  /// How many photos are known.
  public func count() throws(CatalogueError) -> Int {
    try state.withLock { state throws(CatalogueError) in
      Int(clamping: try state.connection.integer("SELECT count(*) FROM photo"))
    }
  }

  /// The next photos behind a path in the order of the paths' bytes; none at the end.
  ///
  /// A photo whose seal is broken, or that stands where it should not, is an error.
  public func photos(after path: [UInt8]?, limit: Int = 1024) throws(CatalogueError) -> [KnownPhoto] {
    try state.withLock { state throws(CatalogueError) in
      try state.queries.photos(after: path, limit: limit)
    }
  }

  /// What is known of one photo.
  public func photo(at path: [UInt8]) throws(CatalogueError) -> KnownPhoto? {
    try state.withLock { state throws(CatalogueError) in try state.queries.photo(at: path) }
  }

  /// A row by its name, held against its seal.
  public func line(_ id: KnownPhoto.LineID) throws(CatalogueError) -> StoredLine {
    try state.withLock { state throws(CatalogueError) in try state.queries.line(id.number) }
  }

  /// The name of a set of options, the same for the same text; made when it is new.
  public func options(_ text: String) throws(CatalogueError) -> KnownPhoto.OptionsID {
    try state.withLock { state throws(CatalogueError) in
      KnownPhoto.OptionsID(number: try state.number(ofOptions: text))
    }
  }

  /// A value that was kept under a key.
  public func setting(_ key: String) throws(CatalogueError) -> String? {
    try state.withLock { state throws(CatalogueError) in try state.queries.setting(key) }
  }

  // MARK: Writing

  /// What became of a row that was stored.
  public enum Storing: Sendable, Hashable {
    /// The row has these bytes already.
    case same
    case changed
    /// The photo was not known.
    case added
  }

  /// Remembers a photo and commits it. Its outputs must be durable by then.
  ///
  /// - Parameter key: a value that was made from the rows; it is forgotten with a row that is no longer the same.
  @discardableResult
  public func store(
    _ photo: FreshPhoto, dropping key: String? = nil
  ) throws(CatalogueError) -> (line: KnownPhoto.LineID, storing: Storing) {
    try state.withLock { state throws(CatalogueError) in
      let connection = state.connection
      return try connection.transaction { () throws(CatalogueError) in
        let (line, storing) = try state.store(photo)
        if let key, storing != .same { try state.queries.forget(setting: key) }
        return (line, storing)
      }
    }
  }

  /// Remembers many photos in one go.
  public func store(_ photos: [FreshPhoto]) throws(CatalogueError) {
    try state.withLock { state throws(CatalogueError) in
      let connection = state.connection
      try connection.transaction { () throws(CatalogueError) in
        for photo in photos { _ = try state.store(photo) }
      }
    }
  }

  /// Remembers other states of photos whose rows stay as they are.
  public func update(_ photos: [KnownPhoto]) throws(CatalogueError) {
    try state.withLock { state throws(CatalogueError) in
      let connection = state.connection
      let queries = state.queries
      try connection.transaction { () throws(CatalogueError) in
        for photo in photos { try queries.write(photo) }
      }
    }
  }

  /// Forgets photos and keeps values, all or nothing.
  public func settle(forgetting paths: [[UInt8]], keeping settings: [String: String]) throws(CatalogueError) {
    try state.withLock { state throws(CatalogueError) in
      let connection = state.connection
      let queries = state.queries
      try connection.transaction { () throws(CatalogueError) in
        for path in paths { try queries.forget(path) }
        for (key, value) in settings where try queries.setting(key) != value { try queries.keep(key, value) }
      }
    }
  }
}
