import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Holds decoder processes against decoding in process: the same folder gives the same bytes.
@Suite(.timeLimit(.minutes(3)), .serialized, .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct WorkerSameBytesTests {
  private static let options = ["--manifest", "json,csv,sha256", "--thumbnail", "32", "--thumbnail", "256"]

  private func results(_ source: String, _ extra: [String]) async throws -> [[UInt8]: [UInt8]] {
    let folder = try TemporaryFolder()
    let command = Command(
      BuiltProgram.path, ["run", source, "-o", folder["out"]] + Self.options + extra, timeLimit: 100)
    let result = try await command.run()
    #expect(result.end == .exited(3) || result.end == .exited(0), "\(result)")
    return try FolderState.ofOutput(folder["out"]).contents
  }

  @Test func `samples give the same bytes in processes and in process, with 1, 2 and 8 jobs`() async throws {
    let wanted = try await results(Pictures.samples, ["--workers", "in-process", "-j", "1"])
    #expect(wanted.count > 20)
    for jobs in ["1", "2", "8"] {
      for place in ["processes", "in-process"] {
        let found = try await results(Pictures.samples, ["--workers", place, "-j", jobs])
        #expect(found == wanted, "\(place), \(jobs) jobs")
      }
    }
  }

  @Test(.enabled(if: SharedMaterial.isAvailable, "the shared fixtures are not beside the project"))
  func `damaged and hostile files give the same bytes in processes and in process`() async throws {
    let fixtures = try #require(SharedMaterial.fixtures)
    let wanted = try await results(fixtures, ["--workers", "in-process", "-j", "2", "--decode", "full"])
    let found = try await results(fixtures, ["-j", "2", "--decode", "full"])
    #expect(found == wanted)
  }

  @Test func `inspect says the same from a process and in process`() async throws {
    let photos = ["alps/IMG_0011.jpg", "harbour/badge.png", "pebbles.jpg"].map { "\(Pictures.samples)/\($0)" }
    let outputs = try await ["processes", "in-process"].asyncMap { place in
      let result = try await Command(BuiltProgram.path, ["inspect", "--json", "--workers", place] + photos).run()
      #expect(result.end == .exited(0), "\(result)")
      return result.outputText
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0].contains("\"record\":\"degraded\""))
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
