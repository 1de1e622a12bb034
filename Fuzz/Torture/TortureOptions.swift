import Foundation

/// Holds what the harness was asked for.
struct TortureOptions {
  struct Usage: Error, CustomStringConvertible {
    var description: String
  }

  var count: Int
  var seed: UInt64
  var program = ""
  var reference = ""
  /// Where mutants, outputs and finds go.
  var work = ""
  /// A sanitizer's memory and slowness are not the program's.
  var isSanitized = false
  var photos: [String] = []

  init(_ arguments: [String]) throws {
    guard arguments.count >= 2, let count = Int(arguments[0]), count > 0, let seed = UInt64(arguments[1]) else {
      throw Usage(description: "usage: COUNT SEED --program FILE --reference FILE --work FOLDER [--sanitized] PHOTO...")
    }
    self.count = count
    self.seed = seed
    var rest = arguments[2...]
    while let word = rest.popFirst() {
      switch word {
      case "--program": program = rest.popFirst() ?? ""
      case "--reference": reference = rest.popFirst() ?? ""
      case "--work": work = rest.popFirst() ?? ""
      case "--sanitized": isSanitized = true
      default: photos.append(word)
      }
    }
    guard !program.isEmpty, !reference.isEmpty, !work.isEmpty else {
      throw Usage(description: "--program, --reference and --work are needed")
    }
  }
}
