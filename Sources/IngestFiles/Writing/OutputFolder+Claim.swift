internal import Glibc

extension OutputFolder {
  /// Whether a regular file of this name lies in the folder itself.
  public func hasFile(_ name: String) -> Bool {
    (try? descriptor.status(of: Array(name.utf8)[...]))?.isRegular == true
  }

  /// The first of `names` that a folder holds although no run has ever written there; nil when it is ours, empty or
  /// missing. A run must not write over files that somebody else put there. Makes nothing.
  public static func strangersFile(in path: [UInt8], among names: [String]) -> String? {
    guard let folder = try? Descriptor.open(path: path, O_RDONLY | O_DIRECTORY | O_NONBLOCK),
      (try? folder.status(of: ownFolderName[...])) == nil
    else { return nil }
    return names.first { (try? folder.status(of: Array($0.utf8)[...])) != nil }
  }
}
