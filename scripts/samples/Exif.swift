/// What a camera notes about a photo, and the Exif block (Exif 2.32) that says it.
struct Exif {
  var camera: Camera
  var orientation = 1
  /// "2024:07:01 05:12:44", local time; absent: no date.
  var taken: String?
  /// "+02:00"
  var offset: String?
  /// The digits after the second.
  var subSeconds: String?
  var description: String?
  var exposure: (seconds: (Int, Int), fNumber: (Int, Int), iso: Int, focalLength: (Int, Int))
  var place: Place?
  /// 65535 is "not sRGB": the profile tells.
  var colorSpace = 1

  struct Camera {
    let make: String
    let model: String
    let lens: String
    let isBigEndian: Bool
  }

  /// Degrees, minutes and hundredths of a second; metres.
  struct Place {
    let latitude: (Int, Int, Int)
    let north: String
    let longitude: (Int, Int, Int)
    let east: String
    let altitude: Int
  }

  private enum Value {
    case short(Int)
    case long(Int)
    case ratio([(Int, Int)])
    case text(String)
    case raw([UInt8])
    case bytes([UInt8])
  }
  private typealias Entry = (tag: Int, value: Value)

  /// The TIFF block. `thumbnail` is a whole JPEG, `width` and `height` those of the stored picture.
  func block(thumbnail: [UInt8]?, width: Int, height: Int) -> [UInt8] {
    let exif = exifEntries(width, height)
    let gps = gpsEntries()
    let main = mainEntries(exifAt: 0, gpsAt: gps.isEmpty ? nil : 0)
    let exifAt = 8 + size(main)
    let gpsAt = exifAt + size(exif)
    let secondAt = gpsAt + (gps.isEmpty ? 0 : size(gps))
    var out: [UInt8] = camera.isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
    out += number(8, 4)
    let mainEntries = mainEntries(exifAt: exifAt, gpsAt: gps.isEmpty ? nil : gpsAt)
    out += directory(mainEntries, at: 8, next: thumbnail == nil ? 0 : secondAt)
    out += directory(exif, at: exifAt, next: 0)
    if !gps.isEmpty { out += directory(gps, at: gpsAt, next: 0) }
    if let thumbnail {
      func second(_ at: Int) -> [Entry] {
        [
          (0x0103, .short(6)), (0x011A, .ratio([(72, 1)])), (0x011B, .ratio([(72, 1)])), (0x0128, .short(2)),
          (0x0201, .long(at)), (0x0202, .long(thumbnail.count)),
        ]
      }
      out += directory(second(secondAt + size(second(0))), at: secondAt, next: 0)
      out += thumbnail
    }
    return out
  }

  private func mainEntries(exifAt: Int, gpsAt: Int?) -> [Entry] {
    var entries: [Entry] = []
    if let description { entries.append((0x010E, .text(description))) }
    entries += [
      (0x010F, .text(camera.make)), (0x0110, .text(camera.model)), (0x0112, .short(orientation)),
      (0x011A, .ratio([(72, 1)])), (0x011B, .ratio([(72, 1)])), (0x0128, .short(2)),
    ]
    if let taken { entries.append((0x0132, .text(taken))) }
    entries.append((0x8769, .long(exifAt)))
    if let gpsAt { entries.append((0x8825, .long(gpsAt))) }
    return entries
  }

  private func exifEntries(_ width: Int, _ height: Int) -> [Entry] {
    var entries: [Entry] = [
      (0x829A, .ratio([exposure.seconds])), (0x829D, .ratio([exposure.fNumber])), (0x8827, .short(exposure.iso)),
      (0x9000, .raw(Array("0232".utf8))),
    ]
    if let taken { entries += [(0x9003, .text(taken)), (0x9004, .text(taken))] }
    if let offset { entries.append((0x9011, .text(offset))) }
    entries.append((0x920A, .ratio([exposure.focalLength])))
    if let subSeconds { entries.append((0x9291, .text(subSeconds))) }
    entries += [
      (0xA001, .short(colorSpace)), (0xA002, .long(width)), (0xA003, .long(height)), (0xA434, .text(camera.lens)),
    ]
    return entries
  }

  private func gpsEntries() -> [Entry] {
    guard let place else { return [] }
    func angle(_ a: (Int, Int, Int)) -> Value { .ratio([(a.0, 1), (a.1, 1), (a.2, 100)]) }
    return [
      (0, .bytes([2, 3, 0, 0])), (1, .text(place.north)), (2, angle(place.latitude)), (3, .text(place.east)),
      (4, angle(place.longitude)), (5, .bytes([0])), (6, .ratio([(place.altitude, 1)])),
    ]
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    return camera.isBigEndian ? bytes.reversed() : bytes
  }

  private func encoded(_ value: Value) -> (type: Int, count: Int, bytes: [UInt8]) {
    switch value {
    case .short(let short): return (3, 1, number(short, 2))
    case .long(let long): return (4, 1, number(long, 4))
    case .ratio(let ratios): return (5, ratios.count, ratios.flatMap { number($0.0, 4) + number($0.1, 4) })
    case .text(let text): return (2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .raw(let bytes): return (7, bytes.count, bytes)
    case .bytes(let bytes): return (1, bytes.count, bytes)
    }
  }

  private func size(_ entries: [Entry]) -> Int { directory(entries, at: 0, next: 0).count }

  private func directory(_ entries: [Entry], at offset: Int, next: Int) -> [UInt8] {
    var table = number(entries.count, 2)
    var data: [UInt8] = []
    let dataAt = offset + 2 + 12 * entries.count + 4
    for (tag, value) in entries {
      let (type, count, bytes) = encoded(value)
      table += number(tag, 2) + number(type, 2) + number(count, 4)
      if bytes.count <= 4 {
        table += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        table += number(dataAt + data.count, 4)
        data += bytes + (bytes.count % 2 == 1 ? [0] : [])
      }
    }
    return table + number(next, 4) + data
  }
}
