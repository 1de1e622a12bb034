/// Holds everything that this program takes from one Exif block.
struct ExifFacts: Sendable, Hashable {
  var metadata = PhotoMetadata()
  /// 1 through 8; nil when the main picture's directory has no such tag.
  var orientation: Int?
  /// Whether the tag is there, but says nothing between 1 and 8. `orientation` is then 1.
  var orientationIgnored = false
  /// The stand-in picture of IFD1 when it begins like a JPEG and lies inside the block.
  var embeddedJPEG: [UInt8]?
  /// Whether the block, or a part of it that this program looks for, could not be read (note `exif-broken`).
  var isBroken = false
}
