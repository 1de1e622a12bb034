import IngestCore

/// Does what a command line asks for and says how the program ends. Nothing here touches the process itself, so tests
/// run it in process.
public enum Command {
  /// Runs one command from its first word to its last. Blocks the calling thread.
  @available(*, noasync, message: "a command blocks its thread; call it from a thread of your own")
  public static func run(_ surroundings: Surroundings) -> Ending {
    // First of all, so that no moment is left in which a signal ends the program in its own way.
    let stop = SignalStop(surroundings)
    let ending: Ending
    do {
      ending = try dispatch(surroundings, stop)
    } catch {
      let palette = Palette(.auto, stream: surroundings.standardError, environment: surroundings.environment)
      Console(surroundings.standardError).write([TextPrinter.complaint(error.sentence, palette)], .error)
      ending = .code(ExitCode(.usage(error)).rawValue)
    }
    return stop.ending(else: complete(ending, surroundings))
  }

  /// A result that did not go out whole is no complete one, whatever the work came to: a file that was cut off by a full
  /// disk would be taken for all there is.
  private static func complete(_ ending: Ending, _ surroundings: Surroundings) -> Ending {
    guard let reason = surroundings.standardOutput.lossReason else { return ending }
    let palette = Palette(.auto, stream: surroundings.standardError, environment: surroundings.environment)
    Console(surroundings.standardError).write(
      [TextPrinter.complaint("standard output: cannot be written: \(reason)", palette)], .error)
    return .code(ExitCode.incomplete.rawValue)
  }

  private static func dispatch(_ surroundings: Surroundings, _ stop: SignalStop) throws(UsageError) -> Ending {
    guard !surroundings.arguments.isEmpty else {
      surroundings.standardError.write(text(HelpText.overview))
      return .code(ExitCode.usage.rawValue)
    }
    let low = try ArgumentParser(isFolder: surroundings.isFolder).parse(surroundings.arguments)
    if low.wantsHelp {
      return help(low.isBare ? HelpText.overview : HelpText.page(of: low.command), surroundings)
    }
    if low.wantsVersion { return help([Version.line], surroundings) }
    switch low.command {
    case .run: return try RunCommand(surroundings: surroundings, stop: stop).run(low)
    case .export: return try ExportCommand(surroundings: surroundings, stop: stop).run(low)
    case .verify: return try VerifyCommand(surroundings: surroundings, stop: stop).run(low)
    case .inspect: return try InspectCommand(surroundings: surroundings, stop: stop).run(low)
    case .help: return help(try HelpCommand.lines(low), surroundings)
    case .publish: return try PublishCommand(surroundings: surroundings, stop: stop).run(low)
    case .completions: return help(try completions(low), surroundings)
    }
  }

  private static func completions(_ low: LowArguments) throws(UsageError) -> [String] {
    guard let word = low.operands.first else { throw .missingOperand("SHELL", command: .completions) }
    if low.operands.count > 1 {
      throw .extraOperand(String(decoding: low.operands[1], as: UTF8.self), command: .completions)
    }
    let name = String(decoding: word, as: UTF8.self)
    if let shell = Shell(rawValue: name) { return shell.script }
    throw .unknownShell(name, suggestion: Suggestion.nearest(to: word, among: Shell.allCases.map(\.rawValue)))
  }

  private static func help(_ lines: [String], _ surroundings: Surroundings) -> Ending {
    surroundings.standardOutput.write(text(lines))
    return .code(ExitCode.good.rawValue)
  }

  private static func text(_ lines: [String]) -> String {
    lines.map { $0 + "\n" }.joined()
  }
}
