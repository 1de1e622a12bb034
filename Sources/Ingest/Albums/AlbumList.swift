public import IngestCore
import IngestFiles

/// Is `DIR/albums.json`: which albums an output folder holds, how many photos each has, and what is wrong with them.
///
/// `{"albums":[{"counts":{…},"errors":[…],"name":"holiday","succeeded":false}],"format":"photo-ingest-albums","version":1}`
/// in the order in which the folders were given.
public struct AlbumList: Sendable {
  /// Its name in the folder that holds the albums.
  public static let fileName = "albums.json"
  private static let format = "photo-ingest-albums"
  /// Names every photo that is not verified, so it may be long; one that is longer is not ours.
  private static let longestFile = 256 << 20

  /// The albums by their names.
  public let names: [RelativePath]

  /// The content of the file.
  static func encode(_ results: [AlbumResult]) -> [UInt8] {
    JSONWriter.line { writer in
      writer.key("albums")
      writer.beginArray()
      for result in results {
        writer.beginObject()
        result.writeOutcome(to: &writer)
        writer.path(result.album.name, key: "name")
        writer.member("succeeded", result.succeeded)
        writer.endObject()
      }
      writer.endArray()
      writer.member("format", format)
      writer.member("version", 1)
    }
  }

  /// The list that says what lies in an output folder; nil where that is the result of a single folder, or nothing.
  public static func governing(_ directory: [UInt8]) throws(RunError) -> AlbumList? {
    if let folder = try? SourceFolder.open(directory), folder.holds(RelativePath("manifest.jsonl")) { return nil }
    return try read(below: directory)
  }

  /// The list that stands in an output folder; nil where there is none.
  ///
  /// An error where the file is there and is none of ours, or names what can be no album.
  static func read(below directory: [UInt8]) throws(RunError) -> AlbumList? {
    let path = directory + "/\(fileName)".utf8
    var bytes: [UInt8] = []
    do throws(FileError) {
      let file = try InputFile.open(path)
      while true {
        let piece = try file.next()
        if piece.isEmpty { break }
        bytes += piece
        if bytes.count > longestFile { throw FileError(path: path, operation: "is too long", errno: 0) }
      }
    } catch {
      if error.isVanished { return nil }
      throw .manifestUnusable(path: error.displayPath, reason: error.reason)
    }
    guard let list = AlbumList(bytes) else {
      throw .manifestUnusable(
        path: String(decoding: path, as: UTF8.self), reason: "is no list of albums that photo-ingest has written")
    }
    return list
  }

  private init?(_ bytes: [UInt8]) {
    guard let value = try? JSONReader().read(bytes), value["format"]?.stringValue == Self.format,
      let albums = value["albums"]?.arrayValue
    else { return nil }
    var names: [RelativePath] = []
    for album in albums {
      guard let shown = album["name"]?.stringValue else { return nil }
      let exact = album["name_b64"]?.stringValue.map { Base64.decode($0) } ?? Array(shown.utf8)
      // A name from a foreign hand must not lead elsewhere.
      guard let exact, Self.isOnePart(exact) else { return nil }
      names.append(RelativePath(exact))
    }
    self.names = names
  }

  private static func isOnePart(_ name: [UInt8]) -> Bool {
    !name.isEmpty && !name.contains(UInt8(ascii: "/")) && !name.contains(0) && !name.elementsEqual(".".utf8)
      && !name.elementsEqual("..".utf8)
  }
}

extension AlbumResult {
  /// Writes the members `counts` and `errors` of an object.
  public func writeOutcome(to writer: inout JSONWriter) {
    writer.counts("counts", counts)
    writer.key("errors")
    writer.beginArray()
    for error in errors {
      writer.beginObject()
      writer.member("code", error.code)
      writer.member("index", error.index)
      writer.member("message", error.message)
      if let path = error.path { writer.path(path) }
      writer.endObject()
    }
    writer.endArray()
  }
}
