import CPhotoCodecs

/// Shrinks streamed rows to one size with a Lanczos-3 kernel, in the rows' own encoding.
///
/// Memory is taken once, in the initialiser: the small picture, the rows that the kernel spans and its weights.
/// How rows are grouped into pushes makes no difference to a single byte. Not for two threads at once.
@safe final class Resizer {
  private let target: PixelSize
  private let samplesPerPixel: Int
  /// Owned; freed in `deinit`.
  private let handle: OpaquePointer

  /// Nil when the sizes make no sense (enlarging, zero, overflow) or memory is short. `isPlain` keeps to instructions that
  /// every processor has, for the test that they make the same bytes.
  init?(
    from source: PixelSize, to target: PixelSize, samplesPerPixel: Int, span: (x: Double, y: Double)? = nil,
    isPlain: Bool = false
  ) {
    guard source.width > 0, source.height > 0, target.width > 0, target.height > 0 else { return nil }
    var plan = pc_resizer_plan(
      in_width: source.width, in_height: source.height, out_width: target.width, out_height: target.height,
      components: samplesPerPixel, span_x: span?.x ?? Double(source.width), span_y: span?.y ?? Double(source.height))
    guard let handle = unsafe isPlain ? pc_resizer_create_plain(&plan) : pc_resizer_create(&plan) else { return nil }
    unsafe self.handle = handle
    self.target = target
    self.samplesPerPixel = samplesPerPixel
  }

  deinit {
    unsafe pc_resizer_destroy(handle)
  }

  /// Takes `count` whole rows; the caller has checked that they are there.
  func push(_ rows: UnsafeRawBufferPointer, count: Int) {
    guard count > 0, let first = rows.baseAddress else { return }
    unsafe pc_resizer_push(handle, first.assumingMemoryBound(to: UInt8.self), count)
  }

  /// The small picture. Rows that never came count as rows of `fill` pixels. Nothing may be pushed afterwards.
  func finish(fill: [UInt8]) -> Raster {
    let count = target.width * target.height * samplesPerPixel
    let pixels = unsafe fill.withUnsafeBufferPointer { fill -> [UInt8] in
      guard let sample = fill.baseAddress else { return [] }
      return unsafe Array(UnsafeBufferPointer(start: pc_resizer_finish(handle, sample), count: count))
    }
    return Raster(width: target.width, height: target.height, samplesPerPixel: samplesPerPixel, bytes: pixels)
  }
}
