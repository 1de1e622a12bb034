internal import Dispatch
internal import IngestCore

/// Brings one object to its target: asks whether it is there, sends it, and tries again by the rules.
///
/// Ends exactly once. A try that may have arrived without an answer is followed by the question, where the target has
/// one, before anything is sent again. A token that is no longer good is renewed, unless the new one never was either.
final class ObjectUpload: Sendable {
  typealias Done = RequestCompletion<UploadEnd, UploadFault>

  private struct State {
    var done: Done?
    var cancel: RequestCancel?
    var tries = 0
    var renewals = 0
    /// Tries that ended because the file changed meanwhile.
    var edits = 0
  }

  /// Tokens that others could use, and this object could not.
  private static let mostRenewals = 10

  private let uploader: Uploader
  private let item: UploadItem
  private let state: Guarded<State>

  init(_ item: UploadItem, with uploader: Uploader, _ done: @escaping Done) {
    self.item = item
    self.uploader = uploader
    state = Guarded(State(done: done))
  }

  func cancel() {
    let cancel = state.withLock { $0.cancel.take() }
    cancel?()
    end(.failure(.cancelled))
  }

  /// From the question on; each try begins here.
  func start() {
    guard isOpen else { return }
    if let reason = uploader.health.downBecause {
      fail(reason, isPending: true)
      return
    }
    guard let held = uploader.keeper.held else {
      renew(newerThan: 0) { [self] in start() }
      return
    }
    do {
      let moment = UploadMoment(token: held.token, now: uploader.sender.now())
      guard let question = try uploader.target.question(item.object, moment) else {
        read()
        return
      }
      send(question) { [self] outcome in
        weigh(outcome, held, uploader.target.judgeQuestion) { [self] in start() }
      }
    } catch {
      fail(error.reason)
    }
  }

  private var isOpen: Bool { state.withLock { $0.done != nil } }

  // MARK: Sending

  /// Reads and checks the bytes on a thread where that may block, then sends them.
  private func read() {
    uploader.reading(item).async { [self] in
      guard isOpen else { return }
      // Somebody may have renewed it since the question was asked.
      guard let held = uploader.keeper.held else { return start() }
      do {
        let (object, body) = try item.open()
        let moment = UploadMoment(token: held.token, now: uploader.sender.now())
        let request = try uploader.target.upload(object, body, moment)
        send(request) { [self] outcome in weigh(outcome, held, uploader.target.judgeUpload, object) { [self] in read() }
        }
      } catch let error as PublishFault {
        fail(error.reason)
      } catch {
        fail("\(error)")
      }
    }
  }

  private func send(
    _ request: HTTPRequest, _ heard: @escaping @Sendable (RequestOutcome<HTTPAnswer, HTTPFailure>) -> Void
  ) {
    var request = request
    uploader.sender.prepare(&request)
    if request.body == nil { request.limits.total = request.limits.total ?? .seconds(120) }
    let ready = request
    uploader.health.enter { [self] in
      guard isOpen else {
        uploader.health.leave()
        return
      }
      let cancel = uploader.sender.client.start(ready) { [self] outcome in
        uploader.health.leave()
        heard(outcome)
      }
      let isGone = state.withLock { state in
        guard state.done != nil else { return true }
        state.cancel = cancel
        return false
      }
      if isGone { cancel() }
    }
  }

  // MARK: Judging

  private func weigh(
    _ outcome: RequestOutcome<HTTPAnswer, HTTPFailure>, _ held: TokenKeeper.Held,
    _ judge: (HTTPAnswer, UploadObject) -> UploadVerdict, _ object: UploadObject? = nil,
    sameAgain: @escaping @Sendable () -> Void
  ) {
    guard isOpen else { return }
    switch outcome {
    case .success(let answer):
      let verdict = judge(answer, object ?? item.object)
      switch verdict {
      case .sent, .present: uploader.keeper.prove(held)
      // "Absent" is also what a server means that does not tell, whatever the token.
      case .absent, .retry, .refreshToken, .failed: break
      }
      switch verdict {
      case .sent: succeed(.sent)
      case .present: succeed(.present)
      case .absent: read()
      case .retry(let reason):
        let asked = RetryAfter.wait(answer, now: uploader.sender.now())
        again(
          reason, asked: asked, isBusy: answer.status == 429 || answer.status == 503,
          isPatient: answer.status == 429 || (answer.status == 503 && asked != nil))
      case .refreshToken(let reason):
        let renewals = state.withLock { state in
          state.renewals += 1
          return state.renewals
        }
        if renewals > 1, !uploader.keeper.isWorthRenewing(held) {
          // A new token that nobody could ever use: asking for more of them, once for each photo, helps nobody.
          uploader.health.giveUp(because: "\(reason), also with a new token")
          fail("\(reason), also with a new token", isPending: true)
        } else if renewals > Self.mostRenewals {
          fail("\(reason), with \(renewals) tokens", isPending: true)
        } else {
          // It was refused, so nothing was stored: no question is due.
          renew(newerThan: held.number, sameAgain)
        }
      case .failed(let reason): fail(reason)
      }
    case .failure(.reported(let failure)):
      if failure.kind == .contentChanged {
        edited(failure.reason)
      } else if failure.isPassing {
        again(failure.reason, asked: nil)
      } else {
        // A server that is not to be trusted is so for every object.
        let isOfAll = failure.kind == .untrusted || failure.kind == .noLibrary
        if isOfAll { uploader.health.giveUp(because: failure.reason) }
        fail(failure.reason, isPending: isOfAll)
      }
    case .failure(.cancelled): end(.failure(.cancelled))
    case .failure(let other): fail("\(other)")
    }
  }

  private func renew(newerThan number: Int, _ goOn: @escaping @Sendable () -> Void) {
    uploader.keeper.token(newerThan: number) { [self] result in
      switch result {
      case .success: goOn()
      case .failure(let fault): fail("no token: \(fault.reason)", isPending: true)
      }
    }
  }

  /// Tries again after somebody has changed the file: no fault of the server, so nothing is paid from what it has left.
  private func edited(_ reason: String) {
    let edits = state.withLock { state in
      state.edits += 1
      return state.edits
    }
    guard edits < uploader.sender.rules.tries else {
      fail("\(reason) (tried \(edits) times)")
      return
    }
    uploader.sender.after(uploader.sender.rules.wait(afterTry: edits, asked: nil)) { [self] in start() }
  }

  private func again(_ reason: String, asked: Duration?, isBusy: Bool = false, isPatient: Bool = false) {
    let tries = state.withLock { state in
      state.tries += 1
      return state.tries
    }
    guard tries < uploader.sender.rules.tries else {
      _ = uploader.health.noteFailure(reason, isBusy: isBusy, isPatient: isPatient)
      fail("\(reason) (tried \(tries) times)")
      return
    }
    guard uploader.health.noteFailure(reason, isBusy: isBusy, isPatient: isPatient) else {
      let why = uploader.health.downBecause ?? "\(reason), and the tries that all photos have together are used up"
      fail(why, isPending: true)
      return
    }
    uploader.sender.after(uploader.sender.rules.wait(afterTry: tries, asked: asked)) { [self] in start() }
  }

  private func succeed(_ end: UploadEnd) {
    uploader.health.noteSuccess(afterFailed: state.withLock { $0.tries })
    self.end(.success(end))
  }

  private func fail(_ reason: String, isPending: Bool = false) {
    end(.failure(.reported(UploadFault(reason, isPending: isPending))))
  }

  private func end(_ outcome: RequestOutcome<UploadEnd, UploadFault>) {
    let done = state.withLock { state in
      state.cancel = nil
      return state.done.take()
    }
    done?(outcome)
  }
}
