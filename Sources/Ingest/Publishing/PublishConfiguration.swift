public import IngestCore
import Publishing

/// Says where an output is published to, and how: the `publish` of a configuration file.
public struct PublishConfiguration: Sendable {
  /// Where the token comes from: nowhere, a server, or signed here for Qiniu.
  public enum TokenKind: String, Sendable, CaseIterable { case none, http, qiniu }
  /// What kind of server takes the files: plain PUT, S3, or Qiniu's form.
  public enum UploadKind: String, Sendable, CaseIterable { case http, s3, qiniu }

  /// Which files of a photo go up.
  public enum Selection: String, Sendable, CaseIterable {
    /// The thumbnails; the largest one stands for the photo.
    case thumbnails
    /// The original.
    case originals
    /// The original, which stands for the photo, and the thumbnails.
    case all
  }

  /// Where the name of a bucket stands.
  public enum Addressing: String, Sendable, CaseIterable { case path, host }

  /// What becomes of the list when a photo is not up.
  public enum PartialList: String, Sendable, CaseIterable { case stop, mark }

  /// The `token` of the file: how what lets somebody upload is got.
  public struct Token: Sendable {
    public var kind = TokenKind.none
    public var url = ""
    public var method = "POST"
    /// Where in the answer the token stands (RFC 6901); nil: the answer is the token.
    public var pointer: String?
    /// `Name: value`, with secrets by their names in braces.
    public var headers: [String] = []
    public var accessKey: PublishSecret?
    public var secretKey: PublishSecret?
    /// Of credentials of S3 that run out; what reads as nothing is none.
    public var sessionToken: PublishSecret?
    public var bucket: String?

    public init() {}
  }

  /// The `upload` of the file: where the files go, and under which names.
  public struct Upload: Sendable {
    public var kind = UploadKind.http
    public var url = ""
    public var key = "{sha256}.{ext}"
    public var what = Selection.thumbnails
    /// At a time.
    public var concurrency = 3
    public var headers: [String] = []
    public var region: String?
    public var bucket: String?
    /// Where the bucket of S3 stands in addresses; nil: in the host at Amazon, in the path elsewhere.
    public var addressing: Addressing?
    /// What is posted, over the names of an item.
    public var address = "{url}"
    /// How often one file is sent at most.
    public var tries = 5
    /// How long nothing may move.
    public var stall: Duration = .seconds(30)
    /// The longest wait that the server may ask for.
    public var longestWait: Duration = .seconds(300)

    public init() {}
  }

  /// The `post` of the file: where the list goes, and in which form.
  public struct Post: Sendable {
    public var url = ""
    public var method = "POST"
    /// Every string that is exactly `{content}` becomes the list.
    public var body = JSONValue.object([JSONMember("content", .string("{content}"))])
    /// A template, or an object whose values are.
    public var item = JSONValue.string("{address}")
    public var partial = PartialList.stop
    public var headers: [String] = []

    public init() {}
  }

  public var token = Token()
  public var upload = Upload()
  public var post: Post?
  /// Whether `http://` addresses will do.
  public var allowsHTTP = false
  /// A file of certificates to trust instead of the system's.
  public var authorities: String?
  /// What names in the braces of headers stand for, beside `token`.
  public var secrets: [String: PublishSecret] = [:]

  public init() {}

  /// The names in braces that make a key.
  public static let keyNames: Set<String> = ["index", "path", "sha256", "width", "height", "ext"]
  /// The names in braces that make an address.
  public static let addressNames = keyNames.union(["url", "key"])
  /// The names in braces that make an item of the list.
  public static let itemNames = addressNames.union(["address"])
}

/// Knows where a secret is and reads it when it is needed. Its value is in no description.
public struct PublishSecret: Sendable {
  /// Where it comes from, to be shown.
  public let place: String
  /// The secret, or why there is none.
  public let read: @Sendable () -> Result<String, PublishProblem>

  public init(place: String, read: @escaping @Sendable () -> Result<String, PublishProblem>) {
    self.place = place
    self.read = read
  }

  var source: SecretSource {
    let read = read
    return SecretSource(place: place) { () throws(PublishFault) -> String in
      switch read() {
      case .success(let text): return text
      case .failure(let problem): throw PublishFault(problem.words)
      }
    }
  }
}

/// Says what is wrong with one key of the configuration, without repeating its value.
public struct PublishProblem: Error, Sendable, Hashable {
  /// `upload.url`
  public let key: String
  public let words: String

  public init(key: String, words: String) {
    self.key = key
    self.words = words
  }
}
