import IngestCore

/// Ends the bytes of a reader when the load is over its time or cancelled, however many there still are.
final class TimedReading: ByteReading {
  private let base: any ByteReading
  private let isOver: () -> Bool

  init(_ base: any ByteReading, isOver: @escaping () -> Bool) {
    self.base = base
    self.isOver = isOver
  }

  func read(into buffer: inout MutableRawSpan) -> Int {
    isOver() ? 0 : base.read(into: &buffer)
  }
}
