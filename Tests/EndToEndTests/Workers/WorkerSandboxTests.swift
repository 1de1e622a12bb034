import Foundation
import IngestTestSupport
import Testing

/// Runs the program where the kernel refuses a part of the decoders' sandbox, or refuses decoders.
@Suite(.timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isAvailable, "the program is not built"))
struct WorkerSandboxTests {
  private static let isSandboxed = !BuiltProgram.isSanitized
  private static let hasPerl = FileManager.default.isExecutableFile(atPath: "/usr/bin/perl")

  /// Puts a filter on itself that refuses every further filter, and becomes the program (seccomp(2), bpf(4)).
  private static let refusal = #"""
    my ($prctl, $seccomp) = `uname -m` =~ /aarch64/ ? (167, 277) : (157, 317);
    my @code = ([0x20, 0, 0, 0], [0x15, 4, 0, $seccomp], [0x15, 0, 2, $prctl], [0x20, 0, 0, 16], [0x15, 1, 0, 22],
      [0x06, 0, 0, 0x7fff0000], [0x06, 0, 0, 0x00050001]);
    my $code = join "", map { pack "SCCL", @$_ } @code;
    my $program = pack "S x6 P", scalar(@code), $code;
    syscall($prctl, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
    syscall($prctl, 22, 2, $program, 0, 0) == 0 or die "seccomp: $!";
    exec @ARGV;
    """#

  private func refused(_ command: Command) -> Command {
    var wrapped = command
    wrapped.program = "/usr/bin/perl"
    wrapped.arguments =
      [Array("-e".utf8), Array(Self.refusal.utf8), Array(command.program.utf8)] + command.arguments
    return wrapped
  }

  private static let warning =
    "warning: decoders run without a part of their sandbox: the kernel refused the filter of system calls\n"

  @Test func `where the kernel allows everything a required sandbox is there`() async throws {
    let stage = try RunStage(["a.jpg", "b.jpg"])
    let result = try await stage.run(["--require-sandbox", "-q"], code: 0)
    #expect(result.errorText == "")
  }

  @Test(
    .enabled(if: isSandboxed, "a sanitizer's build has no filter that could be refused"),
    .enabled(if: hasPerl, "there is no perl to set the trap"))
  func `a refused filter is said once, and the run goes on`() async throws {
    let stage = try RunStage((0..<6).map { "\($0).jpg" })
    let result = try await refused(stage.command(["-j", "3"])).run()
    #expect(result.end == .exited(0), "\(result)")
    #expect(result.errorText.components(separatedBy: Self.warning).count == 2, "\(result)")
    #expect(try stage.end().integer("verified") == 6)
  }

  @Test(
    .enabled(if: isSandboxed, "a sanitizer's build has no filter that could be refused"),
    .enabled(if: hasPerl, "there is no perl to set the trap"))
  func `a refused filter ends a run that requires it, with one sentence and no manifest`() async throws {
    let stage = try RunStage((0..<6).map { "\($0).jpg" })
    let result = try await refused(stage.command(["-j", "3", "--require-sandbox"])).run()
    #expect(result.end == .exited(1), "\(result)")
    #expect(
      result.errorText == "photo-ingest: error: decoder processes: the kernel refused a part of their sandbox "
        + "(the filter of system calls), and --require-sandbox is set\n")
    #expect(!stage.folder.listing().contains { $0.hasPrefix("out/manifest") })
  }

  @Test(
    .enabled(if: isSandboxed, "a sanitizer's build has no filter that could be refused"),
    .enabled(if: hasPerl, "there is no perl to set the trap"))
  func `inspect warns, or ends, as a run does`() async throws {
    let photos = ["pebbles.jpg", "still-life.jpg"].map { "\(Pictures.samples)/\($0)" }
    let warned = try await refused(Command(BuiltProgram.path, ["inspect"] + photos)).run()
    #expect(warned.end == .exited(0), "\(warned)")
    #expect(warned.errorText == Self.warning)
    let ended = try await refused(Command(BuiltProgram.path, ["inspect", "--require-sandbox"] + photos)).run()
    #expect(ended.end == .exited(1), "\(ended)")
    #expect(!ended.outputText.contains("verified"))
  }

  @Test func `in-process has no sandbox to require`() async throws {
    for command in ["run", "inspect"] {
      let result = try await Command(
        BuiltProgram.path,
        [command, "a", "--workers", "in-process", "--require-sandbox"]
          + (command == "run" ? ["-o", "b"] : [])
      ).run()
      #expect(result.end == .exited(2), "\(result)")
    }
  }
}
