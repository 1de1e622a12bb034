internal import IngestCore

/// Puts objects into a bucket of Qiniu by form upload, and holds what the server says it has stored against the bytes
/// that were read (`QiniuEtag`).
///
/// Qiniu cannot be asked with an upload token, so nothing is asked first: an equal object is stored over itself, another
/// one under the key is refused with 614.
public struct QiniuTarget: UploadTarget {
  private let url: String
  private let isContentNamed: Bool
  /// Qiniu takes keys of so many bytes.
  private static let longestKey = 750

  /// - Parameters:
  ///   - url: the upload host of the bucket's region.
  ///   - isContentNamed: whether a key holds the checksum of its object.
  public init(url: String, isContentNamed: Bool) {
    self.url = url
    self.isContentNamed = isContentNamed
  }

  /// The key as a part of an address: only the owner of the bucket knows the host that gives it out.
  public func address(of key: String) -> String { PercentEncoding.encode(key) }

  /// The key goes in the form, so it stands behind the address, parted by what no address holds.
  public func requestAddress(of key: String) -> String { url + " " + PercentEncoding.encode(key) }

  public func question(_ object: UploadObject, _ moment: UploadMoment) -> HTTPRequest? { nil }

  public func judgeQuestion(_ answer: HTTPAnswer, _ object: UploadObject) -> UploadVerdict { .absent }

  public func upload(
    _ object: UploadObject, _ body: HTTPBody, _ moment: UploadMoment
  ) throws(PublishFault) -> HTTPRequest {
    guard case .text(let token) = moment.token, !token.isEmpty else { throw PublishFault("no upload token") }
    guard (1...Self.longestKey).contains(object.key.utf8.count) else {
      throw PublishFault("a key of Qiniu has 1 to \(Self.longestKey) bytes")
    }
    var form = MultipartForm(seed: object.sha256)
    form.add("token", token)
    form.add("key", object.key)
    form.setFile("file", fileName: "photo", type: object.mediaType)
    var request = HTTPRequest("POST", url, headers: [HTTPHeader("Content-Type", form.contentType)])
    request.body = HTTPBody([.bytes(form.head)] + body.parts + [.bytes(form.tail)])
    return request
  }

  public func judgeUpload(_ answer: HTTPAnswer, _ object: UploadObject) -> UploadVerdict {
    let words = try? JSONReader().read(answer.body)
    let reason = "the server answers \(answer.status)"
    switch answer.status {
    case 200..<300:
      guard let hash = words?["hash"]?.stringValue ?? words?["etag"]?.stringValue else {
        return .failed(reason: "\(reason) without a hash of what it has stored")
      }
      return hash == object.extraDigest
        ? .sent : .failed(reason: "the server has stored other bytes than were sent (\(hash))")
    case 614:
      if let hash = words?["hash"]?.stringValue {
        return hash == object.extraDigest ? .present : .failed(reason: "\(reason): another file has the key")
      }
      return isContentNamed ? .present : .failed(reason: "\(reason): a file has the key already")
    case 401: return .refreshToken(reason: reason)
    case 573, 599: return .retry(reason: reason)
    case 579: return .failed(reason: "\(reason): stored, but the callback of the bucket failed")
    case 600...: return .failed(reason: reason + told(words))
    default:
      let plain = UploadVerdict.plain(answer)
      if case .failed = plain { return .failed(reason: reason + told(words)) }
      return plain
    }
  }

  private func told(_ words: JSONValue?) -> String {
    words?["error"]?.stringValue.map { ": " + $0.prefix(200) } ?? ""
  }

  public func makeDigest() -> (any UploadDigesting)? { Digest() }

  private final class Digest: UploadDigesting {
    private var etag = QiniuEtag()

    func update(_ bytes: [UInt8]) { etag.update(bytes) }
    func finish() -> String { etag.finish() }
  }
}
