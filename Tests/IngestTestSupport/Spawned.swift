import Dispatch
import Foundation
import Glibc
import IngestCore

/// Is a child process and our ends of its three streams. Owned by one thread after it has been made.
struct Spawned: Sendable {
  /// Held from making the pipes to the spawn: another child made meanwhile would inherit our ends of them.
  private static let spawning = Guarded(())

  let processID: pid_t
  private let input: Int32
  private let output: Int32
  private let errors: Int32

  init(_ command: Command) throws(SpawnFailure) {
    let made = Self.spawning.withLock { _ in
      Result { () throws(SpawnFailure) in try Self.spawn(command) }
    }
    (processID, input, output, errors) = try made.get()
  }

  private static func spawn(_ command: Command) throws(SpawnFailure) -> (pid_t, Int32, Int32, Int32) {
    var ours: [Int32] = []
    var theirs: [Int32] = []
    defer { for descriptor in theirs { close(descriptor) } }
    func fail(_ what: String, _ code: Int32) -> SpawnFailure {
      for descriptor in ours where descriptor >= 0 { close(descriptor) }
      return SpawnFailure(description: "\(command.program): \(what): \(unsafe String(cString: strerror(code)))")
    }

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }

    guard let stdin = Self.makePipe() else { throw fail("pipe", errno) }
    ours.append(stdin.write)
    theirs.append(stdin.read)
    unsafe posix_spawn_file_actions_adddup2(&actions, stdin.read, 0)
    for (target, place) in [(Int32(1), command.output), (2, command.errors)] {
      switch place {
      case .captured, .readerGone:
        guard let pipe = Self.makePipe() else { throw fail("pipe", errno) }
        theirs.append(pipe.write)
        unsafe posix_spawn_file_actions_adddup2(&actions, pipe.write, target)
        if place == .captured {
          ours.append(pipe.read)
        } else {
          close(pipe.read)
          ours.append(-1)
        }
      case .devNull:
        unsafe posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
        ours.append(-1)
      case .file(let path):
        unsafe posix_spawn_file_actions_addopen(&actions, target, path, O_WRONLY, 0)
        ours.append(-1)
      case .closed:
        unsafe posix_spawn_file_actions_addclose(&actions, target)
        ours.append(-1)
      }
    }
    // These two of glibc are not shown to Swift.
    typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    typealias ChangeFolder =
      @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> Int32
    if let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
      _ = unsafe unsafeBitCast(symbol, to: CloseFrom.self)(&actions, 3)
    }
    if let folder = command.workingFolder {
      guard let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addchdir_np") else {
        throw fail("its working folder cannot be set", ENOSYS)
      }
      _ = unsafe unsafeBitCast(symbol, to: ChangeFolder.self)(&actions, folder)
    }

    // A test runner may ignore or block signals; the program must meet them as it would under a shell.
    var all = sigset_t()
    unsafe sigfillset(&all)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    let words = [Array(command.program.utf8)] + command.arguments
    let settings = command.environment.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) }
    var processID: pid_t = 0
    let status = unsafe withCStrings(words) { argv in
      unsafe withCStrings(settings) { envp in
        unsafe posix_spawn(&processID, command.program, &actions, &attributes, argv, envp)
      }
    }
    guard status == 0 else { throw fail("cannot be started", status) }
    return (processID, ours[0], ours[1], ours[2])
  }

  /// Feeds the input and hands out what comes until both streams and the program have ended; false at the time limit.
  func pump(input bytes: [UInt8], timeLimit: Double, received: (_ isError: Bool, [UInt8]) -> Void) -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(timeLimit)
    let hasExited = watchForExit()
    var rest = bytes[...]
    var feed = input
    var streams = [output, errors]
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    defer {
      Self.shut(&feed)
      for index in streams.indices { Self.shut(&streams[index]) }
    }
    if rest.isEmpty { Self.shut(&feed) } else { _ = fcntl(feed, F_SETFL, O_NONBLOCK) }
    Self.blockBrokenPipe()
    while streams.contains(where: { $0 >= 0 }) || (feed >= 0 && !hasExited.isOpen) {
      let left = deadline - clock.now
      guard left > .zero else { return false }
      var polled = [
        pollfd(fd: streams[0], events: Int16(POLLIN), revents: 0),
        pollfd(fd: streams[1], events: Int16(POLLIN), revents: 0),
        pollfd(fd: feed, events: Int16(POLLOUT), revents: 0),
      ]
      let milliseconds = min(left.components.seconds, 1) * 1000 + 1
      guard unsafe poll(&polled, 3, Int32(milliseconds)) > 0 else { continue }
      for index in 0..<2 where streams[index] >= 0 && polled[index].revents != 0 {
        let count = unsafe read(streams[index], &buffer, buffer.count)
        if count > 0 { received(index == 1, Array(buffer[..<count])) } else { Self.shut(&streams[index]) }
      }
      if feed >= 0, polled[2].revents != 0 {
        let count = unsafe rest.withUnsafeBytes { unsafe write(feed, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        if rest.isEmpty || count < 0 { Self.shut(&feed) }
      }
    }
    // A program that closed its streams and hangs still meets the time limit.
    let left = (deadline - clock.now).components
    return hasExited.wait(limit: max(Double(left.seconds) + Double(left.attoseconds) * 1e-18, 0))
  }

  /// Collects the child, killing it and its group first when it was not in time.
  func reap(isInTime: Bool) -> CommandResult.End {
    // Children that outlive their parent would hold the machine; the group exists until its leader is collected.
    _ = kill(-processID, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(processID, &status, 0) < 0 && errno == EINTR {}
    if !isInTime { return .timedOut }
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  /// Opens the gate when the program has ended, and leaves it to be collected.
  private func watchForExit() -> Gate {
    let gate = Gate()
    Thread.detachNewThread { [processID] in
      var info = unsafe siginfo_t()
      while unsafe waitid(P_PID, id_t(processID), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
      gate.open()
    }
    return gate
  }

  /// Writing to a program that does not read must be an error of this thread, not the end of the tests.
  private static func blockBrokenPipe() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private static func makePipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func shut(_ descriptor: inout Int32) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}

/// Lends C strings, null-terminated, in an array that a null pointer ends.
private func withCStrings<Result>(
  _ strings: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var copies = unsafe strings.map { bytes -> UnsafeMutablePointer<CChar>? in
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (offset, byte) in bytes.enumerated() { unsafe copy[offset] = CChar(bitPattern: byte) }
    unsafe copy[bytes.count] = 0
    return unsafe copy
  }
  unsafe copies.append(nil)
  defer { for place in unsafe copies.indices { unsafe copies[place]?.deallocate() } }
  return unsafe copies.withUnsafeMutableBufferPointer { buffer in
    // Never empty: it holds the null pointer at least.
    unsafe body(buffer.baseAddress.unsafelyUnwrapped)
  }
}
