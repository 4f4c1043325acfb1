"""The command `show`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Addresses, Nul, Scope, command
from memctl.errors import MemctlError
from memctl.ops.results import Card, ShownFile, ShownMemory, ShownNote, ShownUserMemory
from memctl.ops.show import Shown
from memctl.ops.show import show as show_target
from memctl.output import plain


@command
def show(
    run: Run,
    addresses: Addresses,
    raw: Annotated[bool, typer.Option("--raw", help="The bytes of the files, as they are.")] = False,
    as_text: Annotated[bool, typer.Option("--plain", help="Do not render Markdown on a terminal.")] = False,
    nul: Nul = False,
    scope: Scope = None,
) -> int:
    """Show memories in full, or an agent's card.

    A memory: all fields, dates, size and content. An agent: paths, model, modes, limits, index and what is not
    loaded.
    """
    if scope is not None:
        from memctl.cli.native import show_native

        return show_native(run, addresses, scope, raw=raw)
    results: list[Shown] = []
    for target in run.targets(addresses, nul=nul):
        try:
            found = show_target(target)
        except MemctlError as error:
            run.fail(error)
            continue
        results += found
        for card in found:
            run.fail_each(card.errors if isinstance(card, Card | ShownFile) else ())
    if run.json:
        from memctl.output import json_memories

        run.emit_json(json_memories.shown(results) if results or not run.errors else None)
    elif raw:
        for result in results:
            run.terminal.write_bytes(_bytes(result))
    elif run.terminal.draws:
        from memctl.output.table import Screen, shown

        screen = Screen(run.terminal.width, color=run.terminal.color)
        run.terminal.show("\n".join(shown(result, screen, plain=as_text) for result in results))
    else:
        run.write("\n".join(plain.shown(result) for result in results))
    for result in results:
        if isinstance(result, ShownUserMemory):
            run.warn_not_utf8(result.data)
        if isinstance(result, ShownUserMemory | ShownNote):
            run.warn_not_loaded(result.store)
    return run.code()


def _bytes(result: Shown) -> bytes:
    if isinstance(result, ShownMemory):
        return result.entry.data
    if isinstance(result, ShownFile):
        return result.file.data or b""
    if isinstance(result, ShownUserMemory):
        return result.data
    if isinstance(result, ShownNote):
        return (result.note.text + "\n").encode("utf-8", "surrogateescape")
    return plain.shown(result).encode("utf-8", "surrogateescape")
