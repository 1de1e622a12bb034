import IngestCore
import IngestFiles
import IngestTestSupport
import Testing

@testable import Ingest

/// Lets several sites wait for the same threads.
@Suite(.timeLimit(.minutes(1))) struct TicketTurnsTests {
  private let shelf: PhotoShelf

  init() throws {
    shelf = try PhotoShelf([("a.jpg", TinyJPEG.gray.bytes)])
  }

  private func site() throws -> LoadSite { LoadSite(folder: try SourceFolder.open(shelf.source)) }

  private func ticket(_ number: UInt64, at site: LoadSite) -> LoadTicket {
    LoadTicket(
      id: ImageRequestID(number), asset: shelf.asset("a.jpg"), site: site, options: ImageRequestOptions()
    ) { _, _ in }
  }

  @Test func `sites take turns, and each keeps its order`() async throws {
    let (queue, a, b) = (TicketQueue(), try site(), try site())
    for number in 1...4 { queue.append(ticket(UInt64(number), at: a)) }
    for number in 11...12 { queue.append(ticket(UInt64(number), at: b)) }
    queue.close(threads: 1)
    let order = await onOwnThread {
      var order: [ImageRequestID] = []
      while let ticket = queue.next() { order.append(ticket.id) }
      return order
    }
    #expect(order == [1, 11, 2, 12, 3, 4].map { ImageRequestID($0) })
  }

  @Test func `a ticket that is given back is the next of its site`() async throws {
    let (queue, a, b) = (TicketQueue(), try site(), try site())
    for number in 1...2 { queue.append(ticket(UInt64(number), at: a)) }
    queue.append(ticket(11, at: b))
    let order = try await onOwnThread {
      queue.putBack(try #require(queue.next()))
      return try (0..<3).map { _ in try #require(queue.next()).id }
    }
    #expect(order == [11, 1, 2].map { ImageRequestID($0) })
  }

  @Test func `a loader that is shut down leaves the threads that it shares to the others`() async throws {
    let configuration = shelf.configuration()
    let pool = LoaderPool(
      threads: 1, request: configuration.decodeRequest, timeout: .seconds(600), place: .inProcess)
    let (first, second) = (PhotoLoader(try site(), on: pool), PhotoLoader(try site(), on: pool))
    let log = EventLog()
    _ = first.requestImage(for: shelf.asset("a.jpg"), options: ImageRequestOptions(), resultHandler: log.handler)
    await onOwnThread { first.shutDown() }
    _ = second.requestImage(for: shelf.asset("a.jpg"), options: ImageRequestOptions(), resultHandler: log.handler)
    await onOwnThread {
      second.shutDown()
      pool.shutDown(isIdle: true)
    }
    #expect(log.photos.count == 2)
  }

  @Test func `a folder over which a thread hangs does not take the thread from another folder`() async throws {
    try shelf.folder.file("in/hangs.jpg", PhotoShelf.withStandIn)
    let configuration = shelf.configuration()
    let pool = LoaderPool(
      threads: 1, request: configuration.decodeRequest, timeout: .seconds(600), place: .inProcess,
      hangLimit: .milliseconds(50))
    let (dead, alive) = (PhotoLoader(try site(), on: pool), PhotoLoader(try site(), on: pool))
    let (hangs, mount, log) = (Gate(), Gate(), EventLog())
    _ = dead.requestImage(for: shelf.asset("hangs.jpg"), options: ImageRequestOptions()) { id, event in
      if case .degraded = event {
        hangs.open()
        mount.wait()
      }
      log.handler(id, event)
    }
    await hangs.passed()
    let ended = Gate()
    _ = alive.requestImage(for: shelf.asset("a.jpg"), options: ImageRequestOptions()) { id, event in
      log.handler(id, event)
      ended.open()
    }
    await ended.passed()
    #expect(log.photos.count == 1, "the photo of the folder that is alive")
    mount.open()
    await onOwnThread {
      dead.shutDown()
      alive.shutDown()
      pool.shutDown(isIdle: true)
    }
    #expect(log.photos.count == 2)
  }
}
