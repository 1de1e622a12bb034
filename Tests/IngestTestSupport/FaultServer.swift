import Foundation
import Glibc
import IngestCore

/// Is an HTTP server of 127.0.0.1 that answers many connections at once, keeps what it is told to keep, and does wrong
/// what a test asks for.
public final class FaultServer: Sendable {
  /// What came.
  public struct Request: Sendable {
    /// The place among all requests, from 0.
    public let number: Int
    public let method: String
    public let path: String
    /// By names in lower case.
    public let headers: [String: String]
    public let body: [UInt8]
  }

  /// What is done about it.
  public indirect enum Reply: Sendable {
    /// `headers` are whole lines without their ends.
    case status(Int, headers: [String] = [], body: [UInt8] = [])
    /// Says nothing until the server goes away.
    case silence
    /// Closes the connection without a word.
    case hangUp
    /// Closes it so that the other side sees a reset.
    case reset
    /// Announces more than it sends, then closes.
    case cutOff(Int)
  }

  /// What was put under each path.
  public struct Shelf: Sendable {
    public var contents: [String: [UInt8]] = [:]
    /// How often something was stored there.
    public var stores: [String: Int] = [:]
  }

  public typealias Script = @Sendable (Request, FaultServer) -> Reply

  public let port: UInt16
  private let listener: Int32
  private let shelf = Guarded(Shelf())
  private let log = Guarded<[Request]>([])
  private let isOver = Gate()
  private let keepsBodies: Bool

  public var address: String { "http://127.0.0.1:\(port)" }
  public var requests: [Request] { log.withLock { $0 } }
  public var stored: Shelf { shelf.withLock { $0 } }

  /// - Parameters:
  ///   - greets: Whether it answers "Expect: 100-continue".
  ///   - script: Says what each request gets; runs on the connection's thread and may wait there.
  public init(
    greets: Bool = true, keepsBodies: Bool = true, _ script: @escaping Script = { $1.plainReply($0) }
  ) throws {
    self.keepsBodies = keepsBodies
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    port = UInt16(bigEndian: place.sin_port)
    let shared = Shared(self)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          close(listener)
          return
        }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread {
          Self.serve(connection, shared, greets: greets, script)
          close(connection)
        }
      }
    }
  }

  /// Lets threads see the server without keeping it.
  private final class Shared: @unchecked Sendable {
    // Weak references are read atomically; nobody writes after the start.
    weak var server: FaultServer?
    init(_ server: FaultServer) { self.server = server }
  }

  deinit {
    isOver.open()
    shutdown(listener, Int32(SHUT_RDWR))
  }

  // MARK: For scripts

  /// What a good server does: PUT stores, HEAD and GET tell, POST is taken.
  public func plainReply(_ request: Request) -> Reply {
    switch request.method {
    case "PUT":
      return .status(store(request) ? 201 : 204)
    case "HEAD", "GET":
      guard let body = shelf.withLock({ $0.contents[request.path] }) else { return .status(404) }
      return .status(200, body: body)
    default: return .status(200, body: Array("ok\n".utf8))
    }
  }

  /// Stores a body; true when nothing was there.
  @discardableResult public func store(_ request: Request) -> Bool {
    shelf.withLock { shelf in
      shelf.stores[request.path, default: 0] += 1
      return shelf.contents.updateValue(keepsBodies ? request.body : [], forKey: request.path) == nil
    }
  }

  // MARK: Connections

  private static func serve(_ connection: Int32, _ shared: Shared, greets: Bool, _ script: Script) {
    var one: Int32 = 1
    _ = unsafe setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    var buffer: [UInt8] = []
    while let (request, isLast) = read(connection, &buffer, shared, greets: greets) {
      guard let server = shared.server else { return }
      let reply = script(request, server)
      switch reply {
      case .status(let code, let headers, let body):
        let isBare = request.method == "HEAD" || code == 204 || code == 304
        var text = "HTTP/1.1 \(code) Some\r\n" + headers.map { $0 + "\r\n" }.joined()
        if code != 204 { text += "Content-Length: \(body.count)\r\n" }
        guard send(connection, Array((text + "\r\n").utf8) + (isBare ? [] : body)), !isLast else { return }
      case .silence:
        server.isOver.wait(limit: 600)
        return
      case .hangUp: return
      case .reset:
        var never = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(connection, SOL_SOCKET, SO_LINGER, &never, socklen_t(MemoryLayout<linger>.size))
        return
      case .cutOff(let code):
        _ = send(connection, Array("HTTP/1.1 \(code) Some\r\nContent-Length: 1000\r\n\r\nhalf".utf8))
        return
      }
    }
  }

  private static func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.send(connection, $0.baseAddress, $0.count, 0x4000) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The next request; nil when the connection is over.
  private static func read(
    _ connection: Int32, _ buffer: inout [UInt8], _ shared: Shared, greets: Bool
  ) -> (Request, isLast: Bool)? {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    func more() -> Bool {
      let count = unsafe recv(connection, &piece, piece.count, 0)
      guard count > 0 else { return false }
      buffer += piece[..<count]
      return true
    }
    let gap = Array("\r\n\r\n".utf8)
    var end: Int?
    while end == nil {
      end = buffer.indices.dropLast(3).first { buffer[$0] == 13 && buffer[$0...].starts(with: gap) }
      if end == nil, !more() { return nil }
    }
    let lines = String(decoding: buffer[..<(end ?? 0)], as: UTF8.self).components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    if greets, headers["expect"] != nil { _ = send(connection, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    let start = (end ?? 0) + 4
    while buffer.count < start + length { if !more() { return nil } }
    let body = Array(buffer[start..<(start + length)])
    buffer.removeSubrange(..<(start + length))
    guard let server = shared.server else { return nil }
    let request = server.log.withLock { log in
      let kept = server.keepsBodies || words[0] == "POST" ? body : []
      let request = Request(
        number: log.count, method: String(words[0]), path: String(words[1]), headers: headers, body: kept)
      log.append(request)
      return request
    }
    return (request, headers["connection"]?.lowercased() == "close")
  }
}

/// Lets requests go in the wrong order: whoever came last goes first, once enough of them wait.
public final class BackwardsQueue: Sendable {
  private struct State {
    var waiting: [Gate] = []
    var left: Int
  }

  private let atOnce: Int
  private let state: Guarded<State>

  /// - Parameters:
  ///   - count: how many will come in all.
  ///   - atOnce: how many are to wait before one goes; fewer when fewer are left.
  public init(count: Int, atOnce: Int) {
    self.atOnce = atOnce
    state = Guarded(State(left: count))
  }

  /// Waits for the turn.
  public func wait() {
    let own = Gate()
    let next = state.withLock { state -> Gate? in
      state.waiting.append(own)
      return take(&state)
    }
    next?.open()
    own.wait(limit: 60)
    // One has gone, so another one may be due: the last ones would wait for company that never comes.
    let after = state.withLock { take(&$0) }
    after?.open()
  }

  private func take(_ state: inout State) -> Gate? {
    guard !state.waiting.isEmpty, state.waiting.count >= min(atOnce, state.left) else { return nil }
    state.left -= 1
    return state.waiting.removeLast()
  }
}
