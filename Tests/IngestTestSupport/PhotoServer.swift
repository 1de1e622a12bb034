import Foundation
import Glibc
import IngestCore

/// Serves photos on 127.0.0.1 as web servers do: with ETag, ranges and 304; and as they should not, where a test says so.
public final class PhotoServer: Sendable {
  public struct Photo: Sendable {
    public var bytes: [UInt8]
    public var etag: String?
    public var lastModified: String?
    public var manner: Manner

    public init(bytes: [UInt8], etag: String? = nil, lastModified: String? = nil, manner: Manner = .good) {
      self.bytes = bytes
      self.etag = etag
      self.lastModified = lastModified
      self.manner = manner
    }
  }

  public enum Manner: Sendable {
    case good
    /// Sends the rest that is asked for, whatever it must be the rest of.
    case careless
    /// Sends no ranges and knows no 304.
    case plain
    /// The first so many answers break off after this many bytes of content.
    case cut(times: Int, after: Int)
    /// Sends this many bytes of content and says nothing more.
    case stall(after: Int)
    /// Says nothing.
    case silent
    /// Sends without end, and without a length.
    case endless
    /// Sends this many bytes of content without a length and ends.
    case lengthless(after: Int)
    case status(Int, location: String? = nil)
    /// The first answer is this status and names these seconds as Retry-After; the later ones are good.
    case busy(Int, seconds: Int)
  }

  public struct Request: Sendable {
    public let path: String
    public let headers: [String: String]
    public let status: Int
    /// Of content.
    public let sent: Int
  }

  public let port: UInt16
  private let listener: Int32
  private let state: Guarded<State>
  private let isOver = Gate()

  private struct State {
    var photos: [String: Photo]
    var requests: [Request] = []
    var asked: [String: Int] = [:]
  }

  public var address: String { "http://127.0.0.1:\(port)" }
  /// Those that were answered, in the order in which they came to their end.
  public var requests: [Request] { state.withLock { $0.requests } }

  public func set(_ path: String, _ photo: Photo?) { state.withLock { $0.photos[path] = photo } }
  public func forgetRequests() { state.withLock { $0.requests = [] } }

  /// - Parameter photos: by the paths of their addresses, queries left out.
  public init(_ photos: [String: Photo]) throws {
    state = Guarded(State(photos: photos))
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.listener = listener
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, length) == 0 && listen(listener, 64) == 0
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
        Thread.detachNewThread {
          defer { close(connection) }
          if let head = Self.readHead(connection) { shared.server?.answer(head, connection) }
        }
      }
    }
  }

  /// Lets the threads see the server without keeping it.
  private final class Shared: @unchecked Sendable {
    // Weak references are read atomically; nobody writes after the start.
    weak var server: PhotoServer?
    init(_ server: PhotoServer) { self.server = server }
  }

  deinit {
    isOver.open()
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func answer(_ head: (path: String, headers: [String: String]), _ connection: Int32) {
    let path = String(head.path.prefix { $0 != "?" })
    let (photo, count) = state.withLock { state in
      state.asked[path, default: 0] += 1
      return (state.photos[path], state.asked[path] ?? 0)
    }
    func finish(_ status: Int, _ fields: [String] = [], _ content: ArraySlice<UInt8> = [], length: Int? = nil) {
      let lines =
        ["HTTP/1.1 \(status) Some", "Content-Length: \(length ?? content.count)", "Connection: close"] + fields
      let isSent =
        Self.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)[...], connection)
        && Self.send(content, connection)
      let request = Request(path: head.path, headers: head.headers, status: status, sent: isSent ? content.count : -1)
      state.withLock { $0.requests.append(request) }
    }
    guard let photo else { return finish(404, [], Array("no such photo".utf8)[...]) }
    var fields: [String] = []
    if let etag = photo.etag { fields.append("ETag: \(etag)") }
    if let time = photo.lastModified { fields.append("Last-Modified: \(time)") }
    switch photo.manner {
    case .silent: isOver.wait(limit: 120)
    case .stall(let after):
      let lines = ["HTTP/1.1 200 Some", "Content-Length: \(photo.bytes.count)"] + fields
      _ = Self.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)[...], connection)
      _ = Self.send(photo.bytes.prefix(after), connection)
      isOver.wait(limit: 120)
    case .endless:
      _ = Self.send(Array("HTTP/1.1 200 Some\r\nConnection: close\r\n\r\n".utf8)[...], connection)
      let piece = [UInt8](repeating: 0x20, count: 64 << 10)
      var sent = 0
      while Self.send(piece[...], connection) { sent += piece.count }
      let request = Request(path: head.path, headers: head.headers, status: 200, sent: sent)
      state.withLock { $0.requests.append(request) }
    case .lengthless(let after):
      let lines = ["HTTP/1.1 200 Some", "Connection: close"] + fields
      let isSent =
        Self.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)[...], connection)
        && Self.send(photo.bytes.prefix(after), connection)
      let request = Request(path: head.path, headers: head.headers, status: 200, sent: isSent ? after : -1)
      state.withLock { $0.requests.append(request) }
    case .busy(let code, let seconds) where count == 1:
      finish(code, ["Retry-After: \(seconds)"], Array("words".utf8)[...])
    case .status(let code, let location):
      finish(code, location.map { ["Location: \($0)"] } ?? [], Array("words".utf8)[...])
    case .plain: finish(200, fields, photo.bytes[...])
    case .good, .cut, .busy, .careless:
      let isSame = photo.etag.map { head.headers["if-none-match"] == $0 } ?? false
      let isSameTime = photo.lastModified.map { head.headers["if-modified-since"] == $0 } ?? false
      if isSame || photo.etag == nil && isSameTime { return finish(304, fields, length: 0) }
      var content = photo.bytes[...]
      var status = 200
      var isCareless = false
      if case .careless = photo.manner { isCareless = true }
      if let range = head.headers["range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
        let start = Int(range.dropFirst(6).dropLast()), start < content.count,
        isCareless || head.headers["if-range"].map({ $0 == photo.etag || $0 == photo.lastModified }) ?? true
      {
        content = content.dropFirst(start)
        fields.append("Content-Range: bytes \(start)-\(photo.bytes.count - 1)/\(photo.bytes.count)")
        status = 206
      }
      var shown = content
      if case .cut(let times, let after) = photo.manner, count <= times { shown = content.prefix(after) }
      finish(status, fields, shown, length: content.count)
    }
  }

  private static func send(_ bytes: ArraySlice<UInt8>, _ connection: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      // Without SIGPIPE.
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.send(connection, $0.baseAddress, $0.count, 0x4000) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func readHead(_ connection: Int32) -> (path: String, headers: [String: String])? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          guard let colon = line.firstIndex(of: ":") else { continue }
          headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return (String(words[1]), headers)
      }
      let count = unsafe recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
