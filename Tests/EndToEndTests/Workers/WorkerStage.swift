import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Prepares folders for runs whose decoders are watched, stopped and killed.
enum WorkerStage {
  /// Photos of real size, some tens of milliseconds each, all of the same three.
  static func many(_ count: Int) throws -> RunStage {
    let stage = try RunStage()
    let samples = try ["alps/IMG_0001.jpg", "harbour/DSC_2.jpg", "still-life.jpg"].map { try Pictures.sample($0) }
    for index in 0..<count { try stage.photo("\(index).jpg", samples[index % samples.count]) }
    return stage
  }

  /// Every photo has a row, in order.
  static func expectAllRows(_ stage: RunStage, _ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try stage.paths() == (0..<count).map { "\($0).jpg" }, sourceLocation: sourceLocation)
  }
}

/// Kills decoders of a run, again and again, until it is told to end.
final class DecoderKiller: Sendable {
  private let isOver = Gate()
  private let hasEnded = Gate()
  private let seen = Guarded<Set<Int32>>([])

  /// - Parameters:
  ///   - parent: the run.
  ///   - pause: between two kills, in seconds.
  init(of parent: Int32, every pause: Double, seed: UInt64) {
    Thread.detachNewThread { [self] in
      var random = SeededBytes(seed: seed)
      while !isOver.wait(limit: pause) {
        let decoders = ProcessTable.decoders(of: parent).sorted()
        guard !decoders.isEmpty else { continue }
        let victim = decoders[Int(random.next(count: 1)[0]) % decoders.count]
        kill(victim, SIGKILL)
        seen.withLock { _ = $0.insert(victim) }
      }
      hasEnded.open()
    }
  }

  /// Ends the killing and returns how many decoders were hit.
  func end() -> Int {
    isOver.open()
    hasEnded.wait()
    return seen.withLock { $0.count }
  }
}
