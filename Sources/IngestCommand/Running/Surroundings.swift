public import Ingest

/// Holds all that a command meets outside of itself, so that tests can run commands in process.
public struct Surroundings: Sendable {
  /// The words behind the program's name, exact bytes.
  public var arguments: [[UInt8]]
  public var environment: @Sendable (String) -> [UInt8]?
  public var standardOutput: any ByteOutput
  public var standardError: any ByteOutput
  /// The content of a file the user named, at most this many bytes; `-` is standard input.
  public var readFile: @Sendable (_ path: [UInt8], _ limit: Int) throws -> [UInt8]
  public var isFolder: @Sendable ([UInt8]) -> Bool
  /// A file to append to, made when missing.
  public var openLog: @Sendable ([UInt8]) throws -> any ByteOutput
  public var processorCount: Int
  /// The time since some moment; never goes back.
  public var clock: @Sendable () -> Duration
  /// Seconds since 1970, for a monitor; nothing of a run depends on it.
  public var wallClock: @Sendable () -> Double
  /// The number of this process, for a log.
  public var processID: Int32
  public var engine: any IngestEngine
  /// Tells a watching service of the run; nil when it was taken, else why not. Takes its time limit at most.
  public var ping: @Sendable (Ping) -> String?
  /// Runs a closure on a thread of its own, and returns what waits for its end: for ever, or as long as it is told.
  public var onOwnThread: @Sendable (@escaping @Sendable () -> Void) -> @Sendable (Duration?) -> Void
  /// Starts to listen for signals that end the run, and returns what listens.
  public var watchSignals: @Sendable (@escaping @Sendable (Int32) -> Void) -> (any Sendable)?
  /// Ends the process at once, by this signal.
  public var dieAtOnce: @Sendable (Int32) -> Void
  /// Runs a closure after a while, on a thread of its own; used once, for a run that does not hear its cancellation.
  public var afterDelay: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  public init(
    arguments: [[UInt8]], environment: @escaping @Sendable (String) -> [UInt8]?, standardOutput: any ByteOutput,
    standardError: any ByteOutput, engine: any IngestEngine
  ) {
    self.arguments = arguments
    self.environment = environment
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.engine = engine
    self.readFile = { _, _ in [] }
    self.isFolder = { _ in false }
    self.openLog = { _ in standardError }
    self.processorCount = 1
    self.clock = { .zero }
    self.ping = { _ in nil }
    self.onOwnThread = { body in
      body()
      return { _ in }
    }
    self.wallClock = { 0 }
    self.processID = 0
    self.watchSignals = { _ in nil }
    self.dieAtOnce = { _ in }
    self.afterDelay = { _, _ in }
  }
}
