import Foundation
import IngestCore
import IngestFiles

/// Makes a finished output folder of so many photos whose files hold a few bytes each: for what only reads manifests.
public struct MadeOutput {
  public let folder: TemporaryFolder
  /// The checksums of the thumbnails, in order.
  public let checksums: [String]

  public var path: String { folder["out"] }

  /// - Parameters:
  ///   - broken: places of photos that are not verified.
  ///   - name: the folder below the temporary one; with a slash in it for an album.
  ///   - thumbnail: what the thumbnail of a photo holds.
  public init(
    _ count: Int, broken: Set<Int> = [], in folder: TemporaryFolder? = nil, name: String = "out",
    thumbnail: (Int) -> [UInt8] = { Array("thumbnail \($0)".utf8) }
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    var manifest = ManifestEncoder(order: .name).header()
    var checksums: [String] = []
    for index in 0..<count {
      var writer = JSONWriter()
      writer.beginObject()
      if broken.contains(index) {
        writer.key("error")
        writer.beginObject()
        writer.member("code", "empty")
        writer.member("message", "the file is empty")
        writer.endObject()
        writer.member("index", index)
        writer.member("path", "photo \(index).jpg")
        writer.member("record", "asset")
        writer.member("status", "failed")
      } else {
        let content = thumbnail(index)
        let checksum = SHA256Digest.hex(of: content)
        checksums.append(checksum)
        let place = "thumbnails/256/\(index % 100)/\(index).jpg"
        try folder.file("\(name)/\(place)", content)
        let original = Array("original \(index)".utf8)
        try folder.file("\(name)-source/photo \(index).jpg", original)
        writer.member("bytes", original.count)
        writer.member("format", "jpeg")
        writer.member("height", 30)
        writer.member("index", index)
        writer.member("path", "photo \(index).jpg")
        writer.member("record", "asset")
        writer.member("sha256", SHA256Digest.hex(of: original))
        writer.member("status", "verified")
        writer.key("thumbnails")
        writer.beginArray()
        writer.beginObject()
        writer.member("bytes", content.count)
        writer.member("height", 3)
        writer.member("path", place)
        writer.member("sha256", checksum)
        writer.member("size", 256)
        writer.member("width", 4)
        writer.endObject()
        writer.endArray()
        writer.member("width", 40)
      }
      writer.endObject()
      writer.newLine()
      manifest += writer.bytes
    }
    var totals = ManifestTotals()
    for index in 0..<count { totals.add(broken.contains(index) ? .failed : .verified) }
    manifest += ManifestEncoder(order: .name).end(totals: totals, sha256: SHA256Digest.hex(of: manifest))
    try folder.file("\(name)/manifest.jsonl", manifest)
    self.folder = folder
    self.checksums = checksums
  }
}
