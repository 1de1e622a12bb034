import IngestCore
import IngestFiles
import IngestTestSupport
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1)))
struct PrometheusFileTests {
  @Test func `gauges are written only while nobody else has the folder`() throws {
    let folder = try TemporaryFolder([.folder("out", [.folder(".photo-ingest", [])])])
    let output = Array(folder["out"].utf8)
    let file = PrometheusFile(directory: output)
    var figures = LastRunFigures()
    figures.exitCode = 1
    let other = OutputLock(output)
    #expect(try other.obtain())
    do {
      try file.write(figures)
      Issue.record("written while another one has the folder")
    } catch {
      guard case .locked = error else { throw error }
    }
    #expect(!file.isStanding)
    other.finish()
    try file.write(figures)
    #expect(file.isStanding)
    #expect(try other.obtain())
  }
}
