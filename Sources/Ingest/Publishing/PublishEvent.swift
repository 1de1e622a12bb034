public import IngestCore

/// Tells what a publication is doing.
public enum PublishEvent: Sendable {
  /// Begins an album, where the output has several; its name.
  case album(String)
  /// How many photos the manifest lists, and how many of them are up already.
  case planned(photos: Int, done: Int)
  case progressed(finished: Int, of: Int)
  /// One photo's state is final. In the order of the manifest.
  case photo(PublishReceipt)
  /// The list was posted, now or by an earlier run.
  case posted(wasBefore: Bool)
  /// The step that ended the publication early, and why.
  case stopped(step: String, reason: String)
  case message(RunEvent.Level, String)
}

/// Tells what became of one photo: a line of `published.jsonl`.
public struct PublishReceipt: Sendable {
  /// How a photo stands at the target: it was sent by this run, it was there already, it cannot go up, or it was not tried
  /// to the end.
  public enum Status: String, Sendable, CaseIterable { case sent, present, failed, pending }

  public var index: Int
  public var path: RelativePath
  public var status: Status
  /// Nil for a photo that has nothing to be published.
  public var key: String?
  public var sha256: String?
  public var url: String?
  /// Why it is not up. Words of servers in it are foreign text.
  public var error: String?

  public init(
    index: Int, path: RelativePath, status: Status, key: String? = nil, sha256: String? = nil, url: String? = nil,
    error: String? = nil
  ) {
    self.index = index
    self.path = path
    self.status = status
    self.key = key
    self.sha256 = sha256
    self.url = url
    self.error = error
  }

  /// Writes the members, in the order of their keys.
  public func write(to writer: inout JSONWriter, record: String) {
    writer.member("error", error)
    writer.member("index", index)
    writer.member("key", key)
    writer.path(path)
    writer.member("record", record)
    writer.member("sha256", sha256)
    writer.member("status", status.rawValue)
    writer.member("url", url)
  }
}

/// Holds what a publication has to say when it is over.
public struct PublishSummary: Sendable {
  public var counts: [PublishReceipt.Status: Int] = [:]
  /// Lists that were to be posted, and those that are.
  public var lists = 0
  public var posted = 0
  /// Whether the owner stopped it.
  public var wasCancelled = false
  public var isDryRun = false
  public var elapsed = Duration.zero

  public init() {}

  public var photos: Int { counts.values.reduce(0, +) }

  /// Whether every photo is up and every list is posted.
  public var isComplete: Bool {
    !wasCancelled && posted == lists && counts[.failed, default: 0] == 0 && counts[.pending, default: 0] == 0
  }
}
