/// Names a page of help that is not about one command.
enum HelpTopic: String, CaseIterable, Sendable {
  case exitCodes = "exit-codes"
  case limits
  case formats
  case manifest
  case orders
  case config
  case globs
  case addresses

  /// The topics, for a sentence.
  static let words = allCases.map(\.rawValue).joined(separator: ", ")

  /// The page, in lines of at most 80 columns.
  var lines: [String] {
    page.map(HelpText.topic) ?? HelpText.exitCodes
  }

  /// What the page says; nil for the exit codes, whose words stand with them.
  var page: HelpPage? {
    switch self {
    case .exitCodes: nil
    case .limits:
      Self.page(
        "LIMITS",
        [
          (
            "--max-pixels N[M]",
            "Width times height, from the header, before anything is decoded. M means million. Default 200M."
          ),
          (
            "--max-memory N[M]",
            "What a picture may need while it is decoded. M means MiB (1,048,576 bytes). Default 256M."
          ),
          ("--timeout SECONDS", "How long one photo may take; decimals allowed. Default 20."),
          ("scans", "100 in a JPEG."),
          ("sides", "1,000,000 pixels in a PNG; 65,500 are what a JPEG can have."),
          ("PNG chunks", "8,000,000 bytes each, and 100 of text; more are dropped with the note text-dropped."),
          ("Exif", "65,528 bytes of a block; what lies behind is noted as exif-broken."),
          ("processor", "A decoder process gets the time limit and two seconds of processor time for a photo."),
        ],
        """
        A photo beyond a limit fails with the code too-large or timeout. Its row names the limit and the figure, and the \
        run goes on. Only two kinds of picture are kept whole while they are decoded: a progressive JPEG needs 3 bytes a \
        pixel (6 without chroma subsampling), an interlaced PNG 1 to 4 bytes a pixel. So 256 MiB are enough for 89 \
        million pixels of a usual progressive JPEG; give --max-memory more for larger ones.
        """
      )
    case .formats:
      Self.page(
        "FORMATS OF MANIFESTS",
        [
          ("jsonl", "manifest.jsonl: one JSON object a line. Always written; every other format is made from it."),
          ("json", "manifest.json: the same rows in one object."),
          ("csv", "manifest.csv: RFC 4180, safe to open in a spreadsheet."),
          ("sha256", "SHA256SUMS: for \"sha256sum -c\" in the source folder."),
          ("bagit", "bag/: a BagIt 1.0 bag of the originals (RFC 8493)."),
          ("prometheus", "photo-ingest.prom: gauges for the node exporter, after failed runs too."),
        ], "Photos themselves are read as JPEG and PNG; other image formats are named in their rows as unsupported.")
    case .manifest:
      Self.page(
        "THE MANIFEST",
        [
          ("header", "The first line: format, order, version."),
          ("asset", "A line for every photo, good or bad, in order, with index 0, 1, 2 and so on."),
          ("end", "The last line: totals, and the SHA-256 of all bytes before it. Without it the file was cut off."),
          ("verified", "Every code of the picture was read and nothing was lost; the checksum is of the same bytes."),
          ("damaged", "Data was lost. There may be a thumbnail."),
          ("failed", "There is no picture. error.code and error.message say why."),
        ],
        "Keys that are not known are left out. path_b64 holds the exact bytes of a name that is not UTF-8. The same photos always give the same bytes."
      )
    case .orders:
      Self.page(
        "ORDERS",
        [
          ("name", "Parts of the path one by one; digits inside a part by their value, everything else by byte."),
          ("captured", "Local time of capture with its fraction; photos without one last; ties by name."),
          ("modified", "Time of the last change, oldest first; ties by name."),
          ("size", "Bytes, smallest first; ties by name."),
          ("list", "As --files-from lists them; a repeated name counts once."),
        ], "The order never depends on the number of jobs, the locale or the time zone.")
    case .globs:
      Self.page(
        "GLOBS OF --include AND --exclude",
        [
          ("*.jpg", "Without \"/\" a pattern meets the file's name, in whatever folder."),
          ("2024/*.jpg", "With \"/\" it meets the path below FOLDER; \"*\" stays within one part."),
          ("**/raw/**", "\"**\" crosses parts, and none at all."),
          ("IMG_?.jpg", "\"?\" is one character."),
          ("IMG_[0-9].jpg", "One character of a set; \"[!0-9]\" is one that is not in it."),
          ("\\*.jpg", "A backslash takes the sign behind it as it is."),
        ],
        """
        Both options may be given several times. A photo is taken when it meets one of the --include patterns, or when \
        there are none, and meets no --exclude pattern. Upper and lower case differ. Put patterns in quotes, or the \
        shell replaces them.
        """)
    case .addresses:
      Self.page(
        "ADDRESSES IN --files-from",
        [
          (
            "ADDRESS",
            "https://host/path/IMG_1.jpg: the original is remote. Its row calls it so, without user and query."
          ),
          (
            "ADDRESS sha256:HEX",
            "The content must have this checksum; one blank between, 64 hex digits. Anything else fails as fetch-failed."
          ),
          ("--network", "Fetches originals. Without it those that no earlier run has fetched fail as network-off."),
          ("--allow-http", "For http addresses of other machines; those of this one need no leave."),
          ("--max-fetch N[M]", "Refuses originals of more bytes. Default 512M."),
          ("--fetch-timeout S", "Gives one original up after so many seconds, tries and all. Default 300."),
          ("--fetch-cache N[M]", "Keeps so much of what was fetched under DIR/.photo-ingest/. Default 4096M."),
        ],
        """
        What is known is not asked for again: an address is fetched once, until --full, --retry-failed or another checksum \
        in the list asks for it. Then its server is asked whether it has changed, and sends it only when it has. A fetch \
        that broke off goes on where it was, in the next run too. An original that cannot be fetched never stops the \
        others. User and password of an address are sent to its own server only; --originals keeps no copies of remote \
        photos.
        """)
    case .config:
      Self.page(
        "CONFIGURATION",
        [
          ("option", "What is typed wins over everything else."),
          (
            "environment",
            "PHOTO_INGEST_ and the option's name, as PHOTO_INGEST_MAX_PIXELS=50M. Switches take 1 or 0; repeatable options one value a line."
          ),
          (
            "--config FILE",
            "JSON with comments. Every long option of run is a key, repeatable ones take arrays, switches true or false, and \"folders\" lists the FOLDERs."
          ),
          (
            "ping",
            "Only in the file: {\"url\": \"https://...\"} is told URL/start when a run begins and URL/CODE when it ends; \"timeout\" in seconds, \"allow-http\"."
          ),
          (
            "publish",
            "Only in the file, and only for \"photo-ingest publish\": token, upload and post (docs/publishing.md)."
          ),
          ("default", "What \"photo-ingest help run\" shows."),
        ],
        "Example: { \"folders\": [\"/photos\"], \"output\": \"/results\", \"thumbnail\": [256, 1024] } Names are relative to the folder the program was started in. Keys that are not known are refused."
      )
    }
  }

  private static func page(_ title: String, _ entries: [(String, String)], _ closing: String) -> HelpPage {
    HelpPage(title: title, entries: entries.map { HelpPage.Entry(term: $0.0, text: $0.1) }, closing: closing)
  }
}
