import Foundation
import Glibc
import IngestCore
import IngestTestSupport
import Testing

@testable import IngestFiles

/// Holds the lock of an output folder against the contract of the resource lock (B4), and against a hostile folder.
@Suite(.timeLimit(.minutes(1)))
struct OutputLockTests {
  let folder: TemporaryFolder
  var path: [UInt8] { Array(folder["out"].utf8) }
  var lockPath: String { folder["out/.photo-ingest/lock"] }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func lock(for use: OutputLock.Use = .writing) -> OutputLock { OutputLock(path, for: use) }

  @Test func `one of two obtains, the other answers false at once, and gets it after the first has finished`() throws {
    let (first, second) = (lock(), lock())
    #expect(try first.obtain())
    #expect(try first.obtain() == false)
    #expect(try second.obtain() == false)
    first.finish()
    first.finish()
    #expect(try second.obtain())
    first.finish()
    #expect(try lock().obtain() == false)
  }

  @Test func `the holder that waits is not blocked and gets false`() async throws {
    let lock = lock()
    #expect(try await onOwnThread { () throws in [try lock.wait(), try lock.wait()] } == [true, false])
  }

  @Test func `a waiter goes on when another thread gives the folder back`() async throws {
    let (first, second) = (lock(), lock())
    #expect(try first.obtain())
    let isWaiting = Gate()
    async let waiter = onOwnThread { () throws -> Bool in
      isWaiting.open()
      return try second.wait()
    }
    await isWaiting.passed()
    await onOwnThread { first.finish() }
    #expect(try await waiter)
    #expect(try first.obtain() == false)
  }

  @Test func `a lock that goes away unfinished is free`() throws {
    do {
      let lock = lock()
      #expect(try lock.obtain())
    }
    #expect(try lock().obtain())
  }

  @Test func `many threads with a handle each are never inside together, and all come in`() async throws {
    let (inside, entries) = (Count(), Count())
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<12 {
        group.addTask {
          try await onOwnThread { () throws in
            let lock = OutputLock(path)
            for _ in 0..<5 {
              try lock.wait()
              inside.add()
              entries.add()
              inside.add(-1)
              lock.finish()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(entries.value == 60)
    #expect(inside.highest == 1)
  }

  @Test func `a wait with a limit ends, and a wait that is cancelled ends at once`() async throws {
    let (first, second) = (lock(), lock())
    #expect(try first.obtain())
    let control = CollectionControl()
    for limit in [Duration.zero, .milliseconds(30)] {
      #expect(
        try await onOwnThread { () throws in try second.wait(atMost: limit, control: control) } == .timedOut)
    }
    let isWaiting = Gate()
    async let end = onOwnThread { () throws in
      isWaiting.open()
      return try second.wait(atMost: nil, control: control)
    }
    await isWaiting.passed()
    control.cancel()
    #expect(try await end == .cancelled)
  }

  @Test func `the holder's process, host and time stand in the file, and are gone when it has finished`() async throws {
    let (first, second) = (lock(), lock())
    #expect(try first.obtain())
    let holder = try #require(await onOwnThread { second.holder() })
    #expect(holder.processID == getpid())
    #expect(
      holder.host
        == (try String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8)).trimmingCharacters(in: .newlines))
    #expect(holder.started.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    let bytes = try folder.bytes(of: "out/.photo-ingest/lock")
    #expect(
      bytes == Array("{\"host\":\"\(holder.host)\",\"pid\":\(getpid()),\"started\":\"\(holder.started)\"}\n".utf8))
    first.finish()
    #expect(try folder.bytes(of: "out/.photo-ingest/lock") == [])
    #expect(await onOwnThread { second.holder() } == nil)
  }

  @Test(arguments: ["", "{", "[]", "{\"pid\":\"1\"}", "{\"host\":\"h\",\"pid\":0,\"started\":\"\"}", "\u{0}\u{0}\u{0}"])
  func `a note that is none names nobody`(note: String) {
    #expect(LockHolder(note: Array(note.utf8)) == nil)
  }

  @Test func `the note of a killed process of this host is not believed, one of another host is`() async throws {
    // Larger than any number the kernel gives out.
    let dead = LockHolder(processID: 2_000_000_000, host: LockHolder.hostName, started: "2024-07-01T02:17:00Z")
    let far = LockHolder(processID: 2_000_000_000, host: "\(LockHolder.hostName)-2", started: "2024-07-01T02:17:00Z")
    let lock = lock()
    try folder.file("out/.photo-ingest/lock", dead.note)
    #expect(await onOwnThread { lock.holder() } == nil)
    try folder.file("out/.photo-ingest/lock", far.note)
    #expect(await onOwnThread { lock.holder() } == far)
  }

  @Test(arguments: [OutputLock.Use.writing, .reading])
  func `a slow disk holds up the one who obtains, and nobody who finishes meanwhile`(use: OutputLock.Use) async throws {
    try folder.file("out/.photo-ingest/lock", [])
    let (isAsked, mayAnswer) = (Gate(), Gate())
    let lock = OutputLock(path, for: use) { file, kind in
      isAsked.open()
      mayAnswer.wait()
      return flock(file, kind)
    }
    async let isObtained = onOwnThread { () throws in try lock.obtain() }
    await isAsked.passed()
    let hasFinished = Gate()
    async let finishing: Void = onOwnThread {
      lock.finish()
      hasFinished.open()
    }
    let wasFree = await onOwnThread { hasFinished.wait(limit: 5) }
    mayAnswer.open()
    #expect(wasFree)
    #expect(try await isObtained)
    await finishing
    #expect(try self.lock(for: use).obtain() == (use == .reading))
    #expect(try lock.obtain() == false)
  }

  // MARK: Readers

  @Test func `readers share the folder and keep a writer out, a writer keeps readers out`() throws {
    let (writer, first, second) = (lock(), lock(for: .reading), lock(for: .reading))
    #expect(try writer.obtain())
    #expect(try first.obtain() == false)
    writer.finish()
    #expect(try first.obtain())
    #expect(try second.obtain())
    #expect(try writer.obtain() == false)
    first.finish()
    #expect(try writer.obtain() == false)
    second.finish()
    #expect(try writer.obtain())
  }

  @Test func `a reader makes nothing, and needs no lock where no run has left one`() throws {
    #expect(try lock(for: .reading).obtain())
    #expect(folder.listing() == [])
    try folder.add([.folder("out", [])])
    #expect(try lock(for: .reading).obtain())
    #expect(folder.listing() == ["out/"])
  }

  // MARK: What stands in the place of the lock

  @Test func `a lock file that is put aside while it is held does not help another writer to it for long`() throws {
    let first = lock()
    #expect(try first.obtain())
    // What the first one holds has no name any more; the others agree on a new file.
    try FileManager.default.removeItem(atPath: folder["out/.photo-ingest"])
    let (second, third) = (lock(), lock())
    #expect(try second.obtain())
    #expect(try third.obtain() == false)
    first.finish()
    #expect(try third.obtain() == false)
    #expect(try folder.bytes(of: "out/.photo-ingest/lock").isEmpty == false)
  }

  @Test func `K1: whoever removes the lock file lets nobody in while it is held`() throws {
    let first = lock()
    #expect(try first.obtain())
    try FileManager.default.removeItem(atPath: lockPath)
    let (second, reader) = (lock(), lock(for: .reading))
    #expect(try second.obtain() == false)
    #expect(try reader.obtain() == false)
    try FileManager.default.removeItem(atPath: lockPath)
    #expect(try reader.obtain() == false)
    first.finish()
    #expect(try reader.obtain())
    #expect(try second.obtain() == false)
    reader.finish()
    #expect(try second.obtain())
  }

  @Test func `where folders cannot be locked the file alone does it`() throws {
    let fileOnly: @Sendable (Int32, Int32) -> Int32 = { descriptor, operation in
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        errno = EBADF
        return -1
      }
      return flock(descriptor, operation)
    }
    let first = OutputLock(path, for: .writing, flock: fileOnly)
    let second = OutputLock(path, for: .writing, flock: fileOnly)
    #expect(try first.obtain())
    #expect(try second.obtain() == false)
    first.finish()
    #expect(try second.obtain())
  }

  @Test func `a file that was replaced between opening and locking is not taken for the lock`() throws {
    let isReplaced = Guarded(false)
    let lockPath = lockPath
    let lock = OutputLock(path, for: .writing) { descriptor, operation in
      let isFirst = isReplaced.withLock { done in
        defer { done = true }
        return !done
      }
      if isFirst {
        _ = unsafe unlink(lockPath)
        _ = FileManager.default.createFile(atPath: lockPath, contents: nil)
      }
      return flock(descriptor, operation)
    }
    #expect(try lock.obtain())
    #expect(try self.lock().obtain() == false)
  }

  @Test(arguments: [OutputLock.Use.writing, .reading])
  func `a link, a pipe, a folder or a file with two names in its place is an error, and nothing is written through it`(
    use: OutputLock.Use
  ) throws {
    try folder.add([.folder("out", [.folder(".photo-ingest", [])]), .text("victim", "precious")])
    let plantings: [(String, (String) throws -> Void)] = [
      (
        "symbolic link",
        { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: folder["victim"]) }
      ),
      ("no regular file", { _ = unsafe mkfifo($0, 0o666) }),
      ("second name", { try FileManager.default.linkItem(atPath: folder["victim"], toPath: $0) }),
      (use == .writing ? "directory" : "no regular file", { _ = unsafe mkdir($0, 0o777) }),
    ]
    for (word, plant) in plantings {
      try plant(lockPath)
      let error = #expect(throws: FileError.self) { _ = try lock(for: use).obtain() }
      #expect(error?.description.lowercased().contains(word) == true, "\(word): \(error?.description ?? "")")
      #expect(error?.displayPath == lockPath)
      try FileManager.default.removeItem(atPath: lockPath)
    }
    #expect(try folder.bytes(of: "victim") == Array("precious".utf8))
  }

  @Test(arguments: [ENOLCK, EOPNOTSUPP, ENOSYS])
  func `a file system without locks is told of with what to do`(number: Int32) throws {
    let lock = OutputLock(path, for: .writing) { _, _ in
      errno = number
      return -1
    }
    let error = #expect(throws: FileError.self) { _ = try lock.obtain() }
    #expect(error?.errno == number)
    #expect(error?.description.contains("must support flock") == true)
  }

  // MARK: Between processes

  @Test func `another process that holds the file keeps us out, and its death by kill -9 lets us in`() async throws {
    try folder.add([.folder("out", [.folder(".photo-ingest", [.text("lock", "")])])])
    let command = Command("/usr/bin/flock", [lockPath, "sh", "-c", "echo held; exec sleep 60"])
    let lock = lock()
    try await onOwnThread { () throws in
      let other = try command.start()
      #expect(other.waitForText("held"))
      #expect(try lock.obtain() == false)
      // The group: flock passes its descriptor on to the shell.
      other.send(SIGKILL, toGroup: true)
      _ = other.finish()
      #expect(try lock.obtain())
    }
  }

  @Test func `what holds the lock is not inherited by a program that is started meanwhile`() async throws {
    let lock = lock()
    #expect(try lock.obtain())
    let result = try await Command("/bin/ls", ["-l", "/proc/self/fd"]).run()
    #expect(!result.outputText.contains(".photo-ingest"), "\(result)")
    // Command closes what is inherited; the flag is what counts.
    let numbers = ProcessTable.descriptors(of: getpid()).filter { number in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
      return target == lockPath
    }
    #expect(numbers.count == 1)
    for number in numbers { #expect(fcntl(Int32(number), F_GETFD) == FD_CLOEXEC) }
  }
}
