import Glibc
import Testing

@testable import HostProcess

@Suite(.timeLimit(.minutes(1)))
struct HostProcessTests {
  @Test func `arguments are the ones of this process`() {
    #expect(HostProcess.arguments.map { String(decoding: $0, as: UTF8.self) } == CommandLine.arguments)
  }

  @Test func `the environment is bytes`() async {
    await #expect(processExitsWith: .success) {
      let value: [UInt8] = [0x63, 0xE9]
      _ = unsafe setenv("PHOTO_INGEST_TEST", value.map { CChar(bitPattern: $0) } + [0], 1)
      #expect(HostProcess.environment("PHOTO_INGEST_TEST") == value)
      #expect(HostProcess.environment("PHOTO_INGEST_NO_SUCH") == nil)
    }
  }

  @Test(arguments: [
    ("Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n", 8), ("Cpus_allowed:\t3,00000001\n", 3),
    ("Cpus_allowed:\t0\n", nil), ("Name:\tx\n", nil), ("", nil),
  ])
  func `processors are counted from the affinity mask`(status: String, count: Int?) {
    #expect(HostProcess.allowedProcessors(inStatus: Array(status.utf8)) == count)
  }

  @Test func `there is a processor`() {
    #expect(HostProcess.processorCount >= 1)
    #expect(HostProcess.processorCount <= sysconf(Int32(_SC_NPROCESSORS_CONF)))
  }
}
