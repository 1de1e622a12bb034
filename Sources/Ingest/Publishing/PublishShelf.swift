import IngestCore
import IngestFiles
import Publishing

/// Opens the files that go up, below folders that were opened once, and holds each against its checksum.
struct PublishShelf: Sendable {
  let output: SourceFolder
  let originals: SourceFolder?
  let sources: SourceFolder?
  /// Why the sources cannot be had.
  let missing: String

  /// Files up to this size are sent from memory: exactly the bytes that were checked.
  private static let smallest: Int64 = 1 << 20

  init(directory: [UInt8], source: [UInt8]?) throws(RunError) {
    do {
      output = try SourceFolder.open(directory)
      originals = try output.subfolder(Array("originals".utf8))
    } catch {
      throw .outputUnusable(error)
    }
    guard let path = source ?? RememberedSource.read(below: directory)?.path else {
      sources = nil
      missing = "no source folder is remembered (--source FOLDER)"
      return
    }
    do {
      sources = try SourceFolder.open(path)
      missing = ""
    } catch {
      guard source == nil else { throw .sourceUnusable(error) }
      sources = nil
      missing = "the source folder \(error.reason)"
    }
  }

  /// The item, whose bytes are checked each time they are sent.
  func item(_ object: PublishObject, _ target: any UploadTarget) -> UploadItem {
    UploadItem(object.object) { try open(object, target) }
  }

  private func open(_ listed: PublishObject, _ target: any UploadTarget) throws -> (UploadObject, HTTPBody) {
    guard listed.file.path.isContained else { throw PublishFault("its path leads out of the folder") }
    let folder: SourceFolder? =
      switch listed.place {
      case .output: output
      case .originals: originals
      case .source: sources
      }
    guard let folder else {
      throw PublishFault(listed.place == .source ? missing : "the folder originals/ is not there")
    }
    let source: SourceFile
    do {
      source = try folder.open(listed.file.path)
    } catch {
      throw PublishFault(error.description)
    }
    let name = listed.file.path.display
    // A change that comes in the same tick of the clock would not show later.
    source.awaitLaterTimes()
    guard let file = BodyFile(of: source.descriptorNumber) else { throw PublishFault("\(name): cannot be read") }
    guard file.length == listed.object.bytes else { throw PublishFault("\(name): is not what the manifest says") }
    var object = listed.object
    var digest = SHA256Digest()
    var extra = target.makeDigest()
    var content: [UInt8]? = file.length <= Self.smallest ? [] : nil
    let isWhole = file.read { piece in
      digest.update(piece)
      extra?.update(piece)
      content?.append(contentsOf: piece)
    }
    guard isWhole, digest.finishHex() == object.sha256 else {
      throw PublishFault("\(name): is not what the manifest says")
    }
    object.extraDigest = extra?.finish()
    return (object, content.map { HTTPBody($0) } ?? HTTPBody(file))
  }
}
