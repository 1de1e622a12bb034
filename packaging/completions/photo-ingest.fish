# Completions of photo-ingest for fish; "photo-ingest completions fish" writes them.

# Prints the command: the first word that is neither an option nor the value of one. A folder means run.
function __photo_ingest_command
  set -l is_value 0
  for word in (commandline -opc)[2..-1]
    if test $is_value = 1
      set is_value 0
      continue
    end
    switch $word
      case -o --output --thumbnail --manifest --order --originals --format --files-from --include --exclude --unsupported --max-fetch --fetch-cache --fetch-timeout --min-age --source -j --jobs --albums-at-once --workers --decode --max-pixels --max-memory --timeout --on-error --max-errors --lock --progress --color --log-file --config
        set is_value 1
      case '-*'
      case run verify export inspect publish help completions
        echo $word
        return
      case '*'
        echo run
        return
    end
  end
  return 1
end

# Says whether no command is named yet.
function __photo_ingest_bare
  not __photo_ingest_command >/dev/null
end

# Says whether the command is one of these; run is what none means.
function __photo_ingest_of
  set -l command (__photo_ingest_command)
  set -q command[1]; or set command run
  contains -- $command $argv
end

complete -c photo-ingest -f
complete -c photo-ingest -n __photo_ingest_bare -a run -d 'verify every photo of each FOLDER, write thumbnails and manifests'
complete -c photo-ingest -n __photo_ingest_bare -a verify -d 'check a finished output, and its sources, against its manifest'
complete -c photo-ingest -n __photo_ingest_bare -a export -d 'write DIR/manifest.jsonl in another format'
complete -c photo-ingest -n __photo_ingest_bare -a inspect -d 'show one photo: stand-in, header, metadata, verdict'
complete -c photo-ingest -n __photo_ingest_bare -a publish -d 'upload a finished output and post its ordered list'
complete -c photo-ingest -n __photo_ingest_bare -a help -d 'show help; topics: exit-codes, limits, formats, manifest, orders, config, globs, addresses'
complete -c photo-ingest -n __photo_ingest_bare -a completions -d 'print completions for a shell: bash, zsh, fish'
complete -c photo-ingest -n '__photo_ingest_of run' -a '(__fish_complete_directories)'
complete -c photo-ingest -n '__photo_ingest_of verify' -a '(__fish_complete_directories)'
complete -c photo-ingest -n '__photo_ingest_of export' -a '(__fish_complete_directories)'
complete -c photo-ingest -n '__photo_ingest_of inspect' -F
complete -c photo-ingest -n '__photo_ingest_of publish' -a '(__fish_complete_directories)'
complete -c photo-ingest -n '__photo_ingest_of help' -a 'exit-codes limits formats manifest orders config globs addresses run verify export inspect publish help completions'
complete -c photo-ingest -n '__photo_ingest_of completions' -a 'bash zsh fish'
complete -c photo-ingest -n '__photo_ingest_of run' -s o -l output -x -a '(__fish_complete_directories)' -d 'The folder for the results; made when missing'
complete -c photo-ingest -n '__photo_ingest_of run' -l thumbnail -x -d 'Longest side of a thumbnail in pixels'
complete -c photo-ingest -n '__photo_ingest_of run' -l no-thumbnails -d 'Write no thumbnails'
complete -c photo-ingest -n '__photo_ingest_of run' -l manifest -x -a '(__fish_append , json csv sha256 bagit prometheus)' -d 'Manifests beside manifest.jsonl, which is always written, with commas between'
complete -c photo-ingest -n '__photo_ingest_of run' -l order -x -a 'name captured modified size list' -d 'The order of the manifest; "photo-ingest help orders" says what each means'
complete -c photo-ingest -n '__photo_ingest_of run' -l originals -x -a 'none copy symlink' -d 'Put the originals under originals/: copies that are read back and held against their checksum, or links'
complete -c photo-ingest -n '__photo_ingest_of run' -l everything -d 'With --originals: take the XMP, AAE, MOV, MP4 and JSON files along that stand beside a photo'
complete -c photo-ingest -n '__photo_ingest_of run' -l prune -d 'With --originals: delete files under originals/ that the manifest no longer lists'
complete -c photo-ingest -n '__photo_ingest_of run' -s n -l dry-run -d 'List the candidates on stdout, one a line'
complete -c photo-ingest -n '__photo_ingest_of export' -l format -x -a 'json csv sha256 bagit prometheus' -d 'The format to write'
complete -c photo-ingest -n '__photo_ingest_of export' -s o -l output -r -F -d 'The file to write, aside and then renamed; a bag goes to DIR/bag'
complete -c photo-ingest -n '__photo_ingest_of publish' -l allow-http -d 'Take http addresses too, which everybody on the way can read'
complete -c photo-ingest -n '__photo_ingest_of publish' -s n -l dry-run -d 'List on stdout what would go where'
complete -c photo-ingest -n '__photo_ingest_of publish' -l full -d 'Ask the server about every file, whatever earlier runs have sent, and post the list again'
complete -c photo-ingest -n '__photo_ingest_of run' -l files-from -r -F -d 'Take the names listed in FILE ("-" is stdin), relative to FOLDER, one a line; also http(s) addresses, see "photo-ingest help addresses"'
complete -c photo-ingest -n '__photo_ingest_of run' -s 0 -l null -d 'Names read by --files-from and written by --dry-run end in NUL'
complete -c photo-ingest -n '__photo_ingest_of run' -l include -x -d 'Take only files that meet GLOB'
complete -c photo-ingest -n '__photo_ingest_of run' -l exclude -x -d 'Leave files out that meet GLOB; exclude wins'
complete -c photo-ingest -n '__photo_ingest_of run' -l hidden -d 'Take files and folders too whose name begins with a dot'
complete -c photo-ingest -n '__photo_ingest_of run' -l unsupported -x -a 'report skip' -d 'Photos in formats that are not decoded: report gives them rows, skip leaves them out'
complete -c photo-ingest -n '__photo_ingest_of run' -l network -d 'Fetch the originals of addresses; without it they fail as network-off'
complete -c photo-ingest -n '__photo_ingest_of run' -l allow-http -d 'Fetch from http addresses of other machines too, in the open'
complete -c photo-ingest -n '__photo_ingest_of run' -l max-fetch -x -d 'Refuse remote originals of more bytes'
complete -c photo-ingest -n '__photo_ingest_of run' -l fetch-cache -x -d 'Keep so many bytes of fetched originals for later runs'
complete -c photo-ingest -n '__photo_ingest_of run' -l fetch-timeout -x -d 'Give up fetching an original after this long'
complete -c photo-ingest -n '__photo_ingest_of run' -l min-age -x -d 'Load younger files last, after waiting the rest'
complete -c photo-ingest -n '__photo_ingest_of run' -l retry-failed -d 'Read photos again that were not verified, beside new and changed ones'
complete -c photo-ingest -n '__photo_ingest_of run' -l full -d 'Read everything again, whatever the catalogue says'
complete -c photo-ingest -n '__photo_ingest_of verify export publish' -l source -x -a '(__fish_complete_directories)' -d 'Where the sources are now'
complete -c photo-ingest -n '__photo_ingest_of run verify' -s j -l jobs -x -d 'How many photos are read at once, 1 to 64'
complete -c photo-ingest -n '__photo_ingest_of run' -l albums-at-once -x -d 'With several FOLDERs: how many albums are in work at a time; they share the jobs'
complete -c photo-ingest -n '__photo_ingest_of verify' -l fast -d 'Compare sizes only; read no photo'
complete -c photo-ingest -n '__photo_ingest_of run inspect' -l workers -x -a 'processes in-process' -d 'Where photos are decoded: in processes of their own, which can open nothing, or in this one'
complete -c photo-ingest -n '__photo_ingest_of run inspect' -l require-sandbox -d 'Fail when the kernel refuses a part of the decoders'\'' sandbox'
complete -c photo-ingest -n '__photo_ingest_of run inspect' -l decode -x -a 'scaled full' -d 'scaled makes the pixels that thumbnails need, full all of them'
complete -c photo-ingest -n '__photo_ingest_of run inspect' -l max-pixels -x -d 'Refuse larger photos, by their header'
complete -c photo-ingest -n '__photo_ingest_of run inspect' -l max-memory -x -d 'Refuse photos that need more memory while they are decoded'
complete -c photo-ingest -n '__photo_ingest_of run inspect' -l timeout -x -d 'Give a photo up after this long'
complete -c photo-ingest -n '__photo_ingest_of run' -l on-error -x -a 'continue stop' -d 'stop: the first photo that is not verified ends the run, or its album, with code 1'
complete -c photo-ingest -n '__photo_ingest_of run' -l max-errors -x -d 'End the run when more photos than this are not verified'
complete -c photo-ingest -n '__photo_ingest_of run' -l lock -x -a 'fail skip wait' -d 'While another run has DIR: fail ends with code 75, skip with 0, wait[=SECONDS] waits'
complete -c photo-ingest -n '__photo_ingest_of run' -l accept-missing -d 'Go on though most known photos are gone, or none is asked for'
complete -c photo-ingest -n '__photo_ingest_of run verify inspect publish' -l json -d 'Events and summary as JSON lines on stdout'
complete -c photo-ingest -n '__photo_ingest_of run verify export publish' -s q -l quiet -d 'Say nothing but errors and photos that are not verified'
complete -c photo-ingest -n '__photo_ingest_of run' -s v -l verbose -d 'Say a line for every photo'
complete -c photo-ingest -n '__photo_ingest_of run verify publish' -l progress -x -a 'auto always never' -d 'Show progress on stderr; auto means on a terminal'
complete -c photo-ingest -n '__photo_ingest_of run verify inspect publish' -l color -x -a 'auto always never' -d 'Use colours; auto means on a terminal, unless NO_COLOR is set'
complete -c photo-ingest -n '__photo_ingest_of run' -l log-file -r -F -d 'Append every message and verdict to FILE; not with --dry-run'
complete -c photo-ingest -n '__photo_ingest_of run' -l cron -d 'For unattended runs: no progress, --lock=skip, and silence on stderr unless the run failed or other photos than last time are not verified'
complete -c photo-ingest -n '__photo_ingest_of run' -l config -r -F -d 'Read settings from a JSON file; "photo-ingest help config" says how'
complete -c photo-ingest -n '__photo_ingest_of publish' -l config -r -F -d 'Where to publish to: the key "publish" of a JSON file'
complete -c photo-ingest -n '__photo_ingest_of help' -l format -x -a 'text man markdown' -d 'man makes a manual page of all of it; markdown, with the topic config, the list of all settings'
complete -c photo-ingest -s h -l help -d 'Show help; wins over everything else'
complete -c photo-ingest -l version -d 'Show the version'
