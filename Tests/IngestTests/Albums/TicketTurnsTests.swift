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

  @Test func `work ahead stays with its site, and not for ever while others wait`() async throws {
    let (queue, a, b, c) = (TicketQueue(), try site(), try site(), try site())
    for number in 1...6 { queue.append(ticket(UInt64(number), at: a)) }
    queue.append(ticket(11, at: b))
    #expect(queue.upcoming(at: c, within: 2) == nil)
    #expect(queue.upcoming(at: b, within: 2)?.id == ImageRequestID(11))
    #expect(queue.nextIfWaiting(at: c, taken: 1) == nil)
    #expect(queue.nextIfWaiting(at: a, taken: 3)?.id == ImageRequestID(1))
    #expect(queue.nextIfWaiting(at: a, taken: 4) == nil, "b waits")
    #expect(queue.nextIfWaiting(at: b, taken: 1)?.id == ImageRequestID(11))
    #expect(queue.nextIfWaiting(at: a, taken: 4)?.id == ImageRequestID(2), "nobody else waits")
    queue.close(threads: 1)
    let rest = await onOwnThread {
      var rest: [ImageRequestID] = []
      while let ticket = queue.next() { rest.append(ticket.id) }
      return rest
    }
    #expect(rest == [3, 4, 5, 6].map { ImageRequestID($0) }, "what was refused is still counted")
  }

  @Test(.enabled(if: PhotoShelf.hasProcesses, "the program is not built, or built with a sanitizer"))
  func `a thread that decodes ahead begins no photo of another folder, and gives each its turn`() async throws {
    let configuration = shelf.configuration()
    let pool = LoaderPool(
      threads: 1, request: configuration.decodeRequest, timeout: .seconds(600), place: PhotoShelf.processes)
    let (a, b) = (PhotoLoader(try site(), on: pool), PhotoLoader(try site(), on: pool))
    let (begun, allAsked) = (Gate(), Gate())
    let order = Guarded<[String]>([])
    let ask = { @Sendable (loader: PhotoLoader, name: String) in
      _ = loader.requestImage(for: shelf.asset("a.jpg"), options: ImageRequestOptions()) { _, event in
        guard event.isTerminal(for: .opportunistic) else { return }
        guard case .final = event else { return order.withLock { $0.append("failed \(name)") } }
        order.withLock { $0.append(name) }
        begun.open()
        allAsked.wait()
      }
    }
    ask(a, "a0")
    await begun.passed()
    for number in 1...6 { ask(a, "a\(number)") }
    for number in 1...2 { ask(b, "b\(number)") }
    allAsked.open()
    await onOwnThread {
      a.shutDown()
      b.shutDown()
      pool.shutDown(isIdle: true)
    }
    #expect(order.withLock { $0 } == ["a0", "a1", "a2", "a3", "a4", "b1", "b2", "a5", "a6"])
  }

  @Test func `photos of a folder over which a thread hangs fail unopened, and cost no more threads`() async throws {
    try shelf.folder.file("in/hangs.jpg", PhotoShelf.withStandIn)
    let configuration = shelf.configuration()
    let pool = LoaderPool(
      threads: 1, request: configuration.decodeRequest, timeout: .seconds(600), place: .inProcess,
      hangLimit: .milliseconds(50))
    let dead = PhotoLoader(try site(), on: pool)
    let (hangs, mount, log, failed) = (Gate(), Gate(), EventLog(), Gate())
    let opened = Guarded(0)
    for _ in 0..<5 {
      _ = dead.requestImage(for: shelf.asset("hangs.jpg"), options: ImageRequestOptions()) { id, event in
        if case .degraded = event {
          opened.withLock { $0 += 1 }
          hangs.open()
          mount.wait()
        }
        log.handler(id, event)
        if log.failures.count == 4 { failed.open() }
      }
    }
    await hangs.passed()
    await failed.passed()
    #expect(opened.withLock { $0 } == 1)
    #expect(log.failures.map(\.code) == [.unreadable, .unreadable, .unreadable, .unreadable])
    mount.open()
    await onOwnThread {
      dead.shutDown()
      pool.shutDown(isIdle: true)
    }
    #expect(log.photos.count == 1, "the one that hung came back")
  }
}
