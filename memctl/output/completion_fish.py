"""The completion script of fish."""

from __future__ import annotations

from memctl.output.completions import Option, Spec, Values, filled, valued_names

_SCRIPT = r"""# Completion of memctl for fish. `memctl completion fish` prints it.

# Print the command of the line, and how many arguments stand behind it.
function __memctl_place
    set -l command ''
    set -l count 0
    set -l valued %(valued)s
    set -l skip 0
    set -l ended 0
    for token in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if test $ended = 1; or not string match -qr -- '^-.' $token
            if test -n "$command"
                set count (math $count + 1)
            else
                set command $token
            end
        else
            switch $token
                case --
                    set ended 1
                case '--*'
                    contains -- $token $valued; and set skip 1
                case '*'
                    # Of short options in one word the last one can take a value.
                    contains -- -(string sub -s -1 -- $token) $valued; and set skip 1
            end
        end
    end
    printf '%s\n' "$command" $count
end

# Whether no command stands there yet.
function __memctl_first
    set -l place (__memctl_place)
    test -z "$place[1]"
end

# Whether the command is one of these.
function __memctl_in
    set -l place (__memctl_place)
    contains -- "$place[1]" $argv
end

# Whether the command is one of these and as many arguments stand behind it: 0, 1, or any number (*).
function __memctl_at
    set -l place (__memctl_place)
    contains -- "$place[1]" $argv[2..-1]; or return
    test "$argv[1]" = '*'; or test "$place[2]" = "$argv[1]"
end

# Print the word at the cursor without its quotes.
function __memctl_word
    set -l word (commandline -ct)
    for end in '' '"' "'"
        if set -l plain (string unescape -- "$word$end")
            printf '%s\n' "$plain"
            return
        end
    end
    printf '%s\n' "$word"
end

# Ask memctl for agents or addresses that begin with the word; it gets the roots of the line.
function __memctl_ask
    set -l roots
    set -l next 0
    for token in (commandline -opc)[2..-1]
        if test $next = 1
            set -a roots --root=$token
            set next 0
        else
            switch $token
                case --
                    break
                case --root
                    set next 1
                case '--root=*'
                    set -a roots $token
            end
        end
    end
    command memctl __complete $argv $roots -- (__memctl_word) 2>/dev/null </dev/null
end

function __memctl_is_path
    string match -qr -- '^(\.|\.\.|/.*|\./.*|\.\./.*|~.*)$' (commandline -ct)
end

function __memctl_agents
    if __memctl_is_path
        __fish_complete_directories (commandline -ct) Directory
    else
        __memctl_ask
    end
end

function __memctl_addresses
    if __memctl_is_path
        __fish_complete_path (commandline -ct)
    else
        __memctl_ask --addresses
    end
end

complete -c memctl -f
"""


def script(spec: Spec) -> str:
    """Return the completion script of fish."""
    lines = [filled(_SCRIPT, {"valued": " ".join(valued_names(spec))})]
    lines += [_option(option, "") for option in spec.everywhere]
    lines += [_option(option, " -n __memctl_first") for option in spec.program]
    for command in spec.commands:
        lines.append(f"complete -c memctl -n __memctl_first -a {command.names[0]} -d {_quoted(command.summary)}")
    for command in spec.commands:
        names = " ".join(command.names)
        lines += ["", f"# {command.names[0]}"]
        lines += [_option(option, f" -n '__memctl_in {names}'") for option in command.options]
        for at, values in enumerate(command.arguments):
            place = "'*'" if command.repeats and at == len(command.arguments) - 1 and at == 0 else str(at)
            lines += _argument(values, f'"__memctl_at {place} {names}"')
    return "\n".join(lines) + "\n"


def _option(option: Option, condition: str) -> str:
    parts = [f"complete -c memctl{condition}"]
    for name in option.names:
        parts.append(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}")
    if option.values is not None:
        parts.append(_values(option.values))
    parts.append(f"-d {_quoted(option.help)}")
    return " ".join(parts)


def _values(values: Values) -> str:
    """Return how an option takes a value: a file, or only what is offered."""
    if values.kind == "files":
        return "-r -F"
    offered = {
        "fixed": " ".join(word.text for word in values.words),
        "directories": "(__fish_complete_directories)",
        "agents": "(__memctl_agents)",
        "addresses": "(__memctl_addresses)",
        "agents or files": "(__memctl_ask)",
    }[values.kind]
    return f"-x -a '{offered}'" if offered else "-x"


def _argument(values: Values, condition: str) -> list[str]:
    start = f"complete -c memctl -n {condition}"
    found = {
        "fixed": [],
        "agents or files": [f"{start} -F", f"{start} -a '(__memctl_ask)'"],
        "files": [f"{start} -F"],
        "directories": [f"{start} -a '(__fish_complete_directories)'"],
        "agents": [f"{start} -a '(__memctl_agents)'"],
        "addresses": [f"{start} -a '(__memctl_addresses)'"],
    }[values.kind]
    for word in values.words:
        about = f" -d {_quoted(word.about)}" if word.about else ""
        found.append(f"{start} -a {word.text}{about}")
    return found


def _quoted(text: str) -> str:
    """Return a text in the single quotes of fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
