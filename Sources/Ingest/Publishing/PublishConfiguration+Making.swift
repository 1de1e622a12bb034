import IngestCore
import Publishing

extension PublishConfiguration {
  /// Finds out whether everything can be made of the configuration; nothing is read and nobody is asked.
  public func check() throws(PublishProblem) {
    // Without one S3 is Amazon's.
    if upload.kind != .s3 || !upload.url.isEmpty { try checkAddress("upload.url", upload.url) }
    if token.kind == .http { try checkAddress("token.url", token.url) }
    if let post { try checkAddress("post.url", post.url) }
    _ = try makeTarget()
    _ = try makeTokens()
    _ = try makeTexts()
    _ = try postHeaders()
  }

  /// The target, made of the settings of its kind.
  func makeTarget() throws(PublishProblem) -> any UploadTarget {
    let headers = try headers(upload.headers, "upload.header")
    let isContentNamed = try template(upload.key, "upload.key", Self.keyNames).names.contains("sha256")
    switch upload.kind {
    case .http:
      do {
        return try PlainTarget(url: upload.url, headers: headers, isContentNamed: isContentNamed)
      } catch {
        throw PublishProblem(key: "upload.url", words: error.reason)
      }
    case .s3:
      guard let bucket = upload.bucket else {
        throw PublishProblem(key: "upload.bucket", words: "missing; S3 needs one")
      }
      let style = upload.addressing.map { $0 == .host ? S3Place.Style.virtualHost : .path }
      do {
        return try S3Target(
          endpoint: upload.url.isEmpty ? nil : upload.url, bucket: bucket, region: upload.region, style: style,
          headers: headers, isContentNamed: isContentNamed)
      } catch {
        throw PublishProblem(key: "upload.bucket", words: error.reason)
      }
    case .qiniu:
      guard token.kind != .none else {
        throw PublishProblem(key: "token.kind", words: "an upload to Qiniu needs a token: qiniu or http")
      }
      guard upload.headers.isEmpty else {
        throw PublishProblem(key: "upload.header", words: "a form upload to Qiniu takes none")
      }
      return QiniuTarget(url: upload.url, isContentNamed: isContentNamed)
    }
  }

  func makeTokens() throws(PublishProblem) -> any TokenSource {
    switch token.kind {
    case .http where upload.kind == .s3, .qiniu where upload.kind == .s3:
      throw PublishProblem(key: "token.kind", words: "S3 signs with keys; there is no token to get")
    case .none where upload.kind == .s3:
      guard let access = token.accessKey, let secret = token.secretKey else {
        throw PublishProblem(key: "token", words: "the keys to sign with are missing")
      }
      return S3Keys(access: access.source, secret: secret.source, session: token.sessionToken?.source)
    case .none:
      guard let access = token.accessKey, let secret = token.secretKey else { return NoToken() }
      return NoToken(keys: (access.source, secret.source))
    case .http:
      let headers = try headers(token.headers, "token.header")
      do {
        return try ServedToken(url: token.url, method: token.method, headers: headers, pointer: token.pointer)
      } catch {
        throw PublishProblem(key: "token.pointer", words: error.reason)
      }
    case .qiniu:
      guard let access = token.accessKey, let secret = token.secretKey else {
        throw PublishProblem(key: "token", words: "the keys to sign with are missing")
      }
      guard let bucket = token.bucket ?? upload.bucket else {
        throw PublishProblem(key: "token.bucket", words: "missing; Qiniu needs one")
      }
      do {
        return try QiniuToken(access: access.source, secret: secret.source, bucket: bucket)
      } catch {
        throw PublishProblem(key: "token.bucket", words: error.reason)
      }
    }
  }

  /// The texts that are made for each photo.
  struct Texts: Sendable {
    let key: TextTemplate
    let address: TextTemplate
    let item: ItemTemplate
  }

  func makeTexts() throws(PublishProblem) -> Texts {
    Texts(
      key: try template(upload.key, "upload.key", Self.keyNames),
      address: try template(upload.address, "upload.address", Self.addressNames),
      item: try ItemTemplate(post?.item ?? Post().item))
  }

  func postHeaders() throws(PublishProblem) -> [HeaderTemplate] {
    try headers(post?.headers ?? [], "post.header")
  }

  func headers(_ lines: [String], _ key: String) throws(PublishProblem) -> [HeaderTemplate] {
    var headers: [HeaderTemplate] = []
    for line in lines {
      do {
        headers.append(try HeaderTemplate(line, secrets: secrets.mapValues(\.source)))
      } catch {
        throw PublishProblem(key: key, words: error.reason)
      }
    }
    return headers
  }

  private func template(_ text: String, _ key: String, _ names: Set<String>) throws(PublishProblem) -> TextTemplate {
    if text.isEmpty { throw PublishProblem(key: key, words: "it is empty") }
    do {
      return try TextTemplate(text, names: names)
    } catch {
      throw PublishProblem(key: key, words: error.reason)
    }
  }

  /// The address may be a secret, so no message repeats it.
  private func checkAddress(_ key: String, _ address: String) throws(PublishProblem) {
    let lowered = address.lowercased()
    let scheme = ["https://", "http://"].first { lowered.hasPrefix($0) }
    guard let scheme, address.utf8.count > scheme.utf8.count,
      !address.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
    else { throw PublishProblem(key: key, words: "an address like https://host/path is wanted") }
    guard scheme == "https://" || allowsHTTP else {
      throw PublishProblem(
        key: key, words: "everybody on the way can read http; --allow-http is for a server of one's own")
    }
  }
}
