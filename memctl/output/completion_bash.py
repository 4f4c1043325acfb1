"""The completion script of bash."""

from __future__ import annotations

from memctl.output.completions import Command, Option, Spec, Values, filled, names_of, valued_names

_SCRIPT = r"""# Completion of memctl for bash. `memctl completion bash` prints it.

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
            %(valued)s) option=$word ;;
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
%(commands)s
    *) return 0 ;;
    esac
    if [[ $option ]]; then
        case $option in
%(everywhere)s
        esac
        return 0
    fi
    if [[ ! $ended && $cur == -* ]]; then
        _memctl_words $options %(everywhere_names)s
        return 0
    fi
    case $command in
%(arguments)s
    esac
}

complete -F _memctl memctl
"""


def script(spec: Spec) -> str:
    """Return the completion script of bash."""
    commands = ["    '')", f"        options='{' '.join(names_of(spec.program))}'", "        ;;"]
    arguments = [
        "    '')",
        f"        _memctl_words {' '.join(command.names[0] for command in spec.commands)}",
        "        ;;",
    ]
    for command in spec.commands:
        label = f"    {' | '.join(command.names)})"
        commands += [label, *_options(command), "        ;;"]
        if command.arguments:
            arguments += [label, *_arguments(command), "        ;;"]
    everywhere = [line for option in spec.everywhere for line in _case(option, "        ")]
    parts = {
        "valued": " | ".join(valued_names(spec)),
        "commands": "\n".join(commands),
        "everywhere": "\n".join(everywhere),
        "everywhere_names": " ".join(names_of(spec.everywhere)),
        "arguments": "\n".join(arguments),
    }
    return filled(_SCRIPT, parts)


def _options(command: Command) -> list[str]:
    lines = [f"        options='{' '.join(names_of(command.options))}'"]
    cases = [line for option in command.options for line in _case(option, "        ", "; return 0 ;;")]
    return [*lines, "        case $option in", *cases, "        esac"] if cases else lines


def _case(option: Option, indent: str, end: str = " ;;") -> list[str]:
    actions = _actions(option.values) if option.values else []
    return [f"{indent}{' | '.join(option.names)}) {'; '.join(actions)}{end}"] if actions else []


def _arguments(command: Command) -> list[str]:
    lines = []
    for at, values in enumerate(command.arguments):
        actions = _actions(values)
        if actions:
            last = command.repeats and at == len(command.arguments) - 1
            test = f"((count {'>=' if last else '=='} {at}))"
            lines.append(f"        if {test}; then {'; '.join(actions)}; fi")
    return lines or ["        :"]


def _actions(values: Values) -> list[str]:
    actions = {
        "fixed": [],
        "agents": ["_memctl_agents"],
        "addresses": ["_memctl_addresses"],
        "agents or files": ["_memctl_paths default", "_memctl_ask"],
        "files": ["_memctl_paths default"],
        "directories": ["_memctl_paths dirnames"],
    }[values.kind]
    words = [f"_memctl_words {' '.join(word.text for word in values.words)}"] if values.words else []
    return [*actions, *words]
