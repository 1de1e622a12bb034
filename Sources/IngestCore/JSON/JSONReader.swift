/// Reads one JSON text (RFC 8259) from bytes, strictly, and never traps on any bytes.
///
/// Stricter than the standard where it leaves a choice: a key that stands twice in one object is an error (readers
/// disagree on which one counts), so are a byte order mark, bytes that are not UTF-8, half of a surrogate pair and a
/// number that no `Double` can hold.
public struct JSONReader: Sendable {
  public struct Options: Sendable, Hashable {
    /// Whether `//` and `/* */` comments and a comma before `]` or `}` are allowed, for files that people write.
    public var isRelaxed: Bool
    /// How deep arrays and objects may stand in each other. The reader recurses, so this bounds its stack.
    public var maximumDepth: Int

    public init(isRelaxed: Bool = false, maximumDepth: Int = 128) {
      self.isRelaxed = isRelaxed
      self.maximumDepth = maximumDepth
    }

    /// RFC 8259 to the letter.
    public static let strict = Options()
    /// With comments and trailing commas: a configuration file.
    public static let configuration = Options(isRelaxed: true)
  }

  public let options: Options

  public init(_ options: Options = .strict) {
    self.options = options
  }

  /// Reads the one value that `bytes` hold, with nothing but white space around it.
  public func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(bytes: bytes, options: options)
    return try parser.document()
  }
}

/// Walks over the bytes of one JSON text.
struct JSONParser {
  let bytes: [UInt8]
  let options: JSONReader.Options
  /// The next byte to look at, 0 through `bytes.count`.
  var offset = 0

  mutating func document() throws(JSONSyntaxError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw failure("the text begins with a byte order mark, which JSON does not allow")
    }
    try skipBlanks()
    let value = try value(depth: 0)
    try skipBlanks()
    guard offset == bytes.count else { throw failure("something follows the end of the JSON value") }
    return value
  }

  /// The next byte, or nil at the end.
  var next: UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  /// Steps over `byte` if it is next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  func failure(_ message: String, at place: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(message, at: place ?? offset, in: bytes)
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    guard let byte = next else { throw failure("the text ends where a value is expected") }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw failure("a value is expected here")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    let text = word.description
    guard bytes[offset...].starts(with: text.utf8) else { throw failure("a value is expected here") }
    offset += text.utf8.count
    return value
  }

  private func checkDepth(_ depth: Int) throws(JSONSyntaxError) {
    guard depth <= options.maximumDepth else {
      throw failure("arrays and objects stand in each other more than \(options.maximumDepth) deep")
    }
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    try checkDepth(depth)
    let start = offset
    offset += 1
    var elements: [JSONValue] = []
    try skipBlanks()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value(depth: depth))
      try skipBlanks()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else {
        throw next == nil
          ? failure("an array is not closed", at: start) : failure("a comma or ] is expected here")
      }
      try skipBlanks()
      if options.isRelaxed, take(UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    try checkDepth(depth)
    let start = offset
    offset += 1
    var members: [JSONMember] = []
    var keys = KeysSeen()
    try skipBlanks()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      let keyOffset = offset
      guard next == UInt8(ascii: "\"") else {
        throw next == nil
          ? failure("an object is not closed", at: start) : failure("a key in double quotes is expected here")
      }
      let key = try string()
      guard keys.insert(key, after: members) else {
        throw failure("the key \"\(key)\" stands twice in one object", at: keyOffset)
      }
      try skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw failure("a colon is expected after the key") }
      try skipBlanks()
      members.append(JSONMember(key, try value(depth: depth), keyOffset: keyOffset))
      try skipBlanks()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else {
        throw next == nil
          ? failure("an object is not closed", at: start) : failure("a comma or } is expected here")
      }
      try skipBlanks()
      if options.isRelaxed, take(UInt8(ascii: "}")) { return .object(members) }
    }
  }

  /// Steps over white space and, in a relaxed text, comments.
  private mutating func skipBlanks() throws(JSONSyntaxError) {
    while let byte = next {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "/") where options.isRelaxed: try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(JSONSyntaxError) {
    let start = offset
    offset += 1
    if take(UInt8(ascii: "/")) {
      while let byte = next, byte != UInt8(ascii: "\n") { offset += 1 }
    } else if take(UInt8(ascii: "*")) {
      while offset < bytes.count {
        if take(UInt8(ascii: "*")) {
          if take(UInt8(ascii: "/")) { return }
        } else {
          offset += 1
        }
      }
      throw failure("a comment is not closed", at: start)
    } else {
      throw failure("a comment begins with // or /*", at: start)
    }
  }
}

/// Finds a key that stands twice in one object, by bytes.
///
/// As long as the keys ascend, as they do in a manifest, none can be there twice and nothing is stored.
private struct KeysSeen {
  private var seen: Set<[UInt8]>?

  mutating func insert(_ key: String, after members: [JSONMember]) -> Bool {
    if seen == nil {
      guard let last = members.last, !last.key.utf8.lexicographicallyPrecedes(key.utf8) else { return true }
      seen = Set(members.map { Array($0.key.utf8) })
    }
    return seen?.insert(Array(key.utf8)).inserted ?? true
  }
}
