import IngestCore
import Publishing

/// Makes one item of the posted list: a text, or an object whose texts are templates.
struct ItemTemplate: Sendable {
  private enum Piece: Sendable {
    case text(TextTemplate)
    case object([(key: String, piece: Piece)])
    case array([Piece])
    case fixed(JSONValue)
  }

  private let piece: Piece

  init(_ value: JSONValue) throws(PublishProblem) {
    switch value {
    case .string, .object: piece = try Self.piece(value)
    default: throw PublishProblem(key: "post.item", words: "a string or an object is wanted, not \(value.kind)")
    }
  }

  private static func piece(_ value: JSONValue) throws(PublishProblem) -> Piece {
    switch value {
    case .string(let text):
      do {
        return .text(try TextTemplate(text, names: PublishConfiguration.itemNames))
      } catch {
        throw PublishProblem(key: "post.item", words: error.reason)
      }
    case .object(let members):
      var pieces: [(key: String, piece: Piece)] = []
      for member in members { pieces.append((member.key, try piece(member.value))) }
      return .object(pieces)
    case .array(let elements):
      var pieces: [Piece] = []
      for element in elements { pieces.append(try piece(element)) }
      return .array(pieces)
    default: return .fixed(value)
    }
  }

  func value(_ text: (String) -> String) -> JSONValue {
    Self.value(piece, text)
  }

  private static func value(_ piece: Piece, _ text: (String) -> String) -> JSONValue {
    switch piece {
    case .text(let template): .string(template.text(text))
    case .object(let members): .object(members.map { JSONMember($0.key, value($0.piece, text)) })
    case .array(let pieces): .array(pieces.map { value($0, text) })
    case .fixed(let fixed): fixed
    }
  }
}
