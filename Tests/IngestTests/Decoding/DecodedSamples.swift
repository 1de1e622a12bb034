import Foundation
import IngestCore
import IngestFiles
import IngestTestSupport
import PhotoCodecs
import Testing

@testable import Ingest

/// Lends the project's sample photos, and what a decode in this process says of them.
enum DecodedSamples {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("SampleAssets").path

  static let names: [String] =
    (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
    .filter { $0.contains(".") }.sorted()

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
  }

  static func decoded(_ name: String, _ request: DecodeRequest) throws -> (DecodedPhoto, StandInPicture?) {
    var standIn: StandInPicture?
    let photo = PhotoDecoder().decode(from: MemoryReading(try bytes(name)), request: request) { standIn = $0 }
    return (photo, standIn)
  }

  static let checksum = DecodeAnswer.Checksum(
    sha256: String(repeating: "0a", count: 32), bytesRead: 12, errorNumber: 0)
}
