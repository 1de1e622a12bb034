import IngestCore
import IngestFiles

/// One folder with a manifest of its own.
struct PublishFolder: Sendable {
  let path: [UInt8]
  /// Its name, where the output has several.
  let album: String?

  /// The output itself, or its albums in their order.
  static func all(of directory: [UInt8]) throws(RunError) -> [PublishFolder] {
    guard let list = try AlbumList.governing(directory) else { return [PublishFolder(path: directory, album: nil)] }
    return list.names.map { PublishFolder(path: directory + [UInt8(ascii: "/")] + $0.bytes, album: $0.display) }
  }
}
