import Ingest
import IngestCore

/// Writes the names of a dry run to stdout: one a line, or as JSON.
///
/// Belongs to one thread. `flush` is called at the end.
final class CandidateOutput {
  private let output: any ByteOutput
  private let isJSON: Bool
  /// Whether a person reads it: exact bytes are for a program, a screen gets a name that cannot steer it.
  private let isShown: Bool
  private let terminator: UInt8
  // A call for each of a hundred thousand names would cost more than finding them.
  private var lines: [UInt8] = []

  init(_ output: any ByteOutput, _ request: RunRequest) {
    self.output = output
    isJSON = request.talk.isJSON
    isShown = output.isTerminal && !request.isNullSeparated
    terminator = request.isNullSeparated ? 0 : ASCII.lineFeed
  }

  /// The path, below its album where there are several.
  func write(_ path: RelativePath, of album: Album?) {
    guard !isJSON else { return JSONPrinter(output: output).candidate(path, of: album) }
    let full = album.map { $0.name.appending(path.bytes) } ?? path
    lines += isShown ? Array(SafeText.cleaned(full.bytes).utf8) : full.bytes
    lines.append(terminator)
    if lines.count >= 1 << 16 { flush() }
  }

  func flush() {
    output.write(lines)
    lines.removeAll(keepingCapacity: true)
  }
}
