/// Resumes one suspended task exactly once, whoever asks first; an answer may come before the task is held.
final class OneResume<Answer: Sendable>: Sendable {
  private enum Phase: Sendable {
    case empty, over
    case held(CheckedContinuation<Answer, Never>)
    case answered(Answer)
  }

  private let phase = Guarded(Phase.empty)

  func hold(_ continuation: CheckedContinuation<Answer, Never>) {
    let answer = phase.withLock { phase -> Answer? in
      if case .answered(let answer) = phase {
        phase = .over
        return answer
      }
      phase = .held(continuation)
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
  }

  func resume(_ answer: Answer) {
    let continuation = phase.withLock { phase -> CheckedContinuation<Answer, Never>? in
      switch phase {
      case .empty: phase = .answered(answer)
      case .held(let continuation):
        phase = .over
        return continuation
      case .answered, .over: break
      }
      return nil
    }
    continuation?.resume(returning: answer)
  }
}
