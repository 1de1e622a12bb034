import Foundation
import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ManifestDocumentationTests {
  private let page: String
  private let schema: JSONValue

  init() throws {
    let docs = try #require(Self.docsFolder())
    page = try String(contentsOf: docs.appendingPathComponent("manifest.md"), encoding: .utf8)
    schema = try JSONReader().read(Array(try Data(contentsOf: docs.appendingPathComponent("manifest.schema.json"))))
  }

  private static func docsFolder() -> URL? {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
        return folder.appendingPathComponent("docs")
      }
    }
    return nil
  }

  private func fullRow() throws -> JSONValue {
    try JSONReader().read(ManifestEncoder(order: .name).row(Sample.fullRow()).line(index: 0))
  }

  private func keys(_ value: JSONValue?) -> Set<String> {
    Set((value?.objectValue ?? []).map(\.key))
  }

  @Test func `the sample row holds every key that the encoder can write`() throws {
    // Every stored property of AssetRow is a key; path and original give two, and record and index are added.
    let properties = Mirror(reflecting: Sample.fullRow()).children.count
    #expect(keys(try fullRow()).count == properties + 4)
  }

  @Test func `the schema knows every key, and no other`() throws {
    let row = try fullRow()
    let properties = schema["$defs"]?["asset"]?["properties"]
    #expect(keys(row) == keys(properties))
    for group in try #require(row.objectValue) where group.value.objectValue != nil {
      #expect(keys(group.value) == keys(properties?[group.key]?["properties"]), "\(group.key)")
    }
    #expect(
      keys(row["thumbnails"]?.arrayValue?.first) == keys(schema["$defs"]?["thumbnail"]?["properties"]))
    #expect(
      keys(row["side_files"]?.arrayValue?.first) == keys(schema["$defs"]?["side_file"]?["properties"]))
    #expect(
      schema["properties"]?["order"]?["examples"]?.arrayValue?.compactMap(\.stringValue)
        == AssetOrder.allCases.map(\.rawValue))
    #expect(
      schema["$defs"]?["asset"]?["properties"]?["error"]?["properties"]?["code"]?["examples"]?.arrayValue?
        .compactMap(\.stringValue) == FailureCode.allCases.map(\.rawValue))
  }

  @Test func `the schema knows every key of the whole`() throws {
    let whole = try JSONReader().read(try export(Sample.manifest(of: []), JSONManifestExporter(order: .name)))
    #expect(keys(whole) == keys(schema["properties"]))
    #expect(keys(whole["totals"]) == keys(schema["properties"]?["totals"]?["properties"]))
    #expect(schema["$schema"] == .string("https://json-schema.org/draft/2020-12/schema"))
  }

  @Test func `the page names every key, code, order and file`() throws {
    let row = try fullRow()
    var words = keys(row).union(FailureCode.allCases.map(\.rawValue)).union(AssetOrder.allCases.map(\.rawValue))
    for member in row.objectValue ?? [] { words.formUnion(keys(member.value)) }
    words.formUnion(keys(row["thumbnails"]?.arrayValue?.first))
    words.formUnion(ManifestFormat.allCases.map(\.rawValue).map { "--manifest \($0)" })
    words.formUnion([
      "extension-mismatch", "trailing-data", "orientation-ignored", "profile-ignored", "cmyk-no-marker", "odd-header",
      "extra-images", "text-dropped", "exif-broken", "salvaged-preview",
      "side-file-left-out",
    ])
    for word in words.sorted() {
      #expect(page.contains("`\(word)`"), "\(word)")
    }
  }

  @Test func `the page lists the columns of the CSV in their order`() {
    let columns = CSVExporter(thumbnailSizes: ThumbnailSizes()).columnNames
    let text = page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(columns.joined(separator: " ")))
  }
}
