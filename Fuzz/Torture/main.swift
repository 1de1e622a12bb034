import Foundation

// usage: torture COUNT SEED --program FILE --reference FILE --work FOLDER [--sanitized] PHOTO...
do {
  let options = try TortureOptions(Array(CommandLine.arguments.dropFirst()))
  var torture = try Torture(options)
  exit(try torture.run() ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("torture: \(error)\n".utf8))
  exit(2)
}
