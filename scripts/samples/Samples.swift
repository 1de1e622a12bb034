/// The samples: what each file shows, and what it is made to test.
struct Samples {
  /// Takes a path inside the folder and the bytes of a file.
  let write: (String, [UInt8]) -> Void

  private let ridge = Exif.Camera(make: "Hollin", model: "Ridge 3", lens: "Hollin 24-70mm F2.8", isBigEndian: false)
  private let tern = Exif.Camera(
    make: "TERN OPTICAL", model: "TERN T40", lens: "TERN 35mm F1.8 PRIME", isBigEndian: true)
  private let pocket = Exif.Camera(
    make: "Lumo", model: "Lumo Pocket", lens: "Lumo main camera 5.6mm f/1.8", isBigEndian: false)

  func make() {
    alps()
    harbour()
    single()
  }

  private func alps() {
    let lake = Mountains(
      seed: 11, zenith: rgb(0x3B5F9A), horizon: rgb(0xF3CFB0), light: rgb(0xFFE3BF), sun: (1.06, 0.26), clouds: 0.35)
    var exif = Exif(camera: ridge, exposure: ((1, 250), (8, 1), 100, (24, 1)))
    exif.taken = "2024:07:01 05:12:44"
    exif.offset = "+02:00"
    exif.subSeconds = "65"
    exif.description = "Dawn over the lake"
    exif.place = .init(latitude: (46, 33, 3215), north: "N", longitude: (7, 59, 150), east: "E", altitude: 1580)
    photo("alps/IMG_0001.jpg", lake, 1440, 960, exif)

    exif.description = nil
    exif.taken = "2024:07:01 09:40:02"
    exif.subSeconds = "07"
    exif.exposure = ((1, 60), (4, 1), 400, (50, 1))
    exif.place = .init(latitude: (46, 34, 120), north: "N", longitude: (7, 58, 4410), east: "E", altitude: 1712)
    photo("alps/IMG_0002.jpg", Woods(seed: 21), 864, 1296, exif, orientation: 6)

    exif.taken = "2024:07:01 11:05:31"
    exif.exposure = ((1, 4), (16, 1), 50, (35, 1))
    exif.place = nil
    photo("alps/IMG_0003.jpg", Waterfall(seed: 31), 864, 1296, exif, orientation: 8)

    let meadow = Mountains(seed: 47, clouds: 0.6, foreground: .meadow, shore: 0.6)
    exif.taken = "2024:07:01 14:20:00"
    exif.subSeconds = nil
    exif.exposure = ((1, 500), (56, 10), 100, (28, 1))
    photo("alps/IMG_0010.jpg", meadow, 1296, 864, exif, orientation: 3)

    let dusk = Mountains(
      seed: 58, zenith: rgb(0x17234A), horizon: rgb(0xB9879A), light: rgb(0xC9B3CF), shade: rgb(0x1D2440), clouds: 0.2,
      foreground: .meadow, shore: 0.7, hut: 0.62)
    exif.taken = "2024:07:01 21:48:10"
    exif.exposure = ((1, 15), (28, 10), 1600, (35, 1))
    exif.description = "The hut, mirrored"
    photo("alps/IMG_0011.jpg", dusk, 1296, 864, exif, orientation: 2)

    // No date, no embedded picture: what an editor leaves.
    let wide = Mountains(seed: 73, horizon: rgb(0xD4E2EA), clouds: 0.45, foreground: .none, shore: 0.92)
    var writer = JPEGWriter(quality: 78)
    writer.isProgressive = true
    write("alps/panorama.jpg", writer.file(Raster(wide, width: 2000, height: 800)))

    exif.description = nil
    exif.taken = "2024:07:02 07:15:55"
    let cut = jpeg(Mountains(seed: 90, clouds: 0.7), 1296, 864, exif)
    write("alps/IMG_0012.jpg", Array(cut.prefix(cut.count * 55 / 100)))

    var sky = PNGWriter(width: 1200, height: 900, depth: 16, colorType: 0, pixelBytes: 2)
    var night = Exif(camera: tern, exposure: ((15, 1), (18, 10), 3200, (35, 1)))
    night.taken = "2024:07:01 23:58:20"
    night.offset = "+02:00"
    night.subSeconds = "5"
    sky.chunks = [("gAMA", bigEndian(45455)), ("eXIf", night.block(thumbnail: nil, width: 1200, height: 900))]
    write("alps/night sky.png", sky.file(NightSky(seed: 101).samples(width: 1200, height: 900)))
  }

  private func harbour() {
    var exif = Exif(camera: tern, exposure: ((1, 320), (71, 10), 200, (35, 1)))
    exif.taken = "2023:09:16 10:02:30"
    photo("harbour/DSC_2.jpg", Harbour(seed: 12), 1296, 864, exif, orientation: 4)

    exif.taken = "2023:09:16 10:09:12"
    exif.subSeconds = "410"
    exif.description = "Old houses at the north quay"
    photo("harbour/DSC_3.jpg", Harbour(seed: 25, density: 3.6, quay: 0.76), 864, 1296, exif, orientation: 5)

    exif.description = nil
    exif.subSeconds = nil
    exif.taken = "2023:09:16 12:30:00"
    exif.exposure = ((1, 1000), (8, 1), 200, (35, 1))
    exif.place = .init(latitude: (54, 10, 5512), north: "N", longitude: (12, 5, 1208), east: "E", altitude: 9)
    photo("harbour/DSC_10.jpg", Lighthouse(seed: 36), 864, 1296, exif, orientation: 7)

    // Oranges and reds that sRGB cannot hold: the numbers are Display P3.
    let evening = Mountains(
      seed: 44, zenith: [0.16, 0.1, 0.42], horizon: [1, 0.42, 0.08], light: [1, 0.62, 0.12], shade: [0.22, 0.05, 0.2],
      sun: (0.62, 0.4), clouds: 0.75, snowLine: -1, shore: 0.62)
    var phone = Exif(camera: pocket, exposure: ((1, 120), (18, 10), 64, (56, 10)))
    phone.taken = "2023:09:16 19:24:51"
    phone.subSeconds = "133"
    phone.colorSpace = 65535
    phone.place = .init(latitude: (54, 11, 240), north: "N", longitude: (12, 4, 5900), east: "E", altitude: 3)
    photo("harbour/evening-p3.jpg", evening, 1280, 960, phone, profile: DisplayP3.profile)

    phone.colorSpace = 1
    phone.place = nil
    phone.subSeconds = nil
    phone.taken = "2023:09:16 21:37:05"
    phone.exposure = ((1, 8), (18, 10), 1250, (56, 10))
    photo("harbour/night.jpg", Harbour(seed: 52, isNight: true), 1280, 960, phone)

    let size = 1024
    var badge = PNGWriter(width: size, height: size, depth: 8, colorType: 3, pixelBytes: 1)
    badge.chunks = [("sRGB", [0]), ("PLTE", Badge.palette), ("tRNS", Badge.opacity)]
    write("harbour/badge.png", badge.file(Badge(size: size).samples()))

    let chart = PNGWriter(width: 1200, height: 900, depth: 8, colorType: 2, pixelBytes: 3)
    write("harbour/chart.jpg", chart.file(Raster(Chart(seed: 64), width: 1200, height: 900, grain: 0).bytes))
    write(
      "harbour/notes.jpg",
      Array("Moorings 14 to 22 were photographed before noon.\nThis is a text, not a picture.\n".utf8))
  }

  private func single() {
    var exif = Exif(camera: ridge, exposure: ((1, 30), (4, 1), 320, (70, 1)))
    exif.taken = "2024:01:20 16:45:00"
    exif.offset = "-05:00"
    exif.description = "Fruit on a plaid cloth"
    var writer = JPEGWriter()
    writer.sampling = (2, 1)
    write("still-life.jpg", jpeg(StillLife(seed: 3), 1296, 864, exif, writer: writer))

    exif.description = nil
    exif.offset = nil
    exif.taken = "2022:03:05 08:00:59"
    writer = JPEGWriter(quality: 74)
    writer.isGray = true
    write("pebbles.jpg", jpeg(Pebbles(seed: 8), 1200, 900, exif, writer: writer))
  }

  private func photo(
    _ path: String, _ scene: any Scene, _ width: Int, _ height: Int, _ exif: Exif, orientation: Int = 1,
    profile: [UInt8]? = nil
  ) {
    var exif = exif
    exif.orientation = orientation
    write(path, jpeg(scene, width, height, exif, profile: profile))
  }

  /// A photo as its camera stores it: turned, with its Exif block and in it a small version of the same pixels.
  private func jpeg(
    _ scene: any Scene, _ width: Int, _ height: Int, _ exif: Exif, writer: JPEGWriter = JPEGWriter(),
    profile: [UInt8]? = nil
  ) -> [UInt8] {
    let stored = Raster(scene, width: width, height: height, seed: width + height + exif.orientation)
      .stored(for: exif.orientation)
    let small = JPEGWriter(quality: 70, isGray: writer.isGray).file(stored.reduced(longSide: 160))
    let block = exif.block(thumbnail: small, width: stored.width, height: stored.height)
    var writer = writer
    writer.segments = [(1, Array("Exif".utf8) + [0, 0] + block)]
    if let profile { writer.segments.append((2, Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile)) }
    return writer.file(stored)
  }
}
