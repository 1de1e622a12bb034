import IngestCore
import IngestFiles
import Publishing

/// Takes one answer of a server into the cache while it comes. Its two takers run on the thread of the HTTP client.
final class FetchAttempt: Sendable {
  /// Says why the answer was not taken.
  enum Refusal: Sendable {
    case tooLarge(String)
    /// A redirection led to where everybody on the way can read.
    case exposed
    /// The server sent another part than was asked for.
    case otherRange
    case disk(FileError)
  }

  private struct State {
    var part: FetchPart?
    var total: Int64?
    var refusal: Refusal?
  }

  private let cache: FetchCache
  private let key: String
  /// Bytes that lie there already and whose rest was asked for; 0 when all of it was.
  private let offset: Int64
  /// What an earlier answer said of the whole original.
  private let earlier: FetchFacts?
  private let limits: FetchLimits
  private let progress: ProgressHandler?
  private let state = Guarded(State())

  init(
    _ cache: FetchCache, key: String, offset: Int64, earlier: FetchFacts?, limits: FetchLimits,
    progress: ProgressHandler?
  ) {
    self.cache = cache
    self.key = key
    self.offset = offset
    self.earlier = earlier
    self.limits = limits
    self.progress = progress
  }

  var refusal: Refusal? { state.withLock { $0.refusal } }
  /// Bytes of the whole original, as far as the server said.
  var total: Int64? { state.withLock { $0.total } }
  /// Bytes that have come, those of earlier tries included; nil when no content came.
  var size: Int64? { state.withLock { $0.part }?.size }

  /// Looks at the head of an answer with content; false ends the transfer.
  func head(_ answer: HTTPAnswer) -> Bool {
    if !limits.allowsHTTP, Self.isExposed(answer.address) { return refuse(.exposed) }
    do throws(FileError) {
      switch answer.status {
      case 200:
        let length = answer.header("content-length").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
        if let length, length > limits.maxBytes { return refuse(.tooLarge("\(length)")) }
        let facts = FetchFacts(
          etag: answer.header("etag"), lastModified: answer.header("last-modified"), bytes: length)
        let part = try cache.beginPart(key, facts: facts.json)
        state.withLock { ($0.part, $0.total) = (part, length) }
      case 206:
        guard offset > 0, let range = Self.range(answer.header("content-range")), range.start == offset else {
          return refuse(.otherRange)
        }
        guard earlier?.isOfSameVersion(answer) != false else { return refuse(.otherRange) }
        let total = range.total ?? earlier?.bytes
        if let total, let whole = earlier?.bytes, total != whole { return refuse(.otherRange) }
        if let total, total > limits.maxBytes { return refuse(.tooLarge("\(total)")) }
        let part = try cache.continuePart(key)
        guard part.size == offset else { return refuse(.otherRange) }
        state.withLock { ($0.part, $0.total) = (part, total) }
      default: break
      }
      return true
    } catch {
      return refuse(.disk(error))
    }
  }

  /// Takes the next bytes; false ends the transfer.
  func bytes(_ bytes: [UInt8]) -> Bool {
    let (part, total) = state.withLock { ($0.part, $0.total) }
    guard let part else { return true }
    if part.size + Int64(bytes.count) > limits.maxBytes { return refuse(.tooLarge("more than \(limits.maxBytes)")) }
    do {
      try part.append(bytes)
    } catch {
      return refuse(.disk(error))
    }
    if let progress, let total, total > 0 { progress(min(1, Double(part.size) / Double(total))) }
    return true
  }

  /// Whether an answer came from where others on the way can read; what cannot be parsed must at least be https.
  static func isExposed(_ address: String) -> Bool {
    if let place = try? RemoteOriginal(entry: Array(address.utf8)) { return place.isExposed }
    return !address.lowercased().hasPrefix("https://")
  }

  private func refuse(_ refusal: Refusal) -> Bool {
    state.withLock { $0.refusal = refusal }
    return false
  }

  /// Reads `bytes 100-199/200` or `bytes 100-199/*` (RFC 9110, 14.4).
  static func range(_ text: String?) -> (start: Int64, total: Int64?)? {
    guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    let ends = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, ends.count == 2, let start = Int64(ends[0]), let end = Int64(ends[1]), start >= 0,
      end >= start
    else { return nil }
    if parts[1] == "*" { return (start, nil) }
    guard let total = Int64(parts[1]), total > end else { return nil }
    return (start, total)
  }
}
