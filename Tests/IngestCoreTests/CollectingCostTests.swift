import IngestCore
import IngestTestSupport
import Testing

/// Holds the collector's bound by cost: what runs ahead of a slow asset may not fill memory.
@Suite(.timeLimit(.minutes(1))) struct CollectingCostTests {
  /// How many requests had been made when each turn was taken: the line is filled before a turn is waited for.
  private static func begun(costs: [Int], limit: Int, window: Int = 100) async -> [Int] {
    let assets = photos(costs.count)
    let table = Dictionary(uniqueKeysWithValues: zip(assets, costs))
    let started = Count()
    let seen = Gathering<Int>()
    let loader = ScriptedLoader { _ in started.add() }
    let collector = ScriptedCollector(
      loader: loader, window: window, costLimit: CostLimit(limit) { table[$0] ?? 0 })
    let (gathered, report) = await collector.collected(assets) { _ in seen.add(started.value) }
    #expect(gathered.indices == Array(costs.indices))
    #expect(report.turns == costs.count)
    return seen.values
  }

  @Test func `no more is begun than the limit allows together`() async {
    #expect(await Self.begun(costs: [5, 5, 5, 5, 5], limit: 10) == [2, 3, 4, 5, 5])
    #expect(await Self.begun(costs: [1, 2, 3, 4, 5], limit: 6) == [3, 3, 3, 4, 5])
  }

  @Test func `an asset that costs more than the limit goes alone`() async {
    #expect(await Self.begun(costs: [50, 5, 5, 100, 1], limit: 10) == [1, 3, 3, 4, 5])
    #expect(await Self.begun(costs: [.max, .max, 1], limit: 0) == [1, 2, 3])
  }

  @Test func `the window bounds what costs nothing`() async {
    #expect(await Self.begun(costs: [0, 0, -7, 0], limit: 0, window: 2) == [2, 3, 4, 4])
  }

  @Test func `each asset's cost is asked once`() async {
    let asked = Count()
    let limit = CostLimit(10) { _ in
      asked.add()
      return 6
    }
    _ = await ScriptedCollector(loader: ScriptedLoader(), window: 9, costLimit: limit).collected(photos(5))
    #expect(asked.value == 5)
  }
}
