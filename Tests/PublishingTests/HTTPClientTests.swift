import Foundation
import IngestCore
import IngestTestSupport
import Publishing
import Testing

/// Sends many requests with one client.
@Suite(.timeLimit(.minutes(2)))
struct HTTPClientTests {
  typealias Outcome = RequestOutcome<HTTPAnswer, HTTPFailure>

  private func send(_ request: HTTPRequest, with client: HTTPClient = HTTPClient()) async -> Outcome {
    var request = request
    request.allowsHTTP = true
    let ready = request
    return await withCheckedContinuation { continuation in
      client.start(ready) { outcome in
        withExtendedLifetime(client) {}
        continuation.resume(returning: outcome)
      }
    }
  }

  @Test func `a file is sent as it is, and its checksum does not depend on memory`() async throws {
    let server = try FaultServer()
    let bytes = SeededBytes.bytes(seed: 3, count: 3_000_017)
    let folder = try TemporaryFolder([.file("a", bytes)])
    let descriptor = unsafe open(folder["a"], O_RDONLY)
    let file = try #require(BodyFile(takingOver: descriptor))
    let parts = HTTPBody([.bytes(Array("<".utf8)), .file(file), .bytes(Array(">".utf8))])
    let answer = try await send(HTTPRequest("PUT", server.address + "/a", body: parts)).get()
    #expect(answer.status == 201)
    #expect(server.stored.contents["/a"] == Array("<".utf8) + bytes + Array(">".utf8))
  }

  @Test(arguments: [0, 1, 1_048_576, 1_048_577, 10_000_000])
  func `bodies of every length arrive whole`(length: Int) async throws {
    let server = try FaultServer()
    let bytes = SeededBytes.bytes(seed: 5, count: length)
    let answer = try await send(HTTPRequest("PUT", server.address + "/b", body: HTTPBody(bytes))).get()
    #expect(answer.status == 201)
    #expect(server.stored.contents["/b"] == bytes)
  }

  @Test func `a file that changes before its last byte is not taken for a whole one`() async throws {
    let server = try FaultServer()
    let folder = try TemporaryFolder([.file("a", SeededBytes.bytes(seed: 7, count: 2_000_000))])
    let descriptor = unsafe open(folder["a"], O_RDONLY)
    let file = try #require(BodyFile(takingOver: descriptor))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder["a"])
    guard
      case .failure(.reported(let failure)) = await send(
        HTTPRequest("PUT", server.address + "/a", body: HTTPBody(file)))
    else {
      Issue.record("it was sent")
      return
    }
    #expect(failure.kind == .contentChanged)
    #expect(server.stored.contents.isEmpty)
  }

  @Test func `a range of a file can be sent`() async throws {
    let server = try FaultServer()
    let folder = try TemporaryFolder([.file("a", Array(0...99))])
    let descriptor = unsafe open(folder["a"], O_RDONLY)
    defer { close(descriptor) }
    let file = try #require(BodyFile(of: descriptor, range: 10..<20))
    #expect(BodyFile(of: descriptor, range: 10..<101) == nil)
    _ = try await send(HTTPRequest("PUT", server.address + "/a", body: HTTPBody(file))).get()
    #expect(server.stored.contents["/a"] == Array(10...19))
  }

  /// Known fault L8: redirections of all kinds, to the same and to another port.
  @Test(arguments: [301, 302, 303, 307, 308], ["GET", "HEAD", "PUT", "POST"])
  func `redirections are followed where they can do no harm`(code: Int, method: String) async throws {
    let other = try FaultServer { request, _ in .status(200, body: Array(request.method.utf8)) }
    for isHome in [true, false] {
      let elsewhere = isHome ? "/new" : other.address + "/new"
      let server = try FaultServer { request, _ in
        request.path == "/new"
          ? .status(200, body: Array(request.method.utf8)) : .status(code, headers: ["Location: \(elsewhere)"])
      }
      let before = other.requests.count
      var request = HTTPRequest(method, server.address + "/old", headers: [HTTPHeader("X-Token", "secret-word")])
      if method == "PUT" || method == "POST" { request.body = HTTPBody(SeededBytes.bytes(seed: 1, count: 70_000)) }
      request.redirections = 5
      let answer = try await send(request).get()
      let isReading = method == "GET" || method == "HEAD"
      let isFollowed = isReading || (isHome && (code == 307 || code == 308))
      #expect(answer.status == (isFollowed ? 200 : code))
      let arrived = isHome ? server.requests.filter { $0.path == "/new" } : Array(other.requests[before...])
      #expect(arrived.count == (isFollowed ? 1 : 0))
      for request in arrived {
        #expect(request.method == method)
        #expect(request.headers["x-token"] == (isHome ? "secret-word" : nil))
        #expect(request.body.count == (isReading ? 0 : 70_000))
      }
    }
  }

  @Test func `five redirections are enough, and a circle ends`() async throws {
    let server = try FaultServer { request, _ in .status(302, headers: ["Location: \(request.path)x"]) }
    var request = HTTPRequest("GET", server.address + "/")
    request.redirections = 5
    #expect(try await send(request).get().status == 302)
    #expect(server.requests.count == 6)
  }

  @Test(arguments: ["file:///etc/passwd", "gopher://127.0.0.1/", "http://user:word@127.0.0.1/", "//", "http://[", ""])
  func `a redirection to something else than a plain address leads nowhere`(place: String) async throws {
    let server = try FaultServer { _, _ in .status(302, headers: ["Location: \(place)"]) }
    var request = HTTPRequest("GET", server.address + "/")
    request.redirections = 1
    switch await send(request) {
    case .success(let answer): #expect(answer.status == 302)
    case .failure(.reported(let failure)): #expect(failure.kind == .refused)
    case .failure(let other): Issue.record("\(other)")
    }
  }

  @Test func `each of a thousand requests ends once, cancelled ones too`() async throws {
    let server = try FaultServer()
    let client = HTTPClient()
    let ends = Guarded([Int](repeating: 0, count: 1000))
    let count = Count()
    let all = count.gate(at: 1000)
    for number in 0..<1000 {
      var request = HTTPRequest("PUT", server.address + "/\(number)", body: HTTPBody([UInt8(number % 256)]))
      request.allowsHTTP = true
      let cancel = client.start(request) { _ in
        ends.withLock { $0[number] += 1 }
        count.add()
      }
      if number % 3 == 0 {
        cancel()
        cancel()
      }
    }
    await all.passed()
    #expect(ends.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test func `a request that is cancelled while it waits ends as cancelled at once`() async throws {
    let server = try FaultServer { _, _ in .silence }
    let client = HTTPClient()
    var request = HTTPRequest("GET", server.address + "/")
    request.allowsHTTP = true
    let ended = Gate()
    let outcome = Guarded<Outcome?>(nil)
    let cancel = client.start(request) { end in
      outcome.withLock { $0 = end }
      ended.open()
    }
    await onOwnThread { while server.requests.isEmpty { usleep(1000) } }
    cancel()
    await ended.passed()
    #expect(outcome.withLock { $0 } == .failure(.cancelled))
  }

  @Test func `a client that goes away ends what it has in flight`() async throws {
    let server = try FaultServer { _, _ in .silence }
    var client: HTTPClient? = HTTPClient()
    var request = HTTPRequest("GET", server.address + "/")
    request.allowsHTTP = true
    let ended = Gate()
    client?.start(request) { end in
      if end == .failure(.cancelled) { ended.open() }
    }
    client = nil
    await ended.passed()
  }

  /// Known fault L3: a server that reads all and never answers, one that hangs up, one that cuts its answer off.
  @Test func `what does not answer ends within its limits, each with its kind`() async throws {
    let replies: [String: FaultServer.Reply] = [
      "/silence": .silence, "/hang-up": .hangUp, "/reset": .reset, "/cut": .cutOff(200),
    ]
    let server = try FaultServer { request, _ in replies[request.path] ?? .status(404) }
    for path in replies.keys.sorted() {
      var request = HTTPRequest("PUT", server.address + path, body: HTTPBody(SeededBytes.bytes(seed: 2, count: 50_000)))
      request.limits.stall = .seconds(1)
      guard case .failure(.reported(let failure)) = await send(request) else {
        Issue.record("\(path) was answered")
        continue
      }
      #expect(failure.kind == (path == "/silence" ? .timedOut : .broken), "\(path): \(failure)")
      #expect(failure.isPassing)
    }
    guard case .failure(.reported(let failure)) = await send(HTTPRequest("GET", "http://127.0.0.1:1/")) else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.kind == .notReached)
  }

  @Test func `an answer without end is cut, and its status holds`() async throws {
    let server = try FaultServer { _, _ in .status(500, body: SeededBytes.bytes(seed: 4, count: 300_000)) }
    var request = HTTPRequest("GET", server.address + "/")
    request.answerLimit = 1000
    let answer = try await send(request).get()
    #expect(answer.status == 500)
    #expect(answer.body.count == 1000)
    #expect(answer.isCut)
  }

  @Test func `a sink takes the body of a success, and may stop it`() async throws {
    let bytes = SeededBytes.bytes(seed: 9, count: 500_000)
    let server = try FaultServer { request, _ in .status(request.path == "/no" ? 404 : 200, body: bytes) }
    let taken = Guarded<[UInt8]>([])
    let heads = Count()
    var request = HTTPRequest("GET", server.address + "/yes")
    request.sink = HTTPSink(
      head: { answer in
        heads.add()
        return answer.header("content-length") == "500000"
      },
      bytes: { piece in
        taken.withLock { $0 += piece }
        return true
      })
    #expect(try await send(request).get().body == [])
    #expect(taken.withLock { $0 } == bytes)
    #expect(heads.value == 1)
    request.address = server.address + "/no"
    #expect(try await send(request).get().status == 404)
    #expect(heads.value == 1)
    request.address = server.address + "/yes"
    request.sink = HTTPSink(bytes: { _ in false })
    guard case .failure(.reported(let failure)) = await send(request) else {
      Issue.record("it went on")
      return
    }
    #expect(failure.kind == .stopped)
  }

  @Test func `a server that is mute to a greeting costs its second once`() async throws {
    let server = try FaultServer(greets: false)
    let client = HTTPClient()
    for number in 0..<5 {
      let body = HTTPBody(SeededBytes.bytes(seed: UInt64(number), count: 1_100_000))
      _ = try await send(HTTPRequest("PUT", server.address + "/\(number)", body: body), with: client).get()
    }
    #expect(server.requests.map { $0.headers["expect"] != nil } == [true, false, false, false, false])
  }

  @Test(arguments: [("X: a", "b"), ("X", "a\r\nY: b"), ("", "b"), ("X", "\u{0}"), ("X\n", "b"), ("X;", "b")])
  func `a header that could be two is refused`(name: String, value: String) async throws {
    let server = try FaultServer()
    let request = HTTPRequest("GET", server.address + "/", headers: [HTTPHeader(name, value)])
    guard case .failure(.reported(let failure)) = await send(request) else {
      Issue.record("it was sent")
      return
    }
    #expect(failure.kind == .refused)
    #expect(server.requests.isEmpty)
  }
}
