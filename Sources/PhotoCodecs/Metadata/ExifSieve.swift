/// Prepares an Exif block for libexif: only the directory entries that this program reads are left in it.
///
/// libexif copies the value of every entry it meets. A block of 64 KiB can hold thousands of entries that all point at
/// the same 60 KiB, in directories that share their bytes: over a gigabyte of copies. It also looks into maker notes
/// whether asked or not, and gives up a directory when one of its pointers leads outside. So entries that nobody asks
/// for, repeated ones, and those whose value is not inside the block are blanked first (libexif passes over blank
/// entries), and pointers that lead outside or to a directory already seen are cut. What is left is a few dozen values.
///
/// Time is linear in the size of the block: each of the four directories is looked at once.
struct ExifSieve {
  /// libexif looks no further into a block, the six bytes of its prefix included.
  static let limit = 0xFFFE - 6

  /// The TIFF structure, sifted.
  private(set) var block: [UInt8]
  /// Whether something that this program looks for cannot be read.
  private(set) var isBroken: Bool
  private let isLittleEndian: Bool
  /// The bytes of the directories seen so far. One that shares bytes with another is not followed: blanking an entry of
  /// the one could turn a pointer of the other to where nothing has been sifted.
  private var claimed: [Range<Int>] = []

  /// Sifts `tiff`, or answers nil when it does not begin like a TIFF structure or has no first directory.
  init?(_ tiff: [UInt8]) {
    block = Array(tiff.prefix(Self.limit))
    isBroken = false
    switch tiff.prefix(2) {
    case [0x49, 0x49]: isLittleEndian = true
    case [0x4D, 0x4D]: isLittleEndian = false
    default: return nil
    }
    guard short(at: 2) == 42, let start = long(at: 4), let end = sift(.primary, at: start) else { return nil }
    // A writer that leaves the pointer to IFD1 out at the very end of the block has no IFD1.
    guard let next = long(at: end), next != 0 else { return }
    claimed.append(end..<end + 4)
    if sift(.standIn, at: next) == nil { blank(end..<end + 4) }
  }

  /// Sifts one directory and returns where its entries end; nil, and a broken block, when there is none at `start`.
  private mutating func sift(_ directory: ExifDirectory, at start: Int) -> Int? {
    // The header takes the first eight bytes.
    guard start >= 8, let declared = short(at: start) else {
      isBroken = true
      return nil
    }
    let first = start + 2
    let count = min(declared, (block.count - first) / 12)
    let end = first + 12 * count
    if count < declared { isBroken = true }
    guard !claimed.contains(where: { $0.overlaps(start..<end) }) else {
      isBroken = true
      return nil
    }
    claimed.append(start..<end)
    let wanted = directory.tags
    var kept: [UInt16: Int] = [:]
    for index in 0..<count {
      let entry = first + 12 * index
      let tag = UInt16(short(at: entry) ?? 0)
      if wanted.contains(tag), kept[tag] == nil, keeps(tag, at: entry) {
        kept[tag] = entry
      } else {
        blank(entry..<entry + 12)
      }
    }
    follow(kept[ExifTag.exifDirectory], to: .exif)
    follow(kept[ExifTag.gpsDirectory], to: .gps)
    if directory == .standIn { checkPicture(kept) }
    return end
  }

  private mutating func follow(_ entry: Int?, to directory: ExifDirectory) {
    guard let entry, let target = long(at: entry + 8) else { return }
    if sift(directory, at: target) == nil { blank(entry..<entry + 12) }
  }

  /// Whether the value of the entry at `entry` can be read. One without any component is merely empty, not broken.
  private mutating func keeps(_ tag: UInt16, at entry: Int) -> Bool {
    guard let format = short(at: entry + 2), let components = long(at: entry + 4), let offset = long(at: entry + 8)
    else { return false }
    if components == 0 { return false }
    if tag == ExifTag.exifDirectory || tag == ExifTag.gpsDirectory {
      // One long, signed or not, or TIFF's own type for directories; libexif would follow four bytes of text too.
      let isPointer = components == 1 && [4, 9, 13].contains(format)
      isBroken = isBroken || !isPointer
      return isPointer
    }
    // Exif 3.0 added text in UTF-8 as format 129, which libexif takes for a fault; the bytes are laid out like ASCII.
    if format == 129 { setShort(ExifValue.ascii, at: entry + 2) }
    guard let unit = ExifValue.size(ofFormat: format) else {
      isBroken = true
      return false
    }
    // No overflow: both are below 2^32, and Int has 64 bits.
    let size = components * unit
    guard size <= 4 || (offset <= block.count && size <= block.count - offset) else {
      isBroken = true
      return false
    }
    return true
  }

  /// Cuts a stand-in picture that is not wholly inside the block.
  private mutating func checkPicture(_ kept: [UInt16: Int]) {
    guard let offsetEntry = kept[ExifTag.pictureOffset], let lengthEntry = kept[ExifTag.pictureLength],
      let offset = long(at: offsetEntry + 8), let length = long(at: lengthEntry + 8)
    else { return }
    if offset <= block.count, length <= block.count - offset { return }
    isBroken = true
    blank(offsetEntry..<offsetEntry + 12)
    blank(lengthEntry..<lengthEntry + 12)
  }

  private mutating func blank(_ range: Range<Int>) {
    for index in range where index < block.count { block[index] = 0 }
  }

  private mutating func setShort(_ value: UInt16, at offset: Int) {
    block[offset] = UInt8(truncatingIfNeeded: isLittleEndian ? value : value >> 8)
    block[offset + 1] = UInt8(truncatingIfNeeded: isLittleEndian ? value >> 8 : value)
  }

  private func short(at offset: Int) -> Int? { integer(at: offset, bytes: 2) }

  private func long(at offset: Int) -> Int? { integer(at: offset, bytes: 4) }

  private func integer(at offset: Int, bytes: Int) -> Int? {
    guard offset >= 0, offset <= block.count - bytes else { return nil }
    let field = block[offset..<offset + bytes]
    return isLittleEndian
      ? field.reversed().reduce(0) { $0 << 8 | Int($1) } : field.reduce(0) { $0 << 8 | Int($1) }
  }
}
