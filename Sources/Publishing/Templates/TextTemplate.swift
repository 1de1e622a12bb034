/// Makes texts from a pattern with names in braces: `photos/{sha256}.{ext}`.
public struct TextTemplate: Sendable, Hashable {
  private enum Piece: Sendable, Hashable {
    case text(String)
    case name(String)
  }

  private let pieces: [Piece]

  /// Refuses a name that is not among `names` and a brace that is not closed; the error is a problem in words.
  public init(_ pattern: String, names: Set<String>) throws(PublishFault) {
    var pieces: [Piece] = []
    var rest = pattern[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{" else { throw PublishFault("a } stands alone") }
      guard let close = rest[open...].firstIndex(of: "}") else { throw PublishFault("a { is not closed") }
      let name = String(rest[rest.index(after: open)..<close])
      guard names.contains(name) else {
        throw PublishFault(
          "{\(name)} is no name here; there are \(names.sorted().map { "{\($0)}" }.joined(separator: " "))")
      }
      if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
      pieces.append(.name(name))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    self.pieces = pieces
  }

  /// The names that it holds.
  public var names: Set<String> {
    Set(pieces.compactMap { if case .name(let name) = $0 { name } else { nil } })
  }

  /// The text, with what `value` says for each name.
  public func text<Failure: Error>(_ value: (String) throws(Failure) -> String) throws(Failure) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let part): text += part
      case .name(let name): text += try value(name)
      }
    }
    return text
  }
}
