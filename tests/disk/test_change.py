"""A change of a store: decided under the lock, each file for itself, the index last."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from memctl.disk.change import change, reindex, removal
from memctl.disk.files import Directory
from memctl.disk.images import Edit
from memctl.disk.locking import Locking
from memctl.disk.stores import DirectoryStore, Snapshot
from memctl.errors import Busy, MemctlError, NotFound, Protected, UsageError
from tests.disk.test_files import Noting, Traced, wait_for
from tests.stores import (
    AGENT,
    NO_WAIT,
    NOBODY,
    command,
    contents,
    index,
    make_store,
    memory,
    needs_root,
    run,
    store_at,
    temp_files,
)


def decide(*edits: Edit) -> Callable[[Snapshot], Sequence[Edit]]:
    return lambda _: edits


def refuse(_: Snapshot) -> Sequence[Edit]:
    raise UsageError("no")


def write_directly(store: DirectoryStore, name: str, data: bytes) -> None:
    """Write as the HQ does: in place, without a lock."""
    Path(store.path, name).write_bytes(data)


def test_an_edit_is_carried_out_and_the_index_follows(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    outcome = change(store, decide(Edit("c.md", None, memory("c")), Edit("a.md", memory("a"), None)), NO_WAIT)
    assert [edit.file for edit in outcome.done] == ["c.md", "a.md"]
    assert (outcome.index_changed, outcome.errors) == (True, ())
    assert contents(store.path) == {"b.md": memory("b"), "c.md": memory("c"), "MEMORY.md": index("b", "c")}


def test_what_decides_sees_the_store_as_it_is_under_the_lock(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    seen: list[Snapshot] = []

    def look(snapshot: Snapshot) -> Sequence[Edit]:
        seen.append(snapshot)
        with Directory(store.path) as other, pytest.raises(Busy):
            other.lock(NO_WAIT)
        return ()

    change(store, look, NO_WAIT)
    assert [[entry.file for entry in snapshot.entries] for snapshot in seen] == [["a.md"]]
    with Directory(store.path) as other:
        other.lock(NO_WAIT)


def test_all_files_are_noted_under_the_address_of_their_store(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    notes = Noting()
    locking = Locking(0, recorder=notes)
    edits = [Edit("a.md", memory("a"), None), Edit("b.md", b"not this", None)]
    change(store._replace(address="here"), decide(*edits), locking)
    write_directly(store, "MEMORY.md", b"stale")
    reindex(store._replace(address="there"), locking)
    assert [(file.store, name) for file, name in zip(notes.files, notes.names(), strict=True)] == [
        ("here", "a.md"),
        ("here", "b.md"),
        ("here", "MEMORY.md"),
        ("there", "MEMORY.md"),
    ]
    assert notes.settled == [(0, True), (1, False), (2, True), (3, True)]


@pytest.mark.parametrize("stale", [None, b"stale"])
def test_where_nothing_is_edited_the_index_is_not_touched(tmp_path: Path, stale: bytes | None) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": stale} if stale else {})
    before = contents(store.path)
    outcome = change(store, decide(), NO_WAIT)
    assert (outcome.done, outcome.index_changed, outcome.errors) == ((), False, ())
    assert contents(store.path) == before


def test_an_index_that_is_right_is_not_written_anew(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": index("a")})
    before = os.stat(f"{store.path}/MEMORY.md")
    new = memory("a", content="another body")
    outcome = change(store, decide(Edit("a.md", memory("a"), new)), NO_WAIT)
    assert outcome.index_changed is False
    after = os.stat(f"{store.path}/MEMORY.md")
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_what_refuses_leaves_everything_as_it_was(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    before = contents(store.path)
    with pytest.raises(UsageError):
        change(store, refuse, NO_WAIT)
    assert contents(store.path) == before


def test_an_edit_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b", "c")
    edits = [Edit("a.md", memory("a"), None), Edit("b.md", b"not this", None), Edit("c.md", memory("c"), None)]
    outcome = change(store, decide(*edits), NO_WAIT)
    assert [edit.file for edit in outcome.done] == ["a.md", "c.md"]
    assert [(type(error), error.path) for error in outcome.errors] == [(Busy, f"{store.path}/b.md")]
    assert contents(store.path) == {"b.md": memory("b"), "MEMORY.md": index("b")}


def test_edits_in_turn_end_with_the_first_that_fails(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b", "c")
    edits = [Edit("a.md", memory("a"), None), Edit("b.md", b"not this", None), Edit("c.md", memory("c"), None)]
    outcome = change(store, decide(*edits), NO_WAIT, in_turn=True)
    assert [edit.file for edit in outcome.done] == ["a.md"]
    assert len(outcome.errors) == 1
    assert contents(store.path) == {"b.md": memory("b"), "c.md": memory("c"), "MEMORY.md": index("b", "c")}


def test_where_all_edits_fail_the_index_is_not_touched(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    outcome = change(store, decide(Edit("a.md", b"not this", None)), NO_WAIT)
    assert (outcome.done, outcome.index_changed, len(outcome.errors)) == ((), False, 1)
    assert contents(store.path) == {"a.md": memory("a"), "MEMORY.md": b"stale"}


@pytest.mark.parametrize("new", [memory("a", content="mine"), None])
def test_a_file_that_another_writes_after_it_was_read_is_never_overwritten(tmp_path: Path, new: bytes | None) -> None:
    store = make_store(tmp_path, "a")

    def slowly(snapshot: Snapshot) -> Sequence[Edit]:
        write_directly(store, "a.md", memory("a", content="of the HQ"))
        return [Edit("a.md", snapshot.entries[0].data, new)]

    outcome = change(store, slowly, NO_WAIT)
    assert [error.exit_code for error in outcome.errors] == [75]
    assert contents(store.path) == {"a.md": memory("a", content="of the HQ")}


def test_a_file_that_another_makes_after_the_look_is_never_replaced(tmp_path: Path) -> None:
    store = make_store(tmp_path)

    def slowly(_: Snapshot) -> Sequence[Edit]:
        write_directly(store, "a.md", memory("a", content="of the HQ"))
        return [Edit("a.md", None, memory("a"))]

    assert [error.exit_code for error in change(store, slowly, NO_WAIT).errors] == [75]
    assert contents(store.path) == {"a.md": memory("a", content="of the HQ")}


def test_the_index_has_what_another_wrote_meanwhile(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")

    def slowly(_: Snapshot) -> Sequence[Edit]:
        write_directly(store, "hq.md", memory("hq"))
        write_directly(store, "MEMORY.md", index("a", "hq"))
        return [Edit("b.md", None, memory("b"))]

    outcome = change(store, slowly, NO_WAIT)
    assert outcome.errors == ()
    assert contents(store.path)["MEMORY.md"] == index("a", "b", "hq")


CHANGE = """
ready()
outcome(lambda: change(store(), lambda _: [Edit("b.md", None, given.encode())], Locking()))
"""


def test_an_index_that_another_writes_at_the_same_moment_is_made_anew(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    path = Path(store.path)
    # The first link is that of the new file, the second puts the old index aside.
    inject = "linkat:delay_enter=1000000:when=2"
    with Traced(path, CHANGE, memory("b").decode(), trace="linkat", inject=inject) as traced:
        wait_for(lambda: len(temp_files(path)) == 1 and (path / "b.md").exists() and "MEMORY.md" in traced.log())
        write_directly(store, "hq.md", memory("hq"))
        write_directly(store, "MEMORY.md", b"written by the HQ")
    assert "DELAYED" in traced.log()
    told = traced.told()
    assert (told["errors"], told["index"]) == ([], True)
    assert contents(path)["MEMORY.md"] == index("a", "b", "hq")


def test_an_index_that_cannot_be_written_is_told_and_the_edit_stands(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    path = Path(store.path)
    with Traced(path, CHANGE, memory("b").decode(), trace="linkat", inject="linkat:error=EIO:when=2") as traced:
        pass
    assert "INJECTED" in traced.log()
    assert traced.told() == {
        "done": ["b.md"],
        "index": False,
        "errors": [["IoFailure", 74, "cannot write './MEMORY.md': input/output error"]],
    }
    assert contents(path) == {"a.md": memory("a"), "b.md": memory("b"), "MEMORY.md": b"stale"}


@pytest.mark.parametrize(("times", "written"), [(2, True), (3, False)])
def test_an_index_that_another_writes_again_and_again_is_tried_three_times(
    tmp_path: Path, times: int, written: bool
) -> None:
    store = make_store(tmp_path, "a")

    def happens(path: str) -> None:
        if path.endswith("MEMORY.md") and len(notes.files) <= times + 1:
            write_directly(store, "MEMORY.md", f"theirs {len(notes.files)}".encode())

    notes = Noting(happens)
    outcome = change(store, decide(Edit("b.md", None, memory("b"))), Locking(0, recorder=notes))
    assert notes.names() == ["b.md", "MEMORY.md", "MEMORY.md", "MEMORY.md"]
    assert (outcome.index_changed, [type(error) for error in outcome.errors]) == (written, [] if written else [Busy])
    assert contents(store.path)["MEMORY.md"] == (index("a", "b") if written else b"theirs 4")


def test_an_index_that_may_not_be_written_is_tried_once(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    (tmp_path / "victim").write_bytes(b"stale")

    def happens(path: str) -> None:
        if path.endswith("MEMORY.md"):
            os.unlink(path)
            os.symlink(tmp_path / "victim", path)

    notes = Noting(happens)
    outcome = change(store, decide(Edit("b.md", None, memory("b"))), Locking(0, recorder=notes))
    assert notes.names() == ["b.md", "MEMORY.md"]
    assert [error.message for error in outcome.errors] == [
        f"'{store.path}/MEMORY.md' is a symlink; memctl does not write through it"
    ]
    assert outcome.index_changed is False
    assert (tmp_path / "victim").read_bytes() == b"stale"


@pytest.mark.parametrize("shape", ["directory", "symlink", "dangling", "fifo"])
def test_an_index_that_is_no_file_is_left_alone_and_the_edit_stands(tmp_path: Path, shape: str) -> None:
    store = make_store(tmp_path)
    path = Path(store.path) / "MEMORY.md"
    (tmp_path / "victim").write_bytes(b"victim")
    make: dict[str, Callable[[], None]] = {
        "directory": path.mkdir,
        "symlink": lambda: path.symlink_to(tmp_path / "victim"),
        "dangling": lambda: path.symlink_to(tmp_path / "nothing"),
        "fifo": lambda: os.mkfifo(path),
    }
    make[shape]()
    before = os.lstat(path)
    outcome = change(store, decide(Edit("a.md", None, memory("a"))), NO_WAIT)
    assert [edit.file for edit in outcome.done] == ["a.md"]
    assert [(type(error), error.path) for error in outcome.errors] == [(Protected, str(path))]
    assert os.lstat(path).st_ino == before.st_ino
    assert (tmp_path / "victim").read_bytes() == b"victim"
    assert not (tmp_path / "nothing").exists()
    assert temp_files(store.path) == []


def test_the_files_of_a_killed_run_are_swept_under_the_lock_only(tmp_path: Path) -> None:
    temp = ".memctl-0123456789abcdef"
    store = make_store(tmp_path, "a", files={temp: b"half", "MEMORY.md": index("a")})
    change(store, decide(), Locking(lock=False))
    assert temp in os.listdir(store.path)
    change(store, decide(), NO_WAIT)
    assert contents(store.path) == {"a.md": memory("a"), "MEMORY.md": index("a")}


def test_a_locked_store_is_busy_and_unchanged_but_without_a_lock_it_is_changed(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    with Directory(store.path) as other:
        other.lock(NO_WAIT)
        with pytest.raises(Busy):
            change(store, decide(Edit("a.md", memory("a"), None)), NO_WAIT)
        assert contents(store.path) == {"a.md": memory("a")}
        change(store, decide(Edit("a.md", memory("a"), None)), Locking(lock=False))
        assert contents(store.path) == {"MEMORY.md": index()}


# --- several at once ---


def at_once(programs: list[tuple[str, Any]], path: str) -> list[Any]:
    """Run programs in the directory at the same time, and return what each tells."""
    running = [
        subprocess.Popen(command(code, given), cwd=path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for code, given in programs
    ]
    answers = []
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err.decode()
        answers.append(json.loads(out))
    return answers


CREATE = """
names, text = given
failed = []
for name in names:
    data = text.replace("NAME", name).encode()
    failed += change(store(), lambda _: [Edit(name + ".md", None, data)], Locking(wait=60)).errors
tell([told(error) for error in failed])
"""

# As the HQ: no lock, truncate and write, then the index, from what is there.
HQ = """
names, text = given
for name in names:
    with open(name + ".md", "w") as file:
        file.write(text.replace("NAME", name))
    with open("MEMORY.md", "w") as file:
        file.write(store().read().rendered().text)
tell([])
"""


def test_writers_at_once_lose_no_update_and_one_reindex_makes_the_index_right(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    text = memory("NAME").decode()
    mine = [(CREATE, [[f"w{writer}-{at}" for at in range(12)], text]) for writer in range(5)]
    hq = (HQ, [[f"hq-{at}" for at in range(60)], text])
    errors = [error for answer in at_once([*mine, hq], store.path) for error in answer]
    # The index is the one file that both write: that one may have been taken from under memctl's hands.
    assert {(code, message) for _, code, message in errors} <= {
        (75, "'./MEMORY.md' changed while memctl worked; nothing was overwritten"),
        (75, "'./MEMORY.md' appeared while memctl worked"),
    }
    names = sorted(name for _, (given, _) in [*mine, hq] for name in given)
    assert sorted(entry.stem for entry in store.read().entries) == names
    reindex(store, NO_WAIT)
    snapshot = store.read()
    assert snapshot.index_data == snapshot.rendered().text.encode()
    assert set(contents(store.path)) == {f"{name}.md" for name in names} | {"MEMORY.md"}


REPLACE = """
versions = [text.encode() for text in given]
failed = []
for at in range(150):
    def swap(snapshot):
        (entry,) = snapshot.entries
        return [Edit("a.md", entry.data, versions[entry.data == versions[0]])]
    failed += change(store(), swap, Locking(wait=60)).errors
tell([told(error) for error in failed])
"""

READ = """
seen = set()
for at in range(600):
    found = store().read()
    assert found.errors == [], found.errors
    assert not found.unloaded, found.unloaded
    (entry,) = found.entries
    seen.add(entry.data.decode() in given)
tell(sorted(seen))
"""


def test_readers_beside_writers_see_each_file_whole(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    versions = [memory("a").decode(), memory("a", content="a longer text " * 100).decode()]
    answers = at_once([(REPLACE, versions), (REPLACE, versions), (READ, versions), (READ, versions)], store.path)
    assert answers == [[], [], [True], [True]]
    assert temp_files(store.path) == []


# --- the directory ---


def test_a_missing_directory_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        change(store_at(tmp_path / "memory" / AGENT), decide(), NO_WAIT)


def test_a_missing_directory_is_made_once_the_decision_agrees(tmp_path: Path) -> None:
    store = store_at(tmp_path / "data" / "memory" / AGENT)
    seen: list[Snapshot] = []

    def look(snapshot: Snapshot) -> Sequence[Edit]:
        seen.append(snapshot)
        return [Edit("a.md", None, memory("a"))]

    notes = Noting()
    change(store, look, Locking(0, recorder=notes), create=True)
    assert contents(store.path) == {"a.md": memory("a"), "MEMORY.md": index("a")}
    # Both times it is asked about a store with nothing in it.
    assert seen == [Snapshot([], [], None, [], [])] * 2
    assert notes.asked == ["ready"]


def test_a_missing_directory_stays_so_where_the_decision_refuses(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        change(store_at(tmp_path / "data" / "memory" / AGENT), refuse, NO_WAIT, create=True)
    assert os.listdir(tmp_path) == []


def test_a_missing_directory_stays_so_where_there_is_nothing_to_edit(tmp_path: Path) -> None:
    outcome = change(store_at(tmp_path / "data" / "memory" / AGENT), decide(), NO_WAIT, create=True)
    assert (outcome.done, outcome.index_changed, outcome.errors) == ((), False, ())
    assert os.listdir(tmp_path) == []


# --- the index alone ---


@pytest.mark.parametrize("before", [None, b"", b"stale", index("a") + b"\n"])
def test_an_index_is_written_where_it_differs(tmp_path: Path, before: bytes | None) -> None:
    store = make_store(tmp_path, "a", files={} if before is None else {"MEMORY.md": before})
    snapshot, changed = reindex(store, NO_WAIT)
    assert (changed, snapshot.index_data) == (True, before)
    assert contents(store.path) == {"a.md": memory("a"), "MEMORY.md": index("a")}
    assert reindex(store, NO_WAIT)[1] is False


def test_an_index_of_a_missing_directory_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        reindex(store_at(tmp_path / "memory" / AGENT), NO_WAIT)
    assert os.listdir(tmp_path) == []


# --- removals ---


def test_a_removal_holds_what_was_read(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"bad.md": b"bad"})
    snapshot = store.read()
    assert removal(store, snapshot.entries[0]) == Edit("a.md", memory("a"), None)
    assert removal(store, snapshot.unloaded[0]) == Edit("bad.md", b"bad", None)


@pytest.mark.parametrize("target", ["a.md", "nothing", "odd-\udcff"])
def test_a_removal_of_a_symlink_holds_its_target(tmp_path: Path, target: str) -> None:
    store = make_store(tmp_path, "a")
    os.symlink(target, f"{store.path}/link.md")
    snapshot = store.read()
    (file,) = [file for file in [*snapshot.entries, *snapshot.unloaded] if file.file == "link.md"]
    edit = removal(store, file)
    assert edit == Edit("link.md", os.fsencode(target), None, link=True)
    assert change(store, decide(edit), NO_WAIT).errors == ()
    assert contents(store.path) == {"a.md": memory("a"), "MEMORY.md": index("a")}


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_neither_a_file_nor_a_symlink_is_not_removed(tmp_path: Path, make: Callable[[str], None]) -> None:
    store = make_store(tmp_path)
    make(f"{store.path}/x.md")
    (file,) = store.read().unloaded
    with pytest.raises(Protected) as caught:
        removal(store, file)
    path = f"{store.path}/x.md"
    message = f"memctl removes only files that it can read, not '{path}' ({file.problem.reason})"
    assert (caught.value.message, caught.value.path) == (message, path)


@needs_root
def test_a_file_that_cannot_be_read_is_not_removed(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    os.chmod(f"{store.path}/a.md", 0)
    told = run("outcome(lambda: removal(store(), store().read().unloaded[0]))", cwd=store.path, uid=NOBODY)
    message = "memctl removes only files that it can read, not './a.md' (unreadable: permission denied)"
    assert told["errors"] == [["Protected", 77, message]]


def test_errors_of_a_change_are_those_of_memctl(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    outcome = change(store, decide(Edit("no-such/x.md", None, b"")), NO_WAIT)
    assert all(isinstance(error, MemctlError) for error in outcome.errors)
    assert [error.exit_code for error in outcome.errors] == [74]
