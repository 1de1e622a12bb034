import IngestFiles

/// Lets values that are copied share one running checksum; belongs to one thread.
final class SHA256Box {
  private var digest = SHA256Digest()

  func update(_ bytes: [UInt8]) { digest.update(bytes) }
  var hex: String { digest.snapshotHex() }
}
