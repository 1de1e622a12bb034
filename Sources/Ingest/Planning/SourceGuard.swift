import IngestCore
import IngestFiles

/// Says why a source folder is not believed: what a disk that is not mounted looks like.
public enum SourceDoubt: Sendable, Hashable {
  /// Nothing is in the folder, and so many photos were.
  case empty(known: Int)
  /// The folder lies on another device than last time.
  case otherDevice
  /// More than half of the known photos are gone.
  case mostGone(gone: Int, known: Int)
  /// No photo is asked for at all, and so many are known: an empty list, or a pattern that meets nothing.
  case noneAskedFor(known: Int)
}

/// Stops a run before it replaces a good manifest by a small one because a disk was not there (rule 9 of the design).
///
/// Only where there is a manifest to lose. Photos that were moved inside the folder are not lost, nor are those that are
/// no longer asked for or lie under a folder that cannot be read. But who asks for none at all has not meant it: the
/// program that should have written the list has failed, or a pattern is mistyped.
struct SourceGuard {
  let isOn: Bool
  /// The source folder as it was given, for the sentence.
  private let folder: [UInt8]

  init(_ configuration: RunConfiguration, output: OutputFolder) {
    isOn = !configuration.acceptsMissing && output.hasFile("manifest.jsonl")
    folder = configuration.source
  }

  /// Asked before anything is scanned.
  func check(_ source: SourceFolder, remembered: RememberedSource?) throws(RunError) {
    guard isOn, let remembered, remembered.device != source.identity.device else { return }
    throw .sourceDoubtful(.otherDevice, folder: folder)
  }

  /// Asked before anything is read.
  func check(_ plan: RunPlan, isEmpty: Bool) throws(RunError) {
    let gone = plan.gone.count - plan.moved
    guard isOn else { return }
    if gone * 2 > plan.known {
      throw .sourceDoubtful(
        isEmpty ? .empty(known: plan.known) : .mostGone(gone: gone, known: plan.known), folder: folder)
    }
    if plan.known > 0, plan.candidates.isEmpty {
      throw .sourceDoubtful(.noneAskedFor(known: plan.known), folder: folder)
    }
  }
}
