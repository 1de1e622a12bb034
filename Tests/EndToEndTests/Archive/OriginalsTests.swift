import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Keeps originals beside the results: whole, under their exact names, and never one over another.
@Suite(.timeLimit(.minutes(3)))
struct OriginalsTests {
  @Test func `copies have the bytes, the names and the times of their sources, and the row names them`() async throws {
    let stage = try RunStage(["a.jpg", "sub/b.jpg"])
    let odd: [[UInt8]] = [
      Array("nl\nname.jpg".utf8), [0x63, 0xE9] + Array(".jpg".utf8), Array(" edge .jpg".utf8),
      Array(repeating: UInt8(ascii: "x"), count: 251) + Array(".jpg".utf8), Array("50%.jpg".utf8),
    ]
    for (number, name) in odd.enumerated() { try stage.photo(name, Pictures.small[number]) }
    try stage.setModified("a.jpg", seconds: 1_000_000_000, nanoseconds: 123_456_789)
    try stage.photo("cut.jpg", Array(Pictures.small[3].dropLast(30)))
    try await stage.run(["--originals", "copy"], code: 3)
    let sources = try FolderState(of: stage.source)
    let copies = try FolderState(of: stage.output + "/originals")
    #expect(copies.contents == sources.contents)
    #expect(copies.entries[Array("a.jpg".utf8)]?.modified == [1_000_000_000, 123_456_789])
    #expect(try stage.row("sub/b.jpg").text("original") == "originals/sub/b.jpg")
    #expect(try stage.row("cut.jpg").text("original") == "originals/cut.jpg")
    #expect(try stage.rows().allSatisfy { $0.text("original_kind") == nil })
    #expect(stage.litter() == [])
    #expect(try await stage.findings(code: 0) == [])

    let before = try FolderState.ofOutput(stage.output)
    try await stage.run(["--originals", "copy"], code: 3)
    #expect(try FolderState.ofOutput(stage.output).differences(from: before) == [])
  }

  @Test func `sources are only read, never linked or changed`() async throws {
    let stage = try RunStage(["a.jpg", "sub/b.jpg"])
    let before = try FolderState(of: stage.source)
    try await stage.run(["--originals", "copy", "--manifest", "bagit", "--everything"], code: 0)
    try await stage.run(["--originals", "symlink", "--prune"], code: 0)
    #expect(try FolderState(of: stage.source) == before)
  }

  @Test func `links lead to the sources, and links and copies take each other's place`() async throws {
    let stage = try RunStage(["a.jpg", "sub/b.jpg"])
    try await stage.run(["--originals", "symlink"], code: 0)
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: stage.output + "/originals/sub/b.jpg")
    #expect(target == stage.source + "/sub/b.jpg")
    #expect(try stage.row("sub/b.jpg").text("original_kind") == "symlink")
    #expect(try await stage.findings(code: 0) == [])
    try await stage.run(["--originals", "copy"], code: 0)
    #expect(!stage.isLink("out/originals/a.jpg"))
    #expect(try await stage.findings(code: 0) == [])
    try await stage.run(["--originals", "symlink"], code: 0)
    #expect(stage.isLink("out/originals/a.jpg") && stage.isLink("out/originals/sub/b.jpg"))
    #expect(try stage.folder.namesAsBytes(in: "out/originals").count == 2, "nothing was set aside")
    #expect(try await stage.findings(code: 0) == [])
    let again = try await stage.run(["--originals", "symlink", "--json"], code: 0)
    #expect(try again.records().filter { $0.text("record") == "read" }.isEmpty, "\(again)")
  }

  @Test func `a photo that became a link is read because it was replaced`() async throws {
    let nights = try NightStage(["a.jpg", "b.jpg"])
    _ = try await nights.night()
    try nights.stage.replaceByLink("in/a.jpg", to: "nowhere")
    let night = try await nights.night(code: 3)
    #expect(night.reads == ["a.jpg": "replaced"])
    #expect(try await nights.night(code: 3).reads == [:])
  }

  @Test func `a changed source never takes the archived content away`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    try await stage.run(["--originals", "copy"], code: 0)
    let first = try stage.folder.bytes(of: "in/a.jpg")
    for number in [5, 6] {
      try stage.photo("a.jpg", number)
      try await stage.run(["--originals", "copy"], code: 0)
      #expect(try stage.folder.bytes(of: "out/originals/a.jpg") == Pictures.small[number])
    }
    let names = try stage.folder.namesAsBytes(in: "out/originals").map { String(decoding: $0, as: UTF8.self) }
    let kept = names.filter { $0.hasPrefix("a~") }
    #expect(kept.count == 2)
    #expect(try kept.contains { try stage.folder.bytes(of: "out/originals/" + $0) == first })
    #expect(kept.allSatisfy { $0.contains(#/^a~[0-9a-f]{8}\.jpg$/#) })
    // The name carries the checksum of the content, and verify holds one against the other.
    #expect(try await stage.findings(code: 0) == [])
    try stage.append("out/originals/" + kept[0])
    #expect(try await stage.findings(code: 4) == ["unlisted original originals/" + kept[0]])
    // Back to the first content: it is there once, under its own name and aside.
    try stage.photo("a.jpg", first)
    try await stage.run(["--originals", "copy"], code: 0)
    #expect(try stage.folder.bytes(of: "out/originals/a.jpg") == first)
  }

  @Test func `prune deletes what no row lists and nothing else`() async throws {
    let stage = try RunStage(["a.jpg", "sub/deep/b.jpg", "c.jpg"])
    try await stage.run(["--originals", "copy"], code: 0)
    try stage.folder.file("elsewhere/x.jpg", [1])
    try stage.replaceByLink("out/originals/away", to: stage.folder["elsewhere"])
    try stage.folder.file("out/originals/stray.txt", [1])
    try stage.remove("in/sub/deep/b.jpg")
    // It is there and has failed: what was archived of it stays.
    try stage.photo("c.jpg", Array("no photo any more".utf8))
    try stage.remove("in/c.jpg")
    try FileManager.default.createSymbolicLink(atPath: stage.source + "/c.jpg", withDestinationPath: "nowhere")
    try await stage.run(["--originals", "copy"], code: 3)
    #expect(try stage.folder.namesAsBytes(in: "out/originals").count == 5)
    let log = stage.folder["log"]
    let result = try await stage.run(["--originals", "copy", "--prune", "--log-file", log], code: 3)
    #expect(result.errorText.contains("\n3 files pruned from originals/\n"), "\(result)")
    #expect(!result.errorText.contains("stray.txt"), "names are for -v and the log")
    let lines = String(decoding: try stage.folder.bytes(of: "log"), as: UTF8.self)
    for name in ["away", "stray.txt", "sub/deep/b.jpg"] { #expect(lines.contains("pruned originals/\(name)\n")) }
    let names = try stage.folder.namesAsBytes(in: "out/originals").map { String(decoding: $0, as: UTF8.self) }
    #expect(names == ["a.jpg", "c.jpg"])
    #expect(try stage.folder.bytes(of: "elsewhere/x.jpg") == [1])
  }

  @Test func `a first run with prune over somebody's own originals is refused before anything is touched`() async throws
  {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.file("out/originals/own/mine.jpg", [1])
    let before = try FolderState(of: stage.output)
    let refused = try await stage.run(["--originals", "copy", "--prune"], code: 1)
    #expect(refused.errorText.contains("holds files under originals/ that no run has written"), "\(refused)")
    #expect(try FolderState(of: stage.output).differences(from: before) == [])
    try stage.remove("out/originals/own/mine.jpg")
    try await stage.run(["--originals", "copy", "--prune"], code: 0)
    // By now the folder is ours, and pruning says so in figures for programs too.
    try stage.folder.file("out/originals/own/mine.jpg", [1])
    let pruned = try await stage.run(["--originals", "copy", "--prune", "--json"], code: 0)
    #expect(try pruned.records().last?.integer("pruned") == 1)
  }

  @Test(arguments: [0, 400]) func `prune leaves the good copy of a photo that is cut now`(length: Int) async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    let good = try #require(try FolderState(of: stage.source).contents[Array("a.jpg".utf8)])
    try await stage.run(["--originals", "copy"], code: 0)
    try stage.photo("a.jpg", Array(good.prefix(length)))
    try await stage.run(["--originals", "copy", "--prune"], code: 3)
    #expect(try FolderState(of: stage.output + "/originals").contents.values.contains(good))
    #expect(try await stage.findings(code: 0) == [])
    // It is whole again, and the cut one is not worth keeping.
    try stage.photo("a.jpg", good)
    try await stage.run(["--originals", "copy", "--prune"], code: 0)
    #expect(try FolderState(of: stage.output + "/originals").contents == FolderState(of: stage.source).contents)
  }

  @Test func `prune is refused without originals`() async throws {
    let stage = try RunStage(["a.jpg"])
    for option in ["--prune", "--everything"] {
      let refused = try await stage.run([option], code: 2)
      #expect(refused.errorText.contains("\(option): needs --originals copy or symlink"), "\(refused)")
    }
  }

  @Test(.enabled(if: Unprivileged.isPossible, "the program cannot be run without the rights of root here"))
  func `prune waits while a folder cannot be read`() async throws {
    let stage = try RunStage(["a.jpg", "sub/b.jpg"])
    try await stage.run(["--originals", "copy"], code: 0)
    try stage.openToAll()
    try #require(unsafe chmod(stage.source + "/sub", 0) == 0)
    let result = try await Unprivileged.command(stage.command(["--originals", "copy", "--prune"])).run()
    #expect(result.exitCode == 3 && result.errorText.contains("not pruned"), "\(result)")
    #expect(try stage.folder.bytes(of: "out/originals/sub/b.jpg") == Pictures.small[1])
  }

  @Test func `side files go along with --everything, each with its checksum`() async throws {
    let stage = try RunStage(["a.jpg", "sub/b.jpg", "plain.jpg"])
    for name in ["a.xmp", "a.jpg.XMP", "a.AAE", "a.mov", "sub/b.MP4", "sub/b.jpg.json", "other.xmp", "ab.xmp", "a.txt"]
    {
      try stage.photo(name, Array(name.utf8))
    }
    try stage.replaceByLink("in/plain.xmp", to: "/etc/hostname")
    let result = try await stage.run(["--originals", "copy", "--everything", "--manifest", "json,bagit"], code: 0)
    func sideFiles(_ path: String) throws -> [String] {
      (try stage.row(path)["side_files"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
    }
    #expect(try sideFiles("a.jpg") == ["a.AAE", "a.jpg.XMP", "a.mov", "a.xmp"])
    #expect(try sideFiles("sub/b.jpg") == ["sub/b.MP4", "sub/b.jpg.json"])
    #expect(try stage.row("plain.jpg").notes == ["side-file-left-out"])
    #expect(result.errorText.contains("plain.xmp: is a symbolic link"), "\(result)")
    #expect(try stage.folder.bytes(of: "out/originals/sub/b.MP4") == Array("sub/b.MP4".utf8))
    #expect(try stage.folder.bytes(of: "out/bag/data/a.xmp") == Array("a.xmp".utf8))
    #expect(!FileManager.default.fileExists(atPath: stage.output + "/originals/other.xmp"))
    #expect(try await stage.findings(code: 0) == [])
    try stage.append("in/a.xmp")
    try stage.append("out/originals/a.mov")
    #expect(
      try await stage.findings(code: 4) == [
        "changed original originals/a.mov", "changed side-file a.xmp",
        // The bag shares its files with originals/.
        "changed bag bag/data/a.mov",
      ])
    try await stage.run(["--originals", "copy", "--everything", "--prune"], code: 0)
    #expect(try stage.folder.bytes(of: "out/originals/a.xmp") == Array("a.xmp".utf8) + [0])
    // Without the option they belong to nobody.
    try await stage.run(["--originals", "copy", "--prune"], code: 0)
    #expect(!FileManager.default.fileExists(atPath: stage.output + "/originals/a.mov"))
  }

  @Test func `links planted under originals are not followed`() async throws {
    let stage = try RunStage(["a.jpg", "sub/b.jpg"])
    try stage.folder.file("victim/b.jpg", [7])
    try stage.folder.file("out/originals/keep", [])
    try stage.replaceByLink("out/originals/sub", to: stage.folder["victim"])
    let refused = try await stage.run(["--originals", "copy"], code: 1)
    #expect(refused.errorText.contains("is a symbolic link, which is not followed"), "\(refused)")
    #expect(try stage.folder.bytes(of: "victim/b.jpg") == [7])
    try stage.remove("out/originals/sub")
    try stage.replaceByLink("out/originals/a.jpg", to: stage.folder["victim/b.jpg"])
    try await stage.run(["--originals", "copy"], code: 0)
    #expect(try stage.folder.bytes(of: "victim/b.jpg") == [7])
    #expect(try stage.folder.bytes(of: "out/originals/a.jpg") == Pictures.small[0])
    try stage.replaceByFIFO("out/originals/a.jpg")
    try await stage.run(["--originals", "copy"], code: 0)
    #expect(try stage.folder.bytes(of: "out/originals/a.jpg") == Pictures.small[0])
  }

  @Test func `a tree deeper than a path may be long is copied too`() async throws {
    let stage = try RunStage(["a.jpg"])
    let script = """
      cd "$0" && i=0; while [ $i -lt 30 ]; do mkdir \(String(repeating: "d", count: 200)) && cd d*; i=$((i+1)); done
      cat > deep.jpg
      """
    let made = try Command("/bin/sh", ["-c", script, stage.source], input: Pictures.small[4]).runBlocking()
    try #require(made.exitCode == 0, "\(made)")
    try await stage.run(["--originals", "copy"], code: 0)
    #expect(try stage.rows().contains { $0.path.hasSuffix("deep.jpg") && $0.text("original") != nil })
    #expect(try await stage.findings(code: 0) == [])
    let linked = try await stage.run(["--originals", "symlink"], code: 0)
    #expect(linked.errorText == "" || linked.errorText.contains("photos"), "\(linked)")
    try #require(try Command("/bin/rm", ["-rf", stage.source, stage.output]).runBlocking().exitCode == 0)
  }

  @Test(.enabled(if: FullDiskTests.canMount, "mounting a small file system needs root"))
  func `a full disk ends the run with 1 and leaves no partial original`() async throws {
    let stage = try RunStage(["a.jpg"])
    try stage.folder.add([.folder("out", [])])
    try #require(
      try Command("/bin/mount", ["-t", "tmpfs", "-o", "size=300k", "none", stage.output]).runBlocking().exitCode == 0)
    defer { _ = try? Command("/bin/umount", [stage.output]).runBlocking() }
    try await stage.run(["--no-thumbnails", "--originals", "copy"], code: 0)
    let old = try FolderState.ofOutput(stage.output)
    for number in 0..<100 { try stage.photo("more/\(number).jpg", number) }
    let full = try await stage.run(["--no-thumbnails", "--originals", "copy"], code: 1)
    #expect(full.errorText.contains("No space left on device"), "\(full)")
    let after = try FolderState.ofOutput(stage.output)
    for (name, entry) in after.entries where name.starts(with: "originals/more/".utf8) {
      let number = Int(String(decoding: name, as: UTF8.self).dropFirst(15).dropLast(4)) ?? 0
      #expect(entry.content == Pictures.small[number % Pictures.small.count])
    }
    #expect(after.entries[Array("manifest.jsonl".utf8)] == old.entries[Array("manifest.jsonl".utf8)])
    #expect(stage.litter() == [])
    try stage.remove("in/more")
    // What was copied before stays for the next run, which gets some room.
    try #require(try Command("/bin/mount", ["-o", "remount,size=4m", stage.output]).runBlocking().exitCode == 0)
    try await stage.run(["--no-thumbnails", "--originals", "copy", "--prune"], code: 0)
    #expect(try await stage.findings(code: 0) == [])
  }
}
