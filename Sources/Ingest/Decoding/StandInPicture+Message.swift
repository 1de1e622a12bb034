import PhotoCodecs
import Workers

/// A stand-in as a message.
extension StandInPicture {
  var frame: WorkerFrame {
    var writer = MessageWriter()
    writer.add(source.rawValue)
    writer.add(width)
    writer.add(height)
    writer.add(pixels) { $1.write(to: &$0) }
    return WorkerFrame(.degraded, writer.bytes)
  }

  /// Takes a stand-in that a decoder may send for this request.
  init(message bytes: [UInt8], for request: WorkerRequest) throws(MessageReader.Malformed) {
    try self.init(message: bytes)
    guard width > 0, height > 0, pixels == nil || request.request.keepsPixels else { throw MessageReader.Malformed() }
  }

  init(message bytes: [UInt8]) throws(MessageReader.Malformed) {
    var reader = MessageReader(bytes)
    let source = try Source(checking: reader.text())
    let width = try reader.count(upTo: 1 << 31)
    let height = try reader.count(upTo: 1 << 31)
    let pixels = try reader.optional { reader throws(MessageReader.Malformed) in try PixelBuffer(from: &reader) }
    try reader.finish()
    self.init(source: source, width: width, height: height, pixels: pixels)
  }
}
