internal import Glibc

extension OutputFolder {
  /// Whether a regular file of this name lies in the folder itself.
  public func hasFile(_ name: String) -> Bool {
    (try? descriptor.status(of: Array(name.utf8)[...]))?.isRegular == true
  }

  /// The first of `names` that is a file in a folder where no run has ever written; nil when the folder is ours, empty
  /// or missing. `mark` is a name that only a run leaves. A web site's `manifest.json` must not be written over. Makes
  /// nothing.
  public static func strangersFile(in path: [UInt8], among names: [String], without mark: String) -> String? {
    guard let folder = try? Descriptor.open(path: path, O_RDONLY | O_DIRECTORY | O_NONBLOCK),
      (try? folder.status(of: ownFolderName[...])) == nil, (try? folder.status(of: Array(mark.utf8)[...])) == nil
    else { return nil }
    return names.first { (try? folder.status(of: Array($0.utf8)[...]))?.isRegular == true }
  }

  /// The first bytes of a file of this name in a folder where no run has ever written; nil when the folder is ours, or
  /// there is no such file, or it cannot be read. Makes nothing.
  public static func strangersBytes(in path: [UInt8], of name: String, count: Int) -> [UInt8]? {
    let name = Array(name.utf8)
    guard let folder = try? Descriptor.open(path: path, O_RDONLY | O_DIRECTORY | O_NONBLOCK),
      (try? folder.status(of: ownFolderName[...])) == nil, let seen = try? folder.status(of: name[...]), seen.isRegular,
      let file = try? folder.openRegularFile(name[...], seenAs: seen).0
    else { return nil }
    return try? file.bytes(at: 0, count: count)
  }
}
