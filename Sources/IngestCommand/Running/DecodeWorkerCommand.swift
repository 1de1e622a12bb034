import Ingest

/// Is the hidden command that makes the program a decoder process. Only a run starts it, with a socket at descriptor 3.
public enum DecodeWorkerCommand {
  /// Serves as a decoder until the run is gone, when the arguments say so; nil for every other command line.
  @available(*, noasync, message: "a decoder blocks its thread for as long as the process lives")
  public static func run(_ arguments: [[UInt8]]) -> Int32? {
    guard arguments.count == 3, arguments[1].elementsEqual(DecodeWorker.commandWord.utf8),
      let memory = Int(String(decoding: arguments[2], as: UTF8.self)), memory > 0, DecodeWorker.isPluggedIn
    else { return nil }
    return DecodeWorker.serve(memory: memory)
  }
}
