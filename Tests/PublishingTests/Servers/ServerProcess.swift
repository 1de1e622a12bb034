import Foundation
import Glibc
import IngestTestSupport

/// Is a server program of `scripts/servers`, from when it says that it is ready until this goes away.
final class ServerProcess: Sendable {
  let port: Int
  private let running: RunningCommand
  private let folder: TemporaryFolder

  /// - Parameter arguments: made from a port, behind which `ports - 1` more are free, and an empty folder.
  init(
    _ name: String, by interpreter: String? = nil, ports: Int = 1, limit: Double = 150,
    arguments: (Int, String) -> [String]
  ) throws {
    folder = try TemporaryFolder()
    port = try Self.freePort(ports)
    let program = Self.scripts + "/servers/" + name
    let all = (interpreter == nil ? [] : [program]) + arguments(port, folder.path)
    running = try Command(interpreter ?? program, all, timeLimit: 280).start()
    guard running.waitForText("ready", limit: limit) else {
      running.send(SIGTERM, toGroup: true)
      throw SpawnFailureText("\(running.finish())")
    }
  }

  deinit {
    running.send(SIGTERM)
    _ = running.finish()
  }

  /// What it wrote, once it is ended.
  func end() -> CommandResult {
    running.send(SIGTERM)
    return running.finish()
  }

  static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("scripts").path

  /// The first of so many ports in a row that nobody has now.
  private static func freePort(_ count: Int) throws -> Int {
    for _ in 0..<100 {
      let first = Int.random(in: 20_000..<30_000)
      if (first..<(first + count)).allSatisfy(isFree) { return first }
    }
    throw SpawnFailureText("no ports are free")
  }

  private static func isFree(_ port: Int) -> Bool {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(number) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    place.sin_port = UInt16(port).bigEndian
    return unsafe withUnsafePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(number, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

struct SpawnFailureText: Error, CustomStringConvertible {
  let description: String
  init(_ text: String) { description = text }
}
