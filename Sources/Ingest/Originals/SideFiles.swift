import IngestCore
import IngestFiles

/// Finds the files that stand beside a photo and belong to it: `IMG_1.xmp` and `IMG_1.jpg.xmp` beside `IMG_1.jpg`.
///
/// Belongs to one thread. A folder is listed once, not once for each of its photos; the last few folders are kept.
final class SideFiles {
  /// Extensions of side files in lower-case ASCII: edits (XMP, AAE), moving pictures (MOV, MP4), notes of exports (JSON).
  static let extensions = Set(["xmp", "aae", "mov", "mp4", "json"].map { Array($0.utf8) })
  private static let keptFolders = 16

  private struct Folder {
    let path: [UInt8]
    /// Names of side files by the part before their extension.
    let names: [[UInt8]: [[UInt8]]]
  }

  private let source: SourceFolder
  private let exclude: [Glob]
  /// The one that was asked for last comes first.
  private var folders: [Folder] = []

  /// - Parameter exclude: patterns of files that are not carried, whatever they stand beside.
  init(source: SourceFolder, exclude: [Glob]) {
    self.source = source
    self.exclude = exclude
  }

  /// Whether a path has the extension of a side file.
  static func isNamed(_ path: RelativePath) -> Bool { extensions.contains(path.fileExtension) }

  /// The side files of a photo in the order of their bytes, whatever they are: opening them tells.
  func beside(_ photo: RelativePath) throws(FileError) -> [RelativePath] {
    let names = try folder(of: photo).names
    let found = (names[Array(photo.name)] ?? []) + (names[Array(photo.withoutExtension.name)] ?? [])
    let paths = Set(found).map { photo.renamed($0) }.filter { path in
      path != photo && !exclude.contains { $0.matches(path) }
    }
    return paths.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// Tells one state of a photo's side files from another, by their names, inodes, sizes and times; nil without any.
  func mark(of photo: RelativePath) -> String? {
    guard let paths = try? beside(photo), !paths.isEmpty else { return nil }
    var digest = SHA256Digest()
    for path in paths {
      digest.update(path.bytes + [0])
      if let now = source.identity(of: path) {
        digest.update(
          Array(
            "\(now.device) \(now.inode) \(now.size) \(now.modified) \(now.changedSeconds) \(now.changedNanoseconds)"
              .utf8))
      }
    }
    return String(digest.finishHex().prefix(16))
  }

  private func folder(of photo: RelativePath) throws(FileError) -> Folder {
    let path = Array(photo.bytes[..<photo.name.startIndex])
    if let place = folders.firstIndex(where: { $0.path == path }) {
      let folder = folders.remove(at: place)
      folders.insert(folder, at: 0)
      return folder
    }
    var names: [[UInt8]: [[UInt8]]] = [:]
    for name in try source.namesBeside(photo) {
      let file = RelativePath(name)
      guard Self.isNamed(file) else { continue }
      names[file.withoutExtension.bytes, default: []].append(name)
    }
    let folder = Folder(path: path, names: names)
    folders.insert(folder, at: 0)
    if folders.count > Self.keptFolders { folders.removeLast() }
    return folder
  }
}
