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
