import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Gives several folders to one run of the built program.
@Suite(.timeLimit(.minutes(3)), .serialized, .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct AlbumsTests {
  @Test func `three albums, one missing and one damaged: each has its own ending`() async throws {
    let stage = try AlbumStage([("holiday", 5), ("work", 3)])
    try stage.folder.file("work/bad.jpg", Array(Pictures.small[0].dropLast(200)))
    let folders = [stage.folders[0], stage.folder["missing"], stage.folders[1]]
    let result = try await stage.run(["--json"], folders: folders, code: 1)
    let list = try stage.list()
    #expect(list.map { $0.text("name") } == ["holiday", "missing", "work"])
    #expect(list.map { $0.flag("succeeded") } == [true, false, false])
    #expect(list.map { $0["counts", "verified"]?.integerValue } == [5, 0, 3])
    #expect(list[2]["errors"]?.arrayValue?.first?["path"]?.stringValue == "bad.jpg")
    #expect(list[1]["errors"]?.arrayValue?.first?["code"]?.stringValue == "source-unusable")
    #expect(try stage.rows("holiday").count == 5 && stage.rows("work").count == 4)
    #expect(!FileManager.default.fileExists(atPath: stage.output + "/missing"))

    let records = try result.records()
    for name in ["holiday", "work"] {
      let own = records.filter { $0.text("album") == name }
      #expect(
        own.compactMap { $0.text("record") == "asset" ? $0.integer("index") : nil }
          == Array(0..<(own.count { $0.text("record") == "asset" })))
      #expect(own.last?.text("record") == "album")
    }
    let unnamed = records.filter { $0.text("album") == nil }
    #expect(unnamed.map { $0.text("record") } == ["summary"])
    #expect(unnamed.first?["albums"]?["failed"]?.integerValue == 2 && unnamed.first?.integer("exit_code") == 1)
  }

  @Test func `what is wrong in one album changes no byte of another`() async throws {
    let stage = try AlbumStage([("a", 4), ("b", 4)])
    try await stage.run(code: 0)
    let alone = try AlbumStage([("a", 4)])
    let result = try await alone.program("run", stage.folders[0], "-o", alone.output)
    #expect(result.exitCode == 0)
    for name in ["manifest.jsonl", "manifest.json"] {
      #expect(try stage.folder.bytes(of: "out/a/\(name)") == alone.folder.bytes(of: "out/\(name)"))
    }
    let before = try stage.results().filter { $0.key.starts(with: "a/".utf8) }
    // A source that lost most of its photos: its album stays as it is and fails, the other one goes on.
    for number in 0..<3 { try stage.remove("b/\(number).jpg") }
    let manifest = try stage.folder.bytes(of: "out/b/manifest.jsonl")
    try await stage.run(code: 1)
    #expect(try stage.folder.bytes(of: "out/b/manifest.jsonl") == manifest)
    #expect(try stage.results().filter { $0.key.starts(with: "a/".utf8) } == before)
    try await stage.run(["--accept-missing"], code: 0)
    #expect(try stage.rows("b").count == 1)
  }

  @Test func `a second run over unchanged folders writes nothing`() async throws {
    let stage = try AlbumStage([("a", 3), ("b", 3), ("c", 3)])
    try stage.folder.file("b/bad.jpg", Array("words".utf8))
    try await stage.run(code: 3)
    let before = try stage.results()
    let again = try await stage.run(["--cron"], code: 3)
    #expect(again.errors.isEmpty, "\(again)")
    #expect(try stage.results() == before)
    try stage.folder.file("c/bad.jpg", Array("words".utf8))
    let changed = try await stage.run(["--cron"], code: 3)
    #expect(changed.errorText.contains("bad.jpg") && changed.errorText.contains("2 failed (b, c)"), "\(changed)")
  }

  @Test func `folders of one name, of no text and of dots have albums of their own`() async throws {
    let stage = try AlbumStage([("x/DCIM", 1), ("y/DCIM", 2), ("z/dcim", 3), ("z/DCIM-2", 1)])
    let strange = Array("odd\u{1}".utf8) + [0xFF]
    try stage.folder.file(named: strange + Array("/1.jpg".utf8), Pictures.small[0])
    var command = stage.command(folders: stage.folders + ["z/.."])
    command.arguments.insert(Array(stage.folder.path.utf8) + [UInt8(ascii: "/")] + strange, at: 1)
    command.workingFolder = stage.folder.path
    let result = try await command.run()
    #expect(result.exitCode == 0, "\(result)")
    #expect(
      try stage.list().dropFirst().dropLast().map { $0.text("name") } == ["DCIM", "DCIM-2", "dcim-3", "DCIM-2-2"])
    let odd = try #require(try stage.list().first)
    #expect(odd.text("name_b64").flatMap { Base64.decode($0) } == strange)
    #expect(try stage.list().last?.text("name") == String(stage.folder.path.split(separator: "/").last ?? ""))
    #expect(try stage.folder.namesAsBytes(in: "out").contains(strange))
    let verified = try await stage.program("verify", stage.output)
    #expect(verified.exitCode == 0 && !verified.errorText.contains("\u{1}"), "\(verified)")
  }

  @Test func `all albums share the decoders that -j asks for`() async throws {
    let stage = try AlbumStage([("a", 0), ("b", 0), ("c", 0)])
    let photo = try Pictures.sample("still-life.jpg")
    for name in ["a", "b", "c"] { for number in 0..<12 { try stage.folder.file("\(name)/\(number).jpg", photo) } }
    let command = stage.command(["-j", "2", "--no-thumbnails", "--decode", "full"])
    let (result, most) = try await onOwnThread { () throws(SpawnFailure) in
      let running = try command.start()
      var most = 0
      while ProcessTable.isAlive(running.processID) {
        most = max(most, ProcessTable.decoders(of: running.processID).count)
        usleep(1000)
      }
      return (running.finish(), most)
    }
    #expect(result.exitCode == 0, "\(result)")
    #expect((1...2).contains(most), "\(most) decoders at once")
    for name in ["a", "b", "c"] { #expect(try stage.rows(name).count == 12) }
  }

  @Test(arguments: [["--on-error", "stop"], ["--max-errors", "1"], ["--max-errors", "30%"]])
  func `a policy ends its own album, tells one cause and names the cancelled`(policy: [String]) async throws {
    let stage = try AlbumStage([("a", 6), ("b", 6)])
    for number in [1, 3] { try stage.folder.file("b/\(number).jpg", Array("words".utf8)) }
    let result = try await stage.run(policy + ["--json", "-j", "1"], code: 1)
    let records = try result.records()
    let ends = records.filter { $0.text("record") == "album" }.sorted {
      $0.text("album") ?? "" < $1.text("album") ?? ""
    }
    #expect(ends.map { $0.integer("exit_code") } == [0, 1])
    let cause = policy[1] == "stop" ? 1 : 3
    #expect(ends[1]["cause"]?["path"]?.stringValue == "\(cause).jpg")
    let cancelled = records.filter { $0.text("record") == "cancelled" }
    #expect(cancelled.map(\.path) == ((cause + 1)...5).map { "\($0).jpg" })
    #expect(cancelled.map { $0.text("album") } == cancelled.map { _ in "b" })
    #expect(ends[1].integer("cancelled") == cancelled.count)
    #expect(try stage.rows("a").count == 6)
    #expect(!FileManager.default.fileExists(atPath: stage.output + "/b/manifest.jsonl"))
    #expect(try stage.list().map { $0["errors"]?.arrayValue?.count } == [0, 1])
  }

  @Test func `gauges are written in each album, with its own code`() async throws {
    let stage = try AlbumStage([("a", 1), ("b", 1)])
    try stage.folder.file("b/bad.jpg", Array("words".utf8))
    try await stage.run(["--manifest", "json,prometheus"], code: 3)
    let texts = try ["a", "b"].map { name in
      String(decoding: try stage.folder.bytes(of: "out/\(name)/photo-ingest.prom"), as: UTF8.self)
    }
    #expect(texts[0].contains("photo_ingest_last_run_exit_code 0\n"))
    #expect(texts[1].contains("photo_ingest_last_run_exit_code 3\n"))
    #expect(!FileManager.default.fileExists(atPath: stage.output + "/photo-ingest.prom"))
    // Also when the whole output is one that cannot be: then nothing is told of any album.
    try stage.remove("b")
    try await stage.run(code: 1)
    let failed = String(decoding: try stage.folder.bytes(of: "out/b/photo-ingest.prom"), as: UTF8.self)
    #expect(failed.contains("photo_ingest_last_run_exit_code 1\n"))
    #expect(failed.contains("photo_ingest_assets{status=\"verified\"} 1\n"))
  }

  @Test func `an output of one folder takes no albums, and the reverse, and nothing is lost`() async throws {
    let stage = try AlbumStage([("a", 2), ("b", 2)])
    try await stage.run(folders: [stage.folders[0]], code: 0)
    let before = try FolderState(of: stage.output)
    try await stage.run(code: 1)
    #expect(try FolderState(of: stage.output) == before)
    try stage.remove("out")
    try await stage.run(code: 0)
    let albums = try stage.results()
    try await stage.run(folders: [stage.folders[0]], code: 1)
    #expect(try stage.results() == albums)
  }

  @Test func `an unreadable folder is its own album's`() async throws {
    try #require(Unprivileged.isPossible)
    let stage = try AlbumStage([("a", 2), ("b", 2)])
    try FileManager.default.createDirectory(atPath: stage.folder["b/closed"], withIntermediateDirectories: true)
    try #require(try await Command("/bin/chmod", ["-R", "a+rwx", stage.folder.path]).run().exitCode == 0)
    try #require(unsafe chmod(stage.folder["b/closed"], 0) == 0)
    let result = try await Unprivileged.command(stage.command()).run()
    #expect(result.exitCode == 3, "\(result)")
    #expect(try stage.list().map { $0.flag("succeeded") } == [true, false])
    #expect(try stage.list()[1]["errors"]?.arrayValue?.first?["code"]?.stringValue == "unreadable")
  }
}
