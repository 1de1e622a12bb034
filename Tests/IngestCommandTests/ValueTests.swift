import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct ValueTests {
  @Test func `nothing but the folders gives the defaults of the interface`() throws {
    let request = try Stage().request("photos", "-o", "out")
    let configuration = request.configuration
    #expect(configuration.source == Array("photos".utf8))
    #expect(configuration.output == Array("out".utf8))
    #expect(configuration.thumbnailSizes == [256])
    #expect(configuration.manifests == [.json])
    #expect(configuration.order == .name)
    #expect(configuration.jobs == 3)
    #expect(configuration.decoding == .scaled)
    #expect(configuration.errorPolicy == .continue)
    #expect(configuration.listedPaths == nil)
    #expect(!configuration.includesHidden)
    #expect(configuration.unsupported == .report)
    #expect(configuration.limits.maxPixels == 200_000_000)
    #expect(configuration.limits.maxMemory == 256 * 1_048_576)
    #expect(configuration.limits.timeout == .seconds(20))
    #expect(!request.isDryRun && !request.talk.isJSON && request.talk.logFile == nil)
  }

  @Test func `every option reaches the configuration`() throws {
    let request = try Stage(files: ["list": Array("b.jpg\na.jpg\n".utf8)]).request(
      "photos", "-o", "out", "--thumbnail", "1024", "--thumbnail=256", "--thumbnail", "1024", "--manifest=json,csv",
      "--order", "list", "--files-from", "list", "-j64", "--decode=full", "--on-error", "stop", "--hidden",
      "--unsupported", "skip", "--max-pixels", "50M", "--max-memory=1048576", "--timeout", "1.25", "--include", "*.jpg",
      "--exclude", "x/**", "-nv0", "--json", "--workers", "in-process", "--log-file", "log", "--progress", "never",
      "--color=always", "--network", "--allow-http", "--max-fetch", "3M", "--fetch-cache=0", "--fetch-timeout", "2.5")
    let configuration = request.configuration
    #expect(configuration.thumbnailSizes == [1024, 256])
    #expect(configuration.manifests == [.json, .csv])
    #expect(configuration.order == .list)
    #expect(configuration.jobs == 64)
    #expect(configuration.decoding == .full)
    #expect(configuration.errorPolicy == .stop)
    #expect(configuration.includesHidden)
    #expect(configuration.unsupported == .skip)
    #expect(configuration.limits.maxPixels == 50_000_000)
    #expect(configuration.limits.maxMemory == 1_048_576)
    #expect(configuration.limits.timeout == .milliseconds(1250))
    #expect(configuration.filter.include.map(\.pattern) == [Array("*.jpg".utf8)])
    #expect(configuration.filter.exclude.map(\.pattern) == [Array("x/**".utf8)])
    #expect(request.isDryRun && request.isNullSeparated && request.talk.isJSON)
    #expect(request.talk.volume == .verbose && request.talk.progress == .never && request.talk.color == .always)
    #expect(request.talk.logFile == Array("log".utf8))
    #expect(configuration.allowsNetwork)
    var fetching = FetchLimits()
    fetching.maxBytes = 3 << 20
    fetching.cacheBytes = 0
    fetching.total = .milliseconds(2500)
    fetching.stall = .milliseconds(2500)
    fetching.allowsHTTP = true
    #expect(configuration.fetchLimits == fetching)
  }

  @Test(arguments: [
    (["--jobs", "0"], "--jobs: \"0\" is out of range: 1 through 64"),
    (["--jobs", "65"], "--jobs: \"65\" is out of range: 1 through 64"),
    (["--jobs", "99999999999999999999"], "--jobs: \"99999999999999999999\" is out of range: 1 through 64"),
    (["--jobs", "3x"], "--jobs: \"3x\" is not a whole number, 1 through 64"),
    (["--jobs="], "--jobs: \"\" is not a whole number, 1 through 64"),
    (["--jobs", "-1"], "--jobs: \"-1\" is not a whole number, 1 through 64"),
    (["--thumbnail", "0"], "--thumbnail: \"0\" is out of range: 1 through 8192"),
    (["--thumbnail", "8193"], "--thumbnail: \"8193\" is out of range: 1 through 8192"),
    (["--max-pixels", "0"], "--max-pixels: \"0\" is out of range: 1 through 100000M"),
    (
      ["--max-pixels", "9223372036854775807M"],
      "--max-pixels: \"9223372036854775807M\" is out of range: 1 through 100000M"
    ),
    (["--max-pixels", "2G"], "--max-pixels: \"2G\" is not a whole number, with or without M"),
    (["--max-pixels", "M"], "--max-pixels: \"M\" is not a whole number, with or without M"),
    (["--max-memory", "1000"], "--max-memory: \"1000\" is out of range: 1M through 1048576M"),
    (["--timeout", "0"], "--timeout: \"0\" is out of range: more than 0 through 86400 seconds"),
    (["--timeout", "86400.1"], "--timeout: \"86400.1\" is out of range: more than 0 through 86400 seconds"),
    (
      ["--timeout", "99999999999999999999999"],
      "--timeout: \"99999999999999999999999\" is out of range: more than 0 through 86400 seconds"
    ),
    (["--timeout", "1e3"], "--timeout: \"1e3\" is not a number of seconds"),
    (["--timeout", "."], "--timeout: \".\" is not a number of seconds"),
    (["--max-errors", "101%"], "--max-errors: \"101%\" is out of range: 0% through 100%"),
    (["--max-errors", "x%"], "--max-errors: \"x%\" is neither a whole number nor a share like 5%"),
    (["--max-errors", "nan%"], "--max-errors: \"nan%\" is neither a whole number nor a share like 5%"),
    (["--order", "nme"], "--order: \"nme\" is none of name, captured, modified, size, list; did you mean \"name\"?"),
    (["--order", "list"], "--order: \"list\" needs --files-from"),
    (
      ["--manifest", "json,cvs"],
      "--manifest: \"cvs\" is none of json, csv, sha256, bagit, prometheus; did you mean \"csv\"?"
    ),
    (["--manifest", "json,"], "--manifest: \"\" is none of json, csv, sha256, bagit, prometheus"),
    (["--include", "[a"], "--include: \"[a\" is no pattern: \(GlobError.setNotClosed)"),
    (["--log-file="], "--log-file: \"\" is no name"),
    (["--max-fetch", "0"], "--max-fetch: \"0\" is out of range: 1 through 1048576M"),
    (["--lock", "wait5"], "--lock: \"wait5\" is none of fail, skip, wait, wait=SECONDS; did you mean \"wait\"?"),
    (["--lock="], "--lock: \"\" is none of fail, skip, wait, wait=SECONDS"),
    (["--lock=wait="], "--lock: \"wait=\" does not wait for a number of seconds"),
    (["--lock=wait=-1"], "--lock: \"wait=-1\" does not wait for a number of seconds"),
    (["--lock=wait=2592001"], "--lock: \"wait=2592001\" is out of range: 0 through 2592000 seconds"),
    (
      ["--workers", "in-process", "--require-sandbox"],
      "--workers: \"in-process\" has no sandbox, and --require-sandbox asks for one"
    ),
    (
      ["--manifest", "json,bag"],
      "--manifest: \"bag\" is none of json, csv, sha256, bagit, prometheus; did you mean \"bagit\"?"
    ),
    (["--prune"], "--prune: needs --originals copy or symlink"),
    (["--fetch-timeout", "0"], "--fetch-timeout: \"0\" is out of range: more than 0 through 86400 seconds"),
    (["--files-from", "none"], "--files-from: none: cannot be opened: No such file or directory"),
    (["--config", "none"], "--config: none: cannot be opened: No such file or directory"),
  ])
  func `values are refused with what is wanted`(words: [String], sentence: String) {
    #expect(Stage().refusal(["run", "photos", "-o", "out"] + words) == sentence)
  }

  @Test(arguments: [
    (["run", "-o", "out"], "FOLDER: missing; run needs it"),
    (["run", "photos"], "--output DIR: missing; run needs it"),
    (["run", "", "-o", "out"], "FOLDER: a name cannot be empty"),
    (["run", "photos", "-o", ""], "--output: \"\" is no name"),
    (
      ["run", "photos", "-o", "./photos//"],
      "--output: \"photos\" is the source folder itself; results go to a folder of their own"
    ),
    (["run", ".", "-o", "."], "--output: \".\" is the source folder itself; results go to a folder of their own"),
    (["run", "/", "-o", "//."], "--output: \"/\" is the source folder itself; results go to a folder of their own"),
  ])
  func `folders are checked`(words: [String], sentence: String) {
    #expect(Stage().refusal(words) == sentence)
  }

  @Test(arguments: [(["/photos"], "photos"), (["photos"], "photos/results"), (["photos"], "Photos")])
  func `another folder is accepted`(folders: [String], output: String) {
    #expect(Stage().refusal(["run"] + folders + ["-o", output]) == nil)
  }

  @Test func `of a repeated single option the last one wins`() throws {
    let request = try Stage().request("a", "-o", "x", "-j", "1", "-j", "2", "-o", "y", "-q", "-v")
    #expect(request.configuration.jobs == 2)
    #expect(request.configuration.output == Array("y".utf8))
    #expect(request.talk.volume == .verbose)
  }

  @Test(arguments: [
    (["--no-thumbnails"], []), (["--thumbnail", "64", "--no-thumbnails"], []),
    (["--no-thumbnails", "--thumbnail", "64"], [64]),
  ])
  func `no thumbnails and a size take each other back`(words: [String], sizes: [Int]) throws {
    let stage = Stage().surroundings((["run", "a", "-o", "b"] + words).map { Array($0.utf8) })
    let low = try ArgumentParser(isFolder: { _ in false }).parse(stage.arguments)
    #expect(try RunRequestReader(surroundings: stage).read(low).configuration.thumbnailSizes == sizes)
  }

  @Test func `an error budget is a number or a share`() throws {
    #expect(try Stage().request("a", "-o", "b", "--max-errors", "5").configuration.errorPolicy == .atMost(5))
    #expect(
      try Stage().request("a", "-o", "b", "--max-errors", "2.5%").configuration.errorPolicy == .atMostPercent(2.5))
    let both = try Stage().request("a", "-o", "b", "--max-errors", "5", "--on-error", "stop")
    #expect(both.configuration.errorPolicy == .stop)
  }
}
