import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Runs over names that broke other tools: a name is bytes, and every name gets its own row and its own pictures.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct NameTests {
  private static let plain: [String] = [
    "caf\u{e9}.jpg", "cafe\u{301}.jpg", "nl\nname.jpg", "cr\rname.jpg", "both\r\n.jpg", "per%0Acent.jpg",
    "back\\slash.jpg", "q\"uote,comma;semi.jpg", "=1+1.jpg", "+1.jpg", "@SUM(1).jpg", "-dash.jpg", "\ttab.jpg",
    " edge .jpg", "-", "--output", "\u{feff}bom.jpg", "\u{1b}[31mred.jpg", "\u{130}MG.JPG", "a blank/x y.jpg", "~.jpg",
    "\u{1f305}.jpg", String(repeating: "a", count: 251) + ".jpg", "$(id).jpg", "*.jpg", "'.jpg",
  ]
  private static let notUTF8: [[UInt8]] = [
    Array("caf".utf8) + [0xe9] + Array(".jpg".utf8), [0xff, 0xfe] + Array(".jpg".utf8),
    Array("fold\u{e9}r".utf8) + [0xc0, 0x80] + Array("/x.jpg".utf8),
  ]
  private static let all = plain.map { Array($0.utf8) } + notUTF8

  private func stage() throws -> RunStage {
    let stage = try RunStage()
    for (index, name) in Self.all.enumerated() { try stage.photo(name, Pictures.small[index % Pictures.small.count]) }
    return stage
  }

  @Test func `I3 I4 I5 S1 S3: every name has one row, and its exact bytes beside it only where they are needed`()
    async throws
  {
    let stage = try stage()
    try await stage.run(code: 0)
    let rows = try stage.rows()
    #expect(rows.count == Self.all.count)
    #expect(Set(rows.map(\.exactPath)) == Set(Self.all))
    for row in rows {
      #expect(row.status == "verified", "\(row.path): \(row.message)")
      #expect((row["path_b64"] != nil) == Self.notUTF8.contains(row.exactPath), "\(row.path)")
      #expect(row.path.unicodeScalars.contains("\u{fffd}") == (row["path_b64"] != nil), "\(row.path)")
    }
    let thumbnails = rows.flatMap(\.thumbnails).compactMap { $0.text("path") }
    #expect(Set(thumbnails).count == Self.all.count)
  }

  @Test func `I1 I10: the checksum list of any names passes sha256sum in the source folder`() async throws {
    let stage = try stage()
    try await stage.run(["--manifest", "sha256"], code: 0)
    let check = try await Command(
      "/usr/bin/sha256sum", ["--strict", "--warn", "-c", stage.output + "/SHA256SUMS"], workingFolder: stage.source
    ).run()
    #expect(check.exitCode == 0, "\(check)")
    #expect(check.output.count { $0 == UInt8(ascii: "\n") } == Self.all.count)
  }

  @Test func `I6: no cell of the table runs as a formula, and the paths are still exact`() async throws {
    let stage = try stage()
    try await stage.run(["--manifest", "csv"], code: 0)
    let table = try CSVTable(try stage.folder.bytes(of: "out/manifest.csv"))
    #expect(table.rows.count == Self.all.count)
    var paths: [[UInt8]] = []
    for row in table.rows {
      let path = try #require(row["path"])
      let first = try #require(path.utf8.first)
      #expect(!"=+-@\t\r".utf8.contains(first), "\(path)")
      let coded = row["path_b64"] ?? ""
      let exact = coded.isEmpty ? Array(path.utf8) : try #require(Base64.decode(coded))
      paths.append(exact.starts(with: "./".utf8) ? Array(exact.dropFirst(2)) : exact)
      #expect(row["sha256"]?.hasPrefix("sha256:") == true)
    }
    #expect(Set(paths) == Set(Self.all))
    #expect(paths.contains(Array("=1+1.jpg".utf8)))
  }

  @Test func `K4: a name cannot steer the terminal, and a program gets its exact bytes`() async throws {
    let stage = try RunStage()
    for name in Self.all { try stage.photo(name, Array("no picture".utf8)) }
    let result = try await stage.run("-v")
    #expect(result.exitCode == 3)
    #expect(!result.errors.contains(0x1b))
    #expect(!result.errors.contains(0x0d))
    #expect(result.errorText.contains("nl\\nname.jpg"))

    let list = try await stage.run("--dry-run", "-0")
    let listed = list.output.split(separator: 0).map(Array.init)
    // Without a photo's extension and without a picture inside a file is no photo.
    #expect(Set(listed) == Set(Self.all).subtracting([Array("-".utf8), Array("--output".utf8)]))
  }

  @Test func `I8: names that differ only in case or extension get thumbnails of their own picture`() async throws {
    let stage = try RunStage()
    let pictures = [
      ("a.jpg", Pictures.small[0]), ("a.JPG", Pictures.small[4]), ("a.jpeg", Pictures.small[5]),
      ("a.png", Pictures.png(200, 30, 90)), ("b/a.jpg", Pictures.small[8]), ("A.jpg", Pictures.small[9]),
      ("a.jpg.jpg", Pictures.small[10]),
    ]
    for (name, bytes) in pictures { try stage.photo(name, bytes) }
    try await stage.run(["-j", "8", "--thumbnail", "64"], code: 0)
    let rows = try stage.rows()
    #expect(rows.count == pictures.count)
    var nearest: Set<String> = []
    for row in rows {
      let thumbnail = try #require(row.thumbnails.first?.text("path"))
      let shown = try ThumbnailGrid(file: "\(stage.output)/\(thumbnail)")
      let distances = try pictures.map { name, _ in
        (name, shown.distance(to: try ThumbnailGrid(file: "\(stage.source)/\(name)")))
      }
      let best = try #require(distances.min { $0.1 < $1.1 })
      #expect(best.0 == row.path)
      #expect(best.1 < 4, "\(row.path) is \(best.1) away from its own picture")
      nearest.insert(best.0)
    }
    #expect(nearest.count == pictures.count)
  }

  @Test func `the same picture under two names has two thumbnails`() async throws {
    let stage = try RunStage()
    try stage.photo("a.jpg", 3)
    try stage.photo("b.jpg", 3)
    try await stage.run(code: 0)
    let rows = try stage.rows()
    let paths = Set(rows.flatMap(\.thumbnails).compactMap { $0.text("path") })
    let sums = Set(rows.flatMap(\.thumbnails).compactMap { $0.text("sha256") })
    #expect(paths.count == 2)
    #expect(sums.count == 1)
  }
}
