import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Changes a photo while the run is on its way to it.
///
/// From outside nobody can say when exactly the photo is read. Whatever the moment, its row must speak of one whole
/// content, the old or the new one, or say that there was none.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct ChangingSourceTests {
  enum Change: String, CaseIterable, Sendable { case replaced, rewritten, cut, grown, removed, rewrittenTwice }

  /// How many photos are told before the change: the late photo is then far ahead, next in line, or being read.
  private static let moments = [1, 11, 12]
  fileprivate static let late = "12.jpg"

  @Test(arguments: Change.allCases)
  func `J4: a photo that changes meanwhile is told as its old or its new self, whole, or as unstable or vanished`(
    change: Change
  ) async throws {
    // Small pictures in large files: quick to decode, slow to read.
    let padding = [UInt8](repeating: 0, count: 6 << 20)
    let (old, new) = (Pictures.small[11] + padding, Pictures.small[5] + padding)
    for moment in Self.moments {
      let stage = try RunStage()
      for index in 0..<12 { try stage.photo("\(index).jpg", index) }
      try stage.photo(Self.late, old)
      try stage.photo("new", new)
      let command = stage.command(["-j", "1", "--json", "--exclude", "new"])
      let result = try await onOwnThread { () throws(SpawnFailure) in
        let running = try command.start()
        running.waitForText("\"index\":\(moment - 1),")
        apply(change, in: stage, old: old, new: new)
        return running.finish()
      }
      let rows = try stage.rows()
      #expect(rows.count == 13 || change == .removed, "\(result)")
      for row in rows where row.path != Self.late { #expect(row.status == "verified", "\(row.path): \(row.message)") }
      let row = try stage.row(Self.late)
      // While a writer in place is at work the file is, for a moment, whole at any length.
      let soFar = { (written: [UInt8]) in Array(written.prefix(row.integer("bytes") ?? 0)) }
      let contents: [[UInt8]] =
        switch change {
        case .replaced: [old, new]
        case .rewritten: [old, new, soFar(new)]
        case .rewrittenTwice: [old, new, soFar(new), soFar(Pictures.small[2])]
        case .cut: [old, Array(old.prefix(old.count / 2))]
        case .grown: [old, old + new, soFar(old + new)]
        case .removed: [old]
        }
      try expect(row, isOneOf: contents, in: stage, "\(change) at \(moment): \(row.value)")
      if change != .removed { #expect(row.code != "vanished") }
      #expect(result.exitCode == (row.status == "verified" ? 0 : 3), "\(result)")
      #expect(stage.litter() == [])
    }
  }

  @Test func `J4: a photo that never comes to rest is loaded once more at the end, then called unstable`() async throws
  {
    let stage = try RunStage((0..<5).map { "\($0).jpg" })
    // Far larger than what is read in one turn of the writer below.
    try stage.photo("9.jpg", try Pictures.sample("still-life.jpg") + [UInt8](repeating: 0, count: 64 << 20))
    let growing = stage.source + "/9.jpg"
    // A shell that keeps adding to the file until the run is over.
    let writer = try Command(
      "/bin/sh", ["-c", "echo x >> \"$0\"; echo begun; while :; do echo x >> \"$0\"; done", growing]
    ).start()
    _ = await onOwnThread { writer.waitForText("begun") }
    let result = try await stage.run("--json", "-j", "1")
    writer.send(SIGKILL)
    _ = await onOwnThread { writer.finish() }
    #expect(result.exitCode == 3, "\(result.errorText)")
    let row = try stage.row("9.jpg")
    #expect(row.code == "unstable", "\(row.value)")
    #expect(row["sha256"] == nil && row["thumbnails"] == nil && row["width"] == nil)
    #expect(try stage.rows().map(\.path) == [0, 1, 2, 3, 4, 9].map { "\($0).jpg" })
    #expect(try stage.end().integer("verified") == 5)
    let told = try result.records().filter { $0.text("record") == "asset" }.map { $0.integer("index") }
    #expect(told == Array(0..<6))
  }

  @Test func `a photo that is written elsewhere and renamed into place is never half there`() async throws {
    let stage = try RunStage((0..<4).map { "\($0).jpg" })
    let versions = [Pictures.small[5], Pictures.small[6]]
    try stage.photo("5.jpg", versions[0])
    for (index, bytes) in versions.enumerated() { try stage.folder.file("v\(index)", bytes) }
    let script =
      "while :; do cp \"$1\" \"$3.aside\"; mv \"$3.aside\" \"$3\"; cp \"$2\" \"$3.aside\"; mv \"$3.aside\" \"$3\"; done"
    let writer = try Command(
      "/bin/sh", ["-c", script, "sh", stage.folder["v0"], stage.folder["v1"], stage.source + "/5.jpg"]
    ).start()
    for _ in 0..<5 {
      _ = try await stage.run("-q", "--exclude", "*.aside")
      try expect(try stage.row("5.jpg"), isOneOf: versions, in: stage, "renamed into place")
    }
    writer.send(SIGKILL)
    _ = await onOwnThread { writer.finish() }
  }

  /// Expects a row of one of these contents, with the pictures of that content, or one that says why there is none.
  private func expect(_ row: Facts, isOneOf contents: [[UInt8]], in stage: RunStage, _ what: Comment) throws {
    if let code = row.code, ["unstable", "vanished"].contains(code) {
      #expect(row["sha256"] == nil && row["thumbnails"] == nil, what)
      return
    }
    let sums = try contents.map { bytes in
      try stage.folder.file("sum", bytes)
      return try Command("/usr/bin/sha256sum", [stage.folder["sum"]]).runBlocking().outputText.prefix(64)
    }
    let place = try #require(sums.firstIndex { String($0) == row.text("sha256") }, what)
    #expect(row.integer("bytes") == contents[place].count, what)
    guard let thumbnail = row.thumbnails.first?.text("path") else {
      #expect(row.status == "failed", what)
      return
    }
    let shown = try ThumbnailGrid(file: "\(stage.output)/\(thumbnail)")
    var nearest: (distance: Double, content: Int) = (.infinity, -1)
    for (index, bytes) in contents.enumerated() where !bytes.isEmpty {
      try stage.folder.file("whole.jpg", Array(bytes.prefix(64 << 10)))
      let distance = shown.distance(to: try ThumbnailGrid(file: stage.folder["whole.jpg"]))
      if distance < nearest.distance { nearest = (distance, index) }
    }
    // Contents that begin alike show the same picture.
    #expect(nearest.content == place || contents[nearest.content].starts(with: contents[place].prefix(1000)), what)
  }
}

/// Does to the late photo what the name says. A failure would leave the old content, which the test sees.
private func apply(_ change: ChangingSourceTests.Change, in stage: RunStage, old: [UInt8], new: [UInt8]) {
  let path = "\(stage.source)/\(ChangingSourceTests.late)"
  let url = URL(fileURLWithPath: path)
  switch change {
  case .replaced: _ = unsafe rename(stage.source + "/new", path)
  case .rewritten: try? Data(new).write(to: url)
  case .rewrittenTwice:
    try? Data(Pictures.small[2]).write(to: url)
    try? Data(new).write(to: url)
  case .cut: _ = unsafe truncate(path, off_t(old.count / 2))
  case .grown:
    guard let handle = FileHandle(forWritingAtPath: path) else { return }
    defer { try? handle.close() }
    _ = try? handle.seekToEnd()
    try? handle.write(contentsOf: Data(new))
  case .removed: _ = unsafe unlink(path)
  }
}
