import Dispatch
import Foundation
import IngestCore
import IngestTestSupport
import Publishing
import Testing

/// Uploads many objects to servers that do wrong.
@Suite(.timeLimit(.minutes(3)))
struct UploaderTests {
  typealias Outcome = RequestOutcome<UploadEnd, UploadFault>

  private struct Trial {
    var count = 20
    var atOnce = 8
    var rules: RetryRules = {
      var rules = RetryRules()
      rules.first = .milliseconds(1)
      return rules
    }()
    var tokens: any TokenSource = NoToken()
    var headers: [String] = []
    var isContentNamed = true
    var stall: Duration = .seconds(30)

    func run(_ server: FaultServer, control: CollectionControl = CollectionControl()) async throws -> SlotReport<
      UploadEnd, UploadFault
    > {
      let headers = try headers.map { try HeaderTemplate($0, secrets: [:]) }
      let target = try PlainTarget(url: server.address + "/{key}", headers: headers, isContentNamed: isContentNamed)
      let stall = stall
      let uploader = Uploader(
        client: HTTPClient(), target: target, tokens: tokens, atOnce: atOnce, rules: rules,
        now: { Int64(Date().timeIntervalSince1970) },
        prepare: { request in
          request.allowsHTTP = true
          request.limits.stall = stall
        })
      let items = (0..<count).map { number in
        let bytes = Array("photo \(number)".utf8)
        return UploadItem(UploadObject(key: "\(number)", sha256: "\(number)", bytes: Int64(bytes.count))) {
          (UploadObject(key: "\(number)", sha256: "\(number)", bytes: Int64(bytes.count)), HTTPBody(bytes))
        }
      }
      return await ResultSlots(limits: RequestLimits(atOnce: atOnce), partial: .mark).run(
        items, control: control, task: { item, _, done in uploader.upload(item, done) })
    }
  }

  private func storedOnce(_ server: FaultServer, _ count: Int) -> Bool {
    let stored = server.stored
    return stored.stores == Dictionary(uniqueKeysWithValues: (0..<count).map { ("/\($0)", 1) })
      && (0..<count).allSatisfy { stored.contents["/\($0)"] == Array("photo \($0)".utf8) }
  }

  /// Known fault L1: results in the order of the items, though the last ones finish first.
  @Test func `a thousand uploads that finish backwards stand in their own slots`() async throws {
    let order = Guarded<[String]>([])
    let queue = BackwardsQueue(count: 1000, atOnce: 8)
    let server = try FaultServer { request, server in
      guard request.method == "PUT" else { return server.plainReply(request) }
      queue.wait()
      order.withLock { $0.append(request.path) }
      return server.plainReply(request)
    }
    var trial = Trial()
    trial.count = 1000
    let report = try await trial.run(server)
    #expect(report.values == Array(repeating: .sent, count: 1000))
    #expect(report.ignored.repeated == 0 && report.ignored.late == 0)
    #expect(storedOnce(server, 1000))
    #expect(order.withLock { $0 } != (0..<1000).map { "/\($0)" })
  }

  /// Known fault L2: one final result for each, and a bad one stops no other.
  @Test func `a server that fails two items fails these two`() async throws {
    let server = try FaultServer { request, server in
      ["/3", "/19"].contains(request.path) && request.method == "PUT" ? .status(500) : server.plainReply(request)
    }
    let report = try await Trial().run(server)
    #expect(report.faults.map(\.index) == [3, 19])
    #expect(report.slots.count == 20)
    for fault in report.faults {
      #expect(fault.failure == .reported(UploadFault("the server answers 500 (tried 5 times)")))
    }
    #expect(server.requests.count { $0.path == "/3" && $0.method == "PUT" } == 5)
  }

  /// Known fault L3.
  @Test func `a server that never answers for one item keeps nobody waiting beyond the limit`() async throws {
    let server = try FaultServer { request, server in
      request.path == "/7" && request.method == "PUT" ? .silence : server.plainReply(request)
    }
    var trial = Trial()
    trial.stall = .seconds(1)
    trial.rules.tries = 2
    let report = try await trial.run(server)
    #expect(report.faults.map(\.index) == [7])
    #expect(report.abandoned == 0)
  }

  /// Known fault L4: a token that runs out is fetched once for all.
  @Test func `a token good for ten requests is renewed, once each time, for all`() async throws {
    let used = Guarded<[String: Int]>([:])
    let served = Count()
    let server = try FaultServer { request, server in
      if request.path == "/token" {
        return .status(200, body: Array(#"{"data":{"token":"word-\#(served.add())"}}"#.utf8))
      }
      let token = request.headers["authorization"] ?? ""
      let uses = used.withLock { used in
        used[token, default: 0] += 1
        return used[token] ?? 0
      }
      return uses > 10 || token != "Bearer word-\(served.value)" ? .status(401) : server.plainReply(request)
    }
    var trial = Trial()
    trial.count = 100
    trial.headers = ["Authorization: Bearer {token}"]
    trial.tokens = try ServedToken(url: server.address + "/token", pointer: "/data/token")
    let report = try await trial.run(server)
    #expect(report.values?.count == 100)
    #expect(storedOnce(server, 100))
    // 100 questions and 100 uploads, ten for each token; a few tokens are spent on answers of 401.
    #expect((20...45).contains(served.value))
  }

  @Test(arguments: [401, 403, 404])
  func `a server that takes no token at all is asked for a second one, and no more`(question: Int) async throws {
    let served = Count()
    let server = try FaultServer { request, _ in
      guard request.path == "/token" else { return .status(request.method == "HEAD" ? question : 401) }
      return .status(200, body: Array("word-\(served.add())\n".utf8))
    }
    var trial = Trial()
    trial.count = 200
    trial.headers = ["Authorization: Bearer {token}"]
    trial.tokens = try ServedToken(url: server.address + "/token", pointer: nil)
    let report = try await trial.run(server)
    #expect(report.faults.count == 200)
    #expect(served.value <= 3)
    #expect(server.requests.count < 100)
    let pending = report.faults.count { fault in
      if case .reported(let reason) = fault.failure { reason.isPending } else { false }
    }
    #expect(pending == 200, "no photo is to blame, so no list without them is final")
  }

  /// Known fault L6: the server stores and answers 504.
  @Test(arguments: [504, 503, 500, 0])
  func `what was stored though the answer was bad is not sent again`(code: Int) async throws {
    let server = try FaultServer { request, server in
      guard request.method == "PUT" else { return server.plainReply(request) }
      server.store(request)
      return code == 0 ? .hangUp : .status(code)
    }
    var trial = Trial()
    trial.count = 12
    let report = try await trial.run(server)
    #expect(report.values == Array(repeating: .present, count: 12))
    #expect(storedOnce(server, 12))
  }

  @Test(arguments: [true, false])
  func `a server that asks for patience is given it, in seconds or by a date`(isDate: Bool) async throws {
    let refused = Guarded<[String: Date]>([:])
    let early = Count()
    let server = try FaultServer { request, server in
      guard request.method == "PUT" else { return server.plainReply(request) }
      let now = Date()
      let first = refused.withLock { refused in
        defer { refused[request.path] = refused[request.path] ?? now }
        return refused[request.path]
      }
      guard let first else {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        // A date has whole seconds, so two ahead are more than one.
        return .status(429, headers: ["Retry-After: \(isDate ? formatter.string(from: now + 2) : "1")"])
      }
      if now.timeIntervalSince(first) < 0.9 { early.add() }
      return server.plainReply(request)
    }
    var trial = Trial()
    trial.count = 8
    let report = try await trial.run(server)
    #expect(report.values?.count == 8)
    #expect(early.value == 0)
    #expect(storedOnce(server, 8))
  }

  @Test func `resets and 503 in between are overcome, and each object is stored once`() async throws {
    let server = try FaultServer { request, server in
      switch request.number % 5 {
      case 1: .reset
      case 3: .status(503)
      default: server.plainReply(request)
      }
    }
    var trial = Trial()
    trial.count = 60
    trial.rules.tries = 20
    let report = try await trial.run(server)
    #expect(report.values?.count == 60)
    #expect(storedOnce(server, 60))
  }

  @Test func `a server that fails every object twice gets them all in the end`() async throws {
    let seen = Guarded<[String: Int]>([:])
    let server = try FaultServer { request, server in
      guard request.method == "PUT" else { return server.plainReply(request) }
      let count = seen.withLock { seen in
        seen[request.path, default: 0] += 1
        return seen[request.path] ?? 0
      }
      return count < 3 ? .status(503) : server.plainReply(request)
    }
    var trial = Trial()
    trial.count = 400
    trial.atOnce = 16
    let report = try await trial.run(server)
    #expect(report.values?.count == 400)
    #expect(storedOnce(server, 400))
  }

  @Test func `an outage ends the uploading early, and what was not tried is pending`() async throws {
    let server = try FaultServer { _, _ in .status(503) }
    var trial = Trial()
    trial.count = 500
    let report = try await trial.run(server)
    #expect(report.faults.count == 500)
    #expect(server.requests.count < 60)
    let pending = report.faults.count { fault in
      if case .reported(let reason) = fault.failure { reason.isPending } else { false }
    }
    #expect(pending > 450)
  }

  @Test func `the same content under the same key is sent once, whoever asks for it`() async throws {
    let gate = Gate()
    let server = try FaultServer { request, server in
      if request.method == "PUT" { gate.wait() }
      return server.plainReply(request)
    }
    let target = try PlainTarget(url: server.address + "/{key}", isContentNamed: true)
    let uploader = Uploader(
      client: HTTPClient(), target: target, tokens: NoToken(), atOnce: 8, now: { 0 },
      prepare: { $0.allowsHTTP = true })
    let object = UploadObject(key: "a", sha256: "a", bytes: 1)
    let item = UploadItem(object) { (object, HTTPBody([65])) }
    let report = await ResultSlots(limits: RequestLimits(atOnce: 8)).run(
      Array(repeating: item, count: 30),
      task: { item, index, done in
        if index == 7 { gate.open() }
        return uploader.upload(item, done)
      })
    #expect(report.values?.count { $0 == .sent } == 1)
    #expect(report.values?.count == 30)
    #expect(server.stored.stores == ["/a": 1])
  }

  @Test func `the same content under two keys is sent twice, also where only the query tells them apart`() async throws
  {
    let server = try FaultServer { request, server in
      request.method == "PUT" ? server.plainReply(request) : .status(404)
    }
    let target = try PlainTarget(url: server.address + "/put?name={key}&word=secret", isContentNamed: false)
    let uploader = Uploader(
      client: HTTPClient(), target: target, tokens: NoToken(), atOnce: 2, now: { 0 },
      prepare: { $0.allowsHTTP = true })
    let items = ["a", "b", "a"].map { key in
      let object = UploadObject(key: key, sha256: "same", bytes: 1)
      return UploadItem(object) { (object, HTTPBody([65])) }
    }
    let report = await ResultSlots(limits: RequestLimits(atOnce: 1)).run(
      items, task: { item, _, done in uploader.upload(item, done) })
    #expect(report.values == [.sent, .sent, .present])
    #expect(server.stored.stores == ["/put?name=a&word=secret": 1, "/put?name=b&word=secret": 1])
    #expect(target.address(of: "a") == server.address + "/put")
    #expect(target.identity(of: "a") != target.identity(of: "b"))
    #expect(target.identity(of: "a").utf8.count == 64)
  }

  @Test func `a file that keeps changing costs the server's patience nothing`() async throws {
    let server = try FaultServer()
    let target = try PlainTarget(url: server.address + "/{key}", isContentNamed: false)
    var rules = RetryRules()
    rules.first = .milliseconds(1)
    rules.budget = 1
    let folder = try TemporaryFolder()
    try folder.file("photo", Array(repeating: 7, count: 4096))
    let path = folder["photo"]
    let uploader = Uploader(
      client: HTTPClient(), target: target, tokens: NoToken(), atOnce: 1, rules: rules, now: { 0 },
      prepare: { $0.allowsHTTP = true })
    let object = UploadObject(key: "a", sha256: "a", bytes: 4096)
    let opened = Count()
    let item = UploadItem(object) {
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      let file = try #require(BodyFile(of: handle.fileDescriptor))
      // Changed after it was opened, three times over; then left alone.
      if opened.add() <= 3 {
        try handle.truncate(atOffset: 4000)
        try handle.truncate(atOffset: 4096)
      }
      try handle.close()
      return (object, HTTPBody(file))
    }
    let report = await ResultSlots(limits: RequestLimits(atOnce: 1)).run(
      [item], task: { item, _, done in uploader.upload(item, done) })
    #expect(report.values == [.sent], "\(report.faults)")
    #expect(opened.value == 4)
  }

  @Test func `a stop cancels what is in flight and begins nothing more`() async throws {
    let control = CollectionControl()
    let server = try FaultServer { request, server in
      if request.path == "/5" { control.cancel() }
      return request.method == "PUT" ? .silence : server.plainReply(request)
    }
    let report = try await Trial().run(server, control: control)
    #expect(report.wasCancelled)
    #expect(report.faults.count == 20)
    #expect(report.abandoned == 0)
  }

  @Test func `a redirection of an upload to another host is a failure that says so`() async throws {
    let other = try FaultServer()
    let server = try FaultServer { request, server in
      request.method == "PUT" ? .status(307, headers: ["Location: \(other.address)/x"]) : server.plainReply(request)
    }
    var trial = Trial()
    trial.count = 1
    let report = try await trial.run(server)
    #expect(
      report.faults.first?.failure
        == .reported(UploadFault("the server answers 307, a redirection that is not followed")))
    #expect(other.requests.isEmpty)
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("120", nil), ("-5", nil), ("soon", nil),
      ("Sun, 99 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 8:49 GMT", nil), ("Sun, 06 Nov 99999999999999999999 08:49:37 GMT", nil), ("", nil),
    ] as [(String, Int?)])
  func `Retry-After is read in all its forms`(text: String, seconds: Int?) {
    let answer = HTTPAnswer(status: 429, headers: [HTTPHeader("retry-after", text)])
    let wait = RetryAfter.wait(answer, now: 0)
    switch text {
    case "120": #expect(wait == .seconds(120))
    default: #expect(wait == seconds.map { .seconds(min($0, 1_000_000)) })
    }
  }

  @Test func `waits grow, are random up to their bound, and obey the server within its own`() {
    var rules = RetryRules()
    rules.longestWait = .seconds(10)
    #expect(rules.wait(afterTry: 1, asked: nil, random: 1) == .milliseconds(500))
    #expect(rules.wait(afterTry: 3, asked: nil, random: 1) == .seconds(2))
    #expect(rules.wait(afterTry: 60, asked: nil, random: 1) == .seconds(20))
    #expect(rules.wait(afterTry: 3, asked: nil, random: 0) == .zero)
    #expect(rules.wait(afterTry: 1, asked: .seconds(7)) == .seconds(7))
    #expect(rules.wait(afterTry: 1, asked: .seconds(7000)) == .seconds(10))
  }
}
