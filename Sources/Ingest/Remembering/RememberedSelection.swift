import IngestCore
import IngestFiles

/// Remembers under an output folder which files its last run looked for, and which manifests it has left:
/// `DIR/.photo-ingest/selection`.
///
/// So that `verify` can tell a photo that nobody has ingested yet from one that was left out by wish. One line of JSON:
/// `{"exclude":["Ki50bXA="],"hidden":false,"include":[],"listed":false,"manifests":["json"],"unsupported":"report"}`, the patterns in base64,
/// since they are bytes. Nobody needs it to read the manifest.
struct RememberedSelection: Sendable {
  static let fileName = ".photo-ingest/selection"
  private static let longestFile = 256 << 10

  var filter = AssetFilter()
  var includesHidden = false
  /// Whether the names came from a list, so that nothing is known of all others.
  var isListed = false
  var unsupported = UnsupportedPolicy.report
  /// Which manifests stood beside `manifest.jsonl` when the run was over; nil when it did not say.
  var manifests: Set<ManifestFormat>?

  /// What a run without options looks for.
  init() {}

  /// - Parameter manifests: those that are kept beside `manifest.jsonl`.
  init(_ configuration: RunConfiguration, manifests: Set<ManifestFormat>) {
    self.manifests = manifests
    filter = configuration.filter
    includesHidden = configuration.includesHidden
    isListed = configuration.listedPaths != nil
    unsupported = configuration.unsupported
  }

  /// What a file of this kind says; nil when it is none.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONReader().read(bytes), let hidden = value["hidden"]?.boolValue,
      let listed = value["listed"]?.boolValue,
      let unsupported = value["unsupported"]?.stringValue.flatMap({ UnsupportedPolicy(rawValue: $0) }),
      let include = Self.globs(value["include"]), let exclude = Self.globs(value["exclude"])
    else { return nil }
    filter = AssetFilter(include: include, exclude: exclude)
    includesHidden = hidden
    isListed = listed
    self.unsupported = unsupported
    manifests = (value["manifests"]?.arrayValue).map { names in
      Set(names.compactMap { $0.stringValue.flatMap { ManifestFormat(rawValue: $0) } })
    }
  }

  /// What the last run over an output folder has remembered; nil when there is nothing to be read.
  static func read(below output: [UInt8]) -> RememberedSelection? {
    guard let file = try? InputFile.open(output + "/\(fileName)".utf8), let bytes = try? file.next(),
      bytes.count < longestFile
    else { return nil }
    return RememberedSelection(bytes)
  }

  /// The content of the file.
  var encoded: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.patterns("exclude", filter.exclude)
    writer.member("hidden", includesHidden)
    writer.patterns("include", filter.include)
    writer.member("listed", isListed)
    if let manifests {
      writer.key("manifests")
      writer.beginArray()
      for name in manifests.map(\.rawValue).sorted() { writer.string(name) }
      writer.endArray()
    }
    writer.member("unsupported", unsupported.rawValue)
    writer.endObject()
    writer.newLine()
    return writer.bytes
  }

  /// Keeps it in an output folder; a file that says the same already is left alone.
  func write(to output: OutputFolder) throws(FileError) {
    try output.write(encoded, to: Self.fileName)
  }

  private static func globs(_ value: JSONValue?) -> [Glob]? {
    guard let texts = value?.arrayValue else { return nil }
    let globs = texts.compactMap { $0.stringValue.flatMap { Base64.decode($0) }.flatMap { try? Glob($0) } }
    return globs.count == texts.count ? globs : nil
  }
}

extension JSONWriter {
  fileprivate mutating func patterns(_ key: String, _ globs: [Glob]) {
    self.key(key)
    beginArray()
    for glob in globs { base64(glob.pattern) }
    endArray()
  }
}
