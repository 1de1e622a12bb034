public import IngestCore

/// Holds what a scan takes and what it leaves out.
public struct ScanOptions: Sendable {
  /// Whether names that begin with a dot are taken. System litter (`._*`, `.DS_Store`) never is.
  public var includesHidden: Bool
  /// Whether a file or link is wanted at all, asked by its path (include and exclude globs).
  public var accepts: @Sendable (RelativePath) -> Bool
  /// Whether a folder is entered; a false one is left out as a whole and counted once.
  public var entersFolder: @Sendable (RelativePath) -> Bool
  /// The folder that the run writes to; left out wherever it turns up.
  public var outputFolder: FolderIdentity?
  /// Extensions of photos in lower-case ASCII, without the dot.
  public var photoExtensions: Set<[UInt8]>
  /// Whether these first bytes belong to an image; asked for files without a photo's extension only.
  public var sniff: @Sendable ([UInt8]) -> Bool
  /// How many first bytes `sniff` gets, fewer for a shorter file.
  public var sniffLength: Int

  /// Whether candidates must say in which state they were seen. A list of names alone asks no file for it, where the
  /// folder itself says that the name is a regular file's.
  public var wantsIdentities = true

  public init(
    includesHidden: Bool = false, photoExtensions: Set<[UInt8]>, outputFolder: FolderIdentity? = nil,
    sniffLength: Int = 64, accepts: @escaping @Sendable (RelativePath) -> Bool = { _ in true },
    entersFolder: @escaping @Sendable (RelativePath) -> Bool = { _ in true },
    sniff: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
  ) {
    self.includesHidden = includesHidden
    self.photoExtensions = photoExtensions
    self.outputFolder = outputFolder
    self.sniffLength = sniffLength
    self.accepts = accepts
    self.entersFolder = entersFolder
    self.sniff = sniff
  }
}
