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
      let rows = try picture.begin(minimumLongSide: request.minimumLongSide)
      result.isFullScale = rows.isFullScale
      if request.wantsStandIn, standIn == nil, let scan = scanStandIn(rows) { onStandIn(scan) }
      decode(rows)
    } catch {
      result.verdict = .failed(error)
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
      let rows = try picture.begin(minimumLongSide: 0)
      if let scan = scanStandIn(rows) { return scan }
      let collector = request.keepsPixels ? PixelCollector(rows) : nil
      guard try unsafe picture.readRows(rows, into: { unsafe collector?.push($0, count: $1) }) == rows.height else {
        return nil
      }
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
      _ = try unsafe picture.readRows(rows) { bytes, count in
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
    // At its end a reader knows more than when it failed: whether pixels or the end marker alone are missing.
    if let error = ending.damage ?? failure { result.verdict = Self.verdict(of: error, rows: delivered) }
    if case .failed = result.verdict { return }
    makePictures(maker, collector)
  }

  private func makePictures(_ maker: ThumbnailMaker?, _ collector: PixelCollector?) {
    let colour = picture.colour
    let orientation = result.orientation ?? 1
    if let icc = colour.icc { result.profileName = ColourProfile.description(of: icc) }
    let hasLostPixels = if case .damaged(let error) = result.verdict { error.code != .missingEndMarker } else { false }
    if let maker, !(hasLostPixels && salvageThumbnails()) {
      if request.keepsThumbnailPixels {
        result.thumbnailPixels =
          maker.finishPixels(orientation: orientation, colour: colour, converter: converter).pictures
      }
      let made = maker.finish(orientation: orientation, colour: colour, converter: converter)
      result.thumbnails = made.thumbnails
      result.notes.formUnion(made.notes)
    }
    if let collector {
      let made = collector.finish(orientation: orientation, colour: colour, converter: converter)
      result.pixels = made.picture
      result.notes.formUnion(made.notes)
    }
    if hasLostPixels, !result.thumbnails.isEmpty { result.notes.insert("salvaged-preview") }
  }

  /// Makes the thumbnails of a photo that lost pixels from its embedded picture (rule 6 of the design); false when it
  /// has none: then its own rows, as far as they came, must do.
  private func salvageThumbnails() -> Bool {
    guard let picture = embeddedPicture() else { return false }
    let maker = ThumbnailMaker(
      width: picture.rows.width, height: picture.rows.height, layout: picture.rows.layout,
      sizes: request.thumbnailSizes)
    guard unsafe picture.read(into: { unsafe maker.push($0, count: $1) }) else { return false }
    let made = maker.finish(
      orientation: result.orientation ?? 1, colour: picture.colour, converter: converter)
    result.thumbnails = made.thumbnails
    result.notes.formUnion(made.notes)
    return true
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

  /// The picture inside the Exif block.
  private func embeddedStandIn() -> StandInPicture? {
    guard let picture = embeddedPicture() else { return nil }
    let collector = request.keepsPixels ? PixelCollector(picture.rows) : nil
    guard unsafe picture.read(into: { unsafe collector?.push($0, count: $1) }) else { return nil }
    return standIn(.embedded, picture.rows, collector, colour: picture.colour)
  }

  private func embeddedPicture() -> EmbeddedPicture? {
    guard let jpeg = facts?.embeddedJPEG, let header = result.header else { return nil }
    return EmbeddedPicture(jpeg, of: header, cancellation: cancellation)
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
