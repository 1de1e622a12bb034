internal import CPhotoCodecs
internal import IngestCore

/// Puts one big buffer between a reader of bytes and the C codecs.
///
/// Belongs to one thread. libjpeg and libpng call the reader from inside their own calls; it has returned before either
/// of them can jump, so no Swift frame ever lies under a jump.
@safe final class ByteSource {
  private static let capacity = 256 << 10

  let state: UnsafeMutablePointer<pc_source_state>
  private let reader: any ByteReading
  private let cancellation: Cancellation

  init(_ reader: any ByteReading, cancellation: Cancellation, capacity: Int = ByteSource.capacity) {
    self.reader = reader
    self.cancellation = cancellation
    let box = ReaderBox(reader)
    self.box = box
    let source = unsafe pc_source(read: readBytes, context: Unmanaged.passUnretained(box).toOpaque())
    guard let state = unsafe pc_source_create(source, cancellation.flag, capacity) else {
      preconditionFailure("there is no memory for a read buffer")
    }
    unsafe self.state = state
  }

  /// Kept alive as long as C may call it.
  private let box: ReaderBox

  deinit {
    unsafe pc_source_destroy(state)
  }

  /// The first bytes of the stream, without taking them; fewer when it is shorter.
  func peek(_ count: Int) -> [UInt8] {
    let have = unsafe pc_source_prefetch(state, count)
    return unsafe Array(UnsafeBufferPointer(start: state.pointee.buffer, count: min(have, count)))
  }

  /// Reads the stream to its end, for the sake of a checksum on the way; false when the load was given up before.
  func drain() -> Bool {
    _ = unsafe pc_source_drain(state)
    return unsafe state.pointee.has_ended
  }
}

/// Gives C something to point at.
private final class ReaderBox {
  let reader: any ByteReading

  init(_ reader: any ByteReading) {
    self.reader = reader
  }
}

/// What the C codecs call for more bytes.
private func readBytes(
  _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>, _ capacity: Int
) -> Int {
  guard let context = unsafe context else { return 0 }
  let box = unsafe Unmanaged<ReaderBox>.fromOpaque(context).takeUnretainedValue()
  let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
  var span = unsafe room.mutableBytes
  return min(max(0, box.reader.read(into: &span)), capacity)
}
