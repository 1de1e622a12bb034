import IngestCore
import IngestTestSupport

typealias ScriptedCollector = Collector<ScriptedLoader>
typealias Script = ScriptedLoader.Script

/// Makes assets `0.jpg`, `1.jpg` and so on.
func photos(_ count: Int) -> [Asset] {
  (0..<count).map { Asset(path: RelativePath("\($0).jpg")) }
}

/// Gathers what a collection gave, from any thread.
final class Gathered: Sendable {
  private let state = Guarded((turns: [ScriptedCollector.Turn](), standIns: [String]()))

  var turns: [ScriptedCollector.Turn] { state.withLock { $0.turns } }
  var outcomes: [ScriptedCollector.Outcome] { turns.map(\.outcome) }
  var indices: [Int] { turns.map(\.index) }
  var standIns: [String] { state.withLock { $0.standIns } }

  func take(_ turn: ScriptedCollector.Turn) {
    state.withLock { $0.turns.append(turn) }
  }

  func show(_ index: Int, _ asset: Asset, _ standIn: String) {
    state.withLock { $0.standIns.append("\(index): \(standIn)") }
  }
}

extension ScriptedCollector {
  /// Collects on a thread of its own.
  func collected(
    _ assets: [Asset], control: CollectionControl = CollectionControl(),
    into gathered: Gathered = Gathered(), afterEach: @escaping @Sendable (Turn) -> Void = { _ in }
  ) async -> (Gathered, Report) {
    let report = await onOwnThread {
      collect(assets, control: control, onDegraded: gathered.show) { turn in
        gathered.take(turn)
        afterEach(turn)
      }
    }
    return (gathered, report)
  }
}

/// The error of a `take` that fails.
struct TakeFailure: Error, Equatable {
  let index: Int
}

/// Gathers values from any thread, in the order they come.
final class Gathering<Value: Sendable>: Sendable {
  private let state = Guarded<[Value]>([])

  var values: [Value] { state.withLock { $0 } }

  func add(_ value: Value) {
    state.withLock { $0.append(value) }
  }
}
