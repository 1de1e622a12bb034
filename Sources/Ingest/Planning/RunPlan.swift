import Catalogue
import IngestCore
import IngestFiles

/// Decides for every photo whether it is read and why, before anything is read.
///
/// The candidates and the catalogue are walked side by side in the order of the paths' bytes, so that nothing is looked
/// up: 100,000 photos take a fraction of a second, and little is kept for each.
struct RunPlan {
  /// In load order, which is the order of the manifest but for `captured`.
  private(set) var candidates: [Candidate]
  /// One for each candidate.
  private(set) var turns: [PlannedTurn]
  /// Known photos that are no candidates any more.
  private(set) var missing: [MissingPhoto] = []
  /// How many photos the last manifest lists.
  private(set) var known = 0
  /// How many of these are there and not asked for any more: by the filters, the list of names, the look at hidden ones.
  private(set) var unasked = 0
  /// How many thumbnails the kept photos have.
  private(set) var keptThumbnails = 0
  /// How many of the photos that are gone may have been renamed or moved inside the source folder.
  private(set) var moved = 0
  /// Photos that are gone and were found under another name, by a run that did not complete or by one that reads all.
  private(set) var refound: Set<[UInt8]> = []
  /// Files whose photos are known though no manifest lists them: a run that did not complete has read them.
  private var resumed: [FileIdentity] = []

  /// Is a known photo that the scan has not found.
  struct MissingPhoto {
    enum Whereabouts: Equatable {
      /// Nothing has its name any more.
      case gone
      /// It is there, but not asked for.
      case leftOut
      /// Nothing has its name any more, and no manifest has listed it: the run that read it did not complete.
      case goneUnlisted
    }

    var photo: KnownPhoto
    var whereabouts: Whereabouts
  }

  /// The plan of a first run: everything is new.
  init(allNew candidates: [Candidate]) {
    self.candidates = candidates
    turns = Array(repeating: .load(.new), count: candidates.count)
  }

  /// Compares what was found with what is known.
  init(
    _ found: CandidateList, source: SourceFolder, output: OutputFolder, catalogue: Catalogue, census: ThumbnailCensus,
    configuration: RunConfiguration, control: CollectionControl
  ) throws(RunError) {
    self.init(allNew: found.candidates)
    let judge = try remembering { () throws(CatalogueError) in
      try PlanJudge(configuration, source: source, output: output, census: census, catalogue: catalogue)
    }
    var strangers: [KnownPhoto] = []
    let settled: KnownPhoto.LineID?
    do {
      settled = try catalogue.settledLine
      strangers = try walk(catalogue, judge, listed: settled, control)
    } catch {
      throw RunError(error)
    }
    if control.isCancelled { throw .cancelled }
    try place(strangers, found, source, configuration, listed: settled)
    findTwins(judge)
  }

  /// Gives new photos that look like one that is gone what is known of that.
  ///
  /// What a run that did not complete has read under a new name has its own row and is no new photo any more, but the one
  /// under the old name has moved all the same.
  private mutating func findTwins(_ judge: PlanJudge) {
    var finder = TwinFinder(gone)
    guard !finder.isEmpty else { return }
    for identity in resumed {
      if let twin = finder.take(for: identity) { refound.insert(twin.path) }
    }
    for turn in turns.indices {
      guard isNew(turn), let identity = candidates[turn].identity, let twin = finder.take(for: identity)
      else { continue }
      if judge.readsEverything { refound.insert(twin.path) } else { turns[turn] = .load(.new, twin: judge.twin(twin)) }
    }
    moved = finder.taken
  }

  private func isNew(_ turn: Int) -> Bool {
    if case .load(.new, nil) = turns[turn] { true } else { false }
  }

  /// Whether the last manifest lists a photo.
  private static func isListed(_ photo: KnownPhoto, _ listed: KnownPhoto.LineID?) -> Bool {
    listed.map { photo.line <= $0 } ?? true
  }

  /// Walks both lists and returns the known photos without a candidate.
  private mutating func walk(
    _ catalogue: Catalogue, _ judge: PlanJudge, listed: KnownPhoto.LineID?, _ control: CollectionControl
  ) throws(CatalogueError) -> [KnownPhoto] {
    let paths = candidates.map(\.path.bytes)
    let order = paths.indices.sorted { ByteOrder.isLess(paths[$0], paths[$1]) }
    var strangers: [KnownPhoto] = []
    var next = 0
    var last: [UInt8]?
    while !control.isCancelled {
      let page = try catalogue.photos(after: last)
      guard let end = page.last else { break }
      last = end.path
      known += page.count { Self.isListed($0, listed) }
      var restamped: [KnownPhoto] = []
      for photo in page {
        while next < order.count, ByteOrder.isLess(paths[order[next]], photo.path) { next += 1 }
        guard next < order.count, paths[order[next]] == photo.path else {
          strangers.append(photo)
          continue
        }
        let turn = order[next]
        next += 1
        turns[turn] = judge.turn(for: candidates[turn], photo)
        if !Self.isListed(photo, listed), let identity = candidates[turn].identity { resumed.append(identity) }
        guard case .keep = turns[turn] else { continue }
        keptThumbnails += photo.thumbnails
        if let identity = candidates[turn].identity, photo.stamp?.place == nil {
          var photo = photo
          photo.stamp = FileStamp(identity)
          restamped.append(photo)
        }
      }
      if !restamped.isEmpty { try catalogue.update(restamped) }
    }
    return strangers
  }

  /// Finds out what became of known photos that the scan has not found, and gives those that are out of sight a turn.
  private mutating func place(
    _ strangers: [KnownPhoto], _ found: CandidateList, _ source: SourceFolder, _ configuration: RunConfiguration,
    listed: KnownPhoto.LineID?
  ) throws(RunError) {
    var hasNewTurns = false
    for photo in strangers {
      let path = RelativePath(photo.path)
      // Only a list asks for addresses, and nobody has looked whether it is still there.
      if path.isAddress {
        missing.append(MissingPhoto(photo: photo, whereabouts: .leftOut))
        if Self.isListed(photo, listed) { unasked += 1 }
        continue
      }
      let isWanted = configuration.listedPaths == nil && configuration.filter.accepts(path)
      var reason: String?
      if let folder = found.unread.first(where: { $0.holds(photo.path) }) {
        reason = folder.reason
      } else {
        switch source.isFolder(path) ? .gone : source.presence(of: path) {
        case .gone:
          missing.append(MissingPhoto(photo: photo, whereabouts: Self.isListed(photo, listed) ? .gone : .goneUnlisted))
          continue
        case .there: break
        case .hidden(let words): reason = words
        }
      }
      guard let reason, isWanted else {
        missing.append(MissingPhoto(photo: photo, whereabouts: .leftOut))
        if Self.isListed(photo, listed) { unasked += 1 }
        continue
      }
      hasNewTurns = true
      candidates.append(Candidate(path: path, identity: nil))
      turns.append(.shelter(LoadFailure(.unreadable, "lies in a folder that cannot be read: it \(reason)")))
    }
    guard hasNewTurns else { return }
    let order = CandidateList.sortedIndices(candidates, by: configuration.order)
    candidates = order.map { candidates[$0] }
    turns = order.map { turns[$0] }
  }

  /// Turns whose photos are read, in load order.
  var loads: [Int] {
    turns.indices.filter { if case .load = turns[$0] { true } else { false } }
  }

  /// What photos to be read may turn out to be, by their paths.
  var twins: [[UInt8]: PhotoTwin] {
    var twins: [[UInt8]: PhotoTwin] = [:]
    for turn in turns.indices {
      if case .load(_, let twin?) = turns[turn] { twins[candidates[turn].path.bytes] = twin }
    }
    return twins
  }

  /// Known photos that are gone from the source.
  var gone: [KnownPhoto] {
    missing.filter { $0.whereabouts == .gone }.map(\.photo)
  }
}
