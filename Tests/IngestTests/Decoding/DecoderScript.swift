import IngestCore
import IngestTestSupport
import PhotoCodecs
import Workers

@testable import Ingest

/// Writes shell scripts that stand for decoder programs: bad ones, dying ones, and the real one from some start on.
enum DecoderScript {
  /// Says what a ready decoder says.
  static let ready = say(WorkerFrame(.ready))
  /// Waits for the first byte of a request.
  static let awaitRequest = "head -c 1 <&3 >/dev/null"
  /// Becomes the real decoder.
  static let decode = "exec '\(BuiltProgram.path)' \"$@\""

  /// Sends a frame.
  static func say(_ frame: WorkerFrame) -> String { say(encoded(frame)) }

  /// Sends bytes.
  static func say(_ bytes: [UInt8]) -> String {
    let octal = bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
    return "printf '\(octal.joined())' >&3"
  }

  /// Does one line for each start, in order; the last for all that follow.
  static func starts(_ lines: [String]) -> String {
    // A folder is made by one process only, however many start at once.
    let cases = lines.dropLast().enumerated().map { index, line in
      "if mkdir \"$0.\(index)\" 2>/dev/null; then \(line); exit; fi"
    }
    return (cases + lines.suffix(1)).joined(separator: "\n")
  }

  /// The bytes of a frame on the socket.
  static func encoded(_ frame: WorkerFrame) -> [UInt8] {
    var writer = MessageWriter()
    writer.add(frame.kind.rawValue)
    writer.add(frame.payload)
    return Array("PIW\u{1}".utf8) + writer.bytes
  }
}
