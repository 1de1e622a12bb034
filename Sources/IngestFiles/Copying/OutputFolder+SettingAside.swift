internal import Glibc
internal import IngestCore

/// Sets aside what stands where an original or one of its folders must go; no content is ever lost.
///
/// A file gets a name with the first digits of its own checksum (`IMG_1~1a2b3c4d.jpg`). A folder has its files moved to a
/// folder beside it, whose digits are those of its path, each file under a name of that kind.
extension OutputFolder {
  /// Sets aside the file, or removes the link of ours, that has the name of a folder on the way to `path`. False when
  /// there is none, or it is not for us to move.
  ///
  /// - Parameter source: the folder that links to originals lead into, with its slash; nil when there are none.
  func clearWay(to path: [UInt8], linksInto source: [UInt8]?) throws(FileError) -> Bool {
    var folder = descriptor
    for part in path.split(separator: UInt8(ascii: "/")).dropLast() {
      if let next = try? folder.openFolder(part) {
        folder = next
        continue
      }
      guard let there = try? folder.status(of: part) else { return false }
      let here = Array(path[..<part.endIndex])
      do throws(SystemError) {
        if there.isLink {
          let target = try folder.target(ofLink: part)
          // Ours leads to the same path below a source folder. Any other was made by somebody who meant it, and one that
          // leads to a folder elsewhere stands for that folder: originals lie in it.
          guard target.first == UInt8(ascii: "/"), target.suffix(here.count + 1) == [UInt8(ascii: "/")] + here,
            source.map({ target == $0 + here }) == true || FolderIdentity.of(target) == nil
          else { return false }
          changes.note(.linkRemoved(here, target: target))
          try folder.remove(part)
        } else if there.isRegular {
          try keepAside(Array(part), there, in: folder, path: here)
          try folder.removeIfThere(part)
        } else {
          return false
        }
      } catch {
        throw error.about(here, "stands in the way and cannot be set aside")
      }
      noteUnsynced(Self.parent(of: here))
      return true
    }
    return false
  }

  /// Makes sure that a rename to this place loses no content.
  func makeRoom(at place: Place, _ path: [UInt8]) throws(FileError) {
    guard let there = try? place.folder.status(of: place.name[...]) else { return changes.note(.placed(path)) }
    do throws(SystemError) {
      if there.isLink {
        let target = try place.folder.target(ofLink: place.name[...])
        return changes.note(.linkRemoved(path, target: target))
      }
      if there.isRegular { return try keepAside(place.name, there, in: place.folder, path: path) }
      if there.isFolder, try place.folder.foldsCase(at: place.name, there) { throw SystemError(errno: EEXIST) }
    } catch {
      throw error.about(path, "cannot be written")
    }
    if there.isFolder { try setFolderAside(at: place, path) }
    changes.note(.placed(path))
  }

  /// Gives a file one more name that tells its content; where the file system has no second names, instead of the first.
  private func keepAside(
    _ name: [UInt8], _ there: stat, in folder: Descriptor, path: [UInt8]
  ) throws(SystemError) {
    if try folder.foldsCase(at: name, there) {
      // Renaming would take the file of another photo: `a.jpg` and `A.JPG` are one name here.
      throw SystemError(errno: EEXIST)
    }
    try give(name, there, in: folder, path: path, aNameIn: folder, Self.parent(of: path), movesIt: false)
  }

  /// Gives a file a name that tells its content, in the same folder or another one.
  private func give(
    _ name: [UInt8], _ there: stat, in folder: Descriptor, path: [UInt8], aNameIn target: Descriptor,
    _ targetPath: [UInt8], movesIt: Bool
  ) throws(SystemError) {
    let file = try folder.openRegularFile(name[...], seenAs: there).0
    guard let (sha256, count) = try file.checksum() else { return }
    let isMarked = movesIt && MarkedName.mark(of: name).map { sha256.hasPrefix($0) } == true
    let names =
      (isMarked ? [name] : []) + MarkedName.lengths.map { MarkedName.make(name, mark: String(sha256.prefix($0))) }
    for aside in names {
      let asidePath = targetPath + (targetPath.isEmpty ? [] : [UInt8(ascii: "/")]) + aside
      do throws(SystemError) {
        if movesIt { throw SystemError(errno: EPERM) }
        try folder.link(name[...], to: target, aside[...])
        return changes.note(.movedAside(path, to: asidePath))
      } catch  where error.errno == EEXIST {
        if target.holds(checksum: sha256, size: count, under: aside[...]) {
          return changes.note(.doubled(path, as: asidePath))
        }
      } catch  where [EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(error.errno) {
        // A file system without second names, or a file that is not to have two.
        do {
          try folder.renameNew(name[...], to: target, aside[...])
          return changes.note(.movedAside(path, to: asidePath))
        } catch  where error.errno == EEXIST {
          guard target.holds(checksum: sha256, size: count, under: aside[...]) else { continue }
          if movesIt { try folder.remove(name[...]) }
          return changes.note(.doubled(path, as: asidePath))
        }
      }
    }
    throw SystemError(errno: EEXIST)
  }

  // MARK: Folders

  private func setFolderAside(at place: Place, _ path: [UInt8]) throws(FileError) {
    if (try? place.folder.remove(place.name[...], isFolder: true)) != nil { return }
    let digest = SHA256Digest.hex(of: path)
    let parent = place.folderPath.isEmpty ? [] : place.folderPath + [UInt8(ascii: "/")]
    for length in MarkedName.lengths {
      let aside = MarkedName.make(place.name, mark: String(digest.prefix(length)))
      // One of that name is what was set aside here before.
      if let there = try? place.folder.status(of: aside[...]), !there.isFolder { continue }
      try moveFiles(of: path, to: parent + aside)
      do {
        try place.folder.remove(place.name[...], isFolder: true)
      } catch {
        throw error.about(path, "stands in the way and cannot be removed")
      }
      return
    }
    throw FileError(path: path, operation: "stands in the way and cannot be set aside", errno: EEXIST)
  }

  /// Holds no descriptor while it is in an inner folder: a tree may be deeper than there are descriptors.
  private func moveFiles(of path: [UInt8], to target: [UInt8]) throws(FileError) {
    for name in try names(in: path) {
      let inner = path + [UInt8(ascii: "/")] + name
      guard try !move(name, of: path, to: target) else { continue }
      try moveFiles(of: inner, to: target + [UInt8(ascii: "/")] + name)
      do {
        try folder(at: path[...], whenMissing: .fail).remove(name[...], isFolder: true)
      } catch let error as FileError {
        throw error
      } catch {
        throw ((error as? SystemError) ?? SystemError(errno: EIO)).about(inner, "cannot be removed")
      }
    }
  }

  private func names(in path: [UInt8]) throws(FileError) -> [[UInt8]] {
    let folder = try folder(at: path[...], whenMissing: .fail)
    do {
      return try FolderEntries.names(in: folder).sorted { $0.lexicographicallyPrecedes($1) }
    } catch {
      throw error.about(path, "cannot be read")
    }
  }

  /// Moves one file; false for a folder.
  private func move(_ name: [UInt8], of path: [UInt8], to target: [UInt8]) throws(FileError) -> Bool {
    let folder = try folder(at: path[...], whenMissing: .fail)
    let inner = path + [UInt8(ascii: "/")] + name
    do throws(SystemError) {
      let there = try folder.status(of: name[...])
      if there.isFolder { return false }
      guard there.isRegular else {
        // A link, a FIFO or the like has no content.
        if there.isLink { changes.note(.linkRemoved(inner, target: (try? folder.target(ofLink: name[...])) ?? [])) }
        try folder.remove(name[...])
        return true
      }
    } catch {
      throw error.about(inner, "cannot be set aside")
    }
    let home = try self.folder(at: target[...], whenMissing: .make)
    noteUnsynced(target)
    do throws(SystemError) {
      try give(name, try folder.status(of: name[...]), in: folder, path: inner, aNameIn: home, target, movesIt: true)
      return true
    } catch {
      throw error.about(inner, "cannot be set aside")
    }
  }

  private static func parent(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) } ?? []
  }
}

extension Descriptor {
  /// Takes a name away, if it is still there.
  fileprivate func removeIfThere(_ name: ArraySlice<UInt8>) throws(SystemError) {
    do { try remove(name) } catch  where error.errno == ENOENT {}
  }
}
