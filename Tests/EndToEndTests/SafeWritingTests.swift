import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Holds every write against two promises: whole files or nothing, and nothing outside the output folder.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct SafeWritingTests {
  @Test func `nothing outside the output folder is written, and sources keep bytes and times`() async throws {
    let stage = try RunStage.ofSamples()
    try stage.folder.add([.folder("home", []), .folder("cwd", []), .folder("tmp", [])])
    let before = try FolderState(of: stage.folder.path)
    var command = stage.command(["--manifest", "json,csv,sha256"])
    command.workingFolder = stage.folder["cwd"]
    for (key, folder) in ["HOME": "home", "TMPDIR": "tmp", "XDG_CACHE_HOME": "home", "XDG_CONFIG_HOME": "home"] {
      command.environment[key] = stage.folder[folder]
    }
    let result = try await command.run()
    #expect(result.exitCode == 3, "\(result)")
    let different = try FolderState(of: stage.folder.path).differences(from: before)
      .filter { !$0.isEmpty && $0 != "out" && !$0.hasPrefix("out/") }
      // A sanitizer makes a file of its own there, and removes it.
      .filter { $0 != "tmp" || !BuiltProgram.isSanitized }
    #expect(different == [])
  }

  @Test(arguments: ["thumbnails", "thumbnails/256", ".photo-ingest"])
  func `a planted link in the place of a folder ends the run, and its target stays empty`(name: String) async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.folder("victim", []), .folder("out", [])])
    if name.contains("/") { try stage.folder.add([.folder("out/thumbnails", [])]) }
    try stage.folder.add([.link("out/\(name)", to: stage.folder["victim"])])
    let result = try await stage.run(code: 1)
    #expect(result.errorText.contains(name == ".photo-ingest" ? stage.output : name), "\(result)")
    #expect(stage.folder.listing().filter { $0.hasPrefix("victim/") } == ["victim/"])
    #expect(!FileManager.default.fileExists(atPath: stage.output + "/manifest.jsonl"))
  }

  @Test(arguments: ["manifest.jsonl", "manifest.json", "manifest.csv", "SHA256SUMS"])
  func `a planted link in the place of a file is replaced, not followed, also over an older output`(name: String)
    async throws
  {
    let stage = try RunStage(["a.jpg"])
    let target = try stage.folder.file("victim", Array("precious".utf8))
    try stage.folder.add([.folder("out", [.link(name, to: target)])])
    for _ in 0..<2 {
      try await stage.run(["--manifest", "json,csv,sha256"], code: 0)
      #expect(try stage.folder.bytes(of: "victim") == Array("precious".utf8))
      let attributes = try FileManager.default.attributesOfItem(atPath: stage.output + "/" + name)
      #expect(attributes[.type] as? FileAttributeType == .typeRegular)
      try FileManager.default.removeItem(atPath: stage.output + "/" + name)
      try stage.folder.add([.link("out/" + name, to: target)])
    }
  }

  @Test(arguments: ["manifest.json", "manifest.csv", "SHA256SUMS"])
  func `a file that no run has written is not written over`(name: String) async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.folder("out", [.text(name, "mine")])])
    let before = try FolderState(of: stage.output)
    let result = try await stage.run(["--manifest", "json,csv,sha256"], code: 1)
    #expect(result.errorText.contains(name), "\(result)")
    #expect(try FolderState(of: stage.output).differences(from: before) == [])
  }

  @Test func `a stranger's manifest.jsonl is not written over, a broken one of ours is`() async throws {
    let stage = try RunStage(["a.jpg"])
    for text in ["precious\n", "{}\n{}", "no line end"] {
      try stage.folder.file("out/manifest.jsonl", Array(text.utf8))
      let before = try FolderState(of: stage.output)
      let result = try await stage.run(code: 1)
      #expect(result.errorText.contains("holds a file manifest.jsonl that no run has written"), "\(result)")
      #expect(try FolderState(of: stage.output).differences(from: before) == [])
    }
    for text in ["", "{\"format\":\"photo-ingest\",\"order\":\"name\",\"record\":\"header\",\"version\":1}\n{\"by"] {
      try stage.folder.file("out/manifest.jsonl", Array(text.utf8))
      try await stage.run(code: 0)
      try FileManager.default.removeItem(atPath: stage.output)
    }
    try await stage.run(code: 0)
    try stage.folder.file("out/manifest.jsonl", Array("broken".utf8))
    try await stage.run(code: 0)
    #expect(try stage.paths() == ["a.jpg"])
  }

  @Test func `a folder in the place of a manifest ends the run and is not emptied`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.folder("out", [.folder("manifest.jsonl", [.text("mine", "x")])])])
    let result = try await stage.run(code: 1)
    #expect(result.errorText.contains("manifest.jsonl"), "\(result)")
    #expect(try stage.folder.bytes(of: "out/manifest.jsonl/mine") == [UInt8(ascii: "x")])
    #expect(stage.litter() == [])
  }

  @Test(.enabled(if: Unprivileged.isPossible, "the program cannot be run without the rights of root here"))
  func `an output that cannot be written ends the run with 1 and a plain sentence`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.openToAll()
    try stage.folder.add([.folder("out", [.text("mine", "x")])])
    try #require(unsafe chmod(stage.output, 0o555) == 0 && chmod(stage.folder.path, 0o755) == 0)
    let before = try FolderState(of: stage.folder.path)
    for output in [stage.output, stage.output + "/below", "/proc/photo-ingest-output", stage.output + "/mine"] {
      let command = Command(BuiltProgram.path, ["run", stage.source, "--output", output])
      let result = try await Unprivileged.command(command).run()
      #expect(result.exitCode == 1, "\(result)")
      #expect(
        result.errorText.hasPrefix("photo-ingest: error: output folder \(output): cannot be written"), "\(result)")
      #expect(result.errorText.split(separator: "\n").count == 1)
    }
    #expect(try FolderState(of: stage.folder.path).differences(from: before) == [])
  }

  @Test func `the source folder as output is refused under every name, and nothing is made`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.link("alias", to: "in")])
    let before = try FolderState(of: stage.source)
    let cases: [(String, Int32)] = [
      (stage.source, 2), (stage.source + "/", 2), (stage.folder["alias"], 1), (stage.source + "/../in", 1),
    ]
    for (output, code) in cases {
      let result = try await Command(BuiltProgram.path, ["run", stage.source, "--output", output]).run()
      #expect(result.exitCode == code, "\(result)")
      #expect(result.errorText.contains("is the source folder itself"), "\(result)")
    }
    #expect(try FolderState(of: stage.source).differences(from: before) == [])
  }

  @Test func `J7: a missing source ends the run with 1, makes no output and leaves an old manifest alone`() async throws
  {
    let stage = try RunStage(["a.jpg"])
    for source in [stage.folder["nothing"], stage.source + "/a.jpg"] {
      let result = try await Command(BuiltProgram.path, ["run", source, "--output", stage.output]).run()
      #expect(result.exitCode == 1, "\(result)")
      #expect(result.errorText.hasPrefix("photo-ingest: error: source folder \(source): cannot be opened"), "\(result)")
      #expect(!stage.isOutputMade)
    }
    try await stage.run(code: 0)
    let before = try FolderState(of: stage.output)
    try FileManager.default.moveItem(atPath: stage.source, toPath: stage.folder["away"])
    try await stage.run(code: 1)
    #expect(try FolderState(of: stage.output).differences(from: before) == [])
  }

  @Test func `stale thumbnails go after the manifest is there, and files of others stay`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try stage.folder.add([
      .folder(
        "out",
        [
          .text("readme.txt", "mine"),
          .folder(
            "thumbnails", [.text("mine.jpg", "mine"), .folder("256", [.folder("ab", [.text("mine.txt", "mine")])])]),
        ])
    ])
    let foreign = ["readme.txt", "thumbnails/mine.jpg", "thumbnails/256/ab/mine.txt"]
    try await stage.run(["--thumbnail", "256", "--thumbnail", "64"], code: 0)
    let thumbnails = { stage.folder.listing().filter { $0.hasPrefix("out/thumbnails/") && $0.hasSuffix(".jpg") } }
    #expect(thumbnails().count == 5)
    try FileManager.default.removeItem(atPath: stage.source + "/b.jpg")
    try await stage.run(["--thumbnail", "64"], code: 0)
    let listed = try stage.rows().flatMap(\.thumbnails).compactMap { $0.text("path") }
    #expect(thumbnails() == (listed.map { "out/" + $0 } + ["out/thumbnails/mine.jpg"]).sorted())
    try await stage.run(["--no-thumbnails"], code: 0)
    #expect(thumbnails() == ["out/thumbnails/mine.jpg"])
    #expect(!FileManager.default.fileExists(atPath: stage.output + "/thumbnails/64"))
    for name in foreign { #expect(try stage.folder.bytes(of: "out/" + name) == Array("mine".utf8), "\(name)") }
  }

  @Test func `a folder in the place of a thumbnail gives way, and what is in it is kept`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run([], code: 0)
    let before = try FolderState.ofOutput(stage.output).contents
    let names = try ["a.jpg", "b.jpg"].map { "out/" + (try stage.row($0).thumbnails.first?.path ?? "") }
    for name in names { try stage.remove(name) }
    for round in ["", "-2"] {
      try? stage.remove(names[0])
      try stage.folder.file(names[0] + "/mine/notes.txt", [UInt8(7)])
      if round.isEmpty { try stage.folder.add([.folder(names[1], [])]) }
      let result = try await stage.run([], code: 0)
      let aside = ".photo-ingest/set-aside/" + (names[0].split(separator: "/").last ?? "") + round
      #expect(result.errorText.contains("was a folder, with files in it; it is \(aside) now"), "\(result)")
      #expect(result.errorText.components(separatedBy: "was a folder").count == 2, "\(result)")
      #expect(try stage.folder.bytes(of: "out/\(aside)/mine/notes.txt") == [7])
      #expect(try FolderState.ofOutput(stage.output).contents == before)
    }
  }

  @Test func `a thumbnail that was cut or lost is made again`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run(code: 0)
    let good = try FolderState.ofOutput(stage.output)
    let paths = try stage.rows().flatMap(\.thumbnails).compactMap { $0.text("path") }
    try stage.folder.file("out/" + paths[0], [])
    try FileManager.default.removeItem(atPath: stage.output + "/" + paths[1])
    try await stage.run(code: 0)
    #expect(try FolderState.ofOutput(stage.output).contents == good.contents)
  }

  @Test func `J9: temporary files of a dead run are swept at the next one`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([
      .folder(
        "out",
        [
          .text(".photo-ingest-99999-1.tmp", "litter"),
          .folder(".photo-ingest", [.text(".photo-ingest-99999-2.tmp", "litter"), .text("notes.tmp", "mine")]),
        ])
    ])
    try await stage.run(code: 0)
    #expect(stage.litter() == ["out/.photo-ingest/notes.tmp"])
  }

  @Test(arguments: ["", "{\"format\":\"photo-ingest\",\"order\":\"name\",\"record\":\"header\",\"version\":1}\n"])
  func `export without a whole manifest ends with 1 and writes nothing`(manifest: String) async throws {
    let stage = try RunStage(["a.jpg"])
    if !manifest.isEmpty { try stage.folder.file("out/manifest.jsonl", Array(manifest.utf8)) }
    let target = stage.folder["exported"]
    for more in [[], ["-o", target]] {
      let result = try await Command(
        BuiltProgram.path, ["export", "--format", "csv", stage.output] + more
      ).run()
      #expect(result.exitCode == 1, "\(result)")
      #expect(result.output.isEmpty)
      #expect(result.errorText.contains("\(stage.output)/manifest.jsonl: "), "\(result)")
    }
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func `export refuses a manifest in which one byte was changed`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run(code: 0)
    var bytes = try stage.manifest
    let place = try #require(bytes.firstIndex(of: UInt8(ascii: "9")))
    bytes[place] = UInt8(ascii: "8")
    try stage.folder.file("out/manifest.jsonl", bytes)
    let result = try await Command(BuiltProgram.path, ["export", "--format", "sha256", stage.output]).run()
    #expect(result.exitCode == 1 && result.output.isEmpty, "\(result)")
  }
}
