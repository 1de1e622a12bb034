import Dispatch
import HostProcess
import IngestCore

/// Runs checks on a fixed number of threads of its own and hands the answers back in the order of the checks.
///
/// Checks come in batches, so that memory stays flat and the order is that of the manifest. `shutDown` must be called
/// before the last reference goes.
final class CheckCrew: Sendable {
  typealias Answer = (finding: VerifyFinding?, bytesRead: UInt64)

  private struct State {
    var checks: [FileCheck] = []
    var next = 0
    var answers: [Int: Answer] = [:]
    var isOver = false
  }

  private let state = Guarded(State())
  /// Signalled once a thread for each batch.
  private let begin = DispatchSemaphore(value: 0)
  /// Signalled by each thread that finds no more checks in the batch.
  private let done = DispatchSemaphore(value: 0)
  private let threads: Int
  private let isFast: Bool
  private let control: CollectionControl

  init(threads: Int, isFast: Bool, control: CollectionControl) {
    self.threads = threads
    self.isFast = isFast
    self.control = control
    for number in 0..<threads {
      _ = OwnThread.start(name: "verify-\(number)") { [self] in
        while true {
          begin.wait()
          if state.withLock({ $0.isOver }) { return }
          work()
          done.signal()
        }
      }
    }
  }

  /// Runs all checks of a batch. After a cancellation the rest gives no findings.
  func run(_ checks: [FileCheck]) -> [Answer] {
    state.withLock { $0 = State(checks: checks) }
    for _ in 0..<threads { begin.signal() }
    for _ in 0..<threads { done.wait() }
    return state.withLock { state in
      checks.indices.map { state.answers[$0] ?? (nil, 0) }
    }
  }

  func shutDown() {
    state.withLock { $0.isOver = true }
    for _ in 0..<threads { begin.signal() }
  }

  private func work() {
    let control = control
    while !control.isCancelled {
      let taken = state.withLock { state -> (Int, FileCheck)? in
        guard state.next < state.checks.count else { return nil }
        defer { state.next += 1 }
        return (state.next, state.checks[state.next])
      }
      guard let (index, check) = taken else { return }
      let answer = check.run(isFast: isFast) { control.isCancelled }
      state.withLock { $0.answers[index] = answer }
    }
  }
}
