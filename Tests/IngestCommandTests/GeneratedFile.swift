import Foundation
import Testing

@testable import IngestCommand

/// Names the files of the project that are made from the option table, and what they should hold.
enum GeneratedFile: String, CaseIterable {
  case manual = "packaging/man/photo-ingest.1"
  case bash = "packaging/completions/photo-ingest.bash"
  case zsh = "packaging/completions/_photo-ingest"
  case fish = "packaging/completions/photo-ingest.fish"
  case configuration = "docs/configuration.md"

  /// The words that print it.
  var words: [String] {
    switch self {
    case .manual: ["help", "--format", "man"]
    case .bash: ["completions", "bash"]
    case .zsh: ["completions", "zsh"]
    case .fish: ["completions", "fish"]
    case .configuration: ["help", "config", "--format=markdown"]
    }
  }

  /// The option as the file writes it.
  func spelling(of option: OptionSpec) -> String {
    switch self {
    case .manual:
      ".It " + (option.short.map { "Fl \(Character(Unicode.Scalar($0)))" } ?? "Fl " + Self.escaped(option.dashed))
    case .bash: option.dashed
    case .zsh: option.dashed + (option.takesValue ? "=" : "")
    case .fish: " -l \(option.name) "
    case .configuration: option.environmentName.map { "`\($0)`" } ?? "`\(option.dashed)"
    }
  }

  /// A long option as it follows `Fl`, which writes the first dash itself.
  static func escaped(_ dashed: String) -> String { String(dashed.dropFirst()).replacing("-", with: "\\-") }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  var path: String { Self.root.appendingPathComponent(rawValue).path }

  func committed() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}
