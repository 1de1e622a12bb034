import PhotoCodecs
import Workers

/// The photo's metadata as a message.
extension PhotoMetadata {
  func write(to writer: inout MessageWriter) {
    writer.add(captured) { writer, captured in
      writer.add(captured.local)
      writer.add(captured.offset) { $0.add($1) }
      writer.add(captured.source)
    }
    for text in [make, model, lens, description, comment, commentBase64] { writer.add(text) { $0.add($1) } }
    for number in [fNumber, focalLength, exposureSeconds, latitude, longitude, altitude] {
      writer.add(number) { $0.add($1) }
    }
    writer.add(iso) { $0.add($1) }
  }

  init(from reader: inout MessageReader) throws(MessageReader.Malformed) {
    self.init()
    captured = try reader.optional { reader throws(MessageReader.Malformed) in
      Captured(
        local: try reader.text(), offset: try reader.optionalText(), source: try reader.text())
    }
    make = try reader.optionalText()
    model = try reader.optionalText()
    lens = try reader.optionalText()
    description = try reader.optionalText()
    comment = try reader.optionalText()
    commentBase64 = try reader.optionalText()
    fNumber = try reader.optionalNumber()
    focalLength = try reader.optionalNumber()
    exposureSeconds = try reader.optionalNumber()
    latitude = try reader.optionalNumber()
    longitude = try reader.optionalNumber()
    altitude = try reader.optionalNumber()
    iso = try reader.optional { reader throws(MessageReader.Malformed) in try reader.count(upTo: .max) }
  }
}

extension MessageReader {
  fileprivate mutating func optionalText() throws(Malformed) -> String? {
    try optional { reader throws(Malformed) in try reader.text() }
  }

  fileprivate mutating func optionalNumber() throws(Malformed) -> Double? {
    try optional { reader throws(Malformed) in try reader.number() }
  }
}
