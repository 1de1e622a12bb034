import IngestCore

/// Words all that is known of one photo as aligned lines, for people.
struct InspectionText {
  let palette: Palette

  private static let labelColumns = 13

  /// The stand-in that came first.
  func degraded(_ preview: AssetRow.Preview) -> String {
    line("stand-in", "\(preview.source.rawValue), \(preview.width) x \(preview.height)")
  }

  /// The photo's name, above everything that is said of it.
  func title(_ path: [UInt8]) -> String {
    palette.strong(SafeText.cleaned(path))
  }

  /// The verdict, then every group of facts that the row has.
  func lines(_ row: AssetRow) -> [String] {
    let facts: [(String, String?)] = [
      ("format", format(row)), ("size", size(row)), ("profile", row.profile), ("captured", captured(row.captured)),
      ("camera", camera(row.camera)), ("exposure", exposure(row.exposure)), ("gps", gps(row.gps)),
      ("description", row.description), ("comment", row.comment), ("file", file(row)), ("sha256", row.sha256),
      ("check", check(row.verification)),
      ("notes", row.notes.isEmpty ? nil : row.notes.sorted().joined(separator: ", ")),
    ]
    return [line("verdict", verdict(row), isClean: true)]
      + facts.compactMap { label, text in text.map { line(label, $0) } }
  }

  private func line(_ label: String, _ text: String, isClean: Bool = false) -> String {
    let gap = String(repeating: " ", count: max(1, Self.labelColumns - label.utf8.count))
    return "  " + label + gap + (isClean ? text : SafeText.cleaned(text))
  }

  private func verdict(_ row: AssetRow) -> String {
    let reason = row.error.map { ": \($0.code.rawValue): " + SafeText.cleaned($0.message) } ?? ""
    return switch row.status {
    case .verified: palette.good("verified") + reason
    case .damaged: palette.doubtful("damaged") + reason
    case .failed: palette.bad("failed") + reason
    }
  }

  private func format(_ row: AssetRow) -> String? {
    let parts = [
      row.format, row.isProgressive == true ? "progressive" : nil, row.color,
      row.components.map { Counted.things($0, "component", "components") },
      row.bitDepth.map { Counted.things($0, "bit", "bits") },
    ]
    return joined(parts)
  }

  private func size(_ row: AssetRow) -> String? {
    guard let width = row.width, let height = row.height else { return nil }
    var text = "\(width) x \(height)"
    if let shownWidth = row.displayWidth, let shownHeight = row.displayHeight {
      if (shownWidth, shownHeight) != (width, height) { text += ", shown \(shownWidth) x \(shownHeight)" }
    }
    if let orientation = row.orientation {
      text += ", orientation \(orientation)" + (row.orientationSource.map { " from \($0)" } ?? "")
    }
    return text
  }

  private func captured(_ captured: AssetRow.Captured?) -> String? {
    captured.map { "\($0.local)\($0.offset.map { " " + $0 } ?? "") (\($0.source))" }
  }

  private func camera(_ camera: AssetRow.Camera?) -> String? {
    guard let camera else { return nil }
    let body = [camera.make, camera.model].compactMap(\.self).joined(separator: " ")
    return joined([body.isEmpty ? nil : body, camera.lens])
  }

  private func exposure(_ exposure: AssetRow.Exposure?) -> String? {
    guard let exposure else { return nil }
    return joined([
      exposure.seconds.map(Self.shutter), exposure.fNumber.map { "f/\(Self.plain($0))" },
      exposure.iso.map { "ISO \($0)" }, exposure.focalLength.map { "\(Self.plain($0)) mm" },
    ])
  }

  private func gps(_ gps: AssetRow.GPS?) -> String? {
    guard let gps else { return nil }
    return joined([
      gps.latitude.map { "latitude \(Self.plain($0))" }, gps.longitude.map { "longitude \(Self.plain($0))" },
      gps.altitude.map { "altitude \(Self.plain($0)) m" },
    ])
  }

  private func file(_ row: AssetRow) -> String? {
    joined([row.bytes.map { $0 == 1 ? "1 byte" : "\($0) bytes" }, row.modified.map { "modified \($0)" }])
  }

  private func check(_ verification: AssetRow.Verification?) -> String? {
    guard let verification else { return nil }
    return "\(verification.method.rawValue), \(Counted.things(verification.warnings, "warning", "warnings")), "
      + "\(verification.trailingBytes) trailing bytes"
  }

  private func joined(_ parts: [String?]) -> String? {
    let known = parts.compactMap(\.self)
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }

  /// `1/125 s` for the times that cameras name so, else `2.5 s`.
  private static func shutter(_ seconds: Double) -> String {
    guard seconds > 0, seconds < 0.3, 1 / seconds < 1e6 else { return plain(seconds) + " s" }
    return "1/\(plain((10 / seconds).rounded() / 10)) s"
  }

  /// The shortest digits, whole numbers without a fraction.
  private static func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
