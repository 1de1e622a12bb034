internal import Glibc
internal import IngestCore

/// Names the process that holds an output folder, as it has written itself into the lock file.
///
/// Foreign text: whoever may write to the folder may have written it. Clean it before it is shown.
public struct LockHolder: Sendable, Hashable {
  public let processID: Int32
  /// The host's name, as the holder knows it.
  public let host: String
  /// When it took the lock, RFC 3339 in UTC with seconds: `2024-07-01T02:17:00Z`.
  public let started: String

  public init(processID: Int32, host: String, started: String) {
    self.processID = processID
    self.host = host
    self.started = started
  }

  /// This process, now.
  static var here: LockHolder {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
    let text = CalendarTime(secondsSince1970: Int64(now.tv_sec)).text(nanoseconds: 0)
    // The time without its nine decimals.
    return LockHolder(processID: getpid(), host: hostName, started: String(text.prefix { $0 != "." }) + "Z")
  }

  static var hostName: String {
    // A name that is cut off need not end in NUL, so the last byte stays.
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: The note in the lock file

  /// More than this no holder writes: a name of 255 bytes grows to six times its size at most.
  static let longestNote = 4096

  /// `{"host":"nas","pid":4711,"started":"2024-07-01T02:17:00Z"}` and a line feed.
  var note: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("host", host)
    writer.member("pid", processID)
    writer.member("started", started)
    writer.endObject()
    writer.newLine()
    return writer.bytes
  }

  /// Reads a note; nil for one that is empty, half written or not ours.
  init?(note: [UInt8]) {
    guard let value = try? JSONReader().read(note), let number = value["pid"]?.integerValue,
      let processID = Int32(exactly: number), processID > 0, let host = value["host"]?.stringValue,
      let started = value["started"]?.stringValue
    else { return nil }
    self.init(processID: processID, host: host, started: started)
  }

  /// Whether it is known to have ended: a process of this host that is not there any more.
  var isGone: Bool {
    host.utf8.elementsEqual(LockHolder.hostName.utf8) && kill(processID, 0) != 0 && errno == ESRCH
  }
}
