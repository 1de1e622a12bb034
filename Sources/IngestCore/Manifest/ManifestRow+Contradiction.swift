extension ManifestRow {
  /// What this row says that no row may say (interface version 1, "Manifest"), in words that follow its path; nil when it
  /// is as rows are.
  ///
  /// Reading a row passes over a value that is none; whoever relies on a manifest must know that there was one.
  public var contradiction: String? {
    if let bytes = value["bytes"], !Self.isSize(bytes) { return "its bytes are no size" }
    if status == .verified {
      if sha256 == nil || bytes == nil { return "is verified and states no checksum or no size" }
      if value["error"] != nil { return "is verified and states an error" }
    } else if value["error"]?["code"]?.stringValue == nil {
      return "is not verified and states no error"
    }
    if let original = value["original"], original.stringValue == nil { return "its original is no path" }
    if let kind = value["original_kind"], kind.stringValue != AssetRow.OriginalKind.symlink.rawValue {
      return "its kind of original is not known"
    }
    if !isListOfFiles("thumbnails") { return "lists a thumbnail without path, size or checksum" }
    if !isListOfFiles("side_files") { return "lists a side file without path, size or checksum" }
    return nil
  }

  private static func isSize(_ value: JSONValue) -> Bool {
    value.integerValue.flatMap { UInt64(exactly: $0) } != nil
  }

  private func isListOfFiles(_ key: String) -> Bool {
    guard let list = value[key] else { return true }
    guard let files = list.arrayValue else { return false }
    return files.allSatisfy { file in
      guard Self.exactPath(of: file) != nil, let bytes = file["bytes"], Self.isSize(bytes) else { return false }
      return file["sha256"]?.stringValue.map(Self.isChecksum) ?? false
    }
  }
}
