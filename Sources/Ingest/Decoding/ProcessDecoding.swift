import IngestCore
import IngestFiles
import PhotoCodecs
import Workers

/// Decodes in a process of its own, which is replaced whenever it dies.
///
/// A decoder process that dies takes its photo's load with it and nothing else: the photo is tried once more in a fresh
/// process, and a second death is the photo's failure.
final class ProcessDecoding: PhotoDecoding {
  private let program: String
  private let memory: Int
  /// Hears once, from the first process, what the kernel refused of the sandbox.
  private let onRefusal: @Sendable ([DecoderService.Measure]) -> Void
  private var process: DecoderProcess?
  /// Milliseconds of processor time that the process has used before its present photo.
  private var processorTime = 0
  /// How long a wait may keep a cancellation waiting.
  private static let glance: Int32 = 50

  /// - Parameter memory: bytes that a process may allocate in all.
  init(program: String, memory: Int, onRefusal: @escaping @Sendable ([DecoderService.Measure]) -> Void) {
    self.program = program
    self.memory = memory
    self.onRefusal = onRefusal
  }

  func decode(
    _ file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration,
    onStandIn: (StandInPicture) -> Void
  ) -> DecodeAnswer {
    var task = WorkerRequest(.decode, request, timeout)
    task.progressSize = ticket.options.progressHandler == nil ? nil : file.identity.size
    var hasStandIn = false
    let ending = run(task, on: file, for: ticket, timeout: timeout) { standIn in
      if !hasStandIn { onStandIn(standIn) }
      hasStandIn = true
    }
    switch ending {
    case .answer(let answer):
      // An answer may be on its way when the request is given up.
      if ticket.isCancelled { return .cancelled }
      guard let photo = answer.photo else { return .gaveUp(Self.malformed) }
      // The process keeps the time as well, and then has not read the whole file.
      if case .failed(let error) = photo.verdict, error.code == .cancelled { return .gaveUp(.timeout(timeout)) }
      return .read(photo, checksum: answer.checksum)
    case .failed(let failure): return .gaveUp(failure)
    case .cancelled: return .cancelled
    }
  }

  func standIn(
    of file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration
  ) -> StandInAnswer {
    var found: StandInPicture?
    let task = WorkerRequest(.standIn, request, timeout)
    switch run(task, on: file, for: ticket, timeout: timeout, onStandIn: { found = $0 }) {
    case .cancelled: return .cancelled
    case .failed(let failure): return .gaveUp(failure)
    case .answer(let answer):
      if ticket.isCancelled { return .cancelled }
      if let found { return .made(found) }
      let error = answer.checksum.errorNumber
      return error == 0 ? .none : .gaveUp(file.readFailure(errorNumber: error).loadFailure)
    }
  }

  // MARK: One request

  private enum Ending {
    case answer(WorkerAnswer)
    case failed(LoadFailure)
    case cancelled
  }

  private static let malformed = LoadFailure(.decoderCrashed, "the decoder sent what is no message")

  private func run(
    _ request: WorkerRequest, on file: SourceFile, for ticket: LoadTicket, timeout: Duration,
    onStandIn: (StandInPicture) -> Void
  ) -> Ending {
    var death: LoadFailure?
    for _ in 0..<2 {
      let process: DecoderProcess
      do {
        process = try readyProcess()
      } catch {
        return .failed(error)
      }
      file.rewind()
      process.setProcessorLimit(seconds: processorTime / 1000 + Int(timeout.components.seconds) + 2)
      guard process.channel.send(request.frame, descriptor: file.descriptorNumber) else {
        death = bury(process)
        continue
      }
      switch listen(to: process, for: ticket, timeout: timeout, onStandIn: onStandIn) {
      case .died: death = bury(process)
      case .ended(let ending): return ending
      }
    }
    return .failed(death ?? Self.malformed)
  }

  private enum Heard {
    case ended(Ending)
    case died
  }

  private func listen(
    to process: DecoderProcess, for ticket: LoadTicket, timeout: Duration, onStandIn: (StandInPicture) -> Void
  ) -> Heard {
    let deadline = ContinuousClock.now.advanced(by: timeout)
    while true {
      switch process.channel.receive(within: Self.glance) {
      case .timedOut:
        if ticket.isCancelled { return giveUp(process, .cancelled) }
        if ContinuousClock.now >= deadline { return giveUp(process, .failed(.timeout(timeout))) }
      case .closed: return .died
      case .malformed: return giveUp(process, .failed(Self.malformed))
      case .frame(let frame, nil):
        do {
          switch frame.kind {
          case .degraded: onStandIn(try StandInPicture(message: frame.payload))
          case .progress: ticket.options.progressHandler?(try WorkerAnswer.fraction(frame.payload))
          case .ending:
            let answer = try WorkerAnswer(message: frame.payload)
            processorTime = answer.processorMilliseconds
            return .ended(.answer(answer))
          case .request, .ready, .attempt: return giveUp(process, .failed(Self.malformed))
          }
        } catch {
          return giveUp(process, .failed(Self.malformed))
        }
      case .frame(_, _?): return giveUp(process, .failed(Self.malformed))
      }
    }
  }

  // MARK: The process

  /// The process at hand, or a new one that has said that it is ready.
  private func readyProcess() throws(LoadFailure) -> DecoderProcess {
    if let process { return process }
    let started: DecoderProcess
    do {
      started = try DecoderProcess.start(program: program, memory: memory)
    } catch {
      throw LoadFailure(.decoderCrashed, "no decoder process can be started: \(error.reason)")
    }
    guard case .frame(let frame, nil) = started.channel.receive(within: 20_000), frame.kind == .ready else {
      throw LoadFailure(.decoderCrashed, "the decoder process did not start: \(started.end())")
    }
    let refused = frame.payload.compactMap { DecoderService.Measure(rawValue: $0) }
    if !refused.isEmpty { onRefusal(refused) }
    process = started
    processorTime = 0
    return started
  }

  /// Ends a process that still lives, because its photo is given up.
  private func giveUp(_ process: DecoderProcess, _ ending: Ending) -> Heard {
    _ = process.end()
    self.process = nil
    return .ended(ending)
  }

  /// Says how a process died on its photo.
  private func bury(_ process: DecoderProcess) -> LoadFailure {
    let ending = process.end()
    self.process = nil
    return LoadFailure(.decoderCrashed, "the decoder died of \(ending) on this photo, twice")
  }
}
