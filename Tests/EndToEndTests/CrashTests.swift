import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

/// Kills runs with -9 and looks at what they leave; `./dev torture-kill` and `torture-faults` do it at every file call.
@Suite(.timeLimit(.minutes(3)), .serialized, .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct CrashTests {
  private static let options = ["--manifest", "json,csv,sha256", "-j", "2"]

  /// A finished output of some photos, and then more of them.
  private func stage() async throws -> (stage: RunStage, old: FolderState) {
    let stage = try RunStage((0..<12).map { "\($0).jpg" })
    try await stage.run(Self.options, code: 0)
    let old = try FolderState.ofOutput(stage.output)
    for number in 12..<40 { try stage.photo("\(number).jpg", number) }
    return (stage, old)
  }

  @Test(arguments: ["processes", "in-process"])
  func `J9: after a kill -9 at any moment every file is whole, and the next run gives what it always gives`(
    workers: String
  ) async throws {
    let (stage, old) = try await stage()
    let undisturbed = try RunStage()
    let command = Command(BuiltProgram.path, ["run", stage.source, "--output", undisturbed.output] + Self.options)
    #expect(try await command.run().exitCode == 0)
    let new = try FolderState.ofOutput(undisturbed.output)
    let before = stage.folder["before"]
    try FileManager.default.copyItem(atPath: stage.output, toPath: before)

    var deaths = 0
    for moment in 0..<8 {
      let result = try await onOwnThread { () throws in
        let running = try stage.command(Self.options + ["--workers", workers]).start()
        // From the first steps to the middle of the work, whatever the machine's pace.
        let manyFiles = moment * 6
        _ = ProcessTable.waits(limit: 10) {
          Self.fileCount(below: stage.output) >= old.entries.count + manyFiles
            || !ProcessTable.isAlive(running.processID)
        }
        running.send(SIGKILL)
        return running.finish()
      }
      if result.end == .signalled(SIGKILL) { deaths += 1 }
      let left = try FolderState.ofOutput(stage.output)
      for (name, entry) in left.entries where entry.mode & S_IFMT == S_IFREG {
        let text = String(decoding: name, as: UTF8.self)
        #expect(
          entry.content == old.contents[name] || entry.content == new.contents[name], "\(text) after moment \(moment)")
      }
      #expect(left.entries[Array("manifest.jsonl".utf8)] != nil)
      try await stage.run(Self.options, code: 0)
      #expect(try FolderState.ofOutput(stage.output).contents == new.contents, "moment \(moment)")
      #expect(stage.litter() == [])
      // Once more from the beginning.
      try FileManager.default.removeItem(atPath: stage.output)
      try FileManager.default.copyItem(atPath: before, toPath: stage.output)
    }
    #expect(deaths > 0)
  }

  private static func fileCount(below folder: String) -> Int {
    FileManager.default.enumerator(atPath: folder)?.reduce(0) { count, _ in count + 1 } ?? 0
  }
}
