import HostProcess
import IngestCore
import IngestFiles
import Publishing

/// Remembers what is up, line by line as it happens, so that a killed run sends nothing twice.
///
/// `DIR/.photo-ingest/publish.jsonl`: a line for each object that is at its place, and for each list that was posted. A
/// torn last line is dropped; what no photo of the manifest needs is dropped when it is the greater part; a file that is no journal is put aside, with a word, and the target is asked instead.
final class PublishJournal: Sendable {
  static let name = "publish.jsonl"
  private static let path = Array(".photo-ingest/publish.jsonl".utf8)
  /// A longer file is no journal of ours: there is room for a million objects.
  private static let longest = 256 << 20

  private struct State {
    var ends: [String: UploadEnd] = [:]
    var posted: Set<String> = []
    var failure: FileError?

    /// Drops objects that the plan does not have, when a file of so many lines is mostly made of them; false otherwise.
    /// Lists that were posted are kept: they must never be posted again.
    mutating func shed(keeping plan: PublishPlan, of lines: Int) -> Bool {
      let needed = Set(plan.photos.lazy.flatMap(\.objects).map(PublishJournal.key))
      guard lines > 2 * (needed.count + posted.count) + PublishJournal.fewLines else { return false }
      ends = ends.filter { needed.contains($0.key) }
      return true
    }
  }

  /// So few are not worth a new file.
  private static let fewLines = 1000

  private let state: Guarded<State>
  private let stream: OutputStream?

  /// Reads what there is and opens it for more. `warn` hears of what had to be put aside.
  static func open(
    _ output: OutputFolder, for plan: PublishPlan, ignoring: Bool, warn: (String) -> Void
  ) throws(RunError) -> PublishJournal {
    let place = Array(output.ownPath(name).utf8)
    var known = State()
    if output.hasOwn(name) {
      // A link, or what else is no file of ours, is never read nor written through.
      let isOurs = output.identity(ofFile: ".photo-ingest/" + name) != nil
      let content = isOurs ? content(of: place) : nil
      let read = content.map(read)
      if let read, !ignoring { known = read.state }
      if read == nil || read?.isSound == false || ignoring {
        if !ignoring {
          warn(".photo-ingest/\(name): damaged, and put aside; what it does not tell is asked of the target")
        }
        do {
          try output.renameOwn(name, to: name + ".old")
          try output.write(encoded(known), to: ".photo-ingest/" + name)
        } catch {
          throw .outputUnusable(error)
        }
      } else if read?.isTorn == true || known.shed(keeping: plan, of: read?.lines ?? 0) {
        do {
          try output.write(encoded(known), to: ".photo-ingest/" + name)
        } catch {
          throw .outputUnusable(error)
        }
      }
    }
    do {
      return PublishJournal(known, try OutputStream.appending(to: place))
    } catch {
      throw .outputUnusable(FileError(path: path, operation: error.operation, errno: error.errno))
    }
  }

  /// Reads what there is, and writes nothing.
  static func look(below directory: [UInt8]) -> PublishJournal {
    let content = content(of: directory + "/.photo-ingest/\(name)".utf8)
    return PublishJournal(content.map { read($0).state } ?? State(), nil)
  }

  private init(_ known: State, _ stream: OutputStream?) {
    state = Guarded(known)
    self.stream = stream
  }

  // MARK: What is known

  func end(of object: PublishObject) -> UploadEnd? {
    let key = Self.key(object)
    return state.withLock { $0.ends[key] }
  }

  func wasPosted(_ key: String) -> Bool {
    state.withLock { $0.posted.contains(key) }
  }

  /// Set when something could not be written down; then the run must not look like a good one.
  var failure: FileError? { state.withLock { $0.failure } }

  func note(_ object: PublishObject, _ end: UploadEnd) {
    let key = Self.key(object)
    state.withLock { $0.ends[key] = end }
    append(Self.line(key, end))
  }

  func notePost(_ key: String) {
    state.withLock { _ = $0.posted.insert(key) }
    append(Self.line(post: key))
  }

  private func append(_ line: [UInt8]) {
    guard let stream, !stream.write(line) else { return }
    let errno = stream.failure ?? 0
    state.withLock {
      $0.failure = FileError(path: Self.path, operation: "cannot be written", errno: errno)
    }
  }

  // MARK: Form

  private static func key(_ object: PublishObject) -> String { object.object.sha256 + " " + object.memory }

  private static func line(_ key: String, _ end: UploadEnd) -> [UInt8] {
    JSONWriter.line { writer in
      writer.member("object", key)
      writer.member("status", end.rawValue)
    }
  }

  private static func line(post key: String) -> [UInt8] {
    JSONWriter.line { $0.member("posted", key) }
  }

  private static func encoded(_ state: State) -> [UInt8] {
    var bytes: [UInt8] = []
    for (key, end) in state.ends.sorted(by: { $0.key < $1.key }) { bytes += line(key, end) }
    for key in state.posted.sorted() { bytes += line(post: key) }
    return bytes
  }

  private static func content(of path: [UInt8]) -> [UInt8]? {
    guard let file = try? InputFile.open(path) else { return nil }
    var bytes: [UInt8] = []
    while let piece = try? file.next() {
      if piece.isEmpty { return bytes }
      guard piece.count <= longest - bytes.count else { return nil }
      bytes += piece
    }
    return nil
  }

  private static func read(_ bytes: [UInt8]) -> (state: State, lines: Int, isSound: Bool, isTorn: Bool) {
    var state = State()
    var isSound = true
    var lines = 0
    let newLine = UInt8(ascii: "\n")
    let end = bytes.lastIndex(of: newLine).map { $0 + 1 } ?? 0
    for line in bytes[..<end].split(separator: newLine) {
      lines += 1
      guard let value = try? JSONReader().read(Array(line)) else {
        isSound = false
        continue
      }
      if let key = value["object"]?.stringValue,
        let end = value["status"]?.stringValue.flatMap({ UploadEnd(rawValue: $0) })
      {
        state.ends[key] = end
      } else if let key = value["posted"]?.stringValue {
        state.posted.insert(key)
      }
    }
    return (state, lines, isSound, end < bytes.count)
  }
}
