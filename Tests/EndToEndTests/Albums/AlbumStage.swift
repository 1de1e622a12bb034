import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Holds several folders of photos and one place for results, for runs of the built program.
struct AlbumStage: Sendable {
  let folder: TemporaryFolder
  /// As they are given, absolute.
  let folders: [String]

  var output: String { folder["out"] }

  /// - Parameter albums: a folder for each list of photos: its path, and how many small photos it gets.
  init(_ albums: [(String, Int)]) throws {
    folder = try TemporaryFolder()
    folders = albums.map { [folder] in folder[$0.0] }
    for (name, count) in albums {
      try FileManager.default.createDirectory(atPath: folder[name], withIntermediateDirectories: true)
      for number in 0..<count {
        try folder.file("\(name)/\(number).jpg", Pictures.small[number % Pictures.small.count])
      }
    }
  }

  func command(_ options: [String] = [], folders: [String]? = nil, timeLimit: Double = 50) -> Command {
    Command(BuiltProgram.path, ["run"] + (folders ?? self.folders) + ["-o", output] + options, timeLimit: timeLimit)
  }

  @discardableResult
  func run(
    _ options: [String] = [], folders: [String]? = nil, code: Int32, sourceLocation: SourceLocation = #_sourceLocation
  )
    async throws -> CommandResult
  {
    let result = try await command(options, folders: folders).run()
    #expect(result.end == .exited(code), "\(result)", sourceLocation: sourceLocation)
    return result
  }

  func program(_ words: String...) async throws -> CommandResult {
    try await Command(BuiltProgram.path, words).run()
  }

  /// The entries of `albums.json`, in order.
  func list() throws -> [Facts] {
    let value = try JSONReader().read(try folder.bytes(of: "out/albums.json"))
    return try #require(value["albums"]?.arrayValue).map { Facts(value: $0) }
  }

  func rows(_ album: String) throws -> [Facts] { try Facts.rows(of: "\(output)/\(album)") }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder[name]) }

  /// Everything but what may change in a run that changes nothing.
  func results() throws -> [[UInt8]: FolderState.Entry] {
    try FolderState(of: output).entries.filter { path, _ in
      // The folders around a temporary file get a new time.
      !path.isEmpty && !String(decoding: path, as: UTF8.self).split(separator: "/").contains(".photo-ingest")
    }
  }
}
