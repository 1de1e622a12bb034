/// Counts who is in a group, and keeps the notices that are due when nobody is.
struct CompletionCount: Sendable {
  typealias Notice = @Sendable (CompletionGroup.Ending) -> Void

  var stillIn = 0
  var unbalanced = 0
  private var lastKey = 0
  private var notices: [Int: Notice] = [:]

  /// Keeps a notice; nil when it is due now.
  mutating func add(_ notice: @escaping Notice) -> Int? {
    guard stillIn > 0 else { return nil }
    lastKey += 1
    notices[lastKey] = notice
    return lastKey
  }

  /// Takes one away and gives the notices that are due now, in the order in which they were asked for.
  mutating func leave() -> [Notice] {
    stillIn -= 1
    guard stillIn == 0 else { return [] }
    defer { notices = [:] }
    return notices.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Gives a notice whose time limit is over, unless it was given.
  mutating func takeLate(_ key: Int) -> (Notice, stillIn: Int)? {
    notices.removeValue(forKey: key).map { ($0, stillIn) }
  }
}
