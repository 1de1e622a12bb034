/// Names how urgent a line is, for the journal of systemd (sd-daemon(3)).
enum JournalPriority: Int, Sendable {
  case error = 3
  case warning = 4
  case info = 6

  /// What the journal takes off the head of a line.
  var prefix: String { "<\(rawValue)>" }
}
