internal import IngestCore

/// Keeps the token that all uploads use, and gets a new one once for all when somebody finds it is no longer good.
public final class TokenKeeper: Sendable {
  /// A token and which one it was.
  public struct Held: Sendable {
    /// What it is.
    public let token: UploadToken
    let number: Int
  }

  typealias Taker = @Sendable (Result<Held, PublishFault>) -> Void

  private struct State {
    var held: Held?
    var isAsking = false
    var waiting: [Taker] = []
    /// The newest one that a server has accepted.
    var proven = 0
  }

  private let source: any TokenSource
  private let sender: PatientSender
  private let state = Guarded(State())

  init(source: any TokenSource, sender: PatientSender) {
    self.source = source
    self.sender = sender
  }

  var held: Held? { state.withLock { $0.held } }

  /// Takes note that a server has accepted a token.
  func prove(_ held: Held) {
    state.withLock { $0.proven = max($0.proven, held.number) }
  }

  /// Whether a server has accepted that token, the one before it, or a newer one, with an object stored or found.
  ///
  /// The one before counts too: the answers of those who use a new token may still be on their way.
  func isWorthRenewing(_ held: Held) -> Bool {
    state.withLock { $0.proven > 0 && $0.proven >= held.number - 1 }
  }

  /// Hands over a token that is newer than `stale`, asked for unless somebody else has got one, or is getting one.
  func token(newerThan stale: Int, _ taker: @escaping Taker) {
    let (held, mustAsk) = state.withLock { state -> (Held?, Bool) in
      if let held = state.held, held.number > stale { return (held, false) }
      state.waiting.append(taker)
      defer { state.isAsking = true }
      return (nil, !state.isAsking)
    }
    if let held { taker(.success(held)) }
    guard mustAsk else { return }
    do {
      guard let request = try source.request() else {
        settle(nil)
        return
      }
      _ = sender.send(request) { [self] outcome in
        switch outcome {
        case .success(let answer) where answer.isSuccess: settle(answer)
        case .success(let answer): end(.failure(PublishFault("the token server answers \(answer.status)")))
        case .failure(let failure): end(.failure(PublishFault("the token server: \(failure)")))
        }
      }
    } catch {
      end(.failure(error))
    }
  }

  private func settle(_ answer: HTTPAnswer?) {
    do {
      let token = try source.token(answer, now: sender.now())
      let number = (held?.number ?? 0) + 1
      end(.success(Held(token: token, number: number)))
    } catch {
      end(.failure(error))
    }
  }

  private func end(_ result: Result<Held, PublishFault>) {
    let waiting = state.withLock { state in
      if case .success(let held) = result { state.held = held }
      state.isAsking = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for taker in waiting { taker(result) }
  }
}
