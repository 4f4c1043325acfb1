"""The command `list`."""

from collections import Counter
from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.fleet import Part, Work, each_store
from memctl.cli.options import Agents, All, Jobs, Nul, Scope, Shard, Sources, Types, command
from memctl.cli.words import filters, plural, to_bytes
from memctl.core.filters import SORT_KEYS
from memctl.disk.locate import Store
from memctl.disk.stores import DirectoryStore
from memctl.errors import UsageError
from memctl.ops.list import ListRequest, list_any
from memctl.ops.results import ListedNotes
from memctl.output import plain


@command
def list_(
    run: Run,
    agents: Agents = None,
    every: All = False,
    types: Types = None,
    sources: Sources = None,
    text: Annotated[
        str, typer.Option("--filter", metavar="TEXT", help="Name or description holds TEXT, case ignored.")
    ] = "",
    older_than: Annotated[
        str | None, typer.Option("--older-than", metavar="AGE", help="Last updated before: 90d, 6mo, a date.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="AGE", help="Last updated since: 7d, yesterday, a date.")
    ] = None,
    sort: Annotated[str | None, typer.Option("--sort", metavar="KEY", help="name, updated, created or size.")] = None,
    reverse: Annotated[bool, typer.Option("--reverse", "-r", help="The other way round.")] = False,
    addresses: Annotated[bool, typer.Option("--addresses", help="Addresses only, one a line.")] = False,
    nul: Nul = False,
    jobs: Jobs = None,
    shard: Shard = None,
    scope: Scope = None,
) -> int:
    """List memories in groups by type.

    Without AGENT those of all agents. In a pipe one memory a line: address, type, source, last update, size
    and description, separated by tabs. Files that the HQ does not load come last, with the reason.
    """
    if sort is not None and sort not in SORT_KEYS:
        raise UsageError(f"'{sort}' is no sort key", hint=f"keys are {', '.join(SORT_KEYS)}")
    if nul and not addresses:
        raise UsageError("-0 goes with --addresses")
    chosen = filters(run, types, sources, (), text, older_than, since)
    request = ListRequest(chosen, sort, reverse)
    if scope is not None:
        if types or sources or older_than or since or sort or reverse or addresses or every:
            raise UsageError("entries of the native tree have a scope and a text alone", hint="--filter narrows them")
        from memctl.cli.native import list_native

        return list_native(run, agents or (), scope, text)
    stores = run.stores(agents or (), every=every, changing=False, shard=shard)
    work = _work(run, request, len(stores) > 1, addresses, nul)
    counts: Counter[str] = Counter()
    texts: list[str] = []
    run.begin_json("stores")
    for part in each_store(run, stores, work, jobs):
        counts.update(part.counts)
        run.fail_each(part.errors)
        if run.terminal.draws:
            texts.append(part.text.decode("utf-8", "surrogateescape"))
        else:
            run.write_item(part.text)
    run.end_json()
    if texts:
        run.terminal.show("".join(texts))
    if not (addresses and run.terminal.draws):
        run.say(_summary(counts))
    for store in stores:
        if not isinstance(store, DirectoryStore):
            run.warn_not_loaded(store)
    return run.code()


def _work(run: Run, request: ListRequest, headed: bool, addresses: bool, nul: bool) -> Work:
    """Return what is done with each store, here or in a worker: read it and make its text."""
    if run.json:
        from memctl.output import json, json_memories, json_user
    elif run.terminal.draws and not addresses:
        from memctl.output.table import Screen, listed, listed_notes

        screen = Screen(run.terminal.width, color=run.terminal.color)

    def work(store: Store) -> Part:
        result = list_any(store, request)
        if isinstance(result, ListedNotes):
            if run.json:
                text = json.dumps(json_user.listed_notes(result))
            elif addresses:
                text = plain.addresses(result, "\0" if nul else "\n")
            else:
                text = listed_notes(result, screen) if run.terminal.draws else plain.listed_notes(result)
            counts = {"notes": len(result.notes), "users": 1, "outside": result.outside}
            return Part(to_bytes(text), counts, result.errors)
        counts = {"memories": len(result.entries), "agents": 1, "skipped": result.skipped}
        if run.json:
            text = json.dumps(json_memories.listed(result))
        elif addresses:
            text = plain.addresses(result, "\0" if nul else "\n")
        elif run.terminal.draws:
            shown = result.entries or result.unloaded or not request.filters.active or not headed
            text = listed(result, screen, headed=True) if shown else ""
        else:
            text = plain.listed(result)
        return Part(to_bytes(text), counts, result.errors)

    return work


def _summary(counts: Counter[str]) -> str:
    parts = []
    if counts["agents"] or not counts["users"]:
        parts.append(f"{plural(counts['memories'], 'memory', 'memories')} in {plural(counts['agents'], 'agent')}")
    if counts["skipped"]:
        parts.append(f"{plural(counts['skipped'], 'file')} not loaded")
    if counts["users"]:
        parts.append(f"{plural(counts['notes'], 'note')} in the user memory")
    if counts["outside"]:
        parts.append(f"{plural(counts['outside'], 'line')} outside of notes")
    return ", ".join(parts)
