import PhotoCodecs
public import Workers

/// Says where photos are decoded.
public enum DecodingPlace: Sendable {
  /// In this process: quick to start, but a fault in a codec is a fault of the whole program.
  case inProcess
  /// In processes of their own, one for each loader thread, that can open nothing and talk to nobody.
  ///
  /// `program` is the path of a `photo-ingest` executable; `onRefusal` hears what the kernel refused of the sandbox, from
  /// each process anew, on a loader thread.
  case processes(program: String, onRefusal: @Sendable ([DecoderService.Measure]) -> Void)

  /// What one loader thread decodes with.
  func decoding(_ request: DecodeRequest) -> any PhotoDecoding {
    switch self {
    case .inProcess: InProcessDecoding()
    case .processes(let program, let onRefusal):
      ProcessDecoding(
        program: program,
        memory: request.limits.maxMemory.addingReportingOverflow(DecodeWorker.memoryMargin).partialValue,
        onRefusal: onRefusal)
    }
  }
}
