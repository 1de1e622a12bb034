import IngestCore
import PhotoCodecs

/// Is what several runs at once load with: one pool of loader threads, each with one decoder.
///
/// All of them must ask for the same kind of load. A decoder process is started when its thread has the first photo in hand,
/// so a pool that is not used costs next to nothing. `shutDown` is called when the last run has ended.
final class SharedLoading: Sendable {
  /// Hears of the decoders of all runs; what ends the decoding ends every run that decodes.
  let watch: DecoderWatch
  /// How many times longer a run may have to wait for its turn than one that has the threads for itself.
  let waits: Int
  /// As many as `jobs` says, or as files may be open.
  let threads: Int
  private let pool: LoaderPool

  /// - Parameters:
  ///   - configuration: how all of the runs load; its `jobs` are the threads of them all.
  ///   - sharers: the most runs at once.
  ///   - warn: hears what concerns all of them, on a loader thread.
  init(_ configuration: RunConfiguration, sharers: Int, warn: @escaping @Sendable (String) -> Void) {
    waits = sharers + 1
    watch = DecoderWatch(requiresSandbox: configuration.requiresSandbox, warn: warn)
    threads = LoaderCrew.fitting(configuration.jobs, warn: warn)
    pool = LoaderPool(
      threads: threads, request: configuration.decodeRequest, timeout: configuration.limits.timeout,
      place: configuration.decodingPlace(watch), hangLimit: configuration.limits.timeout + .seconds(5))
  }

  func loader(for site: LoadSite) -> PhotoLoader {
    PhotoLoader(site, on: pool)
  }

  @available(*, noasync, message: "shutDown blocks its thread")
  func shutDown() {
    pool.shutDown(isIdle: true)
  }
}
