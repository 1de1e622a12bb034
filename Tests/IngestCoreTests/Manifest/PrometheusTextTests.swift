import IngestCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PrometheusTextTests {
  @Test func `all gauges stand with their help, in order`() {
    var figures = LastRunFigures()
    figures.ended = 1_700_000_000.5
    figures.duration = 0.0004
    figures.exitCode = 130
    figures.lastSuccess = 1_600_000_000
    figures.bytesRead = 9_007_199_254_740_993
    figures.totals = ManifestTotals(assets: 6, verified: 3, damaged: 2, failed: 1)
    #expect(
      String(decoding: PrometheusText.encode(figures), as: UTF8.self) == """
        # HELP photo_ingest_assets Photos of the manifest by status.
        # TYPE photo_ingest_assets gauge
        photo_ingest_assets{status="damaged"} 2
        photo_ingest_assets{status="failed"} 1
        photo_ingest_assets{status="verified"} 3
        # HELP photo_ingest_bytes_read Bytes of photos that the last run has read.
        # TYPE photo_ingest_bytes_read gauge
        photo_ingest_bytes_read 9007199254740993
        # HELP photo_ingest_last_run_duration_seconds How long the last run took.
        # TYPE photo_ingest_last_run_duration_seconds gauge
        photo_ingest_last_run_duration_seconds 0
        # HELP photo_ingest_last_run_exit_code Exit code of the last run; a signal counts 128 more.
        # TYPE photo_ingest_last_run_exit_code gauge
        photo_ingest_last_run_exit_code 130
        # HELP photo_ingest_last_run_timestamp_seconds When the last run ended.
        # TYPE photo_ingest_last_run_timestamp_seconds gauge
        photo_ingest_last_run_timestamp_seconds 1700000000.500
        # HELP photo_ingest_last_success_timestamp_seconds When a run last ended with a whole manifest (exit code 0 or 3).
        # TYPE photo_ingest_last_success_timestamp_seconds gauge
        photo_ingest_last_success_timestamp_seconds 1600000000

        """)
  }

  @Test func `what is not known is left out, and nonsense too`() {
    #expect(PrometheusText.encode(LastRunFigures()) == [])
    var figures = LastRunFigures()
    figures.ended = .nan
    figures.duration = -1
    figures.lastSuccess = .infinity
    #expect(PrometheusText.encode(figures) == [])
  }

  @Test func `a value is read back, and a name is not taken for the start of another`() {
    var figures = LastRunFigures()
    figures.ended = 1.5
    figures.exitCode = 1
    let text = PrometheusText.encode(figures)
    #expect(PrometheusText.value(of: "last_run_timestamp_seconds", in: text) == 1.5)
    #expect(PrometheusText.value(of: "last_run", in: text) == nil)
    #expect(PrometheusText.value(of: "last_success_timestamp_seconds", in: text) == nil)
    #expect(PrometheusText.value(of: "last_run_exit_code", in: [0xFF, 0x0A]) == nil)
  }
}
