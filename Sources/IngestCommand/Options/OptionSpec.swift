/// Describes one option: a row of the table that parser, environment, configuration file and help are made from.
struct OptionSpec: Sendable {
  /// What an option takes.
  enum Value: Sendable, Hashable {
    /// Nothing: the option is a switch.
    case none
    /// A file or folder, exact bytes.
    case path
    /// Free text, exact bytes.
    case text
    /// One of these words.
    case choice([String])
    /// Some of these words, with commas between.
    case choices([String])
    /// A whole number.
    case count(ClosedRange<Int>)
    /// A whole number of pixels; `M` behind it means million.
    case pixels(ClosedRange<Int>)
    /// A whole number of bytes; `M` behind it means MiB.
    case memory(ClosedRange<Int>)
    /// Seconds, decimals allowed.
    case seconds(ClosedRange<Int>)
    /// A whole number, or a share with `%` behind it.
    case share
    /// `fail`, `skip`, `wait` or `wait=SECONDS`.
    case lock
  }

  /// Where help lists an option.
  enum Group: String, CaseIterable, Sendable {
    case output = "What is written"
    case photos = "Which photos"
    case loading = "How photos are read"
    case endings = "When something is wrong"
    case talk = "What is said"
    case general = "General"
  }

  /// The long name, without dashes.
  let name: String
  var short: UInt8?
  var value: Value = .none
  /// What help calls the value.
  var placeholder: String?
  /// The default, as help shows it.
  var standard: String?
  /// One or two sentences of help.
  let help: String
  let group: Group
  /// Whether every occurrence counts; of others the last one wins.
  var isRepeatable = false
  let commands: Set<CommandWord>
  /// Options that an occurrence of this one takes back, and the reverse.
  var cancels: [String] = []
  /// Whether the environment and a configuration file may set it too.
  var isSetting = true
  var arrival: Arrival = .now

  /// The environment variable that sets the option, such as `PHOTO_INGEST_MAX_PIXELS`.
  var environmentName: String? {
    guard isSetting, name != "config" || commands == [.run] else { return nil }
    let letters = name.utf8.map { byte in
      byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : ASCII.uppercased(byte)
    }
    return "PHOTO_INGEST_" + String(decoding: letters, as: UTF8.self)
  }

  /// The key of a configuration file that sets the option: its long name. A file cannot name another file.
  var configKey: String? {
    isSetting && name != "config" ? name : nil
  }

  /// The option as a user writes it.
  var dashed: String { "--" + name }

  var takesValue: Bool { value != .none }

  /// Whether several values may stand in one: a list with commas, or a repeatable option.
  var takesArray: Bool {
    if case .choices = value { return true }
    return isRepeatable
  }
}
