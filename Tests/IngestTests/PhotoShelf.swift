import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs

@testable import Ingest

/// Makes a folder of small photos and loads from it.
struct PhotoShelf: Sendable {
  let folder: TemporaryFolder

  init(_ files: [(String, [UInt8])]) throws {
    folder = try TemporaryFolder()
    for (name, bytes) in files { try folder.file("in/\(name)", bytes) }
    if files.isEmpty { try folder.add([.folder("in", [])]) }
  }

  var source: [UInt8] { Array(folder["in"].utf8) }
  var output: String { folder["out"] }

  func asset(_ name: String, isInCloud: Bool = false) -> Asset {
    Asset(path: RelativePath(name), isInCloud: isInCloud)
  }

  func loader(
    threads: Int = 1, _ request: DecodeRequest = DecodeRequest(thumbnailSizes: [16]), timeout: Duration = .seconds(600),
    place: DecodingPlace = .inProcess
  ) throws -> PhotoLoader {
    PhotoLoader(
      folder: try SourceFolder.open(source), threads: threads, request: request, timeout: timeout, place: place)
  }

  /// Decodes in processes of the program that this build made.
  static let processes = DecodingPlace.processes(
    program: BuiltProgram.path, watch: DecoderWatch(requiresSandbox: false) { _ in })

  /// Whether that can be tried: the memory of a sanitizer does not fit into the limits of a decoder process.
  static var hasProcesses: Bool { BuiltProgram.isAvailable && !BuiltProgram.isSanitized }

  func configuration() -> RunConfiguration {
    var configuration = RunConfiguration(source: source, output: Array(output.utf8))
    configuration.thumbnailSizes = [16]
    return configuration
  }

  /// A photo with an embedded picture.
  static let withStandIn = JPEGSurgery.inserting(
    JPEGSurgery.exif(TinyExif.block(embedded: TinyJPEG.gray.bytes)), into: TinyJPEG.baseline.bytes)

  /// A photo of a megabyte: a small picture and much behind it, so that it is read in several pieces.
  static let large = withStandIn + [UInt8](repeating: 7, count: 1 << 20)
}

/// Keeps the events of requests in the order in which they came.
final class EventLog: Sendable {
  typealias Event = LoadEvent<PhotoPreview, LoadedPhoto>

  private let events = Guarded<[(id: ImageRequestID, event: Event)]>([])
  /// Counts endings.
  let endings = Count()
  private let mode: DeliveryMode

  init(mode: DeliveryMode = .opportunistic) {
    self.mode = mode
  }

  var handler: PhotoLoader.ResultHandler {
    { [self] id, event in
      events.withLock { $0.append((id, event)) }
      if event.isTerminal(for: mode) { endings.add() }
    }
  }

  func words(of id: ImageRequestID) -> [String] {
    events.withLock { $0.filter { $0.id == id }.map(\.event) }.map(Self.word)
  }

  /// Words of all events.
  var words: [String] { events.withLock { $0.map(\.event) }.map(Self.word) }

  var photos: [LoadedPhoto] {
    events.withLock { $0.map(\.event) }.compactMap {
      switch $0 {
      case .final(let photo): photo
      case .failed(_, let salvage): salvage
      case .degraded, .cancelled: nil
      }
    }
  }

  var failures: [LoadFailure] {
    events.withLock { $0.map(\.event) }.compactMap { if case .failed(let failure, _) = $0 { failure } else { nil } }
  }

  var previews: [PhotoPreview] {
    events.withLock { $0.map(\.event) }.compactMap { if case .degraded(let preview) = $0 { preview } else { nil } }
  }

  private static func word(_ event: Event) -> String {
    switch event {
    case .degraded(let preview): "degraded \(preview.facts.source.rawValue)"
    case .final(let photo): "final \(photo.row.status.rawValue)"
    case .failed(let failure, _): "failed \(failure.code.rawValue)"
    case .cancelled: "cancelled"
    }
  }
}
