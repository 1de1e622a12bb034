import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct CountedTests {
  @Test(arguments: [
    (Duration.zero, "0.0 s", "0:00"), (.milliseconds(1940), "1.9 s", "0:02"),
    (.milliseconds(59_960), "1 min 00 s", "1:00"),
    (.seconds(125), "2 min 05 s", "2:05"), (.seconds(11_220), "3 h 07 min", "3:07:00"), (.seconds(-5), "0.0 s", "0:00"),
  ])
  func `times are written for people`(duration: Duration, words: String, clock: String) {
    #expect(Counted.time(duration) == words)
    #expect(Counted.clock(duration) == clock)
  }

  @Test(arguments: [
    (0.0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (123_456, "123 kB"), (3_200_000, "3.2 MB"), (5e12, "5.0 TB"),
  ])
  func `sizes have their unit`(bytes: Double, words: String) {
    #expect(Counted.bytes(bytes) == words)
  }

  @Test(arguments: [(1.05, 1, "1.1"), (0.005, 3, "0.005"), (2.0, 0, "2"), (.infinity, 1, "?"), (.nan, 1, "?")])
  func `numbers are rounded`(value: Double, decimals: Int, text: String) {
    #expect(Counted.decimal(value, decimals) == text)
  }
}
