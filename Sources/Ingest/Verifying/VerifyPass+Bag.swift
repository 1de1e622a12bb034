import IngestCore
import IngestFiles

extension VerifyPass {
  /// Holds the bag that stands in the output against its own manifests, and those against the manifest of the output.
  ///
  /// - Parameter isExpected: whether the last run has left one.
  mutating func lookAtBag(_ manifest: FinishedManifest, isExpected: Bool) {
    let bag: StandingBag
    do {
      guard let standing = try StandingBag(below: output) else {
        if isExpected { tally.tell(VerifyFinding(.missing, .bag, RelativePath(StandingBag.name), "is not there")) }
        return
      }
      bag = standing
    } catch {
      return tally.tell(VerifyFinding(.changed, .bag, RelativePath(StandingBag.name), error.reason))
    }
    for name in [BagText.tagManifestName, BagText.manifestName] { lookAtEntries(of: name, in: bag) }
    holdAgainst(manifest, bag)
    let control = tally.control
    do {
      let strangers = try bag.strangers(isCancelled: { control.isCancelled })
      for unread in strangers.unread {
        tally.tell(VerifyFinding(.unreadable, .bag, unread.path(below: StandingBag.name), unread.reason))
      }
      for path in strangers.files { tell(.unlisted, path.display, "is in none of the bag's manifests") }
    } catch {
      // A manifest of the bag cannot be read; that was told with its entries.
    }
  }

  private mutating func holdAgainst(_ manifest: FinishedManifest, _ bag: StandingBag) {
    let expected: String
    do {
      expected = try BagPlan(manifest).manifestChecksum
    } catch {
      return tell(.unreadable, BagText.manifestName, "cannot be held against manifest.jsonl, which cannot be read now")
    }
    guard let actual = bag.checksum(of: BagText.manifestName), actual != expected else { return }
    tell(
      .changed, BagText.manifestName, "lists other files than manifest.jsonl; export --format bagit makes a new bag")
  }

  private mutating func lookAtEntries(of name: String, in bag: StandingBag) {
    var checks: [FileCheck] = []
    var pass = self
    do throws(FileError) {
      try bag.forEachEntry(of: name) { sha256, path in
        checks.append(
          FileCheck(
            folder: bag.folder, file: ListedFile(path: path, bytes: nil, sha256: sha256), part: .bag, index: nil,
            authority: "bag/" + name, prefix: Array("bag/".utf8)))
        if checks.count >= Self.batchSize {
          pass.run(checks)
          checks = []
        }
      }
    } catch {
      pass.tell(error.isVanished ? .missing : .damaged, name, error.isVanished ? "is not there" : error.reason)
    }
    pass.run(checks)
    self = pass
  }

  private mutating func tell(_ kind: VerifyFinding.Kind, _ name: String, _ message: String) {
    tally.tell(VerifyFinding(kind, .bag, RelativePath("bag/" + name), message))
  }
}
