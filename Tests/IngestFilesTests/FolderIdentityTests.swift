import IngestTestSupport
import Testing

@testable import IngestFiles

@Suite(.timeLimit(.minutes(1)))
struct FolderIdentityTests {
  @Test func `a folder lies in itself and in those above it, and not in those beside it`() throws {
    let folder = try TemporaryFolder([.folder("a", [.folder("b", [.folder("c", [])])]), .folder("a2", [])])
    let top = Array(folder.path.utf8)
    let a = try #require(FolderIdentity.of(top + Array("/a".utf8)))
    #expect(FolderIdentity.of(top + Array("/a".utf8), liesIn: a))
    #expect(FolderIdentity.of(top + Array("/a/b/c".utf8), liesIn: a))
    #expect(!FolderIdentity.of(top, liesIn: a))
    #expect(!FolderIdentity.of(top + Array("/a2".utf8), liesIn: a))
    #expect(!FolderIdentity.of(top + Array("/missing".utf8), liesIn: a))
  }
}
