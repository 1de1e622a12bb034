import HostProcess

extension Surroundings {
  /// The process itself: its arguments, its streams, its signals, and the facade.
  public static var process: Surroundings {
    var surroundings = Surroundings(
      arguments: Array(HostProcess.arguments.dropFirst()), environment: HostProcess.environment,
      standardOutput: OutputStream.standardOutput, standardError: OutputStream.standardError, engine: FacadeEngine())
    surroundings.readFile = { try InputStream.readAll($0 == [ASCII.dash] ? nil : $0) }
    surroundings.isFolder = { path in
      do throws(StreamError) {
        _ = try InputStream.readAll(path, limit: 0)
        return false
      } catch {
        return error.errno == isADirectory
      }
    }
    surroundings.openLog = { try OutputStream.appending(to: $0) }
    surroundings.processorCount = HostProcess.processorCount
    let start = ContinuousClock.now
    surroundings.clock = { ContinuousClock.now - start }
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
