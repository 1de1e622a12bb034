# Turns docs/manifest.md into an mdoc page: headings, paragraphs, lists, tables and blocks of code, which is all that
# page has. Variable: date.

BEGIN {
  print ".\\\" Made by \"scripts/manifest-page\" from docs/manifest.md; not to be changed by hand."
  print ".Dd " date
  print ".Dt PHOTO-INGEST-MANIFEST 5"
  print ".Os"
  print ".Sh NAME"
  print ".Nm photo-ingest-manifest"
  print ".Nd what a run of photo-ingest leaves behind"
  print ".Sh DESCRIPTION"
  fresh = 1
}

# The words without the marks of Markdown: links keep their text, and an address where it leads out of the page.
function plain(text,    link, name, target, cut) {
  while (match(text, /\[[^]]*\]\([^)]*\)/)) {
    link = substr(text, RSTART, RLENGTH)
    cut = index(link, "](")
    name = substr(link, 2, cut - 2)
    target = substr(link, cut + 2, length(link) - cut - 2)
    if (target ~ /^https?:/) name = name " (" target ")"
    text = substr(text, 1, RSTART - 1) name substr(text, RSTART + RLENGTH)
  }
  gsub(/\*\*/, "", text)
  gsub(/`/, "", text)
  return text
}

function escape(text) {
  gsub(/\\/, "\\e", text)
  gsub(/"/, "\\(dq", text)
  gsub(/--/, "\\-\\-", text)
  return text
}

# What is to be copied: no sign becomes a typographer's.
function verbatim(text) {
  text = escape(text)
  gsub(/-/, "\\-", text)
  gsub(/\\\\-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  gsub(/\^/, "\\(ha", text)
  gsub(/~/, "\\(ti", text)
  return text
}

function guard(line) {
  return line ~ /^[.']/ ? "\\\\&" line : line
}

# How long mandoc finds a text: a sign that is not ASCII becomes an escape sequence first.
function width(text) {
  gsub(/[\200-\377]+/, "12345678", text)
  return length(text)
}

# Running text: every sentence begins a line, and no line is too long.
function flow(text,    words, count, i, line, bare) {
  count = split(plain(text), words, /[ \t]+/)
  line = ""
  for (i = 1; i <= count; i++) {
    if (words[i] == "") continue
    bare = words[i]
    sub(/[)"]+$/, "", bare)
    words[i] = escape(words[i])
    if (line != "" && width(line) + 1 + width(words[i]) > 78) { print guard(line); line = "" }
    line = line (line == "" ? "" : " ") words[i]
    if (bare ~ /[.!?]$/) { print guard(line); line = "" }
  }
  if (line != "") print guard(line)
}

# Writes what was gathered of a paragraph or of an item.
function flush() {
  if (gathered == "") return
  if (!inList && !fresh) print ".Pp"
  fresh = 0
  flow(gathered)
  gathered = ""
}

function endList() { flush(); if (inList) print ".El"; inList = 0 }
function endTable() { if (inTable) print ".El"; inTable = 0 }

/^```/ {
  flush()
  if (inCode) print ".Ed"; else print ".Bd -literal"
  inCode = !inCode
  fresh = 0
  next
}
inCode { print guard(verbatim($0)); next }

/^# / { next }
# The table of contents: lists that hold links alone, before the first section.
!section && /^- \[/ { next }

/^## / {
  endList(); endTable()
  section = 1
  title = substr($0, 4)
  if (sub(/\/$/, "", title)) title = "the folder " title
  # The name of a file stays as it is.
  print ".Sh " escape(title ~ /\./ ? title : toupper(title))
  fresh = 1
  next
}

/^\|/ {
  endList()
  line = $0
  gsub(/\\\|/, "\001", line)
  cells = split(substr(line, 2), cell, "|") - 1
  for (i = 1; i <= cells; i++) { gsub(/^ +| +$/, "", cell[i]); gsub(/\001/, "|", cell[i]) }
  if (!inTable) {
    inTable = 1
    isHead = 1
    fresh = 0
    for (i = 1; i <= cells; i++) head[i] = cell[i]
    print ".Bl -tag -width Ds"
    next
  }
  if (isHead) { isHead = 0; next }
  print ".It Li \"" escape(plain(cell[1])) "\""
  for (i = 2; i <= cells; i++) {
    text = cell[i]
    # The last column explains; those between are facts with a name.
    if (cells > 2 && head[i] != "what") text = head[i] ": " text
    flow(text ".")
  }
  next
}

/^- / {
  endTable(); flush()
  if (!inList) { print ".Bl -bullet"; inList = 1; fresh = 0 }
  print ".It"
  gathered = substr($0, 3)
  next
}

/^[ \t]*$/ { flush(); endTable(); endListAtBlank = inList; next }

{
  if (endListAtBlank && $0 !~ /^ /) endList()
  endListAtBlank = 0
  sub(/^ +/, "")
  gathered = gathered (gathered == "" ? "" : " ") $0
}

END {
  endList(); endTable()
  print ".Sh SEE ALSO"
  print ".Xr photo-ingest 1"
}
