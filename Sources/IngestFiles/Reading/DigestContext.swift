internal import CCrypto
internal import IngestCore

/// Owns the working memory of one SHA-256 computation of libcrypto.
///
/// `@unchecked Sendable`: a context is held either by one `SHA256Digest`, which has one owner, or by the pool under its
/// lock, never by both.
@safe final class DigestContext: @unchecked Sendable {
  /// The algorithm, looked up once; libcrypto lets every thread use it. The legacy name stands in where a configuration
  /// offers no provider: it is resolved again at each use, which is slow and right.
  nonisolated(unsafe) private static let algorithm: OpaquePointer? =
    unsafe EVP_MD_fetch(nil, "SHA256", nil) ?? EVP_sha256()

  /// Contexts that wait for their next photo, no more than threads have ever worked at once.
  private static let pool = Guarded<[DigestContext]>([])

  private let context: OpaquePointer

  private init() {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("libcrypto has no memory for a SHA-256") }
    unsafe self.context = context
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  /// A context that stands before its first byte.
  static func take() -> DigestContext {
    let context = pool.withLock { $0.popLast() } ?? DigestContext()
    context.restart()
    return context
  }

  static func giveBack(_ context: DigestContext) {
    pool.withLock { if $0.count < 64 { $0.append(context) } }
  }

  func restart() {
    let status = unsafe EVP_DigestInit_ex2(context, DigestContext.algorithm, nil)
    precondition(status == 1, "libcrypto offers no SHA-256")
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    guard unsafe !bytes.isEmpty else { return }
    let status = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(status == 1, "libcrypto refused bytes for a SHA-256")
  }

  /// Takes over the state of another computation.
  func become(_ other: DigestContext) {
    let status = unsafe EVP_MD_CTX_copy_ex(context, other.context)
    precondition(status == 1, "libcrypto could not copy a SHA-256")
  }

  func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    let status = unsafe EVP_DigestFinal_ex(context, &digest, &length)
    precondition(status == 1 && length == 32, "libcrypto could not end a SHA-256")
    return digest
  }
}
