/// Holds what a finished verification has to say.
public struct VerifySummary: Sendable {
  /// Files that were looked at, by what they are; each once for each row that lists it.
  public var checked: [VerifyFinding.Part: Int] = [:]
  public var findings: [VerifyFinding.Kind: Int] = [:]
  /// Earlier versions of originals that were replaced and kept.
  public var keptVersions = 0
  /// The folder that the sources were looked for in; nil when they were not looked at.
  public var source: [UInt8]?
  public var bytesRead: UInt64 = 0
  public var elapsed = Duration.zero

  public init() {}

  /// Whether everything is as the manifest says.
  public var isGood: Bool { findings.values.allSatisfy { $0 == 0 } }
}
