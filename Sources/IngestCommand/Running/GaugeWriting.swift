import Ingest
import IngestCore

/// Writes the gauges of a run that has ended where they are wanted: one file for a single folder, one in each album.
struct GaugeWriting {
  let surroundings: Surroundings
  let printers: [any RunPrinting]

  /// Also of a run that failed; says how the program ends after that.
  func tell(_ request: RunRequest, _ outcome: Outcome, _ ending: Ending, took duration: Duration) -> Ending {
    // Another run has the folder; the gauges are its own to write.
    switch outcome {
    case .skipped, .failed(.locked): return ending
    default: break
    }
    let isWanted = request.configuration.manifests.contains(.prometheus)
    let seconds = Counted.seconds(duration)
    guard request.albums != nil else {
      let figures = figures(of: outcome, code: ending.shown, took: seconds)
      return write(figures, to: request.configuration.output, isWanted, ending)
    }
    // What has ended the whole before any album was begun is told by none of them.
    guard case .albums(let albums) = outcome else { return ending }
    var ending = ending
    for result in albums.results {
      if case .failure(.locked) = result.outcome { continue }
      // An album that was complete when a signal came is complete.
      let wasStopped = ending.signalName != nil && !result.isComplete
      let code = wasStopped ? ending.shown : ExitCode(result).rawValue
      let took = (try? result.outcome.get()).map { Counted.seconds($0.elapsed) } ?? seconds
      let figures = figures(of: (try? result.outcome.get()).map(Outcome.run) ?? outcome, code: code, took: took)
      ending = write(figures, to: result.album.output, isWanted, ending, of: result.album)
    }
    return ending
  }

  private func figures(of outcome: Outcome, code: Int32, took seconds: Double) -> LastRunFigures {
    var figures = LastRunFigures()
    figures.ended = surroundings.wallClock()
    figures.duration = seconds
    figures.exitCode = Int(code)
    if LastRunFigures.isSuccess(exitCode: Int(code)) { figures.lastSuccess = figures.ended }
    if case .run(let summary) = outcome {
      figures.totals = summary.totals
      figures.bytesRead = summary.bytesRead
    }
    return figures
  }

  private func write(
    _ figures: LastRunFigures, to directory: [UInt8], _ isWanted: Bool, _ ending: Ending, of album: Album? = nil
  ) -> Ending {
    let file = PrometheusFile(directory: directory)
    guard isWanted || file.isStanding else { return ending }
    do {
      try surroundings.engine.write(figures, to: file)
      return ending
    } catch .locked {
      let words = "\(ManifestFormat.prometheus.fileName) is left to another program that has the output folder now"
      for printer in printers { printer.hear(.message(.warning, words), of: album) }
      return ending
    } catch {
      for printer in printers { printer.hear(.message(.error, error.sentence), of: album) }
      // The run itself has ended as it has; a monitor that is not told must not look like a good night.
      let isComplete = [ExitCode.good, .notVerified].contains { ending == .code($0.rawValue) }
      return isComplete ? .code(ExitCode.incomplete.rawValue) : ending
    }
  }
}
