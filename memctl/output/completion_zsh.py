"""The completion script of zsh."""

from __future__ import annotations

from memctl.output.completions import Command, Option, Spec, Values, filled

_SCRIPT = r"""#compdef memctl
# Completion of memctl for zsh. `memctl completion zsh` prints it.

# Ask memctl for agents or addresses that begin with the word, into `values` and `shown`; it gets the roots of the line.
_memctl_ask() {
  local -a roots rows
  local -i at width=0
  local row value about
  for (( at = 2; at <= $#memctl_line; at++ )); do
    case $memctl_line[at] in
    --) break ;;
    --root) (( at++ )); roots+=("--root=${(Q)memctl_line[at]}") ;;
    --root=*) roots+=("--root=${(Q)memctl_line[at]#--root=}") ;;
    esac
  done
  rows=("${(@f)$(command memctl __complete "$@" "${roots[@]}" -- "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  values=() shown=()
  for row in "${(@)rows:#}"; do
    value=${row%%$'\t'*}
    (( $#value > width )) && width=$#value
  done
  for row in "${(@)rows:#}"; do
    value=${row%%$'\t'*} about=${row#*$'\t'}
    values+=("$value")
    shown+=("${value}${about:+${(l:width-$#value:):-}  -- $about}")
  done
}

# Agents; the arguments are further words that can stand there.
_memctl_agents() {
  local -a values shown expl
  local ret=1
  if [[ $PREFIX == (.|..|/*|./*|../*|\~*) ]]; then
    _files -/ && ret=0
    return ret
  fi
  _memctl_ask
  if (( $#values )); then
    _wanted agents expl agent compadd -l -d shown -a values && ret=0
  fi
  if (( $# )); then
    _wanted values expl value compadd -- "$@" && ret=0
  fi
  return ret
}

_memctl_agents_or_files() {
  local ret=1
  if [[ $PREFIX != (.|..|/*|./*|../*|\~*) ]]; then
    _memctl_agents "$@" && ret=0
  fi
  _files && ret=0
  return ret
}

# Addresses. The slash behind an agent goes away again when a space or the end of the line follows it.
_memctl_addresses() {
  local -a values shown expl
  local ret=1
  if [[ $PREFIX == (.|..|/*|./*|../*|\~*) ]]; then
    _files && ret=0
    return ret
  fi
  _memctl_ask --addresses
  local -a agents labels memories
  local -i at
  for (( at = 1; at <= $#values; at++ )); do
    if [[ $values[at] == */ ]]; then
      agents+=("${values[at]%/}") labels+=("$shown[at]")
    else
      memories+=("$values[at]")
    fi
  done
  if (( $#memories )); then
    _wanted memories expl memory compadd -a memories && ret=0
  fi
  if (( $#agents )); then
    _wanted agents expl agent compadd -q -S / -l -d labels -a agents && ret=0
  fi
  return ret
}

_memctl_commands() {
  local -a entries
  local ret=1
%(groups)s
  return ret
}

_memctl() {
  local curcontext=$curcontext context state state_descr line ret=1
  local -A opt_args
  local -a memctl_line=("${(@)words}") everywhere
  everywhere=(
%(everywhere)s
  )
  _arguments -C -s -S "${everywhere[@]}" \
%(program)s    '(-)1:command:_memctl_commands' '(-)*:: :->arguments' && ret=0
  [[ $state == arguments ]] || return ret
  curcontext="${curcontext%:*:*}:memctl-$words[1]:"
  case $words[1] in
%(commands)s
  esac
  return ret
}

# Autoloaded, this file is the function; sourced, it says what it completes.
if [[ ${funcstack[1]} == _memctl ]]; then
  _memctl "$@"
elif (( ${+functions[compdef]} )); then
  compdef _memctl memctl
fi
"""


def script(spec: Spec) -> str:
    """Return the completion script of zsh."""
    groups = []
    for group in dict.fromkeys(command.group for command in spec.commands):
        groups.append("  entries=(")
        groups += [
            f"    {_quoted(f'{command.names[0]}:{command.summary}')}"
            for command in spec.commands
            if command.group == group
        ]
        groups += ["  )", f"  _describe -t commands {_quoted(group.lower())} entries && ret=0"]
    commands = []
    for command in spec.commands:
        rules = [rule for option in command.options for rule in _option(option)] + _arguments(command)
        lines = "".join(f" \\\n      {rule}" for rule in rules)
        commands += [
            f"  {'|'.join(command.names)})",
            f'    _arguments -s -S "${{everywhere[@]}}"{lines} && ret=0',
            "    ;;",
        ]
    everywhere = [f"    {rule}" for option in spec.everywhere for rule in _option(option)]
    program = "".join(f"    {rule} \\\n" for option in spec.program for rule in _option(option))
    parts = {
        "groups": "\n".join(groups),
        "everywhere": "\n".join(everywhere),
        "program": program,
        "commands": "\n".join(commands),
    }
    return filled(_SCRIPT, parts)


def _quoted(text: str) -> str:
    """Return a text in the single quotes of the shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def _option(option: Option) -> list[str]:
    """Return the rules of an option for _arguments, one for each of its names."""
    about = "[" + option.help.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]") + "]"
    rules = []
    for name in option.names:
        start = "*" if option.repeats else f"({' '.join(option.names)})" if len(option.names) > 1 else ""
        value = ""
        if option.values is not None:
            name += "=" if name.startswith("--") else "+"
            value = _value(option.values)
        rules.append(_quoted(f"{start}{name}{about}{value}"))
    return rules


def _arguments(command: Command) -> list[str]:
    rules = []
    for at, values in enumerate(command.arguments):
        place = "*" if command.repeats and at == len(command.arguments) - 1 else str(at + 1)
        rules.append(_quoted(place + _value(values)))
    return rules


def _value(values: Values) -> str:
    words = " ".join(word.text for word in values.words)
    action = {
        "fixed": f"({words})" if words else " ",
        "agents": f" _memctl_agents {words}".rstrip(),
        "addresses": " _memctl_addresses",
        "agents or files": f" _memctl_agents_or_files {words}".rstrip(),
        "files": "_files",
        "directories": "_files -/",
    }[values.kind]
    return f":{values.what}:{action}"
