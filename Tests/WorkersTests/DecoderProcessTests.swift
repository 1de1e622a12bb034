import Glibc
import IngestTestSupport
import Testing

@testable import Workers

/// Talks to a real decoder process as a run would, and as no run would.
@Suite(.timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct DecoderProcessTests {
  static let memory = 512 << 20

  /// Starts a decoder, waits until it is ready, and hands it over; all on one thread, with which the decoder would die.
  static func withDecoder<Value: Sendable>(
    _ body: @escaping @Sendable (DecoderProcess) throws -> Value
  ) async throws -> Value {
    try await onOwnThread {
      let process = try DecoderProcess.start(program: BuiltProgram.path, memory: memory)
      defer { process.kill() }
      guard case .frame(let frame, nil) = process.channel.receive(within: 20_000, limit: 16) else {
        throw NotReady()
      }
      #expect(SandboxMeasure.refused(in: frame) == [])
      return try body(process)
    }
  }

  struct NotReady: Error {}

  @Test func `a decoder whose run hangs up ends by itself`() async throws {
    let pid = try await onOwnThread {
      var process: DecoderProcess? = try DecoderProcess.start(program: BuiltProgram.path, memory: Self.memory)
      let pid = try #require(process?.processID)
      guard case .frame = process?.channel.receive(within: 20_000, limit: 16) else { throw NotReady() }
      process = nil
      return pid
    }
    #expect(!ProcessTable.isAlive(pid))
  }

  @Test func `a decoder dies with the thread that started it`() async throws {
    let kept = Kept()
    let pid = try await onOwnThread {
      let process = try DecoderProcess.start(program: BuiltProgram.path, memory: Self.memory)
      guard case .frame = process.channel.receive(within: 20_000, limit: 16) else { throw NotReady() }
      // Held on beyond the thread: only the kernel can end it now.
      kept.hold(process)
      return process.processID
    }
    #expect(await onOwnThread { ProcessTable.waits { !ProcessTable.isAlive(pid) } })
    await onOwnThread { kept.release() }
  }

  // MARK: What no run sends

  @Test(arguments: 0..<12 as Range<UInt64>) func `a decoder that is sent noise exits with 1`(seed: UInt64) async throws
  {
    let ending = try await Self.withDecoder { process in
      RawSending.send(SeededBytes.bytes(seed: seed, count: 13 + Int(seed) * 40), on: process)
      guard case .closed = process.channel.receive(within: 20_000, limit: 16) else { throw NotReady() }
      return process.reap()
    }
    #expect(ending == .exited(1))
  }

  private static let strange: [WorkerFrame] = [
    WorkerFrame(.request, [0]), WorkerFrame(.ready), WorkerFrame(.degraded, [1]), WorkerFrame(.progress),
    WorkerFrame(.ending), WorkerFrame(.attempt), WorkerFrame(.attempt, [200]), WorkerFrame(.attempt, [0, 0]),
    WorkerFrame(.request, Array(repeating: 0, count: DecoderService.longestRequest + 1)),
  ]

  @Test(arguments: strange) func `a frame that is none of a run's makes a decoder exit with 1`(
    frame: WorkerFrame
  ) async throws {
    let ending = try await Self.withDecoder { process in
      // A long one may not be taken to its end.
      _ = process.channel.send(frame)
      while case .frame = process.channel.receive(within: 20_000, limit: 16) {}
      return process.reap()
    }
    #expect(ending == .exited(1))
  }

  @Test(arguments: ["fifo", "folder", "pipe", "closed pipe", "socket", "device", "write-only", "empty"])
  func `a descriptor that is no photo is answered or ends the decoder, and never holds it`(kind: String) async throws {
    let ending = try await Self.withDecoder { process in
      let folder = try TemporaryFolder()
      let descriptor = try OddDescriptor.open(kind, in: folder)
      defer { close(descriptor) }
      // No request that a decoder knows: only what it does with the descriptor before that matters here.
      #expect(process.channel.send(WorkerFrame(.request, [9]), descriptor: descriptor))
      guard case .closed = process.channel.receive(within: 20_000, limit: 1 << 20) else { throw NotReady() }
      return process.reap()
    }
    #expect(ending == .exited(1))
  }

  @Test func `half a frame holds a decoder only as long as its run lives`() async throws {
    try await Self.withDecoder { process in
      RawSending.send(Array(WorkerFrame(.request, [1, 2, 3]).encoded.dropLast()), on: process)
      guard case .timedOut = process.channel.receive(within: 50, limit: 16) else { throw NotReady() }
      #expect(ProcessTable.isAlive(process.processID))
      process.kill()
      #expect(!ProcessTable.isAlive(process.processID))
    }
  }

  // MARK: How a decoder ends

  @Test(arguments: [
    (SIGKILL, "signal 9 (SIGKILL)"), (SIGTERM, "signal 15 (SIGTERM)"), (SIGXCPU, "signal 24 (SIGXCPU)"),
  ])
  func `a signal is named`(signal: Int32, words: String) async throws {
    let ending = try await Self.withDecoder { process in
      kill(process.processID, signal)
      guard case .closed = process.channel.receive(within: 20_000, limit: 16) else { throw NotReady() }
      return process.reap()
    }
    #expect("\(ending)" == words)
  }

  @Test func `one that hangs up and lives on is killed and called so`() async throws {
    let folder = try TemporaryFolder()
    let program = try folder.script("lives-on", "exec 3>&-; exec sleep 60")
    let (ending, pid) = try await onOwnThread {
      let process = try DecoderProcess.start(program: program, memory: 1)
      guard case .closed = process.channel.receive(within: 20_000, limit: 16) else { throw NotReady() }
      return (process.reap(), process.processID)
    }
    #expect(ending == .hungUp)
    #expect(!ProcessTable.isAlive(pid))
  }

  @Test func `an exit code is named, and asked for twice is the same`() async throws {
    let folder = try TemporaryFolder()
    let program = try folder.script("exits", "exit 7")
    let endings = try await onOwnThread {
      let process = try DecoderProcess.start(program: program, memory: 1)
      return [process.reap(), process.reap()]
    }
    #expect(endings == [.exited(7), .exited(7)])
  }

  @Test func `a program that is not there is told in the system's words`() async throws {
    let failure = await #expect(throws: DecoderProcess.StartFailure.self) {
      try await onOwnThread { () throws in
        _ = try DecoderProcess.start(program: "/nonexistent/photo-ingest", memory: 1)
      }
    }
    #expect(failure?.reason == "No such file or directory")
    #expect(failure?.mayPass == false)
  }

  @Test func `somebody who types the decoder's word gets usage, not a decoder`() async throws {
    let result = try await Command(BuiltProgram.path, ["decode-worker", "1000000"]).run()
    #expect(result.end == .exited(2), "\(result)")
    #expect(result.errorText != "")
  }

  @Test func `an ignored SIGCHLD, inherited from whoever started the run, hides no ending`() async throws {
    let stage = try TemporaryFolder([.folder("in", [.text("a.jpg", "")])])
    let command = Command(
      "/bin/sh",
      ["-c", "trap '' CHLD; exec \"$@\"", "sh", BuiltProgram.path, "run", stage["in"], "-o", stage["out"]])
    let result = try await command.run()
    #expect(result.end == .exited(3), "\(result)")
  }
}

/// Keeps something beyond the life of a thread.
///
/// `@unchecked Sendable`: held and released one after the other, with a join between.
private final class Kept: @unchecked Sendable {
  private var process: DecoderProcess?
  func hold(_ process: DecoderProcess) { self.process = process }
  func release() { process = nil }
}

/// Sends what no channel would send.
enum RawSending {
  static func send(_ bytes: [UInt8], on process: DecoderProcess) {
    // The socket is the channel's own; the tests know where it is.
    let descriptor = process.channel.socket
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    #expect(count == bytes.count)
  }
}

/// Opens what a run would never pass on.
enum OddDescriptor {
  static func open(_ kind: String, in folder: TemporaryFolder) throws -> Int32 {
    var pair: [Int32] = [-1, -1]
    switch kind {
    case "fifo":
      try #require(unsafe mkfifo(folder["fifo"], 0o600) == 0)
      return unsafe Glibc.open(folder["fifo"], O_RDWR | O_CLOEXEC)
    case "folder": return unsafe Glibc.open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    case "pipe", "closed pipe":
      try #require(unsafe Glibc.pipe(&pair) == 0)
      for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      // Of an open pipe our writing end stays for good: a reader would wait for ever.
      if kind == "closed pipe" { close(pair[1]) }
      return pair[0]
    case "socket":
      try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
      return pair[0]
    case "device": return unsafe Glibc.open("/dev/zero", O_RDONLY | O_CLOEXEC)
    case "write-only": return unsafe Glibc.open(try folder.file("w", [1, 2]), O_WRONLY | O_CLOEXEC)
    default: return unsafe Glibc.open(try folder.file("e"), O_RDONLY | O_CLOEXEC)
    }
  }
}
