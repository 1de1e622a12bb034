import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Holds manifests against what their rows can be: everything here has an end record that agrees with its bytes.
@Suite(.timeLimit(.minutes(3)))
struct VerifyManifestTests {
  private static let manifest = "damaged manifest manifest.jsonl"

  private func swapped(_ rows: [String], _ a: Int, _ b: Int) -> [String] {
    var rows = rows
    rows.swapAt(a, b)
    // Each keeps the index of its place.
    rows[a].replace("\"index\":\(b - 1)", with: "\"index\":\(a - 1)")
    rows[b].replace("\"index\":\(a - 1)", with: "\"index\":\(b - 1)")
    return rows
  }

  private func thumbnails(_ row: String) throws -> String {
    String(try #require(row.firstMatch(of: #/"thumbnails":.*\}\]/#)).output)
  }

  @Test(arguments: [["a.jpg", "b.jpg"], ["a.jpg", "b.jpg", "c.jpg"]])
  func `two rows that list each other's thumbnails`(names: [String]) async throws {
    let stage = try RunStage(names)
    try await stage.run(["--thumbnail", "64", "--thumbnail", "32"], code: 0)
    #expect(try await stage.findings(code: 0) == [])
    try stage.rewriteLines { lines in
      var lines = lines
      let (first, second) = (try thumbnails(lines[1]), try thumbnails(lines[2]))
      lines[1].replace(first, with: second)
      lines[2].replace(second, with: first)
      return lines
    }
    let found = ["damaged manifest a.jpg", "damaged manifest b.jpg"]
    #expect(try await stage.findings(code: 4).filter { !$0.contains("manifest.json") } == found)
  }

  @Test func `thumbnails have their names by either way to decode`() async throws {
    for options in [["--decode", "full"], ["--thumbnail", "300", "--thumbnail", "20"], ["--no-thumbnails"]] {
      let stage = try RunStage(["a.jpg", "b.jpg"])
      try stage.photo("cut.jpg", Array(Pictures.small[3].dropLast(30)))
      try await stage.run(options, code: 3)
      #expect(try await stage.findings(code: 0) == [])
    }
  }

  @Test(arguments: ["name", "captured"]) func `rows in another order than the header says`(order: String) async throws {
    let stage = try RunStage(["a2.jpg", "a10.jpg", "b.jpg"])
    try await stage.run(["--order", order], code: 0)
    #expect(try await stage.findings(code: 0) == [])
    try stage.rewriteLines { swapped($0, 1, 2) }
    #expect(try await stage.findings(code: 4).first == "damaged manifest a2.jpg")
  }

  @Test(arguments: ["size", "modified"]) func `rows that are not sorted by their figures`(order: String) async throws {
    let stage = try RunStage(["b.jpg", "c.jpg"])
    // Neither by name: the oldest and the smallest one is the last of that order, and two are alike.
    try stage.photo("a10.jpg", Pictures.small[2] + [UInt8](repeating: 0, count: 100_000))
    try stage.photo("a2.jpg", Pictures.small[2] + [UInt8](repeating: 0, count: 100_000))
    try stage.photo("empty.jpg", [UInt8]())
    for (place, name) in ["c.jpg", "empty.jpg", "b.jpg", "a2.jpg"].enumerated() {
      try stage.setModified(name, seconds: 1_700_000_000 + place)
    }
    try stage.setModified("a10.jpg", seconds: 1_700_000_003)
    try await stage.run(["--order", order], code: 3)
    #expect(try await stage.findings(code: 0) == [])
    #expect(try Array(stage.paths().suffix(2)) == ["a2.jpg", "a10.jpg"])
    let whole = try stage.manifest
    for place in 1...4 {
      let moved = try stage.paths()[place - 1]
      try stage.rewriteLines { swapped($0, place, place + 1) }
      #expect(try await stage.findings(code: 4).first == "damaged manifest \(moved)")
      try stage.folder.file("out/manifest.jsonl", whole)
    }
  }

  @Test func `photos without figures stand where they stood, in the order of size`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    let list = try stage.folder.file("list", Array("http://localhost/z.jpg\nb.jpg\ngone.jpg\na.jpg\n".utf8))
    for order in ["size", "modified"] {
      try await stage.run(["--order", order, "--files-from", list], code: 3)
      #expect(try await stage.findings(code: 0) == [])
    }
  }

  @Test func `lines that end in CR LF, keys in another order, and blanks`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run(["--manifest", "csv"], code: 0)
    let whole = try stage.manifest
    let changes: [(String) -> String] = [
      { $0 + "\r" },
      {
        $0.replacing(
          #"{"format":"photo-ingest","order":"name""#, with: #"{"order":"name","format":"photo-ingest""#)
      },
      { $0.contains("header") ? $0.replacing("\":", with: "\": ") : $0 },
      { $0.replacing(#""path":"a.jpg""#, with: #""path":"\u0061.jpg""#) },
    ]
    for change in changes {
      try stage.folder.file("out/manifest.jsonl", whole)
      try stage.rewriteManifest(change)
      #expect(try stage.manifest != whole)
      #expect(try await stage.findings(code: 4) == [Self.manifest])
    }
    // The end record counts too.
    try stage.folder.file("out/manifest.jsonl", whole.dropLast() + Array("\r\n".utf8))
    #expect(try await stage.findings(code: 4) == [Self.manifest])
  }

  @Test func `manifests that the last run has left and somebody has deleted`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await stage.run(["--manifest", "json,csv,sha256,bagit"], code: 0)
    // A run that asks for less keeps what stands.
    try await stage.run(["--manifest", "json"], code: 0)
    let names = ["manifest.json", "manifest.csv", "SHA256SUMS"]
    for name in names { try stage.remove("out/" + name) }
    try stage.remove("out/bag")
    #expect(
      try await stage.findings(code: 4) == names.map { "missing manifest " + $0 } + ["missing bag bag"])
    // Nobody remembers anything.
    try stage.remove("out/.photo-ingest/selection")
    #expect(try await stage.findings(code: 0) == [])
    try await stage.run(["--manifest", "csv"], code: 0)
    #expect(try await stage.findings(code: 0) == [])
  }
}
