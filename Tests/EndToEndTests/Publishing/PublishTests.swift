import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Publishes through the built program.
@Suite(.timeLimit(.minutes(5)))
struct PublishTests {
  @Test func `a thousand photos that finish backwards are listed in the order of the manifest, each stored once`()
    async throws
  {
    let made = try MadeOutput(1000)
    let stage = PublishStage(made)
    let queue = BackwardsQueue(count: 1000, atOnce: 8)
    let server = try FaultServer { request, server in
      if request.method == "PUT" { queue.wait() }
      return server.plainReply(request)
    }
    try stage.configure(
      server.address, post: #", "item": {"at": "{address}", "n": "{index}", "size": "{width}x{height}"}"#)
    let result = try await stage.publish("--json")
    #expect(result.end == .exited(0), "\(result)")
    let content = try #require(server.lists.first?["content"]?.arrayValue)
    #expect(server.lists.count == 1)
    #expect(server.lists.first?["system"]?.stringValue == "linux")
    #expect(content.map { $0["at"]?.stringValue } == made.checksums.map { "\(server.address)/dav/\($0).jpg" })
    #expect(content.map { $0["n"]?.stringValue } == (0..<1000).map { "\($0)" })
    #expect(content.first?["size"]?.stringValue == "4x3")
    #expect(server.stored.contents.count == 1000)
    #expect(server.storesAreSingle)
    #expect(try stage.statuses() == Array(repeating: "sent", count: 1000))
    #expect(try stage.receipts().compactMap { $0["index"]?.integerValue } == (0..<1000).map { Int64($0) })
    #expect(
      try stage.receipts().last == .object([JSONMember("posted", .bool(true)), JSONMember("record", .string("end"))]))
    let told = try result.output.split(separator: 10).map { try JSONReader().read(Array($0)) }
    #expect(
      told.filter { $0["record"]?.stringValue == "publish" }.compactMap { $0["index"]?.integerValue }
        == (0..<1000).map { Int64($0) })
    #expect(told.last?["record"]?.stringValue == "summary")

    let again = try await stage.publish()
    #expect(again.end == .exited(0))
    #expect(server.requests.count == 2001, "nothing is asked or sent twice")
  }

  @Test func `a run that is killed in the middle is gone on with, and nothing is stored twice`() async throws {
    let made = try MadeOutput(300)
    let stage = PublishStage(made)
    let (arrived, isKilled) = (Count(), Gate())
    let server = try FaultServer { request, server in
      guard request.method == "PUT" else { return server.plainReply(request) }
      let reply = server.plainReply(request)
      // Stored, and no answer yet: the worst moment.
      if arrived.add() > 100, !isKilled.isOpen {
        isKilled.wait()
        return .hangUp
      }
      return reply
    }
    try stage.configure(server.address)
    let command = stage.command()
    let killed = try await onOwnThread {
      let running = try command.start()
      arrived.gate(at: 108).wait()
      running.send(SIGKILL)
      return running.finish()
    }
    #expect(killed.end == .signalled(SIGKILL))
    isKilled.open()
    let journal = try made.folder.bytes(of: "out/.photo-ingest/publish.jsonl")
    #expect(journal.split(separator: 10).count == 100)
    #expect(server.lists.isEmpty)

    let before = server.requests.count
    let result = try await stage.publish()
    #expect(result.end == .exited(0), "\(result)")
    #expect(server.storesAreSingle)
    #expect(server.stored.contents.count == 300)
    // 100 are known, 8 are asked for and there, 192 are asked for and sent, one list is posted.
    #expect(server.requests.count - before == 8 + 2 * 192 + 1)
    #expect(try stage.statuses().count { $0 == "present" } == 8)
    #expect(
      server.lists.first?["content"]?.arrayValue?.map(\.stringValue)
        == made.checksums.map { "\(server.address)/dav/\($0).jpg" })
  }

  @Test func `a signal ends it tidily, with receipts, and the next run goes on`() async throws {
    let made = try MadeOutput(40)
    let stage = PublishStage(made)
    let (arrived, isOver) = (Count(), Gate())
    let server = try FaultServer { request, server in
      if request.method == "PUT", arrived.add() > 20, !isOver.isOpen { isOver.wait() }
      return server.plainReply(request)
    }
    try stage.configure(server.address)
    let command = stage.command()
    let ended = try await onOwnThread {
      let running = try command.start()
      arrived.gate(at: 28).wait()
      running.send(SIGTERM)
      return running.finish()
    }
    #expect(ended.end == .signalled(SIGTERM))
    isOver.open()
    #expect(try stage.statuses().count { $0 == "sent" } == 20)
    #expect(try stage.statuses().count { $0 == "pending" } == 20)
    #expect(try stage.receipts().last?["posted"]?.boolValue == false)
    #expect(try await stage.publish().end == .exited(0))
    #expect(server.lists.count == 1)
  }

  @Test func `a list with a gap is not posted, or says what is missing in its place`() async throws {
    let made = try MadeOutput(10, broken: [4])
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address)
    let stopped = try await stage.publish()
    #expect(stopped.end == .exited(5))
    #expect(server.lists.isEmpty)
    #expect(server.stored.contents.count == 9)
    #expect(stopped.errorText.contains("photo 4.jpg: not up: it is not verified"))

    try stage.configure(server.address, post: #", "partial": "mark""#)
    #expect(try await stage.publish().end == .exited(5))
    let content = try #require(server.lists.first?["content"]?.arrayValue)
    #expect(content.count == 10)
    #expect(content[4]["index"]?.integerValue == 4)
    #expect(content[4]["path"]?.stringValue == "photo 4.jpg")
    #expect(content[4]["error"]?.stringValue?.contains("not verified") == true)
    #expect(content[5].stringValue?.hasSuffix("/dav/\(made.checksums[4]).jpg") == true)
    #expect(try await stage.publish().end == .exited(5))
    #expect(server.lists.count == 1, "the same list is not posted twice")
    #expect(server.storesAreSingle)
  }

  @Test func `what is not what the manifest says is not published`() async throws {
    let made = try MadeOutput(5, thumbnail: { Array(repeating: UInt8($0), count: 2_000_000) })
    let stage = PublishStage(made)
    var other = [UInt8](repeating: 2, count: 2_000_000)
    other[1_000_000] = 99
    try made.folder.file("out/thumbnails/256/2/2.jpg", other)
    try made.folder.file("out/thumbnails/256/3/3.jpg", Array("short".utf8))
    let server = try FaultServer()
    try stage.configure(server.address)
    let result = try await stage.publish()
    #expect(result.end == .exited(5))
    #expect(result.errorText.contains("2.jpg: is not what the manifest says"))
    #expect(server.stored.contents.count == 3)
    #expect(try stage.statuses() == ["sent", "sent", "failed", "failed", "sent"])
  }

  @Test func `originals come from the source folder, under keys of their paths`() async throws {
    let made = try MadeOutput(3)
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address, upload: #", "what": "originals", "key": "é/{path}""#)
    #expect(try await stage.publish().end == .exited(5))
    let result = try await stage.publish("--source", made.folder["out-source"])
    #expect(result.end == .exited(0), "\(result)")
    #expect(
      server.stored.contents
        == Dictionary(
          uniqueKeysWithValues: (0..<3).map { ("/dav/%C3%A9/photo%20\($0).jpg", Array("original \($0)".utf8)) }))
  }

  @Test func `with all the original stands for the photo, and its thumbnail goes up too`() async throws {
    let made = try MadeOutput(3)
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address, upload: #", "what": "all""#, post: #", "item": "{width} {url}""#)
    let result = try await stage.publish("--source", made.folder["out-source"])
    #expect(result.end == .exited(0), "\(result)")
    #expect(server.stored.contents.count == 6)
    let receipts = try stage.receipts()
    let items = server.lists.first?["content"]?.arrayValue?.map(\.stringValue)
    #expect(items == receipts.dropLast().map { "40 \($0["url"]?.stringValue ?? "")" })
    #expect(!receipts.contains { made.checksums.contains($0["sha256"]?.stringValue ?? "") })
  }

  @Test func `keys that do not name their content are not asked about, and one key never holds two photos`()
    async throws
  {
    let made = try MadeOutput(4)
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address, upload: #", "key": "same.{ext}""#)
    #expect(try await stage.publish().end == .exited(5))
    #expect(server.requests.map(\.method) == ["PUT"])
    #expect(try stage.statuses() == ["sent", "failed", "failed", "failed"])
    try stage.configure(server.address, upload: #", "key": "n/{index}.{ext}""#)
    #expect(try await stage.publish().end == .exited(0))
    #expect(
      server.stored.contents.keys.sorted() == [
        "/dav/n/0.jpg", "/dav/n/1.jpg", "/dav/n/2.jpg", "/dav/n/3.jpg", "/dav/same.jpg",
      ])
  }

  @Test func `the same content twice is stored once and listed twice`() async throws {
    let made = try MadeOutput(20, thumbnail: { Array("picture \($0 % 2)".utf8) })
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address)
    #expect(try await stage.publish().end == .exited(0))
    #expect(server.stored.stores.count == 2)
    #expect(server.storesAreSingle)
    #expect(server.lists.first?["content"]?.arrayValue?.count == 20)
  }

  @Test func `the post has one key of idempotency over tries and runs, and is not repeated when it may have arrived`()
    async throws
  {
    let made = try MadeOutput(3)
    let stage = PublishStage(made)
    let posts = Count()
    let server = try FaultServer { request, server in
      guard request.method == "POST" else { return server.plainReply(request) }
      return switch posts.add() {
      case 1: .status(503, headers: ["Retry-After: 0"])
      case 2: .status(502)
      default: .status(200)
      }
    }
    try stage.configure(server.address)
    let first = try await stage.publish()
    #expect(first.end == .exited(5))
    #expect(first.errorText.contains("post: the server answers 502"))
    #expect(posts.value == 2)
    #expect(try stage.receipts().last?["posted"]?.boolValue == false)
    #expect(try await stage.publish().end == .exited(0))
    #expect(try await stage.publish().end == .exited(0))
    #expect(posts.value == 3)
    let keys = Set(server.requests.filter { $0.method == "POST" }.map { $0.headers["idempotency-key"] })
    #expect(keys.count == 1)
    #expect(keys.first??.utf8.count == 64)
  }

  @Test func `secrets come from files, the environment and credentials, and are told nowhere`() async throws {
    let made = try MadeOutput(4, broken: [1])
    var stage = PublishStage(made)
    stage.environment["PUBLISH_WORD"] = "env-secret"
    stage.environment["CREDENTIALS_DIRECTORY"] = made.folder["credentials"]
    try made.folder.file("credentials/list-key", Array("credential-secret\n".utf8))
    try made.folder.file("word", Array("file-secret\n".utf8))
    let server = try FaultServer { request, server in
      switch request.path {
      case "/token?k=query-secret": .status(200, body: Array(#"{"t":"token-secret"}"#.utf8))
      case "/list": .status(500)
      default: server.plainReply(request)
      }
    }
    try stage.configure(
      server.address,
      upload: #", "header": ["Authorization: Bearer {token}", "X-File: {file:\#(made.folder["word"])}"]"#,
      post: #", "partial": "mark", "header": "X-List: {credential:list-key}""#,
      token:
        #""kind": "http", "url": "\#(server.address)/token?k=query-secret", "pointer": "/t", "header": "X-Env: {env:PUBLISH_WORD}""#
    )
    for options in [["--json"], ["--progress=always"]] {
      let command = stage.command(options)
      let result = try await onOwnThread { try command.runBlocking() }
      #expect(result.end == .exited(5), "\(result)")
      #expect(!(result.outputText + result.errorText).contains("secret"), "\(result)")
    }
    let request = server.requests.first { $0.method == "PUT" }
    #expect(request?.headers["authorization"] == "Bearer token-secret")
    #expect(request?.headers["x-file"] == "file-secret")
    #expect(server.requests.first?.headers["x-env"] == "env-secret")
    #expect(server.requests.last { $0.path == "/list" }?.headers["x-list"] == "credential-secret")
    for name in made.folder.listing() where name.hasPrefix("out/") && !name.hasSuffix("/") {
      let bytes = String(decoding: try made.folder.bytes(of: name), as: UTF8.self)
      #expect(!bytes.contains("secret"), "\(name)")
    }
    stage.environment["PUBLISH_WORD"] = nil
    let without = try await stage.publish("--full")
    #expect(without.end == .exited(5))
    #expect(without.errorText.contains("$PUBLISH_WORD: the variable is not set"))
  }

  @Test(arguments: ["{\"object\": \"half", "\u{0}\u{0}\u{0}\u{0}\n", "nonsense\n{}\n", ""])
  func `a damaged memory is put aside, and nothing is sent twice`(end: String) async throws {
    let made = try MadeOutput(10)
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address)
    #expect(try await stage.publish().end == .exited(0))
    let receipts = try made.folder.bytes(of: "out/published.jsonl")
    let journal = try made.folder.bytes(of: "out/.photo-ingest/publish.jsonl")
    let half = journal.prefix(journal.count / 2)
    try made.folder.file("out/.photo-ingest/publish.jsonl", Array(half) + Array(end.utf8))
    let result = try await stage.publish()
    #expect(result.end == .exited(0), "\(result)")
    #expect(server.storesAreSingle)
    #expect(try made.folder.bytes(of: "out/published.jsonl").count >= receipts.count)
    #expect(try await stage.publish().end == .exited(0))
  }

  @Test func `a memory that is a link is put aside, and what it leads to is left alone`() async throws {
    let made = try MadeOutput(3)
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address)
    try made.folder.add([.text("precious", "mine\n"), .folder("out/.photo-ingest", [])])
    try made.folder.add([.link("out/.photo-ingest/publish.jsonl", to: made.folder["precious"])])
    let result = try await stage.publish()
    #expect(result.end == .exited(0), "\(result)")
    #expect(result.errorText.contains("publish.jsonl: damaged, and put aside"))
    #expect(try made.folder.bytes(of: "precious") == Array("mine\n".utf8))
  }

  @Test func `a dry run asks nobody and writes nothing, and no manifest is exit 1`() async throws {
    let made = try MadeOutput(3)
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address)
    let before = try FolderState(of: made.path)
    let dry = try await stage.publish("--dry-run")
    #expect(dry.end == .exited(0))
    #expect(dry.outputText.split(separator: "\n").count == 3)
    #expect(dry.outputText.contains("pending\t\(server.address)/dav/\(made.checksums[0]).jpg\tphoto 0.jpg\n"))
    #expect(try FolderState(of: made.path) == before)
    #expect(server.requests.isEmpty)
    let empty = PublishStage(made, output: made.folder["empty"])
    try FileManager.default.createDirectory(atPath: made.folder["empty"], withIntermediateDirectories: false)
    let result = try await empty.publish()
    #expect(result.end == .exited(1))
    #expect(result.errorText.contains("manifest.jsonl"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: made.folder["empty"]).isEmpty)
  }

  @Test func `two publications never meet in one output`() async throws {
    let made = try MadeOutput(3)
    let stage = PublishStage(made)
    let (arrived, isOver) = (Count(), Gate())
    let server = try FaultServer { request, server in
      arrived.add()
      isOver.wait()
      return server.plainReply(request)
    }
    try stage.configure(server.address)
    let command = stage.command()
    let first = try await onOwnThread {
      let running = try command.start()
      arrived.gate(at: 1).wait()
      return running
    }
    let second = try await stage.publish()
    #expect(second.end == .exited(75))
    #expect(second.errorText.contains("another run has it: process \(first.processID)"))
    isOver.open()
    #expect(await onOwnThread { first.finish() }.end == .exited(0))
  }

  @Test func `an output of albums is published album by album`() async throws {
    let folder = try TemporaryFolder()
    let made = try MadeOutput(3, in: folder, name: "out/a") { Array("a \($0)".utf8) }
    _ = try MadeOutput(2, in: folder, name: "out/b") { Array("b \($0)".utf8) }
    try folder.file(
      "out/albums.json",
      Array(#"{"albums":[{"name":"b"},{"name":"a"}],"format":"photo-ingest-albums","version":1}"#.utf8))
    let stage = PublishStage(made, output: folder["out"])
    let server = try FaultServer()
    try stage.configure(server.address)
    let result = try await stage.publish()
    #expect(result.end == .exited(0), "\(result)")
    #expect(server.lists.map { $0["content"]?.arrayValue?.count } == [2, 3])
    #expect(folder.listing().contains("out/a/published.jsonl"))
    #expect(folder.listing().contains("out/b/published.jsonl"))
  }

  @Test func `an album that is published with its output is not published by itself meanwhile`() async throws {
    let folder = try TemporaryFolder()
    let made = try MadeOutput(3, in: folder, name: "out/a") { Array("a \($0)".utf8) }
    try folder.file(
      "out/albums.json", Array(#"{"albums":[{"name":"a"}],"format":"photo-ingest-albums","version":1}"#.utf8))
    let (whole, single) = (PublishStage(made, output: folder["out"]), PublishStage(made, output: folder["out/a"]))
    let (arrived, isOver) = (Count(), Gate())
    let server = try FaultServer { request, server in
      arrived.add()
      isOver.wait()
      return server.plainReply(request)
    }
    try whole.configure(server.address)
    let command = whole.command()
    let first = try await onOwnThread {
      let running = try command.start()
      arrived.gate(at: 1).wait()
      return running
    }
    let second = try await single.publish()
    isOver.open()
    #expect(second.end == .exited(75), "\(second)")
    #expect(await onOwnThread { first.finish() }.end == .exited(0))
    #expect(try await single.publish().end == .exited(0))
    #expect(server.lists.count == 1)
  }

  @Test func `a photo that fails in another way each night does not make another list`() async throws {
    let made = try MadeOutput(4)
    let stage = PublishStage(made)
    let night = Count()
    let checksum = made.checksums[2]
    let server = try FaultServer { request, server in
      let isBad = request.method == "PUT" && request.path.contains(checksum)
      return isBad ? .status(night.add() == 1 ? 400 : 413) : server.plainReply(request)
    }
    try stage.configure(server.address, post: #", "partial": "mark""#)
    #expect(try await stage.publish().end == .exited(5))
    #expect(try await stage.publish().end == .exited(5))
    #expect(night.value == 2)
    #expect(server.lists.count == 1)
    #expect(server.lists.first?["content"]?.arrayValue?[2]["error"]?.stringValue == "it could not be published")
    #expect(try stage.receipts()[2]["error"]?.stringValue == "the server answers 413")
  }

  @Test func `a memory that is mostly of photos that are gone is written anew`() async throws {
    let made = try MadeOutput(3)
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address)
    #expect(try await stage.publish().end == .exited(0))
    let place = "out/.photo-ingest/publish.jsonl"
    let before = try made.folder.bytes(of: place)
    #expect(!String(decoding: before, as: UTF8.self).contains(server.address), "no address is remembered")
    let gone = (0..<2000).map { #"{"object":"gone \#($0)","status":"sent"}"# + "\n" }.joined()
    try made.folder.file(place, Array(before) + Array(gone.utf8))
    let asked = server.requests.count
    #expect(try await stage.publish().end == .exited(0))
    #expect(server.requests.count == asked, "what is needed is still known, and the list too")
    #expect(try made.folder.bytes(of: place).split(separator: 10).count == 4)
  }

  @Test func `a record that cannot be stored makes the run fail loudly`() async throws {
    let made = try MadeOutput(2)
    let stage = PublishStage(made)
    let server = try FaultServer()
    try stage.configure(server.address)
    try made.folder.add([.folder("out/published.jsonl", [.text("in the way", "")])])
    let result = try await stage.publish()
    #expect(result.end == .exited(1))
    #expect(result.errorText.contains("published.jsonl"))
  }

  @Test(.enabled(if: LocalNginx.path != nil, "nginx is not installed"))
  func `nginx keeps what was sent to it, and the list that it takes is whole`() async throws {
    let made = try MadeOutput(60, thumbnail: { SeededBytes.bytes(seed: UInt64($0), count: 100_000 + $0 * 40_000) })
    let stage = PublishStage(made)
    let nginx = try await onOwnThread { try LocalNginx() }
    try stage.configure(nginx.address)
    let result = try await stage.publish()
    #expect(result.end == .exited(0), "\(result)")
    #expect(nginx.files.count == 60)
    for (index, checksum) in made.checksums.enumerated() where index % 7 == 0 {
      let stored = try nginx.folder.bytes(of: "site/dav/\(checksum).jpg")
      #expect(stored == SeededBytes.bytes(seed: UInt64(index), count: 100_000 + index * 40_000))
    }
    let again = try await stage.publish("--full")
    #expect(again.end == .exited(0))
    #expect(try stage.statuses() == Array(repeating: "present", count: 60))
    let log = String(decoding: try nginx.folder.bytes(of: "access.log"), as: UTF8.self)
    #expect(log.split(separator: "\n").count { $0.contains("\"PUT ") } == 60)
    await onOwnThread { withExtendedLifetime(nginx) {} }
  }
}
