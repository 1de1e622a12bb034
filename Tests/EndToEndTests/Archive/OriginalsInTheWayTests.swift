import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// A name that was a photo yesterday may be a folder today, and the other way round; the archive goes along and loses
/// nothing.
@Suite(.timeLimit(.minutes(3)))
struct OriginalsInTheWayTests {
  static let kinds = ["copy", "symlink"]

  /// The content of all regular files below `originals/`.
  private func archived(_ stage: RunStage) throws -> [[UInt8]: [UInt8]] {
    try FolderState(of: stage.output + "/originals").files
  }

  @Test(arguments: kinds) func `a photo that became a folder`(kind: String) async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run(["--originals", kind], code: 0)
    let first = try stage.folder.bytes(of: "in/a.jpg")
    try stage.remove("in/a.jpg")
    try stage.photo("a.jpg/x.jpg", 3)
    try stage.photo("a.jpg/deep/y.jpg", 4)
    let result = try await stage.run(["--originals", kind], code: 0)
    #expect(!result.errorText.contains("originals"), "\(result)")
    #expect(try stage.folder.bytes(of: "out/originals/a.jpg/x.jpg") == Pictures.small[3])
    #expect(try stage.folder.bytes(of: "out/originals/a.jpg/deep/y.jpg") == Pictures.small[4])
    if kind == "copy" { #expect(try archived(stage).values.contains(first)) }
    #expect(try await stage.findings(code: 0) == [])
    let before = try FolderState.ofOutput(stage.output)
    try await stage.run(["--originals", kind], code: 0)
    #expect(try FolderState.ofOutput(stage.output).differences(from: before) == [])
    try await stage.run(["--originals", kind, "--prune"], code: 0)
    #expect(try archived(stage).count == (kind == "copy" ? 3 : 0))
    #expect(try await stage.findings(code: 0) == [])
  }

  @Test(arguments: kinds) func `a folder that became a photo`(kind: String) async throws {
    let stage = try RunStage(["a.jpg/x.jpg", "a.jpg/deep/y.jpg", "b.jpg"])
    try await stage.run(["--originals", kind], code: 0)
    try stage.remove("in/a.jpg")
    try stage.photo("a.jpg", 5)
    try await stage.run(["--originals", kind, "--accept-missing"], code: 0)
    #expect(try stage.folder.bytes(of: "out/originals/a.jpg") == Pictures.small[5])
    if kind == "copy" {
      let kept = Set(try archived(stage).values)
      #expect(kept.isSuperset(of: [Pictures.small[0], Pictures.small[1]]))
    }
    #expect(try await stage.findings(code: 0) == [])
    #expect(stage.litter() == [])
    try await stage.run(["--originals", kind, "--prune"], code: 0)
    #expect(try archived(stage).count == (kind == "copy" ? 2 : 0))
    #expect(
      try stage.folder.namesAsBytes(in: "out/originals").map { String(decoding: $0, as: UTF8.self) }
        == ["a.jpg", "b.jpg"])
  }

  @Test func `back and forth, again and again, keeps each content once`() async throws {
    let stage = try RunStage(["b.jpg"])
    for _ in 0..<4 {
      try stage.photo("a.jpg", 3)
      try await stage.run(["--originals", "copy", "--accept-missing"], code: 0)
      try stage.remove("in/a.jpg")
      try stage.photo("a.jpg/x.jpg", 4)
      try await stage.run(["--originals", "copy", "--accept-missing"], code: 0)
      #expect(try await stage.findings(code: 0) == [])
      try stage.remove("in/a.jpg")
    }
    let names = try archived(stage).keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
    #expect(names.count == 4, "\(names)")
    #expect(names.contains { $0.contains(#/^a~[0-9a-f]{8}\.jpg\/x~[0-9a-f]{8}\.jpg$/#) }, "\(names)")
  }

  @Test func `a folder of the output's own disk that is a link is still not entered or replaced`() async throws {
    let stage = try RunStage(["a.jpg/x.jpg"])
    try stage.folder.file("victim/x.jpg", [7])
    try stage.folder.file("out/originals/keep", [])
    try stage.replaceByLink("out/originals/a.jpg", to: stage.folder["victim"])
    let refused = try await stage.run(["--originals", "copy"], code: 1)
    #expect(
      refused.errorText.contains("originals/a.jpg: is a symbolic link, which is not followed"), "\(refused)")
    #expect(stage.isLink("out/originals/a.jpg"))
  }

  @Test(arguments: [true, false])
  func `a folder of originals that was moved away and is a link now ends the run`(hasNew: Bool) async throws {
    let stage = try RunStage(["alps/a.jpg", "alps/b.jpg", "c.jpg"])
    try await stage.run(["--originals", "copy"], code: 0)
    let manifest = try stage.manifest
    try stage.folder.file("elsewhere/keep", [])
    try FileManager.default.moveItem(atPath: stage.output + "/originals/alps", toPath: stage.folder["elsewhere/alps"])
    try stage.replaceByLink("out/originals/alps", to: stage.folder["elsewhere/alps"])
    if hasNew { try stage.photo("alps/new.jpg", 5) }
    let refused = try await stage.run(["--originals", "copy"], code: 1)
    #expect(refused.errorText.contains("originals/alps: is a symbolic link, which is not followed"), "\(refused)")
    #expect(stage.isLink("out/originals/alps"))
    #expect(try stage.manifest == manifest)
    #expect(try stage.folder.bytes(of: "elsewhere/alps/a.jpg") == Pictures.small[0])
  }

  @Test func `a bag with a file and a folder that want one name`() async throws {
    let stage = try RunStage(["a%/x.jpg"])
    try await stage.run(["--manifest", "json,bagit"], code: 0)
    let names = try stage.folder.namesAsBytes(in: "out/bag/data").map { String(decoding: $0, as: UTF8.self) }
    let renamed = try #require(names.first)
    // Somebody has a photo without an extension that is called as the folder is called in the bag.
    try stage.photo(renamed, 2)
    try await stage.run(["--manifest", "json,bagit"], code: 0)
    #expect(try FolderState(of: stage.output + "/bag/data").files.count == 2)
    #expect(try await stage.findings(code: 0) == [])
    // A folder of the source with that name and a photo that is renamed to it.
    let other = try RunStage(["a%.jpg"])
    try await other.run(["--manifest", "json,bagit"], code: 0)
    let place = try #require(
      try other.folder.namesAsBytes(in: "out/bag/data").map { String(decoding: $0, as: UTF8.self) }.first)
    try other.photo(place + "/y.jpg", 4)
    try await other.run(["--manifest", "json,bagit"], code: 0)
    #expect(try FolderState(of: other.output + "/bag/data").files.count == 2)
    #expect(try await other.findings(code: 0) == [])
  }
}
