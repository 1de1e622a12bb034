/// Puts the words of a command line in their places, by the rules of GNU programs.
///
/// Long options as `--name value` or `--name=value`, short ones in bundles, `--` ends the options, operands anywhere.
/// No abbreviations: an option added later would break scripts that use them.
struct ArgumentParser {
  /// Answers whether a folder of this name exists; asked only for a word that looks like a mistyped command.
  let isFolder: ([UInt8]) -> Bool

  /// Reads the arguments that follow the program's name.
  func parse(_ arguments: [[UInt8]]) throws(UsageError) -> LowArguments {
    var low = LowArguments()
    let word = Self.firstOperand(of: arguments)
    if let word, let command = CommandWord(bytes: word) { low.command = command }
    if Self.asksForHelp(arguments) {
      low.wantsHelp = true
      low.isBare = word.flatMap(CommandWord.init) == nil
      return low
    }
    if let word, CommandWord(bytes: word) == nil { try checkSpelling(word) }
    // Before the options are looked at: those of a command to come are not all known yet.
    guard low.command.description.arrival == .now else {
      throw .notYet(.commandLine, subject: low.command.rawValue)
    }
    var reader = Reader(words: arguments[...], low: low, hasCommandWord: word.flatMap(CommandWord.init) != nil)
    try reader.readAll()
    return reader.low
  }

  /// Help wins over everything else, wherever it stands before `--`.
  private static func asksForHelp(_ arguments: [[UInt8]]) -> Bool {
    arguments.prefix { $0 != [ASCII.dash, ASCII.dash] }
      .contains { $0 == Array("-h".utf8) || $0 == Array("--help".utf8) }
  }

  /// The first word that is neither an option nor an option's value.
  private static func firstOperand(of arguments: [[UInt8]]) -> [UInt8]? {
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      if word == [ASCII.dash, ASCII.dash] { return index < arguments.count ? arguments[index] : nil }
      guard word.count > 1, word[0] == ASCII.dash else { return word }
      if word[1] == ASCII.dash {
        let name = String(decoding: word.dropFirst(2), as: UTF8.self)
        if OptionTable.row(named: name, of: nil)?.takesValue == true { index += 1 }
      } else if let row = bundle(word).last.flatMap({ OptionTable.row(short: $0, of: nil) }), row.takesValue {
        index += 1
      }
    }
    return nil
  }

  /// The letters of a bundle up to the one whose value stands in the same word; empty when it has its value.
  private static func bundle(_ word: [UInt8]) -> [UInt8] {
    for (offset, letter) in word.enumerated().dropFirst() {
      if OptionTable.row(short: letter, of: nil)?.takesValue == true {
        return offset == word.count - 1 ? [letter] : []
      }
    }
    return []
  }

  private func checkSpelling(_ word: [UInt8]) throws(UsageError) {
    guard !word.contains(ASCII.slash),
      let meant = Suggestion.nearest(to: word, among: CommandWord.allCases.map(\.rawValue)), !isFolder(word)
    else { return }
    throw .unknownCommand(String(decoding: word, as: UTF8.self), suggestion: meant)
  }
}

/// Walks over the words once the command is known.
private struct Reader {
  var words: ArraySlice<[UInt8]>
  var low: LowArguments
  let hasCommandWord: Bool
  private var hasSkippedCommandWord = false

  init(words: ArraySlice<[UInt8]>, low: LowArguments, hasCommandWord: Bool) {
    self.words = words
    self.low = low
    self.hasCommandWord = hasCommandWord
  }

  mutating func readAll() throws(UsageError) {
    var areOptionsOver = false
    while let word = words.popFirst() {
      if areOptionsOver || word.count < 2 || word[0] != ASCII.dash {
        operand(word)
      } else if word == [ASCII.dash, ASCII.dash] {
        areOptionsOver = true
      } else if word[1] == ASCII.dash {
        try longOption(word)
      } else {
        try shortOptions(word)
      }
    }
  }

  private mutating func operand(_ word: [UInt8]) {
    if hasCommandWord, !hasSkippedCommandWord {
      hasSkippedCommandWord = true
    } else {
      low.operands.append(word)
    }
  }

  private mutating func longOption(_ word: [UInt8]) throws(UsageError) {
    let equals = word.firstIndex(of: ASCII.equals)
    let typed = Array(word[2..<(equals ?? word.count)])
    let written = String(decoding: word[..<(equals ?? word.count)], as: UTF8.self)
    guard let option = OptionTable.row(named: String(decoding: typed, as: UTF8.self), of: low.command) else {
      throw unknown(written, typed)
    }
    try add(option, written: written, inline: equals.map { Array(word[($0 + 1)...]) })
  }

  private mutating func shortOptions(_ word: [UInt8]) throws(UsageError) {
    var rest = word[1...]
    while let letter = rest.popFirst() {
      let written = "-" + String(decoding: [letter], as: UTF8.self)
      guard let option = OptionTable.row(short: letter, of: low.command) else { throw unknown(written, []) }
      if option.takesValue {
        try add(option, written: written, inline: rest.isEmpty ? nil : Array(rest))
        return
      }
      try add(option, written: written, inline: nil)
    }
  }

  private mutating func add(_ option: OptionSpec, written: String, inline: [UInt8]?) throws(UsageError) {
    guard option.commands.contains(low.command) else {
      throw .foreignOption(written, command: low.command)
    }
    switch option.name {
    case "help":
      low.wantsHelp = true
      low.isBare = !hasCommandWord
    case "version": low.wantsVersion = true
    default: break
    }
    guard option.takesValue else {
      if inline != nil { throw .unexpectedValue(option: written) }
      low.occurrences.append(.init(option: option, value: []))
      return
    }
    let value: [UInt8]
    if let inline { value = inline } else { value = try nextValue(of: option, written: written) }
    low.occurrences.append(.init(option: option, value: value))
  }

  /// Takes the next word as a value. One that begins with two dashes is far more often an option whose neighbour lost
  /// its value than a name.
  private mutating func nextValue(of option: OptionSpec, written: String) throws(UsageError) -> [UInt8] {
    let placeholder = option.placeholder ?? "VALUE"
    guard let value = words.popFirst() else {
      throw .missingValue(option: written, placeholder: placeholder, next: nil)
    }
    if value.starts(with: [ASCII.dash, ASCII.dash]) {
      throw .missingValue(
        option: written, placeholder: placeholder,
        next: option.short != nil && !written.hasPrefix("--") ? nil : String(decoding: value, as: UTF8.self))
    }
    return value
  }

  private func unknown(_ written: String, _ typed: [UInt8]) -> UsageError {
    let own = OptionTable.rows(of: low.command).map(\.name)
    return .unknownOption(written, suggestion: Suggestion.nearest(to: typed, among: own).map { "--" + $0 })
  }
}
