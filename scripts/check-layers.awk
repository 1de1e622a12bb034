# Checks one source file of one room: what it imports or includes, and the words that only gardens may use.
# Variables: room, allowed (names between blanks), garden (yes, no or C), file, shims (module|header lines).

BEGIN {
  split(allowed, names, " ")
  for (i in names) may[names[i]] = 1
  split("assert ctype errno float inttypes limits locale math signal stdalign stdarg stdatomic stdbool stddef stdint " \
        "stdio stdlib stdnoreturn string time", standard, " ")
  for (i in standard) header[standard[i] ".h"] = 1
  count = split(shims, lines, "\n")
  for (i = 1; i <= count; i++) {
    split(lines[i], pair, "|")
    if (pair[1] in may) header[pair[2]] = 1
  }
  isSwift = (file ~ /\.swift$/)
}

function fault(what) { print file ":" FNR ": " what }

# The line without comments and without what stands in string literals. State: inBlock, inText.
function code(line,    out, two, isInclude) {
  out = ""
  isInclude = (!isSwift && line ~ /^[ \t]*#/)
  while (line != "") {
    two = substr(line, 1, 2)
    if (inBlock) {
      if (two == "*/") { inBlock = 0; line = substr(line, 3) } else line = substr(line, 2)
    } else if (inText) {
      if (substr(line, 1, 3) == "\"\"\"") { inText = 0; line = substr(line, 4) } else line = substr(line, 2)
    } else if (two == "//") {
      break
    } else if (two == "/*") {
      inBlock = 1
      line = substr(line, 3)
    } else if (isSwift && substr(line, 1, 3) == "\"\"\"") {
      inText = 1
      line = substr(line, 4)
    } else if (!isInclude && match(line, /^"([^"\\]|\\.)*"/)) {
      out = out "\"\""
      line = substr(line, RLENGTH + 1)
    } else {
      out = out substr(line, 1, 1)
      line = substr(line, 2)
    }
  }
  return out
}

# Says whether `word` stands in `line` by itself, not inside a longer name.
function has(line, word) { return (" " line " ") ~ ("[^A-Za-z0-9_]" word "[^A-Za-z0-9_]") }

function checkImport(statement,    rest) {
  rest = statement
  sub(/^[ \t]+/, "", rest)
  while (sub(/^@[A-Za-z_]+(\([^)]*\))?[ \t]*/, "", rest)) {}
  sub(/^(public|package|internal|fileprivate|private)[ \t]+/, "", rest)
  if (rest !~ /^import[ \t]/) return
  sub(/^import[ \t]+/, "", rest)
  sub(/^(struct|class|enum|protocol|func|var|let|typealias|actor)[ \t]+/, "", rest)
  sub(/[^A-Za-z0-9_].*$/, "", rest)
  if (!(rest in may)) fault(room " may not import " rest)
}

function checkInclude(line,    name, folder) {
  name = line
  if (name !~ /^[ \t]*#[ \t]*(include|import)/) return
  if (match(name, /<[^>]*>/)) {
    name = substr(name, RSTART + 1, RLENGTH - 2)
    if (name == "setjmp.h") {
      if (room != "CPhotoCodecs") fault("setjmp.h belongs to CPhotoCodecs alone")
    } else if (name == "immintrin.h") {
      # The processor's own instructions; files of the compiler, like those above.
      if (room != "CPhotoCodecs") fault("immintrin.h belongs to CPhotoCodecs alone")
    } else if (!(name in header) && !("Glibc" in may)) fault(room " may not include <" name ">")
  } else if (match(name, /"[^"]*"/)) {
    name = substr(name, RSTART + 1, RLENGTH - 2)
    if (name ~ /\.\./) fault(room " may not include \"" name "\" from outside its folder")
  }
}

{
  line = code($0)
  if (isSwift) {
    parts = split(line, statements, ";")
    for (i = 1; i <= parts; i++) checkImport(statements[i])
    if (garden != "yes") {
      if (has(line, "unsafe")) fault("the word unsafe belongs to the gardens, and " room " is none")
      if (has(line, "unchecked")) fault("@unchecked belongs to the gardens, and " room " is none")
    }
  } else checkInclude(line)
  if (room != "CPhotoCodecs" && (has(line, "setjmp") || has(line, "sigsetjmp") || has(line, "longjmp")))
    fault("setjmp and longjmp belong to CPhotoCodecs alone")
}
