public import Ingest
public import IngestCore

/// Does the work that commands ask for. The facade does it in the product; tests put scripts in its place.
public protocol IngestEngine: Sendable {
  func run(
    _ configuration: RunConfiguration, control: CollectionControl, report: @escaping IngestRun.Report
  ) throws(RunError) -> RunSummary

  func listCandidates(
    _ configuration: RunConfiguration, control: CollectionControl, report: @escaping IngestRun.Report,
    candidate: (RelativePath) -> Void
  ) throws(RunError) -> CandidateSummary

  func runAlbums(
    _ configuration: AlbumsConfiguration, control: CollectionControl, report: @escaping AlbumsRun.Report
  ) throws(RunError) -> AlbumsSummary

  func listAlbums(
    _ configuration: AlbumsConfiguration, control: CollectionControl, report: @escaping AlbumsRun.Report,
    candidate: (Album, RelativePath) -> Void
  ) throws(RunError) -> [AlbumListing]

  /// The albums that an output folder holds; nil where it holds the results of a single folder, or none.
  func albums(below directory: [UInt8]) throws(RunError) -> AlbumList?

  func verifyAlbums(
    _ verification: AlbumsVerification, control: CollectionControl, report: @escaping AlbumsVerification.Report
  ) throws(RunError) -> [AlbumCheck]

  func bagAlbums(
    _ export: AlbumsBagExport, control: CollectionControl
  ) throws(RunError) -> [(name: RelativePath, outcome: Result<BagExport.Result, RunError>)]

  func exportAlbums(
    _ export: AlbumsManifestExport, to destination: ManifestExport.Destination
  ) throws(RunError) -> AlbumsManifestExport.Result

  func export(_ export: ManifestExport, to destination: ManifestExport.Destination) throws(RunError) -> Int

  func bag(_ export: BagExport, control: CollectionControl) throws(RunError) -> BagExport.Result

  func verify(
    _ verification: OutputVerification, control: CollectionControl, report: @escaping OutputVerification.Report
  ) throws(RunError) -> VerifySummary

  /// Writes the gauges of a run that has ended.
  func write(_ figures: LastRunFigures, to file: PrometheusFile) throws(RunError)

  func publish(
    _ publication: PublishRun, control: CollectionControl, report: @escaping PublishRun.Report
  ) throws(RunError) -> PublishSummary

  func inspect(
    _ path: [UInt8], with inspection: PhotoInspection, control: CollectionControl,
    degraded: @escaping @Sendable (AssetRow.Preview) -> Void
  ) throws(RunError) -> AssetRow
}

/// Lets the facade do the work.
public struct FacadeEngine: IngestEngine {
  public init() {}

  public func run(
    _ configuration: RunConfiguration, control: CollectionControl, report: @escaping IngestRun.Report
  ) throws(RunError) -> RunSummary {
    try IngestRun(configuration).run(control: control, report: report)
  }

  public func listCandidates(
    _ configuration: RunConfiguration, control: CollectionControl, report: @escaping IngestRun.Report,
    candidate: (RelativePath) -> Void
  ) throws(RunError) -> CandidateSummary {
    try IngestRun(configuration).listCandidates(control: control, report: report, candidate: candidate)
  }

  public func runAlbums(
    _ configuration: AlbumsConfiguration, control: CollectionControl, report: @escaping AlbumsRun.Report
  ) throws(RunError) -> AlbumsSummary {
    try AlbumsRun(configuration).run(control: control, report: report)
  }

  public func listAlbums(
    _ configuration: AlbumsConfiguration, control: CollectionControl, report: @escaping AlbumsRun.Report,
    candidate: (Album, RelativePath) -> Void
  ) throws(RunError) -> [AlbumListing] {
    try AlbumsRun(configuration).listCandidates(control: control, report: report, candidate: candidate)
  }

  public func albums(below directory: [UInt8]) throws(RunError) -> AlbumList? {
    try AlbumList.governing(directory)
  }

  public func verifyAlbums(
    _ verification: AlbumsVerification, control: CollectionControl, report: @escaping AlbumsVerification.Report
  ) throws(RunError) -> [AlbumCheck] {
    try verification.run(control: control, report: report)
  }

  public func bagAlbums(
    _ export: AlbumsBagExport, control: CollectionControl
  ) throws(RunError) -> [(name: RelativePath, outcome: Result<BagExport.Result, RunError>)] {
    try export.run(control: control)
  }

  public func exportAlbums(
    _ export: AlbumsManifestExport, to destination: ManifestExport.Destination
  ) throws(RunError) -> AlbumsManifestExport.Result {
    try export.export(to: destination)
  }

  public func export(
    _ export: ManifestExport, to destination: ManifestExport.Destination
  ) throws(RunError) -> Int {
    try export.export(to: destination)
  }

  public func bag(_ export: BagExport, control: CollectionControl) throws(RunError) -> BagExport.Result {
    try export.run(control: control)
  }

  public func verify(
    _ verification: OutputVerification, control: CollectionControl, report: @escaping OutputVerification.Report
  ) throws(RunError) -> VerifySummary {
    try verification.run(control: control, report: report)
  }

  public func publish(
    _ publication: PublishRun, control: CollectionControl, report: @escaping PublishRun.Report
  ) throws(RunError) -> PublishSummary {
    try publication.run(control: control, report: report)
  }

  public func write(_ figures: LastRunFigures, to file: PrometheusFile) throws(RunError) {
    try file.write(figures)
  }

  public func inspect(
    _ path: [UInt8], with inspection: PhotoInspection, control: CollectionControl,
    degraded: @escaping @Sendable (AssetRow.Preview) -> Void
  ) throws(RunError) -> AssetRow {
    try inspection.inspect(path, control: control, degraded: degraded)
  }
}
