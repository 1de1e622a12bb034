import Foundation
import IngestTestSupport
import Publishing
import Testing

/// Sends requests to a server of this machine.
@Suite(.timeLimit(.minutes(1)))
struct HTTPRequestTests {
  private func send(
    _ address: String, body: [UInt8]? = nil, allowsHTTP: Bool = true, limit: Duration = .seconds(10)
  ) async -> Result<Int, HTTPFailure> {
    await onOwnThread {
      var request = HTTPRequest(address, body: body, timeLimit: limit)
      request.allowsHTTP = allowsHTTP
      return Result { () throws(HTTPFailure) in try request.send().status }
    }
  }

  @Test func `a GET and a POST arrive as they were meant, also with an empty body`() async throws {
    let server = try TinyHTTPServer()
    #expect(await send(server.address + "/a?b=c") == .success(200))
    #expect(await send(server.address + "/d", body: Array("words\n".utf8)) == .success(200))
    #expect(await send(server.address + "/e", body: []) == .success(200))
    #expect(
      server.requests == [
        .init(method: "GET", path: "/a?b=c", body: ""), .init(method: "POST", path: "/d", body: "words\n"),
        .init(method: "POST", path: "/e", body: ""),
      ])
  }

  @Test(arguments: [204, 301, 404, 500])
  func `the status is the answer, and a redirection is not followed`(code: Int) async throws {
    let server = try TinyHTTPServer { _, _ in .status(code, header: "Location: /elsewhere\r\n") }
    #expect(await send(server.address + "/x") == .success(code))
    #expect(server.requests.count == 1)
  }

  @Test func `http is refused unless it is allowed, and so is every other scheme`() async throws {
    let server = try TinyHTTPServer()
    for address in [server.address, "file:///etc/hostname", "gopher://127.0.0.1:\(server.port)/", "nonsense"] {
      guard case .failure = await send(address, allowsHTTP: false) else {
        Issue.record("\(address) was sent")
        continue
      }
    }
    #expect(server.requests == [])
    let folder = try TemporaryFolder([.text("a", "x")])
    guard case .failure = await send("file://" + folder["a"]) else {
      Issue.record("a file was read")
      return
    }
  }

  @Test func `a server that says nothing costs the time limit`() async throws {
    let server = try TinyHTTPServer { _, _ in .silence }
    let clock = ContinuousClock()
    let start = clock.now
    let result = await send(server.address + "/secret-word", limit: .milliseconds(200))
    #expect(clock.now - start < .seconds(20))
    guard case .failure(let failure) = result else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.reason.contains("timed out"))
    #expect(!failure.reason.contains("secret-word"))
  }

  @Test func `a server that hangs up or is not there is a failure with a reason that tells no secret`() async throws {
    let server = try TinyHTTPServer { _, _ in .hangUp }
    for address in [server.address, "http://127.0.0.1:1", "http://no-such-host.invalid"] {
      guard case .failure(let failure) = await send(address + "/secret-word") else {
        Issue.record("\(address) was answered")
        continue
      }
      #expect(!failure.reason.isEmpty)
      #expect(!failure.reason.contains("secret-word"))
    }
  }

  @Test func `an https server that nobody vouches for is not talked to`() async throws {
    let server = try TinyHTTPServer()
    let plain = await send("https://127.0.0.1:\(server.port)/")
    guard case .failure = plain else {
      Issue.record("plain words were taken for https")
      return
    }
    #expect(server.requests == [])
  }

  @Test(arguments: ["http://127.0.0.1/a b", "http://127.0.0.1/\r\nX: y", "http://127.0.0.1/\u{0}"])
  func `an address that could hold more than one line is refused`(address: String) async {
    #expect(await send(address) == .failure(HTTPFailure(reason: "the address holds a blank or a control character")))
  }

  @Test func `many threads may send at once`() async throws {
    let server = try TinyHTTPServer()
    await withTaskGroup(of: Result<Int, HTTPFailure>.self) { group in
      for number in 0..<12 { group.addTask { await send(server.address + "/\(number)") } }
      for await result in group { #expect(result == .success(200)) }
    }
    #expect(Set(server.requests.map(\.path)).count == 12)
  }
}
