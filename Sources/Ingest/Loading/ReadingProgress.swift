import IngestCore
import IngestFiles

/// Tells how far a file has been read, on its way to the decoder: rising fractions, 1 once when all is read.
final class ReadingProgress: ByteReading {
  private let file: SourceFile
  private let tell: ProgressHandler?
  private var told = 0.0

  init(_ file: SourceFile, tell: ProgressHandler?) {
    self.file = file
    self.tell = tell
  }

  func read(into buffer: inout MutableRawSpan) -> Int {
    let count = file.read(into: &buffer)
    guard let tell else { return count }
    // A file that grows is not more than read to its end.
    let size = Double(file.identity.size)
    let fraction = size > 0 ? min(1, Double(file.bytesRead) / size) : 1
    if fraction > told {
      told = fraction
      tell(fraction)
    }
    return count
  }
}
