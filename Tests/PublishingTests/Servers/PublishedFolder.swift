import Foundation
import IngestCore
import IngestTestSupport

/// Is a finished output of small photos, and publishes it by the built program.
struct PublishedFolder {
  private let folder: TemporaryFolder

  init(photos: Int) throws {
    folder = try TemporaryFolder([.folder("in", [])])
    for (number, kind) in TinyJPEG.allCases.prefix(photos).enumerated() {
      // Behind the picture, so that no two originals are the same; thumbnails of one picture are.
      try folder.file("in/\(number).jpg", kind.bytes + Array("\(number)".utf8))
    }
    let run = try Command(
      BuiltProgram.path, ["run", folder["in"], "--output", folder["out"], "--quiet", "--originals", "copy"]
    ).runBlocking()
    guard run.exitCode == 0 else { throw SpawnFailureText("\(run)") }
  }

  func publish(
    _ configuration: String, _ environment: [String: String], _ options: [String] = []
  ) throws -> CommandResult {
    let file = try folder.file("publish.json", Array(configuration.utf8))
    var command = Command(
      BuiltProgram.path, ["publish", "--config", file, "--allow-http"] + options + [folder["out"]], timeLimit: 100)
    command.environment.merge(environment) { $1 }
    return try command.runBlocking()
  }

  /// What `published.jsonl` says of each photo, in order.
  func statuses() throws -> [String] {
    let lines = try folder.bytes(of: "out/published.jsonl").split(separator: 0x0A)
    return try lines.map { try JSONReader().read(Array($0)) }.compactMap { value in
      value["record"]?.stringValue == "published" ? value["status"]?.stringValue : nil
    }
  }
}
