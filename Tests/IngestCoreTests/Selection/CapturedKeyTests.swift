import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CapturedKeyTests {
  private func key(_ local: String?, _ name: String = "a.jpg") -> CapturedKey {
    CapturedKey(local: local, path: RelativePath(name))
  }

  @Test func `photos are ordered by time, then fraction, then name, unknown times last`() {
    let expected = [
      key("2024-07-01T02:12:59.99", "z"), key("2024-07-01T02:13:00", "b2"), key("2024-07-01T02:13:00", "b10"),
      key("2024-07-01T02:13:00.065", "a"), key("2024-07-01T02:13:00.65", "a"), key("2024-07-01T02:13:00.7", "a"),
      key("2024-07-01T02:13:00.70", "b"), key("2024-07-01T02:13:00.701", "a"), key("2024-07-01T02:13:01", "a"),
      key(nil, "a2"), key(nil, "a10"),
    ]
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20 {
      #expect(expected.shuffled(using: &random).sorted() == expected)
    }
  }

  @Test func `zeros at the end of a fraction change nothing`() {
    #expect(key("2024-07-01T02:13:00.5") == key("2024-07-01T02:13:00.500"))
    #expect(key("2024-07-01T02:13:00") == key("2024-07-01T02:13:00.0"))
    #expect(key("2024-07-01T02:13:00") == key("2024-07-01T02:13:00."))
    #expect(Set([key("2024-07-01T02:13:00.5"), key("2024-07-01T02:13:00.50")]).count == 1)
    #expect(key(nil) != key(""))
  }

  @Test func `it is a strict total order`() {
    let times = [nil, "", "2024", "2024-07-01T02:13:00", "2024-07-01T02:13:00.7", "2024-07-01T02:13:00.65", "x.1"]
    let keys = times.flatMap { time in ["a", "b1", "b01", "b2"].map { key(time, $0) } }
    var faults = 0
    for a in keys {
      for b in keys {
        if [a < b, b < a, a == b].count(where: { $0 }) != 1 { faults += 1 }
        for c in keys where a < b && b < c && !(a < c) { faults += 1 }
      }
    }
    #expect(faults == 0)
  }
}
