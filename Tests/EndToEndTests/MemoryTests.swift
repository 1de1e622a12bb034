import IngestCore
import IngestTestSupport
import Testing

/// Holds the memory of a run against the number of its photos.
@Suite(
  .timeLimit(.minutes(2)), .serialized, .enabled(if: !BuiltProgram.isSanitized, "the sanitizer's own memory counts"))
struct MemoryTests {
  /// The order by capture time keeps the most in mind, and tells its rows last.
  private func peak(photos: Int) async throws -> Int {
    let stage = try RunStage()
    for index in 0..<photos { try stage.photo("\(index / 100)/\(index).jpg", index) }
    // Results in memory, where there is such a place: thousands of files are synced in no time.
    let quick = try? TemporaryFolder(below: "/dev/shm")
    if let quick { try stage.folder.add([.link("out", to: quick.path)]) }
    defer { withExtendedLifetime(quick) {} }
    let result = try await stage.run(
      ["-j", "2", "--json", "--order", "captured", "--manifest", "json,csv,sha256", "--thumbnail", "32"], code: 0)
    #expect(try stage.end().integer("verified") == photos)
    return result.peakMemory
  }

  @Test func `K7: two thousand photos take no more memory than a hundred`() async throws {
    let few = try await peak(photos: 100)
    let many = try await peak(photos: 2000)
    #expect(few > 1 << 20, "the figure was read")
    #expect(many - few < 16 << 20, "\(few) and \(many) bytes")
    #expect(many < 200 << 20, "\(many) bytes")
  }

  @Test func `photos of real size at -j 2 stay under 200 MB`() async throws {
    let stage = try RunStage.ofSamples()
    let result = try await stage.run(["-j", "2", "--json", "--decode", "full"], code: 3)
    #expect(result.peakMemory > 1 << 20)
    #expect(result.peakMemory < 200 << 20, "\(result.peakMemory) bytes")
  }
}
