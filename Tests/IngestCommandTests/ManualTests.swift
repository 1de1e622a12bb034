import Foundation
import IngestTestSupport
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct ManualTests {
  @Test(arguments: GeneratedFile.allCases)
  func `a committed file is what the program prints; "./dev manual" writes it`(file: GeneratedFile) throws {
    let stage = Stage()
    #expect(stage.run(words: file.words) == .code(0))
    #expect(stage.errors.text == "")
    let isCurrent = try file.committed() == stage.output.text
    #expect(isCurrent, "\(file.rawValue) is not current; run ./dev manual")
  }

  @Test func `the committed page of the manifest is made from docs/manifest.md; "./dev manual" writes it`() async throws
  {
    let script = GeneratedFile.root.appendingPathComponent("scripts/manifest-page").path
    let made = try await IngestTestSupport.Command(script, [Version.day]).run()
    #expect(made.exitCode == 0, "\(made)")
    let isCurrent = try Self.manifestPage() == made.outputText
    #expect(isCurrent, "packaging/man/photo-ingest-manifest.5 is not current; run ./dev manual")
  }

  @Test(arguments: GeneratedFile.allCases)
  func `every option of every command is in man page, completions and reference`(file: GeneratedFile) throws {
    let text = try file.committed()
    for option in OptionTable.rows {
      let isThere = text.contains(file.spelling(of: option))
      #expect(isThere, "\(option.dashed) in \(file.rawValue)")
    }
  }

  @Test func `every long option that --help shows is in man page, completions and reference`() throws {
    for command in CommandWord.allCases {
      let stage = Stage()
      #expect(stage.run(command.rawValue, "--help") == .code(0))
      let shown = Set(stage.output.text.matches(of: /(?m)^ +(?:-., )?--([a-z][a-z-]*)/).map { String($0.output.1) })
      #expect(shown.count >= 2)
      for file in GeneratedFile.allCases {
        let text = try file.committed()
        for name in shown {
          let escaped = GeneratedFile.escaped("--" + name)
          let isThere =
            switch file {
            case .manual: text.contains("Fl \(escaped)\n") || text.contains("Fl \(escaped) ")
            case .bash, .zsh: text.contains("--\(name)")
            case .fish: text.contains(" -l \(name) ")
            case .configuration: text.contains("| `\(name)` |") || text.contains("`--\(name)")
            }
          #expect(isThere, "--\(name) of \(command.rawValue) in \(file.rawValue)")
        }
      }
    }
  }

  @Test func `every environment name is in the man page and in the reference`() throws {
    let names = OptionTable.rows.compactMap(\.environmentName)
    #expect(names.count > 40)
    for name in names {
      #expect(try GeneratedFile.manual.committed().contains(".Ev \(name) .\n"), "\(name)")
      #expect(try GeneratedFile.configuration.committed().contains("| `\(name)` |"), "\(name)")
    }
  }

  @Test func `every key of a row has its place on the page of the manifest`() throws {
    let documented = try String(
      contentsOf: GeneratedFile.root.appendingPathComponent("docs/manifest.md"), encoding: .utf8)
    let page = try Self.manifestPage()
    let rows = documented.matches(of: /(?m)^\| (`[^|]*`) \| (?:string|integer|array|object|boolean) \|/)
    #expect(rows.count > 20)
    for row in rows {
      let term = row.output.1.replacing("`", with: "")
      #expect(page.contains(".It Li \"\(term)\"\n"), "\(term)")
    }
  }

  private static let mandoc = "/usr/bin/mandoc"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: mandoc), "mandoc is not installed; ./dev test installs it"))
  func `mandoc has nothing to say about the manual pages`() async throws {
    // In their folder, where each finds the other that it refers to.
    let linted = try await IngestTestSupport.Command(
      Self.mandoc, ["-T", "lint", "photo-ingest.1", "photo-ingest-manifest.5"],
      workingFolder: GeneratedFile.root.appendingPathComponent("packaging/man").path
    ).run()
    #expect(linted.end == .exited(0), "\(linted)")
    #expect(linted.outputText + linted.errorText == "")
  }

  @Test(arguments: [
    ("help --format man run", "TOPIC: --format man makes one page of all of them"),
    ("help --format markdown", "TOPIC: --format markdown is there for the topic config only"),
    ("help --format markdown globs", "TOPIC: --format markdown is there for the topic config only"),
    ("help --format html", "--format: \"html\" is none of text, man, markdown"),
    ("run --format man", "--format: not an option of run"),
  ])
  func `a page that is not there is a usage error`(line: String, problem: String) {
    let stage = Stage()
    #expect(stage.run(words: line.split(separator: " ").map(String.init)) == .code(2))
    #expect(stage.output.text == "")
    #expect(stage.errors.text.contains(problem), "\(stage.errors.text)")
  }

  @Test func `--format text is what help prints without it`() {
    let plain = Stage()
    let named = Stage()
    #expect(plain.run("help", "globs") == .code(0))
    #expect(named.run("help", "--format", "text", "globs") == .code(0))
    #expect(plain.output.text == named.output.text)
  }

  @Test(arguments: [
    (#"a\b"#, #"a\eb"#), (".dot first.", #"\&.dot first."#), ("'quote first", #"\&'quote first"#),
    (#"--off "x" read-only"#, #"\-\-off \(dqx\(dq read-only"#), ("(--off)", #"(\-\-off)"#),
  ])
  func `text is no markup in a man page`(text: String, line: String) {
    #expect(Mdoc.text(text) == [line])
  }

  @Test func `every sentence begins a line of a man page`() {
    #expect(
      Mdoc.text("One (e. g.) two. Three (four.) \"Five.\" Six") == [
        "One (e.", "g.)", "two.", "Three (four.)", "\\(dqFive.\\(dq", "Six",
      ])
  }

  private static func manifestPage() throws -> String {
    try String(
      contentsOf: GeneratedFile.root.appendingPathComponent("packaging/man/photo-ingest-manifest.5"), encoding: .utf8)
  }
}
