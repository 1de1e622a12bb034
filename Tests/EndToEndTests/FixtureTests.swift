import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Runs the program over files that broke other tools; each test carries the fault's number in `known-faults.md`.
@Suite(
  .timeLimit(.minutes(5)), .enabled(if: SharedMaterial.isAvailable, "the shared fixtures are not beside the project"))
struct FixtureTests {
  let run: SharedRun

  init() throws {
    run = try SharedRun.fixtures.get()
  }

  private func expectVerified(_ name: String, _ notes: Set<String> = []) throws {
    let row = try run.row(name)
    #expect(row.status == "verified", "\(name): \(row.message)")
    #expect(row.notes == notes, "\(name)")
  }

  private func expectClose(_ name: String, _ cells: [[Double]], to colour: [Double], within: Double = 6) {
    for cell in cells {
      #expect(zip(cell, colour).allSatisfy { abs($0 - $1) <= within }, "\(name): \(cell), not \(colour)")
    }
  }

  // MARK: A, which way is up

  /// Where a cell of the stored picture is seen, for orientations 1 through 8 (EXIF 2.32, 4.6.4 tag 0x0112).
  private static let stored: [Int: @Sendable (_ row: Int, _ column: Int) -> (Int, Int)] = [
    1: { ($0, $1) }, 2: { ($0, 3 - $1) }, 3: { (3 - $0, 3 - $1) }, 4: { (3 - $0, $1) },
    5: { ($1, $0) }, 6: { (3 - $1, $0) }, 7: { (3 - $1, 3 - $0) }, 8: { ($1, 3 - $0) },
  ]

  @Test(arguments: 1...8, ["le", "be"])
  func `A1: every orientation in both byte orders is turned upright`(value: Int, endian: String) throws {
    let name = "orient_\(value)_\(endian).jpg"
    try expectVerified(name)
    let row = try run.row(name)
    #expect(row.integer("orientation") == value)
    #expect(row.text("orientation_source") == "exif")
    #expect([row.integer("width"), row.integer("height")] == [64, 48])
    #expect(row.displaySize == (value >= 5 ? [48, 64] : [64, 48]))
    let upright = try run.grid("orient_1_le.jpg")
    let shown = try run.grid(name)
    let place = try #require(Self.stored[value])
    for line in 0..<4 {
      for column in 0..<4 {
        let (y, x) = place(line, column)
        let (a, b) = (shown[line * 4 + column], upright[y * 4 + x])
        #expect(zip(a, b).allSatisfy { abs($0 - $1) < 8 }, "\(name) at \(line), \(column): \(a) \(b)")
      }
    }
  }

  @Test func `A2: the embedded picture's orientation does not turn the main picture`() throws {
    let row = try run.row("orient_ifd1_only_6.jpg")
    #expect(row.displaySize == [64, 48])
    #expect(row["orientation"] == nil)
  }

  @Test(arguments: ["orient_xmp_first_exif6_second.jpg", "orient_xmpext_before_exif6.jpg"])
  func `A5: an Exif segment behind XMP segments is found`(name: String) throws {
    #expect(try run.row(name).displaySize == [48, 64])
  }

  @Test func `A6: thumbnails carry no block that could turn them again`() throws {
    for name in ["orient_6_le.jpg", "png_exif_6.png", "orient_xmp_first_exif6_second.jpg"] {
      let path = try #require(try run.row(name).thumbnails.first?.text("path"))
      let bytes = try #require(FileManager.default.contents(atPath: "\(run.output)/\(path)"))
      for word in ["Exif", "http://ns.adobe.com", "ICC_PROFILE"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
    }
  }

  @Test(arguments: [
    ("png_exif_3.png", 3, "png-exif"), ("png_exif_6.png", 6, "png-exif"), ("png_exif_8.png", 8, "png-exif"),
    ("png_exif_6_after_idat.png", 6, "png-exif"), ("png_rawprofile_exif6.png", 6, "png-text"),
  ])
  func `A7: a PNG's orientation is applied and its source named`(name: String, value: Int, source: String) throws {
    let row = try run.row(name)
    #expect(row.integer("orientation") == value)
    #expect(row.text("orientation_source") == source)
    let stored = [row.integer("width"), row.integer("height")]
    #expect(row.displaySize == (value >= 5 ? stored.reversed() : stored))
  }

  // MARK: B, damaged pictures

  @Test(arguments: [
    ("trunc_60pct.jpg", ["truncated"]), ("trunc_no_eoi.jpg", ["missing-end-marker"]),
    ("zeroed_middle.jpg", ["corrupt"]), ("fullsize_zero_tail.jpg", ["truncated", "corrupt"]),
    ("trunc_progressive.jpg", ["truncated"]), ("restart_wrong_order.jpg", ["corrupt"]),
  ])
  func `B1 B3 E6: lost data is damage, never verified`(name: String, codes: [String]) throws {
    let row = try run.row(name)
    #expect(row.status == "damaged", "\(name)")
    #expect(codes.contains(row.code ?? ""), "\(name): \(row.code ?? "") \(row.message)")
  }

  @Test func `B4: a broken table costs its own row only`() throws {
    let row = try run.row("bogus_dqt_index.jpg")
    #expect(row.status == "failed")
    #expect(row.code == "corrupt")
    #expect(run.result.exitCode == 3)
  }

  // MARK: C, other things inside or behind the picture

  @Test(arguments: ["motion_photo_trailer.jpg", "trailing_zeros.jpg"])
  func `C1: bytes behind the picture are no damage and are counted`(name: String) throws {
    try expectVerified(name, ["trailing-data"])
    let trailing = try run.row(name)["verification", "trailing_bytes"]?.integerValue ?? 0
    #expect(trailing >= 4000)
  }

  @Test func `C3: a whole JPEG inside the Exif block does not become the picture`() throws {
    let cells = try run.grid("embthumb_stale_magenta.jpg")
    #expect(!cells.contains { $0[0] > 200 && $0[1] < 60 && $0[2] > 200 }, "\(cells)")
  }

  // MARK: D, colour

  @Test func `D1: CMYK is inverted with and without the Adobe marker`() throws {
    try expectVerified("cmyk_adobe_cyan.jpg")
    try expectVerified("cmyk_no_adobe.jpg", ["cmyk-no-marker"])
    for name in ["cmyk_adobe_cyan.jpg", "cmyk_no_adobe.jpg"] {
      expectClose(name, try run.grid(name), to: [0, 255, 255], within: 12)
    }
  }

  @Test func `D3: Display P3 is converted`() throws {
    try expectVerified("p3_red.jpg")
    expectClose("p3_red.jpg", try run.grid("p3_red.jpg"), to: [255, 0, 0], within: 4)
  }

  @Test(arguments: ["grey_with_rgb_icc.jpg", "icc_garbage.jpg"])
  func `D4: a profile that does not fit is a note`(name: String) throws {
    try expectVerified(name, ["profile-ignored"])
    #expect(try run.row(name).thumbnails.first?.text("path") != nil)
  }

  @Test func `D5: a profile in several segments is joined by sequence number`() throws {
    try expectVerified("icc_single.jpg")
    try expectVerified("icc_split_reversed.jpg")
    // Its profile is a valid header and 140 kB of noise: it is joined, and then found useless.
    try expectVerified("icc_big_140k.jpg", ["profile-ignored"])
    let (one, split) = (try run.row("icc_single.jpg"), try run.row("icc_split_reversed.jpg"))
    #expect(one.text("profile") == split.text("profile"))
    #expect(try run.grid("icc_single.jpg") == run.grid("icc_split_reversed.jpg"))
  }

  // MARK: E, codec corners

  @Test(arguments: [
    "arith.jpg", "sub_410.jpg", "sub_411.jpg", "sub_420.jpg", "sub_422.jpg", "sub_422_as_2x2_1x2.jpg", "sub_440.jpg",
    "sub_441.jpg", "sub_444.jpg", "restart_1.jpg", "rgb_adobe_transform0.jpg",
  ])
  func `E4 E6: legal but rare coding decodes`(name: String) throws {
    try expectVerified(name)
  }

  @Test func `E1: a scan bomb is refused with the limit named`() throws {
    let row = try run.row("scan_bomb_400.jpg")
    #expect(row.code == "too-large")
    #expect(row.message.contains("100"), "\(row.message)")
  }

  @Test func `E2: a small file that wants gigabytes is refused with limit and figure`() throws {
    let row = try run.row("flood_progressive_30000.jpg")
    #expect(row.code == "too-large")
    #expect(row.message.contains("900000000") || row.message.contains("900 "), "\(row.message)")
  }

  // MARK: F, EXIF values

  @Test func `F1: a loop of directories ends`() throws {
    #expect(try run.row("exif_ifd_loop.jpg").integer("orientation") == 6)
  }

  @Test(arguments: ["date_zero.jpg", "date_blank.jpg"])
  func `F3: a blank or zero date is absent and the next source is named`(name: String) throws {
    let captured = try run.row(name).captured
    #expect(captured == nil || captured?.source == "exif:DateTimeDigitized")
    #expect(captured?.local.hasPrefix("0000") != true)
  }

  @Test(
    arguments: [
      ("offset_orig_plus2.jpg", "02:13", "+02:00"), ("offset_none.jpg", "02:52", nil),
      ("offset_only_0x9010.jpg", "", nil),
    ] as [(String, String, String?)])
  func `F5: an offset belongs to its own tag and is never invented`(
    name: String, time: String, offset: String?
  ) throws {
    let captured = try #require(try run.row(name).captured)
    #expect(captured.local.contains(time) || time.isEmpty, "\(captured)")
    #expect(captured.offset == offset)
    #expect(captured.source == "exif:DateTimeOriginal")
  }

  @Test func `F6: sub-seconds are a decimal fraction and bursts keep their order`() throws {
    #expect(try run.row("subsec_7_means_point7.jpg").captured?.local.hasSuffix(".7") == true)
    #expect(try run.row("subsec_65.jpg").captured?.local.hasSuffix(".65") == true)
    let order = try Facts.rows(of: run.output).map(\.path)
    let place = { (name: String) in try #require(order.firstIndex(of: name)) }
    #expect(try place("subsec_65.jpg") < place("subsec_7_means_point7.jpg"))
    let burst = ["burst_0001.jpg", "burst_0024.jpg", "burst_0025.jpg", "burst_0030.jpg"]
    let times = try burst.map { ($0, try run.row($0).captured?.local ?? "") }
    let expected = times.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    #expect(order.filter(burst.contains) == expected)
  }

  @Test func `F7: a position of 0 over 0 is absent and a true zero stays`() throws {
    #expect(try run.row("gps_0_0.jpg")["gps"] == nil)
    #expect(try run.row("gps_true_zero.jpg")["gps", "latitude"]?.doubleValue == 0)
    #expect(try run.row("gps_ok.jpg")["gps", "latitude"] != nil)
  }

  @Test func `F9: text in any coding comes out as clean UTF-8`() throws {
    #expect(try (run.row("desc_latin1.jpg").text("description"))?.contains("Noël") == true)
    #expect(try (run.row("desc_utf8.jpg").text("description"))?.contains("Noël") == true)
    let nul = try #require(try run.row("desc_nul_inside.jpg").text("description"))
    #expect(!nul.unicodeScalars.contains { $0.value < 32 })
    let comments = try ["uc_unicode_le.jpg", "uc_unicode_be.jpg", "uc_no_prefix.jpg", "uc_wrongcase.jpg"].map {
      try #require(try run.row($0).text("comment"), "\($0)")
    }
    #expect(comments[0] == comments[1])
    #expect(comments.allSatisfy { !$0.isEmpty })
  }

  // MARK: G, PNG

  @Test func `G1: sixteen bits are scaled, not cut`() throws {
    expectClose("grey", try run.grid("png_16bit_grey_mid.png"), to: [128, 128, 128], within: 1)
    try expectVerified("png_16bit_rgba.png")
  }

  @Test(arguments: [("png_palette_trns.png", 2...3), ("png_grey_trns.png", 0...1)])
  func `G2: transparency is laid over white`(name: String, columns: ClosedRange<Int>) throws {
    try expectVerified(name)
    let cells = try run.grid(name)
    let transparent = (0..<4).flatMap { line in columns.map { cells[line * 4 + $0] } }
    expectClose(name, transparent, to: [255, 255, 255], within: 3)
  }

  @Test(arguments: ["png_iccp_known_bad.png", "png_bad_text_crc.png", "png_grey1.png", "png_interlaced.png"])
  func `G4: faults of ancillary chunks are no damage`(name: String) throws {
    #expect(try run.row(name).status == "verified")
  }

  @Test func `G5: text bombs are dropped and the picture decodes`() throws {
    try expectVerified("png_many_text.png", ["text-dropped"])
    try expectVerified("png_ztxt_bomb_64m.png", ["text-dropped"])
  }

  @Test func `G7: Apple's CgBI is unsupported by name`() throws {
    let row = try run.row("png_cgbi.png")
    #expect(row.status == "failed")
    #expect(row.code == "unsupported")
    #expect(row.message.contains("CgBI"))
  }

  @Test func `extra frames of an APNG are noted`() throws {
    #expect(try run.row("apng_2frames.png").notes == ["extra-images"])
  }

  // MARK: H, what is a picture file

  @Test func `H1: the first bytes decide and the name's claim is noted`() throws {
    try expectVerified("jpeg_named.HEIC", ["extension-mismatch"])
    try expectVerified("PNG_named.jpg", ["extension-mismatch"])
    try expectVerified("JPEG_named.png", ["extension-mismatch"])
    try expectVerified("UPPER.JPG")
    #expect(try run.row("heic_named.jpg").code == "unsupported")
    #expect(try run.row("heic_named.jpg").text("format") == "heic")
    #expect(try run.row("html_named.jpg").code == "not-an-image")
    #expect(try run.row("text_named.jpg").code == "not-an-image")
  }

  @Test func `H2: AppleDouble twins and folder litter are counted, not read`() throws {
    for name in ["._photo.jpg", ".DS_Store", "Thumbs.db"] { #expect(run.rows[name] == nil) }
  }
}
