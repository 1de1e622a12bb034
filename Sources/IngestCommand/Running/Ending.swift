/// Says how the program ends.
public enum Ending: Sendable, Hashable {
  case code(Int32)
  /// By the signal that asked for it, so that whoever started the program sees it: a shell shows 128 plus the number.
  case signal(Int32)

  /// What a shell shows.
  var shown: Int32 {
    switch self {
    case .code(let code): code
    case .signal(let number): 128 &+ number
    }
  }
}
