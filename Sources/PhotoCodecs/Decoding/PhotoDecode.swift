/// Runs the decode of one photo: header, stand-in, rows, ending, verdict.
final class PhotoDecode {
  private let picture: any PictureReader
  private let request: DecodeRequest
  private let cancellation: Cancellation
  private let converter: ColourConverter
  private var result: DecodedPhoto
  private var facts: ExifFacts?

  init(
    _ picture: any PictureReader, format: PhotoFormat, request: DecodeRequest, cancellation: Cancellation,
    converter: ColourConverter
  ) {
    self.picture = picture
    self.request = request
    self.cancellation = cancellation
    self.converter = converter
    result = DecodedPhoto(format: format, verdict: .whole)
  }

  func run(onStandIn: (StandInPicture) -> Void) -> DecodedPhoto {
    do throws(CodecError) {
      result.header = try picture.readHeader()
      readExif()
      let standIn = request.wantsStandIn ? embeddedStandIn() : nil
      if let standIn { onStandIn(standIn) }
      let rows = try picture.begin(
        minimumLongSide: request.minimumLongSide, wantsScanStandIn: request.wantsStandIn && standIn == nil)
      result.isFullScale = rows.isFullScale
      if request.wantsStandIn, standIn == nil, let scan = scanStandIn(rows) { onStandIn(scan) }
      decode(rows)
    } catch {
      result.verdict = result.header == nil ? .failed(error) : Self.verdict(of: error, rows: 0)
      _ = picture.finish()
      readExif()
    }
    result.notes.formUnion(picture.notes)
    return result
  }

  /// The quickest stand-in: the embedded picture, the first scan, or the whole picture at the smallest scale.
  func standInAtAnyPrice() -> StandInPicture? {
    do throws(CodecError) {
      let header = try picture.readHeader()
      result.header = header
      readExif()
      if let embedded = embeddedStandIn() { return embedded }
      let rows = try picture.begin(minimumLongSide: 0, wantsScanStandIn: true)
      if let scan = scanStandIn(rows) { return scan }
      let collector = request.keepsPixels ? PixelCollector(rows) : nil
      guard try unsafe read(rows, into: { unsafe collector?.push($0, count: $1) }) == rows.height else { return nil }
      return standIn(.scaled, rows, collector)
    } catch {
      return nil
    }
  }

  // MARK: Rows

  /// Reads all rows into the pictures asked for, then the rest of the file, and settles the verdict.
  private func decode(_ rows: RowFormat) {
    let original = result.header.map { PixelSize(width: $0.width, height: $0.height) }
    let maker =
      request.thumbnailSizes.isEmpty
      ? nil
      : ThumbnailMaker(
        width: rows.width, height: rows.height, layout: rows.layout, sizes: request.thumbnailSizes, original: original)
    let collector = request.keepsPixels ? PixelCollector(rows) : nil
    var delivered = 0
    var failure: CodecError?
    do throws(CodecError) {
      delivered = try unsafe read(rows) { bytes, count in
        unsafe maker?.push(bytes, count: count)
        unsafe collector?.push(bytes, count: count)
        delivered += count
      }
    } catch {
      failure = error
    }
    let ending = picture.finish()
    readExif()
    result.warnings = ending.warnings
    result.trailingBytes = ending.trailingBytes
    if let error = failure ?? ending.damage { result.verdict = Self.verdict(of: error, rows: delivered) }
    if case .failed = result.verdict { return }
    makePictures(maker, collector)
  }

  /// Hands batches of rows over until the picture is done; returns how many there were.
  private func read(
    _ rows: RowFormat, into take: (UnsafeRawBufferPointer, Int) -> Void
  ) throws(CodecError) -> Int {
    let rowBytes = rows.width * rows.layout.samplesPerPixel
    let batch = max(1, min(rows.height, (64 << 10) / rowBytes))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: batch * rowBytes, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var total = 0
    while true {
      let count = try unsafe picture.readRows(into: buffer, maxRows: batch)
      if count == 0 { return total }
      unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<(count * rowBytes)]), count)
      total += count
    }
  }

  private func makePictures(_ maker: ThumbnailMaker?, _ collector: PixelCollector?) {
    let colour = picture.colour
    let orientation = result.orientation ?? 1
    if let icc = colour.icc { result.profileName = ColourProfile.description(of: icc) }
    if let maker {
      let made = maker.finish(orientation: orientation, colour: colour, converter: converter)
      result.thumbnails = made.thumbnails
      result.notes.formUnion(made.notes)
    }
    if let collector {
      let made = collector.finish(orientation: orientation, colour: colour, converter: converter)
      result.pixels = made.picture
      result.notes.formUnion(made.notes)
    }
    if case .damaged(let error) = result.verdict, error.code != .missingEndMarker, !result.thumbnails.isEmpty {
      result.notes.insert("salvaged-preview")
    }
  }

  /// A photo of which rows came is damaged; one without any is failed.
  private static func verdict(of error: CodecError, rows: Int) -> DecodedPhoto.Verdict {
    switch error.code {
    case .cancelled, .tooLarge, .unsupported, .notAnImage, .empty: .failed(error)
    case .truncated, .corrupt, .missingEndMarker: rows > 0 ? .damaged(error) : .failed(error)
    }
  }

  // MARK: Exif

  /// Reads the Exif block where it has turned up: before the picture's data, or behind it.
  private func readExif() {
    guard facts == nil, let source = picture.exif else { return }
    let facts = ExifBlock.read(tiff: source.tiff)
    self.facts = facts
    result.metadata = facts.metadata
    result.orientation = facts.orientation
    result.orientationSource = source.origin
    if facts.orientationIgnored { result.notes.insert("orientation-ignored") }
    if facts.isBroken { result.notes.insert("exif-broken") }
  }

  // MARK: Stand-ins

  /// The picture inside the Exif block, when it is whole and shows the same picture: its shape agrees within 1%.
  private func embeddedStandIn() -> StandInPicture? {
    guard let jpeg = facts?.embeddedJPEG, let header = result.header else { return nil }
    do throws(CodecError) {
      guard let reader = PictureReaders.embedded(jpeg, cancellation: cancellation) else { return nil }
      let small = try reader.readHeader()
      let shape = Double(small.width) * Double(header.height) / (Double(small.height) * Double(header.width))
      guard abs(shape - 1) <= 0.01 else { return nil }
      let rows = try reader.begin(minimumLongSide: nil, wantsScanStandIn: false)
      let collector = request.keepsPixels ? PixelCollector(rows) : nil
      let decode = PhotoDecode(
        reader, format: .jpeg, request: request, cancellation: cancellation, converter: converter)
      let count = try unsafe decode.read(rows) { unsafe collector?.push($0, count: $1) }
      guard count == rows.height, reader.finish().damage == nil else { return nil }
      return standIn(.embedded, rows, collector, colour: reader.colour)
    } catch {
      return nil
    }
  }

  /// The picture after the first scan of a progressive file.
  private func scanStandIn(_ rows: RowFormat) -> StandInPicture? {
    let collector = request.keepsPixels ? PixelCollector(rows) : nil
    guard unsafe picture.readScanStandIn(into: { unsafe collector?.push($0, count: $1) }) else { return nil }
    return standIn(.scan, rows, collector)
  }

  private func standIn(
    _ source: StandInPicture.Source, _ rows: RowFormat, _ collector: PixelCollector?, colour: SourceColour? = nil
  ) -> StandInPicture {
    let orientation = result.orientation ?? 1
    let turnsSides = orientation >= 5
    let pixels = collector?.finish(
      orientation: orientation, colour: colour ?? picture.colour, converter: converter)
    return StandInPicture(
      source: source, width: turnsSides ? rows.height : rows.width, height: turnsSides ? rows.width : rows.height,
      pixels: pixels?.picture)
  }
}

extension PixelCollector {
  /// A collector for the rows of one reader.
  fileprivate convenience init(_ rows: RowFormat) {
    self.init(width: rows.width, height: rows.height, layout: rows.layout)
  }
}
