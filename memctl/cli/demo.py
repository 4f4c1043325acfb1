"""The command `demo`."""

import os
from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import DryRun, command
from memctl.cli.words import plural
from memctl.core.demo import demo_commands, demo_files
from memctl.disk.directories import make_directory
from memctl.disk.locking import Locking
from memctl.disk.single_file import write_file
from memctl.errors import UsageError


@command
def demo(
    run: Run,
    directory: Annotated[str, typer.Argument(metavar="DIR", help="A directory that is not there yet, or is empty.")],
    dry_run: DryRun = False,
) -> int:
    """Write a small data folder to try memctl on.

    Three agents, twenty memories, a file that is not loaded, a stale index and a user memory; always the same bytes.
    """
    path = os.path.normpath(os.path.join(run.env.cwd, directory))
    if os.path.lexists(path) and not (os.path.isdir(path) and not os.listdir(path)):
        raise UsageError(f"'{directory}' is there and is not empty", hint="name a directory that is not there yet")
    files = demo_files()
    if not dry_run:
        run.changes()
    for name, data in files.items():
        target = os.path.join(path, name)
        if not dry_run:
            make_directory(os.path.dirname(target))
            write_file(target, None, data, Locking())
    commands = demo_commands(directory)
    count = plural(len(files), "file")
    run.say(f"dry run: nothing was written; {count} would be" if dry_run else f"wrote {count} to '{path}'; try these:")
    if run.json:
        from memctl.output import json_setup

        run.emit_json(json_setup.demo(path, files, commands, dry_run=dry_run))
    else:
        run.write("".join(f"{line}\n" for line in commands))
    return run.code()
