/// Holds what was set, and where: option over environment over configuration file.
struct Settings: Sendable {
  /// One value of one option.
  struct Given: Sendable {
    let option: OptionSpec
    /// Exact bytes; empty for a switch.
    let value: [UInt8]
    let origin: Origin
  }

  private var values: [String: [Given]] = [:]

  init() {}

  /// Lays a stronger source over the weaker ones. Within a source the last occurrence wins, unless every one counts.
  mutating func lay(_ layer: [Given]) {
    var own: [String: [Given]] = [:]
    for given in layer {
      for name in given.option.cancels {
        own[name] = nil
        values[name] = nil
      }
      if given.option.isRepeatable {
        own[given.option.name, default: []].append(given)
      } else {
        own[given.option.name] = [given]
      }
    }
    values.merge(own) { $1 }
  }

  /// All values of an option, in the order given.
  func all(_ name: String) -> [Given] {
    values[name] ?? []
  }

  func last(_ name: String) -> Given? {
    values[name]?.last
  }

  func isOn(_ name: String) -> Bool {
    values[name] != nil
  }

  /// Refuses what this version does not have yet, wherever it came from.
  static func checkArrival(_ layer: [Given]) throws(UsageError) {
    for given in layer {
      switch given.option.arrival {
      case .now: break
      case .later: throw .notYet(given.origin, subject: given.option.dashed)
      case .laterValues(let words):
        for item in given.value.split(separator: ASCII.comma) {
          let word = String(decoding: item, as: UTF8.self)
          if words.contains(word) { throw .notYet(given.origin, subject: "\(given.option.dashed) \(word)") }
        }
      }
    }
  }
}
