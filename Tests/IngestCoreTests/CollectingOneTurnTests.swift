import IngestCore
import IngestTestSupport
import Testing

/// Holds B2 against the collector: which event ends a turn, and what becomes of every other one.
@Suite(.timeLimit(.minutes(1))) struct CollectingOneTurnTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [ScriptedLoader.Step]
    var mode = DeliveryMode.opportunistic
    var isRemote = false
    var network = false
    let outcome: ScriptedCollector.Outcome
    var standIns: [String] = []
    var ignored: [IgnoredSignal.Kind] = []

    var testDescription: String { name }
  }

  static let original = ScriptedCollector.Outcome.original("original of 0.jpg")
  static let damaged = LoadFailure(.truncated, "the file ends before the image does")
  static let networkOff = LoadFailure(.networkOff, "the original is remote and network access is off")

  static let cases: [Case] = [
    Case(
      name: "a stand-in, then the original", steps: [.degraded(), .final()], outcome: original,
      standIns: ["0: stand-in of 0.jpg"]),
    Case(name: "the original only", steps: [.final()], outcome: original),
    Case(
      name: "three callbacks", steps: [.degraded("first"), .degraded("second"), .final()], outcome: original,
      standIns: ["0: first", "0: second"]),
    Case(name: "only an error", steps: [.fail(damaged)], outcome: .failed(damaged)),
    Case(
      name: "a failure after a stand-in", steps: [.degraded("quick"), .fail(damaged)], outcome: .failed(damaged),
      standIns: ["0: quick"]),
    Case(name: "cancelled by the loader", steps: [.cancelled], outcome: .cancelled),
    Case(
      name: "cancelled after a stand-in", steps: [.degraded("quick"), .cancelled], outcome: .cancelled,
      standIns: ["0: quick"]),
    Case(name: "high quality: the original only", steps: [.final()], mode: .highQualityFormat, outcome: original),
    Case(
      name: "high quality: a stand-in that nobody asked for is not kept", steps: [.degraded("unasked"), .final()],
      mode: .highQualityFormat, outcome: original, standIns: ["0: unasked"]),
    Case(
      name: "fast: one event, degraded and terminal", steps: [.degraded("quick")], mode: .fastFormat,
      outcome: .standIn("quick")),
    Case(name: "fast: an original all the same", steps: [.final()], mode: .fastFormat, outcome: original),
    Case(name: "fast: an error", steps: [.fail(damaged)], mode: .fastFormat, outcome: .failed(damaged)),
    Case(
      name: "fast: a second stand-in comes after the ending", steps: [.degraded("quick"), .degraded("again")],
      mode: .fastFormat, outcome: .standIn("quick"), ignored: [.degradedAfterEnding]),
    Case(
      name: "remote, network off: the loader says so", steps: [.fail(networkOff)], isRemote: true,
      outcome: .failed(networkOff)),
    Case(
      name: "remote, network off: a stand-in is all that comes", steps: [.degraded("quick")], isRemote: true,
      outcome: .failed(networkOff), standIns: ["0: quick"]),
    Case(
      name: "remote, network off: a stand-in, then the loader says so", steps: [.degraded("quick"), .fail(networkOff)],
      isRemote: true, outcome: .failed(networkOff), standIns: ["0: quick"]),
    Case(
      name: "remote, network off, fast: the stand-in is what was asked for", steps: [.degraded("quick")],
      mode: .fastFormat, isRemote: true, outcome: .standIn("quick")),
    Case(
      name: "remote, network on: a stand-in, then the original", steps: [.degraded("quick"), .final()],
      isRemote: true, network: true, outcome: original, standIns: ["0: quick"]),
    Case(name: "the original twice", steps: [.final(), .final("another")], outcome: original, ignored: [.repeated]),
    Case(
      name: "an error after the original", steps: [.final(), .fail(damaged)], outcome: original,
      ignored: [.repeated]),
    Case(
      name: "the original after an error", steps: [.fail(damaged), .final()], outcome: .failed(damaged),
      ignored: [.repeated]),
    Case(name: "cancelled after the original", steps: [.final(), .cancelled], outcome: original, ignored: [.repeated]),
    Case(
      name: "a stand-in after the original", steps: [.final(), .degraded()], outcome: original,
      ignored: [.degradedAfterEnding]),
    Case(
      name: "another request's original first", steps: [.underWrongID(.final("another")), .final()],
      outcome: original, ignored: [.wrongID]),
    Case(
      name: "another request's stand-in", steps: [.underWrongID(.degraded("another")), .final()],
      outcome: original, ignored: [.wrongID]),
    Case(
      name: "another request's error after the original", steps: [.final(), .underWrongID(.fail(damaged))],
      outcome: original, ignored: [.wrongID]),
  ]

  @Test(arguments: cases, [false, true])
  func `one event ends the turn and the others end nothing`(_ one: Case, isSynchronous: Bool) async {
    let asset = Asset(path: RelativePath("0.jpg"), isInCloud: one.isRemote)
    let after = Asset(path: RelativePath("after.jpg"))
    let isPlayed = Gate()
    let loader = ScriptedLoader(
      [asset: Script(one.steps + [.open(isPlayed)], isSynchronous: isSynchronous), after: Script([.final()])])
    let collector = ScriptedCollector(
      loader: loader, window: 1,
      options: ImageRequestOptions(deliveryMode: one.mode, isNetworkAccessAllowed: one.network))

    let (gathered, report) = await collector.collected([asset, after]) { _ in isPlayed.wait() }

    #expect(gathered.indices == [0, 1])
    #expect(gathered.outcomes == [one.outcome, .original("original of after.jpg")])
    var expected = IgnoredSignals()
    for kind in one.ignored { expected.add(IgnoredSignal(kind: kind, index: 0)) }
    #expect(report.ignored == expected)
    #expect(report.turns == 2)
    #expect(report.abandoned == 0)
    #expect(loader.log.cancelled.isEmpty)
    #expect(loader.log.requested == [asset, after])
    #expect(gathered.standIns.filter { $0.hasPrefix("0:") } == one.standIns)
  }

  @Test(arguments: [DeliveryMode.opportunistic, .highQualityFormat, .fastFormat])
  func `the options reach the loader as they are`(_ mode: DeliveryMode) async {
    let loader = ScriptedLoader()
    let progress = Gathering<Double>()
    let options = ImageRequestOptions(
      deliveryMode: mode, isNetworkAccessAllowed: true, progressHandler: { progress.add($0) })
    _ = await ScriptedCollector(loader: loader, window: 1, options: options).collected(photos(1))
    #expect(loader.log.options.map(\.deliveryMode) == [mode])
    #expect(loader.log.options.map(\.isNetworkAccessAllowed) == [true])
    loader.log.options.first?.progressHandler?(0.5)
    #expect(progress.values == [0.5])
  }

  @Test func `a stand-in has been shown before its turn is taken`() async {
    let isTaken = Gate()
    let wasTakenFirst = Count()
    let isFinalSent = Gate()
    // The ending comes on another thread while the stand-in is still being shown.
    let asset = photos(1)[0]
    let loader = CrossedLoader(isFinalSent: isFinalSent)
    let report = await onOwnThread {
      Collector(loader: loader, window: 1).collect(
        [asset],
        onDegraded: { _, _, _ in
          isFinalSent.wait()
          if isTaken.isOpen { wasTakenFirst.add() }
        }, take: { _ in isTaken.open() })
    }
    #expect(report.turns == 1)
    #expect(isTaken.isOpen)
    #expect(wasTakenFirst.value == 0)
  }
}

/// Sends the original from a second thread while the stand-in's callback is still running on the first.
private struct CrossedLoader: AssetLoading {
  let isFinalSent: Gate

  func requestImage(
    for asset: Asset, options: ImageRequestOptions,
    resultHandler: @escaping @Sendable (ImageRequestID, LoadEvent<String, String>) -> Void
  ) -> ImageRequestID {
    let id = ImageRequestID(1)
    Task.detached { await onOwnThread { resultHandler(id, .degraded("quick")) } }
    Task.detached {
      await onOwnThread {
        resultHandler(id, .final("original"))
        isFinalSent.open()
      }
    }
    return id
  }

  func cancelImageRequest(_ id: ImageRequestID) {}
}
