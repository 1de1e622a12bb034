/// Compares spellings of folder names. Links are the run's business, which compares device and inode.
enum PathSpelling {
  /// Whether two names can only mean one folder: the same but for `.` parts and doubled or trailing slashes.
  static func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    plain(a) == plain(b)
  }

  private static func plain(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
    let parts = path.split(separator: ASCII.slash).filter { !$0.elementsEqual([ASCII.dot]) }
    return path.first == ASCII.slash ? [[ASCII.slash]] + parts : parts
  }
}
