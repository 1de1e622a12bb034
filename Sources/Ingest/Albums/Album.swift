public import IngestCore

/// Is one of several source folders of a run, and its place below the output folder: `DIR/<name>/`.
public struct Album: Sendable, Hashable {
  /// One part of a path, as exact bytes; no other album of the run has it, whatever the case of its letters.
  public let name: RelativePath
  /// The source folder, as it was given.
  public let source: [UInt8]
  /// The album's own output folder.
  public let output: [UInt8]

  public init(name: RelativePath, source: [UInt8], below directory: [UInt8]) {
    self.name = name
    self.source = source
    output = directory + [UInt8(ascii: "/")] + name.bytes
  }
}
