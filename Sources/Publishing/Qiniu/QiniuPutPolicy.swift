internal import IngestCore

/// Says what an upload token of Qiniu allows (https://developer.qiniu.com/kodo/manual/1206/put-policy).
public struct QiniuPutPolicy: Sendable, Hashable {
  public var bucket: String
  /// The one key that may be written; nil allows every key of the bucket, but to overwrite none.
  public var key: String?
  /// When the token ends, in seconds since 1970.
  public var deadline: Int64
  /// Refuses a key that holds something else already, with 614, also where `key` is given.
  public var isInsertOnly: Bool
  /// What the server answers, a template in its own words; nil for `{"hash":..., "key":...}`.
  public var returnBody: String?

  public init(bucket: String, key: String? = nil, deadline: Int64, isInsertOnly: Bool = true, returnBody: String? = nil)
  {
    self.bucket = bucket
    self.key = key
    self.deadline = deadline
    self.isInsertOnly = isInsertOnly
    self.returnBody = returnBody
  }

  /// The policy as it is signed, without blanks and in this order of keys.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("scope", key.map { bucket + ":" + $0 } ?? bucket)
    writer.member("deadline", deadline)
    if isInsertOnly { writer.member("insertOnly", 1) }
    writer.member("returnBody", returnBody)
    writer.endObject()
    return writer.bytes
  }
}
