import IngestFiles

/// Remembers which paths were named, in 8 bytes a path, so that memory stays small with a million photos.
///
/// Two paths that agree in the first 64 bits of their SHA-256 count as one; nobody can make such a pair on purpose.
struct PathSet: Sendable {
  private var keys: Set<UInt64> = []

  /// False when the path was in already.
  @discardableResult mutating func insert(_ path: [UInt8]) -> Bool {
    keys.insert(Self.key(path)).inserted
  }

  func contains(_ path: [UInt8]) -> Bool {
    keys.contains(Self.key(path))
  }

  private static func key(_ path: [UInt8]) -> UInt64 {
    var digest = SHA256Digest()
    digest.update(path)
    return digest.finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
