/// One scan of a JPEG: the tables made for it, its header and its entropy-coded data.
struct JPEGScan {
  let planes: [JPEGPlane]
  /// The components of the scan, as indices of `planes`.
  let members: [Int]
  /// The band of coefficients, in zigzag order.
  let first: Int
  let last: Int

  /// What is to be written: a symbol of a table, then `count` plain bits.
  private struct Piece {
    let table: Int
    let symbol: Int
    let bits: Int
    let count: Int
  }

  var bytes: [UInt8] {
    let pieces = pieces()
    // Tables 0 and 1: DC of luma and chroma; 2 and 3: AC.
    var weights = [[Int?]](repeating: [Int?](repeating: nil, count: 257), count: 4)
    for piece in pieces { weights[piece.table][piece.symbol] = (weights[piece.table][piece.symbol] ?? 0) + 1 }
    var out: [UInt8] = []
    var lengths = [[Int]](repeating: [], count: 4)
    var codes = lengths
    for table in 0..<4 where weights[table].contains(where: { $0 != nil }) {
      // T.81 keeps the code of all ones free: a symbol without weight takes it.
      weights[table][256] = 0
      lengths[table] = Huffman.lengths(weights[table], limit: 16)
      codes[table] = Huffman.codes(lengths[table])
      out += JPEGWriter.segment(0xC4, [UInt8((table / 2) << 4 | table % 2)] + specification(lengths[table]))
    }
    var header = [UInt8(members.count)]
    for member in members { header += [UInt8(member + 1), member == 0 ? 0x00 : 0x11] }
    out += JPEGWriter.segment(0xDA, header + [UInt8(first), UInt8(last), 0])

    var accumulator = 0
    var filled = 0
    func put(_ value: Int, _ count: Int) {
      accumulator = accumulator << count | value
      filled += count
      while filled >= 8 {
        let byte = UInt8(accumulator >> (filled - 8) & 255)
        out.append(byte)
        if byte == 0xFF { out.append(0) }
        filled -= 8
      }
      accumulator &= (1 << filled) - 1
    }
    for piece in pieces {
      put(codes[piece.table][piece.symbol], lengths[piece.table][piece.symbol])
      put(piece.bits, piece.count)
    }
    if filled > 0 { put((1 << (8 - filled)) - 1, 8 - filled) }
    return out
  }

  private func specification(_ lengths: [Int]) -> [UInt8] {
    let counts = (1...16).map { length in UInt8(lengths.prefix(256).filter { $0 == length }.count) }
    let symbols = (1...16).flatMap { length in (0..<256).filter { lengths[$0] == length }.map { UInt8($0) } }
    return counts + symbols
  }

  private func pieces() -> [Piece] {
    var pieces: [Piece] = []
    var predictions = [Int](repeating: 0, count: planes.count)
    func send(_ member: Int, _ column: Int, _ row: Int) {
      let block = planes[member].block(column, row)
      let table = member == 0 ? 0 : 1
      if first == 0 {
        let value = Int(block[block.startIndex])
        pieces.append(piece(table, 0, value - predictions[member]))
        predictions[member] = value
      }
      var zeros = 0
      for index in max(first, 1)..<max(last + 1, max(first, 1)) {
        let value = Int(block[block.startIndex + zigzag[index]])
        if value == 0 {
          zeros += 1
          continue
        }
        while zeros > 15 {
          pieces.append(Piece(table: table + 2, symbol: 0xF0, bits: 0, count: 0))
          zeros -= 16
        }
        pieces.append(piece(table + 2, zeros, value))
        zeros = 0
      }
      if zeros > 0 { pieces.append(Piece(table: table + 2, symbol: 0, bits: 0, count: 0)) }
    }

    if members.count == 1 {
      let plane = planes[members[0]]
      for row in 0..<plane.rows { for column in 0..<plane.columns { send(members[0], column, row) } }
      return pieces
    }
    let wide = planes[0].stride / planes[0].across
    let high = planes[0].blocks.count / 64 / planes[0].stride / planes[0].down
    for mcuRow in 0..<high {
      for mcu in 0..<wide {
        for member in members {
          let plane = planes[member]
          for v in 0..<plane.down {
            for h in 0..<plane.across { send(member, mcu * plane.across + h, mcuRow * plane.down + v) }
          }
        }
      }
    }
    return pieces
  }

  /// A value as its size, after a run of zeros, and its own bits; negative ones as one's complement.
  private func piece(_ table: Int, _ run: Int, _ value: Int) -> Piece {
    var size = 0
    while abs(value) >> size > 0 { size += 1 }
    return Piece(table: table, symbol: run << 4 | size, bits: value < 0 ? value + (1 << size) - 1 : value, count: size)
  }
}
