/// Reads the settings that stand in the environment, as `PHOTO_INGEST_JOBS=2`.
///
/// An empty variable counts as unset. A switch is on with 1, true, yes or on, and off with 0, false, no or off. An
/// option that may be repeated takes one value a line; whole numbers may also stand with commas between.
enum EnvironmentLayer {
  static func read(
    for command: CommandWord, _ environment: (String) -> [UInt8]?
  ) throws(UsageError) -> [Settings.Given] {
    var layer: [Settings.Given] = []
    for option in OptionTable.rows(of: command) {
      guard let name = option.environmentName, let value = environment(name), !value.isEmpty else { continue }
      let given = Settings.Given(option: option, value: value, origin: .environment(name))
      guard option.takesValue else {
        if try isOn(given) { layer.append(.init(option: option, value: [], origin: given.origin)) }
        continue
      }
      guard option.isRepeatable else {
        layer.append(given)
        continue
      }
      for piece in value.split(whereSeparator: { separates($0, option) }) {
        layer.append(.init(option: option, value: Array(piece), origin: given.origin))
      }
    }
    return layer
  }

  private static func separates(_ byte: UInt8, _ option: OptionSpec) -> Bool {
    if case .count = option.value, byte == ASCII.comma { return true }
    return byte == ASCII.lineFeed
  }

  private static func isOn(_ given: Settings.Given) throws(UsageError) -> Bool {
    switch String(decoding: given.value.map(ASCII.lowercased), as: UTF8.self) {
    case "1", "true", "yes", "on": return true
    case "0", "false", "no", "off": return false
    default: throw given.refused("is neither 1 nor 0")
    }
  }
}
