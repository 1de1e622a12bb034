import Foundation

/// Makes an empty folder of its own and removes it with everything in it when it goes away.
public final class TemporaryFolder: Sendable {
  /// The absolute path, without a slash at its end.
  public let path: String

  /// One entry of a tree; names are joined to the folder's path as they are.
  public indirect enum Entry: Sendable {
    case file(String, [UInt8])
    case text(String, String)
    case folder(String, [Entry])
    case link(String, to: String)
  }

  /// - Parameter base: where it is made; the usual place for temporary files when nil.
  public init(below base: String? = nil) throws {
    let usual = FileManager.default.temporaryDirectory
    let base = (base.map { URL(fileURLWithPath: $0) } ?? usual).resolvingSymlinksInPath()
    let folder = base.appendingPathComponent("photo-ingest-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    path = folder.path
  }

  /// Makes the folder and fills it.
  public convenience init(_ tree: [Entry]) throws {
    try self.init()
    try add(tree)
  }

  deinit {
    // A test may have taken rights away; without them the folder could not be emptied.
    if let inside = FileManager.default.enumerator(atPath: path) {
      for case let name as String in inside {
        let entry = "\(path)/\(name)"
        let attributes = try? FileManager.default.attributesOfItem(atPath: entry)
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else { continue }
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: entry)
      }
    }
    try? FileManager.default.removeItem(atPath: path)
  }

  public func add(_ tree: [Entry], under folder: String = "") throws {
    for entry in tree {
      switch entry {
      case .file(let name, let bytes): try file(folder + name, bytes)
      case .text(let name, let text): try file(folder + name, Array(text.utf8))
      case .folder(let name, let inside):
        try FileManager.default.createDirectory(atPath: self[folder + name], withIntermediateDirectories: true)
        try add(inside, under: "\(folder)\(name)/")
      case .link(let name, let target):
        try FileManager.default.createSymbolicLink(atPath: self[folder + name], withDestinationPath: target)
      }
    }
  }

  /// Writes a file, making the folders above it, and returns its absolute path.
  @discardableResult public func file(_ name: String, _ bytes: [UInt8] = []) throws -> String {
    let url = URL(fileURLWithPath: self[name])
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return self[name]
  }

  /// Copies a file from elsewhere and returns the copy's absolute path.
  @discardableResult public func copy(_ source: String, as name: String? = nil) throws -> String {
    let target = self[name ?? URL(fileURLWithPath: source).lastPathComponent]
    let parent = URL(fileURLWithPath: target).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source, toPath: target)
    return target
  }

  /// The bytes of a file.
  public func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: self[name])))
  }

  /// Everything below, as relative paths in byte order; folders end in `/`.
  public func listing() -> [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let marked = names.map { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: self[name])
      return attributes?[.type] as? FileAttributeType == .typeDirectory ? name + "/" : name
    }
    return marked.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The absolute path of a name below this folder.
  public subscript(_ name: String) -> String { "\(path)/\(name)" }
}
