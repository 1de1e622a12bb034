/// Makes the manual page photo-ingest(1) from the tables of commands, options, topics and exit codes.
enum ManualPage {
  /// The page, in the mdoc language.
  static var lines: [String] {
    [
      ".\\\" Made by \"photo-ingest help \\-\\-format man\"; not to be changed by hand.",
      ".Dd \(Version.day)", ".Dt PHOTO-INGEST 1", ".Os",
      ".Sh NAME", ".Nm \(Version.program)", ".Nd \(HelpText.summary)",
      ".Sh SYNOPSIS",
    ] + CommandWord.allCases.flatMap(synopsis)
      + [".Sh DESCRIPTION", ".Nm", "has these commands:"]
      + Mdoc.list(
        CommandWord.allCases.map {
          ("Cm \($0.rawValue)", Mdoc.text(HelpText.sentence($0.description.summary)))
        })
      + [".Pp", ".Dq Nm Ar FOLDER Fl \\-output Ar DIR", "is short for the command", ".Cm run ."]
      + [".Sh OPTIONS"] + OptionSpec.Group.allCases.flatMap(options)
      + HelpTopic.allCases.flatMap(topic)
      + [".Sh ENVIRONMENT"] + environment
      + [".Sh EXIT STATUS"]
      + Mdoc.list(ExitCode.allCases.map { ("\($0.rawValue)", Mdoc.text(HelpText.sentence($0.meaning))) })
      + [".Pp"] + Mdoc.text(HelpText.signals)
      + [".Sh EXAMPLES", ".Bd -literal"] + HelpText.examples.map(Mdoc.literal) + [".Ed"]
      + [".Sh SEE ALSO", ".Xr photo-ingest-manifest 5"]
  }

  private static func synopsis(_ command: CommandWord) -> [String] {
    let words = command.description.operands.split(separator: " ")
    let hasOptionsOfItsOwn = OptionTable.rows(of: command).contains { $0.commands.count < CommandWord.allCases.count }
    return [".Nm", ".Cm \(command.rawValue)"] + (hasOptionsOfItsOwn ? [".Op Ar OPTIONS"] : [])
      + words.map { word in
        if word.hasPrefix("--") { return ".Fl " + Mdoc.argument("\(word.dropFirst())") }
        let letters = word.utf8.filter { $0 != ASCII.dot }
        if letters.allSatisfy({ ASCII.lowercased($0) != $0 }) { return ".Ar \(word)" }
        return Mdoc.literal(String(word))
      }
  }

  private static func options(_ group: OptionSpec.Group) -> [String] {
    let rows = OptionTable.rows.filter { $0.group == group }
    return [".Ss \(group.rawValue)"] + Mdoc.list(rows.map { (term($0), explanation($0)) })
  }

  private static func term(_ row: OptionSpec) -> String {
    row.spellings.map { spelling in
      ("Fl " + Mdoc.argument(String(spelling.dropFirst())))
        + (row.placeholder.map { " Ar " + Mdoc.argument($0) } ?? "")
    }.joined(separator: " , ")
  }

  private static func explanation(_ row: OptionSpec) -> [String] {
    var lines = Mdoc.text(HelpText.explanation(row))
    if row.commands.count < CommandWord.allCases.count {
      let words = CommandWord.allCases.filter(row.commands.contains).map(\.rawValue)
      lines += Mdoc.text("\(words.count == 1 ? "Command" : "Commands"): \(words.joined(separator: ", ")).")
    }
    if let name = row.environmentName { lines += ["Environment:", ".Ev \(name) ."] }
    return lines
  }

  private static func topic(_ topic: HelpTopic) -> [String] {
    guard let page = topic.page else { return [] }
    let title = String(decoding: page.title.utf8.map(ASCII.uppercased), as: UTF8.self)
    return [".Sh " + Mdoc.argument(title)]
      + Mdoc.list(page.entries.map { ("Li " + Mdoc.argument($0.term), Mdoc.text($0.text)) })
      + [".Pp"] + Mdoc.text(page.closing)
  }

  private static var environment: [String] {
    Mdoc.text(
      "Each option that names a variable above may be set by it; what is typed wins. An empty variable counts as unset."
    )
      + Mdoc.list(
        EnvironmentNames.others.map { ("Ev \($0.name)", Mdoc.text($0.text)) })
  }
}
