import IngestCore
import IngestFiles

/// Holds one file against what is said of it.
struct FileCheck: Sendable {
  let folder: SourceFolder
  let file: ListedFile
  let part: VerifyFinding.Part
  let index: Int?
  /// What a symbolic link in the place of the file must lead to; nil where none is right.
  var linkTarget: [UInt8]?
  /// Who says so, in a message.
  var authority = "the manifest"
  /// Whether `file.sha256` is only how the checksum begins; then the file is always read.
  var isMark = false
  /// Below which path of the output `folder` lies, for the finding; empty for the source folder and the output itself.
  var prefix: [UInt8] = []

  private var shown: RelativePath { RelativePath(prefix + file.path.bytes) }

  /// Looks at the file; with `isFast` mostly at its size alone. Returns what is wrong, and how many bytes were read.
  func run(isFast: Bool, isCancelled: () -> Bool) -> (finding: VerifyFinding?, bytesRead: UInt64) {
    guard file.path.isContained, !file.path.isAddress else {
      return (finding(.damaged, "is listed under a path that leads out of the folder"), 0)
    }
    if let linkTarget, let actual = try? folder.linkTarget(of: file.path) {
      if actual == linkTarget { return (nil, 0) }
      let leads = String(decoding: actual, as: UTF8.self)
      return (finding(.changed, "is a symbolic link that leads to \(leads) and not to its source"), 0)
    }
    do throws(FileError) {
      let source = try folder.open(file.path)
      if let bytes = file.bytes, bytes != source.identity.size {
        return (finding(.changed, "has \(source.identity.size) bytes, and \(authority) says \(bytes)"), 0)
      }
      guard !isFast || isMark, let wanted = file.sha256 else { return (nil, 0) }
      guard let sha256 = try source.wholeChecksum(isCancelled: isCancelled) else { return (nil, 0) }
      let isGood = isMark ? sha256.hasPrefix(wanted) : sha256 == wanted
      return (isGood ? nil : finding(.changed, "holds other content than \(authority) says"), source.identity.size)
    } catch {
      return (finding(for: error), 0)
    }
  }

  private func finding(_ kind: VerifyFinding.Kind, _ message: String) -> VerifyFinding {
    VerifyFinding(kind, part, shown, index: index, message)
  }

  private func finding(for error: FileError) -> VerifyFinding {
    if error.isVanished { return finding(.missing, "is not there") }
    // Something else has the name: a link, a folder, a FIFO.
    return finding(error.errno == 0 ? .changed : .unreadable, error.reason)
  }
}
