# Completions of photo-ingest for bash; "photo-ingest completions bash" writes them.

# Offers words, files (-f) or folders (-d) that begin with what is typed.
_photo_ingest_offer() {
  if [[ $1 != -W ]]; then
    compopt -o filenames 2>/dev/null
  fi
  mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
}

# Offers words of a list with commas between.
_photo_ingest_offer_list() {
  local head=''
  if [[ $cur == *,* ]]; then
    head=${cur%,*},
    cur=${cur##*,}
  fi
  _photo_ingest_offer -W "$1" -P "$prefix$head"
}

_photo_ingest() {
  local cur=${COMP_WORDS[COMP_CWORD]} prefix='' command='' option='' options='' is_over='' i
  COMPREPLY=()
  # The command is the first word that is neither an option nor the value of one. Bash takes "=" for a word of its own.
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --) is_over=yes ;;
      -o | --output | --thumbnail | --manifest | --order | --originals | --format | --files-from | --include | --exclude | --unsupported | --max-fetch | --fetch-cache | --fetch-timeout | --min-age | --source | -j | --jobs | --albums-at-once | --workers | --decode | --max-pixels | --max-memory | --timeout | --on-error | --max-errors | --lock | --progress | --color | --log-file | --config)
        if [[ ${COMP_WORDS[i + 1]} == = ]]; then ((i += 2)); else ((i += 1)); fi
        ;;
      -* | =) ;;
      *)
        [[ $command ]] || command=${COMP_WORDS[i]}
        ;;
    esac
  done

  # The option whose value is being typed, if there is one.
  if [[ ! $is_over ]]; then
    if [[ $cur == = ]]; then
      option=${COMP_WORDS[COMP_CWORD - 1]} cur=''
    elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]] && ((COMP_CWORD > 1)); then
      option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $cur == --*=* ]]; then
      option=${cur%%=*} prefix=${cur%%=*}= cur=${cur#*=}
    else
      option=${COMP_WORDS[COMP_CWORD - 1]}
    fi
  fi

  case $command in
    verify)
      case $option in
        --source)
          _photo_ingest_offer -d -P "$prefix"
          return
          ;;
        -j | --jobs)
          return
          ;;
        --progress)
          _photo_ingest_offer -W 'auto always never' -P "$prefix"
          return
          ;;
        --color)
          _photo_ingest_offer -W 'auto always never' -P "$prefix"
          return
          ;;
      esac
      options='--source -j --jobs --fast --json -q --quiet --progress --color -h --help --version'
      if [[ $cur == -* && ! $is_over ]]; then
        _photo_ingest_offer -W "$options"
      else
        _photo_ingest_offer -d
      fi
      ;;
    export)
      case $option in
        --format)
          _photo_ingest_offer -W 'json csv sha256 bagit prometheus' -P "$prefix"
          return
          ;;
        -o | --output)
          _photo_ingest_offer -f -P "$prefix"
          return
          ;;
        --source)
          _photo_ingest_offer -d -P "$prefix"
          return
          ;;
      esac
      options='--format -o --output --source -q --quiet -h --help --version'
      if [[ $cur == -* && ! $is_over ]]; then
        _photo_ingest_offer -W "$options"
      else
        _photo_ingest_offer -d
      fi
      ;;
    inspect)
      case $option in
        --workers)
          _photo_ingest_offer -W 'processes in-process' -P "$prefix"
          return
          ;;
        --decode)
          _photo_ingest_offer -W 'scaled full' -P "$prefix"
          return
          ;;
        --max-pixels)
          return
          ;;
        --max-memory)
          return
          ;;
        --timeout)
          return
          ;;
        --color)
          _photo_ingest_offer -W 'auto always never' -P "$prefix"
          return
          ;;
      esac
      options='--workers --require-sandbox --decode --max-pixels --max-memory --timeout --json --color -h --help --version'
      if [[ $cur == -* && ! $is_over ]]; then
        _photo_ingest_offer -W "$options"
      else
        _photo_ingest_offer -f
      fi
      ;;
    publish)
      case $option in
        --source)
          _photo_ingest_offer -d -P "$prefix"
          return
          ;;
        --progress)
          _photo_ingest_offer -W 'auto always never' -P "$prefix"
          return
          ;;
        --color)
          _photo_ingest_offer -W 'auto always never' -P "$prefix"
          return
          ;;
        --config)
          _photo_ingest_offer -f -P "$prefix"
          return
          ;;
      esac
      options='--allow-http -n --dry-run --full --source --json -q --quiet --progress --color --config -h --help --version'
      if [[ $cur == -* && ! $is_over ]]; then
        _photo_ingest_offer -W "$options"
      else
        _photo_ingest_offer -d
      fi
      ;;
    help)
      case $option in
        --format)
          _photo_ingest_offer -W 'text man markdown' -P "$prefix"
          return
          ;;
      esac
      options='--format -h --help --version'
      if [[ $cur == -* && ! $is_over ]]; then
        _photo_ingest_offer -W "$options"
      else
        _photo_ingest_offer -W 'exit-codes limits formats manifest orders config globs addresses run verify export inspect publish help completions'
      fi
      ;;
    completions)
      case $option in
      esac
      options='-h --help --version'
      if [[ $cur == -* && ! $is_over ]]; then
        _photo_ingest_offer -W "$options"
      else
        _photo_ingest_offer -W 'bash zsh fish'
      fi
      ;;
    *)
      case $option in
        -o | --output)
          _photo_ingest_offer -d -P "$prefix"
          return
          ;;
        --thumbnail)
          return
          ;;
        --manifest)
          _photo_ingest_offer_list 'json csv sha256 bagit prometheus'
          return
          ;;
        --order)
          _photo_ingest_offer -W 'name captured modified size list' -P "$prefix"
          return
          ;;
        --originals)
          _photo_ingest_offer -W 'none copy symlink' -P "$prefix"
          return
          ;;
        --files-from)
          _photo_ingest_offer -f -P "$prefix"
          return
          ;;
        --include)
          return
          ;;
        --exclude)
          return
          ;;
        --unsupported)
          _photo_ingest_offer -W 'report skip' -P "$prefix"
          return
          ;;
        --max-fetch)
          return
          ;;
        --fetch-cache)
          return
          ;;
        --fetch-timeout)
          return
          ;;
        --min-age)
          return
          ;;
        -j | --jobs)
          return
          ;;
        --albums-at-once)
          return
          ;;
        --workers)
          _photo_ingest_offer -W 'processes in-process' -P "$prefix"
          return
          ;;
        --decode)
          _photo_ingest_offer -W 'scaled full' -P "$prefix"
          return
          ;;
        --max-pixels)
          return
          ;;
        --max-memory)
          return
          ;;
        --timeout)
          return
          ;;
        --on-error)
          _photo_ingest_offer -W 'continue stop' -P "$prefix"
          return
          ;;
        --max-errors)
          return
          ;;
        --lock)
          _photo_ingest_offer -W 'fail skip wait' -P "$prefix"
          return
          ;;
        --progress)
          _photo_ingest_offer -W 'auto always never' -P "$prefix"
          return
          ;;
        --color)
          _photo_ingest_offer -W 'auto always never' -P "$prefix"
          return
          ;;
        --log-file)
          _photo_ingest_offer -f -P "$prefix"
          return
          ;;
        --config)
          _photo_ingest_offer -f -P "$prefix"
          return
          ;;
      esac
      options='-o --output --thumbnail --no-thumbnails --manifest --order --originals --everything --prune -n --dry-run --files-from -0 --null --include --exclude --hidden --unsupported --network --allow-http --max-fetch --fetch-cache --fetch-timeout --min-age --retry-failed --full -j --jobs --albums-at-once --workers --require-sandbox --decode --max-pixels --max-memory --timeout --on-error --max-errors --lock --accept-missing --json -q --quiet -v --verbose --progress --color --log-file --cron --config -h --help --version'
      if [[ $cur == -* && ! $is_over ]]; then
        _photo_ingest_offer -W "$options"
      else
        _photo_ingest_offer -d
        if [[ ! $command && ! $is_over ]]; then
          mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W 'run verify export inspect publish help completions' -- "$cur")
        fi
      fi
      ;;
  esac
}

complete -F _photo_ingest photo-ingest
