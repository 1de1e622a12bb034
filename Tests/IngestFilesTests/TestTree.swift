import Foundation
import Glibc
import IngestCore
import Testing

@testable import IngestFiles

/// Holds a folder of its own below the temporary folder and removes it at the end, however deep it has become.
final class TestTree {
  let path: String

  init() {
    var template = Array("/tmp/photo-ingest-test-XXXXXX".utf8CString)
    unsafe mkdtemp(&template)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    unsafe chmod(path, 0o755)
  }

  deinit {
    let remove = Process()
    remove.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The programs' own removal follows no limit on the length of a path.
    remove.arguments = ["-c", "chmod -R u+rwx \"$1\" 2>/dev/null; rm -rf \"$1\"", "sh", path]
    try? remove.run()
    remove.waitUntilExit()
  }

  func bytes(_ name: [UInt8]) -> [UInt8] { Array(path.utf8) + [UInt8(ascii: "/")] + name }

  func cPath(_ name: [UInt8]) -> [CChar] { bytes(name).map { CChar(bitPattern: $0) } + [0] }

  func cPath(_ name: String) -> [CChar] { cPath(Array(name.utf8)) }

  @discardableResult
  func file(_ name: String, _ content: [UInt8] = [1, 2, 3]) throws -> TestTree {
    try file(Array(name.utf8), content)
  }

  @discardableResult
  func file(_ name: [UInt8], _ content: [UInt8] = [1, 2, 3]) throws -> TestTree {
    if let slash = name.lastIndex(of: UInt8(ascii: "/")) { folder(Array(name[..<slash])) }
    let number = unsafe open(cPath(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    try #require(number >= 0, "\(String(decoding: name, as: UTF8.self)): \(errno)")
    try #require(unsafe write(number, content, content.count) == content.count)
    close(number)
    return self
  }

  func folder(_ name: String) { folder(Array(name.utf8)) }

  func folder(_ name: [UInt8]) {
    for (index, byte) in name.enumerated() where byte == UInt8(ascii: "/") {
      _ = unsafe mkdir(cPath(Array(name[..<index])), 0o755)
    }
    _ = unsafe mkdir(cPath(name), 0o755)
  }

  /// Makes a chain of folders; each holds `p.jpg` with one byte, the next one, and a sibling `side` with an empty photo.
  func deepFolders(named part: String, levels: Int) throws {
    var folder = unsafe open(path, O_RDONLY)
    for _ in 0..<levels {
      try #require(unsafe mkdirat(folder, part, 0o755) == 0)
      let next = unsafe openat(folder, part, O_RDONLY)
      close(folder)
      folder = next
      let file = unsafe openat(folder, "p.jpg", O_WRONLY | O_CREAT, 0o644)
      try #require(unsafe write(file, "x", 1) == 1)
      close(file)
      try #require(unsafe mkdirat(folder, "side", 0o755) == 0)
      close(unsafe openat(folder, "side/s.jpg", O_WRONLY | O_CREAT, 0o644))
    }
    close(folder)
  }

  static func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  func link(_ name: String, to target: String) throws {
    try #require(unsafe symlink(target, cPath(name)) == 0)
  }

  func fifo(_ name: String) throws {
    try #require(unsafe mkfifo(cPath(name), 0o644) == 0)
  }

  func socket(_ name: String) throws {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes(Array(name.utf8))) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(number, $0, length) }
    }
    try #require(status == 0)
  }

  func content(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path + "/" + name).map { Array($0) }
  }

  /// Every file and link below, relative, sorted; folders only when they are empty, with a slash.
  func listing(_ name: String = "") -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path + "/" + name)) ?? []
    return names.sorted()
  }

  /// Inode and nanosecond times of a name.
  func identity(_ name: String) throws -> FileIdentity {
    var status = stat()
    try #require(unsafe lstat(cPath(name), &status) == 0)
    return FileIdentity(status)
  }

  func source() throws -> SourceFolder { try SourceFolder.open(Array(path.utf8)) }

  func output() throws -> OutputFolder { try OutputFolder.create(bytes(Array("out".utf8))) }
}

extension ScanOptions {
  /// Photos are jpg and png; content is an image when it begins with `IMG`.
  static let forTests = ScanOptions(
    photoExtensions: [Array("jpg".utf8), Array("png".utf8)], sniffLength: 3,
    sniff: { $0 == Array("IMG".utf8) })
}

extension ScanResult {
  /// The readable paths of all candidates, sorted by bytes.
  var paths: [String] {
    candidates.map(\.path.bytes).sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

extension SourceFile {
  /// Reads at most `count` bytes in one call.
  func next(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    var raw = unsafe span.mutableBytes
    let got = read(into: &raw)
    return Array(bytes[..<got])
  }
}
