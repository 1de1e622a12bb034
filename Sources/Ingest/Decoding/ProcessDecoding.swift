import IngestCore
import IngestFiles
import PhotoCodecs
import Workers

/// Decodes in a process of its own, which is replaced whenever it dies.
///
/// A decoder process that dies, or says what it cannot mean, takes its photo's load with it and nothing else: the photo
/// is tried once more in a fresh process, and a second death is the photo's failure.
final class ProcessDecoding: PhotoDecoding {
  private let starter: DecoderStarter
  private let watch: DecoderWatch
  private var process: DecoderProcess?
  /// What the process has been given ahead of `decode`.
  private var begun: (file: SourceFile, deadline: ContinuousClock.Instant)?
  /// How long a wait may keep a cancellation waiting, in milliseconds.
  static let glance: Int32 = 50
  /// How much longer than the photo's time the run waits for a decoder that is about to give up by itself.
  private static let courtesy = Duration.milliseconds(250)
  /// Keeps sums with a time limit of somebody's choice in bounds.
  private static let longest = Duration.seconds(1 << 32)

  /// - Parameters:
  ///   - memory: bytes that a process may allocate in all.
  ///   - timeout: for one photo; see `DecoderStarter.patience`.
  init(program: String, memory: Int, watch: DecoderWatch, timeout: Duration = .seconds(20)) {
    starter = DecoderStarter(program: program, memory: memory, watch: watch, timeout: timeout)
    self.watch = watch
  }

  func prepare(isCancelled: () -> Bool) throws(DecodingUnavailable) {
    if process == nil { process = try starter.start(isCancelled: isCancelled) }
  }

  /// Nothing is begun for which a process must be started first.
  var decodesAhead: Bool { process != nil }

  func begin(_ file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration) {
    guard let process, begun == nil else { return }
    let deadline = Self.deadline(timeout)
    guard give(Self.decoding(file, request, ticket, timeout), file, to: process, timeout: timeout) else { return }
    begun = (file, deadline)
  }

  private static func decoding(
    _ file: SourceFile, _ request: DecodeRequest, _ ticket: LoadTicket, _ timeout: Duration
  ) -> WorkerRequest {
    let progressSize = ticket.readingHandler == nil ? nil : file.identity.size
    return WorkerRequest(.decode, request, timeout, progressSize: progressSize)
  }

  func decode(
    _ file: SourceFile, _ request: DecodeRequest, for ticket: LoadTicket, timeout: Duration,
    onStandIn: (StandInPicture) -> Void
  ) -> DecodeAnswer {
    let work = Self.decoding(file, request, ticket, timeout)
    var hasStandIn = false
    let ending = run(work, on: file, for: ticket, timeout: timeout) { standIn in
      // A photo that is tried twice has one all the same.
      if !hasStandIn { onStandIn(standIn) }
      hasStandIn = true
    }
    switch ending {
    case .answer(let answer):
      // An answer may be on its way when the request is given up.
      if ticket.isCancelled { return .cancelled }
      guard let photo = answer.photo else { return .gaveUp(Self.failure([.nonsense, .nonsense])) }
      // The decoder's own clock was quicker than the run's. It has not read the file to its end.
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
    let work = WorkerRequest(.standIn, request, timeout)
    switch run(work, on: file, for: ticket, timeout: timeout, onStandIn: { found = $0 }) {
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

  /// How a decoder came to its end over a photo.
  private enum Death: Equatable {
    case died(DecoderProcess.Ending)
    case nonsense

    var words: String {
      switch self {
      case .died(let ending): "the decoder died of \(ending)"
      case .nonsense: "the decoder sent what is no message"
      }
    }
  }

  /// What came of listening to one process.
  private enum Heard {
    case answer(WorkerAnswer)
    case died(Death)
    case late
    case cancelled
  }

  private func run(
    _ request: WorkerRequest, on file: SourceFile, for ticket: LoadTicket, timeout: Duration,
    onStandIn: (StandInPicture) -> Void
  ) -> Ending {
    let begun = begun.take()
    // What was begun and is not asked for now would be taken for this photo's.
    if let begun, begun.file !== file { drop() }
    var ahead = begun?.file === file ? process : nil
    let deadline = (ahead == nil ? nil : begun?.deadline) ?? Self.deadline(timeout)
    var deaths: [Death] = []
    while deaths.count < 2 {
      let process: DecoderProcess
      do throws(DecodingUnavailable) {
        if let given = ahead.take() {
          process = given
        } else {
          process = try handOver(request, file, for: ticket, timeout: timeout)
        }
      } catch {
        return ticket.isCancelled ? .cancelled : .failed(LoadFailure(.decoderCrashed, error.reason))
      }
      let heard = listen(to: process, request, for: ticket, until: deadline, onStandIn: onStandIn)
      if case .answer(let answer) = heard { return .answer(answer) }
      drop()
      switch heard {
      case .cancelled: return .cancelled
      case .late, .died(.died(.signalled(DecoderProcess.outOfProcessorTime))): return .failed(.timeout(timeout))
      case .died(let death): deaths.append(death)
      case .answer: break
      }
    }
    return .failed(Self.failure(deaths))
  }

  /// Gives the photo to a process. One that died while it had nothing to do is replaced, and costs no photo a try.
  private func handOver(
    _ request: WorkerRequest, _ file: SourceFile, for ticket: LoadTicket, timeout: Duration
  ) throws(DecodingUnavailable) -> DecoderProcess {
    for _ in 0..<DecoderStarter.tries {
      try prepare { ticket.isCancelled }
      guard let process else { continue }
      if give(request, file, to: process, timeout: timeout) { return process }
      if watch.breakdown != nil { throw DecodingUnavailable(reason: "a part of the sandbox was refused") }
    }
    throw DecodingUnavailable(reason: "decoder processes die before they are given a photo")
  }

  /// Sends the request, if the process lives and may be given a photo; otherwise it is given up.
  private func give(
    _ request: WorkerRequest, _ file: SourceFile, to process: DecoderProcess, timeout: Duration
  ) -> Bool {
    file.rewind()
    let seconds = Int(min(timeout, Self.longest).components.seconds) + 2
    let isLimited = process.allowProcessorTime(seconds: seconds) || watch.goesOn(without: [.processorTime])
    if isLimited, process.channel.send(request.frame, descriptor: file.descriptorNumber) { return true }
    drop()
    return false
  }

  private static func deadline(_ timeout: Duration) -> ContinuousClock.Instant {
    ContinuousClock.now.advanced(by: min(timeout, longest) + courtesy)
  }

  private func listen(
    to process: DecoderProcess, _ request: WorkerRequest, for ticket: LoadTicket,
    until deadline: ContinuousClock.Instant, onStandIn: (StandInPicture) -> Void
  ) -> Heard {
    let longest = WorkerAnswer.longest(for: request)
    // A decoder that never ends talking would keep its run from looking at the clock.
    var framesLeft = 2 + ProgressSteps.most
    while true {
      switch process.channel.receive(within: Self.glance, limit: longest) {
      case .timedOut:
        if ticket.isCancelled { return .cancelled }
        if ContinuousClock.now >= deadline { return .late }
      case .closed: return .died(.died(process.reap()))
      case .malformed, .frame(_, _?): return .died(.nonsense)
      case .frame(let frame, nil):
        framesLeft -= 1
        guard framesLeft >= 0 else { return .died(.nonsense) }
        do throws(MessageReader.Malformed) {
          switch frame.kind {
          case .degraded: onStandIn(try StandInPicture(message: frame.payload, for: request))
          case .progress:
            // Read in any case: the argument of a handler that is not there would be skipped.
            let fraction = try WorkerAnswer.fraction(frame.payload)
            ticket.readingHandler?(fraction)
          case .ending:
            let answer = try WorkerAnswer(message: frame.payload)
            return answer.isPlausible(for: request) ? .answer(answer) : .died(.nonsense)
          case .request, .ready, .attempt: return .died(.nonsense)
          }
        } catch {
          return .died(.nonsense)
        }
      }
    }
  }

  /// Ends the process, which is replaced when the next photo comes.
  private func drop() {
    process?.kill()
    process = nil
    begun = nil
  }

  private static func failure(_ deaths: [Death]) -> LoadFailure {
    let words: String
    switch (deaths.first, deaths.last) {
    case (let first?, let last?) where deaths.count > 1 && first != last:
      words = "\(first.words) on this photo, and a second time: \(last.words)"
    case (let first?, _): words = "\(first.words) on this photo, twice"
    case (nil, _): words = "the decoder gave no answer"
    }
    return LoadFailure(.decoderCrashed, words)
  }
}
