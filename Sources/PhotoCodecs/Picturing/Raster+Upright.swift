import CPhotoCodecs

extension Raster {
  /// The picture turned by an EXIF orientation (tag 0x0112, CIPA DC-008 4.6.4): 5 through 8 swap the sides, and any
  /// value that is not 1 through 8 means 1.
  func upright(_ orientation: Int) -> Raster {
    guard (2...8).contains(orientation), pixelCount > 0 else { return self }
    let swaps = orientation >= 5
    let turned = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
      unsafe bytes.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let into = target.baseAddress else { return }
        unsafe pc_orient(from, width, height, samplesPerPixel, CInt(orientation), into)
      }
      count = bytes.count
    }
    return Raster(
      width: swaps ? height : width, height: swaps ? width : height, samplesPerPixel: samplesPerPixel, bytes: turned)
  }
}
