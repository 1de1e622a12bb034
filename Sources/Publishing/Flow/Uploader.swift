internal import Dispatch
public import IngestCore

/// One object on its way, and where its bytes come from.
public struct UploadItem: Sendable {
  public var object: UploadObject
  /// Opens and checks the bytes; called on a thread where it may block, once for each time they are sent.
  public var open: @Sendable () throws -> (UploadObject, HTTPBody)

  public init(_ object: UploadObject, open: @escaping @Sendable () throws -> (UploadObject, HTTPBody)) {
    self.object = object
    self.open = open
  }
}

/// How an object came to be at its target.
public enum UploadEnd: String, Sendable, Hashable {
  case sent
  /// It was there before.
  case present
}

/// Why an object is not at its target.
public struct UploadFault: Error, Sendable, Hashable, CustomStringConvertible {
  public let reason: String
  /// Whether it is no fault of the object: it was not tried, or not to the end.
  public let isPending: Bool

  public init(_ reason: String, isPending: Bool = false) {
    self.reason = reason
    self.isPending = isPending
  }

  public var description: String { reason }
}

/// Uploads objects to one target, with one client, one token for all and one budget for tries.
///
/// Objects with the same whole request address and checksum are sent once, however often they are asked for. How many objects are
/// asked for at once is the caller's to bound; the uploader may let fewer through while the server asks for patience.
public final class Uploader: Sendable {
  private typealias Outcome = RequestOutcome<UploadEnd, UploadFault>

  private enum Share {
    /// Who waits, the upload, and the number of the one who asked first.
    case running([Int: ObjectUpload.Done], ObjectUpload, first: Int)
    case ended(Outcome)
  }

  private struct Shares {
    var byName: [String: Share] = [:]
    var lastNumber = 0
  }

  public let target: any UploadTarget
  public let keeper: TokenKeeper
  let sender: PatientSender
  let health: UploadHealth
  private let queues: [DispatchQueue]
  private let shares = Guarded(Shares())

  /// - Parameters:
  ///   - atOnce: the most requests to the target at a time.
  ///   - now: seconds since 1970.
  ///   - prepare: puts into every request what the user's settings say of all: limits, `allowsHTTP`.
  public init(
    client: HTTPClient, target: any UploadTarget, tokens: any TokenSource, atOnce: Int,
    rules: RetryRules = RetryRules(),
    now: @escaping @Sendable () -> Int64, prepare: @escaping @Sendable (inout HTTPRequest) -> Void
  ) {
    self.target = target
    sender = PatientSender(client: client, rules: rules, now: now, prepare: prepare)
    keeper = TokenKeeper(source: tokens, sender: sender)
    health = UploadHealth(rules, atOnce: atOnce)
    // Reading blocks: queues that are used for nothing else, so that nobody else's work is stalled.
    queues = (0..<2).map { DispatchQueue(label: "photo-ingest.publish.reading.\($0)") }
  }

  func reading(_ item: UploadItem) -> DispatchQueue {
    queues[Int(item.object.sha256.utf8.last ?? 0) % queues.count]
  }

  /// Gets the first token, unless there is one.
  public func fetchToken(_ done: @escaping RequestCompletion<UploadToken, UploadFault>) {
    keeper.token(newerThan: 0) { result in
      done(
        result.map(\.token).mapError { RequestFailure.reported(UploadFault($0.reason, isPending: true)) })
    }
  }

  /// Gets another token than the one that was used.
  public func renewToken(_ done: @escaping RequestCompletion<UploadToken, UploadFault>) {
    keeper.token(newerThan: keeper.held?.number ?? 0) { result in
      done(
        result.map(\.token).mapError { RequestFailure.reported(UploadFault($0.reason, isPending: true)) })
    }
  }

  /// Starts one object and returns at once.
  public func upload(_ item: UploadItem, _ done: @escaping RequestCompletion<UploadEnd, UploadFault>) -> RequestCancel {
    let name = target.identity(of: item.object.key) + " " + item.object.sha256
    let number = shares.withLock { shares in
      shares.lastNumber += 1
      return shares.lastNumber
    }
    let upload = ObjectUpload(item, with: self) { [self] outcome in settle(name, first: number, outcome) }
    let (ended, isFirst) = shares.withLock { shares -> (Outcome?, Bool) in
      switch shares.byName[name] {
      case .ended(let outcome): return (outcome, false)
      case .running(var takers, let running, let first):
        takers[number] = done
        shares.byName[name] = .running(takers, running, first: first)
        return (nil, false)
      case nil:
        shares.byName[name] = .running([number: done], upload, first: number)
        return (nil, true)
      }
    }
    if let ended {
      done(ended)
      return {}
    }
    if isFirst { upload.start() }
    return { [self] in leave(name, number) }
  }

  private func settle(_ name: String, first: Int, _ outcome: Outcome) {
    let takers = shares.withLock { shares -> [ObjectUpload.Done] in
      guard case .running(let takers, _, first) = shares.byName[name] else { return [] }
      // A success holds for whoever asks later. A failure does not: nobody can tell that it would fail again.
      shares.byName[name] = if case .success = outcome { .ended(.success(.present)) } else { nil }
      return takers.sorted { $0.key < $1.key }.map(\.value)
    }
    for (place, taker) in takers.enumerated() {
      if place > 0, case .success = outcome { taker(.success(.present)) } else { taker(outcome) }
    }
  }

  /// Lets one who asked go; the object is given up with the last one.
  private func leave(_ name: String, _ number: Int) {
    let (done, upload) = shares.withLock { shares -> (ObjectUpload.Done?, ObjectUpload?) in
      guard case .running(var takers, let upload, let first) = shares.byName[name],
        let done = takers.removeValue(forKey: number)
      else { return (nil, nil) }
      shares.byName[name] = takers.isEmpty ? nil : .running(takers, upload, first: first)
      return (done, takers.isEmpty ? upload : nil)
    }
    done?(.failure(.cancelled))
    upload?.cancel()
  }

  /// Sends the post that ends it all. Tried again only where it cannot have arrived.
  public func post(
    _ request: HTTPRequest, _ done: @escaping RequestCompletion<HTTPAnswer, HTTPFailure>
  ) -> RequestCancel {
    sender.send(request, mayRepeat: false, done)
  }
}
