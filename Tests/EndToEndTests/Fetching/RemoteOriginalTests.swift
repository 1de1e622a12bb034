import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Gives the program addresses of a server of this machine beside names.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct RemoteOriginalTests {
  private static func photo(_ number: Int, _ manner: PhotoServer.Manner = .good) -> PhotoServer.Photo {
    PhotoServer.Photo(
      bytes: Pictures.small[number], etag: "\"v\(number)\"", lastModified: "Mon, 01 Jul 2024 02:13:00 GMT",
      manner: manner)
  }

  private func list(_ entries: [String], in night: NightStage) throws -> [String] {
    try night.stage.folder.file("list", Array(entries.joined(separator: "\n").utf8))
    return ["--files-from", night.stage.folder["list"], "--order", "list"]
  }

  private func checksum(_ bytes: [UInt8]) throws -> String {
    let folder = try TemporaryFolder([.file("a", bytes)])
    let result = try Command("/usr/bin/sha256sum", [folder["a"]]).runBlocking()
    return String(result.outputText.prefix(64))
  }

  private func cached(_ night: NightStage) -> [String] {
    night.stage.folder.listing().filter { $0.hasPrefix("out/.photo-ingest/fetched/") && !$0.hasSuffix("/") }
  }

  @Test func `without the network every address fails at once and nobody is asked`() async throws {
    let server = try PhotoServer(["/a.jpg": Self.photo(1, .silent)])
    let night = try NightStage(["b.jpg"])
    let options = try list(["\(server.address)/a.jpg", "b.jpg", "https://no-such-host.invalid/c.jpg"], in: night)
    _ = try await night.night(options, code: 3)
    let rows = try night.stage.rows()
    #expect(rows.map(\.code) == ["network-off", nil, "network-off"])
    #expect(rows.map(\.path) == ["\(server.address)/a.jpg", "b.jpg", "https://no-such-host.invalid/c.jpg"])
    #expect(server.requests.isEmpty)
    // Once it is on, what failed is tried, and the rest is known.
    server.set("/a.jpg", Self.photo(1))
    let second = try await night.night(options + ["--network", "--fetch-timeout", "20"], code: 3)
    #expect(second.unchanged == 1)
    #expect(try night.stage.rows().map(\.code) == [nil, nil, "fetch-failed"])
    #expect(try night.stage.rows()[2].message == "the name of the server is not known")
  }

  @Test func `fetched originals keep the order of the list, give local photos' rows, and tell no secret`() async throws
  {
    let names = (0..<12).map { "/p\($0).jpg" }
    let server = try PhotoServer(
      Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Self.photo($0 % Pictures.small.count)) }))
    let night = try NightStage(["local.jpg"])
    let entries = names.reversed().map { "http://user:secret-word@127.0.0.1:\(server.port)\($0)?key=secret-word" }
    let first = try await night.night(try list(entries + ["local.jpg"], in: night) + ["--network", "-j4"])
    let rows = try night.stage.rows()
    #expect(rows.map(\.path) == names.reversed().map { server.address + $0 } + ["local.jpg"])
    #expect(rows.allSatisfy { $0.status == "verified" })
    #expect(rows[0].text("modified") == "2024-07-01T02:13:00.000000000Z")
    #expect(try rows[11].text("sha256") == checksum(Pictures.small[0]))
    #expect(rows[0].value["thumbnails"]?.arrayValue?.isEmpty == false)
    #expect(server.requests.count == 12)
    let basic = "Basic " + Base64.encode(Array("user:secret-word".utf8))
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == basic })
    #expect(server.requests.allSatisfy { $0.path.hasSuffix("?key=secret-word") })
    for name in night.stage.folder.listing() where name.hasPrefix("out/") && !name.hasSuffix("/") {
      let bytes = Data(try night.stage.folder.bytes(of: name))
      #expect(bytes.range(of: Data("secret-word".utf8)) == nil, "\(name)")
    }
    #expect(!"\(first.result.outputText)\(first.result.errorText)".contains("secret-word"))
    // What the next night knows it does not ask for.
    server.forgetRequests()
    let second = try await night.night(try list(entries + ["local.jpg"], in: night) + ["--network"])
    #expect(second.unchanged == 13)
    #expect(server.requests.isEmpty)
    #expect(try await Command(BuiltProgram.path, ["verify", night.stage.output]).run().exitCode == 0)
  }

  @Test func `a full run asks whether an original has changed, and reads the copy where it has not`() async throws {
    let server = try PhotoServer(["/a.jpg": Self.photo(1), "/b.jpg": Self.photo(2, .plain)])
    let night = try NightStage([])
    let options = try list(["\(server.address)/a.jpg", "\(server.address)/b.jpg"], in: night) + ["--network"]
    _ = try await night.night(options)
    let before = try night.stage.manifest
    server.forgetRequests()
    let full = try await night.night(options + ["--full"])
    #expect(full.reads.count == 2)
    let asked = Dictionary(uniqueKeysWithValues: server.requests.map { ($0.path, $0) })
    #expect(asked["/a.jpg"]?.status == 304)
    #expect(asked["/a.jpg"]?.headers["if-none-match"] == "\"v1\"")
    #expect(asked["/b.jpg"]?.status == 200)
    #expect(try night.stage.manifest == before)
    // Another size of thumbnails is no reason to ask at all; the copy is there, also without the network.
    server.forgetRequests()
    _ = try await night.night(Array(options.dropLast()) + ["--thumbnail", "32"])
    #expect(server.requests.isEmpty)
    // A changed one is fetched.
    server.set("/a.jpg", Self.photo(3))
    _ = try await night.night(options + ["--full"])
    #expect(try night.stage.row("\(server.address)/a.jpg").text("sha256") == checksum(Pictures.small[3]))
  }

  @Test func `a fetch that breaks off goes on where it was`() async throws {
    let bytes = try Pictures.sample("alps/IMG_0001.jpg")
    let photo = PhotoServer.Photo(bytes: bytes, etag: "\"x\"", manner: .cut(times: 2, after: 50_000))
    let server = try PhotoServer(["/a.jpg": photo])
    let night = try NightStage([])
    _ = try await night.night(try list(["\(server.address)/a.jpg"], in: night) + ["--network"])
    #expect(server.requests.map(\.status) == [200, 206, 206])
    #expect(server.requests[1].headers["range"] == "bytes=50000-")
    #expect(server.requests[1].headers["if-range"] == "\"x\"")
    #expect(server.requests.map(\.sent) == [50_000, 50_000, bytes.count - 100_000])
    #expect(try night.stage.rows().first?.text("sha256") == checksum(bytes))
  }

  @Test func `a run that is killed in the middle of a fetch leaves its half to the next one`() async throws {
    let bytes = try Pictures.sample("alps/IMG_0001.jpg")
    let photo = PhotoServer.Photo(bytes: bytes, etag: "\"x\"")
    var stalling = photo
    stalling.manner = .stall(after: 60_000)
    let server = try PhotoServer(["/a.jpg": stalling])
    let night = try NightStage([])
    let options = try list(["\(server.address)/a.jpg"], in: night) + ["--network"]
    let running = try night.stage.command(options).start()
    let cache = night.stage.folder["out/.photo-ingest/fetched"]
    // Nobody tells when the program has written what it got.
    await onOwnThread {
      for _ in 0..<3000 where Self.halves(in: cache) != [60_000] { usleep(10_000) }
    }
    #expect(Self.halves(in: cache) == [60_000])
    running.send(SIGKILL)
    _ = await onOwnThread { running.finish() }
    server.set("/a.jpg", photo)
    _ = try await night.night(options)
    #expect(server.requests.map(\.status) == [206])
    #expect(server.requests.first?.sent == bytes.count - 60_000)
    #expect(try night.stage.rows().first?.text("sha256") == checksum(bytes))
  }

  /// The sizes of half fetched originals.
  private static func halves(in folder: String) -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".part") }.compactMap {
      (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)"))?[.size] as? Int
    }
  }

  @Test(arguments: [PhotoServer.Manner.good, .careless])
  func `the rest of another version is never joined to a half`(manner: PhotoServer.Manner) async throws {
    let (old, new) = (try Pictures.sample("alps/IMG_0001.jpg"), try Pictures.sample("alps/IMG_0002.jpg"))
    let server = try PhotoServer(["/a.jpg": .init(bytes: old, etag: "\"old\"", manner: .cut(times: 99, after: 9000))])
    let night = try NightStage([])
    let options = try list(["\(server.address)/a.jpg"], in: night) + ["--network"]
    _ = try await night.night(options, code: 3)
    #expect(try night.stage.rows().first?.code == "fetch-failed")
    server.set("/a.jpg", .init(bytes: new, etag: "\"new\"", manner: manner))
    _ = try await night.night(options)
    #expect(try night.stage.rows().first?.text("sha256") == checksum(new))
  }

  @Test func `what is not what the list says is no photo, and never stops the others`() async throws {
    let server = try PhotoServer([
      "/right.jpg": Self.photo(1), "/wrong.jpg": Self.photo(2), "/large.jpg": Self.photo(3),
      "/endless.jpg": Self.photo(4, .endless), "/moved.jpg": Self.photo(5, .status(302, location: "/right.jpg")),
      "/away.jpg": Self.photo(5, .status(302, location: "http://192.0.2.1/x.jpg")),
      "/busy.jpg": Self.photo(6, .status(503)), "/words.jpg": .init(bytes: Array("<html>no photo</html>".utf8)),
    ])
    let night = try NightStage(["local.jpg"])
    let sum = try checksum(Pictures.small[1])
    let largest = [1, 2, 5].map { Pictures.small[$0].count }.max() ?? 0
    server.set("/large.jpg", .init(bytes: Array(repeating: 0, count: largest + 1)))
    let entries = [
      "\(server.address)/wrong.jpg sha256:\(sum)", "\(server.address)/none.jpg", "\(server.address)/large.jpg",
      "\(server.address)/endless.jpg", "\(server.address)/right.jpg sha256:\(sum.uppercased())", "local.jpg",
      "\(server.address)/moved.jpg", "\(server.address)/busy.jpg", "\(server.address)/words.jpg",
      "http://192.0.2.1/x.jpg",
    ]
    _ = try await night.night(try list(entries, in: night) + ["--network", "--max-fetch", "\(largest)"], code: 3)
    let rows = try night.stage.rows()
    #expect(
      rows.map(\.code) == [
        "fetch-failed", "fetch-failed", "fetch-failed", "fetch-failed", nil, nil, nil, "fetch-failed", "not-an-image",
        "fetch-failed",
      ])
    #expect(rows[0].message.contains("the list says \(sum)"))
    #expect(rows[1].message == "the server answers 404")
    #expect(rows[2].message.contains("\(largest + 1) bytes, and the limit is \(largest)"))
    #expect(rows[3].message.contains("more than \(largest) bytes"))
    #expect(rows[6].path == "\(server.address)/moved.jpg")
    #expect(rows[7].message == "the server answers 503")
    #expect(rows[9].message.contains("--allow-http"))
    let endless = server.requests.first { $0.path == "/endless.jpg" }
    #expect((endless?.sent ?? 0) < 64 << 20)
  }

  @Test func `a checksum that changes in the list is a reason to fetch`() async throws {
    let server = try PhotoServer(["/a.jpg": Self.photo(1)])
    let night = try NightStage([])
    let address = "\(server.address)/a.jpg"
    _ = try await night.night(try list([address], in: night) + ["--network"])
    let (old, new) = (try checksum(Pictures.small[1]), try checksum(Pictures.small[2]))
    server.forgetRequests()
    _ = try await night.night(try list(["\(address) sha256:\(old)"], in: night) + ["--network"])
    #expect(server.requests.isEmpty)
    server.set("/a.jpg", Self.photo(2))
    let night3 = try await night.night(try list(["\(address) sha256:\(new)"], in: night) + ["--network"])
    #expect(night3.reads == [address: "modified"])
    #expect(server.requests.map(\.status) == [200])
    #expect(try night.stage.rows().first?.text("sha256") == new)
  }

  @Test func `a server that never answers costs the time limit and not the run`() async throws {
    let server = try PhotoServer(["/never.jpg": Self.photo(1, .silent), "/a.jpg": Self.photo(2)])
    let night = try NightStage(["local.jpg"])
    let entries = ["\(server.address)/never.jpg", "local.jpg", "\(server.address)/a.jpg"]
    _ = try await night.night(
      try list(entries, in: night) + ["--network", "--fetch-timeout", "1", "-j1"], code: 3)
    let rows = try night.stage.rows()
    #expect(rows.map(\.code) == ["fetch-failed", nil, nil])
    let slow = "the server was too slow: nothing came for 1 seconds, or not all of it within 1"
    #expect(rows[0].message == slow)
    // The same failure gives the same row.
    let manifest = try night.stage.manifest
    _ = try await night.night(
      try list(entries, in: night) + ["--network", "--fetch-timeout", "1", "-j1"], code: 3)
    #expect(try night.stage.manifest == manifest)
  }

  @Test func `a signal ends a run that waits for a server`() async throws {
    let server = try PhotoServer(["/never.jpg": Self.photo(1, .silent)])
    let night = try NightStage([])
    let options = try list(["\(server.address)/never.jpg"], in: night) + ["--network", "--json"]
    let running = try night.stage.command(options).start()
    await onOwnThread { _ = running.waitForText("\"scan\"") }
    running.send(SIGTERM)
    let result = await onOwnThread { running.finish() }
    #expect(result.signal == SIGTERM, "\(result)")
  }

  @Test func `the cache keeps what was used last, within its bound`() async throws {
    let photos = (0..<8).map { number in
      PhotoServer.Photo(bytes: Pictures.small[number], etag: "\"\(number)\"")
    }
    let server = try PhotoServer(
      Dictionary(uniqueKeysWithValues: photos.enumerated().map { ("/\($0).jpg", $1) }))
    let night = try NightStage([])
    let bound = photos[6].bytes.count + photos[7].bytes.count + 2000
    let entries = (0..<8).map { "\(server.address)/\($0).jpg" }
    let options = try list(entries, in: night) + ["--network", "-j1", "--fetch-cache", "\(bound)"]
    _ = try await night.night(options)
    #expect(try night.stage.rows().allSatisfy { $0.status == "verified" })
    let names = cached(night)
    let size = try names.reduce(0) { try $0 + night.stage.folder.bytes(of: $1).count }
    #expect(size <= bound)
    #expect(names.count >= 2)
    // And none of it with a bound of nothing.
    _ = try await night.night(Array(options.dropLast()) + ["0", "--full"])
    #expect(cached(night) == [])
  }

  @Test(arguments: ["https://", "https://a b/", "https://host/a.jpg sha256:12"])
  func `an address that is none is a usage error before anything is made`(entry: String) async throws {
    let night = try NightStage([])
    let result = try await night.stage.command(try list(["ok.jpg", entry], in: night)).run()
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errorText.contains("entry 2"))
    #expect(!night.stage.isOutputMade)
  }
}
