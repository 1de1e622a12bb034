import IngestCore
import IngestFiles
import Testing

@testable import Ingest
@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct ExitCodeTests {
  static let table: [(Outcome, Int32)] = [
    (.done, 0),
    (.run(.sample()), 0),
    (.run(.sample(verified: 0)), 0),
    (.run(.sample(problems: [.cut])), 3),
    (.run(.sample(verified: 0, problems: [.text])), 3),
    (.run(.sample(unreadableFolders: 1)), 3),
    (.run(.sample(leftOut: ["hidden": 9])), 0),
    (.listed(CandidateSummary(count: 2, leftOut: [:], unreadableFolders: 0)), 0),
    (.listed(CandidateSummary(count: 2, leftOut: [:], unreadableFolders: 1)), 3),
    (.inspected(allVerified: true), 0),
    (.inspected(allVerified: false), 3),
    (.usage(.unexpectedValue(option: "--json")), 2),
    (.failed(.sourceUnusable(.missing([0x61]))), 1),
    (.failed(.outputUnusable(FileError(path: [0x62], operation: "cannot be written", errno: 28))), 1),
    (
      .failed(
        .stoppedByPolicy(photo: RelativePath("a"), failure: LoadFailure(.corrupt, "x"), failures: 1, cancelled: 0)), 1
    ),
    (.failed(.cancelled), 1),
    (.failed(.manifestUnusable(path: "out", reason: "no manifest")), 1),
    (.failed(.inputUnusable(.missing([0x61]))), 2),
  ]

  @Test(arguments: table.indices) func `every outcome has its code`(row: Int) {
    #expect(ExitCode(Self.table[row].0).rawValue == Self.table[row].1)
  }

  @Test(arguments: [["export", "--format", "csv", "out"], ["run", "photos", "-o", "out", "--json"], ["help"]])
  func `output that a full disk lost is told and is no success`(words: [String]) {
    var stage = Stage(engine: ScriptedEngine(pieces: [[0x61]]))
    stage.output = Recorder(lossReason: "No space left on device")
    let ending = Command.run(stage.surroundings(words.map { Array($0.utf8) }))
    #expect(ending == .code(1))
    #expect(stage.errors.text.contains("standard output: cannot be written: No space left on device\n"))
  }

  @Test func `the codes are those of the interface`() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 75])
    #expect(Ending.signal(1).shown == 129)
    #expect(Ending.signal(2).shown == 130)
    #expect(Ending.signal(15).shown == 143)
  }

  @Test(arguments: [
    (
      RunError.sourceUnusable(.missing(Array("photos".utf8))),
      "source folder photos: cannot be opened: No such file or directory"
    ),
    (
      RunError.sourceUnusable(FileError(path: Array("a.jpg".utf8), operation: "cannot be opened", errno: 20)),
      "source folder a.jpg: cannot be opened: Not a directory; \"photo-ingest inspect FILE\" shows one photo"
    ),
    (
      .sourceUnusable(.missing(Array("~/photos".utf8))),
      "source folder ~/photos: cannot be opened: No such file or directory; \"~\" is taken as it is here: write the "
        + "folder's whole name"
    ),
    (
      .outputUnusable(FileError(path: Array("out".utf8), operation: "cannot be written", errno: 28)),
      "output folder out: cannot be written: No space left on device"
    ),
    (
      .stoppedByPolicy(
        photo: RelativePath("a.jpg"), failure: LoadFailure(.corrupt, "bad code"), failures: 2, cancelled: 7),
      "a.jpg: bad code; the run stopped here, as asked (2 photos not verified, 7 cancelled)"
    ),
    (
      .manifestUnusable(path: "out/manifest.jsonl", reason: "the file is cut off"),
      "out/manifest.jsonl: the file is cut off"
    ),
    (.inputUnusable(.missing(Array("l\u{1B}".utf8))), "l\\x1b: cannot be opened: No such file or directory"),
  ])
  func `errors read as subject, what happened, why`(error: RunError, sentence: String) {
    #expect(error.sentence == sentence)
  }
}
