import CLibFuzzer
import Glibc

// usage: fuzz TARGET [LIBFUZZER-ARGUMENTS]; fuzz list; fuzz seeds FOLDER [PHOTO...]
let arguments = CommandLine.arguments.dropFirst()
let everyTarget: [any FuzzTarget.Type] = [
  JPEGTarget.self, PNGTarget.self, ExifTarget.self, ProfileTarget.self, ManifestTarget.self, RequestTarget.self,
  AnswerTarget.self,
]

switch arguments.first {
case "list":
  for target in everyTarget { print(target.name) }
case "seeds":
  do {
    try Seeds(photos: Array(arguments.dropFirst(2))).write(to: arguments.dropFirst().first ?? ".", everyTarget)
  } catch {
    FuzzWords.end("the seeds could not be written: \(error)")
  }
case let name?:
  guard let target = everyTarget.first(where: { $0.name == name }) else { FuzzWords.end("there is no target \(name)") }
  FuzzDriver.run(target, Array(arguments.dropFirst()))
case nil:
  FuzzWords.end("usage: fuzz TARGET [LIBFUZZER-ARGUMENTS], fuzz list, or fuzz seeds FOLDER [PHOTO...]")
}
