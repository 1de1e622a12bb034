internal import CCrypto

/// Computes a SHA-1 or SHA-256 of bytes that come piece by piece. A value with one owner, which may hand it to another
/// thread.
@safe struct RunningDigest: ~Copyable, @unchecked Sendable {
  // `@unchecked`: the context belongs to this value alone, which cannot be copied.
  private let context: OpaquePointer
  private let kind: MessageDigest

  init(_ kind: MessageDigest) {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("libcrypto has no memory for a digest") }
    unsafe self.context = context
    self.kind = kind
    restart()
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  mutating func update(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty else { return }
    let array = ContiguousArray(bytes)
    let status = unsafe array.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    precondition(status == 1, "libcrypto refused bytes for a digest")
  }

  /// The digest of everything so far. The value then starts anew.
  mutating func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: kind.byteCount)
    var length: UInt32 = 0
    let status = unsafe EVP_DigestFinal_ex(context, &digest, &length)
    precondition(status == 1 && Int(length) == kind.byteCount, "libcrypto could not end a digest")
    restart()
    return digest
  }

  private func restart() {
    let status =
      switch kind {
      case .sha1: unsafe EVP_DigestInit_ex(context, EVP_sha1(), nil)
      case .sha256: unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
      }
    precondition(status == 1, "libcrypto offers no such digest")
  }
}
