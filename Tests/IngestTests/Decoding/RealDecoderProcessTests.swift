import Glibc
import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing
import Workers

@testable import Ingest

/// Talks to the real decoder program with real requests.
@Suite(.timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct RealDecoderProcessTests {
  /// Sends one request with this descriptor and returns the answer, or nil and the ending of the decoder.
  private func ask(_ task: WorkerRequest.Task, about path: String, flags: Int32) async throws -> WorkerAnswer? {
    let request = WorkerRequest(task, DecodeRequest(thumbnailSizes: [32]), .seconds(10))
    return try await onOwnThread {
      let process = try DecoderProcess.start(program: BuiltProgram.path, memory: 512 << 20)
      defer { process.kill() }
      guard case .frame = process.channel.receive(within: 20_000, limit: 16) else { return nil }
      let descriptor = unsafe open(path, flags | O_CLOEXEC)
      defer { close(descriptor) }
      #expect(process.channel.send(request.frame, descriptor: descriptor))
      while case .frame(let frame, nil) = process.channel.receive(within: 20_000, limit: 1 << 24) {
        if frame.kind == .ending { return try WorkerAnswer(message: frame.payload) }
      }
      return nil
    }
  }

  @Test func `a descriptor that cannot be read is answered with the system's error`() async throws {
    let folder = try TemporaryFolder([.text("a", "abc")])
    let answer = try #require(try await ask(.decode, about: folder["a"], flags: O_WRONLY))
    #expect(answer.checksum == DecodeAnswer.Checksum(sha256: "", bytesRead: 0, errorNumber: EBADF))
  }

  @Test func `an empty file is answered`() async throws {
    let folder = try TemporaryFolder([.text("a", "")])
    let answer = try #require(try await ask(.decode, about: folder["a"], flags: O_RDONLY))
    #expect(answer.checksum.sha256 == SHA256Digest.hex(of: []))
    #expect(answer.photo?.verdict == .failed(CodecError(.empty, "the file is empty")))
  }

  @Test(arguments: DecodedSamples.names) func `a decoder sees what a decode in this process sees`(name: String)
    async throws
  {
    let answer = try #require(
      try await ask(.decode, about: "\(DecodedSamples.folder)/\(name)", flags: O_RDONLY))
    let (photo, _) = try DecodedSamples.decoded(name, DecodeRequest(thumbnailSizes: [32]))
    let wanted = WorkerAnswer(photo: photo, checksum: answer.checksum)
    #expect(answer.frame == wanted.frame)
    #expect(answer.checksum.sha256 == SHA256Digest.hex(of: try DecodedSamples.bytes(name)))
  }

  @Test func `a stand-in that was asked for alone comes without a photo`() async throws {
    let answer = try #require(
      try await ask(.standIn, about: "\(DecodedSamples.folder)/pebbles.jpg", flags: O_RDONLY))
    #expect(answer.photo == nil)
  }

  @Test func `one decoder takes many photos and keeps none of their descriptors`() async throws {
    let request = WorkerRequest(.decode, DecodeRequest(thumbnailSizes: [32]), .seconds(10))
    try await onOwnThread {
      let process = try DecoderProcess.start(program: BuiltProgram.path, memory: 512 << 20)
      defer { process.kill() }
      guard case .frame = process.channel.receive(within: 20_000, limit: 16) else { return }
      for _ in 0..<50 {
        let descriptor = unsafe open("\(DecodedSamples.folder)/harbour/DSC_3.jpg", O_RDONLY | O_CLOEXEC)
        #expect(process.channel.send(request.frame, descriptor: descriptor))
        close(descriptor)
        var hasEnded = false
        while !hasEnded, case .frame(let frame, nil) = process.channel.receive(within: 20_000, limit: 1 << 24) {
          hasEnded = frame.kind == .ending
        }
        #expect(hasEnded)
      }
      // The last photo is closed just after its answer.
      let isClean = ProcessTable.waits { ProcessTable.descriptors(of: process.processID) == [0, 1, 2, 3] }
      #expect(isClean || BuiltProgram.isSanitized)
    }
  }
}
