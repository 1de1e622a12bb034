import IngestCore
import Workers

/// Hears what the kernel refuses of the decoders' sandbox: says it once, and ends the run where it is required.
struct SandboxGuard {
  private let configuration: RunConfiguration
  private let refused = Box()

  /// Keeps what was refused for the run's own thread.
  private final class Box: Sendable {
    let measures = Guarded<[DecoderService.Measure]?>(nil)
  }

  init(_ configuration: RunConfiguration) {
    self.configuration = configuration
  }

  /// Where the loader decodes.
  func place(control: CollectionControl, report: @escaping IngestRun.Report) -> DecodingPlace {
    switch configuration.workers {
    case .inProcess: return .inProcess
    case .processes:
      let isRequired = configuration.requiresSandbox
      return .processes(program: configuration.workerProgram) { [refused] measures in
        let isFirst = refused.measures.withLock { known in
          defer { known = known ?? measures }
          return known == nil
        }
        guard isFirst else { return }
        if isRequired {
          control.cancel()
        } else {
          let words = measures.map(\.words).joined(separator: ", ")
          report(.message(.warning, "decoders run without a part of their sandbox: the kernel refused \(words)"))
        }
      }
    }
  }

  /// Throws when a part of the sandbox was refused and all of it is required.
  func check() throws(RunError) {
    guard configuration.requiresSandbox, let measures = refused.measures.withLock({ $0 }) else { return }
    throw .sandboxRefused(measures.map(\.words))
  }
}
