import Dispatch
import IngestCore
import IngestTestSupport
import Testing

typealias RequestScript = ScriptedRequests.Script
typealias ScriptedOutcome = RequestOutcome<String, RequestTrouble>

/// One way in which a request can end, and what becomes of it: the table that batches, groups, chains and slots share.
struct EndingCase: Sendable, CustomTestStringConvertible {
  /// Long enough for a request that ends inside its start on a busy machine.
  static let limit = Duration.milliseconds(400)

  let name: String
  let script: RequestScript
  let outcome: ScriptedOutcome
  var ignored: [IgnoredSignal.Kind] = []
  var abandoned = 0

  var testDescription: String { name }

  /// Whether a time limit must be set for the request to end.
  var needsLimit: Bool { abandoned > 0 }

  var limits: RequestLimits { RequestLimits(atOnce: 2, timeLimit: needsLimit ? Self.limit : nil) }

  /// What was ignored, of the request at a place.
  func ignored(at index: Int) -> IgnoredSignals {
    var signals = IgnoredSignals()
    for kind in ignored { signals.add(IgnoredSignal(kind: kind, index: index)) }
    return signals
  }

  static let refused = ScriptedOutcome.failure(.reported(.refused))

  static let all: [EndingCase] =
    [false, true].flatMap { isSynchronous in
      let word = isSynchronous ? "at once" : "later"
      func script(_ steps: [ScriptedRequests.Step]) -> RequestScript {
        RequestScript(steps, isSynchronous: isSynchronous)
      }
      return [
        EndingCase(name: "succeeds \(word)", script: script([.succeed("fine")]), outcome: .success("fine")),
        EndingCase(name: "fails \(word)", script: script([.fail(.refused)]), outcome: refused),
        EndingCase(name: "is cancelled by itself \(word)", script: script([.cancelled]), outcome: .failure(.cancelled)),
        EndingCase(name: "lets go of its completion \(word)", script: script([.drop]), outcome: .failure(.unanswered)),
        EndingCase(
          name: "succeeds twice \(word)", script: script([.succeed("first"), .succeed("second")]),
          outcome: .success("first"), ignored: [.repeated]),
        EndingCase(
          name: "fails after a success \(word)", script: script([.succeed("first"), .fail(.refused), .cancelled]),
          outcome: .success("first"), ignored: [.repeated, .repeated]),
        EndingCase(
          name: "succeeds after a failure \(word)", script: script([.fail(.refused), .succeed()]), outcome: refused,
          ignored: [.repeated]),
      ]
    } + [
      EndingCase(
        name: "never ends, whatever is asked", script: .never, outcome: .failure(.timedOut(limit: limit)), abandoned: 1),
      EndingCase(
        name: "never ends, and cannot be cancelled", script: RequestScript([], hasCancel: false),
        outcome: .failure(.timedOut(limit: limit)), abandoned: 1),
      EndingCase(
        name: "never ends until its time limit cancels it", script: .untilCancelled,
        outcome: .failure(.timedOut(limit: limit)), abandoned: 1),
    ]

  var isSuccess: Bool { if case .success = outcome { true } else { false } }
}

extension RequestFailure where Failure == RequestTrouble {
  static let refused = RequestFailure.reported(.refused)
}

extension EndingCase {
  /// Requests of which the one at place 1 ends as the case has it, and the one at place 0 no earlier than everything
  /// that the case does: so the report has all of it.
  func requests(_ more: [Int: RequestScript] = [:]) -> ScriptedRequests {
    let isDone = Gate()
    var scripts = more
    var script = script
    if !needsLimit { script.steps.append(.open(isDone)) }
    scripts[1] = script
    // A time limit must not strike a request that is only slow.
    scripts[0] = needsLimit ? .prompt : RequestScript([.hold(isDone), .succeed()], ignoresCancel: true)
    return ScriptedRequests(scripts, fallback: .prompt)
  }
}

/// Runs `start` and waits for what it hands to its completion, which must come exactly once.
func onceEnded<Ending: Sendable>(
  _ start: @Sendable (DispatchQueue, @escaping @Sendable (Ending) -> Void) throws -> Void
) async throws -> Ending {
  let endings = Gathering<(ending: Ending, isOnQueue: Bool)>()
  let isThere = Gate()
  let key = DispatchSpecificKey<Bool>()
  let queue = DispatchQueue(label: "notified")
  queue.setSpecific(key: key, value: true)
  try start(queue) { ending in
    endings.add((ending, DispatchQueue.getSpecific(key: key) == true))
    isThere.open()
  }
  await isThere.passed()
  // A second one that is on its way is on this queue already.
  await onOwnThread { queue.sync {} }
  #expect(endings.values.count == 1)
  #expect(endings.values.allSatisfy { $0.isOnQueue })
  return try #require(endings.values.first).ending
}
