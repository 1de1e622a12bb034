import IngestCore
import IngestFiles

/// Reads the `manifest.jsonl` of an output folder from its first line to its checksum.
struct FinishedManifest {
  let directory: [UInt8]

  private var path: [UInt8] { directory + "/manifest.jsonl".utf8 }

  /// Makes sure that there is a manifest that can be opened, whatever it holds.
  func open() throws(RunError) {
    do {
      _ = try InputFile.open(path)
    } catch {
      throw .manifestUnusable(path: error.displayPath, reason: error.reason)
    }
  }

  /// Hands every row to `take` and returns what the manifest says of itself; nil when `take` ended it with false.
  ///
  /// - Parameter checksForm: see `ManifestReader.Summary.irregularLine`.
  func read(
    checksForm: Bool = false, _ take: (ManifestRow) throws(RunError) -> Bool
  ) throws(RunError) -> ManifestReader.Summary? {
    let file: InputFile
    do {
      file = try InputFile.open(path)
    } catch {
      throw .manifestUnusable(path: error.displayPath, reason: error.reason)
    }
    var reader = ManifestReader(checksForm: checksForm)
    var digest = SHA256Digest()
    while true {
      let rows: [ManifestRow]
      do {
        let chunk = try file.next()
        if chunk.isEmpty { break }
        rows = try reader.feed(chunk, digest: { digest.update($0) })
      } catch {
        throw unusable(error)
      }
      for row in rows where try !take(row) { return nil }
    }
    do {
      let summary = try reader.finish()
      guard digest.finishHex() == summary.sha256 else {
        throw RunError.manifestUnusable(
          path: String(decoding: path, as: UTF8.self), reason: "its checksum does not agree with its rows")
      }
      return summary
    } catch {
      throw unusable(error)
    }
  }

  private func unusable(_ error: any Error) -> RunError {
    switch error {
    case let error as RunError: error
    case let error as FileError: .manifestUnusable(path: error.displayPath, reason: error.reason)
    case let error as ManifestFault: .manifestUnusable(path: String(decoding: path, as: UTF8.self), reason: "\(error)")
    default: .manifestUnusable(path: String(decoding: path, as: UTF8.self), reason: "\(error)")
    }
  }
}
