import Ingest
import IngestCore
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct PrecedenceTests {
  private func stage(_ config: String, _ environment: [String: String] = [:]) -> Stage {
    Stage(environment: environment, files: ["config.json": Array(config.utf8)])
  }

  @Test func `option beats environment beats file beats default`() throws {
    let config = #"{"jobs": 2, "order": "size", "timeout": 5, "folders": ["from-file"], "output": "out"}"#
    let stage = stage(config, ["PHOTO_INGEST_ORDER": "modified", "PHOTO_INGEST_TIMEOUT": "6"])
    let configuration = try stage.request("run", "--config", "config.json", "--timeout", "7").configuration
    #expect(configuration.jobs == 2)
    #expect(configuration.order == .modified)
    #expect(configuration.limits.timeout == .seconds(7))
    #expect(configuration.limits.maxPixels == 200_000_000)
    #expect(configuration.source == Array("from-file".utf8))
  }

  @Test func `a folder on the command line replaces those of the file`() throws {
    let stage = stage(#"{"folders": ["a", "b"], "output": "out"}"#)
    let one = try stage.request("run", "c", "--config=config.json")
    #expect(one.configuration.source == Array("c".utf8) && one.albums == nil)
    let both = try stage.request("run", "--config", "config.json")
    #expect(both.albums?.folders == [Array("a".utf8), Array("b".utf8)])
  }

  @Test func `a stronger list replaces the weaker one`() throws {
    let stage = stage(#"{"thumbnail": [64, 128], "output": "out"}"#, ["PHOTO_INGEST_INCLUDE": "*.jpg\n*.png"])
    let configuration = try stage.request("a", "--config", "config.json", "--thumbnail", "512").configuration
    #expect(configuration.thumbnailSizes == [512])
    #expect(configuration.filter.include.count == 2)
    #expect(try stage.request("a", "--config", "config.json").configuration.thumbnailSizes == [64, 128])
  }

  @Test func `a size on the command line takes back a switch of the file`() throws {
    let stage = stage(#"{"no-thumbnails": true, "verbose": true, "output": "out"}"#)
    let request = try stage.request("a", "--config", "config.json", "--thumbnail", "512", "-q")
    #expect(request.configuration.thumbnailSizes == [512])
    #expect(request.talk.volume == .quiet)
  }

  @Test func `the environment turns switches on and off`() throws {
    let stage = Stage(environment: [
      "PHOTO_INGEST_HIDDEN": "yes", "PHOTO_INGEST_JSON": "0", "PHOTO_INGEST_THUMBNAIL": "64,128",
      "PHOTO_INGEST_ORDER": "", "PHOTO_INGEST_OUTPUT": "out",
    ])
    let request = try stage.request("photos")
    #expect(request.configuration.includesHidden)
    #expect(!request.talk.isJSON)
    #expect(request.configuration.thumbnailSizes == [64, 128])
    #expect(request.configuration.order == .name)
  }

  @Test func `the environment can name the file`() throws {
    let stage = stage(#"{"jobs": 7}"#, ["PHOTO_INGEST_CONFIG": "config.json"])
    #expect(try stage.request("a", "-o", "b").configuration.jobs == 7)
  }

  @Test(arguments: [
    ("PHOTO_INGEST_JOBS", "99", "PHOTO_INGEST_JOBS: \"99\" is out of range: 1 through 64"),
    ("PHOTO_INGEST_HIDDEN", "maybe", "PHOTO_INGEST_HIDDEN: \"maybe\" is neither 1 nor 0"),
    (
      "PHOTO_INGEST_LOCK", "skp",
      "PHOTO_INGEST_LOCK: \"skp\" is none of fail, skip, wait, wait=SECONDS; did you mean \"skip\"?"
    ),
    (
      "PHOTO_INGEST_CONFIG", "none",
      "PHOTO_INGEST_CONFIG: none: cannot be opened: No such file or directory"
    ),
  ])
  func `a bad variable is named`(name: String, value: String, sentence: String) {
    #expect(Stage(environment: [name: value]).refusal(["run", "a", "-o", "b"]) == sentence)
  }

  @Test(arguments: [
    ("{\n  \"jobs\": 2,\n  \"jbos\": 3\n}", "config.json:3: \"jbos\": no key of that name; did you mean \"jobs\"?"),
    (
      "{\n  // sizes\n  \"max_pixels\": 3,\n}",
      "config.json:3: \"max_pixels\": no key of that name; did you mean \"max-pixels\"?"
    ),
    ("{\n\"folder\": []}", "config.json:2: \"folder\": no key of that name; did you mean \"folders\"?"),
    ("{\"zzzzzzz\": 1}", "config.json:1: \"zzzzzzz\": no key of that name"),
    ("{\n\n\"jobs\": 99}", "config.json:3: \"jobs\": \"99\" is out of range: 1 through 64"),
    ("{\n\"jobs\": true}", "config.json:2: \"jobs\": a number is wanted, not true or false"),
    ("{\n\"jobs\": [1]}", "config.json:2: \"jobs\": one value is wanted, not an array"),
    ("{\n\"hidden\": 1}", "config.json:2: \"hidden\": true or false is wanted, not a number"),
    ("{\n\"order\": 5}", "config.json:2: \"order\": a string is wanted, not a number"),
    ("{\n\"folders\": \"a\"}", "config.json:2: \"folders\": an array of strings is wanted, not a string"),
    ("{\n\"network\": 1}", "config.json:2: \"network\": true or false is wanted, not a number"),
    ("{\n\"config\": \"x\"}", "config.json:2: \"config\": a configuration file cannot name another one"),
    ("[]", "config.json:1: not JSON settings: an object is wanted, not an array"),
  ])
  func `a bad key is named with its line`(config: String, sentence: String) {
    #expect(stage(config).refusal(["run", "a", "-o", "b", "--config", "config.json"]) == sentence)
  }

  @Test func `a file that is no JSON is refused at its line`() throws {
    let sentence = try #require(
      stage("{\n \"jobs\": 2\n \"order\": 1}").refusal(["a", "-o", "b", "--config=config.json"]))
    #expect(sentence.hasPrefix("config.json:3: not JSON settings: column "))
  }

  @Test func `comments, trailing commas and the settings of publishing are accepted`() throws {
    let config = """
      { /* a wedding */ "output": "out", // here
        "manifest": ["json", "csv"], "max-pixels": "50M", "timeout": 2.5, "hidden": false,
        "publish": { "anything": [1, null] }, "max-errors": "5%",
      }
      """
    let configuration = try stage(config).request("a", "--config", "config.json").configuration
    #expect(configuration.manifests == [.json, .csv])
    #expect(configuration.limits.maxPixels == 50_000_000)
    #expect(configuration.limits.timeout == .milliseconds(2500))
    #expect(!configuration.includesHidden)
    #expect(configuration.errorPolicy == .atMostPercent(5))
  }
}
