import CWorkers
import Glibc
import IngestTestSupport
import Testing

@testable import Workers

/// Makes a real decoder process try what it may not do, and looks at what the kernel says of it.
@Suite(
  .timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isAvailable, "the program is not built"),
  .enabled(if: !BuiltProgram.isSanitized, "a sanitizer needs memory and files that the sandbox refuses"))
struct SandboxTests {
  static let attempts: [CWAttempt] = [
    .open, .socket, .exec, .fork, .signalParent, .connect, .unlink, .trace, .runMemory, .raiseLimit,
  ]

  @Test(arguments: attempts) func `a decoder is refused by the filter`(attempt: CWAttempt) async throws {
    let outcome = try await DecoderProcessTests.withDecoder { process in
      #expect(process.channel.send(WorkerFrame(.attempt, [UInt8(attempt.rawValue)])))
      guard case .frame(let frame, nil) = process.channel.receive(within: 20_000, limit: 8), frame.kind == .attempt
      else { throw DecoderProcessTests.NotReady() }
      var reader = MessageReader(frame.payload)
      return try reader.integer()
    }
    #expect(outcome == Int(EPERM))
  }

  @Test func `without a sandbox the same attempts go through, so that the test above can fail`() {
    for attempt in [CWAttempt.open, .socket, .runMemory] { #expect(cw_sandbox_try(attempt) == 0) }
    #expect(cw_sandbox_try(.unlink) == ENOENT)
  }

  @Test func `the kernel knows of every measure`() async throws {
    try await DecoderProcessTests.withDecoder { process in
      let pid = process.processID
      #expect(ProcessTable.field("NoNewPrivs", of: pid) == "1")
      #expect(ProcessTable.field("Seccomp", of: pid) == "2")
      #expect(ProcessTable.field("Threads", of: pid) == "1")
      #expect(
        ProcessTable.limits("Max data size", of: pid) == [
          "\(DecoderProcessTests.memory)", "\(DecoderProcessTests.memory)",
        ])
      #expect(ProcessTable.limits("Max core file size", of: pid) == ["0", "0"])
      #expect(ProcessTable.limits("Max file size", of: pid) == ["0", "0"])
      #expect(ProcessTable.limits("Max open files", of: pid) == ["8", "8"])
      #expect(ProcessTable.descriptors(of: pid) == [0, 1, 2, 3])
    }
  }

  @Test func `no descriptor of the parent goes along, whatever its flags`() async throws {
    // Not close-on-exec: what a library that knows nothing of exec leaves open.
    let stray = unsafe open("/dev/null", O_RDONLY)
    defer { close(stray) }
    try await DecoderProcessTests.withDecoder { process in
      #expect(ProcessTable.descriptors(of: process.processID) == [0, 1, 2, 3])
    }
  }

  @Test func `the processor time moves with each photo, its hard limit never`() async throws {
    try await DecoderProcessTests.withDecoder { process in
      #expect(process.allowProcessorTime(seconds: 7))
      #expect(["7", "8"].contains(ProcessTable.limits("Max cpu time", of: process.processID).first))
      #expect(process.allowProcessorTime(seconds: 100))
      let limits = ProcessTable.limits("Max cpu time", of: process.processID)
      #expect(["100", "101"].contains(limits.first) && limits.last == "unlimited", "\(limits)")
      #expect(process.allowProcessorTime(seconds: .max))
    }
  }
}
