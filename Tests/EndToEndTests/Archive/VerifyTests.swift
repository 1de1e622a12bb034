import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Holds finished outputs, and their sources, against their manifests.
@Suite(.timeLimit(.minutes(3)))
struct VerifyTests {
  private func stage(_ options: [String] = []) async throws -> RunStage {
    let stage = try RunStage(["a.jpg", "b.jpg", "sub/c.jpg"])
    try await stage.run(["--manifest", "json,csv,sha256", "--originals", "copy"] + options, code: 0)
    return stage
  }

  private func thumbnail(_ stage: RunStage, of path: String) throws -> String {
    "out/" + (try stage.row(path).thumbnails.first?.path ?? "")
  }

  @Test func `an untouched output is good, and verify writes nothing`() async throws {
    let stage = try await stage()
    let before = try FolderState(of: stage.output)
    #expect(try await stage.findings(code: 0) == [])
    #expect(try await stage.findings(["--fast"], code: 0) == [])
    let result = try await stage.invoke(["verify", stage.output], code: 0)
    #expect(result.outputText == "")
    #expect(
      result.errorText.hasPrefix(
        "checked: 3 sources, 3 thumbnails, 3 originals, 4 manifests\neverything is as the manifest says\n"), "\(result)"
    )
    #expect(try await stage.invoke(["verify", "-q", stage.output], code: 0).errorText == "")
    #expect(try FolderState(of: stage.output) == before)
  }

  @Test func `a damaged photo that is as it was is no finding`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.photo("cut.jpg", Array(Pictures.small[1].dropLast(50)))
    try stage.photo("text.jpg", Array("text".utf8))
    try await stage.run([], code: 3)
    #expect(try await stage.findings(code: 0) == [])
    try stage.append("in/cut.jpg")
    try stage.append("in/text.jpg")
    #expect(try await stage.findings(code: 4) == ["changed source cut.jpg", "changed source text.jpg"])
  }

  @Test func `every kind of file that was touched is found, in the order of the manifest`() async throws {
    let stage = try await stage()
    let thumbnails = try ["a.jpg", "b.jpg", "sub/c.jpg"].map { try thumbnail(stage, of: $0) }
    func shown(_ name: String) -> String { String(name.dropFirst(4)) }
    // One bit, the size the same: only reading tells.
    var bytes = try stage.folder.bytes(of: thumbnails[0])
    bytes[bytes.count / 2] ^= 1
    try stage.folder.file(thumbnails[0], bytes)
    try stage.remove(thumbnails[1])
    try stage.remove("out/originals/b.jpg")
    try stage.append("in/b.jpg")
    try stage.remove("in/sub/c.jpg")
    try stage.append("out/manifest.json", [0x20])
    try stage.append("out/SHA256SUMS")
    try stage.folder.file("out/thumbnails/stray", [])
    try stage.folder.file("out/originals/.hidden/stray.jpg", [])
    try stage.photo("new.jpg", 7)
    let findings = try await stage.findings(code: 4)
    #expect(
      findings == [
        "changed thumbnail \(shown(thumbnails[0]))", "missing thumbnail \(shown(thumbnails[1]))",
        "missing original originals/b.jpg", "changed source b.jpg", "missing source sub/c.jpg",
        "changed manifest manifest.json", "changed manifest SHA256SUMS", "unlisted thumbnail thumbnails/stray",
        "unlisted original originals/.hidden/stray.jpg", "unlisted source new.jpg",
      ])
    #expect(try await stage.findings(["--fast"], code: 4) == Array(findings.dropFirst()))
    // The same for people, whatever the number of threads.
    for jobs in ["1", "7"] {
      let result = try await stage.invoke(["verify", "-j", jobs, stage.output], code: 4)
      let lines = result.outputText.split(separator: "\n").map { $0.split(separator: ":")[0] }
      #expect(lines.map(String.init) == findings)
      #expect(result.errorText.contains("4 changed, 3 missing, 3 unlisted\n"), "\(result)")
    }
  }

  @Test func `a manifest that contradicts itself is damaged, one that is not there is an error`() async throws {
    let stage = try await stage()
    let whole = try stage.manifest
    for broken in [
      Array(whole.dropLast(1)), Array(whole.dropLast(40)), [], Array("{}\n".utf8), whole + Array("{}\n".utf8),
      Array(String(decoding: whole, as: UTF8.self).replacing("\"width\":", with: "\"Width\":").utf8),
    ] {
      try stage.folder.file("out/manifest.jsonl", broken)
      #expect(try await stage.findings(code: 4) == ["damaged manifest manifest.jsonl"])
    }
    try stage.remove("out/manifest.jsonl")
    #expect(try await stage.findings(code: 1) == [])
    _ = try await stage.invoke(["verify", stage.folder["nowhere"]], code: 1)
    _ = try await stage.invoke(["verify"], code: 2)
    try stage.folder.file("real.jsonl", whole)
    try stage.replaceByLink("out/manifest.jsonl", to: stage.folder["real.jsonl"])
    #expect(try await stage.findings(code: 4) == ["changed manifest manifest.jsonl"])
    try stage.replaceByFIFO("out/manifest.jsonl")
    #expect(try await stage.findings(code: 1) == [])
  }

  @Test func `a manifest that was edited with care cannot lead out of its folders`() async throws {
    let stage = try await stage()
    try stage.folder.file("secret.jpg", [1])
    try stage.rewriteManifest { $0.replacing("\"path\":\"a.jpg\"", with: "\"path\":\"../secret.jpg\"") }
    #expect(try await stage.findings(code: 4) == ["damaged manifest manifest.jsonl"])
    try await stage.run(["--manifest", "json,csv,sha256", "--originals", "copy"], code: 0)
    try stage.rewriteManifest { $0.replacing(/"thumbnails\/256\/../, with: "\"thumbnails/../../secret") }
    let thumbnails = try await stage.findings(code: 4)
    #expect(thumbnails.filter { $0.hasPrefix("damaged thumbnail thumbnails/../../secret") }.count == 3, "\(thumbnails)")
    try await stage.run(["--manifest", "json,csv,sha256", "--originals", "copy"], code: 0)
    try stage.rewriteManifest {
      $0.replacing("\"original\":\"originals/a.jpg\"", with: "\"original\":\"../secret.jpg\"")
    }
    #expect(try await stage.findings(code: 4).first == "damaged manifest a.jpg")
  }

  @Test func `what stands in the place of a file is found and never opened`() async throws {
    let stage = try await stage()
    try stage.folder.file("elsewhere/a.jpg", try stage.folder.bytes(of: "in/a.jpg"))
    try stage.replaceByLink("out/originals/a.jpg", to: stage.folder["elsewhere/a.jpg"])
    try stage.replaceByFIFO("out/originals/b.jpg")
    try stage.replaceByLink("in/a.jpg", to: stage.folder["elsewhere/a.jpg"])
    try stage.replaceByFIFO("in/b.jpg")
    try stage.replaceByLink("out/originals/sub", to: stage.folder["elsewhere"])
    let found = Set(try await stage.findings(code: 4))
    #expect(
      found == [
        "changed original originals/a.jpg", "changed original originals/b.jpg", "changed source a.jpg",
        "changed source b.jpg", "changed original originals/sub/c.jpg", "unlisted original originals/sub",
      ])
    try stage.remove("out/originals")
    try stage.replaceByLink("out/originals", to: stage.folder["elsewhere"])
    #expect(try await stage.findings(code: 4).contains("changed original originals"))
  }

  @Test func `a link among linked originals that leads elsewhere is found`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run(["--originals", "symlink"], code: 0)
    try stage.replaceByLink("out/originals/a.jpg", to: stage.source + "/b.jpg")
    #expect(try await stage.findings(code: 4) == ["changed original originals/a.jpg"])
    // The sources have moved: they are good, and every link is wrong.
    try FileManager.default.moveItem(atPath: stage.source, toPath: stage.folder["moved"])
    #expect(
      try await stage.findings(["--source", stage.folder["moved"]], code: 4)
        == ["changed original originals/a.jpg", "changed original originals/b.jpg"])
  }

  @Test func `sources are looked for where the last run found them, or where the user says`() async throws {
    let stage = try await stage()
    try FileManager.default.moveItem(atPath: stage.source, toPath: stage.folder["moved"])
    try stage.append("moved/a.jpg")
    let without = try await stage.invoke(["verify", stage.output], code: 0)
    #expect(without.errorText.contains("the sources were not looked at\n"), "\(without)")
    #expect(try await stage.findings(["--source", stage.folder["moved"]], code: 4) == ["changed source a.jpg"])
    _ = try await stage.invoke(["verify", "--source", stage.folder["nowhere"], stage.output], code: 1)
    try stage.remove("out/.photo-ingest")
    let forgotten = try await stage.invoke(["verify", stage.output], code: 0)
    #expect(forgotten.errorText.contains("--source FOLDER"), "\(forgotten)")
  }

  @Test func `photos that a run left out by wish are not missing from the manifest`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg", ".hidden.jpg"])
    try await stage.run(["--exclude", "b*"], code: 0)
    #expect(try await stage.findings(code: 0) == [])
    try stage.photo("c.jpg", 5)
    #expect(try await stage.findings(code: 4) == ["unlisted source c.jpg"])
    let list = try stage.folder.file("list", Array("a.jpg\n".utf8))
    try await stage.run(["--files-from", list], code: 0)
    #expect(try await stage.findings(code: 0) == [])
  }

  @Test func `originals of a run before the last one are not listed, whatever they hold`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run(["--originals", "copy"], code: 0)
    try await stage.run([], code: 0)
    try stage.append("out/originals/a.jpg")
    let unlisted = ["unlisted original originals/a.jpg", "unlisted original originals/b.jpg"]
    #expect(try await stage.findings(code: 4) == unlisted)
    try await stage.run(["--originals", "copy"], code: 0)
    #expect(try await stage.findings(code: 0) == [])
  }

  @Test func `an output inside its source folder is not taken for new photos`() async throws {
    let stage = try RunStage(["a.jpg"])
    let output = stage.source + "/out"
    _ = try await stage.invoke(["run", stage.source, "--output", output, "--originals", "copy"], code: 0)
    _ = try await stage.invoke(["verify", output], code: 0)
  }

  @Test func `odd names are told exactly`() async throws {
    let stage = try RunStage(["a.jpg"])
    let name = [0x63, 0xE9, 0x0A] + Array(".jpg".utf8)
    try stage.photo(name, Pictures.small[2])
    try await stage.run(["--originals", "copy"], code: 0)
    try FileManager.default.removeItem(atPath: stage.output + "/thumbnails")
    try stage.folder.file(named: Array("in/".utf8) + name, [1])
    let result = try await stage.invoke(["verify", "--json", stage.output], code: 4)
    let found = try result.records().first { $0.text("part") == "source" }
    #expect(found?.exactPath == name)
    let shown = try await stage.invoke(["verify", stage.output], code: 4)
    #expect(shown.outputText.contains("changed source c\u{FFFD}\\n.jpg: has 1 bytes"), "\(shown)")
  }

  @Test(.enabled(if: Unprivileged.isPossible, "the program cannot be run without the rights of root here"))
  func `a file that may not be read is found`() async throws {
    let stage = try await stage()
    try stage.openToAll()
    try #require(unsafe chmod(stage.source + "/a.jpg", 0) == 0)
    let result = try await Unprivileged.command(Command(BuiltProgram.path, ["verify", stage.output])).run()
    #expect(result.exitCode == 4, "\(result)")
    #expect(result.outputText == "unreadable source a.jpg: cannot be opened: Permission denied\n", "\(result)")
  }

  @Test(.enabled(if: Unprivileged.isPossible, "the program cannot be run without the rights of root here"))
  func `a folder that may not be read is found under its place in the output`() async throws {
    let stage = try await stage(["--manifest", "bagit"])
    try FileManager.default.createDirectory(atPath: stage.output + "/bag/empty", withIntermediateDirectories: false)
    try stage.openToAll()
    for folder in ["originals/sub", "bag/empty"] { try #require(unsafe chmod(stage.output + "/" + folder, 0) == 0) }
    let result = try await Unprivileged.command(Command(BuiltProgram.path, ["verify", stage.output])).run()
    #expect(result.exitCode == 4, "\(result)")
    for folder in ["original originals/sub", "bag bag/empty"] {
      #expect(result.outputText.contains("unreadable \(folder): cannot be opened: Permission denied\n"), "\(result)")
    }
  }

  @Test func `a file that only has the name of an earlier version is found, by a fast look too`() async throws {
    let stage = try await stage()
    try stage.photo("a.jpg", 5)
    try await stage.run(["--originals", "copy"], code: 0)
    let kept = try #require(stage.folder.listing().first { $0.hasPrefix("out/originals/a~") })
    #expect(try await stage.findings(code: 0) == [])
    try stage.append(kept)
    let found = ["unlisted original " + kept.dropFirst(4)]
    for options in [["--fast"], []] { #expect(try await stage.findings(options, code: 4) == found) }
    try stage.remove(kept)
    // The right digits, but not as many as a run takes.
    let name = "originals/x~ca358758f6"
    try stage.folder.file("out/" + name, [7])
    for options in [["--fast"], []] {
      #expect(try await stage.findings(options, code: 4) == ["unlisted original " + name])
    }
  }

  @Test func `the program says nothing after its reader has gone, and keeps its code`() async throws {
    let stage = try await stage()
    try stage.remove("out/thumbnails")
    var command = Command(BuiltProgram.path, ["verify", stage.output])
    command.output = .readerGone
    #expect(try await command.run().exitCode == 4)
  }

  @Test(arguments: [
    ("\"bytes\":", "\"bytes\":-"), ("\"bytes\":", "\"bytes\":0."), ("\"sha256\"", "\"sha257\""),
    ("\"original\":\"originals/a.jpg\"", "\"original\":3"),
    ("\"record\":\"asset\"", "\"error\":{\"code\":\"empty\",\"message\":\"x\"},\"record\":\"asset\""),
  ])
  func `a row that says what no row may say is damage of the manifest, whatever its end record says`(
    old: String, new: String
  ) async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run(["--originals", "copy"], code: 0)
    // The first is the photo's own: keys are sorted, and thumbnails come last.
    try stage.rewriteManifest { line in
      line.contains(#""record":"asset""#) ? line.replacing(old, with: new, maxReplacements: 1) : line
    }
    let found = try await stage.findings(code: 4)
    #expect(found.contains("damaged manifest a.jpg"), "\(found)")
  }

  @Test func `a photo with two rows is damage of the manifest`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run([], code: 0)
    let first = try #require(String(decoding: stage.manifest, as: UTF8.self).split(separator: "\n").dropFirst().first)
    try stage.rewriteManifest { line in
      line.contains(#""path":"b.jpg""#) ? String(first).replacing(#""index":0,"#, with: #""index":1,"#) : line
    }
    #expect(try await stage.findings(code: 4).contains("damaged manifest a.jpg"))
  }
}
