import IngestCore
import IngestFiles
import PhotoCodecs

/// The one adapter between pixels and assets: what a decode told becomes a row of the manifest.
extension AssetRow {
  /// Joins what the codecs, the file system and the checksum say of one photo.
  ///
  /// - Parameter overruling: a failure of the file itself, which beats whatever the decoder saw.
  init(
    path: RelativePath, photo: DecodedPhoto?, identity: FileIdentity, sha256: String?, preview: Preview?,
    overruling failure: LoadFailure?
  ) {
    let (status, error) = Self.verdict(of: photo, overruling: failure)
    self.init(path: path, status: status, error: error)
    bytes = UInt64(clamping: identity.size)
    modified = identity.modifiedRFC3339
    self.sha256 = sha256
    self.preview = preview
    guard let photo else { return }
    format = photo.format?.rawValue
    notes = photo.notes
    noteExtension(of: photo.format)
    // A file that changed under the reader is not described by what was seen of it.
    guard failure == nil else { return }

    describe(photo)
    if let metadata = photo.metadata { describe(metadata) }
    if photo.header != nil, status != .failed {
      verification = Verification(
        method: photo.isFullScale ? .full : .scaled, trailingBytes: photo.trailingBytes, warnings: photo.warnings)
    }
  }

  /// Notes a name that promises another format than the content has.
  mutating func noteExtension(of format: PhotoFormat?) {
    let name = path.fileExtension
    notes.remove("extension-mismatch")
    if let format, !name.isEmpty, !format.agrees(withExtension: name) { notes.insert("extension-mismatch") }
  }

  private static func verdict(of photo: DecodedPhoto?, overruling failure: LoadFailure?) -> (Status, LoadFailure?) {
    if let failure { return (.failed, failure) }
    switch photo?.verdict {
    case .whole: return (.verified, nil)
    case nil: return (.failed, LoadFailure(.decoderCrashed, "nothing is known of the photo"))
    case .damaged(let error): return (.damaged, LoadFailure(error))
    case .failed(let error): return (.failed, LoadFailure(error))
    }
  }

  private mutating func describe(_ photo: DecodedPhoto) {
    guard let header = photo.header else { return }
    width = header.width
    height = header.height
    let turnsSides = (photo.orientation ?? 1) >= 5
    displayWidth = turnsSides ? header.height : header.width
    displayHeight = turnsSides ? header.width : header.height
    orientation = photo.orientation
    orientationSource = photo.orientation == nil ? nil : photo.orientationSource?.rawValue
    bitDepth = header.bitDepth
    components = header.components
    color = header.color
    isProgressive = header.isProgressive
    profile = photo.profileName
  }

  private mutating func describe(_ metadata: PhotoMetadata) {
    captured = metadata.captured.map { Captured(local: $0.local, offset: $0.offset, source: $0.source) }
    let camera = Camera(lens: metadata.lens, make: metadata.make, model: metadata.model)
    if camera != Camera() { self.camera = camera }
    let exposure = Exposure(
      fNumber: metadata.fNumber, focalLength: metadata.focalLength, iso: metadata.iso, seconds: metadata.exposureSeconds
    )
    if exposure != Exposure() { self.exposure = exposure }
    let gps = GPS(altitude: metadata.altitude, latitude: metadata.latitude, longitude: metadata.longitude)
    if gps != GPS() { self.gps = gps }
    description = metadata.description
    comment = metadata.comment
    commentBase64 = metadata.commentBase64
  }
}

extension AssetRow.Preview {
  init(_ standIn: StandInPicture) {
    let source: Source =
      switch standIn.source {
      case .embedded: .embedded
      case .scan: .scan
      case .scaled: .scaled
      }
    self.init(source: source, width: standIn.width, height: standIn.height)
  }
}
