import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Holds every row of a run over the corpus of real photos against what independent tools say.
@Suite(
  .timeLimit(.minutes(10)), .enabled(if: SharedMaterial.isAvailable, "the shared corpus is not beside the project"))
struct CorpusTests {
  let run: SharedRun

  init() throws {
    run = try SharedRun.corpus.get()
  }

  @Test func `every file gets one row and the exit code says that some are not verified`() {
    #expect(run.result.exitCode == 3)
    #expect(Set(run.rows.keys) == Set(Corpus.expectations.map(\.path)))
  }

  @Test func `the verdict agrees with the reference decoders`() throws {
    for photo in Corpus.photos {
      let row = try run.row(photo.path)
      let (status, notes) = (row.status, row.notes)
      let isLimited = row.code == "too-large"
      let agrees =
        switch photo.text("decodes") {
        case "ok": status == "verified"
        case "fails": status == "failed" || status == "damaged"
        default: status == "damaged" || isLimited || status == "verified" && CorpusJudgement.isHarmless(photo, notes)
        }
      #expect(
        agrees || CorpusJudgement.verdicts[photo.path] == status,
        "\(photo.path): \(status) \(notes) \(row.message) but decodes: \(photo.text("decodes") ?? "")")
    }
  }

  @Test func `what a picture is agrees with the reference for every file that decodes`() throws {
    for photo in Corpus.photos where photo.text("decodes") == "ok" {
      let row = try run.row(photo.path)
      func same(_ key: String, _ expected: Int?) {
        #expect(row.integer(key) == expected, "\(photo.path): \(key)")
      }
      #expect(row.text("format") == photo.text("format"), "\(photo.path)")
      same("width", photo.integer("width"))
      same("height", photo.integer("height"))
      same("display_width", photo.integer("display_width"))
      same("display_height", photo.integer("display_height"))
      same("bit_depth", photo.integer("bit_depth"))
      same("components", photo.integer("components"))
      let orientation = photo.integer("orientation").map { (1...8).contains($0) ? $0 : 1 }
      #expect(
        row.integer("orientation") == CorpusJudgement.orientation(of: photo, else: orientation), "\(photo.path)")
      #expect(
        row.text("color") == photo.text("color")?.replacing("gray+alpha", with: "gray-alpha"), "\(photo.path)")
      #expect(row.flag("progressive") == photo.flag("progressive"), "\(photo.path)")
      #expect(row.text("profile") == photo.text("icc_description"), "\(photo.path)")
      let isNamedWrong = photo.flag("extension_matches") == false
      #expect(row.notes.contains("extension-mismatch") == isNamedWrong, "\(photo.path)")
    }
  }

  @Test func `the checksum is that of the file`() throws {
    for photo in Corpus.expectations where photo.integer("bytes") != 0 {
      #expect(try run.row(photo.path).text("sha256") == photo.text("sha256"), "\(photo.path)")
      #expect(try run.row(photo.path).integer("bytes") == photo.integer("bytes"), "\(photo.path)")
    }
  }

  @Test func `other image formats are named and called unsupported`() throws {
    for photo in Corpus.expectations where !["jpeg", "png", "empty", "unknown"].contains(photo.text("format") ?? "") {
      let row = try run.row(photo.path)
      #expect(row.status == "failed", "\(photo.path)")
      #expect(row.code == "unsupported", "\(photo.path)")
      #expect(row.text("format") == photo.text("format"), "\(photo.path)")
    }
  }

  @Test func `the checksum list passes sha256sum in the source folder`() throws {
    let corpus = try #require(SharedMaterial.corpus)
    let check = try Command(
      "/usr/bin/sha256sum", ["--strict", "--quiet", "-c", run.output + "/SHA256SUMS"], workingFolder: corpus
    ).runBlocking()
    #expect(check.exitCode == 0, "\(check)")
  }
}
