public import IngestCore

/// Reads bytes that a test holds, a few at a time when asked to.
public final class MemoryReading: ByteReading {
  private let bytes: [UInt8]
  private let step: Int
  private var position = 0

  public init(_ bytes: [UInt8], step: Int = .max) {
    self.bytes = bytes
    self.step = step
  }

  public func read(into buffer: inout MutableRawSpan) -> Int {
    let count = min(buffer.byteCount, bytes.count - position, step)
    let piece = bytes[position..<(position + count)]
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyBytes(from: piece) }
    position += count
    return count
  }
}
