import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct HelpTests {
  static let pages: [[String]] =
    [HelpText.overview] + CommandWord.allCases.map(HelpText.page) + HelpTopic.allCases.map(\.lines)

  @Test(arguments: pages) func `no line is wider than 80 columns`(page: [String]) {
    #expect(page.count > 3)
    for line in page {
      #expect(line.count <= 80, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test(arguments: CommandWord.allCases)
  func `a command's page lists its options and marks those to come`(command: CommandWord) {
    let page = HelpText.page(of: command).joined(separator: "\n")
    for option in OptionTable.rows(of: command) {
      #expect(page.contains(option.dashed + (option.placeholder.map { " " + $0 } ?? "")), "\(option.dashed)")
      #expect(HelpText.explanation(option).contains("(not yet") == (option.arrival != .now), "\(option.dashed)")
    }
  }

  @Test(arguments: ["--help", "help", "help run", "run -h", "help exit-codes"])
  func `exit codes are printed`(line: String) {
    let stage = Stage()
    let ending = Command.run(stage.surroundings(line.split(separator: " ").map { Array($0.utf8) }))
    #expect(ending == .code(0))
    #expect(stage.errors.text == "")
    for code in ExitCode.allCases { #expect(stage.output.text.contains("\n  \(code.rawValue) "), "\(code)") }
  }

  @Test(arguments: HelpTopic.allCases.map(\.rawValue) + CommandWord.allCases.map(\.rawValue))
  func `every topic has a page`(topic: String) {
    let stage = Stage()
    #expect(stage.run("help", topic) == .code(0))
    #expect(stage.output.lines.count > 3)
  }

  @Test func `an unknown topic is a usage error`() {
    let stage = Stage()
    #expect(stage.run("help", "orders2") == .code(2))
    #expect(stage.output.text == "")
    #expect(stage.errors.text.hasSuffix("did you mean \"orders\"?\n"))
  }

  @Test func `the version is one line`() {
    let stage = Stage()
    #expect(stage.run("--version") == .code(0))
    #expect(stage.output.text == "photo-ingest 0.1.0\n")
  }

  @Test func `no word at all shows help as an error`() {
    let stage = Stage()
    #expect(stage.run() == .code(2))
    #expect(stage.output.text == "")
    #expect(stage.errors.text.hasPrefix("photo-ingest 0.1.0: "))
  }

  @Test func `a long word keeps a line of its own`() {
    let lines = TextWrapping.lines("a " + String(repeating: "x", count: 90) + " b", indent: 2)
    #expect(lines == ["  a", "  " + String(repeating: "x", count: 90), "  b"])
  }
}
