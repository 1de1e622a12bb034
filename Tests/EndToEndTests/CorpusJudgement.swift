/// Differences from the corpus' reference that were looked into, each with its reason.
enum CorpusJudgement {
  /// Verdicts of ours that differ from the reference decoders', by path.
  static let verdicts: [String: String] = [:]

  /// Whether a file that the reference warns of may be verified: nothing of the picture's own data is concerned.
  static func isHarmless(_ photo: Facts, _ notes: Set<String>) -> Bool {
    notes.contains("odd-header") || photo.text("format") == "png"
  }

  /// The orientation that the manifest should have; XMP is not read (rule 3 of the design).
  static func orientation(of photo: Facts, else expected: Int?) -> Int? {
    let note = photo.text("note") ?? ""
    return note.contains("orientation only in XMP") ? nil : expected
  }
}
