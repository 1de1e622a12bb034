import IngestCore

/// Tells a request's progress handler how far the bytes have come, each time a piece is read.
final class ProgressReading: ByteReading {
  private let base: any ByteReading
  private let size: UInt64
  private let report: (Double) -> Void
  private var count: UInt64 = 0

  init(_ base: any ByteReading, size: UInt64, report: @escaping (Double) -> Void) {
    self.base = base
    self.size = size
    self.report = report
  }

  func read(into buffer: inout MutableRawSpan) -> Int {
    let got = base.read(into: &buffer)
    count += UInt64(got)
    // A file that grows meanwhile does not go beyond 1.
    report(got == 0 || size == 0 ? 1 : min(1, Double(count) / Double(size)))
    return got
  }
}
