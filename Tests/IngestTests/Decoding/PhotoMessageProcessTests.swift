import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing
import Workers

@testable import Ingest

/// Holds the messages between a run and its decoders: what is written is read, and nothing else is.
@Suite(.timeLimit(.minutes(1))) struct PhotoMessageProcessTests {
  private static let request = DecodeRequest(thumbnailSizes: [16, 64], keepsPixels: false)

  @Test(arguments: DecodedSamples.names) func `an answer on a real photo is read as it was written`(name: String) throws
  {
    let (photo, _) = try DecodedSamples.decoded(name, Self.request)
    let answer = WorkerAnswer(photo: photo, checksum: DecodedSamples.checksum)
    let read = try WorkerAnswer(message: answer.frame.payload)
    #expect(read.frame == answer.frame)
    #expect(read.checksum == answer.checksum)
    let copy = try #require(read.photo)
    #expect(copy.verdict == photo.verdict)
    #expect(copy.metadata == photo.metadata)
    #expect(copy.header == photo.header)
    #expect(copy.thumbnails == photo.thumbnails)
    #expect(copy.notes == photo.notes)
    #expect(
      [copy.format?.rawValue, copy.profileName, copy.orientationSource?.rawValue]
        == [photo.format?.rawValue, photo.profileName, photo.orientationSource?.rawValue])
    #expect(copy.orientation == photo.orientation && copy.isFullScale == photo.isFullScale)
    #expect(copy.warnings == photo.warnings && copy.trailingBytes == photo.trailingBytes)
    #expect(answer.isPlausible(for: WorkerRequest(.decode, Self.request, .seconds(1))), "\(name)")
  }

  @Test func `an answer that is cut at any byte is malformed`() throws {
    let (photo, _) = try DecodedSamples.decoded("harbour/DSC_2.jpg", DecodeRequest(thumbnailSizes: [16]))
    let whole = WorkerAnswer(photo: photo, checksum: DecodedSamples.checksum).frame.payload
    _ = try WorkerAnswer(message: whole)
    for length in whole.indices {
      #expect(throws: MessageReader.Malformed()) { try WorkerAnswer(message: Array(whole[..<length])) }
    }
    #expect(throws: MessageReader.Malformed()) { try WorkerAnswer(message: whole + [0]) }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `an answer with wrong bytes never traps the run`(seed: UInt64) throws {
    let (photo, _) = try DecodedSamples.decoded("pebbles.jpg", DecodeRequest(thumbnailSizes: [16]))
    let whole = WorkerAnswer(photo: photo, checksum: DecodedSamples.checksum).frame.payload
    var random = SeededBytes(seed: seed)
    let work = WorkerRequest(.decode, Self.request, .seconds(1))
    for _ in 0..<200 {
      var bytes = whole
      for byte in random.next(count: 3) {
        // The facts come first; the pictures behind them are bytes to us.
        let place = (Int(byte) * 256 + Int(random.next(count: 1)[0])) % min(bytes.count, 800)
        bytes[place] = random.next(count: 1)[0]
      }
      guard let answer = try? WorkerAnswer(message: bytes), answer.isPlausible(for: work) else { continue }
      // What passes must be safe to make a row of.
      let row = AssetRow(
        path: RelativePath("a.jpg"), photo: answer.photo, identity: try Self.identity(), sha256: nil, preview: nil,
        overruling: nil)
      _ = ManifestEncoder(order: .name).row(row).line(index: 0)
    }
  }

  private static func identity() throws -> FileIdentity {
    let folder = try TemporaryFolder([.text("a", "a")])
    return try SourceFolder.open(Array(folder.path.utf8)).open(RelativePath("a")).identity
  }

  @Test func `a stand-in is read as it was written, and cut or longer is malformed`() throws {
    let request = DecodeRequest(thumbnailSizes: [16], keepsPixels: true)
    let (_, standIn) = try DecodedSamples.decoded("pebbles.jpg", request)
    let sent = try #require(standIn)
    let payload = sent.frame.payload
    let read = try StandInPicture(message: payload)
    #expect(read.source == sent.source && read.width == sent.width && read.height == sent.height)
    #expect(read.pixels == sent.pixels && sent.pixels != nil)
    for length in payload.indices where length < 200 || length % 977 == 0 {
      #expect(throws: MessageReader.Malformed()) { try StandInPicture(message: Array(payload[..<length])) }
    }
    #expect(throws: MessageReader.Malformed()) { try StandInPicture(message: payload + [0]) }
    let work = WorkerRequest(.decode, DecodeRequest(keepsPixels: false), .seconds(1))
    #expect(throws: MessageReader.Malformed()) { try StandInPicture(message: payload, for: work) }
  }

  private static let requests: [WorkerRequest] = [
    WorkerRequest(.decode, DecodeRequest(), .seconds(20)),
    WorkerRequest(.standIn, DecodeRequest(scale: .full, wantsStandIn: false, keepsPixels: true), .milliseconds(1)),
    WorkerRequest(.decode, DecodeRequest(pixels: .maximum), .zero, progressSize: .max),
    WorkerRequest(.decode, DecodeRequest(pixels: .longSide(1234)), .seconds(Int64.max), progressSize: 0),
    WorkerRequest(.decode, DecodeRequest(thumbnailSizes: Array(1...8192)), .seconds(-5)),
    WorkerRequest(.decode, DecodeRequest(limits: DecodeLimits(maxPixels: .max, maxMemory: .max)), .seconds(86_400)),
  ]

  @Test(arguments: requests) func `a request is read as it was written, and cut or longer is malformed`(
    request: WorkerRequest
  ) throws {
    let payload = request.frame.payload
    #expect(try WorkerRequest(message: payload) == request)
    #expect(payload.count < 1 << 20)
    for length in payload.indices where length < 200 || length % 977 == 0 {
      #expect(throws: MessageReader.Malformed()) { try WorkerRequest(message: Array(payload[..<length])) }
    }
    #expect(throws: MessageReader.Malformed()) { try WorkerRequest(message: payload + [0]) }
  }

  @Test(arguments: [-0.01, 1.01, .nan, .infinity]) func `progress is a fraction`(fraction: Double) throws {
    #expect(throws: MessageReader.Malformed()) {
      try WorkerAnswer.fraction(WorkerAnswer.progress(fraction).payload)
    }
    #expect(try WorkerAnswer.fraction(WorkerAnswer.progress(0.25).payload) == 0.25)
  }

  @Test func `progress comes in at most a hundred and one steps, rising`() {
    var steps = ProgressSteps()
    let told = (0...10_000).map { Double($0) / 10_000 }.filter { steps.isNew($0) }
    #expect(told.count == ProgressSteps.most)
    #expect(told == told.sorted())
    let isNew = steps.isNew(0.5)
    #expect(!isNew)
  }

  // MARK: What a taken-over decoder might claim

  private static func claim(_ change: (inout DecodedPhoto) -> Void) throws -> WorkerAnswer {
    var (photo, _) = try DecodedSamples.decoded("pebbles.jpg", request)
    change(&photo)
    return WorkerAnswer(photo: photo, checksum: DecodedSamples.checksum)
  }

  private static let work = WorkerRequest(.decode, request, .seconds(1))
  private static let picture = EncodedThumbnail(size: 64, width: 64, height: 48, jpeg: [0xFF, 0xD8, 0xFF])

  private static let lies: [(String, @Sendable (inout DecodedPhoto) -> Void)] = [
    ("a size that nobody asked for", { $0.thumbnails = [.init(size: 99, width: 9, height: 9, jpeg: [0xFF, 0xD8])] }),
    ("a size twice", { $0.thumbnails = [picture, picture] }),
    (
      "a picture larger than its size", { $0.thumbnails = [.init(size: 64, width: 65, height: 1, jpeg: [0xFF, 0xD8])] }
    ),
    ("a picture of no size", { $0.thumbnails = [.init(size: 64, width: 0, height: 1, jpeg: [0xFF, 0xD8])] }),
    ("a picture that is no JPEG", { $0.thumbnails = [.init(size: 64, width: 1, height: 1, jpeg: [0x3C, 0x68])] }),
    ("pixels that nobody asked for", { $0.pixels = PixelBuffer(width: 1, height: 1, pixels: [1, 2, 3]) }),
    ("a whole photo without a header", { $0.header = nil }),
    ("a whole photo of no format", { $0.format = nil }),
    ("pictures of a failed photo", { $0.verdict = .failed(CodecError(.corrupt, "no")) }),
  ]

  @Test(arguments: lies.indices) func `an answer that does not fit the request is not believed`(index: Int) throws {
    let (words, lie) = Self.lies[index]
    #expect(try Self.claim({ _ in }).isPlausible(for: Self.work))
    #expect(try !Self.claim(lie).isPlausible(for: Self.work), "\(words)")
  }

  @Test func `an answer of the other task is not believed`() throws {
    let standIn = WorkerRequest(.standIn, Self.request, .seconds(1))
    #expect(try !Self.claim({ _ in }).isPlausible(for: standIn))
    let empty = WorkerAnswer(photo: nil, checksum: DecodedSamples.checksum)
    #expect(empty.isPlausible(for: standIn) && !empty.isPlausible(for: Self.work))
  }

  @Test(arguments: ["Upper", "with space", "", "\u{1B}[2J", String(repeating: "a", count: 41), "gr\u{FC}n"])
  func `a note is a plain word`(note: String) throws {
    let answer = try Self.claim { $0.notes = [note] }
    #expect(throws: MessageReader.Malformed()) { try WorkerAnswer(message: answer.frame.payload) }
  }

  private static let checksums: [(String, Int32)] = [
    ("", 0), ("00", 0), (String(repeating: "G", count: 64), 0), (String(repeating: "AB", count: 32), 0),
    (String(repeating: "00", count: 32), 5), ("", -1), ("", 4096),
  ]

  @Test(arguments: checksums) func `a checksum is 64 digits, or none after an error`(sha256: String, error: Int32)
    throws
  {
    let checksum = DecodeAnswer.Checksum(sha256: sha256, bytesRead: 1, errorNumber: error)
    let answer = WorkerAnswer(photo: nil, checksum: checksum)
    #expect(throws: MessageReader.Malformed()) { try WorkerAnswer(message: answer.frame.payload) }
  }

  @Test func `an error number comes without a checksum`() throws {
    let checksum = DecodeAnswer.Checksum(sha256: "", bytesRead: 1, errorNumber: 5)
    let answer = WorkerAnswer(photo: nil, checksum: checksum)
    #expect(try WorkerAnswer(message: answer.frame.payload).checksum == checksum)
  }

  // MARK: Memory

  @Test func `a decoder's memory counts what it is to deliver`() {
    let plain = DecodeWorker.memory(for: DecodeRequest())
    #expect(plain >= DecodeRequest().limits.maxMemory + (64 << 20))
    let large = DecodeWorker.memory(for: DecodeRequest(thumbnailSizes: [8192]))
    #expect(large >= plain + 3 * 8192 * 8192 * 3)
    let limits = DecodeLimits(maxPixels: .max, maxMemory: .max)
    #expect(DecodeWorker.memory(for: DecodeRequest(thumbnailSizes: [.max], keepsPixels: true, limits: limits)) == .max)
  }

  @Test func `an answer may be as long as what was asked for, and no longer`() {
    func longest(_ request: DecodeRequest) -> Int {
      WorkerAnswer.longest(for: WorkerRequest(.decode, request, .seconds(1)))
    }
    #expect(longest(DecodeRequest(thumbnailSizes: [256])) < 64 << 20)
    #expect(longest(DecodeRequest(keepsPixels: true)) >= DecodeRequest().limits.maxPixels * 3)
    #expect(longest(DecodeRequest(thumbnailSizes: [.max])) == WorkerFrame.maximumLength)
  }
}
