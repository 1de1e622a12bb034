# What the torture scripts share. Sourced; needs `program`, the path of a photo-ingest.
# After `prepare` there are, below $stage: in (the photos), old (a finished output of some of them), new (old after an
# undisturbed run over all of them) and fresh (an undisturbed first run over all of them).

here=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
program=${PHOTO_INGEST_PROGRAM:-${program:-}}
[[ -x $program ]] || { echo "torture: PHOTO_INGEST_PROGRAM names no program (\"$program\")" >&2; exit 2; }
program=$(readlink -f "$program")
stage=$(mktemp -d)
faults=0
rounds=0
export SWIFT_BACKTRACE=enable=no LC_ALL=C.UTF-8

finish() {
  mountpoint -q "$stage/disk" 2>/dev/null && umount "$stage/disk"
  if ((faults == 0)); then rm -rf "$stage"; else echo "torture: what is left lies in $stage" >&2; fi
}
trap finish EXIT

# Counts a fault and says what it is; ten are enough to see what is wrong.
fault() {
  echo "FAULT: $*"
  faults=$((faults + 1))
  ((faults < 10)) || { echo "torture: ten faults; giving up"; exit 1; }
}

options=(--manifest json,csv,sha256 --thumbnail 64 --thumbnail 128)

run() { # DIR [OPTION...]
  "$program" run "$stage/in" --output "$@" "${options[@]}"
}

# "hash  ./path" for every file that has a final name, sorted.
listing() { # DIR
  (cd "$1" && find . -path ./.photo-ingest -prune -o -type f ! -name '.photo-ingest-*.tmp' -print0 |
    sort -z | xargs -0r sha256sum)
}

# Wants DIR to hold exactly what another one holds, without .photo-ingest/ and without litter.
expect_same() { # DIR REFERENCE WHAT
  local difference
  difference=$(diff -r --exclude=.photo-ingest "$1" "$2" 2>&1 | head -n 5) || true
  [[ -z $difference ]] || { fault "$3: the next run gives another result than an undisturbed one: $difference"; return; }
  difference=$(find "$1" -name '*.tmp' | head -n 3)
  [[ -z $difference ]] || fault "$3: litter stays: $difference"
}

# Wants a manifest that is whole: its last line holds the checksum of all before it.
expect_whole_manifest() { # DIR WHAT
  local manifest=$1/manifest.jsonl wanted
  [[ -e $manifest ]] || return 0
  wanted=$(tail -n 1 "$manifest" | sed -n 's/.*"record":"end","sha256":"\([0-9a-f]*\)".*/\1/p')
  [[ -n $wanted && $(head -n -1 "$manifest" | sha256sum) == "$wanted  -" ]] || fault "$2: manifest.jsonl is not whole"
}

# Wants every file under a final name to be one of an undisturbed run, before or after; and a manifest, where there was one.
expect_whole() { # DIR WHAT
  local strange
  [[ -d $1 ]] || return 0
  strange=$(listing "$1" | LC_ALL=C sort | LC_ALL=C comm -23 - "$stage/allowed" | head -n 3)
  [[ -z $strange ]] || fault "$2: not a file of an undisturbed run: $strange"
  expect_whole_manifest "$1" "$2"
}

# The same for runs that may have a photo fail: thumbnails and the manifest are whole, whatever the rows say.
expect_whole_files() { # DIR WHAT
  local strange
  [[ -d $1 ]] || return 0
  strange=$(listing "$1" | grep -F ./thumbnails/ | LC_ALL=C sort | LC_ALL=C comm -23 - "$stage/allowed" | head -n 3 || true)
  [[ -z $strange ]] || fault "$2: not a thumbnail of an undisturbed run: $strange"
  expect_whole_manifest "$1" "$2"
}

# Begins anew with an output like `old`, or with none.
begin() { # old|fresh DIR
  rm -rf "$2"
  [[ $1 == fresh ]] || cp -a "$stage/old" "$2"
}

reference() { [[ $1 == fresh ]] && echo "$stage/fresh" || echo "$stage/new"; }

prepare() { # number of photos
  local count=$1 index=0 file samples=()
  mapfile -t samples < <(cd "$here/SampleAssets" && find . -type f \( -name '*.jpg' -o -name '*.png' \) -size -200k | LC_ALL=C sort)
  mkdir -p "$stage/in"
  while ((index < count)); do
    file=${samples[index % ${#samples[@]}]}
    cp "$here/SampleAssets/$file" "$stage/in/$(printf '%03d' "$index").${file##*.}"
    index=$((index + 1))
    # A second run finds more photos, and some that have changed.
    if ((index == count / 2)); then
      run "$stage/old" >/dev/null 2>&1 || true
      cp "$here/SampleAssets/${samples[3]}" "$stage/in/000.${file##*.}"
    fi
  done
  [[ -s $stage/old/manifest.jsonl ]] || { echo "torture: the first run has failed" >&2; exit 1; }
  # Old enough for every clock.
  find "$stage/in" -type f -exec touch -d '2024-07-01 02:17:00' {} +
  cp -a "$stage/old" "$stage/new"
  run "$stage/new" >/dev/null 2>&1 || true
  run "$stage/fresh" >/dev/null 2>&1 || true
  [[ -s $stage/fresh/manifest.jsonl ]] || { echo "torture: the undisturbed run has failed" >&2; exit 1; }
  expect_same "$stage/new" "$stage/fresh" "undisturbed"
  { listing "$stage/old"; listing "$stage/new"; } | LC_ALL=C sort -u >"$stage/allowed"
}

# Lets an undisturbed run follow and wants the result of one.
follow() { # old|fresh DIR WHAT
  local code=0
  run "$2" >"$stage/said" 2>&1 || code=$?
  ((code == 0 || code == 3)) || fault "$3: the next run ends with $code: $(head -n 3 "$stage/said")"
  expect_same "$2" "$(reference "$1")" "$3"
}

end() { # NAME
  echo "$1: $rounds rounds, $faults faults"
  ((faults == 0))
}
