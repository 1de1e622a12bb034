import Foundation
import Glibc
import IngestCore

/// Answers HTTP requests on 127.0.0.1, one connection after the other, as a test says, and remembers them.
public final class TinyHTTPServer: Sendable {
  /// What came: the words of the first line and the body.
  public struct Request: Sendable, Equatable {
    public let method: String
    public let path: String
    public let body: String

    public init(method: String, path: String, body: String) {
      self.method = method
      self.path = path
      self.body = body
    }
  }

  public enum Answer: Sendable {
    case status(Int, header: String = "")
    /// Takes the request and says nothing until the server goes away.
    case silence
    /// Closes the connection.
    case hangUp
  }

  public let port: UInt16
  private let listener: Int32
  private let seen = Guarded<[Request]>([])
  private let isOver = Gate()

  public var address: String { "http://127.0.0.1:\(port)" }
  public var requests: [Request] { seen.withLock { $0 } }

  /// - Parameter answer: what the n-th request gets, from 0.
  public init(_ answer: @escaping @Sendable (Int, Request) -> Answer = { _, _ in .status(200) }) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    port = UInt16(bigEndian: place.sin_port)
    let (seen, isOver) = (Shared(self), isOver)
    Thread.detachNewThread {
      var number = 0
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          // Closed here and not by whoever lets the server go: the number might be another server's by the next accept.
          close(listener)
          return
        }
        defer { close(connection) }
        guard let request = Self.read(connection) else { continue }
        seen.server?.seen.withLock { $0.append(request) }
        switch answer(number, request) {
        case .status(let code, let header):
          let text = "HTTP/1.1 \(code) Some\r\n\(header)Content-Length: 3\r\nConnection: close\r\n\r\nok\n"
          _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, 0x4000) }
        case .silence: isOver.wait()
        case .hangUp: break
        }
        number += 1
      }
    }
  }

  /// Lets the thread see the server without keeping it.
  private final class Shared: @unchecked Sendable {
    // Weak references are read atomically; nobody writes after the start.
    weak var server: TinyHTTPServer?
    init(_ server: TinyHTTPServer) { self.server = server }
  }

  deinit {
    isOver.open()
    // Wakes the thread.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = text[..<end.lowerBound]
        let body = String(text[end.upperBound...])
        let lengths = head.lowercased().split(separator: "\r\n").filter { $0.hasPrefix("content-length:") }
        let length = lengths.first.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        if body.utf8.count >= length {
          let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
          return words.count == 3 ? Request(method: String(words[0]), path: String(words[1]), body: body) : nil
        }
      }
      let count = unsafe recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
