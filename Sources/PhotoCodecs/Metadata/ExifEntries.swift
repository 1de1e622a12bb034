internal import CEXIF

/// Reads the directories of a sifted block with libexif and keeps copies of their values.
///
/// The only place that touches the library. Nothing of it lives on after `init`.
struct ExifEntries {
  private var values: [ExifDirectory: [UInt16: ExifValue]] = [:]
  /// The stand-in picture of IFD1 as it is stored, whatever it is.
  private(set) var picture: [UInt8]?
  private(set) var isLittleEndian = false

  /// The value of a tag in a directory, as stored.
  subscript(_ directory: ExifDirectory, _ tag: UInt16) -> ExifValue? {
    values[directory]?[tag]
  }

  /// Reads `sieve.block`. Nil when libexif finds no memory.
  ///
  /// Its values are kept as the file has them: by default libexif would leave out tags newer than itself, and change
  /// formats and comments "to follow the specification". It writes no log unless it is given one.
  init?(_ sieve: ExifSieve) {
    guard let data = unsafe exif_data_new() else { return nil }
    defer { unsafe exif_data_unref(data) }
    unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
    unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    let block = Array("Exif\0\0".utf8) + sieve.block
    unsafe block.withUnsafeBufferPointer { bytes in
      unsafe exif_data_load_data(data, bytes.baseAddress, UInt32(bytes.count))
    }
    isLittleEndian = unsafe exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_INTEL
    let directories = unsafe data.pointee.ifd
    unsafe copy(directories.0, as: .primary)
    unsafe copy(directories.2, as: .exif)
    unsafe copy(directories.3, as: .gps)
    if let start = unsafe data.pointee.data, unsafe data.pointee.size > 0 {
      picture = unsafe Array(UnsafeBufferPointer(start: start, count: Int(data.pointee.size)))
    }
  }

  private mutating func copy(_ content: UnsafeMutablePointer<ExifContent>?, as directory: ExifDirectory) {
    guard let content = unsafe content, let entries = unsafe content.pointee.entries else { return }
    for index in 0..<Int(unsafe content.pointee.count) {
      guard let entry = unsafe entries[index], let start = unsafe entry.pointee.data else { continue }
      let tag = UInt16(truncatingIfNeeded: unsafe entry.pointee.tag.rawValue)
      values[directory, default: [:]][tag] = ExifValue(
        format: UInt16(truncatingIfNeeded: unsafe entry.pointee.format.rawValue),
        bytes: unsafe Array(UnsafeBufferPointer(start: start, count: Int(entry.pointee.size))),
        isLittleEndian: isLittleEndian)
    }
  }
}
