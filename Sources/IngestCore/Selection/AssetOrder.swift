/// Names the order in which a manifest lists its photos (interface version 1, "Options of run").
public enum AssetOrder: String, Sendable, CaseIterable {
  /// By path, numbers inside names by value: `NaturalOrder`.
  case name
  /// By local capture time: `CapturedKey`.
  case captured
  /// By time of last change, ascending, ties by name.
  case modified
  /// By size in bytes, ascending, ties by name.
  case size
  /// As the list of names was given.
  case list
}
