import IngestCore
import IngestFiles

extension OutputLock {
  /// Takes the output folder before anything is written there, and returns whether that took a wait.
  func take(
    _ patience: LockPatience, control: CollectionControl, report: IngestRun.Report
  ) throws(RunError) -> Bool {
    if try writing({ () throws(FileError) in try obtain() }) { return false }
    let holder = holder()
    let limit: Duration?
    switch patience {
    case .none: throw .locked(output: path, by: holder, waited: nil)
    case .atMost(let duration): limit = duration
    case .forever: limit = nil
    }
    report(.message(.warning, "waiting: " + LockWords.held(path, by: holder)))
    switch try writing({ () throws(FileError) in try wait(atMost: limit, control: control) }) {
    case .obtained, .alreadyHeld: return true
    case .timedOut: throw .locked(output: path, by: self.holder(), waited: limit)
    case .cancelled: throw .cancelled
    }
  }
}
