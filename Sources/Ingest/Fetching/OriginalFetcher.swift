import Dispatch
import HostProcess
public import IngestCore
public import IngestFiles
import Publishing

/// Brings remote originals to this machine: from the cache where that is good enough, else from their servers.
///
/// Safe from every thread; each call blocks its own. One HTTP client serves all, and is made with the first request.
/// What was fetched stays in the cache of the output folder, bounded in bytes; what was fetched to the half is gone on
/// with, also by the next run.
public final class OriginalFetcher: Sendable {
  private static let tries = 4
  private static let redirections = 5

  private let originals: [RelativePath: RemoteOriginal]
  private let limits: FetchLimits
  private let cache: FetchCache
  /// Originals whose row is made anew for a reason of ours: a copy at hand is good enough, nobody is asked.
  private let trusted: Set<RelativePath>
  private let client = Guarded<HTTPClient?>(nil)

  /// Asks nobody yet.
  ///
  /// - Parameters:
  ///   - originals: those that may be asked for, by their paths, which are those of their assets.
  ///   - output: in whose `.photo-ingest/` the cache lies.
  ///   - trusted: paths whose copy in the cache is taken without asking its server.
  public init(
    _ originals: [RelativePath: RemoteOriginal], limits: FetchLimits = FetchLimits(), output: OutputFolder,
    trusted: Set<RelativePath> = []
  ) throws(FileError) {
    self.originals = originals
    self.limits = limits
    cache = try FetchCache.open(in: output)
    self.trusted = trusted
  }

  /// Opens an original, fetched first where it must be. What is `here` must be given back by `release`.
  ///
  /// Blocks the calling thread, no longer than the time limit for one original.
  func obtain(
    _ path: RelativePath, isNetworkAllowed: Bool, progress: ProgressHandler?, isCancelled: () -> Bool
  ) -> FetchEnding {
    guard let original = originals[path] else {
      return .failed(LoadFailure(.fetchFailed, "nobody said where the original is"))
    }
    let key = Self.key(path)
    cache.hold(key)
    let ending = obtain(original, key, isNetworkAllowed, progress, isCancelled)
    if case .here = ending { return ending }
    release(path)
    return ending
  }

  /// Lets the cache throw an original away when it has too many bytes.
  func release(_ path: RelativePath) {
    cache.release(Self.key(path), limit: limits.cacheBytes)
  }

  /// Of the path, not of the address: a signed query is another one each night.
  private static func key(_ path: RelativePath) -> String { SHA256Digest.hex(of: path.bytes) }

  private func obtain(
    _ original: RemoteOriginal, _ key: String, _ isNetworkAllowed: Bool, _ progress: ProgressHandler?,
    _ isCancelled: () -> Bool
  ) -> FetchEnding {
    let known = wholeFacts(key).flatMap { isExpected(original, key) ? $0 : nil }
    if let known, trusted.contains(original.path) || !isNetworkAllowed {
      return opened(key, known)
    }
    guard isNetworkAllowed else {
      return .failed(LoadFailure(.networkOff, "the original is remote and network access is off"))
    }
    guard !original.isExposed || limits.allowsHTTP else {
      return failed("an http address of another machine needs --allow-http")
    }
    return fetch(original, key, known, progress, isCancelled)
  }

  private func wholeFacts(_ key: String) -> FetchFacts? {
    guard let size = cache.size(of: key), let facts = cache.facts(of: key).flatMap({ FetchFacts($0) }),
      facts.bytes == nil || facts.bytes == size
    else { return nil }
    return facts
  }

  // MARK: Asking

  private func fetch(
    _ original: RemoteOriginal, _ key: String, _ known: FetchFacts?, _ progress: ProgressHandler?,
    _ isCancelled: () -> Bool
  ) -> FetchEnding {
    let deadline = ContinuousClock.now + limits.total
    var reason = ""
    var asked: Duration?
    for attempt in 0..<Self.tries {
      if attempt > 0, let ending = pause(attempt, asked: asked, before: deadline, isCancelled) {
        return ending ?? failed(reason)
      }
      switch ask(original, key, known, deadline, progress, isCancelled) {
      case .over(let ending): return ending
      case .again(let words, let wait): (reason, asked) = (words, wait)
      }
    }
    return failed(reason)
  }

  /// Waits before another try, as long as the server asked for; not at all when no time would be left for the try.
  /// An ending when there is none: `cancelled`, or nil for the reason at hand.
  private func pause(
    _ attempt: Int, asked: Duration?, before deadline: ContinuousClock.Instant, _ isCancelled: () -> Bool
  ) -> FetchEnding?? {
    let ours = Duration.milliseconds(Int64.random(in: 100...(250 << attempt)))
    let end = ContinuousClock.now + max(ours, asked ?? .zero)
    guard end < deadline else { return .some(nil) }
    let never = DispatchSemaphore(value: 0)
    while ContinuousClock.now < end {
      if isCancelled() { return .some(.cancelled) }
      _ = never.wait(timeout: .now() + .milliseconds(50))
    }
    return nil
  }

  private enum Step {
    case over(FetchEnding)
    /// - Parameter asked: how long the server wants to be left alone.
    case again(String, asked: Duration? = nil)
  }

  private func ask(
    _ original: RemoteOriginal, _ key: String, _ known: FetchFacts?, _ deadline: ContinuousClock.Instant,
    _ progress: ProgressHandler?, _ isCancelled: () -> Bool
  ) -> Step {
    let part = known == nil ? partFacts(key) : nil
    let offset = part == nil ? 0 : cache.partSize(of: key)
    if offset == 0 { cache.removePart(key) }
    // A kill came between the last byte and the name.
    if let part, offset == part.bytes { return .over(kept(original, key)) }
    var request = request(original, until: deadline)
    if let known {
      // What had no length may have been cut: it is never held to be the same.
      let known = known.bytes == nil ? FetchFacts() : known
      if let etag = known.etag { request.headers.append(HTTPHeader("If-None-Match", etag)) }
      if let time = known.lastModified { request.headers.append(HTTPHeader("If-Modified-Since", time)) }
    } else if offset > 0, let validator = part?.rangeValidator {
      request.headers.append(HTTPHeader("Range", "bytes=\(offset)-"))
      request.headers.append(HTTPHeader("If-Range", validator))
    }
    let attempt = FetchAttempt(cache, key: key, offset: offset, earlier: part, limits: limits, progress: progress)
    request.sink = HTTPSink(head: { attempt.head($0) }, bytes: { attempt.bytes($0) })
    switch send(request, isCancelled) {
    case .success(let answer): return judge(answer, attempt, original, key, known)
    case .failure(.cancelled): return .over(.cancelled)
    case .failure(.reported(let failure)): return judge(failure, attempt, key)
    case .failure(let other): return .over(failed("\(other)"))
    }
  }

  private func partFacts(_ key: String) -> FetchFacts? {
    guard let facts = cache.partFacts(of: key).flatMap({ FetchFacts($0) }), facts.rangeValidator != nil,
      facts.bytes != nil
    else {
      return nil
    }
    return facts
  }

  private func request(_ original: RemoteOriginal, until deadline: ContinuousClock.Instant) -> HTTPRequest {
    var request = HTTPRequest("GET", original.address)
    if let user = original.user {
      request.headers.append(HTTPHeader("Authorization", "Basic " + Base64.encode(user)))
    }
    request.allowsHTTP = limits.allowsHTTP || original.address.hasPrefix("http:")
    request.redirections = Self.redirections
    // A redirection is followed only when its words came to their end.
    request.answerLimit = 64 << 10
    let left = max(.milliseconds(1), deadline - .now)
    request.limits.total = left
    request.limits.connect = min(request.limits.connect, left)
    request.limits.stall = limits.stall
    return request
  }

  private func send(
    _ request: HTTPRequest, _ isCancelled: () -> Bool
  ) -> RequestOutcome<HTTPAnswer, HTTPFailure> {
    let client = client.withLock { client in
      let ours = client ?? HTTPClient()
      client = ours
      return ours
    }
    let wait = AnswerWait()
    let cancel = client.start(request) { wait.end($0) }
    return wait.take(isCancelled, cancel: cancel)
  }

  // MARK: Judging

  private func judge(
    _ answer: HTTPAnswer, _ attempt: FetchAttempt, _ original: RemoteOriginal, _ key: String, _ known: FetchFacts?
  ) -> Step {
    switch answer.status {
    case 304 where known != nil: return .over(opened(key, known ?? FetchFacts()))
    case 200, 206:
      guard let size = attempt.size else { return .over(failed("the server sent no content")) }
      if let total = attempt.total, total != size { return .again("\(size) of \(total) bytes came") }
      return .over(kept(original, key))
    case 416:
      cache.removePart(key)
      return .again("the server has other bytes than before")
    case 408, 425, 429, 500, 502, 503, 504:
      let asked = RetryAfter.wait(answer, now: Int64(HostProcess.secondsSince1970))
      return .again("the server answers \(answer.status)", asked: asked)
    default: return .over(failed("the server answers \(answer.status)"))
    }
  }

  private func judge(_ failure: HTTPFailure, _ attempt: FetchAttempt, _ key: String) -> Step {
    switch attempt.refusal {
    case .tooLarge(let figure):
      cache.removePart(key)
      return .over(failed("the original has \(figure) bytes, and the limit is \(limits.maxBytes) (--max-fetch)"))
    case .exposed: return .over(failed("the server sends on to an http address of another machine"))
    case .otherRange:
      cache.removePart(key)
      return .again("the server sent another part than was asked for")
    case .disk(let error): return .over(failed("the cache " + error.reason))
    case nil: break
    }
    let words = words(failure)
    return failure.isPassing ? .again(words) : .over(failed(words))
  }

  /// What went wrong, without the figures that are others each night: a row must not change for them.
  private func words(_ failure: HTTPFailure) -> String {
    switch failure.kind {
    case .timedOut:
      "the server was too slow: nothing came for \(limits.stall.secondsText) seconds, or not all of it within "
        + "\(limits.total.secondsText)"
    case .notReached:
      failure.reason.hasPrefix("Could not resolve")
        ? "the name of the server is not known" : "the server cannot be reached"
    case .refused, .noLibrary, .untrusted, .broken, .stopped, .contentChanged: failure.reason
    }
  }

  /// Gives what has just come its name, once it is what the list says it must be.
  private func kept(_ original: RemoteOriginal, _ key: String) -> FetchEnding {
    do {
      try cache.commitPart(key)
      if let expected = original.expectedSHA256 {
        let sha256 = try cache.open(key).wholeChecksum() ?? "none"
        guard sha256 == expected else {
          cache.remove(key)
          return failed("what was fetched has the SHA-256 \(sha256), and the list says \(expected)")
        }
      }
    } catch {
      return failed("the cache " + error.reason)
    }
    guard let facts = wholeFacts(key) else {
      cache.remove(key)
      return failed("what came has another size than the server said")
    }
    return opened(key, facts)
  }

  /// Whether what lies in the cache is what the list says it must be; throws it away when it is not.
  private func isExpected(_ original: RemoteOriginal, _ key: String) -> Bool {
    guard let expected = original.expectedSHA256 else { return true }
    if (try? cache.open(key).wholeChecksum()) == expected { return true }
    cache.remove(key)
    return false
  }

  private func opened(_ key: String, _ facts: FetchFacts) -> FetchEnding {
    do {
      return .here(FetchedOriginal(file: try cache.open(key), modified: facts.modifiedRFC3339))
    } catch {
      return failed("the cache " + error.reason)
    }
  }

  private func failed(_ reason: String) -> FetchEnding {
    .failed(LoadFailure(.fetchFailed, reason.isEmpty ? "the original could not be fetched" : reason))
  }
}
