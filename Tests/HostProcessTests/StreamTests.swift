import Foundation
import Glibc
import Testing

@testable import HostProcess

@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
  private static func makePipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    _ = unsafe pipe(&ends)
    return (ends[0], ends[1])
  }

  @Test func `a stream whose reader left says so for ever and kills nobody`() async {
    await #expect(processExitsWith: .success) {
      HostProcess.ignoreWriteSignals()
      let ends = StreamTests.makePipe()
      let stream = OutputStream(descriptor: ends.write, isOwned: true)
      #expect(stream.write([1, 2, 3]))
      close(ends.read)
      #expect(!stream.write([1, 2, 3]))
      #expect(stream.isBrokenPipe)
      #expect(stream.lossReason == nil)
      #expect(!stream.write([]))
    }
  }

  @Test func `a full disk is no reader that left`() throws {
    let stream = try OutputStream.appending(to: Array("/dev/full".utf8))
    #expect(!stream.write([1]))
    #expect(!stream.isBrokenPipe)
    #expect(stream.lossReason == "No space left on device")
  }

  @Test func `more bytes than a pipe holds go out whole, also through a non-blocking pipe`() async {
    let ends = StreamTests.makePipe()
    _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
    let stream = OutputStream(descriptor: ends.write, isOwned: true)
    let sent = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let isSent = await withCheckedContinuation { continuation in
      _ = OwnThread.start(name: "writer") { continuation.resume(returning: stream.write(sent)) }
      _ = OwnThread.start(name: "reader") {
        var left = sent.count
        var chunk = [UInt8](repeating: 0, count: 7000)
        while left > 0 {
          let count = unsafe read(ends.read, &chunk, chunk.count)
          guard count > 0 else { return }
          left -= count
        }
      }
    }
    #expect(isSent)
    #expect(!stream.isTerminal)
    #expect(stream.terminalWidth == nil)
  }

  @Test func `a stream on a full disk says what was lost`() {
    let stream = OutputStream(descriptor: unsafe open("/dev/full", O_WRONLY), isOwned: true)
    #expect(stream.lossReason == nil)
    #expect(!stream.write([1]))
    #expect(stream.lossReason == "No space left on device")
  }

  @Test func `a log file is appended to`() throws {
    let path = "/tmp/photo-ingest-log-\(getpid())"
    defer { unsafe unlink(path) }
    for text in ["one\n", "two\n"] {
      #expect(try OutputStream.appending(to: Array(path.utf8)).write(Array(text.utf8)))
    }
    #expect(try InputStream.readAll(Array(path.utf8)) == Array("one\ntwo\n".utf8))
    let refused = #expect(throws: StreamError.self) { try InputStream.readAll(Array(path.utf8), limit: 7) }
    #expect(refused?.description == "\(path): cannot be read: File too large")
  }

  @Test func `a log file that cannot be opened says why`() {
    let refused = #expect(throws: StreamError.self) {
      try OutputStream.appending(to: Array("/nowhere/log".utf8))
    }
    #expect(refused?.description == "/nowhere/log: cannot be opened: No such file or directory")
  }

  @Test func `standard streams that were closed lead to nowhere`() async {
    await #expect(processExitsWith: .success) {
      close(0)
      close(1)
      HostProcess.openStandardStreams()
      // Another thread of the test's own may have been given a free number in between; then there is nothing to be seen.
      let names = try (0...1).map { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      if names != ["/dev/null", "/dev/null"] { return }
      let closed = #expect(throws: StreamError.self) { try InputStream.readAll(nil) }
      #expect(closed?.errno == EBADF)
      #expect(OutputStream.standardOutput.write([1]))
      let next = unsafe open("/dev/null", O_RDONLY)
      #expect(next > 2)
    }
  }
}
