import Foundation
import Glibc

/// Is a real web server, nginx with its DAV module, on 127.0.0.1 and in a folder of its own.
public final class LocalNginx: Sendable {
  public static let path: String? = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  public let folder: TemporaryFolder
  public let port: UInt16
  private let running: RunningCommand

  /// `/dav/` takes PUT, `/list` takes a post, `/missing` is not there.
  public var address: String { "http://127.0.0.1:\(port)" }

  /// What lies below `/dav/`.
  public var files: [String] { folder.listing().filter { $0.hasPrefix("site/dav/") && !$0.hasSuffix("/") } }

  public init() throws {
    let program = try Self.path ?? { throw POSIXError(.ENOENT) }()
    let folder = try TemporaryFolder([.folder("site", [.folder("dav", [])]), .folder("tmp", [])])
    let port = try Self.freePort()
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { kind in
      "\(kind)_temp_path \(folder["tmp"])/\(kind);"
    }
    let user = getuid() == 0 ? "user root;" : ""
    let text = """
      \(user) worker_processes 1; daemon off; pid \(folder["pid"]); error_log \(folder["error.log"]);
      events { worker_connections 256; }
      http { \(temporary.joined(separator: " ")) access_log \(folder["access.log"]); default_type application/octet-stream;
        server { listen 127.0.0.1:\(port); client_max_body_size 0; root \(folder["site"]);
          location /dav/ { dav_methods PUT; create_full_put_path on; }
          location = /list { return 200 "ok"; } } }
      """
    try folder.file("nginx.conf", Array(text.utf8))
    self.folder = folder
    self.port = port
    running = try Command(
      program, ["-p", folder.path, "-c", folder["nginx.conf"], "-e", folder["error.log"]], timeLimit: 600
    ).start()
    for _ in 0..<1000 where !Self.answers(port) { usleep(10_000) }
  }

  deinit {
    running.send(SIGTERM)
    _ = running.finish()
  }

  private static func freePort() throws -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var place = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(number, address, length) == 0 && getsockname(number, address, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    return UInt16(bigEndian: place.sin_port)
  }

  private static func answers(_ port: UInt16) -> Bool {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var place = loopback(port)
    return unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(number, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    place.sin_port = port.bigEndian
    return place
  }
}
