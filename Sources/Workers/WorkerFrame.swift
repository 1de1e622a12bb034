/// Frames the messages between a run and its decoder processes: a mark with the version, a kind, a length, the bytes.
public struct WorkerFrame: Sendable, Hashable {
  /// Names what a message is. The numbers are part of the protocol.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// To the decoder: load the photo whose descriptor comes along.
    case request = 1
    /// From the decoder, once, before its first photo: what its sandbox could not do.
    case ready = 2
    /// The stand-in.
    case degraded = 3
    /// How far the bytes have come.
    case progress = 4
    /// The ending.
    case ending = 5
    /// To the decoder, in tests: try something forbidden.
    case attempt = 6
  }

  /// Changes with every change of the protocol: both ends are the same program, and a stranger is told at once.
  static let mark: [UInt8] = [0x50, 0x49, 0x57, 0x01]
  static let headLength = 4 + 1 + 8
  /// The pixels of the largest photo that is handed over whole.
  public static let maximumLength = 1 << 31

  public var kind: Kind
  public var payload: [UInt8]

  public init(_ kind: Kind, _ payload: [UInt8] = []) {
    self.kind = kind
    self.payload = payload
  }

  var encoded: [UInt8] {
    var writer = MessageWriter()
    writer.add(kind.rawValue)
    writer.add(payload)
    return Self.mark + writer.bytes
  }

  /// What a frame's head says; nil when it is none of this version, or promises too much.
  static func head(_ bytes: [UInt8]) -> (kind: Kind, length: Int)? {
    guard bytes.count == headLength, bytes.starts(with: mark) else { return nil }
    var reader = MessageReader(Array(bytes[4...]))
    guard let number = try? reader.byte(), let kind = Kind(rawValue: number),
      let length = try? reader.count(upTo: maximumLength)
    else { return nil }
    return (kind, length)
  }
}
