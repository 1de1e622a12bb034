import Foundation
import Glibc

/// Looks at the processes of this machine through `/proc`.
public enum ProcessTable {
  /// Decoder processes whose parent is `parent`.
  public static func decoders(of parent: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { pid in
      field("PPid", of: pid) == "\(parent)" && text("cmdline", of: pid).contains("decode-worker")
    }
  }

  /// Whether the process is there and has not ended; one that nobody has collected yet has ended.
  public static func isAlive(_ pid: Int32) -> Bool {
    guard let state = field("State", of: pid)?.first else { return false }
    return state != "Z" && state != "X"
  }

  /// A line of `/proc/<pid>/status`, without its name.
  public static func field(_ name: String, of pid: Int32) -> String? {
    text("status", of: pid).split(separator: "\n").first { $0.hasPrefix("\(name):") }
      .map { $0.dropFirst(name.utf8.count + 1).trimmingCharacters(in: .whitespaces) }
  }

  /// The soft and the hard limit of this name in `/proc/<pid>/limits`.
  public static func limits(_ name: String, of pid: Int32) -> [String] {
    let line = text("limits", of: pid).split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.dropFirst(name.utf8.count).split(separator: " ").prefix(2).map(String.init) ?? []
  }

  /// The numbers of its open descriptors.
  public static func descriptors(of pid: Int32) -> Set<Int> {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
    return Set((names ?? []).compactMap { Int($0) })
  }

  /// The most memory that it has held at once, in bytes.
  public static func peakMemory(of pid: Int32) -> Int {
    (field("VmHWM", of: pid)?.split(separator: " ").first.flatMap { Int($0) } ?? 0) << 10
  }

  private static func text(_ name: String, of pid: Int32) -> String {
    FileManager.default.contents(atPath: "/proc/\(pid)/\(name)").map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Looks again and again until `condition` holds: what other processes do has no gate. False after `limit` seconds.
  ///
  /// Blocks: call it through `onOwnThread`.
  public static func waits(limit: Double = 20, until condition: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(limit)
    while !condition() {
      if clock.now >= deadline { return false }
      usleep(2000)
    }
    return true
  }
}

extension TemporaryFolder {
  /// Writes a shell script that can be run as a program, and returns its absolute path.
  public func script(_ name: String, _ text: String) throws -> String {
    let path = try file(name, Array("#!/bin/sh\n\(text)\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }
}
