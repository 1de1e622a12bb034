/// Prefix codes of bounded length for given weights (package-merge), as JPEG and deflate want them.
enum Huffman {
  /// The code length of each symbol, 0 for symbols that have no weight.
  static func lengths(_ weights: [Int?], limit: Int) -> [Int] {
    var lengths = [Int](repeating: 0, count: weights.count)
    let leaves = weights.indices.compactMap { symbol in weights[symbol].map { (weight: $0, symbols: [symbol]) } }
      .sorted { ($0.weight, $0.symbols[0]) < ($1.weight, $1.symbols[0]) }
    if leaves.count < 2 {
      for leaf in leaves { lengths[leaf.symbols[0]] = 1 }
      return lengths
    }
    var row = leaves
    for _ in 1..<limit {
      var merged: [(weight: Int, symbols: [Int])] = []
      var leaf = 0
      var pair = 0
      while leaf < leaves.count || pair + 1 < row.count {
        let package = pair + 1 < row.count ? row[pair].weight + row[pair + 1].weight : Int.max
        if leaf < leaves.count && leaves[leaf].weight <= package {
          merged.append(leaves[leaf])
          leaf += 1
        } else {
          merged.append((package, row[pair].symbols + row[pair + 1].symbols))
          pair += 2
        }
      }
      row = merged
    }
    for package in row.prefix(2 * leaves.count - 2) {
      for symbol in package.symbols { lengths[symbol] += 1 }
    }
    return lengths
  }

  /// The canonical codes: shorter first, and of one length in the order of the symbols.
  static func codes(_ lengths: [Int]) -> [Int] {
    var codes = [Int](repeating: 0, count: lengths.count)
    var next = 0
    for length in 1...16 {
      for symbol in lengths.indices where lengths[symbol] == length {
        codes[symbol] = next
        next += 1
      }
      next <<= 1
    }
    return codes
  }
}
