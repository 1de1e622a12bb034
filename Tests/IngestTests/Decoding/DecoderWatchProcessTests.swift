import IngestCore
import IngestTestSupport
import Testing
import Workers

@testable import Ingest

@Suite(.timeLimit(.minutes(1))) struct DecoderWatchProcessTests {
  private final class Warnings: Sendable {
    private let words = Guarded<[String]>([])
    var all: [String] { words.withLock { $0 } }
    func add(_ text: String) { words.withLock { $0.append(text) } }
  }

  @Test func `what was refused is said once, whatever how many decoders say it`() {
    let warnings = Warnings()
    let watch = DecoderWatch(requiresSandbox: false) { warnings.add($0) }
    for _ in 0..<3 { #expect(watch.goesOn(without: [.systemCalls, .memoryLimit])) }
    #expect(watch.goesOn(without: []))
    #expect(
      warnings.all == [
        "decoders run without a part of their sandbox: the kernel refused the filter of system calls, the memory limit"
      ])
    #expect(watch.breakdown == nil)
  }

  @Test func `what is refused later is said too`() {
    let warnings = Warnings()
    let watch = DecoderWatch(requiresSandbox: false) { warnings.add($0) }
    #expect(watch.goesOn(without: [.systemCalls]))
    #expect(watch.goesOn(without: [.systemCalls, .processorTime]))
    #expect(warnings.all.count == 2)
    #expect(warnings.all.last?.hasSuffix("refused the limit on processor time") == true)
  }

  @Test func `a refusal is a breakdown where the sandbox is required`() {
    let warnings = Warnings()
    let watch = DecoderWatch(requiresSandbox: true) { warnings.add($0) }
    #expect(watch.goesOn(without: []))
    #expect(!watch.goesOn(without: [.noCore]))
    watch.lostDecoder("later", wasLast: true)
    #expect(watch.breakdown == .sandboxRefused([.noCore]))
    #expect(warnings.all == [])
  }

  @Test func `the last decoder's loss is the run's, the others' are said once`() {
    let warnings = Warnings()
    let watch = DecoderWatch(requiresSandbox: false) { warnings.add($0) }
    watch.lostDecoder("no process", wasLast: false)
    watch.lostDecoder("no process", wasLast: false)
    #expect(watch.breakdown == nil)
    #expect(warnings.all == ["the run goes on with fewer decoders than asked for: no process"])
    watch.lostDecoder("no process", wasLast: true)
    #expect(watch.breakdown == .noDecoder("no process"))
  }

  @Test func `all but one thread may leave`() {
    let crew = LoaderCrew(3)
    #expect([crew.leave(), crew.leave(), crew.leave(), crew.leave()] == [true, true, false, false])
  }
}
