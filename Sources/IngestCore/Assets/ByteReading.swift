/// Gives the bytes of one file in order, once.
///
/// The decoder pulls from it on its own thread. A reader may do more on the way, such as feed a checksum.
public protocol ByteReading: AnyObject {
  /// Fills `buffer` from its start and returns how many bytes were put there.
  ///
  /// Zero means the end. A read that fails also ends the stream: the reader keeps the error for its owner, who asks
  /// for it after the decoder has returned. Never called again after zero.
  func read(into buffer: inout MutableRawSpan) -> Int
}
