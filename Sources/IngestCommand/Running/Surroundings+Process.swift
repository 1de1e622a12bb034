import HostProcess
import Ingest

extension Surroundings {
  /// The process itself: its arguments, its streams, its signals, and the facade.
  public static var process: Surroundings {
    var surroundings = Surroundings(
      arguments: Array(HostProcess.arguments.dropFirst()), environment: HostProcess.environment,
      standardOutput: OutputStream.standardOutput, standardError: OutputStream.standardError, engine: FacadeEngine())
    surroundings.readFile = { path, limit in
      try InputStream.readAll(path == [ASCII.dash] ? nil : path, limit: limit)
    }
    surroundings.isFolder = { path in
      do throws(StreamError) {
        // With the part behind the slash only a folder can be opened; a pipe of that name would wait for a writer.
        _ = try InputStream.readAll(path + Array("/.".utf8), limit: 0)
        return false
      } catch {
        return error.errno == isADirectory
      }
    }
    surroundings.openLog = { try OutputStream.appending(to: $0) }
    surroundings.processorCount = HostProcess.processorCount
    let start = ContinuousClock.now
    surroundings.clock = { ContinuousClock.now - start }
    surroundings.ping = { $0.send() }
    surroundings.onOwnThread = { body in
      let thread = OwnThread.start(name: "ping", body)
      return { limit in
        if let limit { _ = thread.join(atMost: limit) } else { thread.join() }
      }
    }
    surroundings.wallClock = { HostProcess.secondsSince1970 }
    surroundings.processID = HostProcess.processID
    surroundings.watchSignals = { SignalWatch.begin($0) }
    surroundings.dieAtOnce = { HostProcess.dieBySignal($0) }
    surroundings.afterDelay = { delay, action in
      Task.detached {
        try? await Task.sleep(for: delay)
        action()
      }
    }
    return surroundings
  }

  /// `EISDIR` on Linux: what the kernel answers to a read of a folder.
  private static var isADirectory: Int32 { 21 }
}
