import IngestCore
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct ThumbnailPathTests {
  private let hash = String(repeating: "ab", count: 32)

  @Test func `two sources with the same content never share a file`() {
    let one = ThumbnailPath.id(path: RelativePath("a.jpg"), sha256: hash, recipe: "r")
    let other = ThumbnailPath.id(path: RelativePath("a.JPG"), sha256: hash, recipe: "r")
    #expect(one != other)
    #expect(one == ThumbnailPath.id(path: RelativePath("a.jpg"), sha256: hash, recipe: "r"))
  }

  @Test func `another recipe gives another file, so no file is written over`() {
    let recipes = [
      ThumbnailPath.recipe(sizes: [256], decoding: .scaled), ThumbnailPath.recipe(sizes: [256], decoding: .full),
      ThumbnailPath.recipe(sizes: [256, 1024], decoding: .scaled),
    ]
    let ids = Set(recipes.map { ThumbnailPath.id(path: RelativePath("a.jpg"), sha256: hash, recipe: $0) })
    #expect(ids.count == recipes.count)
  }

  @Test func `the order in which sizes were asked for makes no difference`() {
    #expect(
      ThumbnailPath.recipe(sizes: [1024, 256], decoding: .scaled)
        == ThumbnailPath.recipe(sizes: [256, 1024], decoding: .scaled))
  }

  @Test func `the path holds the size and the first two digits of the id`() {
    #expect(ThumbnailPath.path(id: "0a1b2c", size: 256) == "thumbnails/256/0a/0a1b2c.jpg")
  }
}
