import Foundation
import IngestCore
import IngestTestSupport
import Testing

/// Pings a server that speaks TLS: one whose authority is known, and one whose is not.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: SecureServer.isPossible, "openssl and python3 are not there to make a server that speaks TLS"))
struct SecurePingTests {
  /// Takes any POST, says 200, and writes one line for each.
  private static let server = """
    import http.server, ssl, sys
    class Taker(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.end_headers()
            print("took", self.path, flush=True)
        def log_message(self, *words):
            pass
    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, *words):
            pass
    server = Server(("127.0.0.1", 0), Taker)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(sys.argv[3], "w") as note:
        note.write(str(server.server_address[1]))
    print("open", flush=True)
    server.serve_forever()
    """

  /// Makes an authority, `ca.pem`, and a certificate of it for one host, `cert.pem` with `key.pem`.
  private func certificates(for host: String, in stage: RunStage) async throws {
    let script = """
      set -e; cd "$0"
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
      openssl req -newkey rsa:2048 -nodes -subj /CN=server -keyout key.pem -out request.pem
      printf 'subjectAltName=%s\\nbasicConstraints=CA:FALSE\\n' "$1" > extensions
      openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions -out cert.pem
      """
    let made = try await Command("/bin/sh", ["-c", script, stage.folder.path, host]).run()
    try #require(made.exitCode == 0, "\(made)")
  }

  /// Runs once with the server there; returns what the run and the server said.
  private func ping(
    _ stage: RunStage, host: String = "127.0.0.1", _ environment: [String: String]
  ) async throws -> (run: CommandResult, server: CommandResult) {
    let script = try stage.folder.file("server.py", Array(Self.server.utf8))
    let server = Command("/usr/bin/python3", [script] + ["cert.pem", "key.pem", "port"].map { stage.folder[$0] })
    return try await onOwnThread { () throws in
      let running = try server.start()
      #expect(running.waitForText("open"))
      let port = String(decoding: try stage.folder.bytes(of: "port"), as: UTF8.self)
      let config = try stage.folder.file(
        "config.json", Array("{\"ping\": {\"url\": \"https://\(host):\(port)/key\", \"timeout\": 20}}".utf8))
      var command = stage.command(["--config", config])
      command.environment.merge(environment) { $1 }
      let result = try command.runBlocking()
      running.send(SIGKILL)
      return (result, running.finish())
    }
  }

  @Test(arguments: ["SSL_CERT_FILE", "CURL_CA_BUNDLE"])
  func `a server whose authority is known is told, and no other`(variable: String) async throws {
    let stage = try RunStage(["a.jpg"])
    try await certificates(for: "IP:127.0.0.1", in: stage)
    let told = try await ping(stage, [variable: stage.folder["ca.pem"]])
    #expect(told.run.exitCode == 0 && !told.run.errorText.contains("ping"), "\(told.run)")
    #expect(told.server.outputText.contains("took /key/start\ntook /key/0\n"), "\(told.server)")

    let unknown = try await ping(stage, [:])
    #expect(unknown.run.exitCode == 0, "\(unknown.run)")
    #expect(unknown.run.errorText.contains("warning: ping: SSL certificate problem: "), "\(unknown.run)")
    #expect(!unknown.run.errorText.contains("key"), "\(unknown.run)")
    #expect(!unknown.server.outputText.contains("took"), "\(unknown.server)")
  }

  @Test func `a certificate for another host is refused`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await certificates(for: "DNS:elsewhere.example", in: stage)
    let told = try await ping(stage, ["SSL_CERT_FILE": stage.folder["ca.pem"]])
    #expect(told.run.exitCode == 0, "\(told.run)")
    #expect(
      told.run.errorText.contains("warning: ping: SSL: no alternative certificate subject name matches"), "\(told.run)")
    #expect(!told.server.outputText.contains("took"), "\(told.server)")
  }

  @Test func `a file of authorities that is not there is a reason`() async throws {
    let stage = try RunStage(["a.jpg"])
    try await certificates(for: "IP:127.0.0.1", in: stage)
    let told = try await ping(stage, ["SSL_CERT_FILE": stage.folder["nowhere.pem"]])
    #expect(told.run.exitCode == 0 && told.run.errorText.contains("warning: ping: "), "\(told.run)")
    #expect(!told.server.outputText.contains("took"), "\(told.server)")
  }
}

private enum SecureServer {
  static let isPossible = ["/usr/bin/openssl", "/usr/bin/python3"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}
