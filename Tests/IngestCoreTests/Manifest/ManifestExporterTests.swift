import IngestCore
import Testing

/// Runs an exporter over a whole manifest, as a run and `export` do.
func export(_ manifest: [UInt8], _ exporter: some ManifestExporting) throws -> [UInt8] {
  var exporter = exporter
  var reader = ManifestReader()
  var bytes = exporter.begin()
  for row in try reader.feed(manifest) { bytes += exporter.row(line: row.line, value: row.value) }
  return bytes + exporter.end(totals: try reader.finish().totals)
}

@Suite(.timeLimit(.minutes(1)))
struct JSONManifestTests {
  @Test func `it is one readable object of the very rows`() throws {
    let rows = [
      AssetRow(path: RelativePath("a"), status: .verified),
      AssetRow(path: RelativePath("b"), status: .failed, error: LoadFailure(.empty, "it is empty")),
    ]
    let json = try export(Sample.manifest(of: rows), JSONManifestExporter(order: .size))
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"assets":[
        {"index":0,"path":"a","record":"asset","status":"verified"},
        {"error":{"code":"empty","message":"it is empty"},"index":1,"path":"b","record":"asset","status":"failed"}
        ],"format":"photo-ingest","order":"size","totals":{"assets":2,"damaged":0,"failed":1,"verified":1},"version":1}

        """)
  }

  @Test func `without rows it is whole too`() throws {
    let json = try export(Sample.manifest(of: []), JSONManifestExporter(orderNamed: "name"))
    #expect(
      String(decoding: json, as: UTF8.self)
        == "{\"assets\":[],\"format\":\"photo-ingest\",\"order\":\"name\","
        + "\"totals\":{\"assets\":0,\"damaged\":0,\"failed\":0,\"verified\":0},\"version\":1}\n")
  }

  @Test func `a line with its LF gives the same`() throws {
    let row = ManifestEncoder(order: .name).row(Sample.fullRow())
    let value = try JSONReader().read(row.line(index: 0))
    var with = JSONManifestExporter(order: .name)
    var without = JSONManifestExporter(order: .name)
    #expect(
      with.row(line: row.line(index: 0), value: value)
        == without.row(line: Array(row.line(index: 0).dropLast()), value: value))
  }

  @Test func `its rows equal those of the lines for any rows`() throws {
    var random = SeededGenerator(seed: 41)
    let manifest = Sample.manifest(of: (0..<50).map { _ in Sample.randomRow(&random) })
    let value = try JSONReader().read(try export(manifest, JSONManifestExporter(order: .name)))
    var reader = ManifestReader()
    #expect(value["assets"]?.arrayValue == (try reader.feed(manifest)).map(\.value))
  }

  @Test func `each format has its place in the output folder`() {
    #expect(
      ManifestFormat.allCases.map(\.fileName)
        == ["manifest.json", "manifest.csv", "SHA256SUMS", "bag", "photo-ingest.prom"])
    #expect(ManifestFormat.allCases.map(\.rawValue) == ["json", "csv", "sha256", "bagit", "prometheus"])
  }
}
