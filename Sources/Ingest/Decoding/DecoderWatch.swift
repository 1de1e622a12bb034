import IngestCore
public import Workers

/// Hears how the decoder processes of one run fare, and says when the run cannot go on.
///
/// Shared by the loader threads; asked by the run's own.
public final class DecoderWatch: Sendable {
  /// Says why nothing more can be decoded as it was asked for.
  public enum Breakdown: Sendable, Hashable {
    /// The kernel refused these parts of the sandbox, and all of it is required.
    case sandboxRefused([SandboxMeasure])
    /// No decoder process can be started; in the lower layer's words.
    case noDecoder(String)
  }

  private struct State {
    var refused: Set<SandboxMeasure> = []
    var isShort = false
    /// How many decoders in a row have never become ready.
    var hangs = 0
    var breakdown: Breakdown?
  }

  private let state = Guarded(State())
  private let requiresSandbox: Bool
  private let warn: @Sendable (String) -> Void

  /// - Parameters:
  ///   - requiresSandbox: whether a refused part of the sandbox is a breakdown.
  ///   - warn: hears what is no breakdown, each thing once, on a loader thread.
  public init(requiresSandbox: Bool, warn: @escaping @Sendable (String) -> Void) {
    self.requiresSandbox = requiresSandbox
    self.warn = warn
  }

  /// What ended the decoding; nil while all is well.
  public var breakdown: Breakdown? { state.withLock { $0.breakdown } }

  /// Takes note of what the kernel refused; false when the decoder must not be given a photo.
  func goesOn(without measures: [SandboxMeasure]) -> Bool {
    guard !measures.isEmpty else { return true }
    let isRequired = requiresSandbox
    let new = state.withLock { state -> [SandboxMeasure] in
      if isRequired {
        state.breakdown = state.breakdown ?? .sandboxRefused(measures)
        return []
      }
      return measures.filter { state.refused.insert($0).inserted }
    }
    if !new.isEmpty {
      let words = new.map(\.words).joined(separator: ", ")
      warn("decoders run without a part of their sandbox: the kernel refused \(words)")
    }
    return !isRequired
  }

  /// So many decoders in a row that never become ready are no accident.
  private static let mostHangs = 3

  /// Takes note of a decoder that has become ready.
  func isReady() {
    state.withLock { $0.hangs = 0 }
  }

  /// Takes note of one that has not, in these words; false when another try would come to the same, and the run is over.
  func goesOn(afterHang words: String) -> Bool {
    state.withLock { state in
      state.hangs += 1
      guard state.hangs >= Self.mostHangs else { return true }
      state.breakdown = state.breakdown ?? .noDecoder("\(words), \(Self.mostHangs) times in a row")
      return false
    }
  }

  /// Takes note that a loader thread has no decoder any more. The last one's loss is the run's.
  func lostDecoder(_ reason: String, wasLast: Bool) {
    let isNews = state.withLock { state in
      if wasLast { state.breakdown = state.breakdown ?? .noDecoder(reason) }
      defer { state.isShort = true }
      return !state.isShort && state.breakdown == nil
    }
    if isNews { warn("the run goes on with fewer decoders than asked for: \(reason)") }
  }
}
