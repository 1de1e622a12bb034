import Glibc
import Synchronization
import Testing

@testable import HostProcess

@Suite(.timeLimit(.minutes(1)))
struct SignalWatchTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `dying by a signal shows that signal`(number: Int32) async {
    await #expect(processExitsWith: .signal(number)) { [number = number as Int32] in
      // As in a real run: blocked everywhere, watched, and asked for by the handler's owner.
      let watch = SignalWatch.begin { HostProcess.dieBySignal($0) }
      pthread_kill(watch.thread!.handle, number)
      while true { pause() }
    }
  }

  @Test func `the handler hears each signal once`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let heard = Mutex<[Int32]>([])
      let watch = SignalWatch.begin { number in
        let all = heard.withLock { heard in
          heard.append(number)
          return heard
        }
        if all.count == 3 { HostProcess.exit(Set(all) == [SIGINT, SIGTERM, SIGHUP] ? 7 : 8) }
      }
      for number in [SIGINT, SIGTERM, SIGHUP] { pthread_kill(watch.thread!.handle, number) }
      while true { pause() }
    }
  }

  @Test func `a signal that was ignored on entry stays ignored`() async {
    await #expect(processExitsWith: .exitCode(9)) {
      _ = signal(SIGHUP, SIG_IGN)
      let watch = SignalWatch.begin { HostProcess.exit($0 == SIGTERM ? 9 : 1) }
      #expect(SignalWatch.isIgnored(SIGHUP))
      kill(getpid(), SIGHUP)
      pthread_kill(watch.thread!.handle, SIGHUP)
      pthread_kill(watch.thread!.handle, SIGTERM)
      while true { pause() }
    }
  }
}
