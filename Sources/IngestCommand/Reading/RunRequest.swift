import Ingest

/// Holds what `run` was asked for, all of it checked: the rich side of the arguments. Flags are not looked at again.
struct RunRequest: Sendable {
  var configuration: RunConfiguration
  /// What a run over several folders needs; nil when there is one. Its `common` is `configuration`.
  var albums: AlbumsConfiguration?
  var isDryRun = false
  /// Whether the names of a dry run end in NUL.
  var isNullSeparated = false
  /// Whether a run that finds its output folder taken ends as a good one.
  var skipsWhenLocked = false
  /// Who is told of the run's begin and end; only a configuration file names it.
  var ping: PingTarget?
  var talk = Talk()

  /// How the run speaks.
  struct Talk: Sendable {
    enum Volume: Sendable { case quiet, usual, verbose }
    enum When: String, Sendable { case auto, always, never }

    var volume = Volume.usual
    var progress = When.auto
    var color = When.auto
    var isJSON = false
    /// Whether nothing is said unless the run failed or something is new.
    var isCron = false
    var logFile: [UInt8]?
  }
}
