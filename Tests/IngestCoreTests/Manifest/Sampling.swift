import IngestCore

/// Gives the same random numbers for the same seed on every machine (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Makes rows for tests.
enum Sample {
  static let checksum = String(repeating: "0123456789abcdef", count: 4)

  /// A row with every key that the encoder knows.
  static func fullRow(path: RelativePath = RelativePath([0x63, 0x61, 0x66, 0xE9])) -> AssetRow {
    var row = AssetRow(path: path, status: .damaged, error: LoadFailure(.truncated, "the file ends early"))
    row.notes = ["trailing-data", "cmyk-no-marker"]
    row.bytes = 3_141_592
    row.modified = "2024-07-01T00:13:00.123456789Z"
    row.sha256 = checksum
    row.format = "jpeg"
    row.width = 4000
    row.height = 3000
    row.displayWidth = 3000
    row.displayHeight = 4000
    row.orientation = 6
    row.orientationSource = "exif"
    row.bitDepth = 8
    row.components = 3
    row.color = "ycbcr"
    row.isProgressive = false
    row.profile = "Display P3"
    row.captured = .init(local: "2024-07-01T02:13:00.65", offset: "+02:00", source: "exif:DateTimeOriginal")
    row.camera = .init(lens: "50mm f/1.8", make: "Canon", model: "EOS \"R\"")
    row.exposure = .init(fNumber: 1.8, focalLength: 50, iso: 100, seconds: 0.004)
    row.gps = .init(altitude: -2.5, latitude: -33.86, longitude: 151.2)
    row.description = "=1+1"
    row.comment = "two\nlines"
    row.commentBase64 = "AP8="
    row.preview = .init(source: .embedded, width: 160, height: 120)
    row.verification = .init(method: .scaled, trailingBytes: 12, warnings: 1)
    row.thumbnails = [
      .init(size: 256, width: 192, height: 256, bytes: 9000, path: "thumbnails/256/ab/cd.jpg", sha256: checksum),
      .init(size: 64, width: 48, height: 64, bytes: 900, path: "thumbnails/64/ab/cd.jpg", sha256: checksum),
    ]
    row.original = .symlink
    row.sideFiles = [.init(path: RelativePath([0x63, 0xE9, 0x2E, 0x78, 0x6D, 0x70]), bytes: 12, sha256: checksum)]
    return row
  }

  /// A whole manifest, with the checksum that `sha256` computes of the bytes before the end record.
  static func manifest(
    of rows: [AssetRow], order: AssetOrder = .name, sha256: ([UInt8]) -> String = { _ in checksum }
  ) -> [UInt8] {
    let encoder = ManifestEncoder(order: order)
    var bytes = encoder.header()
    var totals = ManifestTotals()
    for (index, row) in rows.enumerated() {
      bytes += encoder.row(row).line(index: index)
      totals.add(row.status)
    }
    return bytes + encoder.end(totals: totals, sha256: sha256(bytes))
  }

  /// Texts that break careless writers.
  static let hostileTexts: [String] = [
    "", "plain", "\"quoted\"", "back\\slash", "a/b", "\u{0}", "\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}\u{9F}",
    "\u{2028}\u{2029}", "\u{FEFF}mark", "\u{FFFD}", "caf\u{E9}", "cafe\u{301}", "\u{1F4F7}\u{200D}\u{1F469}",
    "=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "'", "a,b;c", "a\r\nb", String(repeating: "x\"\\", count: 3_500),
  ]

  /// Names that are bytes rather than text.
  static let hostileNames: [[UInt8]] =
    hostileTexts.filter { !$0.isEmpty && !$0.utf8.contains(0) && $0.utf8.count < 255 }.map { Array($0.utf8) } + [
      [0xFF], [0x63, 0x61, 0x66, 0xE9, 0x2E, 0x6A, 0x70, 0x67], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF8, 0x88, 0x80],
      Array(" edge ".utf8), Array("*star".utf8), Array("-".utf8), Array("per%0Acent".utf8), Array("#hash".utf8),
    ]

  /// A row with random keys and values.
  static func randomRow(_ random: inout SeededGenerator) -> AssetRow {
    func maybe<Value>(_ value: Value, _ random: inout SeededGenerator) -> Value? {
      Bool.random(using: &random) ? value : nil
    }
    let status = AssetRow.Status.allCases.randomElement(using: &random) ?? .verified
    let text = { (random: inout SeededGenerator) in hostileTexts.randomElement(using: &random) ?? "" }
    let number = { (random: inout SeededGenerator) in
      [0, -0.0, 0.1, 1e-7, 1e21, .leastNonzeroMagnitude, .nan, .infinity, -.infinity, 1.5].randomElement(using: &random)
        ?? 0
    }
    let name = hostileNames.randomElement(using: &random) ?? []
    var row = AssetRow(
      path: RelativePath(Array("a/".utf8) + name), status: status,
      error: status == .verified ? nil : LoadFailure(.corrupt, text(&random)))
    row.notes = Set(["odd-header", "trailing-data", "exif-broken"].filter { _ in Bool.random(using: &random) })
    row.bytes = maybe(UInt64.random(in: 0...1 << 53, using: &random), &random)
    row.sha256 = maybe(checksum, &random)
    row.width = maybe(Int.random(in: 1...100_000, using: &random), &random)
    row.isProgressive = maybe(true, &random)
    row.profile = maybe(text(&random), &random)
    row.description = maybe(text(&random), &random)
    row.comment = maybe(text(&random), &random)
    row.camera = maybe(.init(lens: maybe(text(&random), &random), make: maybe(text(&random), &random)), &random)
    row.gps = maybe(.init(altitude: number(&random), latitude: number(&random), longitude: number(&random)), &random)
    row.exposure = maybe(.init(fNumber: maybe(number(&random), &random), seconds: number(&random)), &random)
    if Bool.random(using: &random) { row.thumbnails = fullRow().thumbnails }
    return row
  }
}
