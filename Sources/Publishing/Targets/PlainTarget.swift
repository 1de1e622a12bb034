/// Puts objects on a plain HTTP server: PUT, as WebDAV has it, to an address made from the key.
public struct PlainTarget: UploadTarget {
  private let url: TextTemplate
  private let headers: [HeaderTemplate]
  /// Whether a key names its content, so that what is there under it is known to be the same.
  private let isContentNamed: Bool

  /// - Parameters:
  ///   - url: with `{key}` in it, which is percent-encoded.
  ///   - isContentNamed: whether the key holds the checksum of the object. Only then is the server asked first.
  public init(url: String, headers: [HeaderTemplate] = [], isContentNamed: Bool) throws(PublishFault) {
    self.url = try TextTemplate(url, names: ["key"])
    guard self.url.names.contains("key") else { throw PublishFault("{key} is missing") }
    self.headers = headers
    self.isContentNamed = isContentNamed
  }

  public func address(of key: String) -> String {
    HTTPAddress.shown(requestAddress(of: key))
  }

  public func requestAddress(of key: String) -> String {
    url.text { _ in PercentEncoding.encode(key) }
  }

  private func request(_ method: String, _ object: UploadObject, _ moment: UploadMoment) throws(PublishFault)
    -> HTTPRequest
  {
    var request = HTTPRequest(method, requestAddress(of: object.key))
    for template in headers { request.headers.append(try template.header(moment.token)) }
    return request
  }

  public func question(_ object: UploadObject, _ moment: UploadMoment) throws(PublishFault) -> HTTPRequest? {
    isContentNamed ? try request("HEAD", object, moment) : nil
  }

  public func judgeQuestion(_ answer: HTTPAnswer, _ object: UploadObject) -> UploadVerdict {
    switch answer.status {
    case 200..<300:
      // What was cut off on its way has the name too.
      answer.header("Content-Length").flatMap { Int64($0) } == object.bytes ? .present : .absent
    case 401, 408, 425, 429, 500, 502, 503, 504: .plain(answer)
    // Not there, or a server that does not tell: the upload itself will say what is wrong.
    default: .absent
    }
  }

  public func upload(
    _ object: UploadObject, _ body: HTTPBody, _ moment: UploadMoment
  ) throws(PublishFault) -> HTTPRequest {
    var request = try request("PUT", object, moment)
    request.headers.append(HTTPHeader("Content-Type", object.mediaType))
    request.body = body
    return request
  }

  public func judgeUpload(_ answer: HTTPAnswer, _ object: UploadObject) -> UploadVerdict {
    .plain(answer)
  }
}
