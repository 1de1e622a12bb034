/// Holds what a page of help says, before it becomes text for a terminal, a man page or Markdown.
struct HelpPage: Sendable {
  struct Entry: Sendable {
    let term: String
    let text: String
  }

  let title: String
  let entries: [Entry]
  /// What is said behind the entries.
  let closing: String
}
