/// Reads a row back from its record, for programs that wrote it.
extension AssetRow {
  /// Nil when the record is no row, or holds something that this program would not write back byte for byte.
  ///
  /// - Parameter line: the row's bytes, with or without its index.
  public init?(line: some Collection<UInt8>) {
    let bytes = Array(line)
    guard let value = try? JSONReader().read(bytes), let row = AssetRow(value: value) else { return nil }
    let encoded = ManifestEncoder(order: .name).row(row)
    let index = value["index"]?.integerValue.flatMap { Int(exactly: $0) }
    let again = index.map { Array(encoded.line(index: $0).dropLast()) } ?? encoded.bytes
    guard again == bytes else { return nil }
    self = row
  }

  private init?(value: JSONValue) {
    guard let path = ManifestRow.exactPath(of: value),
      let status = value["status"]?.stringValue.flatMap({ Status(rawValue: $0) })
    else { return nil }
    let failure = value["error"].flatMap { LoadFailure(value: $0) }
    guard (status == .verified) == (failure == nil) else { return nil }
    self.init(path: path, status: status, error: failure)
    notes = Set((value["notes"]?.arrayValue ?? []).compactMap(\.stringValue))
    bytes = value["bytes"]?.integerValue.flatMap { UInt64(exactly: $0) }
    modified = value["modified"]?.stringValue
    sha256 = value["sha256"]?.stringValue
    format = value["format"]?.stringValue
    width = value.whole("width")
    height = value.whole("height")
    displayWidth = value.whole("display_width")
    displayHeight = value.whole("display_height")
    orientation = value.whole("orientation")
    orientationSource = value["orientation_source"]?.stringValue
    bitDepth = value.whole("bit_depth")
    components = value.whole("components")
    color = value["color"]?.stringValue
    isProgressive = value["progressive"]?.boolValue
    profile = value["profile"]?.stringValue
    captured = value["captured"].flatMap { Captured(value: $0) }
    camera = value["camera"].map {
      Camera(lens: $0["lens"]?.stringValue, make: $0["make"]?.stringValue, model: $0["model"]?.stringValue)
    }
    exposure = value["exposure"].map {
      Exposure(
        fNumber: $0["f_number"]?.doubleValue, focalLength: $0["focal_length"]?.doubleValue, iso: $0.whole("iso"),
        seconds: $0["seconds"]?.doubleValue)
    }
    gps = value["gps"].map {
      GPS(
        altitude: $0["altitude"]?.doubleValue, latitude: $0["latitude"]?.doubleValue,
        longitude: $0["longitude"]?.doubleValue)
    }
    description = value["description"]?.stringValue
    comment = value["comment"]?.stringValue
    commentBase64 = value["comment_base64"]?.stringValue
    preview = value["preview"].flatMap { Preview(value: $0) }
    verification = value["verification"].flatMap { Verification(value: $0) }
    thumbnails = (value["thumbnails"]?.arrayValue ?? []).compactMap { Thumbnail(value: $0) }
    if value["original"] != nil {
      original = value["original_kind"]?.stringValue.map { OriginalKind(rawValue: $0) } ?? .copy
    }
    sideFiles = (value["side_files"]?.arrayValue ?? []).compactMap { SideFile(value: $0) }
  }
}

extension JSONValue {
  fileprivate func whole(_ key: String) -> Int? {
    self[key]?.integerValue.flatMap { Int(exactly: $0) }
  }
}

extension LoadFailure {
  fileprivate init?(value: JSONValue) {
    guard let code = value["code"]?.stringValue.flatMap({ FailureCode(rawValue: $0) }),
      let message = value["message"]?.stringValue
    else { return nil }
    self.init(code, message)
  }
}

extension AssetRow.Captured {
  fileprivate init?(value: JSONValue) {
    guard let local = value["local"]?.stringValue, let source = value["source"]?.stringValue else { return nil }
    self.init(local: local, offset: value["offset"]?.stringValue, source: source)
  }
}

extension AssetRow.Preview {
  fileprivate init?(value: JSONValue) {
    guard let source = value["source"]?.stringValue.flatMap({ Source(rawValue: $0) }),
      let width = value.whole("width"), let height = value.whole("height")
    else { return nil }
    self.init(source: source, width: width, height: height)
  }
}

extension AssetRow.Verification {
  fileprivate init?(value: JSONValue) {
    guard let method = value["method"]?.stringValue.flatMap({ Method(rawValue: $0) }),
      let trailing = value["trailing_bytes"]?.integerValue.flatMap({ UInt64(exactly: $0) }),
      let warnings = value.whole("warnings")
    else { return nil }
    self.init(method: method, trailingBytes: trailing, warnings: warnings)
  }
}

extension AssetRow.Thumbnail {
  fileprivate init?(value: JSONValue) {
    guard let size = value.whole("size"), let width = value.whole("width"), let height = value.whole("height"),
      let bytes = value.whole("bytes"), let path = value["path"]?.stringValue,
      let sha256 = value["sha256"]?.stringValue, [size, width, height, bytes].allSatisfy({ $0 >= 0 })
    else { return nil }
    self.init(size: size, width: width, height: height, bytes: bytes, path: path, sha256: sha256)
  }
}

extension AssetRow.SideFile {
  fileprivate init?(value: JSONValue) {
    guard let path = ManifestRow.exactPath(of: value),
      let bytes = value["bytes"]?.integerValue.flatMap({ UInt64(exactly: $0) }),
      let sha256 = value["sha256"]?.stringValue
    else { return nil }
    self.init(path: path, bytes: bytes, sha256: sha256)
  }
}
