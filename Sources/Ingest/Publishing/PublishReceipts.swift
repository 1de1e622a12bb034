import IngestCore
import IngestFiles

/// Writes `published.jsonl`: a line for each photo, in order, and the last one; aside, synced and renamed.
enum PublishReceipts {
  static let name = "published.jsonl"

  static func write(_ receipts: [PublishReceipt], isPosted: Bool, to output: OutputFolder) throws(FileError) {
    let file = try output.beginFile(name)
    for receipt in receipts {
      try file.append(JSONWriter.line { receipt.write(to: &$0, record: "published") })
    }
    try file.append(
      JSONWriter.line { writer in
        writer.member("posted", isPosted)
        writer.member("record", "end")
      })
    try file.commit()
  }
}
