/// Finds the word that was probably meant, for an error message. Nothing is ever corrected by itself.
enum Suggestion {
  /// The nearest of `words`: within one mistake, or a third of the word's length; also a word that `typed` begins.
  static func nearest(to typed: [UInt8], among words: [String]) -> String? {
    guard !typed.isEmpty else { return nil }
    let folded = typed.map(ASCII.lowercased)
    var best: (distance: Int, word: String)?
    for word in words {
      let distance = distance(folded, Array(word.utf8))
      let allowed = max(1, min(folded.count, word.utf8.count) / 3)
      if distance <= allowed, distance < best?.distance ?? .max { best = (distance, word) }
    }
    if let best { return best.word }
    return folded.count < 2 ? nil : words.first { $0.utf8.starts(with: folded) }
  }

  /// Counts the insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
  /// (optimal string alignment).
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
