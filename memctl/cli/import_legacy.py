"""The command `import-legacy`."""

import os
from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Agents, All, DryRun, Jobs, NoHistory, NoLock, Shard, Wait, command
from memctl.cli.words import plural, to_bytes
from memctl.errors import ExitCode, UsageError
from memctl.ops.import_legacy import ImportRequest
from memctl.ops.import_legacy import import_legacy as import_store
from memctl.output import plain


@command
def import_legacy(
    run: Run,
    agents: Agents = None,
    every: All = False,
    workspace: Annotated[
        str | None,
        typer.Option("--workspace", metavar="DIR", help="Its MEMORY.md, not that of the registry's workspace."),
    ] = None,
    file: Annotated[str | None, typer.Option("--file", metavar="FILE", help="This file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Import though it was done before.")] = False,
    dry_run: DryRun = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
    jobs: Jobs = None,
    shard: Shard = None,
) -> int:
    """Import the old MEMORY.md of a workspace.

    It becomes the memory legacy-memory-md, one time, and only where the agent has no memories; over 8,192 characters
    it is cut and marked. The original stays as it is. Says why where nothing is imported.
    """
    if workspace is not None and file is not None:
        raise UsageError("give --workspace or --file, not both")
    if (workspace is not None or file is not None) and (every or len(agents or ()) > 1):
        raise UsageError("--workspace and --file are for one agent")
    if "@user" in (agents or ()):
        if agents != ["@user"] or every:
            raise UsageError("give @user alone: it is copied to CodeWhale's native tree, not to an agent")
        if workspace is not None or file is not None or force:
            raise UsageError(
                "--workspace, --file and --force are for an agent; CodeWhale imports the memory.md beside its tree"
            )
        from memctl.cli.native import import_user

        return import_user(run, run.locking(wait, no_lock=no_lock, no_history=no_history), dry_run=dry_run)
    stores = run.agent_stores(agents or (), every=every, changing=True, shard=shard, lacks="workspace")
    request = ImportRequest(
        os.path.join(run.env.cwd, workspace) if workspace is not None else None,
        os.path.join(run.env.cwd, file) if file is not None else None,
        force,
        dry_run,
        run.locking(wait, no_lock=no_lock, no_history=no_history),
    )
    if not dry_run:
        run.changes()
    imported = 0
    run.begin_json("imports")
    for store in stores:
        result = import_store(store, request, run.now)
        imported += result.imported
        run.fail_each(result.errors)
        if run.json:
            from memctl.output import json, json_memories

            run.write_item(to_bytes(json.dumps(json_memories.imported(result))))
        elif not result.errors:
            run.write_item(to_bytes(plain.imported(result)))
    run.end_json(dry_run=dry_run)
    noun = plural(imported, "agent")
    if dry_run:
        run.say(f"dry run: nothing was imported; the old notes of {noun} would be")
    else:
        run.say(f"imported the old notes of {noun}" if imported else "nothing was imported")
    return run.code(ExitCode.OK if imported == len(stores) else ExitCode.NO)
