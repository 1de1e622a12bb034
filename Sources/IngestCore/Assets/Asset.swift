/// Stands for one photo of a library, before anything of it has been read.
public struct Asset: Hashable, Sendable {
  /// Where it is, relative to the source folder.
  public let path: RelativePath
  /// Whether the original is not on this machine and a load needs the network (PhotoKit's word).
  public let isInCloud: Bool

  public init(path: RelativePath, isInCloud: Bool = false) {
    self.path = path
    self.isInCloud = isInCloud
  }
}
