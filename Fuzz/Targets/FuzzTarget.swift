import CLibFuzzer
import Glibc

/// Takes bytes that a stranger could have made, and ends the process when something is as it must never be.
protocol FuzzTarget {
  /// In the command line and as the name of the seeds' folder.
  static var name: String { get }
  static func run(_ bytes: [UInt8])
  /// Inputs to begin with; `photos` are the bytes of whole files.
  static func seeds(_ photos: [[UInt8]]) -> [[UInt8]]
}

/// Hands the bytes that libFuzzer makes up to one target.
enum FuzzDriver {
  /// Set once, before libFuzzer's loop begins; a C callback can carry nothing.
  nonisolated(unsafe) private static var target: (any FuzzTarget.Type)?

  static func run(_ target: any FuzzTarget.Type, _ arguments: [String]) -> Never {
    Self.target = target
    var count = Int32(arguments.count + 1)
    var words = (["fuzz"] + arguments).map { strdup($0) } + [nil]
    let code = words.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress
      return LLVMFuzzerRunDriver(&count, &start) { data, size in
        FuzzDriver.target?.run(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
      }
    }
    exit(code)
  }
}

enum FuzzWords {
  static func end(_ words: String) -> Never {
    let bytes = Array("fuzz: \(words)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(2)
  }
}
