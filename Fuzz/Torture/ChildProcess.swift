import Foundation

/// Runs a program to its end and watches it: output files, memory, silence.
struct ChildProcess {
  struct Ending {
    /// Nil when a signal ended it.
    var code: Int32?
    var signal: Int32?
    /// The largest of it, of all its children that it waited for, and of this harness at its start, in bytes
    /// (getrusage(2): the peak of one process, and that of the one before exec).
    var largestProcess: Int
    /// The largest sum of the peaks of all processes alive at one time, in bytes, as seen every few milliseconds.
    var together: Int
    /// The longest time in which nothing was added to its stdout, in seconds.
    var silence: Double
  }

  struct NotStarted: Error {
    var program: String
    var errorNumber: Int32
  }

  /// - Parameter limit: seconds until it is killed.
  static func run(
    _ program: String, _ arguments: [String], input: String = "/dev/null", output: String, errors: String, limit: Double
  ) throws -> Ending {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let creating = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, creating, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, errors, creating, 0o644)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, program, &actions, nil, &words, environ)
    guard failure == 0 else { throw NotStarted(program: program, errorNumber: failure) }
    return watch(pid, output, limit)
  }

  private static func watch(_ pid: pid_t, _ output: String, _ limit: Double) -> Ending {
    var ending = Ending(code: nil, signal: nil, largestProcess: 0, together: 0, silence: 0)
    var usage = rusage()
    var status: Int32 = 0
    let start = Date()
    var (size, lastChange) = (-1, start)
    while wait4(pid, &status, WNOHANG, &usage) == 0 {
      let children = Self.children(of: pid)
      ending.together = max(ending.together, ([pid] + children).map(Self.peak).reduce(0, +))
      let now = Date()
      var facts = stat()
      if stat(output, &facts) == 0, Int(facts.st_size) != size { (size, lastChange) = (Int(facts.st_size), now) }
      ending.silence = max(ending.silence, now.timeIntervalSince(lastChange))
      if now.timeIntervalSince(start) > limit { kill(pid, SIGKILL) }
      usleep(5_000)
    }
    ending.largestProcess = usage.ru_maxrss * 1024
    if status & 0x7F == 0 { ending.code = status >> 8 & 0xFF } else { ending.signal = status & 0x7F }
    return ending
  }

  private static func children(of pid: pid_t) -> [pid_t] {
    let path = "/proc/\(pid)/task/\(pid)/children"
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    // Each thread has its own children.
    let lists = tasks.map { "/proc/\(pid)/task/\($0)/children" } + (tasks.isEmpty ? [path] : [])
    return lists.flatMap { text(of: $0).split(separator: " ").compactMap { pid_t($0) } }
  }

  private static func peak(_ pid: pid_t) -> Int {
    guard let line = text(of: "/proc/\(pid)/status").split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return 0 }
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }

  private static func text(of path: String) -> String {
    guard let file = FileHandle(forReadingAtPath: path) else { return "" }
    defer { try? file.close() }
    return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
  }
}
