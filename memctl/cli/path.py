"""The command `path`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import command
from memctl.disk.user_store import FileStore
from memctl.errors import MemctlError
from memctl.output.escape import field


@command
def path(
    run: Run,
    addresses: Annotated[
        list[str] | None, typer.Argument(metavar="[ADDRESS]...", help="Agents, memories or @user.", show_default=False)
    ] = None,
) -> int:
    """Print where memories are: of an agent, a memory, or the user memory.

    Without an ADDRESS that of the user memory, as CodeWhale resolves it. The path is absolute; nothing need be there.
    """
    found = []
    for target in run.targets(addresses or ["@user"]):
        store = target.store
        try:
            place = store.path if isinstance(store, FileStore) or target.name is None else store.file_path(target.name)
        except MemctlError as error:
            run.fail(error)
            continue
        found.append((target.word, place))
    if run.json:
        from memctl.output import json_memories

        run.emit_json(json_memories.places(found))
    else:
        run.write("".join(f"{field(place)}\n" for _, place in found))
    return run.code()
