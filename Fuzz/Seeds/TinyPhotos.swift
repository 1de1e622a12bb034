import IngestTestSupport

/// Gives whole pictures of every kind that is decoded, small enough for a fuzzer, whatever lies beside the project.
public enum TinyPhotos {
  public static let all: [[UInt8]] = TinyJPEG.allCases.map(\.bytes) + pngs.map(\.bytes) + [jpegWithBlocks]

  private static let pngs: [TinyPNG] = {
    let shapes = [(0, 1), (0, 8), (0, 16), (2, 8), (2, 16), (3, 2), (3, 8), (4, 8), (6, 8), (6, 16)]
    return shapes.flatMap { type, depth in
      [false, true].map { isInterlaced in
        var png = TinyPNG(13, 11, colorType: type, depth: depth)
        png.isInterlaced = isInterlaced
        if type == 3 { png.transparency = [0, 128] }
        let profile = Array("\nexif\n 1\n00\n".utf8)
        png.chunksBefore = [
          TinyPNG.chunk("gAMA", TinyPNG.number(45_455)), TinyPNG.chunk("tEXt", Array("Title\0small".utf8)),
          TinyPNG.chunk("zTXt", Array("Raw profile type exif\0\0".utf8) + TinyPNG.stored(profile)),
        ]
        png.chunksAfter = [TinyPNG.chunk("eXIf", TinyExif.block(orientation: 6))]
        return png
      }
    }
  }()

  private static let jpegWithBlocks: [UInt8] = {
    let exif = JPEGSurgery.exif(TinyExif.block(orientation: 6))
    let profile = [UInt8](repeating: 0, count: 40)
    let parts = [2, 1].flatMap { JPEGSurgery.profilePart($0, of: 2, profile) }
    return JPEGSurgery.inserting(exif + parts, into: TinyJPEG.baseline.bytes)
  }()
}
