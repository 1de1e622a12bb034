import Foundation
import IngestTestSupport
import Testing

@testable import IngestCommand

/// Lets the shells themselves complete, with the scripts that the program prints.
@Suite(.timeLimit(.minutes(2))) struct CompletionsTests {
  static let zsh = ["/usr/bin/zsh", "/bin/zsh"].first { FileManager.default.fileExists(atPath: $0) }
  static let fish = ["/usr/bin/fish", "/bin/fish"].first { FileManager.default.fileExists(atPath: $0) }

  /// A command line, its last word to be completed, and what is offered in a folder with `album one/` and `b.jpg`.
  static let offers: [(line: [String], offered: Set<String>)] = [
    (["run", "--or"], ["--order", "--originals"]),
    (["run", "--order", "ca"], ["captured"]),
    (["run", "--lock", "s"], ["skip"]),
    (["run", "--jobs", ""], []),
    (["run", "--output", "al"], ["album one/"]),
    (["run", "--files-from", "b"], ["b.jpg"]),
    (["run", "--manifest", "json,sh"], ["json,sha256"]),
    (["--order", "mod"], ["modified"]),
    (["--output", "verify", "--thu"], ["--thumbnail"]),
    (["verify", "--fa"], ["--fast"]),
    (["verify", "--thu"], []),
    (["--json", "verify", "--so"], ["--source"]),
    (["verify", "a"], ["album one/"]),
    (["export", "--format", "ba"], ["bagit"]),
    (["export", "--output", "b"], ["b.jpg"]),
    (["help", "--format", "ma"], ["man", "markdown"]),
    (["help", "gl"], ["globs"]),
    (["inspect", "b"], ["b.jpg"]),
    (["completions", "f"], ["fish"]),
    (["ver"], ["verify"]),
    (["al"], ["album one/"]),
  ]

  private func folder() throws -> TemporaryFolder {
    try TemporaryFolder([.folder("album one", []), .text("b.jpg", "")])
  }

  private func offered(_ shell: String, _ script: String, _ words: [String]) async throws -> Set<String> {
    let folder = try folder()
    let result = try await IngestTestSupport.Command(
      shell, ["-c", script, shell, GeneratedFile.bash.path] + words, workingFolder: folder.path
    ).run()
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errorText == "", "\(result)")
    return Set(result.outputText.split(separator: "\n").map(String.init))
  }

  @Test(arguments: offers) func `bash offers what fits`(line: [String], offered: Set<String>) async throws {
    let script = """
      source "$1" && shift
      COMP_WORDS=(photo-ingest "$@") COMP_CWORD=$#
      _photo_ingest
      for word in "${COMPREPLY[@]}"; do [[ -d $word ]] && echo "$word/" || echo "$word"; done
      """
    #expect(try await self.offered("/bin/bash", script, line) == offered)
  }

  /// Bash takes `=` for a word of its own, unless it was told otherwise.
  static let offersOfBash: [(line: [String], offered: Set<String>)] = [
    (["run", "--order", "=", "ca"], ["captured"]),
    (["run", "--color", "="], ["auto", "always", "never"]),
    (["run", "--order=ca"], ["--order=captured"]),
    (["--order", "=", "name", "ver"], ["verify"]),
    (["--", "ver"], []),
    (["run", "--", "--or"], []),
    (["--", "al"], ["album one"]),
  ]

  @Test(arguments: offersOfBash)
  func `bash knows values behind an equals sign, and the end of options`(
    line: [String], offered: Set<String>
  ) async throws {
    let script = """
      source "$1" && shift
      COMP_WORDS=(photo-ingest "$@") COMP_CWORD=$#
      _photo_ingest
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(try await self.offered("/bin/bash", script, line) == offered)
  }

  @Test(.enabled(if: fish != nil, "fish is not installed; ./dev test installs it"), arguments: offers)
  func `fish offers what fits`(line: [String], offered: Set<String>) async throws {
    let folder = try folder()
    let result = try await IngestTestSupport.Command(
      try #require(Self.fish),
      [
        "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", GeneratedFile.fish.path,
        "photo-ingest " + line.joined(separator: " "),
      ],
      environment: IngestTestSupport.Command.plainEnvironment.merging(["HOME": folder.path]) { $1 },
      workingFolder: folder.path
    ).run()
    #expect(result.exitCode == 0, "\(result)")
    #expect(result.errorText == "", "\(result)")
    // Behind a tab stands the description.
    let found = result.outputText.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(Set(found) == offered)
  }

  @Test(.enabled(if: zsh != nil, "zsh is not installed; ./dev test installs it"), arguments: offers)
  func `zsh offers what fits`(line: [String], offered: Set<String>) async throws {
    let folder = try folder()
    // A terminal of zsh's own: completion works only where somebody types. What `compadd` is given is what is offered.
    let script = """
      zmodload zsh/zpty
      zpty shell 'PS1= zsh -f -i'
      zpty -w shell "stty -echo; cd ${(q)3}; unsetopt zle_bracketed_paste; fpath=(${(q)1:h} \\$fpath); autoload -Uz compinit; compinit -u -D"
      zpty -w shell 'compadd() { local -a hits; if [[ " $* " == *" -O "* || " $* " == *" -A "* || " $* " == *" -D "* ]]; then builtin compadd "$@"; return; fi; builtin compadd -O hits "$@"; print -rl -- "<"${^hits}">" >>offers; builtin compadd "$@"; }'
      zpty -w shell 'complete-it() { zle complete-word; exit }; zle -N complete-it; bindkey "^I" complete-it; touch ready'
      for ((i = 0; i < 1500; i++)); do [[ -e $3/ready ]] && break; sleep 0.02; done
      zpty -w -n shell "photo-ingest $2"$'\\t'
      while zpty -r shell line; do :; done
      cat -- $3/offers 2>/dev/null || true
      """
    let result = try await IngestTestSupport.Command(
      try #require(Self.zsh),
      ["-f", "-c", script, "zsh", GeneratedFile.zsh.path, line.joined(separator: " "), folder.path],
      environment: IngestTestSupport.Command.plainEnvironment.merging(["HOME": folder.path, "TERM": "dumb"]) { $1 },
      workingFolder: folder.path
    ).run()
    var found: Set<String> = []
    for line in result.outputText.split(separator: "\n") where line.first == "<" && line.count > 2 {
      found.insert(String(line.dropFirst().dropLast()).replacing("\\ ", with: " "))
    }
    // What zsh adds itself: the beginning of a list, the slash behind a folder, a backslash before a blank.
    let bare = offered.map { (word: String) -> String in
      String((word.split(separator: ",").last ?? "").prefix { $0 != "/" })
    }
    #expect(found == Set(bare), "\(result)")
  }

  @Test(arguments: Shell.allCases) func `a script is printed for every shell`(shell: Shell) {
    let stage = Stage()
    #expect(stage.run("completions", shell.rawValue) == .code(0))
    #expect(stage.output.text.contains("photo-ingest"))
    #expect(stage.errors.text == "")
  }

  @Test(arguments: [
    ("completions", "SHELL: missing; completions needs it"),
    ("completions bash zsh", "\"zsh\": one operand too many for completions"),
    ("completions bahs", "no completions for a shell of that name (there are bash, zsh, fish); did you mean \"bash\"?"),
    ("completions \u{1B}[2J", "no completions for a shell of that name"),
  ])
  func `a shell that is not there is a usage error`(line: String, problem: String) {
    let stage = Stage()
    #expect(stage.run(words: line.split(separator: " ").map(String.init)) == .code(2))
    #expect(stage.output.text == "")
    #expect(stage.errors.text.contains(problem), "\(stage.errors.text)")
    #expect(!stage.errors.text.contains("\u{1B}[2J"))
  }

  @Test(arguments: [("it's", #"'it'\''s'"#), ("$(x) `y` \"z\"", "'$(x) `y` \"z\"'"), ("", "''")])
  func `a quoted word is only text to a shell`(text: String, quoted: String) {
    #expect(Shell.quoted(text) == quoted)
  }
}
