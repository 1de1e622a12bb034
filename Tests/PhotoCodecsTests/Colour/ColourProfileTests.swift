import Foundation
import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct ColourProfileTests {
  private func description(_ tag: [UInt8]) -> String? {
    ColourProfile.description(of: SyntheticProfile.profile(space: "RGB ", tags: [("cprt", [1, 2]), ("desc", tag)]))
  }

  @Test func `both kinds of description are read`() {
    #expect(description(SyntheticProfile.ascii("Display P3")) == "Display P3")
    #expect(description(SyntheticProfile.localised([("enUS", "Größe")])) == "Größe")
  }

  @Test func `English comes before the first text`() {
    let german = (locale: "deDE", text: "Allgemein")
    #expect(description(SyntheticProfile.localised([german, ("enGB", "British"), ("enUS", "Generic")])) == "Generic")
    #expect(description(SyntheticProfile.localised([german, ("enGB", "British")])) == "British")
    #expect(description(SyntheticProfile.localised([german, ("frFR", "Commun")])) == "Allgemein")
  }

  @Test(arguments: [
    [], Array("desc".utf8), Array("desc".utf8) + SyntheticProfile.word(0) + SyntheticProfile.word(-1),
    Array("mluc".utf8) + SyntheticProfile.word(0) + SyntheticProfile.word(-1) + SyntheticProfile.word(12),
    Array("mluc".utf8) + SyntheticProfile.word(0) + SyntheticProfile.word(1) + SyntheticProfile.word(-1),
    SyntheticProfile.localised([]), SyntheticProfile.localised([("enUS", "")]), SyntheticProfile.ascii(""),
    SyntheticProfile.ascii("  \u{7} "), Array("sf32".utf8) + SyntheticProfile.word(0) + SyntheticProfile.word(5),
  ])
  func `a description that cannot be read is none`(tag: [UInt8]) {
    #expect(description(tag) == nil)
  }

  @Test func `a profile cut anywhere does no harm`() {
    let profile = SyntheticProfile.profile(
      space: "RGB ", tags: [("desc", SyntheticProfile.localised([("deDE", "Eins"), ("enUS", "Only")]))])
    for count in 0..<profile.count {
      #expect([nil, "Eins"].contains(ColourProfile.description(of: Array(profile.prefix(count)))))
    }
    #expect(ColourProfile.description(of: profile) == "Only")
  }

  private struct Expected: Decodable {
    let path: String
    let format: String
    let profile: String?

    enum CodingKeys: String, CodingKey {
      case path, format
      case profile = "icc_description"
    }
  }

  @Test(.enabled(if: SharedMaterial.corpus != nil, "the shared corpus is not beside the project"))
  func `profiles of real photos have the names that exiftool gives them`() throws {
    let corpus = try #require(SharedMaterial.corpus)
    let lines = try String(contentsOfFile: "\(corpus)/expected.jsonl", encoding: .utf8).split(separator: "\n")
    var compared = 0
    for line in lines {
      let expected = try JSONDecoder().decode(Expected.self, from: Data(line.utf8))
      guard expected.format == "jpeg", let name = expected.profile else { continue }
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(corpus)/\(expected.path)")))
      guard let icc = JPEGOutline(bytes)?.icc else { continue }
      #expect(ColourProfile.description(of: icc) == name, "\(expected.path)")
      compared += 1
    }
    #expect(compared >= 30)
  }
}
