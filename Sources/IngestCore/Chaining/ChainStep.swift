/// Carries a value from one step of a chain to the next, whatever its type.
protocol Parcelled: Sendable {}

struct Parcel<Value: Sendable>: Parcelled {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// Holds one step of a chain, its types hidden.
struct ChainStep<Failure: Error>: Sendable {
  let name: String
  let start: @Sendable (any Parcelled, @escaping RequestCompletion<any Parcelled, Failure>) -> RequestCancel?

  init<Given: Sendable, Value: Sendable>(
    _ name: String, _ step: @escaping RequestChain<Given, Value, Failure>.Step<Given, Value>
  ) {
    self.name = name
    start = { parcel, done in
      guard let given = (parcel as? Parcel<Given>)?.value else {
        preconditionFailure("\(name): the step before gave another type than the chain was made with")
      }
      return step(given) { outcome in done(outcome.map { Parcel($0) }) }
    }
  }
}
