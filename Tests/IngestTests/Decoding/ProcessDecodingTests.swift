import Foundation
import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing
import Workers

@testable import Ingest

/// Holds the run's side of the protocol against decoders that die, lie, hang and talk without end.
@Suite(.timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct ProcessDecodingTests {
  private static let request = DecodeRequest(thumbnailSizes: [32])

  /// Loads one sample with decoders that this script is.
  private func load(
    _ script: String, timeout: Duration = .seconds(20), progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> DecodeAnswer {
    try await timed(script, timeout: timeout, progress: progress).0
  }

  private func timed(
    _ script: String, timeout: Duration, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> (DecodeAnswer, Duration) {
    let folder = try TemporaryFolder()
    let program = try folder.script("decoder", script)
    try folder.copy("\(DecodedSamples.folder)/pebbles.jpg", as: "pebbles.jpg")
    return try await onOwnThread {
      let source = try SourceFolder.open(Array(folder.path.utf8))
      let watch = DecoderWatch(requiresSandbox: false) { _ in }
      let decoding = ProcessDecoding(
        program: program, memory: DecodeWorker.memory(for: Self.request), watch: watch)
      var options = ImageRequestOptions()
      options.progressHandler = progress
      let ticket = LoadTicket(
        id: ImageRequestID(1), asset: Asset(path: RelativePath("pebbles.jpg")), site: LoadSite(folder: source),
        options: options
      ) { _, _ in }
      let file = try source.open(RelativePath("pebbles.jpg"))
      let clock = ContinuousClock()
      let began = clock.now
      let answer = decoding.decode(file, Self.request, for: ticket, timeout: timeout) { _ in }
      return (answer, clock.now - began)
    }
  }

  private func failure(_ answer: DecodeAnswer) -> String {
    switch answer {
    case .gaveUp(let failure): "\(failure.code.rawValue): \(failure.message)"
    case .read(let photo, _): "read: \(photo.verdict)"
    case .cancelled: "cancelled"
    }
  }

  // MARK: Ahead

  /// Begins one sample, then asks for this one.
  private func loadAhead(_ script: String, begun: String, asked: String) async throws -> DecodeAnswer {
    let folder = try TemporaryFolder()
    let program = try folder.script("decoder", script)
    for name in ["pebbles.jpg", "still-life.jpg"] { try folder.copy("\(DecodedSamples.folder)/\(name)", as: name) }
    return try await onOwnThread {
      let source = try SourceFolder.open(Array(folder.path.utf8))
      let decoding = ProcessDecoding(
        program: program, memory: DecodeWorker.memory(for: Self.request),
        watch: DecoderWatch(requiresSandbox: false) { _ in })
      let ticket = { (number: UInt64, name: String) in
        LoadTicket(
          id: ImageRequestID(number), asset: Asset(path: RelativePath(name)), site: LoadSite(folder: source),
          options: ImageRequestOptions()
        ) { _, _ in }
      }
      #expect(!decoding.decodesAhead)
      try decoding.prepare { false }
      #expect(decoding.decodesAhead)
      let first = try source.open(RelativePath(begun))
      decoding.begin(first, Self.request, for: ticket(1, begun), timeout: .seconds(20))
      let file = begun == asked ? first : try source.open(RelativePath(asked))
      return decoding.decode(file, Self.request, for: ticket(2, asked), timeout: .seconds(20)) { _ in }
    }
  }

  @Test(arguments: ["pebbles.jpg", "still-life.jpg"])
  func `a photo that was begun ahead is right, and one that was not asked for is taken for no other`(begun: String)
    async throws
  {
    let answer = try await loadAhead(DecoderScript.decode, begun: begun, asked: "pebbles.jpg")
    guard case .read(let photo, let checksum) = answer else {
      Issue.record("\(failure(answer))")
      return
    }
    #expect(photo.thumbnails == (try DecodedSamples.decoded("pebbles.jpg", Self.request).0.thumbnails))
    #expect(checksum.sha256 == SHA256Digest.hex(of: try DecodedSamples.bytes("pebbles.jpg")))
  }

  @Test func `a decoder that dies over a photo begun ahead costs it one try, and a second death is its failure`()
    async throws
  {
    let dying = "\(DecoderScript.ready); \(DecoderScript.awaitRequest); kill -SEGV $$"
    let once = try await loadAhead(
      DecoderScript.starts([dying, DecoderScript.decode]), begun: "pebbles.jpg", asked: "pebbles.jpg")
    guard case .read(let photo, _) = once else {
      Issue.record("\(failure(once))")
      return
    }
    #expect(photo.verdict == .whole)
    let twice = try await loadAhead(dying, begun: "pebbles.jpg", asked: "pebbles.jpg")
    #expect(failure(twice) == "decoder-crashed: the decoder died of signal 11 (SIGSEGV) on this photo, twice")
  }

  // MARK: Deaths

  @Test func `a decoder that dies over a photo is replaced, and the photo is right`() async throws {
    let dying = "\(DecoderScript.ready); \(DecoderScript.awaitRequest); kill -SEGV $$"
    let answer = try await load(DecoderScript.starts([dying, DecoderScript.decode]))
    guard case .read(let photo, let checksum) = answer else {
      Issue.record("\(failure(answer))")
      return
    }
    let (wanted, _) = try DecodedSamples.decoded("pebbles.jpg", Self.request)
    #expect(photo.verdict == .whole)
    #expect(photo.thumbnails == wanted.thumbnails)
    #expect(checksum.sha256 == SHA256Digest.hex(of: try DecodedSamples.bytes("pebbles.jpg")))
  }

  @Test(arguments: [
    ("kill -KILL $$", "the decoder died of signal 9 (SIGKILL) on this photo, twice"),
    ("kill -SEGV $$", "the decoder died of signal 11 (SIGSEGV) on this photo, twice"),
    ("exit 0", "the decoder died of exit code 0 on this photo, twice"),
    ("exit 3", "the decoder died of exit code 3 on this photo, twice"),
  ])
  func `a second death is the photo's failure, and its cause is named`(end: String, words: String) async throws {
    let answer = try await load("\(DecoderScript.ready); \(DecoderScript.awaitRequest); \(end)")
    #expect(failure(answer) == "decoder-crashed: \(words)")
  }

  @Test func `two deaths of different causes are both named`() async throws {
    let dying = "\(DecoderScript.ready); \(DecoderScript.awaitRequest); kill -"
    let answer = try await load(DecoderScript.starts([dying + "BUS $$", dying + "ABRT $$"]))
    #expect(
      failure(answer) == "decoder-crashed: the decoder died of signal 7 (SIGBUS) on this photo, and a second time: "
        + "the decoder died of signal 6 (SIGABRT)")
  }

  @Test func `a decoder that used up its processor time is a timeout, not a crash`() async throws {
    let answer = try await load("\(DecoderScript.ready); \(DecoderScript.awaitRequest); kill -XCPU $$")
    #expect(failure(answer) == "timeout: the photo took longer than the time limit of 20 seconds")
  }

  @Test func `a decoder that dies in the middle of its answer counts as dead`() async throws {
    let half = Array(DecoderScript.encoded(WorkerFrame(.ending, [1, 2, 3, 4])).dropLast(2))
    let dying = "\(DecoderScript.ready); \(DecoderScript.awaitRequest); \(DecoderScript.say(half)); kill -KILL $$"
    let answer = try await load(DecoderScript.starts([dying, DecoderScript.decode]))
    #expect(failure(answer) == "read: whole")
  }

  @Test func `decoders that die while they have nothing to do cost the photo no try`() async throws {
    let idle = "\(DecoderScript.ready); kill -KILL $$"
    let dying = "\(DecoderScript.ready); \(DecoderScript.awaitRequest); kill -KILL $$"
    // The first may die before or after the photo is sent to it; both are survived.
    let answer = try await load(DecoderScript.starts([idle, DecoderScript.decode]))
    #expect(failure(answer) == "read: whole")
    let again = try await load(DecoderScript.starts([dying, DecoderScript.decode]))
    #expect(failure(again) == "read: whole")
  }

  // MARK: Nonsense

  private static let nonsense: [(String, String)] = [
    ("noise", DecoderScript.say(SeededBytes.bytes(seed: 7, count: 64))),
    ("a huge length", DecoderScript.say(Array("PIW\u{1}".utf8) + [5, 255, 255, 255, 127, 0, 0, 0, 0])),
    ("a length over the answer's", DecoderScript.say(Array("PIW\u{1}".utf8) + [5, 0, 0, 0, 127, 0, 0, 0, 0])),
    ("another version", DecoderScript.say(Array("PIW\u{2}".utf8) + [5, 0, 0, 0, 0, 0, 0, 0, 0])),
    ("an empty ending", DecoderScript.say(WorkerFrame(.ending))),
    ("a stand-in of noise", DecoderScript.say(WorkerFrame(.degraded, [1, 2, 3]))),
    ("a second ready", DecoderScript.ready),
    ("a request", DecoderScript.say(WorkerFrame(.request))),
    ("progress beyond the end", DecoderScript.say(WorkerAnswer.progress(7))),
    (
      "the answer of another task", DecoderScript.say(WorkerAnswer(photo: nil, checksum: DecodedSamples.checksum).frame)
    ),
  ]

  @Test(arguments: nonsense.indices)
  func `a decoder that sends nonsense is replaced, and a second one is the photo's failure`(index: Int) async throws {
    let (words, line) = Self.nonsense[index]
    let lying = "\(DecoderScript.ready); \(DecoderScript.awaitRequest); \(line); exec sleep 60"
    let once = try await load(DecoderScript.starts([lying, DecoderScript.decode]))
    #expect(failure(once) == "read: whole", "\(words)")
    let twice = try await load(lying)
    #expect(
      failure(twice) == "decoder-crashed: the decoder sent what is no message on this photo, twice", "\(words)")
  }

  @Test func `a decoder that never ends talking is not listened to for ever`() async throws {
    let tells = Count()
    let talking = """
      \(DecoderScript.ready); \(DecoderScript.awaitRequest)
      while :; do \(DecoderScript.say(WorkerAnswer.progress(0.5))) || exit; done
      """
    let answer = try await load(talking) { _ in tells.add() }
    #expect(failure(answer) == "decoder-crashed: the decoder sent what is no message on this photo, twice")
    #expect(tells.value <= 2 * (ProgressSteps.most + 2))
  }

  // MARK: Time

  @Test(arguments: [
    ("says nothing", "exec sleep 60"),
    ("sends half a frame", "\(DecoderScript.say([0x50, 0x49, 0x57, 1, 5])); exec sleep 60"),
    (
      "drips",
      "\(DecoderScript.say([0x50, 0x49, 0x57, 1, 5, 0, 0, 16, 0, 0, 0, 0, 0])); while printf x >&3; do sleep 0.02; done"
    ),
    ("ignores what it can", "trap '' TERM XCPU HUP INT; sleep 60; sleep 60"),
  ])
  func `a decoder that hangs is killed when the photo's time is over`(what: String, line: String) async throws {
    let (answer, time) = try await timed(
      "\(DecoderScript.ready); \(DecoderScript.awaitRequest); \(line)", timeout: .seconds(1))
    #expect(failure(answer) == "timeout: the photo took longer than the time limit of 1 seconds")
    // Much less, but for a busy machine; the scripts above would hold on for a minute.
    #expect(time < .seconds(20), "\(what)")
  }

  @Test func `both tries of a photo share its time`() async throws {
    let dying = "\(DecoderScript.ready); \(DecoderScript.awaitRequest); sleep 0.8; kill -KILL $$"
    let answer = try await load(dying, timeout: .seconds(1))
    #expect(failure(answer) == "timeout: the photo took longer than the time limit of 1 seconds")
  }

  @Test func `a decoder that gives up by itself is a timeout too`() async throws {
    let late = DecodedPhoto(format: .jpeg, verdict: .failed(CodecError(.cancelled, "late")))
    let answer = WorkerAnswer(photo: late, checksum: DecodedSamples.checksum)
    let line = "\(DecoderScript.ready); \(DecoderScript.awaitRequest); \(DecoderScript.say(answer.frame)); sleep 60"
    #expect(
      failure(try await load(line, timeout: .seconds(3)))
        == "timeout: the photo took longer than the time limit of 3 seconds")
  }

  @Test func `a decoder's progress is told`() async throws {
    let last = Guarded(0.0)
    _ = try await load(DecoderScript.decode) { fraction in last.withLock { $0 = max($0, fraction) } }
    #expect(last.withLock { $0 } == 1)
  }

  // MARK: Starts

  @Test(arguments: [
    ("exit 2", "the decoder process ended before it was ready: exit code 2"),
    (
      DecoderScript.say([1, 2, 3] + Array(repeating: 0, count: 20)),
      "the decoder program is of another kind or version than this one"
    ),
    (DecoderScript.say(WorkerFrame(.ready, [99])), "the decoder program is of another kind or version than this one"),
    ("kill -KILL $$", "the decoder process ended before it was ready: signal 9 (SIGKILL)"),
  ])
  func `a program that is no decoder is told`(line: String, words: String) async throws {
    #expect(failure(try await load(line)) == "decoder-crashed: \(words)")
  }

  @Test func `a decoder that is killed while it starts is started again`() async throws {
    let answer = try await load(DecoderScript.starts(["kill -KILL $$", "kill -KILL $$", DecoderScript.decode]))
    #expect(failure(answer) == "read: whole")
  }
}
