internal import Glibc
internal import IngestCore

/// Decides for each entry whether it gets a row, and keeps the count of those that do not.
struct ScanJudge {
  static let linkReason = "is a symbolic link, which is not followed"

  let options: ScanOptions
  private(set) var result = ScanResult()
  /// Links named like photos that lead to a regular file, by their place in `result.candidates`: whether that file has
  /// a row of its own is known at the end.
  private var undecidedLinks: [(place: Int, target: FolderIdentity)] = []

  /// The photos' extensions of up to eight bytes as numbers: they are looked up for every file.
  private let shortExtensions: Set<UInt64>

  init(options: ScanOptions) {
    self.options = options
    shortExtensions = Set(options.photoExtensions.compactMap { Self.packed($0[...]) })
  }

  /// Up to eight bytes as a number, ASCII letters lowered; nil for none and for more.
  private static func packed(_ word: ArraySlice<UInt8>) -> UInt64? {
    guard (1...8).contains(word.count) else { return nil }
    return word.reduce(0) { packed, byte in
      packed << 8 | UInt64((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
    }
  }

  /// Whether a name has a photo's extension.
  private func isNamedLikePhoto(_ path: RelativePath) -> Bool {
    let name = path.name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return false }
    if let word = Self.packed(name[(dot + 1)...]) { return shortExtensions.contains(word) }
    return options.photoExtensions.contains(path.fileExtension)
  }

  /// Whether a name is left out whatever it names.
  func kindLeftOut(byName name: ArraySlice<UInt8>) -> LeftOutKind? {
    guard let first = name.first else { return nil }
    if first == UInt8(ascii: ".") {
      if name.elementsEqual(".DS_Store".utf8) { return .dsStore }
      if name.starts(with: "._".utf8) || name.elementsEqual(".AppleDouble".utf8) { return .appleDouble }
      return options.includesHidden ? nil : .hidden
    }
    if first == UInt8(ascii: "T"), name.elementsEqual("Thumbs.db".utf8) { return .thumbsDb }
    if first == UInt8(ascii: "@"), name.elementsEqual("@eaDir".utf8) { return .eaDir }
    return nil
  }

  mutating func leaveOut(_ kind: LeftOutKind) {
    result.leftOut[kind, default: 0] += 1
  }

  /// Says that a folder, at this path below the source folder, could not be read.
  mutating func report(_ error: FileError, folder: some Sequence<UInt8>) {
    result.messages.append(error)
    result.unreadFolders.append(UnreadFolder(path: Array(folder), reason: error.reason))
  }

  mutating func take(_ path: RelativePath, identity: FileIdentity?, kind: Candidate.Kind = .file) {
    result.candidates.append(Candidate(path: path, identity: identity, kind: kind))
  }

  /// Judges an entry that is no folder. `folder` holds it under the last part of `path`.
  mutating func judge(_ path: RelativePath, in folder: Descriptor, status: stat) {
    guard options.accepts(path) else { return leaveOut(.excluded) }
    let isNamedLikePhoto = isNamedLikePhoto(path)
    switch status.type {
    case S_IFREG where isNamedLikePhoto: take(path, identity: FileIdentity(status))
    case S_IFREG: judgeByContent(path, in: folder, status: status)
    case S_IFLNK: judgeLink(path, in: folder, isNamedLikePhoto: isNamedLikePhoto)
    case S_IFIFO: leaveOut(.fifo)
    case S_IFSOCK: leaveOut(.socket)
    default: leaveOut(.device)
    }
  }

  /// Takes a regular file by its name alone, where that is enough.
  mutating func takesByName(_ name: ArraySlice<UInt8>, below prefix: [UInt8]) -> Bool {
    guard !options.wantsIdentities else { return false }
    let path = RelativePath(prefix + name)
    guard isNamedLikePhoto(path) else { return false }
    if options.accepts(path) { take(path, identity: nil) } else { leaveOut(.excluded) }
    return true
  }

  /// Looks at the candidates that were taken by name, if a link may lead to one of them.
  mutating func identifyForLinks(_ identity: (RelativePath) -> FileIdentity?) {
    guard !options.wantsIdentities, !undecidedLinks.isEmpty else { return }
    for place in result.candidates.indices where result.candidates[place].kind == .file {
      let path = result.candidates[place].path
      result.candidates[place] = Candidate(path: path, identity: identity(path))
    }
  }

  /// Judges an entry that would not say what it is, by its name alone.
  mutating func judgeUnseen(_ path: RelativePath) {
    guard options.accepts(path) else { return leaveOut(.excluded) }
    guard isNamedLikePhoto(path) else { return leaveOut(.unreadable) }
    take(path, identity: nil)
  }

  private mutating func judgeLink(_ path: RelativePath, in folder: Descriptor, isNamedLikePhoto: Bool) {
    // Looking at the target is harmless: stat opens nothing.
    let target = try? folder.status(of: path.name, follow: true)
    if let target, target.isFolder { return leaveOut(.linkToFolder) }
    guard isNamedLikePhoto else { return leaveOut(.link) }
    if let target, target.isRegular {
      undecidedLinks.append((result.candidates.count, FolderIdentity(target)))
    }
    take(path, identity: nil, kind: .link(ScanJudge.linkReason))
  }

  private mutating func judgeByContent(_ path: RelativePath, in folder: Descriptor, status: stat) {
    guard status.st_size > 0 else { return leaveOut(.notAPhoto) }
    do throws(SystemError) {
      let (file, identity) = try folder.openRegularFile(path.name, seenAs: status)
      var bytes = [UInt8](repeating: 0, count: options.sniffLength)
      let count = try file.fill(&bytes)
      if options.sniff(Array(bytes[..<count])) {
        take(path, identity: identity)
      } else {
        leaveOut(.notAPhoto)
      }
    } catch {
      leaveOut(.unreadable)
    }
  }

  /// The whole result. Links whose target has a row of its own get none.
  mutating func finish(isCancelled: Bool) -> ScanResult {
    if !undecidedLinks.isEmpty {
      let listed = Set(result.candidates.compactMap(\.identity?.file))
      let doubles = Set(undecidedLinks.filter { listed.contains($0.target) }.map(\.place))
      result.candidates = result.candidates.enumerated().filter { !doubles.contains($0.offset) }.map(\.element)
      for _ in doubles { leaveOut(.link) }
      undecidedLinks = []
    }
    result.messages.sort { $0.path.lexicographicallyPrecedes($1.path) }
    result.isCancelled = isCancelled
    return result
  }
}

extension Descriptor {
  /// Opens a file that was seen to be regular, and holds what was opened against what was seen.
  ///
  /// O_NONBLOCK, because between the look and the opening a FIFO may have taken the name, and opening one can wait for
  /// ever. A mismatch is ESTALE: another file has taken the name.
  func openRegularFile(
    _ name: ArraySlice<UInt8>, seenAs seen: stat
  ) throws(SystemError) -> (Descriptor, FileIdentity) {
    let file = try open(name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    let status = try file.status()
    guard status.isRegular, FolderIdentity(status) == FolderIdentity(seen) else { throw SystemError(errno: ESTALE) }
    return (file, FileIdentity(status))
  }
}
