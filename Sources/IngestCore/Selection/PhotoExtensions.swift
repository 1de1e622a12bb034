/// Lists the file name extensions that make a file a photo's candidate (interface version 1, "Options of run").
public enum PhotoExtensions {
  /// In lower case ASCII, without the dot; compare with `RelativePath.fileExtension`.
  public static let all = Set(
    [
      "jpg", "jpeg", "jpe", "jfif", "png", "heic", "heif", "hif", "avif", "webp", "tif", "tiff", "gif", "bmp", "jp2",
      "jxl", "mpo", "dng", "cr2", "cr3", "nef", "arw", "raf", "rw2", "orf", "pef", "srw",
    ].map { Array($0.utf8) })

  /// Whether the path's extension is one of them, in any case of ASCII letters.
  public static func contains(_ path: RelativePath) -> Bool {
    all.contains(path.fileExtension)
  }
}
