internal import HostProcess
public import IngestCore

/// Sends HTTP requests, many at a time, on one thread of its own.
///
/// Every request that was started ends exactly once: by an answer, by a failure, or as cancelled, which it also is when
/// the client goes away. The library that does the work (libcurl) is loaded with the first client of the process. How
/// many requests run side by side is the caller's to bound.
///
/// ```swift
/// let client = HTTPClient()
/// let cancel = client.start(HTTPRequest("PUT", address, body: HTTPBody(file))) { outcome in
///   // on the client's thread; return soon
/// }
/// ```
public final class HTTPClient: Sendable {
  private let engine: HTTPEngine

  public init() {
    engine = HTTPEngine()
    let engine = engine
    _ = OwnThread.start(name: "http") { engine.run() }
  }

  deinit {
    engine.close()
  }

  /// Starts a request and returns at once, with the way to cancel it; the shape of a `RequestStart`.
  ///
  /// `done` is called once, on the client's thread, also when the request cannot be sent at all; but when the client takes
  /// no requests any more (no library, a lasting error of it), on the calling thread, before this returns. It may start
  /// further requests. It must not wait for one.
  @discardableResult public func start(
    _ request: HTTPRequest, _ done: @escaping RequestCompletion<HTTPAnswer, HTTPFailure>
  ) -> RequestCancel {
    engine.add(request, done)
  }
}

extension HTTPRequest {
  /// A GET, or a POST when there is a body, with a limit for everything together.
  public init(_ address: String, body: [UInt8]? = nil, timeLimit: Duration = .seconds(10)) {
    self.init(body == nil ? "GET" : "POST", address, body: body.map { HTTPBody($0) })
    limits.connect = timeLimit
    limits.total = timeLimit
  }

  /// Sends the request with a client of its own and returns the answer.
  ///
  /// Blocks the calling thread, for the limits at most. Several threads may send at once.
  @available(*, noasync, message: "send blocks its thread; call it from a thread of your own")
  public func send() throws(HTTPFailure) -> HTTPAnswer {
    let client = HTTPClient()
    let wait = AnswerWait()
    client.start(self) { wait.end($0) }
    let outcome = wait.take()
    withExtendedLifetime(client) {}
    switch outcome {
    case .success(let answer): return answer
    case .failure(.reported(let failure)): throw failure
    case .failure(let other): throw HTTPFailure(.stopped, reason: "\(other)")
    }
  }
}
