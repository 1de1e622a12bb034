import Dispatch
import HostProcess
import IngestCore
import PhotoCodecs
import Synchronization

/// Runs a number of loader threads, each with one decoder, for every loader that shares them.
///
/// `shutDown` must be called before the last reference goes.
final class LoaderPool: Sendable {
  private struct State {
    var threads: [OwnThread] = []
    var seats: [LoaderSeat] = []
  }

  private let queue: TicketQueue
  private let work: LoaderThread
  private let nextID = Atomic<UInt64>(0)
  private let state = Guarded(State())
  /// Signalled once by each thread that has ended.
  private let ended = DispatchSemaphore(value: 0)
  /// Signalled when there is nothing more to watch over.
  private let isOver = DispatchSemaphore(value: 0)
  private let watch: Guarded<OwnThread?> = Guarded(nil)

  /// Starts `count` loader threads.
  ///
  /// - Parameter hangLimit: how long a thread may be at one load before another one takes its place, so that a folder on a
  ///   dead mount does not take the threads away from other folders; nil where there is one folder.
  init(threads count: Int, request: DecodeRequest, timeout: Duration, place: DecodingPlace, hangLimit: Duration? = nil)
  {
    precondition(count > 0, "a loader needs a thread")
    queue = TicketQueue()
    work = LoaderThread(
      request: request, timeout: timeout, place: place, queue: queue, crew: LoaderCrew(count), threads: count)
    for _ in 0..<count { startThread() }
    guard let hangLimit else { return }
    let thread = OwnThread.start(name: "loader-watch") { [unowned self] in watchOver(hangLimit) }
    watch.withLock { $0 = thread }
  }

  private func startThread() {
    let seat = LoaderSeat()
    let number = state.withLock { state in
      state.seats.append(seat)
      return state.seats.count - 1
    }
    let thread = OwnThread.start(name: "loader-\(number)") { [work, ended] in
      work.run(seat)
      ended.signal()
    }
    state.withLock { $0.threads.append(thread) }
  }

  /// Until the end, which comes before this object does: `shutDown` joins the watching thread.
  ///
  /// A lost seat gets a successor, for no more seats than `mostSuccessors` and while files may be opened. The tickets of its
  /// site are not opened any more; when no thread is left, no ticket is.
  private func watchOver(_ limit: Duration) {
    let glance = min(limit, .seconds(1))
    var successors = 0
    while isOver.wait(timeout: DispatchTime.now().after(glance)) == .timedOut {
      let seats = state.withLock { $0.seats }
      for seat in seats where seat.isLost(after: limit) {
        guard successors < Self.mostSuccessors * work.threads, HostProcess.freeDescriptors > 26 else { continue }
        successors += 1
        startThread()
      }
      guard state.withLock({ $0.seats }).allSatisfy(\.isTaken) else { continue }
      while let ticket = queue.nextIfWaiting() { work.answerUnread(ticket) }
    }
  }

  /// For each thread of the pool: so many folders may die one after the other.
  private static let mostSuccessors = 4

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
    if let watch = watch.withLock({ $0.take() }) {
      isOver.signal()
      watch.join()
    }
    let threads = state.withLock { $0.threads }
    queue.close(threads: threads.count)
    guard isIdle else { return }
    for _ in threads where ended.wait(timeout: .now() + LoadSite.patience) == .timedOut { return }
    for thread in threads { thread.join() }
  }
}
