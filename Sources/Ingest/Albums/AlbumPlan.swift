import IngestCore
import IngestFiles

/// Makes albums of the source folders of a run, or says which of them can be none.
///
/// Looks at folders and makes none. A folder that is missing has its album all the same: it fails there, and nowhere else.
struct AlbumPlan {
  /// In the order given.
  let albums: [Album]

  init(_ folders: [[UInt8]], below directory: [UInt8]) throws(RunError) {
    let opened = folders.map { try? SourceFolder.open($0) }
    try Self.refuseTwice(folders, opened)
    try Self.refuseInside(opened, directory)
    var own: [[UInt8]] = []
    for (place, folder) in folders.enumerated() {
      guard let name = Self.lastName(folder) ?? opened[place]?.resolvedPath.flatMap(Self.lastName) else {
        throw Self.refused(folder, "has no name of its own that its album could have")
      }
      own.append(name)
    }
    var remembered: [[UInt8]: FolderIdentity?] = [:]
    let naming = AlbumNaming { folder, name in
      guard let given = opened[folder]?.identity else { return false }
      let known =
        remembered[name]
        ?? RememberedSource.read(below: directory + "/".utf8 + name).flatMap { FolderIdentity.of($0.path) }
      remembered[name] = .some(known)
      return known == given
    }
    albums = zip(folders, naming.names(for: own)).map { folder, name in
      Album(name: RelativePath(name), source: folder, below: directory)
    }
  }

  /// The last part of a path that is a name; nil where the path ends in `.` or `..`, or is the root.
  private static func lastName(_ path: [UInt8]) -> [UInt8]? {
    guard let last = path.split(separator: UInt8(ascii: "/")).last, !last.elementsEqual(".".utf8),
      !last.elementsEqual("..".utf8)
    else { return nil }
    return Array(last)
  }

  /// One folder given twice is a mistake: every photo of it would be there twice. Folders inside each other are not.
  private static func refuseTwice(_ folders: [[UInt8]], _ opened: [SourceFolder?]) throws(RunError) {
    var places: [FolderIdentity: Int] = [:]
    var spellings: [[ArraySlice<UInt8>]: Int] = [:]
    for (place, folder) in folders.enumerated() {
      let spelling = [folder.prefix { $0 == UInt8(ascii: "/") }.prefix(1)] + folder.split(separator: UInt8(ascii: "/"))
      let first = opened[place].flatMap { places.updateValue(place, forKey: $0.identity) }
      guard let first = first ?? spellings.updateValue(place, forKey: spelling) else { continue }
      throw refused(
        folder, "is the same folder as \(String(decoding: folders[first], as: UTF8.self)), and each is read once")
    }
  }

  /// The results of one album must not be the photos of another.
  private static func refuseInside(_ opened: [SourceFolder?], _ directory: [UInt8]) throws(RunError) {
    guard let output = FolderIdentity.of(directory) else { return }
    for case let folder? in opened where folder.lies(within: output) {
      throw refused(folder.path, "lies in the output folder of several folders; results go to a folder of their own")
    }
  }

  private static func refused(_ folder: [UInt8], _ reason: String) -> RunError {
    .inputUnusable(FileError(path: folder, operation: reason, errno: 0))
  }
}
