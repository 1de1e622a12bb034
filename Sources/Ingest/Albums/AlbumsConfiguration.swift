/// Holds what a run over several source folders needs to know.
public struct AlbumsConfiguration: Sendable {
  /// What all albums have in common. Its `output` is the folder that holds them; its `source` is not looked at, its `jobs`
  /// are the loader threads of all albums together, and there are no listed paths.
  public var common: RunConfiguration
  /// The source folders in the order of the albums, as exact bytes; at least one.
  public var folders: [[UInt8]]
  /// The most albums in work at a time; at least 1.
  public var atOnce = Self.usualAtOnce

  /// Enough that a folder on a slow disk does not leave the loader threads idle.
  public static let usualAtOnce = 3

  public init(folders: [[UInt8]], common: RunConfiguration) {
    self.folders = folders
    self.common = common
  }

  /// The folder that holds the albums.
  public var directory: [UInt8] { common.output }

  /// The run of one album.
  func configuration(of album: Album) -> RunConfiguration {
    var configuration = common
    configuration.source = album.source
    configuration.output = album.output
    configuration.holdsAlbums = directory
    return configuration
  }
}
