"""The command `reindex`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.fleet import Part, each_store
from memctl.cli.options import Agents, All, DryRun, Jobs, NoHistory, NoLock, Shard, Wait, command
from memctl.cli.words import plural, to_bytes
from memctl.disk.locate import Store
from memctl.disk.stores import DirectoryStore
from memctl.errors import ExitCode, UsageError
from memctl.ops.reindex import ReindexRequest, reindex_store
from memctl.output import diffs, plain


@command
def reindex(
    run: Run,
    agents: Agents = None,
    every: All = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 with a diff where it is stale.")
    ] = False,
    dry_run: DryRun = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
    jobs: Jobs = None,
    shard: Shard = None,
) -> int:
    """Render MEMORY.md anew where it is stale.

    Writes only what differs, exactly as the HQ would. A directory that cannot be read does not stop the others.
    """
    if check and dry_run:
        raise UsageError("--check writes nothing anyway; leave -n out")
    writes = not check and not dry_run
    # A store without an index has nothing to do here.
    named = run.stores(agents or (), every=every, changing=not check, shard=shard)
    stores = [store for store in named if isinstance(store, DirectoryStore)]
    request = ReindexRequest(writes, run.locking(wait, no_lock=no_lock, no_history=no_history))
    if writes:
        run.changes()

    def work(store: Store) -> Part:
        assert isinstance(store, DirectoryStore)
        result = reindex_store(store, request)
        if run.json:
            from memctl.output import json, json_memories

            text = json.dumps(json_memories.reindexed(result))
        elif check:
            text = diffs.index_diff(result) if result.changed else ""
        else:
            text = plain.reindexed(result)
        return Part(to_bytes(text), {"changed": int(result.changed)}, result.errors)

    changed = 0
    run.begin_json("stores")
    # What writes stays in this process: locks and the waits for them are not for workers.
    for part in each_store(run, stores, work, 1 if writes else jobs):
        changed += part.counts["changed"]
        run.fail_each(part.errors)
        run.write_item(part.text)
    run.end_json(dry_run=dry_run)
    if stores or not named:
        run.say(_summary(changed, len(stores), check=check, dry_run=dry_run))
    else:
        run.say("nothing to do: the user memory has no index")
    return run.code(ExitCode.NO if check and changed else ExitCode.OK)


def _summary(changed: int, total: int, *, check: bool, dry_run: bool) -> str:
    of = f"{changed:,} of {plural(total, 'index', 'indexes')}"
    if check:
        return f"{of} stale"
    if dry_run:
        return f"dry run: nothing was written; {of} would be"
    return f"rendered {of} anew"
