"""The command `list`."""

from collections import Counter
from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.fleet import Part, Work, each_store
from memctl.cli.options import Agents, All, Jobs, Nul, Shard, Sources, Types, command
from memctl.cli.words import filters, plural, to_bytes
from memctl.core.filters import SORT_KEYS
from memctl.disk.stores import DirectoryStore
from memctl.errors import UsageError
from memctl.ops.list import ListRequest, list_store
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
    return run.code()


def _work(run: Run, request: ListRequest, headed: bool, addresses: bool, nul: bool) -> Work:
    """Return what is done with each store, here or in a worker: read it and make its text."""
    if run.json:
        from memctl.output import json
    elif run.terminal.draws and not addresses:
        from memctl.output.table import Screen, listed

        screen = Screen(run.terminal.width, color=run.terminal.color)

    def work(store: DirectoryStore) -> Part:
        result = list_store(store, request)
        counts = {"memories": len(result.entries), "agents": 1, "skipped": result.skipped}
        if run.json:
            text = json.dumps(json.listed(result))
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
    text = f"{plural(counts['memories'], 'memory', 'memories')} in {plural(counts['agents'], 'agent')}"
    return text + (f", {plural(counts['skipped'], 'file')} not loaded" if counts["skipped"] else "")
