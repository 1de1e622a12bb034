/// Colours text, or leaves it alone when colours are off.
struct Palette: Sendable {
  let isOn: Bool

  /// Decides by option, then NO_COLOR (no-color.org) and TERM, then the stream itself.
  init(_ when: RunRequest.Talk.When, stream: any ByteOutput, environment: (String) -> [UInt8]?) {
    switch when {
    case .always: isOn = true
    case .never: isOn = false
    case .auto:
      isOn =
        stream.isTerminal && (environment("NO_COLOR") ?? []).isEmpty
        && environment("TERM") != Array("dumb".utf8)
    }
  }

  init(isOn: Bool) {
    self.isOn = isOn
  }

  func good(_ text: String) -> String { paint(text, "32") }
  func doubtful(_ text: String) -> String { paint(text, "33") }
  func bad(_ text: String) -> String { paint(text, "31") }
  func strong(_ text: String) -> String { paint(text, "1") }

  private func paint(_ text: String, _ code: String) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
