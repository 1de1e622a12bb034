import PhotoCodecs
import Workers

/// Says to a decoder process what to make of the photo whose descriptor comes along.
struct WorkerRequest: Equatable {
  enum Task: UInt8 {
    case decode = 0
    case standIn = 1
  }

  var task: Task
  var request: DecodeRequest
  /// After which the decoder gives up by itself. The run waits a little longer and then kills it.
  var timeoutMilliseconds: Int
  /// The file's size in bytes where progress is wanted, else nil.
  var progressSize: UInt64?

  init(_ task: Task, _ request: DecodeRequest, _ timeout: Duration, progressSize: UInt64? = nil) {
    self.task = task
    self.request = request
    self.progressSize = progressSize
    let milliseconds = timeout / .milliseconds(1)
    timeoutMilliseconds = milliseconds < 1e15 ? Int(max(0, milliseconds).rounded(.up)) : 1_000_000_000_000_000
  }

  var frame: WorkerFrame {
    var writer = MessageWriter()
    writer.add(task.rawValue)
    writer.add(timeoutMilliseconds)
    writer.add(progressSize) { $0.add($1) }
    writer.add(request.thumbnailSizes) { $0.add($1) }
    writer.add(request.scale == .full)
    writer.add(request.wantsStandIn)
    writer.add(request.keepsPixels)
    writer.add(request.pixelSize) { writer, size in
      switch size {
      case .maximum: writer.add(0)
      case .longSide(let side): writer.add(max(1, side))
      }
    }
    writer.add(request.limits.maxPixels)
    writer.add(request.limits.maxMemory)
    writer.add(request.limits.maxScans)
    return WorkerFrame(.request, writer.bytes)
  }

  init(message bytes: [UInt8]) throws(MessageReader.Malformed) {
    var reader = MessageReader(bytes)
    guard let task = Task(rawValue: try reader.byte()) else { throw MessageReader.Malformed() }
    self.task = task
    timeoutMilliseconds = try reader.count(upTo: 1_000_000_000_000_000)
    progressSize = try reader.optional { reader throws(MessageReader.Malformed) in try reader.unsigned() }
    let sizes = try reader.list(upTo: .max) { reader throws(MessageReader.Malformed) in try reader.integer() }
    let isFull = try reader.flag()
    request = DecodeRequest(
      thumbnailSizes: sizes, scale: isFull ? .full : .scaled, wantsStandIn: try reader.flag(),
      keepsPixels: try reader.flag())
    request.pixelSize = try reader.optional { reader throws(MessageReader.Malformed) in
      let side = try reader.count(upTo: .max)
      return side == 0 ? .maximum : .longSide(side)
    }
    request.limits = DecodeLimits(
      maxPixels: try reader.integer(), maxMemory: try reader.integer(), maxScans: try reader.integer())
    try reader.finish()
  }
}
