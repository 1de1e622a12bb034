import Glibc

/// Runs a program the way a shell would, with arguments and input as exact bytes.
///
/// Foundation's `Process` cannot pass arguments that are not UTF-8. The program gets a process group of its own, no
/// blocked or ignored signals, and only the three standard descriptors.
public struct Command: Sendable {
  /// Where an output of the program goes.
  public enum Output: Sendable, Equatable {
    case captured
    /// A pipe whose reader is gone: writing gives EPIPE.
    case readerGone
    case devNull
    /// Not open at all.
    case closed
    /// A file that exists and is opened for writing, such as `/dev/full`.
    case file(String)
  }

  public var program: String
  public var arguments: [[UInt8]]
  /// The whole environment of the program; nothing is inherited.
  public var environment: [String: String]
  public var workingFolder: String?
  public var input: [UInt8]
  public var output = Output.captured
  public var errors = Output.captured
  /// Seconds; a program that runs longer is killed with all its children.
  public var timeLimit: Double

  public init(
    _ program: String, _ arguments: [[UInt8]], environment: [String: String] = Command.plainEnvironment,
    workingFolder: String? = nil, input: [UInt8] = [], timeLimit: Double = 60
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.workingFolder = workingFolder
    self.input = input
    self.timeLimit = timeLimit
  }

  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = Command.plainEnvironment,
    workingFolder: String? = nil, input: [UInt8] = [], timeLimit: Double = 60
  ) {
    self.init(
      program, arguments.map { Array($0.utf8) }, environment: environment, workingFolder: workingFolder, input: input,
      timeLimit: timeLimit)
  }

  /// Enough for a program to run, the same on every machine. Crash reports are off: they take seconds.
  public static let plainEnvironment = [
    "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
  ]

  /// Runs the program to its end. Blocks: call it through `onOwnThread`, or use `run`.
  public func runBlocking() throws(SpawnFailure) -> CommandResult {
    try start().finish()
  }

  /// Runs the program to its end on a thread of its own.
  public func run() async throws(SpawnFailure) -> CommandResult {
    try await onOwnThread { () throws(SpawnFailure) in try runBlocking() }
  }

  /// Starts the program; its output is gathered meanwhile.
  public func start() throws(SpawnFailure) -> RunningCommand {
    try RunningCommand(self)
  }
}

/// Says why a program could not be started.
public struct SpawnFailure: Error, CustomStringConvertible {
  public let description: String
}

/// Tells how a program ended and what it wrote.
public struct CommandResult: Sendable, CustomStringConvertible {
  public enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
    /// Killed at the time limit.
    case timedOut
  }

  public let command: String
  public let end: End
  public let output: [UInt8]
  public let errors: [UInt8]
  /// The most memory that the program held, in bytes, as the kernel told each time something was written.
  public let peakMemory: Int

  /// The exit code, or nil when a signal ended it.
  public var exitCode: Int32? { if case .exited(let code) = end { code } else { nil } }
  /// The signal that ended it, or nil.
  public var signal: Int32? { if case .signalled(let signal) = end { signal } else { nil } }
  public var outputText: String { String(decoding: output, as: UTF8.self) }
  public var errorText: String { String(decoding: errors, as: UTF8.self) }

  /// The command and both streams: what a failed expectation should show.
  public var description: String {
    "\(command)\nended: \(end)\nstdout (\(output.count) bytes):\n\(outputText)\nstderr (\(errors.count) bytes):\n\(errorText)"
  }
}
