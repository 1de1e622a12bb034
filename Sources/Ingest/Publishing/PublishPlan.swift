import IngestCore
import IngestFiles
import Publishing

/// One file of a photo that goes up.
struct PublishObject: Sendable {
  enum Place: Sendable { case output, originals, source }

  var file: ListedFile
  var place: Place
  var object: UploadObject
  /// Where it will be found.
  var url: String
  /// By what the journal knows its place: a checksum of the target, the bucket and the whole request address, which may
  /// hold secrets.
  var memory = ""
  var width: Int?
  var height: Int?
  var ext: String
}

/// One photo of the manifest: the slot of its index.
struct PublishPhoto: Sendable {
  let index: Int
  let path: RelativePath
  /// The first one stands for the photo. Empty when it cannot be published.
  var objects: [PublishObject] = []
  /// Why it cannot be published.
  var reason: String?

  /// What a name in braces stands for.
  func text(_ name: String, address: String = "") -> String {
    guard let main = objects.first else { return "" }
    return switch name {
    case "index": String(index)
    case "path": path.display
    case "sha256": main.object.sha256
    case "width": main.width.map { String($0) } ?? ""
    case "height": main.height.map { String($0) } ?? ""
    case "ext": main.ext
    case "key": main.object.key
    case "url": main.url
    case "address": address
    default: ""
    }
  }
}

/// Lists what goes up, in the order of the manifest.
struct PublishPlan: Sendable {
  let photos: [PublishPhoto]

  init(
    _ manifest: FinishedManifest, _ configuration: PublishConfiguration, _ texts: PublishConfiguration.Texts,
    _ target: any UploadTarget
  ) throws(RunError) {
    var photos: [PublishPhoto] = []
    // A key names one content. Where two photos would share one, the second has no place. Only photos that go up claim.
    var contents: [String: String] = [:]
    let upload = configuration.upload
    let bucket = configuration.token.bucket ?? upload.bucket ?? ""
    _ = try manifest.read { row throws(RunError) in
      var photo = PublishPhoto(index: row.index, path: row.path)
      if row.status == .verified, !row.path.isAddress {
        let what = configuration.upload.what
        if what != .thumbnails { photo.objects += Self.original(of: row) }
        if what != .originals { photo.objects += Self.thumbnails(of: row) }
        if photo.objects.isEmpty { photo.reason = what == .thumbnails ? "it has no thumbnail" : "it has no checksum" }
        if texts.key.names.contains("path"), !row.path.isExact {
          photo.reason = "its name is not UTF-8, so {path} cannot stand for it"
        }
        var own: [String: String] = [:]
        for place in photo.objects.indices where photo.reason == nil {
          let item = photo.objects[place]
          let key = texts.key.text { name in
            switch name {
            case "index": String(row.index)
            case "path": row.path.display
            case "sha256": item.object.sha256
            case "width": item.width.map { String($0) } ?? ""
            case "height": item.height.map { String($0) } ?? ""
            default: item.ext
            }
          }
          photo.objects[place].object.key = key
          photo.objects[place].url = target.address(of: key)
          photo.objects[place].memory = SHA256Digest.hex(
            of: Array("\(upload.kind.rawValue) \(bucket) \(target.identity(of: key))".utf8))
          if let content = own[key], content != item.object.sha256 {
            photo.reason = "two of its files have one key; {sha256}, {width} or {height} in it tells them apart"
          } else if let content = contents[key], content != item.object.sha256 {
            photo.reason = "another photo with other content has its key"
          }
          own[key] = item.object.sha256
        }
        if photo.reason == nil { contents.merge(own) { first, _ in first } }
      } else {
        let words = row.value["error"]?["message"]?.stringValue.map { ": \($0)" } ?? ""
        photo.reason = row.path.isAddress ? "it is not at hand" : "it is not verified (\(row.status.rawValue)\(words))"
      }
      if photo.reason != nil { photo.objects = [] }
      photos.append(photo)
      return true
    }
    self.photos = photos
  }

  private static func original(of row: ManifestRow) -> [PublishObject] {
    guard let sha256 = row.sha256, let bytes = row.bytes.flatMap({ Int64(exactly: $0) }) else { return [] }
    let format = row.value["format"]?.stringValue ?? ""
    let object = UploadObject(
      key: "", sha256: sha256, bytes: bytes, mediaType: format == "png" ? "image/png" : "image/jpeg")
    return [
      PublishObject(
        file: row.source, place: row.original == .copy ? .originals : .source, object: object, url: "",
        width: row.value["width"]?.integerValue.flatMap { Int(exactly: $0) },
        height: row.value["height"]?.integerValue.flatMap { Int(exactly: $0) }, ext: format == "jpeg" ? "jpg" : format)
    ]
  }

  /// The largest first.
  private static func thumbnails(of row: ManifestRow) -> [PublishObject] {
    let values = row.value["thumbnails"]?.arrayValue ?? []
    let listed = values.compactMap { value -> (Int64, PublishObject)? in
      guard let path = value["path"]?.stringValue, let sha256 = value["sha256"]?.stringValue,
        ManifestRow.isChecksum(sha256), let bytes = value["bytes"]?.integerValue, bytes >= 0
      else { return nil }
      let file = ListedFile(path: RelativePath(path), bytes: UInt64(bytes), sha256: sha256)
      return (
        value["size"]?.integerValue ?? 0,
        PublishObject(
          file: file, place: .output,
          object: UploadObject(key: "", sha256: sha256, bytes: bytes, mediaType: "image/jpeg"), url: "",
          width: value["width"]?.integerValue.flatMap { Int(exactly: $0) },
          height: value["height"]?.integerValue.flatMap { Int(exactly: $0) }, ext: "jpg")
      )
    }
    return listed.sorted { $0.0 > $1.0 }.map(\.1)
  }
}
