/// Bounds what the assets between their request and their taking may cost together, in a unit of the caller's: most often
/// the bytes of their decoded pictures.
///
/// An asset that costs more than the limit by itself is requested when it is alone in line.
public struct CostLimit: Sendable {
  public let total: Int
  /// What one asset costs, asked once before its request is made, on the thread that collects; below 0 counts as 0.
  public let cost: @Sendable (Asset) -> Int

  public init(_ total: Int, cost: @escaping @Sendable (Asset) -> Int) {
    precondition(total >= 0, "a limit of cost is not negative")
    self.total = total
    self.cost = cost
  }
}

/// Keeps account of the costs in line, first in, first out.
struct CostBudget {
  private let limit: CostLimit?
  private var costs: [Int] = []
  private var spent = 0
  /// What the asset that was refused last costs: it is the next to be asked for again.
  private var refused: Int?

  init(_ limit: CostLimit?) {
    self.limit = limit
  }

  /// Books the cost of an asset and answers true, or false when there is no room for it behind those in line.
  mutating func takes(_ asset: Asset, isAlone: Bool) -> Bool {
    guard let limit else { return true }
    let cost = refused ?? max(0, limit.cost(asset))
    refused = nil
    let (sum, isTooMuch) = spent.addingReportingOverflow(cost)
    guard isAlone || (!isTooMuch && sum <= limit.total) else {
      refused = cost
      return false
    }
    costs.append(cost)
    // Alone in line nothing was spent before, so this never overflows.
    spent = sum
    return true
  }

  /// The asset at the head of the line was taken.
  mutating func giveBackFirst() {
    guard limit != nil, !costs.isEmpty else { return }
    spent -= costs.removeFirst()
  }
}
