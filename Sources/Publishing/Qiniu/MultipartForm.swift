/// Writes a form with one file for an upload by POST (RFC 7578): what comes before the file's bytes, and what after.
///
/// Names cannot break out of their line: quotes and line ends become `%22`, `%0D`, `%0A`, as browsers do it (WHATWG HTML,
/// multipart/form-data). The boundary is a hash of all fields and of the seed, so that neither a field nor the content
/// can be made to hold it.
public struct MultipartForm: Sendable, Hashable {
  private let seed: String
  private var fields: [HTTPHeader] = []
  private var file = ""

  /// `seed` stands for the content of the file: its checksum.
  public init(seed: String) {
    self.seed = seed
  }

  /// Adds a field. Its value may hold anything.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(HTTPHeader(name, value))
  }

  /// Names the file, which comes last.
  public mutating func setFile(_ name: String, fileName: String, type: String = "application/octet-stream") {
    file =
      "Content-Disposition: form-data; name=\"\(Self.escaped(name))\"; filename=\"\(Self.escaped(fileName))\"\r\n"
      + "Content-Type: \(Self.escaped(type))\r\n\r\n"
  }

  /// The value of the `Content-Type` header.
  public var contentType: String { "multipart/form-data; boundary=" + boundary }

  /// What goes before the file's bytes: all fields, and the head of the file's part.
  public var head: [UInt8] {
    var text = ""
    for field in fields {
      text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(field.name))\"\r\n\r\n"
      text += field.value + "\r\n"
    }
    return Array((text + "--\(boundary)\r\n" + file).utf8)
  }

  /// What goes after the file's bytes.
  public var tail: [UInt8] { Array("\r\n--\(boundary)--\r\n".utf8) }

  private var boundary: String {
    let parts = [seed, file] + fields.flatMap { [$0.name, $0.value] }
    let bytes = parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }
    return "photo-ingest-" + hexText(MessageDigest.sha256.digest(of: bytes)).prefix(40)
  }

  private static func escaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case 0x22: bytes.append(contentsOf: "%22".utf8)
      case 0x0D: bytes.append(contentsOf: "%0D".utf8)
      case 0x0A: bytes.append(contentsOf: "%0A".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
