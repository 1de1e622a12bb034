internal import Glibc

/// Speaks for the process itself: its arguments, its environment, its processors and the ways in which it ends.
public enum HostProcess {
  /// The arguments by their exact bytes, the program's name first. A name given on the command line need not be UTF-8.
  public static var arguments: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe bytes(of: $0) }
    }
  }

  /// The value of an environment variable by its exact bytes.
  public static func environment(_ name: String) -> [UInt8]? {
    unsafe getenv(name).map { unsafe bytes(of: $0) }
  }

  /// How many processors this process may use: its affinity mask, else all that are online.
  public static var processorCount: Int {
    // Swift does not see sched_getaffinity; the kernel shows the same mask here as hex digits with commas.
    let status = (try? InputStream.readAll(Array("/proc/self/status".utf8))) ?? []
    return allowedProcessors(inStatus: status) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// Counts the bits of `Cpus_allowed` in the text of `/proc/self/status`; nil when the line is not there.
  static func allowedProcessors(inStatus status: [UInt8]) -> Int? {
    let label = Array("Cpus_allowed:".utf8)
    for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: label) {
      let bits = line.dropFirst(label.count).reduce(0) { sum, digit in
        sum + (Character(UnicodeScalar(digit)).hexDigitValue?.nonzeroBitCount ?? 0)
      }
      return bits > 0 ? bits : nil
    }
    return nil
  }

  /// How many more descriptors this process may open.
  public static var freeDescriptors: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    // Whoever may open so many need not count.
    let most = Int32(clamping: min(limit.rlim_cur, 4096))
    return (0..<most).count { fcntl($0, F_GETFD) == -1 } + Int(clamping: limit.rlim_cur) - Int(most)
  }

  /// The number of this process.
  public static var processID: Int32 { getpid() }

  /// The time of day in seconds since 1970, UTC. Only what tells of a run itself may ask.
  public static var secondsSince1970: Double {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return 0 }
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// Opens the standard streams that the caller left closed on `/dev/null`.
  ///
  /// Otherwise the first file that the program opens takes number 1 or 2, and its messages land in a manifest. What is
  /// read from a standard input that was closed is an error (EBADF) as before: it is no empty list.
  public static func openStandardStreams() {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is given out, and all below this one are open by now.
      _ = unsafe open("/dev/null", O_WRONLY)
    }
  }

  /// Lets a write fail instead of killing the process: into a closed pipe with EPIPE, past `ulimit -f` with EFBIG.
  public static func ignoreWriteSignals() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Keeps ended children until they are waited for, also where the caller has SIGCHLD ignored.
  ///
  /// Otherwise the kernel forgets them at once: how they ended is lost, and their number may soon be that of a stranger.
  public static func keepEndedChildren() {
    _ = signal(SIGCHLD, SIG_DFL)
  }

  /// Ends the process at once with a code, without waiting for other threads.
  public static func exit(_ code: Int32) -> Never {
    _exit(code)
  }

  /// Dies by a signal, so that the parent sees how the run ended (a shell shows 128 plus the number).
  public static func dieBySignal(_ number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    SignalMask.unblock([number])
    _ = raise(number)
    // Reached only for a signal whose default does not kill.
    _exit(128 &+ number)
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
  }
}
