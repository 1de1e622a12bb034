import Foundation
import Glibc
import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SHA256SumsTests {
  /// The SHA-256 of "abc" (FIPS 180-2, appendix B.1).
  private let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  private static let names: [[UInt8]] =
    Sample.hostileNames.filter { $0 != Array("a/b".utf8) } + [
      Array("sub/plain.jpg".utf8), Array("sub/new\nline".utf8), Array("caf".utf8) + [0xE9, 0x5C, 0x0A],
      Array("\\".utf8), Array(" ".utf8), Array("two  blanks".utf8), Array("\\n".utf8),
    ]

  private func row(_ name: [UInt8], sha256: String?) -> AssetRow {
    var row = AssetRow(path: RelativePath(name), status: .verified)
    row.sha256 = sha256
    return row
  }

  @Test(arguments: [
    ("a.jpg", "", "a.jpg"), ("a\\b", "\\", "a\\\\b"), ("a\nb\rc", "\\", "a\\nb\\rc"), (" *a", "", " *a"),
    ("-", "", "./-"), ("-x", "", "-x"), ("caf\u{E9}", "", "caf\u{E9}"), ("\\n", "\\", "\\\\n"),
  ])
  func `a line is written as sha256sum writes it`(name: String, mark: String, written: String) throws {
    let bytes = try export(Sample.manifest(of: [row(Array(name.utf8), sha256: abc)]), SHA256SumsExporter())
    #expect(bytes == Array("\(mark)\(abc)  \(written)\n".utf8))
  }

  @Test func `rows without a checksum and remote photos are left out`() throws {
    let rows = [row(Array("a".utf8), sha256: nil), row(Array("https://host/b.jpg".utf8), sha256: abc)]
    #expect(try export(Sample.manifest(of: rows), SHA256SumsExporter()).isEmpty)
  }

  @Test func `sha256sum itself accepts it and writes the same, whatever the names`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sums-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in Self.names { try create(name, in: folder) }
    let rows = Self.names.map { row($0, sha256: abc) }
    let sums = try export(Sample.manifest(of: rows), SHA256SumsExporter())
    try Data(sums).write(to: URL(fileURLWithPath: folder + ".sums"))
    defer { try? FileManager.default.removeItem(atPath: folder + ".sums") }

    let check = try shell("cd \"$0\" && sha256sum --strict --status -c \"$0.sums\"", folder)
    #expect(check.status == 0)
    // A sum that is wrong must be noticed, or the check above would prove nothing.
    let wrong = try shell(
      "cd \"$0\" && printf x >> sub/plain.jpg && sha256sum --strict --status -c \"$0.sums\"", folder)
    #expect(wrong.status == 1)
    let own = try shell(
      "cd \"$0\" && printf abc > sub/plain.jpg && find . -type f -printf '%P\\0' | xargs -0 sha256sum --", folder)
    let lines = { (bytes: [UInt8]) in Set(bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }) }
    let lone = Array("\(abc)  ".utf8)
    #expect(own.status == 0)
    // The real program reads standard input when it is told "-"; all other lines must be its own.
    let ours = lines(sums).subtracting([lone + Array("./-".utf8)])
    #expect(ours.count == Self.names.count - 1)
    #expect(ours.isSubset(of: lines(own.output)))
  }

  private func create(_ name: [UInt8], in folder: String) throws {
    let path = Array(folder.utf8) + [UInt8(ascii: "/")] + name + [0]
    let file = unsafe path.withUnsafeBytes { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe fopen($0.baseAddress!, "wx") }
    }
    let opened = try unsafe #require(file)
    unsafe fputs("abc", opened)
    try unsafe #require(fclose(opened) == 0)
  }

  private func shell(_ script: String, _ folder: String) throws -> (status: Int32, output: [UInt8]) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, folder]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, Array(output))
  }
}
