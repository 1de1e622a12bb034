import IngestCore
import IngestFiles

/// Names thumbnail files. The only place that makes such a path.
///
/// The id is hex from a hash of the path's bytes, the content's checksum and the recipe of the pictures. So two sources
/// never share a file, one photo has one id in all its sizes, and a file is never written over by other content.
enum ThumbnailPath {
  /// Says how pictures are made; changes when the same original would give other bytes. The order in which sizes were
  /// asked for changes nothing.
  static func recipe(sizes: [Int], decoding: Decoding) -> String {
    "1;\(decoding.rawValue);\(sizes.sorted().map(String.init).joined(separator: ","))"
  }

  static func id(path: RelativePath, sha256: String, recipe: String) -> String {
    var digest = SHA256Digest()
    digest.update(path.bytes)
    digest.update([0] + sha256.utf8 + [0] + recipe.utf8)
    return String(digest.finishHex().prefix(32))
  }

  static func path(id: String, size: Int) -> String {
    "thumbnails/\(size)/\(id.prefix(2))/\(id).jpg"
  }
}
