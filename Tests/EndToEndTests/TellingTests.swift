import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Holds what the program tells: JSON records on stdout, words on stderr, and neither in the other's place.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct TellingTests {
  @Test(arguments: [
    [], ["--order", "captured"], ["--unsupported", "skip"], ["-j", "1"], ["--no-thumbnails", "-j", "8"],
  ])
  func `records come in order: scan, each stand-in before its photo, photos by index, the summary`(options: [String])
    async throws
  {
    let stage = try RunStage.ofSamples()
    try stage.photo("a.gif", Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 40))
    try stage.photo([0xff, 0x2e, 0x6a, 0x70, 0x67], try Pictures.sample("pebbles.jpg"))
    let result = try await stage.run(["--json"] + options, code: 3)
    #expect(result.errors.isEmpty, "\(result.errorText)")
    let records = try result.records()
    let rows = try stage.rows()

    #expect(records.first?.text("record") == "scan")
    #expect(records.first?.integer("count") == 20)
    #expect(records.count { $0.text("record") == "scan" } == 1)
    var seen: Set<Int> = []
    var next = 0
    var standIns: [Int: JSONValue] = [:]
    for record in records.dropFirst().dropLast() {
      let index = try #require(record.integer("index"))
      switch record.text("record") {
      case "degraded":
        #expect(!seen.contains(index), "a stand-in came after its photo, or twice")
        #expect(standIns.updateValue(try #require(record["preview"]), forKey: index) == nil)
        #expect(record.exactPath == rows[index].exactPath)
      case "asset":
        #expect(index == next)
        next += 1
        seen.insert(index)
        #expect(record.value == rows[index].value, "\(record.path)")
      default: Issue.record("no record of that name belongs here: \(record.text("record") ?? "")")
      }
    }
    #expect(next == rows.count)
    for (index, row) in rows.enumerated() { #expect(standIns[index] == row["preview"], "\(row.path)") }
    #expect(standIns.count > 10)

    let summary = try #require(records.last)
    #expect(summary.text("record") == "summary")
    #expect(summary.integer("exit_code") == 3)
    #expect(summary["totals", "assets"]?.integerValue == Int64(rows.count))
    #expect(summary["totals", "damaged"]?.integerValue == 1)
    #expect(summary["seconds"]?.doubleValue ?? -1 >= 0)
    #expect(summary["left_out", "not-a-photo"]?.integerValue == 1)
  }

  @Test func `every line is one JSON object with a record, also of a run that cannot begin`() async throws {
    let stage = try RunStage(["a.jpg"])
    let result = try await Command(
      BuiltProgram.path, ["run", stage.folder["nothing"], "-o", stage.output, "--json"]
    ).run()
    #expect(result.exitCode == 1)
    let records = try result.records()
    #expect(records.map { $0.text("record") } == ["message", "summary"])
    #expect(records.first?.text("level") == "error")
    #expect(records.last?.integer("exit_code") == 1)
    // A person who reads stderr is told as well.
    #expect(result.errorText.contains("nothing: cannot be opened"), "\(result)")
  }

  @Test func `a dry run lists the candidates in order, reads no photo and writes nothing at all`() async throws {
    let stage = try RunStage(["b.jpg", "a10.jpg", "a9.jpg", "sub/c.jpg", ".hidden.jpg"])
    try stage.photo("bad.jpg", Array("words".utf8))
    let before = try FolderState(of: stage.folder.path)
    let list = try await stage.run(["--dry-run"], code: 0)
    #expect(list.outputText == "a9.jpg\na10.jpg\nb.jpg\nbad.jpg\nsub/c.jpg\n")
    let null = try await stage.run(["-n", "-0", "--exclude", "sub/*"], code: 0)
    #expect(null.outputText == "a9.jpg\0a10.jpg\0b.jpg\0bad.jpg\0")
    let json = try await stage.run(["-n", "--json"], code: 0)
    #expect(
      try json.records().map { $0.text("record") } == ["scan"] + Array(repeating: "candidate", count: 5) + ["summary"])
    #expect(try FolderState(of: stage.folder.path).differences(from: before) == [])
  }

  @Test func `K4: without a terminal there is no carriage return and no escape, whatever happens`() async throws {
    let stage = try RunStage.ofSamples()
    for options in [[], ["-v"], ["--json"], ["--progress", "always"], ["-q"], ["--dry-run"], ["--on-error", "stop"]] {
      let result = try await stage.command(options).run()
      for byte: UInt8 in [0x0d, 0x1b] {
        #expect(!result.output.contains(byte) && !result.errors.contains(byte), "\(options): \(result)")
      }
      if !options.contains("--json"), !options.contains("--dry-run") { #expect(result.output.isEmpty, "\(result)") }
    }
  }

  @Test func `colours and a bar come on demand only, and a quiet good run says nothing`() async throws {
    let stage = try RunStage(["a.jpg"])
    let coloured = try await stage.run(["--color", "always"], code: 0)
    #expect(coloured.errors.contains(0x1b))
    let quiet = try await stage.run(["-q"], code: 0)
    #expect(quiet.errors.isEmpty && quiet.output.isEmpty, "\(quiet)")
  }

  @Test func `a log file gets every verdict and the exit code, run after run`() async throws {
    let stage = try RunStage.ofSamples()
    let log = stage.folder["log"]
    let earliest = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    for _ in 0..<2 { try await stage.run(["--log-file", log, "-q"], code: 3) }
    let text = String(decoding: try stage.folder.bytes(of: "log"), as: UTF8.self)
    #expect(text.matches(of: /exit code 3\n/).count == 2)
    // Of a photo that was not read again nothing is said again.
    #expect(text.matches(of: /verified alps\/IMG_0001\.jpg\n/).count == 1)
    #expect(text.contains("nothing was read: 18 unchanged"))
    #expect(text.contains("damaged alps/IMG_0012.jpg: "))
    // Each run names the photos to look at, and says when it was and who.
    #expect(text.matches(of: #/\] damaged:\n\[ +[0-9.]+\]   alps/IMG_0012\.jpg: /#).count == 2)
    #expect(text.matches(of: #/\] failed:\n/#).count == 2)
    let beginnings = text.matches(of: #/\[ +[0-9.]+\] (\S+) photo-ingest \S+, process ([0-9]+): run of /#)
    #expect(beginnings.count == 2 && Set(beginnings.map(\.output.2)).count == 2)
    for beginning in beginnings {
      let time = try Date(String(beginning.output.1), strategy: .iso8601)
      #expect(time >= earliest && time <= Date())
    }
    #expect(!String(decoding: try stage.manifest, as: UTF8.self).contains(String(beginnings[0].output.1)))
  }

  // MARK: Inspect

  @Test func `inspect shows both events: embedded, first scan, and a small decode where there is nothing else`()
    async throws
  {
    let expected =
      [
        ("alps/IMG_0002.jpg", "embedded", [107, 160], "verified"), ("alps/panorama.jpg", "scan", nil, "verified"),
        ("harbour/chart.jpg", "scaled", nil, "verified"), ("alps/IMG_0012.jpg", "embedded", nil, "damaged"),
      ] as [(String, String, [Int]?, String)]
    for (name, source, size, status) in expected {
      let path = "\(Pictures.samples)/\(name)"
      let code: Int32 = status == "verified" ? 0 : 3
      let json = try await Command(BuiltProgram.path, ["inspect", "--json", path]).run()
      #expect(json.exitCode == code, "\(json)")
      let records = try json.records()
      try #require(records.map { $0.text("record") } == ["degraded", "asset"], "\(json)")
      #expect(records[0]["preview", "source"]?.stringValue == source, "\(name)")
      #expect(records[1]["preview"] == records[0]["preview"], "\(name)")
      #expect(records.allSatisfy { $0.path == path && $0.integer("index") == 0 })
      #expect(records[1].status == status)
      if let size {
        let shown = [records[0]["preview", "width"], records[0]["preview", "height"]].map { $0?.integerValue }
        #expect(shown == size.map(Int64.init))
      }

      let text = try await Command(BuiltProgram.path, ["inspect", path]).run()
      #expect(text.exitCode == code && text.errors.isEmpty, "\(text)")
      #expect(text.outputText.hasPrefix(path + "\n  stand-in     \(source), "), "\(text)")
      #expect(text.outputText.contains("  verdict      \(status)"), "\(text)")
    }
  }

  @Test func `inspect of several files goes on behind a bad one and says 3`() async throws {
    let names = ["harbour/notes.jpg", "nothing.jpg", "pebbles.jpg"].map { "\(Pictures.samples)/\($0)" }
    let result = try await Command(BuiltProgram.path, ["inspect", "--json"] + names).run()
    #expect(result.exitCode == 3, "\(result)")
    let rows = try result.records().filter { $0.text("record") == "asset" }
    #expect(rows.map(\.path) == names)
    #expect(rows.map { $0.code } == ["not-an-image", "vanished", nil])
    #expect(rows.map { $0.integer("index") } == [0, 1, 2])
  }

  @Test func `inspect tells of a photo what the run's row tells`() async throws {
    let stage = try RunStage.ofSamples()
    try await stage.run(["--no-thumbnails"], code: 3)
    for name in ["alps/IMG_0001.jpg", "alps/IMG_0012.jpg", "harbour/evening-p3.jpg", "alps/night sky.png"] {
      let row = try stage.row(name)
      let path = "\(stage.source)/\(name)"
      let result = try await Command(BuiltProgram.path, ["inspect", "--json", path]).run()
      let shown = try #require(try result.records().last)
      let facts = { (row: Facts) in
        (row.value.objectValue ?? []).filter { !["index", "path", "preview"].contains($0.key) }
      }
      #expect(facts(row).count > 10)
      #expect(facts(row) == facts(shown), "\(name)")
    }
  }
}
