import Testing

@testable import PhotoCodecs

@Suite(.timeLimit(.minutes(1)))
struct PixelSizeTests {
  @Test(arguments: [
    (4000, 3000, 256, 256, 192), (3000, 4000, 256, 192, 256), (1000, 1, 256, 256, 1), (1, 5000, 100, 1, 100),
    (200, 100, 256, 200, 100), (256, 10, 256, 256, 10), (3, 2, 1, 1, 1), (1000, 333, 100, 100, 33),
    (1000, 335, 100, 100, 34), (Int.max, Int.max, 256, 256, 256),
  ])
  func `the longest side is the size and the other follows`(row: (Int, Int, Int, Int, Int)) {
    let fitted = PixelSize(width: row.0, height: row.1).fitted(to: row.2)
    #expect(fitted == PixelSize(width: row.3, height: row.4))
    let turned = PixelSize(width: row.1, height: row.0).fitted(to: row.2)
    #expect(turned == PixelSize(width: row.4, height: row.3))
  }

  @Test func `a scaled decode knows how much of its last pixel is picture`() {
    let span = PixelSize(width: 251, height: 126).span(of: PixelSize(width: 1001, height: 501))
    #expect(span.x == 250.25 && span.y == 125.25)
    let whole = PixelSize(width: 1001, height: 501).span(of: PixelSize(width: 1001, height: 501))
    #expect(whole.x == 1001 && whole.y == 501)
  }

  @Test func `a thumbnail is made from a larger one that is twice as large`() {
    let rows = PixelSize(width: 4000, height: 3000)
    let plan = ThumbnailPlan(rows: rows, original: rows, sizes: [256, 1024, 1024, 600, 128, -3, 0])
    #expect(plan.steps.map(\.size) == [1024, 600, 256, 128])
    #expect(plan.steps.map(\.isFromLarger) == [false, false, true, true])
  }

  @Test func `a scaled decode does not bend the shape of the original`() {
    let plan = ThumbnailPlan(
      rows: PixelSize(width: 501, height: 376), original: PixelSize(width: 4001, height: 3001), sizes: [256, 2048])
    #expect(plan.steps.map(\.target) == [PixelSize(width: 501, height: 376), PixelSize(width: 256, height: 192)])
  }
}
