public import IngestCore

/// Holds what printers need of a row without reading its line again.
public struct RowSummary: Sendable {
  public var index: Int
  public var path: RelativePath
  public var status: AssetRow.Status
  public var error: LoadFailure?
  public var preview: AssetRow.Preview?
  /// Why the photo was read; nil when the row of an earlier run holds.
  public var reason: ReadReason?

  public init(
    index: Int, path: RelativePath, status: AssetRow.Status, error: LoadFailure?, preview: AssetRow.Preview? = nil,
    reason: ReadReason? = nil
  ) {
    self.index = index
    self.path = path
    self.status = status
    self.error = error
    self.preview = preview
    self.reason = reason
  }
}

extension RowSummary {
  /// Reads back what is needed of a manifest line that this run encoded.
  init(line: [UInt8], index: Int, reason: ReadReason? = nil) {
    let value = (try? JSONReader().read(line)) ?? .null
    let exact = value["path_b64"]?.stringValue.flatMap { Base64.decode($0) }
    let path = RelativePath(exact ?? Array((value["path"]?.stringValue ?? "").utf8))
    let status = value["status"]?.stringValue.flatMap { AssetRow.Status(rawValue: $0) } ?? .failed
    self.init(
      index: index, path: path, status: status, error: Self.error(value["error"]),
      preview: Self.preview(value["preview"]), reason: reason)
  }

  private static func error(_ value: JSONValue?) -> LoadFailure? {
    guard let code = value?["code"]?.stringValue.flatMap({ FailureCode(rawValue: $0) }) else { return nil }
    return LoadFailure(code, value?["message"]?.stringValue ?? "")
  }

  private static func preview(_ value: JSONValue?) -> AssetRow.Preview? {
    guard let source = value?["source"]?.stringValue.flatMap({ AssetRow.Preview.Source(rawValue: $0) }),
      let width = value?["width"]?.integerValue, let height = value?["height"]?.integerValue
    else { return nil }
    return AssetRow.Preview(source: source, width: Int(width), height: Int(height))
  }
}
