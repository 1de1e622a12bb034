internal import IngestCore

/// Carries one row of the table `photo` between its columns and a `KnownPhoto`.
struct Record {
  private let known: KnownPhoto

  init(_ photo: KnownPhoto) {
    known = photo
  }

  /// Reads the columns in the order in which `Queries` names them; nil when they make no photo.
  static func photo(in row: Statement) -> KnownPhoto? {
    let error = row.isNull(3) ? nil : FailureCode(rawValue: row.text(3) ?? "")
    guard let status = AssetRow.Status(rawValue: row.text(2) ?? ""), (status == .verified) == (error == nil) else {
      return nil
    }
    return KnownPhoto(
      path: row.bytes(0), line: KnownPhoto.LineID(number: row.integer(1)), status: status, error: error,
      options: KnownPhoto.OptionsID(number: row.integer(4)), stamp: stamp(in: row),
      thumbnails: Int(clamping: row.integer(12)), thumbnailBytes: Int(clamping: row.integer(13)),
      thumbnailKey: row.optionalInteger(14).map { UInt64(bitPattern: $0) }, captured: row.text(15),
      beside: row.text(16))
  }

  private static func stamp(in row: Statement) -> FileStamp? {
    guard let size = row.optionalInteger(5) else { return nil }
    let place = row.optionalInteger(8).map { device in
      FileStamp.Place(
        device: UInt64(bitPattern: device), inode: UInt64(bitPattern: row.integer(9)), changedSeconds: row.integer(10),
        changedNanoseconds: Int32(clamping: row.integer(11)))
    }
    return FileStamp(
      size: UInt64(bitPattern: size), modifiedSeconds: row.integer(6),
      modifiedNanoseconds: Int32(clamping: row.integer(7)), place: place)
  }

  /// The values of all columns, the seal last.
  var values: [SQLValue] {
    [.blob(known.path), .integer(known.line.number), .text(known.status.rawValue), SQLValue(known.error?.rawValue)]
      + numbers.prefix(8).map { SQLValue($0) }
      + [
        .integer(Int64(known.thumbnails)), .integer(Int64(known.thumbnailBytes)),
        SQLValue(known.thumbnailKey.map { Int64(bitPattern: $0) }),
        SQLValue(known.captured), SQLValue(known.beside), .integer(seal),
      ]
  }

  /// Options, size, both parts of mtime, device, inode, both parts of ctime.
  private var numbers: [Int64?] {
    let stamp = known.stamp
    let place = stamp?.place
    return [
      known.options.number, stamp.map { Int64(bitPattern: $0.size) }, stamp?.modifiedSeconds,
      stamp.map { Int64($0.modifiedNanoseconds) }, place.map { Int64(bitPattern: $0.device) },
      place.map { Int64(bitPattern: $0.inode) }, place?.changedSeconds, place.map { Int64($0.changedNanoseconds) },
    ]
  }

  var seal: Int64 {
    var seal = Seal()
    seal.add(known.path)
    seal.add(known.line.number)
    seal.add(known.status.rawValue)
    seal.add(known.error?.rawValue)
    for number in numbers { seal.add(number) }
    seal.add(Int64(known.thumbnails))
    seal.add(Int64(known.thumbnailBytes))
    seal.add(known.thumbnailKey.map { Int64(bitPattern: $0) })
    seal.add(known.captured)
    seal.add(known.beside)
    return seal.value
  }
}
