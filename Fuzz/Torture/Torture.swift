import Foundation
import TinyPhotos

/// Mutates photos, runs the program over folders of them, and holds what it says against the reference decoders.
struct Torture {
  private static let batchSize = 1000
  private static let jobs = 2
  private static let memoryLimit = 600 << 20
  /// Seconds for one photo; the program's own clock ends what takes longer, and a `timeout` is a find.
  private static let photoLimit = 5.0

  private let options: TortureOptions
  private let originals: [(path: String, bytes: [UInt8])]
  private let judge: ReferenceJudge
  private var report: TortureReport

  init(_ options: TortureOptions) throws {
    self.options = options
    let known: [[UInt8]] = [[0xFF, 0xD8], [0x89, 0x50]]
    let tiny = TinyPhotos.all.enumerated().map { ("tiny \($0.offset)", $0.element) }
    let real: [(String, [UInt8])] = options.photos.sorted().compactMap { path in
      guard let data = FileManager.default.contents(atPath: path), data.count <= 300_000 else { return nil }
      let bytes = Array(data)
      return known.contains { bytes.starts(with: $0) } ? (path, bytes) : nil
    }
    guard !real.isEmpty else { throw TortureOptions.Usage(description: "there is no JPEG or PNG to begin with") }
    originals = tiny + real
    judge = ReferenceJudge(program: options.reference, work: options.work)
    report = TortureReport(options)
  }

  /// True when nothing was found.
  mutating func run() throws -> Bool {
    say("torture: seed \(options.seed), \(options.count) mutants of \(originals.count) photos")
    var first = 0
    while first < options.count {
      let count = min(Self.batchSize, options.count - first)
      try runBatch(first..<(first + count))
      first += count
      say("torture: \(first) of \(options.count) mutants, \(report.summary)")
    }
    report.printAll()
    return report.finds == 0
  }

  private var source: String { "\(options.work)/in" }
  private var output: String { "\(options.work)/out" }

  private mutating func runBatch(_ indices: Range<Int>) throws {
    for folder in [source, output] { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
    var mutants: [(name: String, what: String)] = []
    for index in indices { mutants.append(try write(index)) }

    let limit = options.isSanitized ? 60 : Self.photoLimit
    let ending = try ChildProcess.run(
      options.program,
      ["run", source, "-o", output, "-j", "\(Self.jobs)", "--json", "--progress", "never", "--timeout", "\(limit)"],
      output: "\(options.work)/events", errors: "\(options.work)/errors", limit: 60 + limit * Double(indices.count))
    take(ending, of: indices)

    guard let rows = Row.rows(of: "\(output)/manifest.jsonl") else {
      report.find("the run over \(indices) left no whole manifest", keeping: nil)
      return
    }
    if rows.count != mutants.count { report.find("the run over \(indices) has \(rows.count) rows", keeping: nil) }
    for (place, row) in rows.enumerated()
    where row.index != place || row.path != mutants[min(place, mutants.count - 1)].name {
      report.find("row \(place) of \(indices) is \(row.index), \(row.path)", keeping: nil)
    }
    let expected: Int32 = rows.allSatisfy { $0.status == "verified" } ? 0 : 3
    if ending.code != expected { report.find("the run over \(indices) ended with \(ending.words)", keeping: nil) }
    try compare(rows, Dictionary(uniqueKeysWithValues: mutants.map { ($0.name, $0.what) }))
  }

  /// Makes one mutant; its name sorts where its index does.
  private func write(_ index: Int) throws -> (name: String, what: String) {
    var numbers = SeededNumbers(seed: ~options.seed, stream: index)
    let original = originals[numbers.below(originals.count)]
    let donor = originals[numbers.below(originals.count)]
    let mutant = Mutant(of: original.bytes, donor: donor.bytes, seed: options.seed, index: index)
    let digits = String(index)
    let kind = original.bytes.starts(with: [0x89]) ? "png" : "jpg"
    let name = "m" + String(repeating: "0", count: 8 - digits.count) + digits + "." + kind
    try Data(mutant.bytes).write(to: URL(fileURLWithPath: "\(source)/\(name)"))
    let base = original.path.split(separator: "/").last ?? ""
    return (name, "\(base): \(mutant.history.joined(separator: ", "))")
  }

  private mutating func take(_ ending: ChildProcess.Ending, of indices: Range<Int>) {
    report.add(ending)
    guard !options.isSanitized else { return }
    if ending.silence > Self.photoLimit + 1 {
      report.find("the run over \(indices) said nothing for \(ending.silence) s", keeping: nil)
    }
    // The peak of each at its own time is more than all had together.
    if ending.together > Self.memoryLimit {
      report.find("the run over \(indices) took \(ending.together >> 20) MiB of memory", keeping: nil)
    }
  }

  private mutating func compare(_ rows: [Row], _ mutants: [String: String]) throws {
    for row in rows { report.add(row) }
    let broken: Set = ["decoder-crashed", "timeout", "unstable", "vanished", "unreadable"]
    for row in rows where broken.contains(row.code ?? "") {
      report.find("\(name(row, mutants)): \(row.code ?? ""): \(row.message)", keeping: "\(source)/\(row.path)")
    }
    let comparable: Set = [nil, "truncated", "corrupt", "missing-end-marker"]
    let judged = rows.filter { comparable.contains($0.code) && ["jpeg", "png"].contains($0.format) }
    let verdicts = try judge.judge(judged.map { ($0.format == "png" ? "png" : "jpeg", "\(source)/\($0.path)") })
    let differing = zip(judged, verdicts).filter { ($0.status == "verified") != $1.isClean }
    // Why they differ shows when libjpeg is fed as the product feeds it.
    let jpegs = differing.map(\.0).filter { $0.format == "jpeg" }
    let sliced = try judge.judge(jpegs.map { ("jpeg-sliced", "\(source)/\($0.path)") })
    let bySlices = Dictionary(uniqueKeysWithValues: zip(jpegs.map(\.path), sliced))
    report.compared += judged.count
    for (row, verdict) in differing {
      let ours = row.status == "verified" ? "verified, notes \(row.notes.sorted())" : "\(row.status): \(row.message)"
      let words = "\(name(row, mutants)): \(ours), and the reference says \(verdict.text)"
      switch Disagreement(row, verdict, sliced: bySlices[row.path]) {
      case .none: break
      case .explained(let group): report.add(group, words)
      case .find: report.find(words, keeping: "\(source)/\(row.path)")
      }
    }
  }

  private func name(_ row: Row, _ mutants: [String: String]) -> String {
    "\(row.path) (\(mutants[row.path] ?? "?"))"
  }
}

extension ChildProcess.Ending {
  var words: String { code.map { "exit code \($0)" } ?? "signal \(signal ?? 0)" }
}
