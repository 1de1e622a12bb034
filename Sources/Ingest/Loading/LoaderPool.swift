import Dispatch
import HostProcess
import IngestCore
import PhotoCodecs
import Synchronization

/// Runs a fixed number of loader threads, each with one decoder, for every loader that shares them.
///
/// `shutDown` must be called before the last reference goes.
final class LoaderPool: Sendable {
  private let queue = TicketQueue()
  private let nextID = Atomic<UInt64>(0)
  private let threads: [OwnThread]
  /// Signalled once by each thread that has ended.
  private let ended = DispatchSemaphore(value: 0)

  /// Starts `count` loader threads.
  init(threads count: Int, request: DecodeRequest, timeout: Duration, place: DecodingPlace) {
    precondition(count > 0, "a loader needs a thread")
    let ended = ended
    let work = LoaderThread(
      request: request, timeout: timeout, place: place, queue: queue, crew: LoaderCrew(count), threads: count)
    threads = (0..<count).map { number in
      OwnThread.start(name: "loader-\(number)") {
        work.run()
        ended.signal()
      }
    }
  }

  func request(
    _ asset: Asset, at site: LoadSite, options: ImageRequestOptions, resultHandler: @escaping PhotoLoader.ResultHandler
  ) -> ImageRequestID {
    let id = ImageRequestID(nextID.add(1, ordering: .relaxed).newValue)
    let ticket = LoadTicket(id: id, asset: asset, site: site, options: options, resultHandler: resultHandler)
    site.admit(ticket)
    queue.append(ticket)
    return id
  }

  /// Ends the threads, when every site has been closed.
  ///
  /// - Parameter isIdle: whether no thread hangs over a request; where one does, none is waited for.
  @available(*, noasync, message: "shutDown blocks its thread")
  func shutDown(isIdle: Bool) {
    queue.close(threads: threads.count)
    guard isIdle else { return }
    for _ in threads where ended.wait(timeout: .now() + LoadSite.patience) == .timedOut { return }
    for thread in threads { thread.join() }
  }
}
