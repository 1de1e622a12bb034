internal import Glibc
internal import IngestCore

/// Walks a tree of folders by descriptors, so that a path may be longer than the system takes in one call.
///
/// At most `openLevels` folders are open at once, however deep the tree is: the way back up goes through `..`, held
/// against what the folder above was on the way down.
struct FolderWalk {
  private static let openLevels = 16

  private struct Level {
    /// Nil while the walk is too far below it.
    var folder: Descriptor?
    let identity: FolderIdentity
    /// Folders still to be entered.
    var pending: [[UInt8]]
    /// How much of `prefix` names this folder.
    let prefixLength: Int
  }

  private let source: SourceFolder
  private var judge: ScanJudge
  private var levels: [Level] = []
  /// The path of the innermost folder, with a slash at its end; empty at the top.
  private var prefix: [UInt8] = []

  init(source: SourceFolder, options: ScanOptions) {
    self.source = source
    self.judge = ScanJudge(options: options)
  }

  /// Walks the whole tree, unless `isCancelled` says no on the way.
  mutating func run(isCancelled: () -> Bool) -> ScanResult {
    push(source.descriptor, identity: source.identity, isCancelled: isCancelled)
    while !levels.isEmpty {
      if isCancelled() { return judge.finish(isCancelled: true) }
      if let name = levels[levels.count - 1].pending.popLast() {
        enter(name, isCancelled: isCancelled)
      } else {
        leave()
      }
    }
    judge.identifyForLinks { try? FileIdentity(source.status(of: $0)) }
    return judge.finish(isCancelled: isCancelled())
  }

  private mutating func enter(_ name: [UInt8], isCancelled: () -> Bool) {
    guard let parent = levels[levels.count - 1].folder else { return }
    let path = prefix + name
    guard judge.options.entersFolder(RelativePath(path)) else { return judge.leaveOut(.excluded) }
    do throws(SystemError) {
      let folder = try parent.openFolder(name[...])
      let identity = FolderIdentity(try folder.status())
      guard identity != judge.options.outputFolder else { return judge.leaveOut(.outputFolder) }
      prefix = path + [UInt8(ascii: "/")]
      push(folder, identity: identity, isCancelled: isCancelled)
    } catch {
      // A folder that went away since its name was read has nothing to say.
      if error.errno != ENOENT { judge.report(error.about(path, "cannot be opened"), folder: path) }
    }
  }

  private mutating func push(_ folder: Descriptor, identity: FolderIdentity, isCancelled: () -> Bool) {
    if levels.count >= FolderWalk.openLevels {
      levels[levels.count - FolderWalk.openLevels].folder = nil
    }
    let pending = readEntries(of: folder, isCancelled: isCancelled)
    levels.append(Level(folder: folder, identity: identity, pending: pending, prefixLength: prefix.count))
  }

  private mutating func leave() {
    let done = levels.removeLast()
    guard let parent = levels.last else { return }
    prefix.removeLast(prefix.count - parent.prefixLength)
    guard parent.folder == nil, !parent.pending.isEmpty || levels.count > 1 else { return }
    do {
      levels[levels.count - 1].folder = try reopen(parent, below: done.folder)
    } catch {
      judge.report(error.about(folderPath, "cannot be opened"), folder: prefix.dropLast())
      levels[levels.count - 1].pending = []
    }
  }

  /// Opens a folder again whose descriptor was given back, from below or, if the tree was moved, from the top.
  private func reopen(_ level: Level, below: Descriptor?) throws(SystemError) -> Descriptor {
    if let above = try? below?.openFolder([UInt8(ascii: "."), UInt8(ascii: ".")]),
      let status = try? above.status(), FolderIdentity(status) == level.identity
    {
      return above
    }
    return try source.folder(at: RelativePath(prefix.dropLast()))
  }

  /// The innermost folder's path for a message.
  private var folderPath: [UInt8] { prefix.isEmpty ? source.path : Array(prefix.dropLast()) }

  /// Judges the files of a folder and returns the names of its folders.
  private mutating func readEntries(of folder: Descriptor, isCancelled: () -> Bool) -> [[UInt8]] {
    var folders: [[UInt8]] = []
    var seen = 0
    do throws(SystemError) {
      try FolderEntries.forEach(in: folder) { name, kind in
        seen += 1
        if seen % 256 == 0, isCancelled() { return false }
        if let leftOut = judge.kindLeftOut(byName: name[...]) {
          judge.leaveOut(leftOut)
        } else if kind == .folder {
          folders.append(name)
        } else if kind == .regular, judge.takesByName(name[...], below: prefix) {
          // The folder has said all that is needed.
        } else {
          let path = RelativePath(prefix + name)
          do throws(SystemError) {
            let status = try folder.status(of: path.name)
            if status.isFolder {
              folders.append(name)
            } else {
              judge.judge(path, in: folder, status: status)
            }
          } catch {
            // Gone since its name was read, or it will not say what it is; opening a photo tells why.
            if error.errno != ENOENT { judge.judgeUnseen(path) }
          }
        }
        return true
      }
    } catch {
      judge.report(error.about(folderPath, "cannot be read"), folder: prefix.dropLast())
    }
    return folders
  }
}
