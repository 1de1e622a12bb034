import IngestCore

/// Lists every option, once. Parser, environment, configuration file, help, man page, completions and the reference
/// of settings are made from this table; nothing else names an option.
enum OptionTable {
  static let rows: [OptionSpec] = written + publishing + photos + loading + endings + talk + general

  /// The options of one command, in table order.
  static func rows(of command: CommandWord) -> [OptionSpec] {
    rows.filter { $0.commands.contains(command) }
  }

  /// The option of this long name; `command` settles which one where two commands use the same name.
  static func row(named name: String, of command: CommandWord?) -> OptionSpec? {
    let named = rows.filter { $0.name == name }
    guard let command else { return named.first }
    return named.first { $0.commands.contains(command) } ?? named.first
  }

  /// The option of this short name.
  static func row(short: UInt8, of command: CommandWord?) -> OptionSpec? {
    let named = rows.filter { $0.short == short }
    guard let command else { return named.first }
    return named.first { $0.commands.contains(command) } ?? named.first
  }

  private static let written = [
    OptionSpec(
      name: "output", short: UInt8(ascii: "o"), value: .path, placeholder: "DIR",
      help: "The folder for the results; made when missing. Required.", group: .output, commands: [.run]),
    OptionSpec(
      name: "thumbnail", value: .count(1...8192), placeholder: "N", standard: "256",
      help: "Longest side of a thumbnail in pixels. Repeat it for several sizes.", group: .output, isRepeatable: true,
      commands: [.run], cancels: ["no-thumbnails"]),
    OptionSpec(
      name: "no-thumbnails", help: "Write no thumbnails.", group: .output, commands: [.run], cancels: ["thumbnail"]),
    OptionSpec(
      name: "manifest", value: .choices(ManifestFormat.allCases.map(\.rawValue)), placeholder: "LIST",
      standard: "json",
      help: "Manifests beside manifest.jsonl, which is always written, with commas between.", group: .output,
      commands: [.run]),
    OptionSpec(
      name: "order", value: .choice(AssetOrder.allCases.map(\.rawValue)), placeholder: "ORDER", standard: "name",
      help: "The order of the manifest; \"photo-ingest help orders\" says what each means.", group: .output,
      commands: [.run]),
    OptionSpec(
      name: "originals", value: .choice(["none", "copy", "symlink"]), placeholder: "HOW", standard: "none",
      help: "Put the originals under originals/: copies that are read back and held against their checksum, or links.",
      group: .output, commands: [.run]),
    OptionSpec(
      name: "everything",
      help: "With --originals: take the XMP, AAE, MOV, MP4 and JSON files along that stand beside a photo.",
      group: .output, commands: [.run]),
    OptionSpec(
      name: "prune", help: "With --originals: delete files under originals/ that the manifest no longer lists.",
      group: .output, commands: [.run]),
    OptionSpec(
      name: "dry-run", short: UInt8(ascii: "n"),
      help: "List the candidates on stdout, one a line. Reads no photo, writes nothing.", group: .output,
      commands: [.run]),
    OptionSpec(
      name: "format", value: .choice(ManifestFormat.allCases.map(\.rawValue)), placeholder: "F",
      help: "The format to write. Required.", group: .output, commands: [.export], isSetting: false),
    OptionSpec(
      name: "output", short: UInt8(ascii: "o"), value: .path, placeholder: "FILE", standard: "stdout",
      help: "The file to write, aside and then renamed; a bag goes to DIR/bag.", group: .output, commands: [.export],
      isSetting: false),
  ]

  private static let publishing = [
    OptionSpec(
      name: "allow-http", help: "Take http addresses too, which everybody on the way can read.", group: .output,
      commands: [.publish], isSetting: false),
    OptionSpec(
      name: "dry-run", short: UInt8(ascii: "n"),
      help: "List on stdout what would go where. Asks nobody, writes nothing.", group: .output,
      commands: [.publish], isSetting: false),
    OptionSpec(
      name: "full", help: "Ask the server about every file, whatever earlier runs have sent, and post the list again.",
      group: .output, commands: [.publish], isSetting: false),
  ]

  private static let photos = [
    OptionSpec(
      name: "files-from", value: .path, placeholder: "FILE",
      help:
        "Take the names listed in FILE (\"-\" is stdin), relative to FOLDER, one a line; also http(s) addresses, see "
        + "\"photo-ingest help addresses\".", group: .photos,
      commands: [.run]),
    OptionSpec(
      name: "null", short: UInt8(ascii: "0"),
      help: "Names read by --files-from and written by --dry-run end in NUL.", group: .photos, commands: [.run]),
    OptionSpec(
      name: "include", value: .text, placeholder: "GLOB",
      help: "Take only files that meet GLOB. Without \"/\" it meets the name, with \"/\" the path.", group: .photos,
      isRepeatable: true, commands: [.run]),
    OptionSpec(
      name: "exclude", value: .text, placeholder: "GLOB", help: "Leave files out that meet GLOB; exclude wins.",
      group: .photos, isRepeatable: true, commands: [.run]),
    OptionSpec(
      name: "hidden", help: "Take files and folders too whose name begins with a dot.", group: .photos,
      commands: [.run]),
    OptionSpec(
      name: "unsupported", value: .choice(["report", "skip"]), placeholder: "HOW", standard: "report",
      help: "Photos in formats that are not decoded: report gives them rows, skip leaves them out.", group: .photos,
      commands: [.run]),
    OptionSpec(
      name: "network", help: "Fetch the originals of addresses; without it they fail as network-off.", group: .photos,
      commands: [.run]),
    OptionSpec(
      name: "allow-http", help: "Fetch from http addresses of other machines too, in the open.", group: .photos,
      commands: [.run]),
    OptionSpec(
      name: "max-fetch", value: .memory(1...(1 << 40)), placeholder: "N[M]", standard: "512M",
      help: "Refuse remote originals of more bytes. M means MiB.", group: .photos, commands: [.run]),
    OptionSpec(
      name: "fetch-cache", value: .memory(0...(1 << 50)), placeholder: "N[M]", standard: "4096M",
      help: "Keep so many bytes of fetched originals for later runs. M means MiB.", group: .photos, commands: [.run]),
    OptionSpec(
      name: "fetch-timeout", value: .seconds(0...86_400), placeholder: "SECONDS", standard: "300",
      help: "Give up fetching an original after this long.", group: .photos, commands: [.run]),
    OptionSpec(
      name: "min-age", value: .seconds(0...86_400), placeholder: "SECONDS", standard: "0, with --cron 2",
      help: "Load younger files last, after waiting the rest.", group: .photos, commands: [.run]),
    OptionSpec(
      name: "retry-failed", help: "Read photos again that were not verified, beside new and changed ones.",
      group: .photos, commands: [.run]),
    OptionSpec(
      name: "full", help: "Read everything again, whatever the catalogue says.", group: .photos, commands: [.run]),
    OptionSpec(
      name: "source", value: .path, placeholder: "FOLDER", standard: "the folder of the last run",
      help: "Where the sources are now.", group: .photos, commands: [.verify, .export, .publish], isSetting: false),
  ]

  private static let loading = [
    OptionSpec(
      name: "jobs", short: UInt8(ascii: "j"), value: .count(1...64), placeholder: "N", standard: "processors",
      help: "How many photos are read at once, 1 to 64.", group: .loading, commands: [.run, .verify]),
    OptionSpec(
      name: "albums-at-once", value: .count(1...64), placeholder: "N", standard: "3",
      help: "With several FOLDERs: how many albums are in work at a time; they share the jobs.", group: .loading,
      commands: [.run]),
    OptionSpec(
      name: "fast", help: "Compare sizes only; read no photo.", group: .loading, commands: [.verify],
      isSetting: false),
    OptionSpec(
      name: "workers", value: .choice(["processes", "in-process"]), placeholder: "HOW", standard: "processes",
      help: "Where photos are decoded: in processes of their own, which can open nothing, or in this one.",
      group: .loading, commands: [.run, .inspect]),
    OptionSpec(
      name: "require-sandbox", help: "Fail when the kernel refuses a part of the decoders' sandbox.", group: .loading,
      commands: [.run, .inspect]),
    OptionSpec(
      name: "decode", value: .choice(["scaled", "full"]), placeholder: "HOW", standard: "scaled",
      help: "scaled makes the pixels that thumbnails need, full all of them. Both read the whole file.",
      group: .loading, commands: [.run, .inspect]),
    OptionSpec(
      name: "max-pixels", value: .pixels(1...100_000_000_000), placeholder: "N[M]", standard: "200M",
      help: "Refuse larger photos, by their header. M means million.", group: .loading, commands: [.run, .inspect]),
    OptionSpec(
      name: "max-memory", value: .memory((1 << 20)...(1 << 40)), placeholder: "N[M]", standard: "256M",
      help: "Refuse photos that need more memory while they are decoded. M means MiB.", group: .loading,
      commands: [.run, .inspect]),
    OptionSpec(
      name: "timeout", value: .seconds(0...86_400), placeholder: "SECONDS", standard: "20",
      help: "Give a photo up after this long.", group: .loading, commands: [.run, .inspect]),
  ]

  private static let endings = [
    OptionSpec(
      name: "on-error", value: .choice(["continue", "stop"]), placeholder: "POLICY", standard: "continue",
      help: "stop: the first photo that is not verified ends the run, or its album, with code 1.", group: .endings,
      commands: [.run]),
    OptionSpec(
      name: "max-errors", value: .share, placeholder: "N|N%",
      help: "End the run when more photos than this are not verified.", group: .endings, commands: [.run]),
    OptionSpec(
      name: "lock", value: .lock, placeholder: "HOW", standard: "fail",
      help: "While another run has DIR: fail ends with code 75, skip with 0, wait[=SECONDS] waits.",
      group: .endings, commands: [.run]),
    OptionSpec(
      name: "accept-missing", help: "Go on though most known photos are gone, or none is asked for.", group: .endings,
      commands: [.run]),
  ]

  private static let talk = [
    OptionSpec(
      name: "json", help: "Events and summary as JSON lines on stdout.", group: .talk,
      commands: [.run, .verify, .inspect, .publish]),
    OptionSpec(
      name: "quiet", short: UInt8(ascii: "q"), help: "Say nothing but errors and photos that are not verified.",
      group: .talk, commands: [.run, .verify, .export, .publish], cancels: ["verbose"]),
    OptionSpec(
      name: "verbose", short: UInt8(ascii: "v"), help: "Say a line for every photo.", group: .talk,
      commands: [.run], cancels: ["quiet"]),
    OptionSpec(
      name: "progress", value: .choice(["auto", "always", "never"]), placeholder: "WHEN", standard: "auto",
      help: "Show progress on stderr; auto means on a terminal.", group: .talk,
      commands: [.run, .verify, .publish]),
    OptionSpec(
      name: "color", value: .choice(["auto", "always", "never"]), placeholder: "WHEN", standard: "auto",
      help: "Use colours; auto means on a terminal, unless NO_COLOR is set.", group: .talk,
      commands: [.run, .verify, .inspect, .publish]),
    OptionSpec(
      name: "log-file", value: .path, placeholder: "FILE",
      help: "Append every message and verdict to FILE; not with --dry-run.",
      group: .talk, commands: [.run]),
    OptionSpec(
      name: "cron",
      help:
        "For unattended runs: no progress, --lock=skip, and silence on stderr unless the run failed or other photos "
        + "than last time are not verified.",
      group: .talk, commands: [.run]),
  ]

  private static let general = [
    OptionSpec(
      name: "config", value: .path, placeholder: "FILE",
      help: "Read settings from a JSON file; \"photo-ingest help config\" says how.", group: .general,
      commands: [.run]),
    OptionSpec(
      name: "config", value: .path, placeholder: "FILE",
      help: "Where to publish to: the key \"publish\" of a JSON file. Required.", group: .general,
      commands: [.publish], isSetting: false),
    OptionSpec(
      name: "format", value: .choice(HelpFormat.allCases.map(\.rawValue)), placeholder: "F", standard: "text",
      help: "man makes a manual page of all of it; markdown, with the topic config, the list of all settings.",
      group: .general, commands: [.help], isSetting: false),
    OptionSpec(
      name: "help", short: UInt8(ascii: "h"), help: "Show help; wins over everything else.", group: .general,
      commands: Set(CommandWord.allCases), isSetting: false),
    OptionSpec(
      name: "version", help: "Show the version.", group: .general, commands: Set(CommandWord.allCases),
      isSetting: false),
  ]
}
