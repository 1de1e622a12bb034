extension ManifestEncoder {
  /// Encodes all of a row but its index. Numbers that are not finite count as unknown, empty groups are left out.
  public func row(_ row: AssetRow) -> EncodedRow {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("bit_depth", row.bitDepth)
    writer.member("bytes", row.bytes)
    writer.group("camera", row.camera?.members)
    writer.group("captured", row.captured?.members)
    writer.member("color", row.color)
    writer.member("comment", row.comment)
    writer.member("comment_base64", row.commentBase64)
    writer.member("components", row.components)
    writer.member("description", row.description)
    writer.member("display_height", row.displayHeight)
    writer.member("display_width", row.displayWidth)
    writer.group("error", row.error?.members)
    writer.group("exposure", row.exposure?.members)
    writer.member("format", row.format)
    writer.group("gps", row.gps?.members)
    writer.member("height", row.height)
    // The index follows "height"; when the row has none of the keys above it is the first member.
    let isFirst = writer.bytes.count == 1
    let indexOffset = isFirst ? 1 : writer.bytes.count + 1
    writer.member("modified", row.modified)
    writer.notes(row.notes)
    writer.member("orientation", row.orientation)
    writer.member("orientation_source", row.orientationSource)
    writer.member("original", row.original.map { _ in row.path.original.display })
    // A copy needs no word: that is what an original is.
    writer.member("original_kind", row.original == .symlink ? AssetRow.OriginalKind.symlink.rawValue : nil)
    writer.path(row.path)
    writer.group("preview", row.preview?.members)
    writer.member("profile", row.profile)
    writer.member("progressive", row.isProgressive)
    writer.member("record", "asset")
    writer.member("sha256", row.sha256)
    writer.sideFiles(row.sideFiles)
    writer.member("status", row.status.rawValue)
    writer.thumbnails(row.thumbnails)
    writer.group("verification", row.verification?.members)
    writer.member("width", row.width)
    writer.endObject()
    return EncodedRow(bytes: writer.bytes, indexOffset: indexOffset)
  }
}

/// One member of a group: a key and what may be known.
private typealias Members = [(key: String, value: JSONValue?)]

extension JSONWriter {
  /// Writes an object of the members that are known, which must come sorted; nothing when none is.
  fileprivate mutating func group(_ key: String, _ members: Members?) {
    let known = (members ?? []).compactMap { member -> JSONMember? in
      guard let value = member.value else { return nil }
      if case .number(let number) = value, !number.isFinite { return nil }
      return JSONMember(member.key, value)
    }
    guard !known.isEmpty else { return }
    self.key(key)
    value(.object(known))
  }

  fileprivate mutating func notes(_ notes: Set<String>) {
    guard !notes.isEmpty else { return }
    key("notes")
    beginArray()
    for note in notes.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { string(note) }
    endArray()
  }

  fileprivate mutating func sideFiles(_ files: [AssetRow.SideFile]) {
    guard !files.isEmpty else { return }
    key("side_files")
    beginArray()
    for file in files {
      beginObject()
      member("bytes", file.bytes)
      path(file.path)
      member("sha256", file.sha256)
      endObject()
    }
    endArray()
  }

  fileprivate mutating func thumbnails(_ thumbnails: [AssetRow.Thumbnail]) {
    guard !thumbnails.isEmpty else { return }
    key("thumbnails")
    beginArray()
    for thumbnail in thumbnails {
      beginObject()
      member("bytes", thumbnail.bytes)
      member("height", thumbnail.height)
      member("path", thumbnail.path)
      member("sha256", thumbnail.sha256)
      member("size", thumbnail.size)
      member("width", thumbnail.width)
      endObject()
    }
    endArray()
  }
}

extension JSONValue {
  fileprivate init(_ number: Int) {
    self = .integer(Int64(number))
  }
}

extension LoadFailure {
  fileprivate var members: Members {
    [("code", .string(code.rawValue)), ("message", .string(message))]
  }
}

extension AssetRow.Captured {
  fileprivate var members: Members {
    [("local", .string(local)), ("offset", offset.map { .string($0) }), ("source", .string(source))]
  }
}

extension AssetRow.Camera {
  fileprivate var members: Members {
    [("lens", lens.map { .string($0) }), ("make", make.map { .string($0) }), ("model", model.map { .string($0) })]
  }
}

extension AssetRow.Exposure {
  fileprivate var members: Members {
    [
      ("f_number", fNumber.map { .number($0) }), ("focal_length", focalLength.map { .number($0) }),
      ("iso", iso.map { JSONValue($0) }), ("seconds", seconds.map { .number($0) }),
    ]
  }
}

extension AssetRow.GPS {
  fileprivate var members: Members {
    [
      ("altitude", altitude.map { .number($0) }), ("latitude", latitude.map { .number($0) }),
      ("longitude", longitude.map { .number($0) }),
    ]
  }
}

extension AssetRow.Preview {
  fileprivate var members: Members {
    [("height", JSONValue(height)), ("source", .string(source.rawValue)), ("width", JSONValue(width))]
  }
}

extension AssetRow.Verification {
  fileprivate var members: Members {
    [
      ("method", .string(method.rawValue)), ("trailing_bytes", .integer(Int64(clamping: trailingBytes))),
      ("warnings", JSONValue(warnings)),
    ]
  }
}
