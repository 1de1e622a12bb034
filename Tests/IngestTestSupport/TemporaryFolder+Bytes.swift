import Glibc

extension TemporaryFolder {
  /// Writes a file whose name is any bytes, also such as are not UTF-8; makes the folders above it.
  public func file(named name: [UInt8], _ bytes: [UInt8] = []) throws {
    let full = Array(path.utf8) + [UInt8(ascii: "/")] + name
    for place in full.indices where full[place] == UInt8(ascii: "/") && place > path.utf8.count {
      _ = unsafe withCString(full[..<place]) { unsafe mkdir($0, 0o755) }
    }
    let descriptor = unsafe withCString(full[...]) { unsafe open($0, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644) }
    guard descriptor >= 0 else { throw FileFailure(name: name, code: errno) }
    defer { close(descriptor) }
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    guard count == bytes.count else { throw FileFailure(name: name, code: errno) }
  }

  /// The names in a folder as their exact bytes, in byte order.
  public func namesAsBytes(in folder: String = "") throws -> [[UInt8]] {
    guard let stream = unsafe opendir(self[folder]) else { throw FileFailure(name: Array(folder.utf8), code: errno) }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Says which name the file system refused.
  public struct FileFailure: Error {
    public let name: [UInt8]
    public let code: Int32
  }

  private func withCString<Result>(_ bytes: ArraySlice<UInt8>, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let ended = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe ended.withUnsafeBufferPointer { unsafe body($0.baseAddress.unsafelyUnwrapped) }
  }
}
