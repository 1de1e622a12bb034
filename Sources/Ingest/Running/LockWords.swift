public import IngestFiles

/// Words who has an output folder. Names in it are foreign text; whoever shows it cleans it.
public enum LockWords {
  /// `output folder /out: another run has it: process 4711 on nas, since 2024-07-01T02:17:00Z`
  public static func held(_ output: [UInt8], by holder: LockHolder?) -> String {
    let name = "output folder " + String(decoding: output, as: UTF8.self) + ": another "
    // A verify leaves no name, nor does whoever has no room for a note.
    guard let holder else { return name + "program reads or writes it" }
    return name + "run has it: process \(holder.processID) on \(holder.host), since \(holder.started)"
  }

  /// The same, with the time for which somebody waited in vain.
  public static func held(_ output: [UInt8], by holder: LockHolder?, waited: Duration?) -> String {
    held(output, by: holder) + (waited.map { "; waited \($0.secondsText) s" } ?? "")
  }
}
