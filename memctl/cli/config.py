"""The command `config`."""

import os
from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import NoHistory, NoLock, Wait, command
from memctl.disk.directories import make_directory
from memctl.disk.locking import Locking
from memctl.disk.reads import read_file
from memctl.disk.settings import Value, config_path
from memctl.disk.single_file import write_file
from memctl.errors import ConfigError, InvalidInput, NotFound, UsageError
from memctl.output.escape import field

_ACTIONS = ("show", "set", "path")


@command
def config(
    run: Run,
    action: Annotated[str, typer.Argument(metavar="[show|set|path]", help="What to do.", show_default=False)] = "show",
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY [VALUE]]", help="A setting, and its value.", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Change nothing, say what would be.")] = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
) -> int:
    """Show or set memctl's own settings.

    `config show [KEY]` prints each value and where it comes from, `config set KEY VALUE` writes one (comments and
    order of the file stay), `config path` prints where the file is.
    """
    given = words or []
    most = {"show": 1, "set": 2, "path": 0}
    if action not in most:
        from memctl.core.nearest import nearest

        near = nearest(action, _ACTIONS)
        raise UsageError(f"config has no '{action}'", hint=f"did you mean '{near}'?" if near else "show, set or path")
    if len(given) > most[action] or (action == "set" and len(given) < 2):
        raise UsageError(f"wrong number of words for config {action}", hint="memctl config --help")
    if action == "path":
        path = _path(run)
        if run.json:
            from memctl.output import json_setup

            run.emit_json(json_setup.config_path(path))
        else:
            run.write(f"{path}\n")
        return run.code()
    if action == "show":
        return _show(run, given[0] if given else None)
    return _set(run, given[0], given[1], dry_run, run.locking(wait, no_lock=no_lock, no_history=no_history))


def _path(run: Run) -> str:
    path = config_path(run.env)
    if path is None:
        raise ConfigError("there is no home directory to keep settings in", hint="MEMCTL_CONFIG names a file")
    return path


def _show(run: Run, key: str | None) -> int:
    values = run.settings.all()
    if key is not None:
        one = Value(run.settings.value(key), run.settings.origin(key))  # names the nearest where there is none
        values = ((key, one),)
    if run.json:
        from memctl.output import json_setup

        run.emit_json(json_setup.settings(values))
        return run.code()
    for name, value in values:
        several = "," if name.startswith("check.") else ":"
        shown = several.join(value.value) if isinstance(value.value, tuple | list) else value.value
        run.write(f"{field(name)}\t{'' if shown is None else field(str(shown))}\t{field(value.origin)}\n")
    return run.code()


def _set(run: Run, key: str, word: str, dry_run: bool, locking: Locking) -> int:
    from memctl.disk.settings_edit import edit_config, parse_value
    from memctl.disk.user_store import own_target

    path = own_target(_path(run), run.env.uid)  # people keep it among their dotfiles
    value = parse_value(key, word, cwd=run.env.cwd)
    try:
        data: bytes | None = read_file(path)
    except NotFound:
        data = None
    try:
        text = (data or b"").decode()
    except UnicodeDecodeError:
        raise InvalidInput(f"'{path}' is not UTF-8", path=path) from None
    edited = edit_config(text, key, value).encode()
    changed = edited != (data or b"")
    if changed and not dry_run:
        run.changes()
        locking.ready()
        make_directory(os.path.dirname(path))
        write_file(path, data, edited, locking)
    if run.json:
        from memctl.output import json_setup

        run.emit_json(json_setup.setting_set(key, value, path, changed=changed, dry_run=dry_run))
    if dry_run:
        run.say(f"dry run: nothing was written; {key} would be in '{path}'" if changed else "dry run: no changes")
    else:
        run.say(f"set {key} in '{path}'" if changed else "no changes")
    return run.code()
