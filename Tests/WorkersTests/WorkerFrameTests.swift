import Testing

@testable import Workers

@Suite(.timeLimit(.minutes(1))) struct WorkerFrameTests {
  private static func head(_ kind: UInt8, _ length: Int, mark: [UInt8] = WorkerFrame.mark) -> [UInt8] {
    var writer = MessageWriter()
    writer.add(kind)
    writer.add(length)
    return mark + writer.bytes
  }

  @Test(arguments: WorkerFrame.Kind.allCases, [0, 1, WorkerFrame.maximumLength])
  func `a head says kind and length`(kind: WorkerFrame.Kind, length: Int) throws {
    let head = try #require(WorkerFrame.head(Self.head(kind.rawValue, length)))
    #expect(head.kind == kind)
    #expect(head.length == length)
  }

  @Test(arguments: WorkerFrame.Kind.allCases) func `a frame begins with its head`(kind: WorkerFrame.Kind) throws {
    let frame = WorkerFrame(kind, [7, 8, 9])
    #expect(Array(frame.encoded.suffix(3)) == [7, 8, 9])
    #expect(try #require(WorkerFrame.head(Array(frame.encoded.dropLast(3)))).length == 3)
  }

  @Test(arguments: 0..<4) func `another mark, or another version of it, is no head`(place: Int) {
    var mark = WorkerFrame.mark
    mark[place] ^= 1
    #expect(WorkerFrame.head(Self.head(1, 0, mark: mark)) == nil)
  }

  @Test(arguments: [0, 7, 255] as [UInt8]) func `an unknown kind is no head`(kind: UInt8) {
    #expect(WorkerFrame.head(Self.head(kind, 0)) == nil)
  }

  @Test(arguments: [-1, Int.min, Int.max, WorkerFrame.maximumLength + 1])
  func `a length that cannot be is no head`(length: Int) {
    #expect(WorkerFrame.head(Self.head(1, length)) == nil)
  }

  @Test func `a head has its length and no other`() {
    let head = Self.head(1, 0)
    #expect(WorkerFrame.head(Array(head.dropLast())) == nil)
    #expect(WorkerFrame.head(head + [0]) == nil)
    #expect(WorkerFrame.head([]) == nil)
  }
}
