import Glibc

/// Writes one file, making its folder; a file that cannot be written ends the program.
func writeSample(_ path: String, _ bytes: [UInt8]) {
  let whole = CommandLine.arguments[1] + "/" + path
  if let slash = path.firstIndex(of: "/") {
    mkdir(CommandLine.arguments[1] + "/" + path[..<slash], 0o755)
  }
  guard let file = fopen(whole, "wb"), fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
    perror(whole)
    exit(1)
  }
  print(path, bytes.count)
}

guard CommandLine.arguments.count == 2 else {
  print("usage: make-samples FOLDER")
  exit(2)
}
Samples(write: writeSample).make()
