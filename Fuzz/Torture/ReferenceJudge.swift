import Foundation

/// Asks libjpeg and libpng, through a program that shares nothing with the product.
struct ReferenceJudge {
  struct Verdict {
    /// `ok`, `warning`, `error`, or `died` when the reference itself did.
    var word: String
    var complaints: [String]
    var isClean: Bool { word == "ok" || (word == "warning" && complaints.allSatisfy { !$0.contains(" ") }) }
    /// What libjpeg knows and djpeg says nothing of.
    func says(_ remark: String) -> Bool { complaints.contains(remark) }
    var text: String { ([word] + complaints).joined(separator: "; ") }
  }

  var program: String
  var work: String

  /// One verdict for each file, in order. `kind` is jpeg, jpeg-sliced or png.
  func judge(_ files: [(kind: String, path: String)]) throws -> [Verdict] {
    var verdicts: [Verdict] = []
    while verdicts.count < files.count {
      let lines = files[verdicts.count...].map { "\($0.kind)\t\($0.path)\n" }.joined()
      try Data(lines.utf8).write(to: URL(fileURLWithPath: "\(work)/asked"))
      _ = try ChildProcess.run(
        program, [], input: "\(work)/asked", output: "\(work)/answered", errors: "\(work)/reference-errors", limit: 600)
      let answers = FileManager.default.contents(atPath: "\(work)/answered") ?? Data()
      for line in String(decoding: answers, as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: "\t").map(String.init)
        verdicts.append(Verdict(word: words.first ?? "", complaints: Array(words.dropFirst())))
      }
      if verdicts.count < files.count { verdicts.append(Verdict(word: "died", complaints: [])) }
    }
    return verdicts
  }
}
