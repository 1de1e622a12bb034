internal import CPublishing
internal import IngestCore

/// Holds one request on its way, through its redirections, and gathers its answer.
// Unchecked: made by whoever asks, then touched by the client's thread alone, to which the inbox hands it.
final class HTTPFlight: @unchecked Sendable {
  let number: Int
  private(set) var request: HTTPRequest
  var transfer: HTTPTransfer?
  private let done: HTTPEngine.Done
  private var followed = 0

  private var answer = HTTPAnswer(status: 0)
  private var headLength = 0
  private var isContinued = false
  private var isHeadTold = false

  /// So long may all heads of one answer be together.
  private static let headLimit = 1 << 18

  init(_ number: Int, _ request: HTTPRequest, _ done: @escaping HTTPEngine.Done) {
    self.number = number
    self.request = request
    self.done = done
  }

  /// The address up to its path.
  var server: String {
    let afterScheme = request.address.firstRange(of: "://")?.upperBound ?? request.address.startIndex
    let path = request.address[afterScheme...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
    return String(request.address[..<(path ?? request.address.endIndex)])
  }

  /// Whether it is worth asking, by "Expect: 100-continue", before the body goes out.
  var isLarge: Bool { (request.body?.count ?? 0) > 1 << 20 }

  func end(_ outcome: RequestOutcome<HTTPAnswer, HTTPFailure>) {
    done(outcome)
  }

  // MARK: What comes

  /// Takes one line of a head.
  func take(line: UnsafeRawBufferPointer) -> Bool {
    headLength += line.count
    guard headLength <= Self.headLimit else { return false }
    let text = unsafe String(decoding: line, as: UTF8.self)
    let trimmed = text.trimmedLine
    if trimmed.hasPrefix("HTTP/") {
      let status = trimmed.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      if (100..<200).contains(status) { isContinued = true }
      answer = HTTPAnswer(status: status)
    } else if let colon = trimmed.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let value = trimmed[trimmed.utf8.index(after: colon)...]
      answer.headers.append(HTTPHeader(String(trimmed[..<colon]), value.trimmedLine))
    }
    return true
  }

  /// Takes a piece of the body.
  func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    if let sink = request.sink, answer.isSuccess {
      guard tellHead(sink) else { return false }
      return sink.bytes(unsafe Array(bytes))
    }
    let room = max(0, request.answerLimit - answer.body.count)
    unsafe answer.body.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
    answer.isCut = bytes.count > room
    return !answer.isCut
  }

  private func tellHead(_ sink: HTTPSink) -> Bool {
    if isHeadTold { return true }
    isHeadTold = true
    var head = answer
    head.address = request.address
    return sink.head(head)
  }

  // MARK: How it ended

  /// Whether the server was asked by "Expect: 100-continue" and took the body without a word.
  func wasUnheeded(_ result: HTTPResult) -> Bool {
    result.end == .answered && !isContinued && answer.isSuccess && isLarge
  }

  func outcome(_ result: HTTPResult) -> RequestOutcome<HTTPAnswer, HTTPFailure> {
    var answer = answer
    answer.address = request.address
    let kind: HTTPFailure.Kind
    switch result.end {
    case .answered:
      if let sink = request.sink, answer.isSuccess, !tellHead(sink) {
        return .failure(.reported(HTTPFailure(.stopped, reason: "the answer was not wanted")))
      }
      return .success(answer)
    case .stopped:
      if answer.isCut { return .success(answer) }
      let reason = headLength > Self.headLimit ? "the head of the answer is too long" : "the answer was not wanted"
      return .failure(.reported(HTTPFailure(headLength > Self.headLimit ? .broken : .stopped, reason: reason)))
    case .contentChanged:
      return .failure(.reported(HTTPFailure(.contentChanged, reason: "the file changed while it was sent")))
    case .refused: kind = .refused
    case .notReached: kind = .notReached
    case .untrusted: kind = .untrusted
    case .timedOut: kind = .timedOut
    case .broken: kind = .broken
    }
    return .failure(.reported(HTTPFailure(kind, reason: result.reason)))
  }

  /// Turns the request into the one that a redirection asks for; false when there is none that may be followed.
  func follow(_ result: HTTPResult) -> Bool {
    guard result.end == .answered, followed < request.redirections, [301, 302, 303, 307, 308].contains(answer.status),
      let location = answer.header("Location"), let (address, isHome) = HTTPAddress.join(request.address, location)
    else { return false }
    let isReading = request.method == "GET" || request.method == "HEAD"
    guard isReading || (isHome && (answer.status == 307 || answer.status == 308)) else { return false }
    followed += 1
    request.address = address
    // A header of the user's own may be a credential, whatever its name.
    if !isHome { request.headers.removeAll { !Self.harmless.contains($0.name.lowercased()) } }
    answer = HTTPAnswer(status: 0)
    (headLength, isContinued, isHeadTold) = (0, false, false)
    return true
  }

  private static let harmless: Set<String> = [
    "accept", "accept-encoding", "accept-language", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "range",
  ]
}

extension StringProtocol {
  /// Without blanks, tabs and line ends around it.
  fileprivate var trimmedLine: String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
    let bytes = Array(utf8.drop(while: isBlank))
    guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(decoding: bytes[...last], as: UTF8.self)
  }
}
