import Ingest
import IngestCore

/// Reads the `publish` of a configuration file. What it does not know it refuses, with the line.
///
/// Secrets are named there and not written: `{env:NAME}`, `{file:PATH}` and `{credential:NAME}` in headers, and files of
/// keys. They are read when they are needed, and no message repeats one.
struct PublishSettings {
  private let file: String
  private let bytes: [UInt8]
  private let surroundings: Surroundings

  static func read(
    _ bytes: [UInt8], name: String, allowsHTTP: Bool, _ surroundings: Surroundings
  ) throws(UsageError) -> PublishConfiguration {
    let document: JSONValue
    do {
      document = try JSONReader(.configuration).read(bytes)
    } catch {
      throw .configSyntax(file: name, line: error.line, reason: "column \(error.column): \(error.message)")
    }
    guard let members = document.objectValue else {
      throw .configSyntax(file: name, line: 1, reason: "an object is wanted, not \(document.kind)")
    }
    let reader = PublishSettings(file: name, bytes: bytes, surroundings: surroundings)
    // The rest of the file is for "run", which looks at it closely.
    let known = OptionTable.rows(of: .run).compactMap(\.configKey) + ["folders", "ping", "publish"]
    for member in members where !known.contains(member.key) {
      throw .unknownKey(
        file: name, line: reader.line(member), key: member.key,
        suggestion: Suggestion.nearest(to: Array(member.key.utf8), among: known))
    }
    guard let publish = members.first(where: { $0.key == "publish" }) else {
      throw .badKey(file: name, line: 1, key: "publish", problem: "missing; it says where to publish to")
    }
    return try reader.configuration(publish, allowsHTTP: allowsHTTP)
  }

  private func configuration(
    _ publish: JSONMember, allowsHTTP: Bool
  ) throws(UsageError) -> PublishConfiguration {
    let section = try section(publish, "publish", ["token", "upload", "post", "authorities"])
    var configuration = PublishConfiguration()
    configuration.allowsHTTP = allowsHTTP
    configuration.authorities = try section.text("authorities")
    if let token = section.member("token") { configuration.token = try self.token(token) }
    guard let upload = section.member("upload") else {
      throw section.refused("upload", "missing; it says where the files go")
    }
    configuration.upload = try self.upload(upload)
    addUsualKeys(to: &configuration)
    if let post = section.member("post") { configuration.post = try self.post(post) }
    let lines = configuration.token.headers + configuration.upload.headers + (configuration.post?.headers ?? [])
    for name in Set(lines.flatMap(Self.names)) {
      if let secret = secret(named: name) { configuration.secrets[name] = secret }
    }
    do {
      try configuration.check()
    } catch {
      throw refused(error, publish)
    }
    return configuration
  }

  private func token(_ member: JSONMember) throws(UsageError) -> PublishConfiguration.Token {
    let section = try section(
      member, "token",
      [
        "kind", "url", "method", "pointer", "header", "access_key_file", "secret_key_file", "session_token_file",
        "bucket",
      ])
    var token = PublishConfiguration.Token()
    token.kind = try section.word("kind", PublishConfiguration.TokenKind.self) ?? token.kind
    token.url = try section.text("url") ?? ""
    token.method = try section.method("method") ?? token.method
    token.pointer = try section.text("pointer")
    token.headers = try section.texts("header")
    token.accessKey = try section.text("access_key_file").map(secret(file:))
    token.secretKey = try section.text("secret_key_file").map(secret(file:))
    token.sessionToken = try section.text("session_token_file").map(secret(file:))
    token.bucket = try section.text("bucket")
    if (token.accessKey == nil) != (token.secretKey == nil) {
      throw section.refused("access_key_file", "access_key_file and secret_key_file go together")
    }
    return token
  }

  /// Where no files of keys are named, they are where such keys usually are.
  private func addUsualKeys(to configuration: inout PublishConfiguration) {
    let isS3 = configuration.upload.kind == .s3
    if isS3, configuration.upload.region == nil {
      let region = ["AWS_REGION", "AWS_DEFAULT_REGION"].lazy.compactMap { surroundings.environment($0) }.first {
        !$0.isEmpty
      }
      configuration.upload.region = region.map { String(decoding: $0, as: UTF8.self) }
    }
    guard isS3 || configuration.token.kind == .qiniu, configuration.token.accessKey == nil else { return }
    configuration.token.accessKey = usual(isS3 ? "AWS_ACCESS_KEY_ID" : "QINIU_ACCESS_KEY")
    configuration.token.secretKey = usual(isS3 ? "AWS_SECRET_ACCESS_KEY" : "QINIU_SECRET_KEY")
    if isS3, configuration.token.sessionToken == nil {
      configuration.token.sessionToken = usual("AWS_SESSION_TOKEN", isOptional: true)
    }
  }

  /// A credential of the service of that name in lower case, else the variable of the environment.
  private func usual(_ name: String, isOptional: Bool = false) -> PublishSecret {
    let credential = credential(name.lowercased())
    let hasCredentials = surroundings.environment("CREDENTIALS_DIRECTORY") != nil
    let environment = surroundings.environment
    return PublishSecret(place: "$\(name)") {
      if hasCredentials, case .success(let text) = credential.read() { return .success(text) }
      let value = environment(name) ?? []
      if isOptional, value.isEmpty { return .success("") }
      return Self.clean(value.isEmpty ? nil : value, place: "$\(name)", problem: "the variable is not set")
    }
  }

  private func upload(_ member: JSONMember) throws(UsageError) -> PublishConfiguration.Upload {
    let section = try section(
      member, "upload",
      [
        "kind", "url", "key", "what", "concurrency", "header", "region", "bucket", "addressing", "address", "tries",
        "timeout",
        "max_wait",
      ])
    var upload = PublishConfiguration.Upload()
    upload.kind = try section.word("kind", PublishConfiguration.UploadKind.self) ?? upload.kind
    let url = try section.text("url")
    guard url != nil || upload.kind == .s3 else { throw section.refused("url", "missing; it says where the files go") }
    upload.url = url ?? ""
    upload.key = try section.text("key") ?? upload.key
    upload.what = try section.word("what", PublishConfiguration.Selection.self) ?? upload.what
    upload.concurrency = try section.whole("concurrency", 1...64) ?? upload.concurrency
    upload.headers = try section.texts("header")
    upload.region = try section.text("region")
    upload.bucket = try section.text("bucket")
    upload.addressing = try section.word("addressing", PublishConfiguration.Addressing.self)
    upload.address = try section.text("address") ?? upload.address
    upload.tries = try section.whole("tries", 1...100) ?? upload.tries
    if let seconds = try section.whole("timeout", 1...86_400) { upload.stall = .seconds(seconds) }
    if let seconds = try section.whole("max_wait", 0...86_400) { upload.longestWait = .seconds(seconds) }
    return upload
  }

  private func post(_ member: JSONMember) throws(UsageError) -> PublishConfiguration.Post {
    let section = try section(member, "post", ["url", "method", "body", "item", "partial", "header"])
    var post = PublishConfiguration.Post()
    guard let url = try section.text("url") else {
      throw section.refused("url", "missing; it says where the list goes")
    }
    post.url = url
    post.method = try section.method("method") ?? post.method
    if let body = section.member("body") {
      guard case .object = body.value else {
        throw section.refused("body", "an object is wanted, not \(body.value.kind)")
      }
      guard Self.holdsContent(body.value) else {
        throw section.refused("body", "\"{content}\" is missing, the place of the list")
      }
      post.body = body.value
    }
    post.item = section.member("item")?.value ?? post.item
    post.partial = try section.word("partial", PublishConfiguration.PartialList.self) ?? post.partial
    post.headers = try section.texts("header")
    return post
  }

  private static func holdsContent(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): text == "{content}"
    case .array(let elements): elements.contains(where: holdsContent)
    case .object(let members): members.contains { holdsContent($0.value) }
    default: false
    }
  }

  // MARK: Secrets

  /// The names in braces of a line.
  private static func names(_ line: String) -> [String] {
    line.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { piece in
      piece.firstIndex(of: "}").map { String(piece[..<$0]) }
    }
  }

  private func secret(named name: String) -> PublishSecret? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    let value = String(name[name.index(after: colon)...])
    switch name[..<colon] {
    case "file": return secret(file: value)
    case "credential": return credential(value)
    case "env":
      let environment = surroundings.environment
      return PublishSecret(place: "$\(value)") {
        Self.clean(environment(value), place: "$\(value)", problem: "the variable is not set")
      }
    default: return nil
    }
  }

  /// A name without a slash is looked for among the credentials of the service first.
  private func secret(file path: String) -> PublishSecret {
    if !path.utf8.contains(ASCII.slash), surroundings.environment("CREDENTIALS_DIRECTORY") != nil {
      return credential(path)
    }
    let readFile = surroundings.readFile
    return PublishSecret(place: path) {
      Self.clean(try? readFile(Array(path.utf8), 64 << 10), place: path, problem: "the file cannot be read")
    }
  }

  private func credential(_ name: String) -> PublishSecret {
    let (environment, readFile) = (surroundings.environment, surroundings.readFile)
    return PublishSecret(place: "$CREDENTIALS_DIRECTORY/\(name)") {
      let folder = environment("CREDENTIALS_DIRECTORY") ?? [ASCII.dot]
      let bytes = try? readFile(folder + [ASCII.slash] + Array(name.utf8), 64 << 10)
      return Self.clean(bytes, place: "$CREDENTIALS_DIRECTORY/\(name)", problem: "the credential cannot be read")
    }
  }

  /// The text without the line end that editors put behind it.
  private static func clean(_ bytes: [UInt8]?, place: String, problem: String) -> Result<String, PublishProblem> {
    guard let bytes else { return .failure(PublishProblem(key: place, words: "\(place): \(problem)")) }
    let text = bytes.reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed()
    guard !text.isEmpty, text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return .failure(PublishProblem(key: place, words: "\(place): what it holds is no secret of one line"))
    }
    // Put right, it would be another secret.
    guard let secret = String(validating: Array(text), as: UTF8.self) else {
      return .failure(PublishProblem(key: place, words: "\(place): what it holds is not UTF-8"))
    }
    return .success(secret)
  }

  // MARK: Places

  fileprivate func line(_ member: JSONMember) -> Int {
    JSONPosition(ofByte: member.keyOffset ?? 0, in: bytes).line
  }

  private func section(_ member: JSONMember, _ name: String, _ keys: [String]) throws(UsageError) -> PublishSection {
    try PublishSection(member, name, keys, file: file, line: line)
  }

  /// A problem that shows only when all is put together, at the line of its key.
  private func refused(_ problem: PublishProblem, _ publish: JSONMember) -> UsageError {
    var place = publish
    for name in problem.key.split(separator: ".") {
      guard let next = place.value.objectValue?.first(where: { $0.key == name }) else { break }
      place = next
    }
    return .badKey(file: file, line: line(place), key: problem.key, problem: problem.words)
  }
}

/// Reads one object of the configuration, key by key.
private struct PublishSection {
  private let name: String
  private let file: String
  private let members: [JSONMember]
  private let own: Int
  private let line: (JSONMember) -> Int

  init(
    _ member: JSONMember, _ name: String, _ keys: [String], file: String, line: @escaping (JSONMember) -> Int
  ) throws(UsageError) {
    guard let members = member.value.objectValue else {
      throw .badKey(file: file, line: line(member), key: name, problem: "an object is wanted, not \(member.value.kind)")
    }
    for member in members where !keys.contains(member.key) {
      throw .unknownKey(
        file: file, line: line(member), key: "\(name).\(member.key)",
        suggestion: Suggestion.nearest(to: Array(member.key.utf8), among: keys))
    }
    self.name = name
    self.file = file
    self.members = members
    self.line = line
    own = line(member)
  }

  func member(_ key: String) -> JSONMember? { members.first { $0.key == key } }

  func refused(_ key: String, _ problem: String) -> UsageError {
    .badKey(file: file, line: member(key).map(line) ?? own, key: "\(name).\(key)", problem: problem)
  }

  func text(_ key: String) throws(UsageError) -> String? {
    guard let value = member(key)?.value else { return nil }
    guard let text = value.stringValue else { throw refused(key, "a string is wanted, not \(value.kind)") }
    if text.isEmpty { throw refused(key, "it is empty") }
    return text
  }

  func method(_ key: String) throws(UsageError) -> String? {
    guard let text = try text(key) else { return nil }
    guard ["GET", "POST", "PUT", "PATCH"].contains(text) else {
      throw refused(key, "one of GET, POST, PUT, PATCH is wanted")
    }
    return text
  }

  /// One text, or several.
  func texts(_ key: String) throws(UsageError) -> [String] {
    guard let value = member(key)?.value else { return [] }
    var texts: [String] = []
    for element in value.arrayValue ?? [value] {
      guard let text = element.stringValue else { throw refused(key, "strings are wanted, not \(element.kind)") }
      texts.append(text)
    }
    return texts
  }

  func whole(_ key: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let value = member(key)?.value else { return nil }
    guard let number = value.integerValue.flatMap({ Int(exactly: $0) }) else {
      throw refused(key, "a whole number is wanted, not \(value.kind)")
    }
    guard range.contains(number) else {
      throw refused(key, "out of range: \(range.lowerBound) through \(range.upperBound)")
    }
    return number
  }

  func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, _ type: Word.Type
  ) throws(UsageError) -> Word? where Word.RawValue == String {
    guard let text = try text(key) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw refused(key, "one of \(Word.allCases.map(\.rawValue).joined(separator: ", ")) is wanted")
    }
    return word
  }
}
