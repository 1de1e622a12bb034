import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// A run that a policy stops leaves the results that the manifest lists as they were.
@Suite(.timeLimit(.minutes(3)))
struct StoppedRunTests {
  private static let size = (Pictures.small.map(\.count).max() ?? 0) + 10

  /// One of the small pictures with bytes behind it, so that all have one size.
  private func padded(_ number: Int) -> [UInt8] {
    let picture = Pictures.small[number]
    return picture + [UInt8](repeating: 0, count: Self.size - picture.count)
  }

  @Test(
    arguments: [["--originals", "copy"], ["--originals", "symlink"], []],
    [["--on-error", "stop"], ["--max-errors", "0"]])
  func `everything that the manifest lists is whole, and the next run does the work`(
    options: [String], policy: [String]
  ) async throws {
    let nights = try NightStage(["k.jpg"])
    let stage = nights.stage
    try stage.photo("a.jpg", padded(1))
    try stage.photo("b.jpg", 2)
    try stage.photo("c.jpg/x.jpg", 3)
    try stage.photo("d.jpg", 4)
    try await stage.run(options, code: 0)
    let before = try FolderState.ofOutput(stage.output)
    #expect(try await stage.findings(code: 0) == [])
    try stage.photo("a.jpg", padded(5))
    try stage.photo("b.jpg", 6)
    try stage.remove("in/c.jpg")
    try stage.photo("c.jpg", 7)
    try stage.remove("in/d.jpg")
    try stage.photo("d.jpg/x.jpg", 8)
    try stage.photo("m.jpg", 9)
    try stage.photo("z.jpg", Array("no photo".utf8))
    for jobs in ["1", "2"] {
      try await stage.run(options + policy + ["-j", jobs], code: 1)
      #expect(try FolderState.ofOutput(stage.output).contents == before.contents)
      #expect(stage.litter() == [])
    }
    let outputs = try await stage.findings(code: 4).filter { !$0.contains(" source ") }
    #expect(outputs == [])
    try stage.photo("z.jpg", 0)
    try await stage.run(options + policy, code: 0)
    #expect(try await stage.findings(code: 0) == [])
    if options.isEmpty { try await nights.expectFresh() }
    if options == ["--originals", "copy"] {
      try await stage.run(options + ["--prune"], code: 0)
      try await nights.expectFresh(options)
    }
  }

  @Test func `a first run that stops keeps what it has done for the next one`() async throws {
    let nights = try NightStage(["a.jpg", "b.jpg"])
    try nights.stage.photo("z.jpg", Array("no photo".utf8))
    try await nights.stage.run(["--on-error", "stop", "-j", "1"], code: 1)
    try nights.stage.remove("in/z.jpg")
    let night = try await nights.night(["--on-error", "stop"])
    #expect(night.reads.isEmpty, "\(night.reads)")
    try await nights.expectFresh()
  }
}
