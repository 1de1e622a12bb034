import PhotoCodecs

/// Says where photos are decoded.
public enum DecodingPlace: Sendable {
  /// In this process: quick to start, but a fault in a codec is a fault of the whole program.
  case inProcess
  /// In processes of their own, one for each loader thread, that can open nothing and talk to nobody.
  ///
  /// `program` is the path of an executable whose first act is `DecodeWorker.serve` when its arguments ask for it, as
  /// `photo-ingest` is.
  case processes(program: String, watch: DecoderWatch)

  /// What one loader thread decodes with.
  func decoding(_ request: DecodeRequest, timeout: Duration) -> any PhotoDecoding {
    switch self {
    case .inProcess: InProcessDecoding()
    case .processes(let program, let watch):
      ProcessDecoding(program: program, memory: DecodeWorker.memory(for: request), watch: watch, timeout: timeout)
    }
  }

  /// Takes note that a loader thread ends for want of a decoder.
  func lostDecoder(_ reason: String, wasLast: Bool) {
    guard case .processes(_, let watch) = self else { return }
    watch.lostDecoder(reason, wasLast: wasLast)
  }
}
