import IngestFiles

/// Remembers which paths were named, in 16 bytes a path, so that memory stays small with a million photos.
///
/// Two paths that agree in the first 128 bits of their SHA-256 count as one. Half as many bits would not do: whoever
/// names the files finds two such paths among a few billion.
struct PathSet: Sendable {
  private var keys: Set<UInt128> = []

  /// False when the path was in already.
  @discardableResult mutating func insert(_ path: [UInt8]) -> Bool {
    keys.insert(Self.key(path)).inserted
  }

  func contains(_ path: [UInt8]) -> Bool {
    keys.contains(Self.key(path))
  }

  static func key(_ path: [UInt8]) -> UInt128 {
    var digest = SHA256Digest()
    digest.update(path)
    return digest.finish().prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
  }
}
