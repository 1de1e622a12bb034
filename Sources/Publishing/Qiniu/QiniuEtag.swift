/// Computes Qiniu's name for content while it is read: what the service answers as `hash` after a form upload.
///
/// Blocks of 4 MiB. One block at most: `0x16` and its SHA-1; more: `0x96` and the SHA-1 of all their SHA-1; both in
/// base64 for addresses (https://github.com/qiniu/qetag). A value with one owner.
public struct QiniuEtag: ~Copyable, Sendable {
  private static let blockSize = 4 << 20

  private var block = RunningDigest(.sha1)
  private var blocks = RunningDigest(.sha1)
  private var first: [UInt8]?
  private var inBlock = 0

  public init() {}

  public mutating func update(_ bytes: some Collection<UInt8>) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if inBlock == Self.blockSize { closeBlock() }
      let piece = rest.prefix(Self.blockSize - inBlock)
      block.update(piece)
      inBlock += piece.count
      rest = rest.dropFirst(piece.count)
    }
  }

  /// The etag of everything so far. The value then starts anew.
  public mutating func finish() -> String {
    let digest: [UInt8]
    if first == nil {
      digest = [0x16] + block.finish()
    } else {
      closeBlock()
      digest = [0x96] + blocks.finish()
    }
    first = nil
    inBlock = 0
    // Of a single block the second digest has seen nothing.
    return URLSafeBase64.encode(digest)
  }

  private mutating func closeBlock() {
    let digest = block.finish()
    first = first ?? digest
    blocks.update(digest)
    inBlock = 0
  }
}
