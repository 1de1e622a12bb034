import Dispatch
import Workers

/// Starts decoder processes and waits until they are ready, with patience for what may pass.
struct DecoderStarter {
  let program: String
  let memory: Int
  let watch: DecoderWatch
  /// How long a program may take to say that it is ready.
  let patience: Duration

  /// - Parameter timeout: for one photo: whoever set a short one does not wait longer for a decoder that hangs. A busy
  ///   machine needs some time to start a program all the same.
  init(program: String, memory: Int, watch: DecoderWatch, timeout: Duration) {
    self.program = program
    self.memory = memory
    self.watch = watch
    patience = min(Self.longestPatience, max(Self.shortestPatience, timeout))
  }

  /// How often a start is tried: somebody may kill decoders as fast as they come, and a system that has no process
  /// left may have one in a moment.
  static let tries = 5
  private static let longestPatience = Duration.seconds(20)
  private static let shortestPatience = Duration.seconds(1)

  /// A process that has said that it is ready and was refused nothing that is required.
  func start(isCancelled: () -> Bool) throws(DecodingUnavailable) -> DecoderProcess {
    var reason = ""
    for attempt in 0..<Self.tries {
      if attempt > 0 { Self.pause(milliseconds: 10 << attempt) }
      if isCancelled() { throw DecodingUnavailable(reason: "the request was cancelled") }
      let process: DecoderProcess
      do {
        process = try DecoderProcess.start(program: program, memory: memory)
      } catch {
        reason = "no decoder process can be started: \(error.reason)"
        if error.mayPass { continue }
        break
      }
      switch ready(process, isCancelled: isCancelled) {
      case .success(let refused):
        watch.isReady()
        if watch.goesOn(without: refused) { return process }
        process.kill()
        throw DecodingUnavailable(reason: "a part of the sandbox was refused")
      case .failure(let failure):
        process.kill()
        reason = failure.reason
        if !failure.mayPass { throw DecodingUnavailable(reason: reason) }
      }
    }
    throw DecodingUnavailable(reason: reason)
  }

  /// On the loader thread, which is there to wait.
  private static func pause(milliseconds: Int) {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
  }

  private struct NotReady: Error {
    let reason: String
    /// Whether another start may go better.
    let mayPass: Bool
  }

  private func ready(
    _ process: DecoderProcess, isCancelled: () -> Bool
  ) -> Result<[SandboxMeasure], NotReady> {
    let deadline = ContinuousClock.now.advanced(by: patience)
    while true {
      switch process.channel.receive(within: ProcessDecoding.glance, limit: SandboxMeasure.allCases.count) {
      case .frame(let frame, nil):
        if let refused = SandboxMeasure.refused(in: frame) { return .success(refused) }
        return .failure(Self.stranger)
      case .frame(_, _?), .malformed: return .failure(Self.stranger)
      case .closed:
        let ending = process.reap()
        let isSignalled = if case .signalled = ending { true } else { false }
        return .failure(
          NotReady(reason: "the decoder process ended before it was ready: \(ending)", mayPass: isSignalled))
      case .timedOut:
        if isCancelled() { return .failure(NotReady(reason: "the request was cancelled", mayPass: false)) }
        if ContinuousClock.now >= deadline {
          let words = "the decoder process was not ready after \(patience.secondsText) seconds"
          return .failure(NotReady(reason: words, mayPass: watch.goesOn(afterHang: words)))
        }
      }
    }
  }

  private static let stranger = NotReady(
    reason: "the decoder program is of another kind or version than this one", mayPass: false)
}
