import Foundation
import IngestTestSupport
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct OptionTableTests {
  /// Every option that interface version 1 names for `run`.
  static let optionsOfRun = [
    "output", "thumbnail", "no-thumbnails", "manifest", "order", "jobs", "workers", "decode", "on-error", "max-errors",
    "lock", "originals", "files-from", "null", "network", "include", "exclude", "hidden", "unsupported", "max-pixels",
    "max-memory", "timeout", "retry-failed", "full", "min-age", "accept-missing", "prune", "dry-run", "cron", "quiet",
    "verbose", "progress", "color", "log-file", "json", "config",
    "albums-at-once",
  ]
  static let shorts = ["o": "output", "j": "jobs", "0": "null", "n": "dry-run", "q": "quiet", "v": "verbose"]
  /// What comes with a later version, and nothing else.
  static let later: [String] = []

  @Test(arguments: optionsOfRun) func `the table has every option of the interface`(name: String) {
    #expect(OptionTable.rows(of: .run).filter { $0.name == name }.count == 1)
  }

  @Test(arguments: shorts.sorted { $0.key < $1.key })
  func `short names are those of the interface`(short: String, name: String) {
    #expect(short.utf8.first.flatMap { OptionTable.row(short: $0, of: .run) }?.name == name)
  }

  @Test func `exactly the options to come are marked`() {
    let marked = OptionTable.rows(of: .run).filter { $0.arrival == .later }.map(\.name)
    #expect(marked.sorted() == Self.later.sorted())
    #expect(OptionTable.row(named: "workers", of: .run)?.arrival == .now)
    #expect(CommandWord.allCases.filter { $0.description.arrival == .later } == [])
  }

  @Test func `a name takes a value with every command or with none`() {
    for (name, rows) in Dictionary(grouping: OptionTable.rows, by: \.name) {
      #expect(Set(rows.map(\.takesValue)).count == 1, "--\(name)")
      #expect(Set(rows.compactMap(\.short)).count <= 1, "--\(name)")
      for command in CommandWord.allCases {
        #expect(rows.filter { $0.commands.contains(command) }.count <= 1, "--\(name) of \(command)")
      }
    }
  }

  @Test func `what takes a value says what it is called`() {
    for row in OptionTable.rows {
      #expect((row.placeholder != nil) == row.takesValue, "--\(row.name)")
      #expect(row.help.hasSuffix("."), "--\(row.name)")
      for name in row.cancels { #expect(OptionTable.row(named: name, of: nil)?.cancels.contains(row.name) == true) }
    }
  }

  @Test func `the environment's names are those of the interface`() {
    #expect(OptionTable.row(named: "jobs", of: .run)?.environmentName == "PHOTO_INGEST_JOBS")
    #expect(OptionTable.row(named: "max-pixels", of: .run)?.environmentName == "PHOTO_INGEST_MAX_PIXELS")
    #expect(OptionTable.row(named: "help", of: .run)?.environmentName == nil)
    // A folder for results must not become the file of an export.
    #expect(OptionTable.row(named: "output", of: .export)?.environmentName == nil)
  }

  static let interface: String? = SharedMaterial.fixtures.flatMap {
    try? String(contentsOfFile: $0 + "/../interface.md", encoding: .utf8)
  }

  @Test(.enabled(if: interface != nil, "the interface's page is not beside the project"))
  func `every option that the interface's page lists is in the table`() throws {
    let page = try #require(Self.interface)
    let start = try #require(page.range(of: "Options of `run`:"))
    let end = try #require(page.range(of: "Order `name`:"))
    let listed = page[start.upperBound..<end.lowerBound].matches(of: /--([a-z][a-z-]+)/).map { String($0.output.1) }
    #expect(listed.count > 30)
    let known = Set(OptionTable.rows(of: .run).map(\.name))
    #expect(Set(listed).subtracting(known) == [])
  }
}
