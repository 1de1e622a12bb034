import IngestCore

/// Tells how far a file has been read, on its way to the decoder: rising fractions, 1 once when all is read.
final class ReadingProgress: ByteReading {
  private let base: any ByteReading
  private let size: UInt64
  private let tell: (Double) -> Void
  private var count: UInt64 = 0
  private var told = 0.0

  /// - Parameter size: what the file had when it was opened; one that grows is not more than read to its end.
  init(_ base: any ByteReading, size: UInt64, tell: @escaping (Double) -> Void) {
    self.base = base
    self.size = size
    self.tell = tell
  }

  func read(into buffer: inout MutableRawSpan) -> Int {
    let got = base.read(into: &buffer)
    count += UInt64(got)
    let fraction = size > 0 ? min(1, Double(count) / Double(size)) : 1
    if fraction > told {
      told = fraction
      tell(fraction)
    }
    return got
  }
}
