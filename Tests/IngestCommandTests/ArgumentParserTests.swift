import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct ArgumentParserTests {
  private func parse(_ words: [String]) throws -> LowArguments {
    try ArgumentParser(isFolder: { $0 == Array("exprt".utf8) }).parse(words.map { Array($0.utf8) })
  }

  private func shape(_ low: LowArguments) -> String {
    let options = low.occurrences.map { "\($0.option.name)=\(String(decoding: $0.value, as: UTF8.self))" }
    let operands = low.operands.map { String(decoding: $0, as: UTF8.self) }
    return ([low.command.rawValue] + options + ["|"] + operands).joined(separator: " ")
  }

  @Test(arguments: [
    ("run a -o b", "run output=b | a"),
    ("a --output b", "run output=b | a"),
    ("--output b a", "run output=b | a"),
    ("--output=b run a", "run output=b | a"),
    ("-o b run a", "run output=b | a"),
    ("-ob run a", "run output=b | a"),
    ("run -o=b a", "run output==b | a"),
    ("run --output= a", "run output= | a"),
    ("run --output=a=b", "run output=a=b |"),
    ("run a -nqj4 -o b", "run dry-run= quiet= jobs=4 output=b | a"),
    ("run a -nqj 4 -o b", "run dry-run= quiet= jobs=4 output=b | a"),
    ("-qj 4 run a", "run quiet= jobs=4 | a"),
    ("run -- -o b", "run | -o b"),
    ("-- run -o", "run | -o"),
    ("run a -- --json --", "run | a --json --"),
    ("run - -o b", "run output=b | -"),
    ("run --files-from - a", "run files-from=- | a"),
    ("run run", "run | run"),
    ("./run", "run | ./run"),
    ("exprt", "run | exprt"),
    ("export --format csv d -o f", "export format=csv output=f | d"),
    ("inspect --json a b", "inspect json= | a b"),
    ("run --thumbnail 1 --thumbnail 2 a", "run thumbnail=1 thumbnail=2 | a"),
    ("run --include -x a", "run include=-x | a"),
  ])
  func `words find their places`(line: String, expected: String) throws {
    #expect(shape(try parse(line.split(separator: " ").map(String.init))) == expected)
  }

  @Test(arguments: [
    ("run --jbos 4", "--jbos: no option of that name; did you mean \"--jobs\"?"),
    ("run --job=4", "--job: no option of that name; did you mean \"--jobs\"?"),
    ("run --zzzzzz", "--zzzzzz: no option of that name"),
    ("run -x", "-x: no option of that name"),
    ("run -nx", "-x: no option of that name"),
    ("run --json=yes", "--json: takes no value"),
    ("run a --output", "--output: the value DIR is missing"),
    ("run a -o", "-o: the value DIR is missing"),
    ("run a -o --json", "-o: the value DIR is missing"),
    ("run --output --json", "--output: the value DIR is missing (write --output=--json if \"--json\" is meant)"),
    ("export --json d", "--json: not an option of export"),
    ("-qj 4 inspect a", "-q: not an option of inspect"),
    ("inspect --thumbnail 4 d", "--thumbnail: not an option of inspect"),
    ("rn photos -o out", "\"rn\": no command and no folder of that name; did you mean \"run\"?"),
    ("exprot --format csv d", "\"exprot\": no command and no folder of that name; did you mean \"export\"?"),
    ("--jobs 4 insepct a", "\"insepct\": no command and no folder of that name; did you mean \"inspect\"?"),
    ("verify --thumbnail 4 d", "--thumbnail: not an option of verify"),
    ("publish --frob d", "--frob: no option of that name"),
  ])
  func `mistakes are named`(line: String, sentence: String) {
    let error = #expect(throws: UsageError.self) { try parse(line.split(separator: " ").map(String.init)) }
    #expect(error?.sentence == sentence)
  }

  @Test(arguments: [
    "-h", "--help", "run -h", "run --zzz --help", "--output --help", "verify -h", "rn --help", "run a -o b -nh",
  ])
  func `help wins wherever it stands`(line: String) throws {
    #expect(try parse(line.split(separator: " ").map(String.init)).wantsHelp)
  }

  @Test func `behind two dashes help is a name`() throws {
    let low = try parse(["run", "--", "--help"])
    #expect(!low.wantsHelp)
    #expect(low.operands == [Array("--help".utf8)])
  }

  @Test func `bytes that are not UTF-8 arrive untouched`() throws {
    let low = try ArgumentParser(isFolder: { _ in false }).parse([[0xFF, 0x2F], [0x2D, 0x6F], [0xC3]])
    #expect(low.operands == [[0xFF, 0x2F]])
    #expect(low.occurrences.map(\.value) == [[0xC3]])
  }

  @Test func `an option of hostile bytes is refused without them`() {
    let error = #expect(throws: UsageError.self) {
      try ArgumentParser(isFolder: { _ in false }).parse([Array("run".utf8), Array("--\u{1B}[2Jx\n".utf8)])
    }
    #expect(error?.sentence == "--\\x1b[2Jx\\n: no option of that name")
  }
}
