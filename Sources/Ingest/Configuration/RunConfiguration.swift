public import IngestCore

/// Holds everything the main job needs to know, already checked: the rich side of the command line's options.
public struct RunConfiguration: Sendable {
  /// The folder to scan, as exact bytes.
  public var source: [UInt8]
  /// The output folder, as exact bytes; made when missing.
  public var output: [UInt8]
  /// Longest sides in pixels, each once; empty for no thumbnails.
  public var thumbnailSizes: [Int] = [256]
  /// Manifests beside `manifest.jsonl`, which is always written.
  public var manifests: Set<ManifestFormat> = [.json]
  /// Whether and how originals are put under `originals/`.
  public var originals: AssetRow.OriginalKind?
  /// Whether the files that belong to a photo and stand beside it go along with its original.
  public var carriesSideFiles = false
  /// Whether files under `originals/` that the new manifest does not list are deleted.
  public var prunesOriginals = false
  /// Who made a bag, in its `Bag-Software-Agent`.
  public var software = "photo-ingest"
  public var order: AssetOrder = .name
  /// Loader threads, 1 through 64.
  public var jobs: Int = 1
  public var decoding: Decoding = .scaled
  public var errorPolicy: ErrorPolicy = .continue
  /// Names to load instead of a scan, relative to `source`.
  public var listedPaths: [RelativePath]?
  /// The originals among `listedPaths` that are addresses, by their paths.
  public var remoteOriginals: [RelativePath: RemoteOriginal] = [:]
  /// Whether remote originals are fetched. Without it those that are not in the cache fail with `network-off`.
  public var allowsNetwork = false
  public var fetchLimits = FetchLimits()
  public var filter = AssetFilter()
  public var includesHidden = false
  public var unsupported: UnsupportedPolicy = .report
  public var limits = LoadLimits()
  /// How long the run waits when another one has the output folder.
  public var lockPatience = LockPatience.none
  /// Where photos are decoded. `processes` needs a `workerProgram`.
  public var workers = WorkerPlace.inProcess
  /// The program that decoder processes run: a `photo-ingest`, or `DecodeWorker.thisProgram` where `main` begins with
  /// `DecodeWorker.serve`. A program that is neither would start itself over and over, so there is no default.
  public var workerProgram: String?
  /// Whether the run ends when the kernel refuses a part of the decoders' sandbox.
  public var requiresSandbox = false

  /// Whether every photo is read, whatever is known of it.
  public var readsEverything = false
  /// Whether photos whose row is not verified are read again.
  public var retriesFailed = false
  /// Whether the run goes on though the source folder is empty, on another device, or has lost most of its photos.
  public var acceptsMissing = false
  /// Files younger than this are loaded last, after the rest of it has been waited for. A file from the future is old.
  public var minimumAge: Duration = .zero
  /// Whether `asset` events are told of all rows, or only of those whose photo was read.
  public var tellsEveryRow = true

  /// The folder that holds the album which this run makes, and others beside it; nil for a single folder's run.
  var holdsAlbums: [UInt8]?

  public init(source: [UInt8], output: [UInt8]) {
    self.source = source
    self.output = output
  }

  /// Where the loader decodes.
  ///
  /// - Precondition: decoder processes have a program.
  func decodingPlace(_ watch: DecoderWatch) -> DecodingPlace {
    guard workers == .processes else { return .inProcess }
    guard let workerProgram else { preconditionFailure("decoder processes need a workerProgram") }
    return .processes(program: workerProgram, watch: watch)
  }

  /// Whether a row's index is known only when all photos are loaded.
  var settlesIndexLate: Bool {
    order == .captured || unsupported == .skip
  }
}

/// Chooses how much of a JPEG is turned into pixels. Both read every code of the file.
public enum Decoding: String, Sendable, CaseIterable {
  /// The smallest fast scale that leaves the thumbnails sharp.
  case scaled
  /// Every pixel.
  case full
}

/// Chooses where photos are decoded.
public enum WorkerPlace: String, Sendable, CaseIterable {
  /// In processes of their own, which can open nothing and talk to nobody.
  case processes
  /// In this process.
  case inProcess = "in-process"
}

/// Says when failed photos end the run.
public enum ErrorPolicy: Sendable, Hashable {
  case `continue`
  /// The first photo that is not verified ends the run.
  case stop
  /// More than this many photos that are not verified end the run.
  case atMost(Int)
  /// More than this share of the photos, in percent, ends the run.
  case atMostPercent(Double)
}

/// Says what becomes of photos in formats that are not decoded.
public enum UnsupportedPolicy: String, Sendable, CaseIterable {
  case report
  case skip
}

/// Bounds what fetching remote originals may cost.
public struct FetchLimits: Sendable, Hashable {
  /// How many bytes one original may have.
  public var maxBytes: Int64 = 512 << 20
  /// How many bytes of fetched originals are kept for the next run; the oldest go first.
  public var cacheBytes: Int64 = 4 << 30
  /// For one original: the connection, redirections and everything that is repeated included.
  public var total: Duration = .seconds(300)
  /// How long it may be slower than 1,000 bytes a second.
  public var stall: Duration = .seconds(30)
  /// Whether `http` addresses of other machines may be asked. Anybody on the way can read and change what comes.
  public var allowsHTTP = false

  public init() {}
}

/// Bounds what one photo may cost.
public struct LoadLimits: Sendable, Hashable {
  /// From the header, before decoding.
  public var maxPixels: Int = 200_000_000
  /// Bytes that a picture may need while it is decoded.
  public var maxMemory: Int = 256 << 20
  /// For one photo.
  public var timeout: Duration = .seconds(20)

  public init() {}
}
