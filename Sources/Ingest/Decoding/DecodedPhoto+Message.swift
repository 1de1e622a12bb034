import PhotoCodecs
import Workers

/// The photo's facts as a message. Numbers are held against what a picture can have.
extension DecodedPhoto {
  func write(to writer: inout MessageWriter) {
    writer.add(format) { $0.add($1.rawValue) }
    switch verdict {
    case .whole: writer.add(UInt8(0))
    case .damaged(let error):
      writer.add(UInt8(1))
      error.write(to: &writer)
    case .failed(let error):
      writer.add(UInt8(2))
      error.write(to: &writer)
    }
    writer.add(header) { $1.write(to: &$0) }
    writer.add(metadata) { $1.write(to: &$0) }
    writer.add(orientation) { $0.add($1) }
    writer.add(orientationSource) { $0.add($1.rawValue) }
    writer.add(profileName) { $0.add($1) }
    writer.add(notes.sorted()) { $0.add($1) }
    writer.add(warnings)
    writer.add(trailingBytes)
    writer.add(isFullScale)
    writer.add(thumbnails) { writer, thumbnail in
      writer.add(thumbnail.size)
      writer.add(thumbnail.width)
      writer.add(thumbnail.height)
      writer.add(thumbnail.jpeg)
    }
    writer.add(pixels) { $1.write(to: &$0) }
  }

  init(from reader: inout MessageReader) throws(MessageReader.Malformed) {
    let format = try reader.optional { reader throws(MessageReader.Malformed) in
      try PhotoFormat(checking: reader.text())
    }
    let verdict: Verdict
    switch try reader.byte() {
    case 0: verdict = .whole
    case 1: verdict = .damaged(try CodecError(from: &reader))
    case 2: verdict = .failed(try CodecError(from: &reader))
    default: throw MessageReader.Malformed()
    }
    self.init(format: format, verdict: verdict)
    header = try reader.optional { reader throws(MessageReader.Malformed) in try PictureHeader(from: &reader) }
    metadata = try reader.optional { reader throws(MessageReader.Malformed) in try PhotoMetadata(from: &reader) }
    orientation = try reader.optional { reader throws(MessageReader.Malformed) in try reader.count(upTo: 8) }
    if orientation == 0 { throw MessageReader.Malformed() }
    orientationSource = try reader.optional { reader throws(MessageReader.Malformed) in
      try OrientationSource(checking: reader.text())
    }
    profileName = try reader.optional { reader throws(MessageReader.Malformed) in try reader.text() }
    notes = Set(try reader.list(upTo: 64) { reader throws(MessageReader.Malformed) in try reader.word() })
    warnings = try reader.count(upTo: .max)
    trailingBytes = try reader.unsigned()
    isFullScale = try reader.flag()
    thumbnails = try reader.list(upTo: .max) { reader throws(MessageReader.Malformed) in
      EncodedThumbnail(
        size: try reader.integer(), width: try reader.count(upTo: 65_500),
        height: try reader.count(upTo: 65_500), jpeg: try reader.data())
    }
    pixels = try reader.optional { reader throws(MessageReader.Malformed) in try PixelBuffer(from: &reader) }
  }
}

extension MessageReader {
  /// A stable word, as `notes` are.
  fileprivate mutating func word() throws(Malformed) -> String {
    let word = try text()
    let isWord = word.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    guard isWord, (1...40).contains(word.utf8.count) else { throw Malformed() }
    return word
  }
}

extension RawRepresentable<String> {
  /// A word that must be one of the type's own.
  init(checking word: String) throws(MessageReader.Malformed) {
    guard let value = Self(rawValue: word) else { throw MessageReader.Malformed() }
    self = value
  }
}

extension CodecError {
  func write(to writer: inout MessageWriter) {
    writer.add(Code.allCases.firstIndex(of: code) ?? 0)
    writer.add(message)
  }

  init(from reader: inout MessageReader) throws(MessageReader.Malformed) {
    let code = Code.allCases[try reader.count(upTo: Code.allCases.count - 1)]
    self.init(code, try reader.text())
  }
}

extension PictureHeader {
  func write(to writer: inout MessageWriter) {
    for number in [width, height, bitDepth, components] { writer.add(number) }
    writer.add(color)
    writer.add(isProgressive)
  }

  init(from reader: inout MessageReader) throws(MessageReader.Malformed) {
    self.init(
      width: try reader.count(upTo: 1 << 31), height: try reader.count(upTo: 1 << 31),
      bitDepth: try reader.count(upTo: 64), components: try reader.count(upTo: 256), color: try reader.text(),
      isProgressive: try reader.flag())
  }
}

extension PixelBuffer {
  func write(to writer: inout MessageWriter) {
    writer.add(width)
    writer.add(height)
    writer.add(pixels)
  }

  init(from reader: inout MessageReader) throws(MessageReader.Malformed) {
    let width = try reader.count(upTo: 1 << 31)
    let height = try reader.count(upTo: 1 << 29)
    let pixels = try reader.data()
    let (count, overflow) = width.multipliedReportingOverflow(by: height * 3)
    guard !overflow, pixels.count == count else { throw MessageReader.Malformed() }
    self.init(width: width, height: height, pixels: pixels)
  }
}
