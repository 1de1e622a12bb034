internal import CPublishing

/// Wraps the C session: transfers that run side by side on the thread that owns it.
// Unchecked: all but `wake` is called by the client's thread alone; `wake` is for any thread (curl_multi_wakeup), and
// the inbox's guard keeps the session until it returns.
@safe struct HTTPSession: @unchecked Sendable {
  private let pointer: OpaquePointer

  init() throws(HTTPFailure) {
    var words = CPResult()
    let made = unsafe withUnsafeMutableBytes(of: &words.reason) { place -> OpaquePointer? in
      guard let base = unsafe place.bindMemory(to: CChar.self).baseAddress else { return nil }
      return unsafe cp_session_make(base)
    }
    guard let made = unsafe made else { throw HTTPFailure(.noLibrary, reason: HTTPResult.text(of: words)) }
    unsafe pointer = made
  }

  func free() {
    unsafe cp_session_free(pointer)
  }

  /// Nil, or why nothing can be moved any more.
  func perform() -> HTTPFailure? {
    Self.failure(unsafe cp_session_perform(pointer))
  }

  /// Nil, or why it could not wait and has returned at once.
  func wait(milliseconds: Int32) -> HTTPFailure? {
    Self.failure(unsafe cp_session_wait(pointer, milliseconds))
  }

  private static func failure(_ code: Int32) -> HTTPFailure? {
    code > 0 ? HTTPFailure(.broken, reason: "libcurl cannot go on (code \(code))") : nil
  }

  func wake() {
    unsafe cp_session_wake(pointer)
  }

  /// A transfer that is over.
  func next() -> (HTTPTransfer, HTTPResult)? {
    var result = CPResult()
    guard let transfer = unsafe cp_session_next(pointer, &result) else { return nil }
    return (unsafe HTTPTransfer(pointer: transfer), HTTPResult(result))
  }

  /// Begins a transfer that tells `flight` what comes; the flight must be kept until the transfer is freed.
  func add(_ flight: HTTPFlight, expects: Bool) throws(HTTPFailure) -> HTTPTransfer {
    let request = flight.request
    var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    if !expects { lines.append("Expect:") }
    let headers = FlatBytes(lines.map { Array($0.utf8) + [0] })
    let contents = FlatBytes((request.body?.parts ?? []).map { if case .bytes(let bytes) = $0 { bytes } else { [] } })
    var result = CPResult()
    let transfer = unsafe request.method.withCString { method in
      unsafe request.address.withCString { address in
        unsafe "photo-ingest".withCString { agent in
          unsafe withOptionalCString(request.authorities) { authorities in
            unsafe headers.withPointers { headers in
              unsafe contents.withPointers { contents in
                let texts = unsafe headers.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
                let parts = unsafe zip(request.body?.parts ?? [], contents).map { unsafe $0.plain($1) }
                return unsafe texts.withUnsafeBufferPointer { texts in
                  unsafe parts.withUnsafeBufferPointer { parts in
                    var plan = unsafe CPPlan(
                      method: method, address: address, headers: nil, header_count: texts.count,
                      has_body: request.body != nil, parts: parts.baseAddress, part_count: parts.count, agent: agent,
                      authorities: authorities, allows_http: request.allowsHTTP,
                      connect_limit: Self.milliseconds(request.limits.connect),
                      total_limit: request.limits.total.map(Self.milliseconds) ?? 0,
                      stall_seconds: request.limits.stall.map { max(1, Self.milliseconds($0) / 1000) } ?? 0)
                    return unsafe texts.withMemoryRebound(to: UnsafePointer<CChar>.self) { texts in
                      unsafe plan.headers = texts.baseAddress
                      return unsafe cp_session_add(pointer, &plan, flight.plainSink, &result)
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    guard let transfer = unsafe transfer else {
      throw HTTPFailure(.refused, reason: HTTPResult(result).reason)
    }
    return unsafe HTTPTransfer(pointer: transfer)
  }

  /// At least 1, since 0 means no limit there.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return max(1, Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000))
  }
}

/// Names a transfer of a session.
@safe struct HTTPTransfer: Hashable {
  fileprivate let pointer: OpaquePointer

  static func == (one: Self, other: Self) -> Bool {
    unsafe one.pointer == other.pointer
  }

  func hash(into hasher: inout Hasher) {
    unsafe hasher.combine(UInt(bitPattern: pointer))
  }

  /// Ends the transfer, over or not.
  func free() {
    unsafe cp_transfer_free(pointer)
  }
}

/// Holds how a transfer ended.
struct HTTPResult {
  let end: CPEnd
  let reason: String

  init(_ result: CPResult) {
    end = result.end
    reason = Self.text(of: result)
  }

  static func text(of result: CPResult) -> String {
    unsafe withUnsafeBytes(of: result.reason) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// Keeps many runs of bytes in one, so that C can have a pointer to each.
private struct FlatBytes {
  private var bytes: [UInt8] = []
  private var starts: [Int] = []

  init(_ runs: [[UInt8]]) {
    for run in runs {
      starts.append(bytes.count)
      bytes += run
    }
    // So that there is a place in memory also for nothing.
    bytes.append(0)
  }

  func withPointers<Result>(_ body: ([UnsafePointer<UInt8>]) -> Result) -> Result {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      let pointers = unsafe starts.compactMap { start in unsafe buffer.baseAddress.map { unsafe $0 + start } }
      return unsafe body(pointers)
    }
  }
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
  guard let text else { return body(nil) }
  return unsafe text.withCString { unsafe body($0) }
}

extension HTTPBody.Part {
  /// As C has it; `place` is where the bytes lie.
  fileprivate func plain(_ place: UnsafePointer<UInt8>) -> CPPart {
    switch self {
    case .bytes(let bytes):
      unsafe CPPart(
        bytes: place, descriptor: -1, offset: 0, length: Int64(bytes.count), file_size: 0, file_modified: 0,
        file_changed: 0)
    case .file(let file):
      unsafe CPPart(
        bytes: nil, descriptor: file.descriptor, offset: file.offset, length: file.length, file_size: file.size,
        file_modified: file.modified, file_changed: file.changed)
    }
  }
}

extension HTTPFlight {
  /// The flight as C calls it. It is not kept by this.
  fileprivate var plainSink: CPSink {
    unsafe CPSink(
      context: Unmanaged.passUnretained(self).toOpaque(),
      line: { context, bytes, length in
        unsafe Unmanaged<HTTPFlight>.fromOpaque(context).takeUnretainedValue()
          .take(line: UnsafeRawBufferPointer(start: bytes, count: length))
      },
      body: { context, bytes, length in
        unsafe Unmanaged<HTTPFlight>.fromOpaque(context).takeUnretainedValue()
          .take(body: UnsafeRawBufferPointer(start: bytes, count: length))
      })
  }
}

/// Reads addresses.
enum HTTPAddress {
  /// Where a reference found in an answer of `base` leads, and whether that is the same scheme, host and port.
  static func join(_ base: String, _ reference: String) -> (address: String, isHome: Bool)? {
    var place = [CChar](repeating: 0, count: 8192)
    let addressing = unsafe base.withCString { base in
      unsafe reference.withCString { reference in
        unsafe place.withUnsafeMutableBufferPointer { place -> CPAddressing in
          guard let start = place.baseAddress else { return .invalid }
          return unsafe cp_address_join(base, reference, start, place.count)
        }
      }
    }
    guard addressing != .invalid else { return nil }
    let text = String(decoding: place.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return (text, addressing == .sameOrigin)
  }
}

extension HTTPAddress {
  /// An address without what may be secret in it: a user, a query.
  static func shown(_ address: String) -> String {
    let path = address[..<(address.firstIndex { $0 == "?" || $0 == "#" } ?? address.endIndex)]
    guard let start = path.firstRange(of: "://")?.upperBound else { return String(path) }
    let host = path[start...].prefix { $0 != "/" }
    guard let at = host.lastIndex(of: "@") else { return String(path) }
    return String(path[..<start] + path[path.index(after: at)...])
  }
}
