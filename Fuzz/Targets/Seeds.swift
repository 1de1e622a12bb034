import Glibc
import TinyPhotos

/// Writes the inputs that each target begins with, made from real photos and from what the target makes itself.
struct Seeds {
  /// Larger pictures make a fuzzer slow and teach it nothing; blocks inside large ones do.
  private static let largestSeed = 60_000
  private static let largestPhoto = 4 << 20
  private let photos: [[UInt8]]

  struct NotWritten: Error {
    var path: String
  }

  init(photos paths: [String]) throws {
    photos = TinyPhotos.all + paths.compactMap(Self.bytes)
  }

  func write(to folder: String, _ targets: [any FuzzTarget.Type]) throws {
    for target in targets {
      let place = "\(folder)/\(target.name)"
      for path in [folder, place] where mkdir(path, 0o777) != 0 && errno != EEXIST { throw NotWritten(path: path) }
      for (index, seed) in target.seeds(photos).filter({ $0.count <= Self.largestSeed }).enumerated() {
        let path = "\(place)/seed-\(index)"
        guard let file = fopen(path, "wb") else { throw NotWritten(path: path) }
        let written = fwrite(seed, 1, seed.count, file)
        guard fclose(file) == 0, written == seed.count else { throw NotWritten(path: path) }
      }
    }
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: largestPhoto)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}
