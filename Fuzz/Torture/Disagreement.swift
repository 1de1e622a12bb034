/// Says what to make of a row of ours and the reference's verdict on the same bytes.
enum Disagreement: Hashable {
  /// Both say whole, or both do not.
  case none
  /// They differ, and why is known.
  case explained(Group)
  /// They differ, and nobody knows why: a fault, until it is explained.
  case find

  enum Group: String, CaseIterable {
    case oddHeader = "odd header, noted"
    case extraneousEnd = "bytes before the end marker"
    case strictCodes = "codes that are in no table"
    case unfinished = "progressive scans missing"
    case lacksComponent = "component without data"
    case ancillary = "ancillary chunk, noted"
    case beforeHeader = "chunk before IHDR, noted"
    case suggestedPalette = "suggested palette, noted"
    case silentChunk = "chunk that says nothing of the picture"
    case paletteIndex = "index beyond the palette"

    var explanation: String {
      switch self {
      case .oddHeader: "libjpeg warns of the header, all data is there, and the row has the note odd-header"
      case .extraneousEnd:
        "whether libjpeg sees up to 7 unused bytes before the end marker depends on its bit buffer, and so on its source"
      case .strictCodes:
        "libjpeg's fast path, which we keep out of by small pieces, takes a code that is in no table for a zero"
      case .unfinished: "libjpeg shows what came; bits of coefficients were never sent, so the photo is truncated"
      case .lacksComponent: "libjpeg fills a component that no scan brought with gray"
      case .ancillary: "libpng warns of a chunk beside the picture, and the row has a note of it"
      case .beforeHeader: "libpng refuses a known chunk before IHDR; ours passes over text and Exif there, with a note"
      case .suggestedPalette:
        "libpng refuses a wrong checksum of the palette that a colour picture suggests; it has no data of it"
      case .silentChunk:
        "libpng warns of Exif, text, later frames or an edited sRGB profile: read by us, taken as it is, or none of the picture"
      case .paletteIndex:
        "libpng warns of an index without a colour at the end; both show black, and the row has a note"
      }
    }
  }

  /// - Parameter sliced: libjpeg's verdict when it gets the bytes in small pieces, where it was asked.
  init(_ row: Row, _ reference: ReferenceJudge.Verdict, sliced: ReferenceJudge.Verdict?) {
    let isVerified = row.status == "verified"
    guard isVerified != reference.isClean else {
      self = .none
      return
    }
    let group =
      switch (isVerified, row.format == "png") {
      case (true, false): Self.laxerJPEG(row, reference, sliced)
      case (false, false): Self.stricterJPEG(row, reference, sliced)
      case (true, true): Self.laxerPNG(row, reference)
      case (false, true): nil as Group?
      }
    self = group.map(Disagreement.explained) ?? .find
  }

  private static func laxerJPEG(
    _ row: Row, _ reference: ReferenceJudge.Verdict, _ sliced: ReferenceJudge.Verdict?
  ) -> Group? {
    guard reference.word == "warning" else { return nil }
    if row.notes.contains("odd-header"), reference.complaints.allSatisfy(Self.isOfHeader) { return .oddHeader }
    let isAtEnd = reference.complaints.allSatisfy { complaint in
      guard complaint.contains("@scan"), complaint.hasSuffix("extraneous bytes before marker 0xd9") else {
        return false
      }
      let count = complaint.split(separator: " ").compactMap { Int($0) }.first
      return (count ?? .max) <= 7
    }
    return isAtEnd && sliced?.isClean == true ? .extraneousEnd : nil
  }

  /// Junk before the first scan, an unknown JFIF or Adobe version, progressive parameters in a sequential scan.
  private static func isOfHeader(_ complaint: String) -> Bool {
    let harmless = ["Unknown Adobe color transform", "unknown JFIF revision", "Invalid SOS parameters"]
    return harmless.contains { complaint.contains($0) }
      || complaint.contains("@header") && complaint.contains("extraneous bytes")
  }

  private static func stricterJPEG(
    _ row: Row, _ reference: ReferenceJudge.Verdict, _ sliced: ReferenceJudge.Verdict?
  ) -> Group? {
    if row.message.contains("a colour component has no data") { return .lacksComponent }
    if reference.says("unfinished") || reference.says("unsent") { return .unfinished }
    return sliced?.isClean == false ? .strictCodes : nil
  }

  private static func laxerPNG(_ row: Row, _ reference: ReferenceJudge.Verdict) -> Group? {
    let isOdd = row.notes.contains("odd-header")
    let words = reference.complaints
    if reference.word == "error" {
      guard let last = words.last, isOdd else { return nil }
      if last.hasSuffix("missing IHDR") { return .beforeHeader }
      return last == "PLTE: CRC error" ? .suggestedPalette : nil
    }
    guard reference.word == "warning" else { return nil }
    if words.allSatisfy({ $0.contains("palette index exceeding") }) { return isOdd ? .paletteIndex : nil }
    let ours = [
      "eXIf", "tEXt", "zTXt", "iTXt", "sPLT", "fdAT", "fcTL", "iCCP: known incorrect", "iCCP: out-of-date",
      "iCCP: edited",
    ]
    if words.allSatisfy({ complaint in ours.contains { complaint.hasPrefix($0) } }) { return .silentChunk }
    return row.notes.isDisjoint(with: ["odd-header", "profile-ignored", "text-dropped", "exif-broken"])
      ? nil : .ancillary
  }
}
