extension Duration {
  /// For messages: `20` or `0.5`, in seconds.
  var secondsText: String {
    let (seconds, attoseconds) = components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    if seconds == 0, milliseconds == 0, attoseconds > 0 { return "\(Double(attoseconds) / 1e18)" }
    guard milliseconds > 0 else { return "\(seconds)" }
    return "\(Double(seconds) + Double(milliseconds) / 1000)"
  }
}
