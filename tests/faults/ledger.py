"""What is written down in a stress run, and the judgement of it: nothing lost, nothing torn, nothing over the limit."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.core.dialects import hq
from memctl.core.limits import PER_AGENT
from memctl.disk.aside import TEMP_PREFIX
from tests.faults.forked import Ended
from tests.faults.hq_writer import content_of, text_of, token_of

if TYPE_CHECKING:
    from tests.faults.stress import Place

MUST_BE_ZERO = (
    "lost updates of memctl",
    "lost notes",
    "writes of the HQ touched",
    "made over 200 by memctl",
    "index differs after one reindex",
    "temp files left",
    "wrong exit codes",
    "reads that failed",
    "torn reads",
    "processes that failed",
)
_OURS = ("operations", "done", "refused (75)", "not there (66)", "reads")
_SAME = (
    "replaces",
    "caught by the lease, at its taking",
    "caught by the lease, while held",
    "caught by comparison",
    "writes of the HQ",
    "writes of the HQ that slipped",
)

Figures = Counter[str]


def names(same: bool) -> tuple[str, ...]:
    """Return the names of the figures, in the order in which they are shown."""
    return (*_OURS, *(_SAME if same else ()), *MUST_BE_ZERO)


# In the processes of memctl


def watch(counts: str, *, lease: bool) -> None:
    """Note from within a run of memctl how it noticed another writer, and a memory made where 200 are."""
    import memctl.disk.files
    import memctl.disk.lease
    import memctl.disk.writes

    def note(what: str) -> None:
        with open(counts, "a") as file:
            file.write(what + "\n")

    wanted = memctl.disk.lease.Lease.is_wanted
    taken = memctl.disk.lease.Lease.__init__
    seen: list[bool] = []

    def is_wanted(self: Any) -> bool:
        answer = wanted(self)
        seen.append(answer)
        return answer

    def take(self: Any, *arguments: Any) -> None:
        seen.clear()
        if not lease:
            self._descriptor = self._handler = None
            return
        try:
            taken(self, *arguments)
        except BlockingIOError:
            note("caught by the lease, at its taking")
            raise

    changed = memctl.disk.writes.changed

    def changed_and_noted(path: str) -> Any:
        if not path.endswith("MEMORY.md"):
            note("caught by the lease, while held" if any(seen) else "caught by comparison")
        return changed(path)

    create = memctl.disk.files.create_file

    def create_and_count(directory: int, name: str, *rest: Any) -> Any:
        if name.endswith(".md") and name != hq.INDEX_NAME:
            there = [one for one in os.listdir(directory) if one.endswith(".md") and one != hq.INDEX_NAME]
            if len(there) >= PER_AGENT:
                note("made over 200 by memctl")
        return create(directory, name, *rest)

    memctl.disk.lease.Lease.is_wanted = is_wanted  # type: ignore[method-assign]
    memctl.disk.lease.Lease.__init__ = take  # type: ignore[method-assign]
    memctl.disk.writes.changed = changed_and_noted
    memctl.disk.files.create_file = create_and_count


def call_the_hq(aim: int, name: str, moment: int) -> None:
    """Let the HQ-like writer write this memory at one of the steps by which memctl replaces it."""
    import random
    import time

    steps = {"fcntl.fcntl", "os.link", "os.rename", "os.remove", "open"}
    begun = [False]
    left = [moment]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and str(arguments[0]).startswith(TEMP_PREFIX):
            begun[0] = True  # the new text is about to be written
        if not begun[0] or event not in steps or left[0] < 0:
            return
        left[0] -= 1
        if left[0] < 0:
            os.write(aim, name.encode() + b"\n")
            time.sleep(random.random() * 0.001)  # it writes now, or when we are some steps on

    sys.addaudithook(hook)


# Of each read


def check_any(*codes: int) -> Callable[[Ended], Figures]:
    """Return a check that only the exit code of a read is one of these."""
    return lambda ended: _figures(right=ended.code in codes)


def check_list(ended: Ended) -> Figures:
    """Check that each memory that memctl alone writes is whole, and count what the HQ was just writing."""
    if ended.code != 0:
        return _figures(right=False)
    (store,) = json.loads(ended.out)["data"]["stores"]
    torn = [one["file"] for one in store["not_loaded"]]
    bad = [one for one in store["memories"] if not one["description"].startswith("token ")]
    ours = [file for file in torn if file.startswith("m-")] if _alone(store) else []
    return _figures(torn=len(ours) + len(bad)) + Counter({"reads in the middle of a write of the HQ": len(torn)})


def _alone(store: Any) -> bool:
    """Return whether the HQ has names of its own: then it has written some, or soon will."""
    return len(store["memories"]) + len(store["not_loaded"]) > 20


def check_show(ended: Ended) -> Figures:
    """Check that a memory is whole."""
    if ended.code == 66:
        return _figures()
    if ended.code != 0:
        return _figures(right=False)
    memory = json.loads(ended.out)["data"]["memory"]
    if memory["description"] is None:
        # Only the HQ leaves half a file, and only where it has the names of all.
        return _figures() + Counter({"reads in the middle of a write of the HQ": 1})
    token = memory["description"].removeprefix("token ")
    return _figures(torn=int(memory["content"] != content_of(token)))


def check_notes(ended: Ended) -> Figures:
    """Check that each note is whole."""
    if ended.code != 0:
        return _figures(right=False)
    (store,) = json.loads(ended.out)["data"]["stores"]
    return _figures(torn=sum(not _whole(note["text"]) for note in store["notes"]))


def _whole(note: str) -> bool:
    start, _, end = note.partition(" end-")
    return start == f"note {end}"


def _figures(*, right: bool = True, torn: int = 0) -> Figures:
    return Counter({"reads": 1, "reads that failed": int(not right), "torn reads": torn})


# Afterwards


def judge(place: Place, first: dict[str, bytes], *, same: bool) -> Figures:
    """Return the figures of a round whose writers are at their end; what went wrong is shown on stderr."""
    figures: Figures = Counter()
    operations = [one for log in sorted(place.logs.glob("writer-*")) for one in _lines(log)]
    figures["operations"] = len(operations)
    for one in operations:
        kind = {0: "done", 75: "refused (75)", 66: "not there (66)"}.get(one["code"])
        if one["code"] == 65 and "the HQ does not load" in one["said"]:
            kind = "refused in the middle of a write of the HQ (65)"
        figures[kind or "wrong exit codes"] += 1
        if kind is None:
            _show("wrong exit code", one)
        if same:
            figures["replaces"] += 1
    for log in place.logs.glob("counts-*"):
        figures += Counter(log.read_text().splitlines())
    for log in place.logs.glob("reader-*"):
        for one in _lines(log):
            if said := one.pop("said", None):
                _show("read", said)
            figures += Counter(one)
    history = History(place.path / "state/history.db")
    if same:
        figures += _judge_same(place, history)
    else:
        figures += _judge_chains(place, history, first)
        figures += _judge_notes(place, operations)
        figures["writes of the HQ touched"] = sum(one.get("touched", 0) for one in _writes_of_hq(place))
    figures += _judge_exits(operations, history)
    figures["temp files left"] = sum(name.startswith(".memctl-") for name in os.listdir(place.agent))
    place.memctl("reindex", AGENT_OF(place))
    figures["index differs after one reindex"] = int(place.memctl("reindex", "--check", AGENT_OF(place)).code != 0)
    return figures


def AGENT_OF(place: Place) -> str:  # noqa: N802
    """Return the agent of a place."""
    return place.agent.name


class History:
    """The images that memctl kept."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path)
        rows = self._connection.execute("SELECT hash, data FROM images")
        self.images = {key: zlib.decompress(data) for key, data in rows}

    def steps(self) -> Iterator[tuple[bytes, str | None, str | None, int | None]]:
        """Return path, hash before and after of each file of each change, in the order in which they were about to be written."""
        yield from self._connection.execute("SELECT path, before, after, settled FROM files ORDER BY rowid").fetchall()

    def tokens(self) -> set[str]:
        """Return the tokens of all images."""
        return {token_of(data) for data in self.images.values()}


def _judge_chains(place: Place, history: History, first: dict[str, bytes]) -> Figures:
    """Each change of a memory starts from what the one before it left: then no update was lost."""
    states: dict[str, str | None] = {name: hashlib.sha256(data).hexdigest() for name, data in first.items()}
    figures: Figures = Counter()
    for path, before, after, settled in history.steps():
        name = Path(os.fsdecode(path)).stem
        if name not in states or not os.fsdecode(path).startswith(str(place.agent)) or settled == 0:
            continue
        if states[name] != before:
            figures["lost updates of memctl"] += 1
            _show("broken chain", name, states[name], before)
        states[name] = after
        figures["links of the chains"] += 1
    for name, state in states.items():
        file = place.agent / f"{name}.md"
        there = hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else None
        if there != state:
            figures["lost updates of memctl"] += 1
            _show("not as it was left", name, state, there)
    return figures


def _judge_exits(operations: list[Any], history: History) -> Figures:
    """Each edit that said it was done is in the history."""
    tokens = history.tokens()
    edits = [one for one in operations if one["words"][0] == "edit" and "--content" in one["words"]]
    lost = [one for one in edits if one["code"] == 0 and one["token"] not in tokens]
    for one in lost:
        _show("an edit that is nowhere", one)
    return Counter({"lost updates of memctl": len(lost)})


def _judge_notes(place: Place, operations: list[Any]) -> Figures:
    """Each note that was appended is there whole and once, unless the undo of its writer took it back."""
    lines = (place.path / "home/.deepseek/memory.md").read_text().splitlines()
    notes = Counter(line.partition(") ")[2] for line in lines)
    figures: Figures = Counter()
    for one in operations:
        if one["words"][0] != "remember":
            continue
        note = one["words"][1]
        undone = notes[note] == 0 and any("undo" in other["words"] for other in operations)
        if one["code"] == 0 and notes[note] != 1 and not (undone and place_undid(place, note)):
            figures["lost notes"] += 1
            _show("note", note, notes[note])
    figures["lost notes"] += sum(not _whole(note) for note in notes)
    return figures


def place_undid(place: Place, note: str) -> bool:
    """Return whether the last change of the note's line in the history is one that took it away."""
    connection = sqlite3.connect(place.path / "state/history.db")
    row = connection.execute(
        "SELECT undone_by FROM changes WHERE kind = 'change' AND command LIKE ?", (f"%{note}%",)
    ).fetchone()
    connection.close()
    return row is not None and row[0] is not None


def _writes_of_hq(place: Place) -> list[Any]:
    return [
        dict(zip(("name", "token", "over", "named"), one, strict=True)) if isinstance(one, list) else one
        for one in _lines(place.logs / "hq")
    ]


def _judge_same(place: Place, history: History) -> Figures:
    """Each write of the HQ stands, or was written over by the HQ itself, or is in the history; else it slipped."""
    writes = [one for one in _writes_of_hq(place) if "token" in one]
    standing = {token_of(path.read_bytes()) for path in place.agent.glob("*.md*")}
    over = {one["over"] for one in writes}
    kept = history.tokens()
    slipped = [one for one in writes if one["token"] not in standing | over | kept]
    for one in slipped:
        _show("slipped", one)
    whole = sum(text_of(hq_name, token_of(data)) == data for hq_name, data in _files(place))
    return Counter(
        {
            "writes of the HQ": len(writes),
            "writes of the HQ while its memory was replaced": sum(one.get("aimed", 0) for one in _writes_of_hq(place)),
            "writes of the HQ that stand": sum(one["token"] in standing for one in writes),
            "writes of the HQ that it wrote over itself": sum(one["token"] in over for one in writes),
            "writes of the HQ that are in the history": sum(one["token"] in kept for one in writes),
            "writes of the HQ into a file that was replaced": sum(not one["named"] for one in writes),
            "writes of the HQ that slipped": len(slipped),
            "files that are the HQ's in the end": whole,
        }
    )


def _files(place: Place) -> list[tuple[str, bytes]]:
    return [(path.stem, path.read_bytes()) for path in place.agent.glob("m-*.md")]


def _lines(log: Path) -> list[Any]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def _show(*what: object) -> None:
    print("stress:", *what, file=sys.stderr)
