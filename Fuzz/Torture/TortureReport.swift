import Foundation

/// Counts what a torture came to, and keeps what must be looked at.
struct TortureReport {
  private let options: TortureOptions
  private(set) var finds = 0
  var compared = 0
  private var statuses: [String: Int] = [:]
  private var endings: [String: Int] = [:]
  private var groups: [Disagreement.Group: (count: Int, example: String)] = [:]
  private var together = 0
  private var largest = 0
  private var silence = 0.0

  init(_ options: TortureOptions) {
    self.options = options
  }

  mutating func add(_ row: Row) { statuses[row.code.map { "\(row.status) \($0)" } ?? row.status, default: 0] += 1 }

  mutating func add(_ ending: ChildProcess.Ending) {
    endings[ending.words, default: 0] += 1
    together = max(together, ending.together)
    largest = max(largest, ending.largestProcess)
    silence = max(silence, ending.silence)
  }

  mutating func add(_ group: Disagreement.Group, _ words: String) {
    groups[group] = ((groups[group]?.count ?? 0) + 1, groups[group]?.example ?? words)
  }

  /// Prints a fault, and keeps a copy of the mutant that shows it.
  mutating func find(_ words: String, keeping path: String?) {
    finds += 1
    say("FIND: \(words)")
    guard let path, let name = path.split(separator: "/").last else { return }
    let folder = "\(options.work)/finds"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let copy = "\(folder)/\(options.seed)-\(name)"
    try? FileManager.default.removeItem(atPath: copy)
    do {
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      say("      kept as \(copy)")
    } catch {
      say("      which could not be kept: \(error)")
    }
  }

  var summary: String { "\(statuses["verified"] ?? 0) verified, \(finds) finds" }

  func printAll() {
    say("\nseed \(options.seed), \(options.count) mutants")
    for (what, count) in statuses.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) { say("  \(count)  \(what)") }
    say("runs: " + endings.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key)" }.joined(separator: ", "))
    say("longest silence of a run: \(String(format: "%.1f", silence)) s")
    say("memory: all processes together at most \(together >> 20) MiB, one process at most \(largest >> 20) MiB")
    say("held against libjpeg and libpng: \(compared); disagreements that are explained:")
    for group in Disagreement.Group.allCases {
      guard let (count, example) = groups[group] else { continue }
      say("  \(count)  \(group.rawValue): \(group.explanation)\n        such as \(example)")
    }
    say("finds: \(finds)")
  }
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
