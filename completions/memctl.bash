# Completion of memctl for bash. `memctl completion bash` prints it.

# Read the line up to the cursor as the shell will: its words into `line`, the last one into `cur`. Nothing of it is
# run. `quote` is the quote that is open there; `cut` says how many characters of `cur` readline leaves as they are.
_memctl_read() {
    local text=${COMP_LINE:0:COMP_POINT} char='' word='' inside='' i
    line=() quote='' cut=0
    for ((i = 0; i < ${#text}; i++)); do
        char=${text:i:1}
        if [[ $quote == "'" ]]; then
            if [[ $char == "'" ]]; then quote='' cut=${#word}; else word+=$char; fi
        elif [[ $char == "\\" ]]; then
            if [[ $quote == '"' && ${text:i+1:1} != [\"\\\$\`] ]]; then
                word+=$char
            else
                ((i++))
                word+=${text:i:1}
            fi
            inside=1
        elif [[ $quote == '"' ]]; then
            if [[ $char == '"' ]]; then quote='' cut=${#word}; else word+=$char; fi
        elif [[ $char == [\'\"] ]]; then
            quote=$char inside=1 cut=${#word}
        elif [[ $char == [[:space:]] ]]; then
            if [[ $word || $inside ]]; then line+=("$word"); fi
            word='' inside='' cut=0
        else
            word+=$char inside=1
            if [[ $COMP_WORDBREAKS == *"$char"* ]]; then cut=${#word}; fi
        fi
    done
    cur=$word
}

# Offer a word: what of it readline replaces, quoted as the quotes that are open want it.
_memctl_add() {
    local full=$head$1 rest about=''
    [[ $full == "$head$cur"* ]] || return 0
    rest=${full:cut}
    if [[ $quote == '"' && $rest == *!* ]]; then return 0; fi # history expansion reads it there, quoted or not
    case $quote in
    "'") rest=${rest//\'/\'\\\'\'} ;;
    '"') rest=${rest//\\/\\\\} rest=${rest//\"/\\\"} rest=${rest//\$/\\\$} rest=${rest//\`/\\\`} ;;
    *) if [[ $rest ]]; then printf -v rest %q "$rest"; fi ;;
    esac
    # Where the words are only shown, what they are stands beside them.
    if [[ ${2-} && ($COMP_TYPE == 63 || $COMP_TYPE == 33) ]]; then about="  ($2)"; fi
    COMPREPLY+=("$rest")
    abouts+=("$about")
}

_memctl_words() {
    local word
    for word in "$@"; do _memctl_add "$word"; done
}

_memctl_paths() {
    compopt -o "$1" 2>/dev/null
    return 0
}

# Ask memctl for agents or addresses that begin with the word; it gets the roots of the line.
_memctl_ask() {
    local value about
    while IFS=$'\t' read -r value about; do
        _memctl_add "$value" "$about"
    done < <(command memctl __complete "$@" "${roots[@]}" -- "$cur" 2>/dev/null </dev/null)
}

_memctl_agents() {
    case $cur in
    . | .. | /* | ./* | ../* | "~"*) _memctl_paths dirnames ;;
    *) _memctl_ask ;;
    esac
}

_memctl_addresses() {
    case $cur in
    . | .. | /* | ./* | ../* | "~"*) _memctl_paths default ;;
    *)
        _memctl_ask --addresses
        if [[ ${#COMPREPLY[@]} == 1 && $cur != */* && ${COMPREPLY[0]} == */ ]]; then
            compopt -o nospace 2>/dev/null
        fi
        ;;
    esac
}

_memctl() {
    local cur quote cut head='' command='' option='' ended='' count=0 i word
    local -a line roots abouts
    COMPREPLY=() line=() roots=() abouts=()
    _memctl_read
    for ((i = 1; i < ${#line[@]}; i++)); do
        word=${line[i]}
        if [[ $option ]]; then
            if [[ $option == --root ]]; then roots+=("--root=$word"); fi
            option=''
        elif [[ $ended || $word != -?* ]]; then
            if [[ $command ]]; then ((count++)); else command=$word; fi
        elif [[ $word == -- ]]; then
            ended=1
        else
            if [[ $word == --root=* ]]; then roots+=("$word"); fi
            # Of short options in one word the last one can take a value.
            if [[ $word == -[!-]* ]]; then word=-${word: -1}; fi
            case $word in
            --root | --user-memory | --format | --color | --type | -t | --source | -s | --filter | --older-than | --since | --sort | --jobs | --shard | --scope | --rules | --description | --content | --wait | --show | --forget | --days | --number | --mb | --select | --ignore | --severity | --fail-on | --output | -o | --baseline | --against | --max-removed | --over | --name | --matching | --keep-last | --keep-within | --workspace | --file) option=$word ;;
            esac
        fi
    done
    if [[ ! $option && ! $ended && $cur == --*=* ]]; then
        option=${cur%%=*} head=${cur%%=*}=
        cur=${cur#*=}
    fi
    _memctl_offer
    if ((${#COMPREPLY[@]} == 1)); then
        # Behind a quote of the word itself readline does not close the one that is open.
        if [[ $quote && ${COMPREPLY[0]} == *"$quote" ]]; then COMPREPLY[0]+=$quote; fi
    else
        # The words are only shown where these are set.
        for ((i = 0; i < ${#abouts[@]}; i++)); do COMPREPLY[i]+=${abouts[i]}; done
    fi
    return 0
}

_memctl_offer() {
    local options=''
    case $command in
    '')
        options='--version'
        ;;
    list | ls)
        options='--all -A --type -t --source -s --filter --older-than --since --sort --reverse -r --addresses --null -0 --jobs --shard --scope'
        case $option in
        --type | -t) _memctl_words user feedback project reference; return 0 ;;
        --source | -s) _memctl_words agent sweep user import; return 0 ;;
        --sort) _memctl_words name updated created size; return 0 ;;
        --scope) _memctl_words global workspace all; return 0 ;;
        esac
        ;;
    show | cat)
        options='--raw --plain --null -0 --scope'
        case $option in
        --scope) _memctl_words global workspace all; return 0 ;;
        esac
        ;;
    recall)
        options='--scope'
        case $option in
        --scope) _memctl_words global workspace all; return 0 ;;
        esac
        ;;
    explain)
        options='--rules'
        case $option in
        --rules) _memctl_words 0.8.8 0.8.17 0.8.21 0.8.48 0.9.10; return 0 ;;
        esac
        ;;
    edit)
        options='--description --type -t --content --touch --dry-run -n --wait --no-lock --no-history'
        case $option in
        --type | -t) _memctl_words user feedback project reference; return 0 ;;
        esac
        ;;
    delete | rm)
        options='--dry-run -n --yes -y --missing-ok --null -0 --wait --no-lock --no-history'
        ;;
    clear)
        options='--dry-run -n --yes -y --wait --no-lock --no-history'
        ;;
    remember)
        options='--literal --dry-run -n --wait --no-lock --no-history'
        ;;
    path)
        options=''
        ;;
    undo)
        options='--force --dry-run -n --yes -y --wait --no-lock'
        ;;
    redo)
        options='--force --dry-run -n --yes -y --wait --no-lock'
        ;;
    history)
        options='--show --forget --prune --days --number --mb --yes -y --wait'
        ;;
    check)
        options='--all -A --null -0 --select --ignore --list-rules --severity --fail-on --exit-zero --allow-empty --output -o --baseline --write-baseline --against --max-removed --fix --unsafe-fixes --diff --dry-run -n --wait --no-lock --no-history --jobs --shard'
        case $option in
        --select) _memctl_words N F L I S P A R H C N001 N002 N003 N004 N005 N006 N007 F001 F002 F003 F004 F005 F006 F007 F008 F009 F010 F011 F012 F013 F014 F015 F016 F017 F018 F019 L001 L002 L003 L004 L005 L006 L007 I001 I002 I003 S001 S002 S003 P001 P002 P003 P004 P005 P006 P007 P008 A001 A002 A003 A004 A005 A006 A007 A008 R001 R002 R003 R004 R005 R006 H001 H002 H003 H004 H005 H006 H007 H008 H009 H010 H011 C001 C002 ALL; return 0 ;;
        --ignore) _memctl_words N F L I S P A R H C N001 N002 N003 N004 N005 N006 N007 F001 F002 F003 F004 F005 F006 F007 F008 F009 F010 F011 F012 F013 F014 F015 F016 F017 F018 F019 L001 L002 L003 L004 L005 L006 L007 I001 I002 I003 S001 S002 S003 P001 P002 P003 P004 P005 P006 P007 P008 A001 A002 A003 A004 A005 A006 A007 A008 R001 R002 R003 R004 R005 R006 H001 H002 H003 H004 H005 H006 H007 H008 H009 H010 H011 C001 C002 ALL; return 0 ;;
        --severity) _memctl_words error warning info; return 0 ;;
        --fail-on) _memctl_words error warning info; return 0 ;;
        --output | -o) _memctl_words text= json= jsonl= github= sarif= junit=; return 0 ;;
        --baseline) _memctl_paths default; return 0 ;;
        --against) _memctl_paths dirnames; return 0 ;;
        esac
        ;;
    reindex)
        options='--all -A --check --dry-run -n --wait --no-lock --no-history --jobs --shard'
        ;;
    prune)
        options='--all -A --older-than --over --orphans --type -t --source -s --name --matching --keep-last --keep-within --include-user-authored --no-floor --max-removed --dry-run -n --yes -y --wait --no-lock --no-history --jobs --shard'
        case $option in
        --type | -t) _memctl_words user feedback project reference; return 0 ;;
        --source | -s) _memctl_words agent sweep user import; return 0 ;;
        esac
        ;;
    import-legacy)
        options='--all -A --workspace --file --force --dry-run -n --wait --no-lock --no-history --jobs --shard'
        case $option in
        --workspace) _memctl_paths dirnames; return 0 ;;
        --file) _memctl_paths default; return 0 ;;
        esac
        ;;
    sweep-mode)
        options='--all -A --dry-run -n --hq-stopped --wait --no-lock --no-history --jobs --shard'
        ;;
    auto-memory)
        options='--all -A --dry-run -n --hq-stopped --wait --no-lock --no-history --jobs --shard'
        ;;
    prompt)
        options='--rules --scope'
        case $option in
        --rules) _memctl_words 0.8.8 0.8.17 0.8.21 0.8.48 0.9.10; return 0 ;;
        --scope) _memctl_words global workspace all; return 0 ;;
        esac
        ;;
    config)
        options='--dry-run -n --wait --no-lock --no-history'
        ;;
    completion)
        options=''
        ;;
    demo)
        options='--dry-run -n'
        ;;
    help)
        options=''
        ;;
    *) return 0 ;;
    esac
    if [[ $option ]]; then
        case $option in
        --root) _memctl_paths dirnames ;;
        --user-memory) _memctl_paths default ;;
        --format) _memctl_words text json ;;
        --color) _memctl_words auto always never ;;
        esac
        return 0
    fi
    if [[ ! $ended && $cur == -* ]]; then
        _memctl_words $options --root --user-memory --json -j --format --color --no-pager --quiet -q --verbose -v --debug --help -h
        return 0
    fi
    case $command in
    '')
        _memctl_words list show recall explain edit delete clear remember path undo redo history check reindex prune import-legacy sweep-mode auto-memory prompt config completion demo help
        ;;
    list | ls)
        if ((count >= 0)); then _memctl_agents; fi
        ;;
    show | cat)
        if ((count >= 0)); then _memctl_addresses; fi
        ;;
    recall)
        if ((count == 0)); then _memctl_agents; _memctl_words @user; fi
        ;;
    explain)
        if ((count == 0)); then _memctl_addresses; _memctl_words @user N001 N002 N003 N004 N005 N006 N007 F001 F002 F003 F004 F005 F006 F007 F008 F009 F010 F011 F012 F013 F014 F015 F016 F017 F018 F019 L001 L002 L003 L004 L005 L006 L007 I001 I002 I003 S001 S002 S003 P001 P002 P003 P004 P005 P006 P007 P008 A001 A002 A003 A004 A005 A006 A007 A008 R001 R002 R003 R004 R005 R006 H001 H002 H003 H004 H005 H006 H007 H008 H009 H010 H011 C001 C002; fi
        ;;
    edit)
        if ((count >= 0)); then _memctl_addresses; fi
        ;;
    delete | rm)
        if ((count >= 0)); then _memctl_addresses; fi
        ;;
    clear)
        if ((count == 0)); then _memctl_agents; _memctl_words @user; fi
        ;;
    remember)
        :
        ;;
    path)
        if ((count >= 0)); then _memctl_addresses; _memctl_words @user; fi
        ;;
    undo)
        :
        ;;
    history)
        if ((count == 0)); then _memctl_agents; _memctl_words @user; fi
        ;;
    check)
        if ((count >= 0)); then _memctl_paths default; _memctl_ask; _memctl_words @user; fi
        ;;
    reindex)
        if ((count >= 0)); then _memctl_agents; fi
        ;;
    prune)
        if ((count >= 0)); then _memctl_agents; fi
        ;;
    import-legacy)
        if ((count >= 0)); then _memctl_agents; fi
        ;;
    sweep-mode)
        if ((count >= 0)); then _memctl_agents; _memctl_words auto on off; fi
        ;;
    auto-memory)
        if ((count >= 0)); then _memctl_agents; _memctl_words on off; fi
        ;;
    prompt)
        if ((count == 0)); then _memctl_words @user; fi
        ;;
    config)
        if ((count == 0)); then _memctl_words show set path; fi
        if ((count == 1)); then _memctl_words roots user_memory agent color pager editor jobs history_days history_mb wait; fi
        if ((count >= 2)); then _memctl_paths default; fi
        ;;
    completion)
        if ((count == 0)); then _memctl_words bash zsh fish; fi
        ;;
    demo)
        if ((count == 0)); then _memctl_paths dirnames; fi
        ;;
    help)
        if ((count == 0)); then _memctl_words list show recall explain edit delete clear remember path undo redo history check reindex prune import-legacy sweep-mode auto-memory prompt config completion demo help addresses exit-codes policies cron safety; fi
        ;;
    esac
}

complete -F _memctl memctl
