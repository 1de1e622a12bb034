/// Says how long a run waits for an output folder that somebody else has.
public enum LockPatience: Sendable, Hashable {
  case none
  case atMost(Duration)
  case forever
}
