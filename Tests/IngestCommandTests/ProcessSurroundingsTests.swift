import Glibc
import Ingest
import IngestCore
import IngestTestSupport
import Testing

@testable import IngestCommand

@Suite(.timeLimit(.minutes(1))) struct ProcessSurroundingsTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `only a folder is taken for a folder, and a pipe is not waited for`() throws {
    let folder = try TemporaryFolder([.folder("rn", []), .text("exprt", "x"), .link("hlep", to: "rn")])
    #expect(unsafe mkfifo(folder["inspct"], 0o600) == 0)
    let surroundings = Surroundings.process
    #expect(surroundings.isFolder(bytes(folder["rn"])))
    #expect(surroundings.isFolder(bytes(folder["hlep"])))
    #expect(!surroundings.isFolder(bytes(folder["exprt"])))
    #expect(!surroundings.isFolder(bytes(folder["inspct"])))
    #expect(!surroundings.isFolder(bytes(folder["none"])))
  }

  @Test func `a file is read whole, by its exact name, up to a limit`() throws {
    let folder = try TemporaryFolder([.file("list", [0x61, 0xFF, 0x00])])
    let surroundings = Surroundings.process
    #expect(try surroundings.readFile(bytes(folder["list"]), 3) == [0x61, 0xFF, 0x00])
    #expect(throws: (any Error).self) { try surroundings.readFile(bytes(folder["list"]), 2) }
    #expect(throws: (any Error).self) { try surroundings.readFile(bytes(folder["none"]), 2) }
  }

  @Test func `a log grows at its end`() throws {
    let folder = try TemporaryFolder([.text("run.log", "before\n")])
    let log = try Surroundings.process.openLog(bytes(folder["run.log"]))
    log.write("after\n")
    #expect(try folder.bytes(of: "run.log") == bytes("before\nafter\n"))
  }

  @Test func `a configuration, a list and a log work from the disk`() throws {
    let folder = try TemporaryFolder([
      .text("c.json", "{ \"order\": \"list\", // as given\n}"), .text("list", "b.jpg\na.jpg\n"),
    ])
    let stage = Stage()
    var surroundings = stage.surroundings(
      ["photos", "-o", "out", "--config", folder["c.json"], "--files-from", folder["list"]].map(bytes))
    surroundings.readFile = Surroundings.process.readFile
    #expect(Command.run(surroundings) == .code(0))
    #expect(stage.engine.configuration?.order == .list)
    #expect(stage.engine.configuration?.listedPaths?.map(\.display) == ["b.jpg", "a.jpg"])
  }
}
