import Ingest
import IngestCore
import IngestTestSupport
import Testing

@testable import IngestCommand

/// Gives several folders to one run, and reads what is said of each.
@Suite(.timeLimit(.minutes(1))) struct AlbumsCommandTests {
  private static let missing = RunError.sourceUnusable(.missing(Array("b".utf8)))

  /// Two albums, the first as the summary says, the second as the outcome says.
  private static func stage(
    _ first: RunSummary = .sample(), second: Result<RunSummary, RunError> = .success(.sample())
  ) -> Stage {
    Stage(
      engine: ScriptedEngine(albums: { configuration, report throws(RunError) in
        let albums = configuration.sampleAlbums
        report(.run(.scanned(count: 4), of: albums[0]))
        report(.run(.asset(line: Array("{\"index\":0,\"record\":\"asset\"}\n".utf8), row: .good), of: albums[0]))
        report(.run(.message(.warning, "a word"), of: albums[1]))
        let results = [
          AlbumResult.sample(albums[0], first),
          (try? second.get()).map { .sample(albums[1], $0) } ?? .failed(albums[1], missing),
        ]
        for result in results { report(.ended(result)) }
        return AlbumsSummary(results: results, elapsed: .milliseconds(2500))
      }))
  }

  @Test func `several folders are albums that share what is asked for`() throws {
    let request = try Stage().request("run", "a", "b", "-o", "out", "--albums-at-once", "2", "-j", "5")
    let albums = try #require(request.albums)
    #expect(albums.folders == [Array("a".utf8), Array("b".utf8)] && albums.atOnce == 2)
    #expect(albums.common.jobs == 5 && albums.directory == Array("out".utf8))
    #expect(try Stage().request("run", "a", "b", "-o", "out").albums?.atOnce == 3)
    #expect(try Stage().request("run", "a", "-o", "out", "--albums-at-once", "2").albums == nil)
    var stage = Stage(environment: ["PHOTO_INGEST_ALBUMS_AT_ONCE": "7"])
    #expect(try stage.request("run", "a", "b", "-o", "out").albums?.atOnce == 7)
    stage.environment = [:]
    stage.files["c.json"] = Array(#"{"folders":["x","y"],"output":"out","albums-at-once":1}"#.utf8)
    #expect(try stage.request("run", "--config", "c.json").albums?.atOnce == 1)
  }

  @Test(arguments: [
    (["--albums-at-once", "0"], "--albums-at-once: \"0\" is out of range: 1 through 64"),
    (["--files-from", "list"], "--files-from: \"list\" lists names in one FOLDER, and 2 are given"),
    (["out/"], "--output: \"out/\" is the source folder itself; results go to a folder of their own"),
    ([""], "FOLDER: a name cannot be empty"),
  ])
  func `what several folders cannot have is refused`(words: [String], sentence: String) {
    var stage = Stage()
    stage.files["list"] = Array("a.jpg\n".utf8)
    #expect(stage.refusal(["run", "a", "b", "-o", "out"] + words) == sentence)
  }

  @Test func `records name their album, each album has a record, and the last one is about all`() {
    let stage = Self.stage(.sample(problems: [.cut], leftOut: ["hidden": 1]), second: .failure(Self.missing))
    #expect(stage.run("run", "a", "b", "-o", "out", "--json") == .code(1))
    #expect(
      stage.output.text == #"""
        {"album":"a","count":4,"record":"scan"}
        {"album":"a","index":0,"record":"asset"}
        {"album":"b","level":"warning","record":"message","text":"a word"}
        {"album":"a","counts":{"assets":4,"damaged":1,"failed":0,"verified":3},"errors":[{"code":"truncated","index":1,"message":"the file ends before the image does: Premature end of JPEG file","path":"holiday/IMG_7.jpg"}],"exit_code":3,"left_out":{"hidden":1},"record":"album","seconds":1.5,"succeeded":false,"totals":{"assets":4,"damaged":1,"failed":0,"verified":3},"unreadable_folders":0}
        {"album":"b","level":"error","record":"message","text":"source folder b: cannot be opened: No such file or directory"}
        {"album":"b","counts":{"assets":0,"damaged":0,"failed":0,"verified":0},"errors":[{"code":"source-unusable","message":"it is not there"}],"exit_code":1,"record":"album","succeeded":false}
        {"albums":{"failed":2,"succeeded":0},"exit_code":1,"left_out":{"hidden":1},"record":"summary","seconds":2.5,"succeeded":false,"totals":{"assets":4,"damaged":1,"failed":0,"verified":3},"unreadable_folders":0}

        """#)
    #expect(stage.errors.lines.last == "b: error: source folder b: cannot be opened: No such file or directory")
  }

  @Test func `a name that is no text comes with its bytes`() {
    let stream = Recorder()
    let album = Album(name: RelativePath([0xFF]), source: [0xFF], below: Array("out".utf8))
    let printer = JSONPrinter(output: stream)
    printer.hear(.scanned(count: 1), of: album)
    printer.hear(.asset(line: Array("{\"index\":0}\n".utf8), row: .good), of: album)
    #expect(
      stream.lines == [
        #"{"album":"�","album_b64":"/w==","count":1,"record":"scan"}"#, #"{"album":"�","album_b64":"/w==","index":0}"#,
      ])
  }

  @Test func `people read each album under its name, and then how many succeeded`() {
    let stage = Self.stage(.sample(problems: [.cut]))
    #expect(stage.run("run", "a", "b", "-o", "out") == .code(3))
    #expect(
      stage.errors.text == """
        warning: b: a word
        a:
          4 photos: 3 verified, 1 damaged
          damaged:
            holiday/IMG_7.jpg: the file ends before the image does: Premature end of JPEG file
          results: out/a (manifest.jsonl, manifest.json, thumbnails/)
          1.5 s, 2.7 photos/s, 3.0 MB read (2.0 MB/s)
        b:
          3 photos, all verified
          results: out/b (manifest.jsonl, manifest.json, thumbnails/)
          1.5 s, 2.0 photos/s, 3.0 MB read (2.0 MB/s)
        2 albums: 1 succeeded, 1 failed (a)
        2.5 s

        """)
    let quiet = Self.stage(.sample(problems: [.cut]), second: .failure(Self.missing))
    #expect(quiet.run("run", "a", "b", "-o", "out", "-q") == .code(1))
    #expect(
      quiet.errors.lines == [
        "a: damaged holiday/IMG_7.jpg: the file ends before the image does: Premature end of JPEG file",
        "b: error: source folder b: cannot be opened: No such file or directory",
      ])
    let good = Self.stage()
    #expect(good.run("run", "a", "b", "-o", "out") == .code(0))
    #expect(good.errors.lines.suffix(2) == ["2 albums, all succeeded", "2.5 s"])
  }

  @Test(arguments: [(false, false, ""), (true, false, "a:"), (false, true, "a:")])
  func `at night there is silence unless an album failed or one's set of bad photos changed`(
    changed: Bool, fails: Bool, first: String
  ) {
    var summary = RunSummary.sample(problems: [.cut])
    summary.problemsChanged = changed
    var second = RunSummary.sample()
    second.problemsChanged = false
    let stage = Self.stage(summary, second: fails ? .failure(Self.missing) : .success(second))
    #expect(stage.run("run", "a", "b", "-o", "out", "--cron") == .code(fails ? 1 : 3))
    #expect((stage.errors.lines.first { !$0.hasPrefix("warning") } ?? "") == first)
  }

  @Test func `the log says of each line which album it is about`() {
    let stage = Self.stage(.sample(problems: [.cut]))
    #expect(stage.run("run", "a", "b", "-o", "out", "-q", "--log-file", "log") == .code(3))
    #expect(stage.log.lines.first?.hasSuffix("run of a, b to out") == true)
    #expect(stage.log.text.contains("] a: 4 photos found\n") && stage.log.text.contains("] b: warning: a word\n"))
    #expect(stage.log.lines.contains { $0.hasSuffix("] 2 albums: 1 succeeded, 1 failed (a)") })
  }

  @Test func `the worst code of any album is that of the run: 1, then 4, 5, 3`() {
    #expect(ExitCode.worst([.good, .notVerified, .incomplete]) == .incomplete)
    #expect(ExitCode.worst([.notVerified, .differs, .unpublished]) == .differs)
    #expect(ExitCode.worst([.notVerified, .unpublished]) == .unpublished)
    #expect(ExitCode.worst([.good, .notVerified]) == .notVerified)
    #expect(ExitCode.worst([]) == .good)
  }

  @Test func `a lock on one album is that album's failure, one on all is the run's`() {
    let locked = RunError.locked(output: Array("out/b".utf8), by: nil, waited: nil)
    let engine = ScriptedEngine(albums: { configuration, _ throws(RunError) in
      AlbumsSummary(
        results: [.sample(configuration.sampleAlbums[0]), .failed(configuration.sampleAlbums[1], locked)],
        elapsed: .zero)
    })
    #expect(Stage(engine: engine).run("run", "a", "b", "-o", "out") == .code(1))
    let all = ScriptedEngine(albums: { _, _ throws(RunError) in throw locked })
    #expect(Stage(engine: all).run("run", "a", "b", "-o", "out") == .code(75))
    #expect(Stage(engine: all).run("run", "a", "b", "-o", "out", "--cron") == .code(0))
  }

  @Test func `a service hears of one begin and one end`() {
    let pings = Guarded<[Ping]>([])
    let stage = Stage(
      engine: ScriptedEngine(albums: { configuration, report throws(RunError) in
        for album in configuration.sampleAlbums { report(.run(.scanned(count: 1), of: album)) }
        return AlbumsSummary(results: configuration.sampleAlbums.map { .sample($0) }, elapsed: .seconds(1))
      }), files: ["c.json": Array(#"{"folders":["a","b"],"output":"out","ping":{"url":"https://x/y"}}"#.utf8)])
    var surroundings = stage.surroundings(["run", "--config", "c.json"].map { Array($0.utf8) })
    surroundings.ping = { ping in
      pings.withLock { $0.append(ping) }
      return nil
    }
    #expect(Command.run(surroundings) == .code(0))
    let told = pings.withLock { $0 }
    #expect(told.map(\.moment) == [.start, .end(code: 0)])
    #expect(told.last?.note.hasPrefix("6 photos: 6 verified") == true)
  }

  @Test func `a dry run lists every photo below its album`() {
    let stage = Stage(engine: ScriptedEngine(candidates: [RelativePath("1.jpg"), RelativePath("x/2.jpg")]))
    #expect(stage.run("run", "a", "b", "-o", "out", "-n") == .code(0))
    #expect(stage.output.lines == ["a/1.jpg", "a/x/2.jpg", "b/1.jpg", "b/x/2.jpg"])
    #expect(stage.errors.lines == ["4 candidates in 2 albums; nothing was read or written", "left out: 4 hidden"])
    let json = Stage(engine: ScriptedEngine(candidates: [RelativePath("1.jpg")]))
    #expect(json.run("run", "a", "b", "-o", "out", "-n", "--json") == .code(0))
    #expect(json.output.lines.first == #"{"album":"a","path":"1.jpg","record":"candidate"}"#)
  }

  @Test func `progress is that of all albums together`() {
    let (stream, clock) = (Recorder(), ScriptedClock())
    let printer = ProgressPrinter(console: Console(stream), form: .lines, clock: { clock.now })
    let albums = ["a", "b"].map { Album(name: RelativePath($0), source: Array($0.utf8), below: Array("out".utf8)) }
    printer.hear(.scanned(count: 4), of: albums[0])
    for (number, album) in [(1, albums[0]), (1, albums[1]), (2, albums[1])] {
      clock.advance(.seconds(2))
      printer.hear(
        .progressed(finished: number, of: 4, path: RelativePath("x.jpg"), status: .verified), of: album)
    }
    #expect(stream.lines.last?.hasPrefix("3/8 photos") == true, "\(stream.text)")
  }
}
