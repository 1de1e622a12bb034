import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Holds a folder of photos, `in`, and the place for results, `out`, for runs of the built program.
struct RunStage: Sendable {
  let folder: TemporaryFolder

  var source: String { folder["in"] }
  var output: String { folder["out"] }

  init() throws {
    folder = try TemporaryFolder([.folder("in", [])])
  }

  /// With small photos of these names, each another picture where there are enough of them.
  init(_ names: [String]) throws {
    try self.init()
    for (index, name) in names.enumerated() { try photo(name, index) }
  }

  /// With the sample photos of the project.
  static func ofSamples() throws -> RunStage {
    let stage = try RunStage()
    for name in Pictures.sampleNames { try stage.photo(name, try Pictures.sample(name)) }
    return stage
  }

  /// Puts the small photo of this number into the source folder.
  func photo(_ name: String, _ number: Int = 0) throws {
    try photo(Array(name.utf8), Pictures.small[number % Pictures.small.count])
  }

  func photo(_ name: [UInt8], _ bytes: [UInt8]) throws {
    try folder.file(named: Array("in/".utf8) + name, bytes)
  }

  func photo(_ name: String, _ bytes: [UInt8]) throws {
    try photo(Array(name.utf8), bytes)
  }

  /// The command line of a run over the source folder.
  func command(_ options: [String] = [], timeLimit: Double = 50) -> Command {
    Command(BuiltProgram.path, ["run", source, "--output", output] + options, timeLimit: timeLimit)
  }

  func run(_ options: String...) async throws -> CommandResult {
    try await command(options).run()
  }

  /// Runs and wants this exit code.
  @discardableResult
  func run(_ options: [String] = [], code: Int32, sourceLocation: SourceLocation = #_sourceLocation)
    async throws -> CommandResult
  {
    let result = try await command(options).run()
    #expect(result.end == .exited(code), "\(result)", sourceLocation: sourceLocation)
    return result
  }

  var manifest: [UInt8] {
    get throws { try folder.bytes(of: "out/manifest.jsonl") }
  }

  var isOutputMade: Bool {
    var status = stat()
    return unsafe lstat(output, &status) == 0
  }

  func rows() throws -> [Facts] { try Facts.rows(of: output) }

  func row(_ path: String) throws -> Facts {
    try #require(try rows().first { $0.path == path }, "\(path) has no row")
  }

  func paths() throws -> [String] { try rows().map(\.path) }

  /// The last line of the manifest.
  func end() throws -> Facts {
    try #require(try Facts.lines(of: output + "/manifest.jsonl").last)
  }

  /// Names of temporary files of the program, anywhere in the output folder.
  func litter() -> [String] {
    folder.listing().filter { $0.hasPrefix("out/") && $0.hasSuffix(".tmp") }
  }

  /// Sets the modification time of a photo.
  func setModified(_ name: String, seconds: Int, nanoseconds: Int = 0) throws {
    let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    try #require(unsafe utimensat(AT_FDCWD, "\(source)/\(name)", [time, time], AT_SYMLINK_NOFOLLOW) == 0)
  }

  /// Gives the folder and what is in it to everyone, for programs that run without rights.
  func openToAll() throws {
    try #require(try Command("/bin/chmod", ["-R", "a+rwx", folder.path]).runBlocking().exitCode == 0)
  }
}

extension Facts {
  /// The path by its bytes.
  var exactPath: [UInt8] { text("path_b64").flatMap { Base64.decode($0) } ?? Array(path.utf8) }
}

extension CommandResult {
  /// The records on stdout of a run with `--json`.
  func records() throws -> [Facts] { try Facts.lines(in: output) }
}

/// Runs a program without the rights of root, under which nothing is unreadable.
enum Unprivileged {
  private static let words: [String] =
    geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] : []

  /// Whether the built program can be run so here.
  static let isPossible: Bool = {
    let trial = command(Command(BuiltProgram.path, ["--version"]))
    return (try? trial.runBlocking().exitCode) == 0
  }()

  static func command(_ command: Command) -> Command {
    guard let first = words.first else { return command }
    var wrapped = command
    wrapped.program = first
    wrapped.arguments =
      words.dropFirst().map { Array($0.utf8) } + [Array(command.program.utf8)] + command.arguments
    return wrapped
  }
}

extension Command {
  /// The same command, begun by a shell that does `preparation` first and becomes the program then.
  func after(_ preparation: String) -> Command {
    var wrapped = self
    wrapped.program = "/bin/sh"
    wrapped.arguments =
      [Array("-c".utf8), Array("\(preparation)\nexec \"$@\"".utf8), Array("sh".utf8), Array(program.utf8)] + arguments
    return wrapped
  }
}
