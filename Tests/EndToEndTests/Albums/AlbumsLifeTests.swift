import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Kills, stops, locks out, verifies and exports runs over several folders.
@Suite(.timeLimit(.minutes(3)), .serialized, .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct AlbumsLifeTests {
  @Test func `after a kill -9 at any moment every album is whole, and the next run gives what it always gives`()
    async throws
  {
    let stage = try AlbumStage([("a", 12), ("b", 12), ("c", 12)])
    try await stage.run(code: 0)
    let whole = try stage.results().mapValues(\.content)
    for moment in 0..<6 {
      try stage.remove("out")
      let command = stage.command(["-j", "2"])
      try await onOwnThread { () throws(SpawnFailure) in
        let running = try command.start()
        _ = ProcessTable.waits(limit: 10) {
          let rows = ["a", "b", "c"].reduce(0) { count, name in
            count + ((try? FileManager.default.subpathsOfDirectory(atPath: "\(stage.output)/\(name)").count) ?? 0)
          }
          return rows >= moment * 15 || !ProcessTable.isAlive(running.processID)
        }
        running.send(SIGKILL)
        _ = running.finish()
      }
      for name in ["a", "b", "c"] {
        guard let left = try? stage.folder.bytes(of: "out/\(name)/manifest.jsonl") else { continue }
        #expect(left == whole[Array("\(name)/manifest.jsonl".utf8)], "\(name) after moment \(moment)")
      }
      try await stage.run(code: 0)
      #expect(try stage.results().mapValues(\.content) == whole, "moment \(moment)")
      #expect(!stage.folder.listing().contains { $0.hasSuffix(".tmp") })
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends every album tidily, and the run dies by it`(signal: Int32) async throws {
    let stage = try AlbumStage([("a", 0), ("b", 0), ("c", 0), ("d", 0)])
    let photo = try Pictures.sample("still-life.jpg")
    for name in ["a", "b", "c", "d"] { for number in 0..<40 { try stage.folder.file("\(name)/\(number).jpg", photo) } }
    let command = stage.command(["--json", "--decode", "full", "-j", "1"])
    let result = try await onOwnThread { () throws(SpawnFailure) in
      let running = try command.start()
      running.waitForText("\"record\":\"asset\"")
      running.send(signal)
      return running.finish()
    }
    #expect(result.end == .signalled(signal), "\(result)")
    #expect(!stage.folder.listing().contains { $0.hasSuffix(".tmp") })
    let last = try #require(try result.records().last)
    #expect(last.text("record") == "summary" && last.integer("exit_code") == Int(128 + signal))
    try await stage.run(code: 0)
    for name in ["a", "b", "c", "d"] { #expect(try stage.rows(name).count == 40) }
  }

  @Test func `one lock is held for all albums`() async throws {
    let stage = try AlbumStage([("a", 2), ("b", 2)])
    try await stage.run(code: 0)
    let descriptor = unsafe open(stage.output + "/.photo-ingest/lock", O_RDWR)
    try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try stage.folder.file("a/new.jpg", Pictures.small[0])
    let before = try stage.results()
    try await stage.run(code: 75)
    try await stage.run(["--lock=skip"], code: 0)
    #expect(try stage.results() == before)
    #expect(try await stage.program("verify", stage.output).exitCode == 75)
    close(descriptor)
    try await stage.run(code: 0)
    // One that is taken alone is that album's matter.
    let one = unsafe open(stage.output + "/b/.photo-ingest/lock", O_RDWR)
    try #require(one >= 0 && flock(one, LOCK_EX | LOCK_NB) == 0)
    try await stage.run(code: 1)
    close(one)
    #expect(try stage.list().map { $0.flag("succeeded") } == [true, false])
  }

  @Test func `verify goes through all albums, and its worst code counts`() async throws {
    let stage = try AlbumStage([("a", 2), ("b", 2), ("c", 2)])
    try await stage.run(code: 0)
    #expect(try await stage.program("verify", stage.output).exitCode == 0)
    let thumbnail = try #require(try stage.rows("b").first?.thumbnails.first?.text("path"))
    try stage.remove("out/b/\(thumbnail)")
    let result = try await stage.program("verify", stage.output)
    #expect(result.exitCode == 4)
    #expect(result.outputText.hasPrefix("b: missing thumbnail \(thumbnail)"), "\(result)")
    let records = try await stage.program("verify", "--json", stage.output).records()
    #expect(records.filter { $0.text("record") == "finding" }.map { $0.text("album") } == ["b"])
    #expect(
      records.filter { $0.text("record") == "album" }.map { $0.integer("exit_code") } == [0, 4, 0])
    try stage.remove("out/c/manifest.jsonl")
    #expect(try await stage.program("verify", stage.output).exitCode == 1)
    #expect(try await stage.program("verify", stage.output, "--source", stage.folders[0]).exitCode == 2)
    #expect(try await stage.program("verify", stage.output + "/a").exitCode == 0)
  }

  @Test func `verify sees new photos in a source, and no results of other albums`() async throws {
    let stage = try AlbumStage([("a", 2), ("a/inner", 2)])
    let command = Command(BuiltProgram.path, ["run"] + stage.folders + ["-o", stage.folder["a/out"]])
    #expect(try await command.run().exitCode == 0)
    #expect(try await stage.program("verify", stage.folder["a/out"]).exitCode == 0)
    #expect(try await stage.program("verify", stage.folder["a/out/a"]).exitCode == 0)
    try stage.folder.file("a/inner/new.jpg", Pictures.small[0])
    let result = try await stage.program("verify", stage.folder["a/out"])
    #expect(result.exitCode == 4)
    #expect(result.outputText.split(separator: "\n").count == 2, "both albums hold it: \(result)")
  }

  @Test func `export goes through all albums, whatever the format`() async throws {
    let stage = try AlbumStage([("a", 2), ("b", 1)])
    try stage.folder.file("b/=x, y.jpg", Pictures.small[3])
    try await stage.run(code: 0)
    func export(_ format: String, _ more: String...) async throws -> CommandResult {
      let result = try await Command(BuiltProgram.path, ["export", "--format", format, stage.output] + more).run()
      #expect(result.exitCode == 0, "\(result)")
      return result
    }
    let csv = try CSVTable(try await export("csv").output)
    #expect(csv.rows.map { $0["album"] } == ["a", "a", "b", "b"])
    #expect(csv.rows.map { $0["path"] } == ["0.jpg", "1.jpg", "0.jpg", "./=x, y.jpg"])
    // sha256sum itself finds the photos where all sources lie side by side.
    let file = stage.folder["sums"]
    _ = try await export("sha256", "-o", file)
    let check = try await Command("/usr/bin/sha256sum", ["-c", file], workingFolder: stage.folder.path).run()
    #expect(check.exitCode == 0 && check.outputText.hasPrefix("a/0.jpg: OK\n"), "\(check)")
    let gauges = try await export("prometheus").outputText
    #expect(gauges.contains("photo_ingest_assets{album=\"a\",status=\"verified\"} 2\n"))
    #expect(gauges.contains("photo_ingest_last_run_exit_code{album=\"b\"} 0\n"))
    #expect(gauges.split(separator: "\n").count { $0.hasPrefix("# TYPE photo_ingest_assets ") } == 1)
    let json = try await export("json").output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    // Each album is the object of its own manifest.json, and its name.
    let whole = try ["a", "b"].map { name in
      let own = try stage.folder.bytes(of: "out/\(name)/manifest.json")
      return Array("{\"album\":\"\(name)\",".utf8) + own.dropFirst()
    }
    #expect(Array(json.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")] == Array(whole.joined()))

    let bag = try await export("bagit")
    #expect(bag.errorText.contains("a: a new bag") && bag.errorText.contains("b: a new bag"))
    #expect(FileManager.default.fileExists(atPath: stage.output + "/b/bag/bagit.txt"))
    // An album without a manifest is told, and keeps no other one out.
    try stage.remove("out/a/manifest.jsonl")
    let rest = try await stage.program("export", "--format", "csv", stage.output)
    #expect(rest.exitCode == 1 && rest.errorText.contains("a: ") && rest.outputText.contains("b,0,0.jpg"), "\(rest)")
  }
}
