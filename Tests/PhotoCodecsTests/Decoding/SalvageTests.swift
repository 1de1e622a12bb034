import IngestTestSupport
import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct SalvageTests {
  private let request = DecodeRequest(thumbnailSizes: [16, 100])

  @Test func `a damaged photo shows its embedded picture when that is whole`() throws {
    let embedded = try #require(SyntheticPictures.texture(80, 48, samples: 1).jpeg(quality: 90))
    let bytes = Array(DecodingRig.jpeg(orientation: 6, embedded: embedded).dropLast(30))
    let rig = DecodingRig(bytes, request)
    #expect(rig.isDamaged && rig.error?.code == .truncated)
    #expect(rig.photo.notes == ["salvaged-preview"])
    #expect(rig.photo.thumbnails.map(\.size) == [16, 100])
    // Upright, and as large as the embedded picture at most.
    #expect(rig.photo.thumbnails.map(\.width) == [10, 48])
    #expect(rig.photo.thumbnails.map(\.height) == [16, 80])
    #expect(JPEGOutline(rig.photo.thumbnails[1].jpeg)?.sampling.count == 1)
  }

  @Test func `without one it shows as much as there is of its own rows`() {
    for bytes in [
      Array(TinyJPEG.baseline.bytes.dropLast(30)),
      Array(DecodingRig.jpeg(embedded: TinyJPEG.gray.bytes.dropLast(9)).dropLast(30)),
    ] {
      let rig = DecodingRig(bytes, request)
      #expect(rig.isDamaged && rig.photo.notes == ["salvaged-preview"])
      #expect(rig.photo.thumbnails.map(\.width) == [16, 40])
    }
  }

  @Test func `a photo that lacks its end marker alone keeps its own pictures`() {
    let bytes = DecodingRig.jpeg(embedded: TinyJPEG.gray.bytes)
    let whole = DecodingRig(bytes, request)
    let rig = DecodingRig(Array(bytes.dropLast(2)), request)
    #expect(rig.isDamaged && rig.error?.code == .missingEndMarker)
    #expect(rig.photo.notes == [] && rig.photo.thumbnails == whole.photo.thumbnails)
  }

  @Test func `a photo without thumbnails needs no salvage`() {
    let bytes = Array(DecodingRig.jpeg(embedded: TinyJPEG.gray.bytes).dropLast(30))
    let rig = DecodingRig(bytes, DecodeRequest())
    #expect(rig.isDamaged && rig.photo.thumbnails.isEmpty && rig.photo.notes == [])
  }

  @Test func `a photo of which no row came has no picture`() {
    let rig = DecodingRig(Array(DecodingRig.jpeg(embedded: TinyJPEG.gray.bytes).prefix(400)), request)
    #expect(rig.isFailed && rig.photo.thumbnails.isEmpty)
  }
}
