/// Decides which files may become photos of a run by the patterns of `--include` and `--exclude`.
public struct AssetFilter: Sendable, Hashable {
  /// With none of these every file is in; otherwise only those that one of them meets.
  public var include: [Glob]
  /// A file that one of these meets is out, whatever `include` says.
  public var exclude: [Glob]

  public init(include: [Glob] = [], exclude: [Glob] = []) {
    self.include = include
    self.exclude = exclude
  }

  public func accepts(_ path: RelativePath) -> Bool {
    if exclude.contains(where: { $0.matches(path) }) { return false }
    return include.isEmpty || include.contains { $0.matches(path) }
  }
}
