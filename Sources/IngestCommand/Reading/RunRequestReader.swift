import Ingest
import IngestCore

/// Makes the rich request from the written one. The only place where options of `run` become facts.
struct RunRequestReader {
  let surroundings: Surroundings

  /// Bytes: far more than anyone writes by hand, and far less than `/dev/zero` holds.
  private static let longestConfig = 4 << 20
  private static let longestList = 256 << 20

  func read(_ low: LowArguments) throws(UsageError) -> RunRequest {
    let (settings, configured) = try settings(of: low)
    let folders = try folders(low, configured)
    guard let output = settings.last("output") else { throw .missingOption("--output DIR", command: .run) }
    let outputPath = try output.path()
    if let source = folders.all.first(where: { PathSpelling.isSame(outputPath, $0) }) {
      throw .outputIsSource(String(decoding: source, as: UTF8.self))
    }
    var request = RunRequest(configuration: RunConfiguration(source: folders.first, output: outputPath))
    try fill(&request.configuration, from: settings)
    request.isDryRun = settings.isOn("dry-run")
    request.isNullSeparated = settings.isOn("null")
    request.ping = configured?.ping
    request.talk = try Self.talk(from: settings)
    request.configuration.tellsEveryRow = request.talk.isJSON || request.talk.volume == .verbose
    request.skipsWhenLocked = request.talk.isCron
    if let lock = settings.last("lock") {
      (request.configuration.lockPatience, request.skipsWhenLocked) = try lock.lock()
    }
    request.albums = try albums(folders.all, request.configuration, settings)
    return request
  }

  /// Lays file, environment and command line over each other.
  private func settings(of low: LowArguments) throws(UsageError) -> (Settings, ConfigFile?) {
    let typed = low.occurrences.map {
      Settings.Given(option: $0.option, value: $0.value, origin: .commandLine)
    }
    let environment = try EnvironmentLayer.read(for: .run, surroundings.environment)
    var settings = Settings()
    var configured: ConfigFile?
    if let file = (environment + typed).last(where: { $0.option.name == "config" }) {
      let read = try ConfigFile(content(of: file, limit: Self.longestConfig), name: file.text)
      configured = read
      settings.lay(read.layer)
      try Settings.checkArrival(read.layer)
    }
    settings.lay(environment)
    settings.lay(typed)
    try Settings.checkArrival(environment)
    try Settings.checkArrival(typed)
    return (settings, configured)
  }

  /// What several folders ask for; nil when there is one.
  private func albums(
    _ folders: [[UInt8]], _ common: RunConfiguration, _ settings: Settings
  ) throws(UsageError) -> AlbumsConfiguration? {
    var atOnce = AlbumsConfiguration.usualAtOnce
    // Looked at in any case: a wrong value is wrong for one folder too.
    if let given = settings.last("albums-at-once") { atOnce = try given.count() }
    guard folders.count > 1 else { return nil }
    if let list = settings.last("files-from") {
      throw list.refused("lists names in one FOLDER, and \(folders.count) are given")
    }
    var albums = AlbumsConfiguration(folders: folders, common: common)
    albums.atOnce = atOnce
    return albums
  }

  /// Every FOLDER, of which there is at least one.
  private func folders(
    _ low: LowArguments, _ configured: ConfigFile?
  ) throws(UsageError) -> (first: [UInt8], all: [[UInt8]]) {
    var folders = low.operands
    var origin = Origin.commandLine
    if folders.isEmpty, let listed = configured?.folders { (folders, origin) = listed }
    guard let folder = folders.first else { throw .missingOperand("FOLDER", command: .run) }
    if folders.contains(where: \.isEmpty) {
      throw .badOperand(origin.prefix + "FOLDER", problem: "a name cannot be empty")
    }
    if folders.contains(where: { $0.contains(0) }) {
      throw .badOperand(origin.prefix + "FOLDER", problem: "a name cannot hold NUL")
    }
    return (folder, folders)
  }

  private func fill(_ configuration: inout RunConfiguration, from settings: Settings) throws(UsageError) {
    if settings.isOn("no-thumbnails") {
      configuration.thumbnailSizes = []
    } else if settings.isOn("thumbnail") {
      configuration.thumbnailSizes = []
      for given in settings.all("thumbnail") {
        let size = try given.count()
        if !configuration.thumbnailSizes.contains(size) { configuration.thumbnailSizes.append(size) }
      }
    }
    if let manifest = settings.last("manifest") {
      configuration.manifests = Set(try manifest.words().compactMap(ManifestFormat.init(rawValue:)))
    }
    try Self.originals(from: settings, into: &configuration)
    if let order = settings.last("order") { configuration.order = try order.choice(AssetOrder.self) }
    configuration.jobs = min(64, max(1, surroundings.processorCount))
    if let jobs = settings.last("jobs") { configuration.jobs = try jobs.count() }
    if let unsupported = settings.last("unsupported") {
      configuration.unsupported = try unsupported.choice(UnsupportedPolicy.self)
    }
    (configuration.workers, configuration.requiresSandbox) = try Self.workers(from: settings)
    if configuration.workers == .processes { configuration.workerProgram = DecodeWorker.thisProgram }
    configuration.readsEverything = settings.isOn("full")
    configuration.retriesFailed = settings.isOn("retry-failed")
    configuration.acceptsMissing = settings.isOn("accept-missing")
    // At night nobody looks whether somebody is still copying.
    if settings.isOn("cron") { configuration.minimumAge = .seconds(2) }
    if let age = settings.last("min-age") { configuration.minimumAge = try age.seconds(allowsZero: true) }
    configuration.includesHidden = settings.isOn("hidden")
    configuration.filter = AssetFilter(
      include: try Self.globs(settings.all("include")), exclude: try Self.globs(settings.all("exclude")))
    configuration.errorPolicy = try Self.errorPolicy(from: settings)
    (configuration.limits, configuration.decoding) = try Self.loading(from: settings)
    configuration.allowsNetwork = settings.isOn("network")
    configuration.fetchLimits = try Self.fetching(from: settings)
    if let list = settings.last("files-from") {
      let names = try names(list, isNullSeparated: settings.isOn("null"))
      configuration.listedPaths = names.paths
      configuration.remoteOriginals = names.remoteOriginals
    } else if configuration.order == .list, let order = settings.last("order") {
      throw order.refused("needs --files-from")
    }
  }

  /// What becomes of the originals. Pruning and carrying mean nothing without them, and pruning would delete them all.
  private static func originals(
    from settings: Settings, into configuration: inout RunConfiguration
  ) throws(UsageError) {
    configuration.software = Version.line
    if let how = settings.last("originals"), try how.word() != "none" {
      configuration.originals = AssetRow.OriginalKind(rawValue: try how.word())
    }
    configuration.prunesOriginals = settings.isOn("prune")
    configuration.carriesSideFiles = settings.isOn("everything")
    for name in ["prune", "everything"] where configuration.originals == nil {
      if let given = settings.last(name) {
        throw .needs(given.origin, option: "--\(name)", "--originals copy or symlink")
      }
    }
  }

  /// The limits and the depth of one load, which `inspect` shares.
  static func loading(from settings: Settings) throws(UsageError) -> (LoadLimits, Decoding) {
    var limits = LoadLimits()
    if let pixels = settings.last("max-pixels") { limits.maxPixels = try pixels.size() }
    if let memory = settings.last("max-memory") { limits.maxMemory = try memory.size() }
    if let timeout = settings.last("timeout") { limits.timeout = try timeout.seconds(allowsZero: false) }
    guard let decode = settings.last("decode") else { return (limits, .scaled) }
    return (limits, try decode.choice(Decoding.self))
  }

  private static func fetching(from settings: Settings) throws(UsageError) -> FetchLimits {
    var limits = FetchLimits()
    if let bytes = settings.last("max-fetch") { limits.maxBytes = Int64(try bytes.size()) }
    if let bytes = settings.last("fetch-cache") { limits.cacheBytes = Int64(try bytes.size()) }
    if let total = settings.last("fetch-timeout") { limits.total = try total.seconds(allowsZero: false) }
    limits.stall = min(limits.stall, limits.total)
    limits.allowsHTTP = settings.isOn("allow-http")
    return limits
  }

  /// Where photos are decoded, which `inspect` shares.
  static func workers(from settings: Settings) throws(UsageError) -> (WorkerPlace, requiresSandbox: Bool) {
    let isRequired = settings.isOn("require-sandbox")
    guard let workers = settings.last("workers") else { return (.processes, isRequired) }
    let place = try workers.choice(WorkerPlace.self)
    if isRequired, place == .inProcess {
      throw workers.refused("has no sandbox, and --require-sandbox asks for one")
    }
    return (place, isRequired)
  }

  static func talk(from settings: Settings) throws(UsageError) -> RunRequest.Talk {
    var talk = RunRequest.Talk()
    if settings.isOn("quiet") { talk.volume = .quiet }
    if settings.isOn("verbose") { talk.volume = .verbose }
    if let progress = settings.last("progress") { talk.progress = try progress.choice(RunRequest.Talk.When.self) }
    if let color = settings.last("color") { talk.color = try color.choice(RunRequest.Talk.When.self) }
    talk.isJSON = settings.isOn("json")
    talk.isCron = settings.isOn("cron")
    if talk.isCron { talk.progress = .never }
    talk.logFile = try settings.last("log-file")?.path()
    return talk
  }

  /// `stop` is the stricter of the two, so it wins over a budget.
  private static func errorPolicy(from settings: Settings) throws(UsageError) -> ErrorPolicy {
    let policy = try settings.last("on-error")?.word()
    let budget = try settings.last("max-errors")?.share()
    if policy == "stop" { return .stop }
    switch budget {
    case .count(let number): return .atMost(number)
    case .percent(let share): return .atMostPercent(share)
    case nil: return .continue
    }
  }

  private static func globs(_ given: [Settings.Given]) throws(UsageError) -> [Glob] {
    var globs: [Glob] = []
    for item in given {
      do {
        globs.append(try Glob(item.value))
      } catch {
        throw item.refused("is no pattern: \(error)")
      }
    }
    return globs
  }

  /// The content of a file that an option names.
  private func content(of given: Settings.Given, limit: Int) throws(UsageError) -> [UInt8] {
    let path = try given.path()
    do {
      return try surroundings.readFile(path, limit)
    } catch {
      throw .unreadable(option: given.origin.subject(given.option.dashed), reason: "\(error)")
    }
  }

  private func names(_ list: Settings.Given, isNullSeparated: Bool) throws(UsageError) -> NameList {
    let bytes = try content(of: list, limit: Self.longestList)
    let name = list.value == [ASCII.dash] ? "standard input" : list.text
    return try NameList(in: bytes, isNullSeparated: isNullSeparated, list: name)
  }
}
