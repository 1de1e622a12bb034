internal import Glibc

extension OutputFolder {
  /// Removes thumbnails that a manifest no longer lists, and the folders that are empty then.
  ///
  /// Touches nothing but regular files named like ours in folders named like ours: `thumbnails/<digits>/<two hex>/
  /// <hex>.jpg`, and temporary files there. `keeping` is asked with that path. Everything else stays. Goes on after a
  /// failure and throws the first one at its end.
  public func sweepThumbnails(keeping isListed: (String) -> Bool) throws(FileError) {
    var failure: FileError?
    sweep("thumbnails", in: descriptor, parentPath: "", level: 0, isListed: isListed, failure: &failure)
    if let failure { throw failure }
  }

  private func sweep(
    _ name: String, in parent: Descriptor, parentPath: String, level: Int, isListed: (String) -> Bool,
    failure: inout FileError?
  ) {
    let path = parentPath + name
    do throws(SystemError) {
      let folder = try parent.openFolder(Array(name.utf8)[...])
      for entry in try FolderEntries.names(in: folder).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let entryName = String(decoding: entry, as: UTF8.self)
        if level < 2 {
          guard level == 0 ? isSize(entry) : isHex(entry[...]) && entry.count == 2 else { continue }
          sweep(
            entryName, in: folder, parentPath: path + "/", level: level + 1, isListed: isListed, failure: &failure)
        } else {
          let isOurs = isThumbnail(entry) && !isListed(path + "/" + entryName) || TemporaryFile.isName(entry)
          guard isOurs, try folder.status(of: entry[...]).isRegular else { continue }
          try folder.remove(entry[...])
        }
      }
      do {
        try parent.remove(Array(name.utf8)[...], isFolder: true)
      } catch  where error.errno == ENOTEMPTY || error.errno == EEXIST {
        // It holds thumbnails, or things of somebody else.
      }
    } catch {
      // Missing, or something of somebody else in the place of a folder: not ours to sweep.
      let isForeign = error.errno == ENOENT || error.errno == ENOTDIR || error.errno == ELOOP
      if !isForeign, failure == nil { failure = error.about(Array(path.utf8), "cannot be swept") }
    }
  }

  private func isSize(_ name: [UInt8]) -> Bool {
    !name.isEmpty && name.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private func isHex(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
  }

  private func isThumbnail(_ name: [UInt8]) -> Bool {
    name.count >= 20 && name.suffix(4).elementsEqual(".jpg".utf8) && isHex(name.dropLast(4))
  }
}
