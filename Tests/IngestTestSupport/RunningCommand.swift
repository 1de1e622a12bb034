import Dispatch
import Foundation
import Glibc
import IngestCore

/// Is a program that runs while the test does something, such as sending it a signal.
public final class RunningCommand: Sendable {
  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var peakMemory = 0
    var end: CommandResult.End?
    var watchers: [(text: [UInt8], gate: Gate)] = []
  }

  public let processID: Int32
  private let words: String
  private let state = Guarded(State())
  private let ended = Gate()

  init(_ command: Command) throws(SpawnFailure) {
    words = ([Array(command.program.utf8)] + command.arguments).map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: " ")
    let child = try Spawned(command)
    processID = child.processID
    let timeLimit = command.timeLimit
    let input = command.input
    Thread.detachNewThread { [self] in
      let isInTime = child.pump(input: input, timeLimit: timeLimit) { [self] isError, bytes in
        received(bytes, isError: isError)
      }
      let end = child.reap(isInTime: isInTime)
      let watchers = state.withLock { state in
        state.end = end
        defer { state.watchers = [] }
        return state.watchers
      }
      ended.open()
      for watcher in watchers { watcher.gate.open() }
    }
  }

  /// Sends a signal to the program alone, if it still runs.
  public func send(_ signal: Int32) {
    state.withLock { state in
      if state.end == nil { _ = kill(processID, signal) }
    }
  }

  /// Blocks until `text` has come on either stream, or the program has ended. True if the text came.
  @discardableResult public func waitForText(_ text: String, limit: Double = 30) -> Bool {
    let wanted = Array(text.utf8)
    let gate = Gate()
    let isThere = state.withLock { state in
      let isThere = state.output.holds(wanted) || state.errors.holds(wanted)
      if !isThere, state.end == nil { state.watchers.append((wanted, gate)) }
      return isThere || state.end != nil
    }
    if !isThere { gate.wait(limit: limit) }
    return state.withLock { $0.output.holds(wanted) || $0.errors.holds(wanted) }
  }

  /// Blocks until the program has ended. The time limit of the command bounds this.
  public func finish() -> CommandResult {
    ended.wait(limit: 1e6)
    return state.withLock { state in
      CommandResult(
        command: words, end: state.end ?? .timedOut, output: state.output, errors: state.errors,
        peakMemory: state.peakMemory)
    }
  }

  private func received(_ bytes: [UInt8], isError: Bool) {
    // The kernel forgets the figure when the program ends, and what `wait4` tells counts the test runner's own memory.
    let peak = Self.peakMemory(of: processID)
    let reached = state.withLock { state -> [Gate] in
      state.peakMemory = max(state.peakMemory, peak ?? 0)
      if isError { state.errors += bytes } else { state.output += bytes }
      let reached = state.watchers.filter { state.output.holds($0.text) || state.errors.holds($0.text) }.map(\.gate)
      state.watchers.removeAll { watcher in reached.contains { $0 === watcher.gate } }
      return reached
    }
    for gate in reached { gate.open() }
  }
}

extension RunningCommand {
  /// The peak of a program that runs, in bytes (`VmHWM` of proc(5)).
  private static func peakMemory(of processID: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(separator: " ").dropLast().last.flatMap { Int($0) }.map { $0 << 10 }
  }
}

extension [UInt8] {
  fileprivate func holds(_ wanted: [UInt8]) -> Bool {
    guard !wanted.isEmpty else { return true }
    guard count >= wanted.count else { return false }
    return (0...(count - wanted.count)).contains { self[$0] == wanted[0] && self[$0...].starts(with: wanted) }
  }
}
