internal import IngestCore

/// Names a place in a JSON text (RFC 6901).
struct JSONPointer: Sendable, Hashable {
  let text: String
  private let steps: [String]

  init(_ text: String) throws(PublishFault) {
    guard text.isEmpty || text.hasPrefix("/") else { throw PublishFault("a pointer begins with /, as in /data/token") }
    self.text = text
    steps = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      $0.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
        .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
    }
  }

  func value(in document: JSONValue) -> JSONValue? {
    var here = document
    for step in steps {
      if let elements = here.arrayValue {
        guard let index = Int(step), elements.indices.contains(index) else { return nil }
        here = elements[index]
      } else if let next = here[step] {
        here = next
      } else {
        return nil
      }
    }
    return here
  }
}
