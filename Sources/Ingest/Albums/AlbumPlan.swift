import IngestCore
import IngestFiles

/// Makes albums of the source folders of a run, or says which of them can be none.
///
/// Looks at folders and makes none. A folder that is missing has its album all the same: it fails there, and nowhere else.
struct AlbumPlan {
  /// In the order given.
  let albums: [Album]

  /// What is known of one folder; no descriptor, since there may be more folders than descriptors.
  private struct Place {
    let given: [UInt8]
    /// Nil where it cannot be opened.
    let identity: FolderIdentity?
    let name: [UInt8]?
    let liesInOutput: Bool

    init(_ folder: [UInt8], _ output: FolderIdentity?) {
      let opened = try? SourceFolder.open(folder)
      given = folder
      identity = opened?.identity
      name = AlbumPlan.lastName(folder) ?? opened?.resolvedPath.flatMap(AlbumPlan.lastName)
      liesInOutput = output.flatMap { opened?.lies(within: $0) } ?? false
    }
  }

  init(_ folders: [[UInt8]], below directory: [UInt8]) throws(RunError) {
    let output = FolderIdentity.of(directory)
    let places = folders.map { Place($0, output) }
    try Self.refuseTwice(places)
    var own: [[UInt8]] = []
    for place in places {
      // The results of one album must not be the photos of another.
      if place.liesInOutput {
        throw Self.refused(
          place.given, "lies in the output folder of several folders; results go to a folder of their own")
      }
      guard let name = place.name else {
        throw Self.refused(place.given, "has no name of its own that its album could have")
      }
      own.append(name)
    }
    var remembered: [[UInt8]: FolderIdentity?] = [:]
    let naming = AlbumNaming { folder, name in
      guard let given = places[folder].identity else { return false }
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
  private static func refuseTwice(_ places: [Place]) throws(RunError) {
    var identities: [FolderIdentity: Int] = [:]
    var spellings: [[ArraySlice<UInt8>]: Int] = [:]
    for (number, place) in places.enumerated() {
      let slash = UInt8(ascii: "/")
      let spelling = [place.given.prefix { $0 == slash }.prefix(1)] + place.given.split(separator: slash)
      let first = place.identity.flatMap { identities.updateValue(number, forKey: $0) }
      guard let first = first ?? spellings.updateValue(number, forKey: spelling) else { continue }
      let other = String(decoding: places[first].given, as: UTF8.self)
      throw refused(place.given, "is the same folder as \(other), and each is read once")
    }
  }

  private static func refused(_ folder: [UInt8], _ reason: String) -> RunError {
    .inputUnusable(FileError(path: folder, operation: reason, errno: 0))
  }
}
