import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct VerifyCommandTests {
  static let findings = [
    VerifyFinding(.changed, .source, RelativePath("a\nb.jpg"), index: 3, "holds other content than the manifest says"),
    VerifyFinding(.unlisted, .original, RelativePath([0x6F, 0xE9]), "is in no row of the manifest"),
  ]

  @Test func `findings go to stdout, one a line, and figures to stderr`() {
    var stage = Stage()
    stage.engine = ScriptedEngine(findings: Self.findings)
    #expect(stage.run("verify", "out") == .code(4))
    let changed = "changed source a\\nb.jpg: holds other content than the manifest says\n"
    let unlisted = "unlisted original o\u{FFFD}: is in no row of the manifest\n"
    #expect(stage.output.text == changed + unlisted)
    let figures: [String] = ["checked: 3 sources", "the sources were not looked at", "1 changed, 1 unlisted"]
    #expect(Array(stage.errors.lines.prefix(3)) == figures)
  }

  @Test func `programs get one object a line`() {
    var stage = Stage()
    stage.engine = ScriptedEngine(findings: Self.findings)
    #expect(stage.run("verify", "--json", "out") == .code(4))
    #expect(stage.errors.text == "")
    let lines = stage.output.lines
    let changed =
      #"{"index":3,"kind":"changed","message":"holds other content than the manifest says","part":"source","path":"a\nb.jpg","record":"finding"}"#
    let unlisted =
      #"{"kind":"unlisted","message":"is in no row of the manifest","part":"original","path":"o?","path_b64":"b+k=","record":"finding"}"#
    let summary =
      #"{"checked":{"source":3},"exit_code":4,"findings":{"changed":1,"unlisted":1},"kept_versions":0,"record":"summary","seconds":0,"sources_checked":false}"#
    #expect(lines.count == 3)
    #expect(lines.first == changed)
    #expect(lines.dropFirst().first?.replacing("\u{FFFD}", with: "?") == unlisted)
    #expect(lines.last == summary)
  }

  @Test func `nothing found is code 0, and quiet says nothing`() {
    let stage = Stage()
    #expect(stage.run("verify", "-q", "out") == .code(0))
    #expect(stage.output.text == "" && stage.errors.text == "")
  }

  @Test func `what is asked for arrives`() {
    let stage = Stage()
    #expect(stage.run("verify", "--fast", "-j", "5", "--source", "photos", "out") == .code(0))
    let asked = stage.engine.lastVerification
    #expect(asked?.directory == Array("out".utf8) && asked?.source == Array("photos".utf8))
    #expect(asked?.isFast == true && asked?.jobs == 5)
  }

  @Test(arguments: [
    ["verify"], ["verify", "a", "b"], ["verify", ""], ["verify", "--thumbnail", "3", "out"],
    ["verify", "-j", "0", "out"],
  ])
  func `a wrong use is refused`(words: [String]) {
    let stage = Stage()
    #expect(Command.run(stage.surroundings(words.map { Array($0.utf8) })) == .code(2))
    #expect(stage.engine.lastVerification == nil)
  }

  @Test func `a bag that cannot be made ends with 1 and its reason`() {
    let stage = Stage()
    #expect(stage.run("export", "--format", "bagit", "out") == .code(1))
    #expect(stage.errors.text == "photo-ingest: error: no new bag: a.jpg: is not there\n")
  }

  @Test func `a run that is watched says how it ended`() {
    var stage = Stage()
    #expect(stage.run("photos", "-o", "/nowhere/out", "--manifest", "prometheus") == .code(0))
    #expect(stage.engine.lastFigures?.exitCode == 0 && stage.engine.lastFigures?.totals?.verified == 3)
    #expect(stage.engine.lastFigures?.lastSuccess == 0)
    stage.engine = ScriptedEngine { _, _ throws(RunError) in throw .cancelled }
    #expect(stage.run("photos", "-o", "/nowhere/out", "--manifest", "prometheus") == .code(1))
    #expect(stage.engine.lastFigures?.exitCode == 1 && stage.engine.lastFigures?.totals == nil)
    #expect(stage.engine.lastFigures?.lastSuccess == nil)
    stage.engine = ScriptedEngine()
    #expect(stage.run("photos", "-o", "/nowhere/out") == .code(0))
    #expect(stage.engine.lastFigures == nil)
  }

  @Test func `originals are kept as asked`() throws {
    let stage = Stage()
    let configuration = try stage.request("photos", "-o", "out", "--originals", "copy", "--prune", "--everything")
      .configuration
    #expect(configuration.originals == .copy && configuration.prunesOriginals && configuration.carriesSideFiles)
    #expect(try stage.request("photos", "-o", "out", "--originals", "none").configuration.originals == nil)
    #expect(
      stage.refusal(["photos", "-o", "out", "--originals", "none", "--prune"])
        == "--prune: needs --originals copy or symlink")
    #expect(
      stage.refusal(["photos", "-o", "out", "--originals", "move"])?.contains("is none of none, copy, symlink") == true)
  }
}
