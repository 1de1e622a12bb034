import Foundation
import IngestCore
import IngestTestSupport

/// Holds an output, a configuration and the program that publishes it.
struct PublishStage: Sendable {
  let folder: TemporaryFolder
  let output: String
  var environment = Command.plainEnvironment

  init(_ made: MadeOutput, output: String? = nil) {
    folder = made.folder
    self.output = output ?? made.path
  }

  /// Writes the configuration; the texts are members of the three objects.
  func configure(
    _ server: String, upload: String = "", post: String? = "", token: String? = nil, concurrency: Int = 8
  ) throws {
    var sections = [
      #""upload": {"kind": "http", "url": "\#(server)/dav/{key}", "concurrency": \#(concurrency)\#(upload)}"#
    ]
    if let post {
      sections.append(
        #""post": {"url": "\#(server)/list", "body": {"system": "linux", "content": "{content}", "uid": "7"}\#(post)}"#)
    }
    if let token { sections.append(#""token": {\#(token)}"#) }
    let text = "{ // where to\n \"publish\": {\(sections.joined(separator: ",\n"))} }"
    try folder.file("config.json", Array(text.utf8))
  }

  func command(_ options: [String] = [], timeLimit: Double = 120) -> Command {
    Command(
      BuiltProgram.path, ["publish", "--allow-http", "--config", folder["config.json"]] + options + [output],
      environment: environment, timeLimit: timeLimit)
  }

  func publish(_ options: String...) async throws -> CommandResult {
    let command = command(options)
    return try await onOwnThread { try command.runBlocking() }
  }

  /// The lines of `published.jsonl`.
  func receipts() throws -> [JSONValue] {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: output + "/published.jsonl")))
    return try bytes.split(separator: 10).map { try JSONReader().read(Array($0)) }
  }

  /// The statuses of the photos, in order.
  func statuses() throws -> [String] { try receipts().dropLast().map { $0["status"]?.stringValue ?? "" } }
}

extension FaultServer {
  /// The lists that were posted.
  var lists: [JSONValue] {
    requests.filter { $0.method == "POST" && $0.path == "/list" }.compactMap { try? JSONReader().read($0.body) }
  }

  /// The one way in which everything can be right: every key stored once.
  var storesAreSingle: Bool { stored.stores.values.allSatisfy { $0 == 1 } }
}
