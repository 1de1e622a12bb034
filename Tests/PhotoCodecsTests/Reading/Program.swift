import Foundation
import IngestCore
import IngestTestSupport

/// Runs independent decoders that may be installed, as oracles.
enum Program {
  static func exists(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// The picture that a program writes as PNM or PAM; nil when it fails.
  static func pnm(_ program: String, _ arguments: [String], input: [UInt8]?) async throws -> PortableMap? {
    var command = Command(program, arguments, input: input ?? [])
    command.timeLimit = 40
    let result = try await command.run()
    return result.exitCode == 0 ? PortableMap(result.output) : nil
  }
}

/// Holds a picture as the portable any map tools write it.
struct PortableMap {
  let width: Int
  let height: Int
  let channels: Int
  let most: Int
  let samples: [UInt8]

  init?(_ file: [UInt8]) {
    guard file.count > 2, file[0] == UInt8(ascii: "P") else { return nil }
    var at = 2
    var facts: [String: Int] = [:]
    switch file[1] {
    case UInt8(ascii: "5"), UInt8(ascii: "6"):
      var numbers: [Int] = []
      while numbers.count < 3, at < file.count {
        while at < file.count, file[at] <= 0x20 { at += 1 }
        let word = file[at...].prefix { $0 > 0x20 }
        guard let number = Int(String(decoding: word, as: UTF8.self)) else { return nil }
        numbers.append(number)
        at += word.count
      }
      guard numbers.count == 3 else { return nil }
      at += 1
      facts = ["WIDTH": numbers[0], "HEIGHT": numbers[1], "MAXVAL": numbers[2], "DEPTH": file[1] == 0x36 ? 3 : 1]
    case UInt8(ascii: "7"):
      while at < file.count {
        let line = file[at...].prefix { $0 != 0x0A }
        at += line.count + 1
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        if words.first == "ENDHDR" { break }
        if words.count == 2, let number = Int(words[1]) { facts[String(words[0])] = number }
      }
    default: return nil
    }
    guard let width = facts["WIDTH"], let height = facts["HEIGHT"], let depth = facts["DEPTH"],
      let most = facts["MAXVAL"], file.count - at == width * height * depth * (most > 255 ? 2 : 1)
    else { return nil }
    (self.width, self.height, channels, self.most) = (width, height, depth, most)
    samples = Array(file[at...])
  }

  /// The picture in 8 bits a sample over white; `isRounded` where that took arithmetic that may round otherwise.
  var overWhite: (channels: Int, samples: [UInt8], isRounded: Bool)? {
    let bytes = most > 255 ? 2 : 1
    let hasAlpha = channels == 2 || channels == 4
    var result: [UInt8] = []
    result.reserveCapacity(samples.count)
    var at = 0
    while at < samples.count {
      var values: [Int] = []
      for _ in 0..<channels {
        let value = bytes == 2 ? Int(samples[at]) << 8 | Int(samples[at + 1]) : Int(samples[at])
        values.append((value * 510 + most) / (2 * most))
        at += bytes
      }
      let alpha = hasAlpha ? values.removeLast() : 255
      for value in values { result.append(UInt8((value * alpha + 255 * (255 - alpha) + 127) / 255)) }
    }
    return (hasAlpha ? channels - 1 : channels, result, hasAlpha && most > 255)
  }
}
