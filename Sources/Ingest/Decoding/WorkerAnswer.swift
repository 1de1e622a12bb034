import PhotoCodecs
import Workers

/// Holds what a decoder process says at the end of a photo. What comes from there is believed in form only.
struct WorkerAnswer {
  /// Nil for a stand-in that was asked for alone.
  var photo: DecodedPhoto?
  var checksum: DecodeAnswer.Checksum
  /// Processor time that the process has used in all.
  var processorMilliseconds: Int

  var frame: WorkerFrame {
    var writer = MessageWriter()
    writer.add(photo) { $1.write(to: &$0) }
    writer.add(checksum.sha256)
    writer.add(checksum.bytesRead)
    writer.add(Int(checksum.errorNumber))
    writer.add(processorMilliseconds)
    return WorkerFrame(.ending, writer.bytes)
  }

  init(photo: DecodedPhoto?, checksum: DecodeAnswer.Checksum, processorMilliseconds: Int) {
    self.photo = photo
    self.checksum = checksum
    self.processorMilliseconds = processorMilliseconds
  }

  init(message bytes: [UInt8]) throws(MessageReader.Malformed) {
    var reader = MessageReader(bytes)
    photo = try reader.optional { reader throws(MessageReader.Malformed) in try DecodedPhoto(from: &reader) }
    let sha256 = try reader.text()
    let isChecksum = sha256.utf8.count == 64 && sha256.utf8.allSatisfy { Self.hexDigits.contains($0) }
    guard isChecksum || sha256.isEmpty else { throw MessageReader.Malformed() }
    let bytesRead = try reader.unsigned()
    let errorNumber = Int32(try reader.count(upTo: 4096))
    guard isChecksum || errorNumber != 0 || photo == nil else { throw MessageReader.Malformed() }
    checksum = DecodeAnswer.Checksum(sha256: sha256, bytesRead: bytesRead, errorNumber: errorNumber)
    processorMilliseconds = try reader.count(upTo: 1 << 50)
    try reader.finish()
  }

  private static let hexDigits = Set("0123456789abcdef".utf8)

  static func progress(_ fraction: Double) -> WorkerFrame {
    var writer = MessageWriter()
    writer.add(fraction)
    return WorkerFrame(.progress, writer.bytes)
  }

  static func fraction(_ bytes: [UInt8]) throws(MessageReader.Malformed) -> Double {
    var reader = MessageReader(bytes)
    let fraction = try reader.number()
    try reader.finish()
    guard (0...1).contains(fraction) else { throw MessageReader.Malformed() }
    return fraction
  }
}
