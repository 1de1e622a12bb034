import IngestCore
import IngestFiles
import PhotoCodecs

/// Finds the photos of a source folder and puts them in the order in which they are loaded.
struct CandidateList {
  /// In load order.
  var candidates: [Candidate]
  var leftOut: [String: Int]
  /// Folders that could not be read.
  var unreadable: [FileError]
  /// The same folders by their paths below the source folder.
  var unread: [UnreadFolder]

  /// Scans the folder, or takes the names that were listed.
  ///
  /// For the order `captured` the capture times are known only after the load: until then the order is by name, which
  /// also settles ties.
  ///
  /// - Parameter wantsIdentities: whether anybody needs the state in which the photos were seen; the order may.
  init(
    _ folder: SourceFolder, _ configuration: RunConfiguration, outputFolder: FolderIdentity?,
    control: CollectionControl, wantsIdentities: Bool = true
  ) {
    let wantsIdentities = wantsIdentities || configuration.order == .size || configuration.order == .modified
    let filter = configuration.filter
    var options = ScanOptions(
      includesHidden: configuration.includesHidden, photoExtensions: PhotoExtensions.all, outputFolder: outputFolder,
      sniffLength: Sniffer.prefixLength, accepts: { filter.accepts($0) }, sniff: { Sniffer.format(of: $0) != nil })
    options.wantsIdentities = wantsIdentities
    let result: ScanResult
    if let listed = configuration.listedPaths {
      result = folder.scanList(listed, options, isCancelled: { control.isCancelled })
    } else {
      result = folder.scan(options, isCancelled: { control.isCancelled })
    }
    candidates = Self.sortedIndices(result.candidates, by: configuration.order).map { result.candidates[$0] }
    leftOut = Dictionary(uniqueKeysWithValues: result.leftOut.map { ($0.key.rawValue, $0.value) })
    unreadable = result.messages
    unread = result.unreadFolders
  }

  /// The same, and tells of it.
  static func find(
    in folder: SourceFolder, _ configuration: RunConfiguration, outputFolder: FolderIdentity?,
    control: CollectionControl, wantsIdentities: Bool = true, report: IngestRun.Report
  ) throws(RunError) -> CandidateList {
    let list = CandidateList(
      folder, configuration, outputFolder: outputFolder, control: control, wantsIdentities: wantsIdentities)
    if control.isCancelled { throw .cancelled }
    for error in list.unreadable { report(.message(.warning, error.description)) }
    report(.scanned(count: list.candidates.count))
    return list
  }

  /// The places of candidates in load order.
  static func sortedIndices(_ candidates: [Candidate], by order: AssetOrder) -> [Int] {
    switch order {
    case .list: Array(candidates.indices)
    case .name, .captured: NaturalOrder.sortedPlaces(of: candidates.map(\.path))
    case .size: candidates.indices.sorted { inOrder(candidates[$0], candidates[$1]) { $0.size < $1.size } }
    case .modified: candidates.indices.sorted { inOrder(candidates[$0], candidates[$1]) { $0.modified < $1.modified } }
    }
  }

  /// Compares by `isLess`, then by name; a candidate without an identity comes last.
  private static func inOrder(
    _ a: Candidate, _ b: Candidate, by isLess: (FileIdentity, FileIdentity) -> Bool
  ) -> Bool {
    switch (a.identity, b.identity) {
    case (let x?, let y?):
      if isLess(x, y) { return true }
      if isLess(y, x) { return false }
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil): break
    }
    return NaturalOrder.areInIncreasingOrder(a.path, b.path)
  }
}
