public import IngestCore

/// Decodes one photo after the other: says what it is, whether it is whole, and makes its pictures.
///
/// Belongs to one thread. Every byte of the reader is asked for, also those behind the picture, so that a checksum on
/// the way sees the whole file.
public final class PhotoDecoder {
  /// Keeps the last colour transform for the next photo, which mostly has the same profile.
  private let converter = ColourConverter()

  public init() {}

  /// Reads a photo from its first byte to its last.
  ///
  /// Never throws: what is wrong with the photo is its verdict. `onStandIn` is called at most once, before the
  /// original is decoded, where the request wants a stand-in and one is at hand for next to nothing.
  ///
  /// - Parameter cancellation: ends the decode soon when it says so; the verdict is then `failed` with `cancelled`.
  public func decode(
    from reader: any ByteReading, request: DecodeRequest, cancellation: Cancellation = Cancellation(),
    onStandIn: (StandInPicture) -> Void = { _ in }
  ) -> DecodedPhoto {
    let source = ByteSource(reader, cancellation: cancellation)
    var photo = read(source, request, cancellation, onStandIn)
    if !source.drain() {
      // Not every byte was seen, whatever the picture looked like.
      photo.verdict = .failed(CodecError(.cancelled, "the load was given up"))
      photo.thumbnails = []
      photo.pixels = nil
    }
    return photo
  }

  private func read(
    _ source: ByteSource, _ request: DecodeRequest, _ cancellation: Cancellation, _ onStandIn: (StandInPicture) -> Void
  ) -> DecodedPhoto {
    let prefix = source.peek(Sniffer.prefixLength)
    guard !prefix.isEmpty else { return Self.refused(nil, .empty, "the file is empty") }
    guard let format = Sniffer.format(of: prefix) else {
      return Self.refused(nil, .notAnImage, "the first bytes are those of no image format")
    }
    guard let picture = PictureReaders.reader(of: source, format: format, limits: request.limits) else {
      return Self.refused(format, .unsupported, "\(format.displayName) pictures are not decoded")
    }
    return PhotoDecode(picture, format: format, request: request, cancellation: cancellation, converter: converter).run(
      onStandIn: onStandIn)
  }

  /// Makes the quickest stand-in that can be had, at any price: the embedded picture, the first scan, or a small decode.
  ///
  /// Nil when nothing can be shown. Reads no further than it must.
  public func standIn(
    from reader: any ByteReading, limits: DecodeLimits, keepsPixels: Bool, cancellation: Cancellation = Cancellation()
  ) -> StandInPicture? {
    let source = ByteSource(reader, cancellation: cancellation)
    guard let format = Sniffer.format(of: source.peek(Sniffer.prefixLength)),
      let picture = PictureReaders.reader(of: source, format: format, limits: limits)
    else { return nil }
    let request = DecodeRequest(wantsStandIn: true, keepsPixels: keepsPixels, limits: limits)
    return PhotoDecode(picture, format: format, request: request, cancellation: cancellation, converter: converter)
      .standInAtAnyPrice()
  }

  private static func refused(_ format: PhotoFormat?, _ code: CodecError.Code, _ message: String) -> DecodedPhoto {
    DecodedPhoto(format: format, verdict: .failed(CodecError(code, message)))
  }
}
