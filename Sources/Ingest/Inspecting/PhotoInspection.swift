public import IngestCore
import IngestFiles
import PhotoCodecs

/// Loads single photos and tells both events of each.
public struct PhotoInspection: Sendable {
  public let limits: LoadLimits
  public let decoding: Decoding
  private let place: DecodingPlace

  /// - Parameter place: where photos are decoded. After a breakdown of its decoders `inspect` throws.
  public init(limits: LoadLimits = LoadLimits(), decoding: Decoding = .scaled, place: DecodingPlace = .inProcess) {
    self.limits = limits
    self.decoding = decoding
    self.place = place
  }

  /// Loads the photo at `path` (exact bytes, as given) and returns its row.
  ///
  /// `degraded` hears the stand-in first, if one can be made: here at any price, so a photo without one at hand is read
  /// twice. The row's path is `path` as given. A photo that cannot be opened has a failed row, as in a run.
  /// Blocks the calling thread.
  @available(*, noasync, message: "inspect blocks its thread; call it from a thread of your own")
  public func inspect(
    _ path: [UInt8], control: CollectionControl, degraded: @escaping @Sendable (AssetRow.Preview) -> Void
  ) throws(RunError) -> AssetRow {
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    let folderPath = slash.map { $0 == 0 ? path[...0] : path[..<$0] } ?? [UInt8(ascii: ".")][...]
    let name = slash.map { path[($0 + 1)...] } ?? path[...]
    let folder: SourceFolder
    do {
      folder = try SourceFolder.open(Array(folderPath))
    } catch {
      return AssetRow(path: RelativePath(path), status: .failed, error: error.loadFailure)
    }
    guard !name.isEmpty else {
      let failure = LoadFailure(.unreadable, "is a folder, not a photo")
      return AssetRow(path: RelativePath(path), status: .failed, error: failure)
    }
    var row = try load(Asset(path: RelativePath(Array(name))), in: folder, control: control, degraded: degraded)
    row.path = RelativePath(path)
    return row
  }

  private func load(
    _ asset: Asset, in folder: SourceFolder, control: CollectionControl,
    degraded: @escaping @Sendable (AssetRow.Preview) -> Void
  ) throws(RunError) -> AssetRow {
    let request = DecodeRequest(
      scale: decoding == .full ? .full : .scaled,
      limits: DecodeLimits(maxPixels: limits.maxPixels, maxMemory: limits.maxMemory))
    let loader = PhotoLoader(folder: folder, threads: 1, request: request, timeout: limits.timeout, place: place)
    defer { loader.shutDown() }

    let standIn = Guarded<AssetRow.Preview?>(nil)
    var row: AssetRow?
    let patience = limits.timeout + .seconds(5)
    _ = Collector(loader: loader, window: 1, timeLimit: patience).collect(
      [asset], control: control,
      onDegraded: { _, _, preview in
        standIn.withLock { $0 = preview.facts }
        degraded(preview.facts)
      },
      take: { row = Self.row(of: $0) })
    if case .processes(_, let watch) = place, let breakdown = watch.breakdown { throw RunError(breakdown) }
    guard var row, !control.isCancelled else { throw .cancelled }

    if standIn.withLock({ $0 }) == nil, row.status == .verified {
      let fast = Collector(
        loader: loader, window: 1, options: ImageRequestOptions(deliveryMode: .fastFormat), timeLimit: patience)
      _ = fast.collect([asset], control: control) { turn in
        guard case .standIn(let preview) = turn.outcome else { return }
        degraded(preview.facts)
        row.preview = preview.facts
      }
    }
    return row
  }

  private static func row(of turn: Collector<PhotoLoader>.Turn) -> AssetRow? {
    switch turn.outcome {
    case .original(let photo): photo.row
    case .failed(_, let salvage?): salvage.row
    case .failed(let failure, nil): AssetRow(path: turn.asset.path, status: .failed, error: failure)
    case .standIn, .cancelled: nil
    }
  }
}
