import IngestCore
import IngestFiles

/// Marks an output folder that holds albums from the moment in which the first is begun: `DIR/.photo-ingest/albums`.
///
/// Results of a single folder and albums never meet in one output folder: neither is to hide the other.
enum AlbumsMark {
  private static let fileName = ".photo-ingest/albums"

  static func set(in output: OutputFolder) throws(FileError) {
    try output.write(Array("the folders beside this one are albums: see albums.json\n".utf8), to: fileName)
  }

  /// Whether a folder holds albums, finished or begun.
  static func holdsAlbums(_ directory: [UInt8]) -> Bool {
    guard let folder = try? SourceFolder.open(directory) else { return false }
    return folder.holds(RelativePath(fileName)) || ((try? AlbumList.read(below: directory)) ?? nil) != nil
  }

  /// The folder that holds the album of this path; nil where it is none.
  static func directory(around output: [UInt8]) -> [UInt8]? {
    let parent = output + "/..".utf8
    return holdsAlbums(parent) ? parent : nil
  }
}
