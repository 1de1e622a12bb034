// Writes the thumbnails of photos as they are before they become JPEG: FOLDER/0.ppm, FOLDER/1.ppm and so on.
// usage: thumbnail-pixels SIZE scaled|full FOLDER PHOTO...
import Glibc
import IngestFiles
import PhotoCodecs

func fail(_ words: String) -> Never {
  let bytes = Array(words.utf8)
  _ = unsafe Glibc.write(2, bytes, bytes.count)
  exit(1)
}

func save(_ picture: PixelBuffer, to path: String) {
  guard let file = unsafe fopen(path, "wb") else { fail("\(path) cannot be written\n") }
  let bytes = Array("P6\n\(picture.width) \(picture.height)\n255\n".utf8) + picture.pixels
  guard unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count, unsafe fclose(file) == 0 else {
    fail("\(path) cannot be written\n")
  }
}

let arguments = CommandLine.arguments
guard arguments.count > 4, let size = Int(arguments[1]), ["scaled", "full"].contains(arguments[2]) else {
  fail("usage: thumbnail-pixels SIZE scaled|full FOLDER PHOTO...\n")
}
let decoder = PhotoDecoder()
for (index, path) in arguments[4...].enumerated() {
  let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { fail("\(path) cannot be read\n") }
  var request = DecodeRequest(
    thumbnailSizes: [size], scale: arguments[2] == "full" ? .full : .scaled, wantsStandIn: false)
  request.keepsThumbnailPixels = true
  let photo = decoder.decode(from: DescriptorReading(owning: number), request: request)
  guard case .whole = photo.verdict, let picture = photo.thumbnailPixels.first else { fail("\(path) is not whole\n") }
  save(picture, to: "\(arguments[3])/\(index).ppm")
}
