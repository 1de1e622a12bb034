import Foundation
import IngestTestSupport
import Testing

/// Holds every row of a run over the corpus of real photos against what independent tools say.
@Suite(.timeLimit(.minutes(10)), .enabled(if: SharedMaterial.isAvailable, "the shared corpus is not beside the project"))
struct CorpusTests {
  let run: CorpusRun
  let photos = CorpusExpectation.all.filter { $0.format == "jpeg" || $0.format == "png" }

  init() throws {
    run = try CorpusRun.shared.get()
  }

  private func row(_ photo: CorpusExpectation) throws -> [String: Any] {
    try #require(run.rows[photo.path], "\(photo.path) has no row")
  }

  @Test func `every file gets one row and the exit code says that some are not verified`() {
    #expect(run.result.exitCode == 3)
    #expect(Set(run.rows.keys) == Set(CorpusExpectation.all.map(\.path)))
  }

  @Test func `the verdict agrees with the reference decoders`() throws {
    for photo in photos {
      let row = try row(photo)
      let status = row["status"] as? String ?? ""
      let notes = row["notes"] as? [String] ?? []
      let isLimited = (row["error"] as? [String: Any])?["code"] as? String == "too-large"
      let agrees =
        switch photo.decodes {
        case "ok": status == "verified"
        case "fails": status == "failed" || status == "damaged"
        default: status == "damaged" || isLimited || status == "verified" && CorpusJudgement.isHarmless(photo, notes)
        }
      #expect(
        agrees || CorpusJudgement.verdicts[photo.path] == status,
        "\(photo.path): \(status) \(notes) \(row["error"] ?? "") but decodes: \(photo.decodes)")
    }
  }

  @Test func `what a picture is agrees with the reference for every file that decodes`() throws {
    for photo in photos where photo.decodes == "ok" {
      let row = try row(photo)
      func same(_ key: String, _ expected: Int?) {
        #expect(row[key] as? Int == expected, "\(photo.path): \(key)")
      }
      #expect(row["format"] as? String == photo.format, "\(photo.path)")
      same("width", photo.integer("width"))
      same("height", photo.integer("height"))
      same("display_width", photo.integer("display_width"))
      same("display_height", photo.integer("display_height"))
      same("bit_depth", photo.integer("bit_depth"))
      same("components", photo.integer("components"))
      let orientation = photo.integer("orientation").map { (1...8).contains($0) ? $0 : 1 }
      #expect(
        row["orientation"] as? Int == CorpusJudgement.orientation(of: photo, else: orientation), "\(photo.path)")
      #expect(
        row["color"] as? String == photo.text("color")?.replacing("gray+alpha", with: "gray-alpha"), "\(photo.path)")
      #expect(row["progressive"] as? Bool == photo.values["progressive"] as? Bool, "\(photo.path)")
      #expect(row["profile"] as? String == photo.text("icc_description"), "\(photo.path)")
      let isNamedWrong = photo.values["extension_matches"] as? Bool == false
      #expect((row["notes"] as? [String] ?? []).contains("extension-mismatch") == isNamedWrong, "\(photo.path)")
    }
  }

  @Test func `the checksum is that of the file`() throws {
    for photo in CorpusExpectation.all where photo.integer("bytes") != 0 {
      #expect(try row(photo)["sha256"] as? String == photo.text("sha256"), "\(photo.path)")
      #expect(try row(photo)["bytes"] as? Int == photo.integer("bytes"), "\(photo.path)")
    }
  }

  @Test func `other image formats are named and called unsupported`() throws {
    for photo in CorpusExpectation.all where !["jpeg", "png", "empty", "unknown"].contains(photo.format) {
      let row = try row(photo)
      #expect(row["status"] as? String == "failed", "\(photo.path)")
      #expect((row["error"] as? [String: Any])?["code"] as? String == "unsupported", "\(photo.path)")
      #expect(row["format"] as? String == photo.format, "\(photo.path)")
    }
  }

  @Test func `the checksum list passes sha256sum in the source folder`() throws {
    let corpus = try #require(SharedMaterial.corpus)
    let check = try Command.run(
      "/usr/bin/sha256sum", ["--strict", "--quiet", "-c", run.folder.path + "/out/SHA256SUMS"], timeLimit: 60,
      currentFolder: corpus)
    #expect(check.exitCode == 0, "\(check.standardErrorText)")
  }
}
