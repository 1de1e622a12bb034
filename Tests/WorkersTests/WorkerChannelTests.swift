import IngestTestSupport
import Testing

@testable import Workers

/// Holds one end of the protocol against everything that the other end may send.
@Suite(.timeLimit(.minutes(1))) struct WorkerChannelTests {
  private static let frame = WorkerFrame(.ending, [1, 2, 3, 4, 5])

  private func expectFrame(
    _ received: WorkerChannel.Received, _ frame: WorkerFrame = Self.frame,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard case .frame(frame, nil) = received else {
      Issue.record("\(received) instead of \(frame)", sourceLocation: sourceLocation)
      return
    }
  }

  private func expect(
    _ received: WorkerChannel.Received, _ wanted: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect("\(received)" == wanted, sourceLocation: sourceLocation)
  }

  @Test func `a frame comes as it was sent, and the next behind it`() throws {
    let pair = try SocketPair()
    pair.send(Self.frame.encoded + WorkerFrame(.ready).encoded)
    expectFrame(pair.channel.receive(within: 1000, limit: 5))
    expectFrame(pair.channel.receive(within: 1000, limit: 5), WorkerFrame(.ready))
    expect(pair.channel.receive(within: 0, limit: 5), "timedOut")
  }

  @Test func `a large frame comes whole`() async throws {
    let large = WorkerFrame(.ending, Array(repeating: [1, 2, 3, 4, 5, 6, 7], count: 300_000).flatMap(\.self))
    let ends = try SocketPair.channels()
    let gate = Gate()
    async let sent = onOwnThread {
      let isSent = ends.far().send(large)
      gate.wait()
      return isSent
    }
    let received = await onOwnThread {
      defer { gate.open() }
      return ends.near().receive(within: 20_000, limit: 2_100_000)
    }
    expectFrame(received, large)
    #expect(await sent)
  }

  @Test func `a frame that drips in never makes a wait longer, and comes whole in the end`() throws {
    let pair = try SocketPair()
    for byte in Self.frame.encoded.dropLast() {
      pair.send([byte])
      let clock = ContinuousClock()
      let began = clock.now
      expect(pair.channel.receive(within: 5, limit: 5), "timedOut")
      #expect(clock.now - began < .seconds(1))
    }
    pair.send([5])
    expectFrame(pair.channel.receive(within: 1000, limit: 5))
  }

  @Test(arguments: 0..<Self.frame.encoded.count)
  func `an end that comes at any byte of a frame is an end`(length: Int) throws {
    let pair = try SocketPair()
    if length > 0 { pair.send(Array(Self.frame.encoded.prefix(length))) }
    pair.hangUp()
    expect(pair.channel.receive(within: 1000, limit: 5), "closed")
    expect(pair.channel.receive(within: nil, limit: 5), "closed")
  }

  @Test func `a payload over the limit is malformed before a byte of it is taken`() throws {
    let pair = try SocketPair()
    pair.send(Self.frame.encoded)
    expect(pair.channel.receive(within: 1000, limit: 4), "malformed")
    expect(pair.channel.receive(within: 1000, limit: 5), "malformed")
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func `noise is malformed and takes no memory`(seed: UInt64) throws {
    let pair = try SocketPair()
    pair.send(SeededBytes.bytes(seed: seed, count: 13 + Int(seed)))
    expect(pair.channel.receive(within: 1000, limit: .max), "malformed")
  }

  @Test func `sending to nobody is told and raises no signal`() throws {
    let pair = try SocketPair()
    pair.hangUp()
    #expect(!pair.channel.send(Self.frame))
  }

  // MARK: Descriptors

  @Test func `a descriptor comes with the first byte`() throws {
    let pair = try SocketPair()
    let end = try WatchedEnd()
    pair.send(Self.frame.encoded, descriptors: [end.writing])
    guard case .frame(Self.frame, let descriptor?) = pair.channel.receive(within: 1000, limit: 5, takesDescriptor: true)
    else {
      Issue.record("no descriptor came")
      return
    }
    #expect(end.isHeldElsewhere)
    Descriptors.close(descriptor)
    #expect(!end.isHeldElsewhere)
  }

  @Test func `a descriptor that is not wanted is closed, and the frame malformed`() throws {
    let pair = try SocketPair()
    let end = try WatchedEnd()
    pair.send(Self.frame.encoded, descriptors: [end.writing])
    expect(pair.channel.receive(within: 1000, limit: 5), "malformed")
    #expect(!end.isHeldElsewhere)
  }

  @Test(arguments: [1, 4, 12, 13, 16]) func `a second descriptor with a later byte makes the frame malformed`(
    place: Int
  ) throws {
    let pair = try SocketPair()
    let ends = try (WatchedEnd(), WatchedEnd())
    pair.send(Array(Self.frame.encoded[..<place]), descriptors: [ends.0.writing])
    pair.send(Array(Self.frame.encoded[place...]), descriptors: [ends.1.writing])
    expect(pair.channel.receive(within: 1000, limit: 5, takesDescriptor: true), "malformed")
    #expect(!ends.1.isHeldElsewhere)
    // The first goes with the channel.
    withExtendedLifetime(pair) { #expect(ends.0.isHeldElsewhere) }
  }

  @Test(arguments: [2, 3, 4, 200]) func `several descriptors are all closed, and the frame malformed`(count: Int) throws
  {
    let pair = try SocketPair()
    let end = try WatchedEnd()
    pair.send(Self.frame.encoded, descriptors: Array(repeating: end.writing, count: count))
    expect(pair.channel.receive(within: 1000, limit: 5, takesDescriptor: true), "malformed")
    #expect(!end.isHeldElsewhere)
  }

  @Test func `a descriptor of a frame that never ends is closed with the channel`() throws {
    let end = try WatchedEnd()
    do {
      let pair = try SocketPair()
      pair.send(Array(Self.frame.encoded.dropLast()), descriptors: [end.writing])
      expect(pair.channel.receive(within: 10, limit: 5, takesDescriptor: true), "timedOut")
      #expect(end.isHeldElsewhere)
    }
    #expect(!end.isHeldElsewhere)
  }
}
