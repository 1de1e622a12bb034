/// Asks an HTTP server for something, once.
///
/// A value without I/O: `HTTPClient` sends it. Neither the address nor a header may hold a line end.
public struct HTTPRequest: Sendable {
  /// `GET`, `HEAD`, `PUT`, `POST` or another one, in capitals.
  public var method: String
  /// `https://...`, or `http://...` where that is allowed. May hold secrets; no error repeats it.
  public var address: String
  /// In the order in which they are sent. May hold secrets; no error repeats them.
  public var headers: [HTTPHeader] = []
  /// Nil: there is none, which for a POST is something else than an empty one.
  public var body: HTTPBody?
  /// Whether the address may be one that everybody on the way can read.
  public var allowsHTTP = false
  public var limits = HTTPLimits()
  /// How many redirections are followed; 0 makes a redirection the answer.
  ///
  /// Only those that cannot do harm: of GET and HEAD to wherever they lead, of other methods when the answer is 307 or
  /// 308 and the place is of the same scheme, host and port. To another origin go only the headers that any client
  /// sends. Any other redirection is the answer.
  public var redirections = 0
  /// How many bytes of the answer's body are kept; the transfer ends there.
  public var answerLimit = 1 << 20
  /// Takes the body of an answer that says 200 through 299 instead; that of another one is still kept.
  public var sink: HTTPSink?
  /// A file of certificates to trust instead of the system's.
  public var authorities: String?

  public init(_ method: String, _ address: String, headers: [HTTPHeader] = [], body: HTTPBody? = nil) {
    self.method = method
    self.address = address
    self.headers = headers
    self.body = body
  }

  /// What is wrong with the request before anybody is asked, in words that repeat nothing of it.
  var fault: String? {
    if address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
      return "the address holds a blank or a control character"
    }
    if method.isEmpty || !method.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
      return "the method is none"
    }
    let isSound = headers.allSatisfy { header in
      !header.name.isEmpty
        && header.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        && header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
    return isSound ? nil : "a header holds a character that none may hold"
  }
}

/// One line of the head of a request or an answer.
public struct HTTPHeader: Sendable, Hashable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Bounds how long one request may take.
public struct HTTPLimits: Sendable, Hashable {
  /// For the connection, the look-up of the name included.
  public var connect: Duration = .seconds(10)
  /// For everything together; nil: as long as it moves.
  public var total: Duration?
  /// How long it may move by less than 1,000 bytes a second, the wait for the answer included. In whole seconds.
  public var stall: Duration? = .seconds(30)

  public init() {}
}

/// Takes the body of an answer as it comes. Both are called on the client's thread and must return soon.
public struct HTTPSink: Sendable {
  /// Hears the head before the first bytes. False ends the transfer.
  public var head: @Sendable (_ answer: HTTPAnswer) -> Bool
  /// False ends the transfer.
  public var bytes: @Sendable (_ bytes: [UInt8]) -> Bool

  public init(
    head: @escaping @Sendable (HTTPAnswer) -> Bool = { _ in true }, bytes: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    self.head = head
    self.bytes = bytes
  }
}
