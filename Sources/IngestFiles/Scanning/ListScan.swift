internal import Glibc
public import IngestCore

/// Looks at the names of a list instead of walking the tree.
struct ListScan {
  private let source: SourceFolder
  private var judge: ScanJudge
  /// The folder of the last name: lists name many files of one folder in a row.
  private var lastFolder: (path: [UInt8], folder: Descriptor, isInOutput: Bool)?

  init(source: SourceFolder, options: ScanOptions) {
    self.source = source
    self.judge = ScanJudge(options: options)
  }

  mutating func run(_ paths: [RelativePath], isCancelled: () -> Bool) -> ScanResult {
    var seen: Set<[UInt8]> = []
    for (index, path) in paths.enumerated() where seen.insert(path.bytes).inserted {
      if index % 256 == 0, isCancelled() { return judge.finish(isCancelled: true) }
      look(at: path)
    }
    return judge.finish(isCancelled: isCancelled())
  }

  private mutating func look(at path: RelativePath) {
    if path.isAddress {
      guard judge.options.accepts(path) else { return judge.leaveOut(.excluded) }
      return judge.take(path, identity: nil, kind: .remote)
    }
    let parts = path.bytes.split(separator: UInt8(ascii: "/"))
    for part in parts {
      if let kind = judge.kindLeftOut(byName: part) { return judge.leaveOut(kind) }
    }
    let parentPath = Array(path.bytes[..<max(0, path.name.startIndex - 1)])
    var end = 0
    for part in parts.dropLast() {
      end += part.count + (end > 0 ? 1 : 0)
      guard judge.options.entersFolder(RelativePath(Array(path.bytes[..<end]))) else {
        return judge.leaveOut(.excluded)
      }
    }
    do throws(SystemError) {
      let (folder, isInOutput) = try open(parentPath)
      if isInOutput { return judge.leaveOut(.outputFolder) }
      let status = try folder.status(of: path.name)
      if status.isFolder {
        let isOutput = FolderIdentity(status) == judge.options.outputFolder
        judge.leaveOut(isOutput ? .outputFolder : .folder)
      } else {
        judge.judge(path, in: folder, status: status)
      }
    } catch {
      guard judge.options.accepts(path) else { return judge.leaveOut(.excluded) }
      judge.take(path, identity: nil, kind: error.errno == ELOOP ? .link(SourceFolder.behindLinkReason) : .file)
    }
  }

  private mutating func open(_ path: [UInt8]) throws(SystemError) -> (Descriptor, isInOutput: Bool) {
    if path.isEmpty { return (source.descriptor, false) }
    if let lastFolder, lastFolder.path == path { return (lastFolder.folder, lastFolder.isInOutput) }
    var isInOutput = false
    let output = judge.options.outputFolder
    let folder = try source.folder(at: RelativePath(path)) { if $0 == output { isInOutput = true } }
    lastFolder = (path, folder, isInOutput)
    return (folder, isInOutput)
  }
}

extension SourceFolder {
  /// Turns a name of a list into a path below the folder: `./a//b.jpg` is `a/b.jpg`, `a/../b.jpg` is `b.jpg`.
  ///
  /// Nil for a name that is absolute, empty, leads out of the folder or holds a NUL.
  public static func listedPath(_ name: [UInt8]) -> RelativePath? {
    guard let first = name.first, first != UInt8(ascii: "/"), !name.contains(0) else { return nil }
    var parts: [ArraySlice<UInt8>] = []
    for part in name.split(separator: UInt8(ascii: "/")) {
      if part.elementsEqual("..".utf8) {
        guard parts.popLast() != nil else { return nil }
      } else if !part.elementsEqual(".".utf8) {
        parts.append(part)
      }
    }
    return parts.isEmpty ? nil : RelativePath(Array(parts.joined(separator: [UInt8(ascii: "/")])))
  }
}
