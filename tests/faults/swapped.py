"""A directory that is swapped for a symlink at a chosen call of memctl, and perhaps swapped back at a later one."""

from __future__ import annotations

import os
import sys
from typing import Any

# Calls of which Python says that they are about to be made; a stat is not among them, but stands between two that are.
_CALLS = (
    "open os.listdir os.scandir os.link os.rename os.remove os.mkdir os.symlink os.chmod os.chown os.utime "
    "fcntl.flock fcntl.fcntl os.truncate"
).split()


def swap(world: str, path: str, target: str, moment: int, back: int, log: str) -> None:
    """Swap `path` for a link to `target` before the call number `moment`, counted from the first that touches `world`.

    `back` is how many calls later it is swapped back (0: never). What was done, and how many calls there were, is
    appended to `log`.
    """
    state = {"calls": -1, "busy": False}
    calls = frozenset(_CALLS)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in calls or state["busy"]:
            return
        if state["calls"] < 0 and not any(str(one).startswith(world) for one in arguments[:1]):
            return
        state["busy"] = True
        state["calls"] += 1
        try:
            _at(state["calls"])
        finally:
            state["busy"] = False

    def _at(call: int) -> None:
        said = "call"
        if call == moment:
            os.rename(path, path + ".moved")
            os.symlink(target, path)
            whose = os.stat(path + ".moved")  # he is the one who swaps
            os.chown(path, whose.st_uid, whose.st_gid, follow_symlinks=False)
            said = "swapped"
        elif back and call == moment + back and os.path.islink(path):
            os.unlink(path)
            os.rename(path + ".moved", path)
            said = "back"
        with open(log, "a") as file:
            file.write(said + "\n")

    sys.addaudithook(hook)
