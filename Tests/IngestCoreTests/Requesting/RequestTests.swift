import IngestCore
import IngestTestSupport
import Testing

/// Holds what one request promises when it is started alone.
@Suite(.timeLimit(.minutes(2))) struct RequestTests {
  typealias Alone = Request<String, RequestTrouble>

  @Test(arguments: EndingCase.all)
  func `a request alone hears its ending once`(one: EndingCase) async {
    let isDone = Gate()
    var script = one.script
    script.steps.append(.open(isDone))
    let requests = ScriptedRequests([1: script])
    let heard = Gathering<ScriptedOutcome>()
    let isHeard = Gate()
    let request = Alone("one") { done in
      requests.start(1, done)
    } handler: { outcome in
      heard.add(outcome)
      isHeard.open()
    }
    #expect(!request.isStarted && request.outcome == nil)
    #expect(request.start(timeLimit: one.needsLimit ? EndingCase.limit : nil))
    await isHeard.passed()
    await isDone.passed()
    #expect(heard.values == [one.outcome])
    #expect(request.outcome == one.outcome && request.isStarted)
  }

  @Test func `a stop cancels a request alone`() async {
    let begun = Gate()
    let requests = ScriptedRequests(fallback: .untilCancelled, onStart: { _ in begun.open() })
    let isHeard = Gate()
    let control = CollectionControl()
    let request = Alone("one", start: { requests.start(0, $0) }, handler: { _ in isHeard.open() })
    request.start(control: control)
    await begun.passed()
    control.cancel()
    await isHeard.passed()
    #expect(request.outcome == .failure(.cancelled))
    #expect(requests.log.cancelled == [0])
  }

  @Test func `of many that start it one does`() async {
    let requests = ScriptedRequests()
    let request = Alone("one", start: { requests.start(0, $0) })
    let firsts = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { request.start() } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(firsts == 1)
  }

  @Test func `a cancel that comes inside the start reaches a request whose way to cancel is not known yet`() async {
    let control = CollectionControl()
    let isHeard = Gate()
    let requests = ScriptedRequests(fallback: .untilCancelled, onStart: { _ in control.cancel() })
    let request = Alone("one", start: { requests.start(0, $0) }, handler: { _ in isHeard.open() })
    request.start(control: control)
    await isHeard.passed()
    #expect(requests.log.cancelled == [0] && request.outcome == .failure(.cancelled))
  }

  @Test(arguments: [
    (RequestFailure<RequestTrouble>.timedOut(limit: .milliseconds(250)), "no answer within 0.25 seconds"),
    (.timedOut(limit: .seconds(1)), "no answer within 1 second"), (.cancelled, "cancelled"),
    (.unanswered, "it ended without an answer"), (.reported(.refused), "refused"),
  ]) func `a failure says what happened`(failure: RequestFailure<RequestTrouble>, words: String) {
    #expect(failure.description == words)
  }
}
