import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Holds runs under different conditions against each other: the same photos give the same bytes.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct SameBytesTests {
  private static let all = ["--manifest", "json,csv,sha256", "--thumbnail", "96", "--thumbnail", "256"]

  /// The results of one run over the samples, by name.
  private static let plain = Result {
    let stage = try RunStage.ofSamples()
    try pinTimes(of: stage)
    let result = try stage.command(all + ["-j", "2"]).runBlocking()
    try #require(result.exitCode == 3, "\(result)")
    return try FolderState.ofOutput(stage.output).contents
  }

  /// Copies carry other times than their originals; a row holds the time.
  private static func pinTimes(of stage: RunStage) throws {
    for (index, name) in stage.folder.listing().filter({ $0.hasPrefix("in/") }).enumerated() {
      try stage.setModified(String(name.dropFirst(3)), seconds: 1_700_000_000 + index, nanoseconds: 7)
    }
  }

  private func expectSame(
    _ stage: RunStage, _ options: [String] = [], change: (inout Command) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try Self.pinTimes(of: stage)
    var command = stage.command(Self.all + options)
    change(&command)
    let result = try await command.run()
    #expect(result.exitCode == 3, "\(result)", sourceLocation: sourceLocation)
    let contents = try FolderState.ofOutput(stage.output).contents
    let plain = try Self.plain.get()
    #expect(plain.count > 40)
    let different = Set(plain.keys).union(contents.keys).filter { plain[$0] != contents[$0] }
    #expect(
      different.isEmpty, "\(different.map { String(decoding: $0, as: UTF8.self) })", sourceLocation: sourceLocation)
  }

  @Test(arguments: [1, 3, 8])
  func `any number of workers gives the same bytes`(jobs: Int) async throws {
    try await expectSame(try RunStage.ofSamples(), ["-j", "\(jobs)"])
  }

  @Test(arguments: [("Asia/Kathmandu", "C"), ("America/St_Johns", "tr_TR.UTF-8"), (":/nonexistent", "")])
  func `neither time zone nor locale shows in the bytes`(zone: String, locale: String) async throws {
    try await expectSame(try RunStage.ofSamples()) { command in
      command.environment["TZ"] = zone
      command.environment["LC_ALL"] = locale
      command.environment["LANG"] = locale
      command.environment["LANGUAGE"] = locale
    }
  }

  @Test func `files made in another order, under another path and umask give the same bytes`() async throws {
    let stage = try RunStage()
    for name in Pictures.sampleNames.reversed() { try stage.photo(name, try Pictures.sample(name)) }
    try await expectSame(stage) { $0 = $0.after("umask 027") }
    let modes = try FolderState.ofOutput(stage.output).entries.filter { !$0.key.isEmpty }.map(\.value.mode)
    #expect(Set(modes) == [S_IFREG | 0o640, S_IFDIR | 0o750], "the user's umask counts")
  }

  @Test func `what the run shows and how it is told changes no byte`() async throws {
    try await expectSame(try RunStage.ofSamples(), ["--json", "-v", "--progress", "always", "--color", "always"])
  }

  @Test func `a second run leaves every byte, time and file alone, and the sources too`() async throws {
    let stage = try RunStage.ofSamples()
    let sources = try FolderState(of: stage.source)
    try await stage.run(Self.all, code: 3)
    let first = try FolderState.ofOutput(stage.output)
    try await stage.run(Self.all + ["-j", "7"], code: 3)
    #expect(try FolderState.ofOutput(stage.output).differences(from: first) == [])
    // Content, modification and change time: not even a link was made to a source.
    #expect(try FolderState(of: stage.source).differences(from: sources) == [])
  }

  @Test func `a run from scratch and a run over an older output end in the same bytes`() async throws {
    let stage = try RunStage.ofSamples()
    try await stage.run(["--thumbnail", "64", "--order", "size", "--manifest", "csv"], code: 3)
    try stage.photo("alps/new.jpg")
    try await stage.run(["--thumbnail", "500", "--manifest", "csv"], code: 3)
    try FileManager.default.removeItem(atPath: stage.source + "/alps/new.jpg")
    try await expectSame(stage)
  }

  // MARK: What a manifest says of itself

  @Test func `the end record holds the counts and the checksum of all bytes before it`() async throws {
    let stage = try RunStage.ofSamples()
    try await stage.run(code: 3)
    let manifest = try stage.manifest
    #expect(manifest.last == UInt8(ascii: "\n"))
    let lines = manifest.split(separator: UInt8(ascii: "\n"))
    let end = try #require(lines.last)
    try stage.folder.file("head", Array(manifest.prefix(manifest.count - end.count - 1)))
    let sum = try await Command("/usr/bin/sha256sum", [stage.folder["head"]]).run()
    let record = try stage.end()
    #expect(sum.outputText.hasPrefix((record.text("sha256") ?? "-") + " "))
    #expect(record.text("record") == "end")
    let statuses = try stage.rows().map(\.status)
    #expect(record.integer("assets") == statuses.count)
    for status in ["verified", "damaged", "failed"] {
      #expect(record.integer(status) == statuses.count { $0 == status }, "\(status)")
    }
    #expect(record.integer("damaged") == 1)
  }

  @Test func `keys are sorted, slashes plain, and nothing tells of this machine`() async throws {
    let stage = try RunStage.ofSamples()
    try await stage.run(code: 3)
    let text = String(decoding: try stage.manifest, as: UTF8.self)
    #expect(!text.contains("\\/"))
    #expect(!text.contains("null"))
    #expect(!text.contains(stage.folder.path))
    for line in text.split(separator: "\n") {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8), options: []) as? [String: Any])
      let sorted = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
      let keys = { (text: String) in text.matches(of: /"([a-z0-9_]+)":/).map { String($0.1) } }
      #expect(keys(String(line)) == keys(String(decoding: sorted, as: UTF8.self)))
    }
  }

  @Test func `S11: manifest.json is one JSON document and holds the same rows`() async throws {
    let stage = try RunStage.ofSamples()
    try await stage.run(code: 3)
    let bytes = Data(try stage.folder.bytes(of: "out/manifest.json"))
    let document = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    let assets = try #require(document["assets"] as? [[String: Any]])
    let lines = try stage.manifest.split(separator: UInt8(ascii: "\n")).dropFirst().dropLast().map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }
    #expect(assets.count == lines.count)
    for (asset, line) in zip(assets, lines) {
      // `record` names a line of the stream; an array of assets needs no name for its members.
      let (asset, line) = (NSMutableDictionary(dictionary: asset), NSMutableDictionary(dictionary: line))
      asset["record"] = nil
      line["record"] = nil
      #expect(asset == line)
    }
    let totals = try #require(document["totals"] as? [String: Int])
    #expect(totals["assets"] == lines.count)
    #expect(document["format"] as? String == "photo-ingest")
    #expect(document["order"] as? String == "name")
    #expect(document["version"] as? Int == 1)
  }

  @Test(arguments: [("json", "manifest.json"), ("csv", "manifest.csv"), ("sha256", "SHA256SUMS")])
  func `export gives the bytes of the run's own file, to stdout and to a file`(format: String, file: String)
    async throws
  {
    let stage = try RunStage.ofSamples()
    try stage.photo([0xe9, 0x2e, 0x6a, 0x70, 0x67], Pictures.small[0])
    try await stage.run(["--manifest", "json,csv,sha256", "--order", "captured", "--thumbnail", "40"], code: 3)
    let own = try stage.folder.bytes(of: "out/\(file)")
    let before = try FolderState(of: stage.output)
    let result = try await Command(BuiltProgram.path, ["export", "--format", format, stage.output]).run()
    #expect(result.exitCode == 0, "\(result.errorText)")
    #expect(bytesDifference(expected: own, actual: result.output) == nil)

    let target = stage.folder["exported"]
    let written = try await Command(
      BuiltProgram.path, ["export", "--format", format, "-o", target, stage.output]
    ).run()
    #expect(written.exitCode == 0 && written.output.isEmpty, "\(written)")
    #expect(try stage.folder.bytes(of: "exported") == own)
    #expect(try FolderState(of: stage.output).differences(from: before) == [])
  }
}
