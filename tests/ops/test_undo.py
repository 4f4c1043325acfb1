"""`undo` and `redo`: what comes back, byte for byte, and only where nobody else has written since."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memctl.disk.change import change, reindex
from memctl.disk.files import Directory
from memctl.disk.history import History
from memctl.disk.history_file import open_history
from memctl.disk.history_tables import Begun, Origin
from memctl.disk.images import Edit, Image
from memctl.disk.locking import FileChange, Locking
from memctl.disk.recorder import Recorder
from memctl.disk.single_file import append_file, write_file
from memctl.disk.stores import DirectoryStore
from memctl.errors import Busy, NotFound, Protected
from memctl.ops.undo import (
    Place,
    Undone,
    UndoPlan,
    apply_undo,
    choose_redo,
    choose_undo,
    original_of,
    plan_undo,
    require_stopped_hq,
    seen_elsewhere,
)
from tests.disk.test_files import Traced
from tests.stores import (
    NO_WAIT,
    NOBODY,
    contents,
    env_of,
    fill,
    index,
    make_store,
    memory,
    needs_root,
    register,
    store_at,
    temp_files,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ME = Origin("alice", 1000, "host", "7")


def opened(folder: Path) -> History:
    found = open_history(str(folder / "state"), wait=5, create=True, warn=print)
    assert found is not None
    return found


class Changing:
    """A change that is recorded, for the `with` block."""

    def __init__(self, folder: Path, *, origin: Origin = ME, kind: str = "change", target: int | None = None) -> None:
        self.recorder = Recorder(lambda: opened(folder), origin, "memctl test", NOW, kind=kind, target=target)
        self.locking = Locking(0, recorder=self.recorder)
        self.id = 0

    def __enter__(self) -> Changing:
        return self

    def __exit__(self, *_: object) -> None:
        self.id = self.recorder.finish(days=9999, size=10**9) or 0


def edit(folder: Path, store: DirectoryStore, *edits: Edit) -> int:
    with Changing(folder) as made:
        change(store, lambda _: edits, made.locking)
    return made.id


def plan(folder: Path, number: int) -> UndoPlan:
    with opened(folder) as history:
        return plan_undo(history.change(number))


def undo(folder: Path, number: int, *, force: bool = False) -> tuple[Undone, int]:
    """Take a change back, which is a change itself."""
    found = plan(folder, number)
    with Changing(folder, kind="undo", target=number) as made:
        undone = apply_undo(found, made.locking, force=force)
    return undone, made.id


def states(found: UndoPlan) -> dict[str, str]:
    return {os.path.basename(restore.file.path): restore.state for restore in found.restores}


# What comes back


@pytest.mark.parametrize(
    "edits",
    [
        [Edit("a.md", memory("a"), memory("a", content="new", description="other"))],
        [Edit("a.md", memory("a"), None)],
        [Edit("c.md", None, memory("c"))],
        [Edit("a.md", memory("a"), None), Edit("b.md", memory("b"), b"\xff\0"), Edit("c.md", None, b"")],
    ],
    ids=["edit", "delete", "create", "several"],
)
@pytest.mark.parametrize("stale", [None, b"stale\xff", index("a", "b")])
def test_every_byte_comes_back_the_index_too(tmp_path: Path, edits: list[Edit], stale: bytes | None) -> None:
    store = make_store(tmp_path, "a", "b", files={} if stale is None else {"MEMORY.md": stale})
    before = contents(store.path)
    number = edit(tmp_path, store, *edits)
    after = contents(store.path)
    assert after != before
    undone, again = undo(tmp_path, number)
    assert undone.errors == ()
    assert contents(store.path) == before
    undone, _ = undo(tmp_path, again)
    assert undone.errors == ()
    assert contents(store.path) == after


def test_a_symlink_comes_back_and_goes_again(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    (tmp_path / "aim.md").write_bytes(memory("aim"))
    link = Path(store.path) / "link.md"
    link.symlink_to(tmp_path / "aim.md")
    number = edit(tmp_path, store, Edit("link.md", os.fsencode(tmp_path / "aim.md"), None, link=True))
    assert not link.is_symlink()
    _, again = undo(tmp_path, number)
    assert os.readlink(link) == str(tmp_path / "aim.md")
    undo(tmp_path, again)
    assert not link.is_symlink()
    assert (tmp_path / "aim.md").read_bytes() == memory("aim")


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_the_mode_comes_back(tmp_path: Path, umask: int) -> None:
    store = make_store(tmp_path, "a")
    path = Path(store.path) / "a.md"
    path.chmod(0o604)
    number = edit(tmp_path, store, Edit("a.md", memory("a"), None))
    old = os.umask(umask)
    try:
        undo(tmp_path, number)
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@needs_root
@pytest.mark.parametrize("shape", ["file", "link"])
def test_the_owner_comes_back(tmp_path: Path, shape: str) -> None:
    store = make_store(tmp_path, "a")
    path = Path(store.path) / "x.md"
    removal = Edit("x.md", b"data", None)
    if shape == "link":
        path.symlink_to("a.md")
        removal = Edit("x.md", b"a.md", None, link=True)
    else:
        path.write_bytes(b"data")
    os.chown(path, 1234, 4321, follow_symlinks=False)
    number = edit(tmp_path, store, removal)
    undo(tmp_path, number)
    assert (path.lstat().st_uid, path.lstat().st_gid) == (1234, 4321)


@needs_root
def test_the_owner_of_an_edited_file_comes_back_though_it_was_changed(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    path = Path(store.path) / "a.md"
    os.chown(path, NOBODY, NOBODY)
    number = edit(tmp_path, store, Edit("a.md", memory("a"), b"new"))
    os.chown(path, 0, 0)
    undo(tmp_path, number)
    assert path.stat().st_uid == NOBODY


def test_an_index_that_others_changed_is_rendered(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    number = edit(tmp_path, store, Edit("b.md", None, memory("b")))
    fill(Path(store.path), {"hq.md": memory("hq"), "MEMORY.md": index("a", "b", "hq")})
    undone, _ = undo(tmp_path, number)
    assert undone.errors == ()
    assert contents(store.path) == {"a.md": memory("a"), "hq.md": memory("hq"), "MEMORY.md": index("a", "hq")}


def test_a_reindex_comes_back(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    with Changing(tmp_path) as made:
        reindex(store, made.locking)
    assert contents(store.path)["MEMORY.md"] == index("a")
    undo(tmp_path, made.id)
    assert contents(store.path)["MEMORY.md"] == b"stale"


def test_several_stores_come_back_together(tmp_path: Path) -> None:
    stores = [make_store(tmp_path / name, "a", "b") for name in "xyz"]
    before = [contents(store.path) for store in stores]
    with Changing(tmp_path) as made:
        for store in stores:
            change(store, lambda _: [Edit("a.md", memory("a"), None)], made.locking)
    undone, _ = undo(tmp_path, made.id)
    assert undone.errors == ()
    assert [contents(store.path) for store in stores] == before


def test_a_store_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    stores = [make_store(tmp_path / name, "a", "b") for name in "xy"]
    with Changing(tmp_path) as made:
        for store in stores:
            change(store, lambda _: [Edit("a.md", memory("a"), None)], made.locking)
    with Directory(stores[0].path) as other:
        other.lock(NO_WAIT)
        undone, _ = undo(tmp_path, made.id)
    assert [type(error) for error in undone.errors] == [Busy]
    assert [os.path.exists(f"{store.path}/a.md") for store in stores] == [False, True]
    undone, _ = undo(tmp_path, made.id)
    assert undone.errors == ()
    assert os.path.exists(f"{stores[0].path}/a.md")


def test_an_index_that_cannot_come_back_is_an_error_and_the_files_are_said(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b", files={"MEMORY.md": index("a", "b")})
    number = edit(tmp_path, store, Edit("a.md", memory("a"), None))
    found = plan(tmp_path, number)
    os.unlink(f"{store.path}/MEMORY.md")
    undone = apply_undo(found, NO_WAIT, force=False)
    assert [os.path.basename(restore.file.path) for restore in undone.files] == ["a.md"]
    assert [type(error) for error in undone.errors] == [Busy]


def test_a_file_that_one_command_changed_twice_comes_back(tmp_path: Path) -> None:
    path = fill(tmp_path / "user", {"memory.md": b"- first\n"}) / "memory.md"
    with Changing(tmp_path) as made:
        for line in (b"- one\n", b"- two\n", b"- one\n"):
            append_file(str(path), line, made.locking, store="@user")
    undone, again = undo(tmp_path, made.id)
    assert undone.errors == ()
    assert path.read_bytes() == b"- first\n"
    undo(tmp_path, again)
    assert path.read_bytes() == b"- first\n- one\n- two\n- one\n"


# A note


def remembered(folder: Path, before: bytes | None, line: bytes = b"- ours\n") -> tuple[Path, int]:
    path = fill(folder / "user", {} if before is None else {"memory.md": before}) / "memory.md"
    with Changing(folder) as made:
        append_file(str(path), line, made.locking, store="@user")
    return path, made.id


@pytest.mark.parametrize("before", [None, b"", b"- first\n", b"- first", b"\xff\0", b"- ours\n", b"- ours"])
def test_a_note_goes_byte_for_byte(tmp_path: Path, before: bytes | None) -> None:
    path, number = remembered(tmp_path, before)
    undone, _ = undo(tmp_path, number)
    assert undone.errors == ()
    assert (path.read_bytes() if path.exists() else None) == before


@pytest.mark.parametrize("before", [None, b"- first\n", b"- first", b"- ours\n"])
def test_of_what_others_appended_since_nothing_goes(tmp_path: Path, before: bytes | None) -> None:
    path, number = remembered(tmp_path, before)
    with path.open("ab") as other:
        other.write(b"- theirs\n")
    undone, _ = undo(tmp_path, number)
    assert undone.errors == ()
    end = b"\n" if before and not before.endswith(b"\n") else b""
    assert path.read_bytes() == (before or b"") + end + b"- theirs\n"


def test_a_note_goes_though_others_took_out_theirs(tmp_path: Path) -> None:
    path, number = remembered(tmp_path, b"- first\n- second\n")
    path.write_bytes(b"- second\n- ours\n- third\n")
    undo(tmp_path, number)
    assert path.read_bytes() == b"- second\n- third\n"


@pytest.mark.parametrize("now", [b"- theirs\n", b"- first\n- ours and theirs\n", b"x- ours\n", b"- ours\nx\n- ours\n"])
def test_a_note_that_cannot_be_told_is_left_alone(tmp_path: Path, now: bytes) -> None:
    path, number = remembered(tmp_path, b"- first\n")
    path.write_bytes(now)
    with pytest.raises(Busy):
        undo(tmp_path, number)
    assert path.read_bytes() == now


def test_what_was_appended_to_a_new_memory_does_not_stay_alone(tmp_path: Path) -> None:
    # Only notes are lines: of any other file the whole is memctl's, or it is not touched.
    store = make_store(tmp_path, "a")
    number = edit(tmp_path, store, Edit("b.md", None, memory("b")))
    fill(Path(store.path), {"b.md": memory("b") + b"theirs\n"})
    assert states(plan(tmp_path, number))["b.md"] == "changed"
    with pytest.raises(Busy):
        undo(tmp_path, number)


@pytest.mark.parametrize("address", ["@user", ""])
def test_a_file_named_as_an_index_that_is_no_agents_is_never_rendered(tmp_path: Path, address: str) -> None:
    # The user memory may have that name, and the global file of CodeWhale's native tree has it.
    path = fill(tmp_path / "global", {}) / "MEMORY.md"
    with Changing(tmp_path) as made:
        write_file(str(path), None, b"- imported\n", made.locking, store=address)
    path.write_bytes(b"- rewritten by CodeWhale\n")
    with pytest.raises(Busy):
        undo(tmp_path, made.id)
    assert path.read_bytes() == b"- rewritten by CodeWhale\n"


# Changed since


def test_what_changed_since_stops_all_and_is_named(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    number = edit(tmp_path, store, Edit("a.md", memory("a"), b"new"), Edit("b.md", memory("b"), None))
    fill(Path(store.path), {"a.md": b"theirs"})
    before = contents(store.path)
    with pytest.raises(Busy, match=r"changed since memctl wrote it: .*/a.md; nothing was taken back") as caught:
        undo(tmp_path, number)
    assert "--force" in (caught.value.hint or "")
    assert contents(store.path) == before


def test_force_overwrites_and_the_undo_of_it_brings_back_what_was_there(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b", files={"MEMORY.md": index("a", "b")})
    before = contents(store.path)
    number = edit(tmp_path, store, Edit("a.md", memory("a"), b"new"), Edit("b.md", memory("b"), None))
    fill(Path(store.path), {"a.md": b"theirs", "b.md": b"new here"})
    there = contents(store.path)
    undone, again = undo(tmp_path, number, force=True)
    assert undone.errors == ()
    assert contents(store.path) == before
    undone, _ = undo(tmp_path, again)
    assert undone.errors == ()
    assert contents(store.path) == there


@pytest.mark.parametrize("was", ["file", "link"])
def test_force_puts_a_link_for_a_file_and_a_file_for_a_link(tmp_path: Path, was: str) -> None:
    store = make_store(tmp_path, "a")
    path = Path(store.path) / "x.md"

    def link() -> None:
        path.symlink_to("a.md")

    def write() -> None:
        path.write_bytes(b"data")

    (link if was == "link" else write)()
    number = edit(tmp_path, store, Edit("x.md", b"a.md" if was == "link" else b"data", None, link=was == "link"))
    (write if was == "link" else link)()
    undone, again = undo(tmp_path, number, force=True)
    assert undone.errors == ()
    assert path.is_symlink() is (was == "link")
    undone, _ = undo(tmp_path, again)
    assert undone.errors == ()
    assert path.is_symlink() is (was == "file")
    assert Path(store.path, "a.md").read_bytes() == memory("a")


def test_a_file_that_changes_between_plan_and_undo_is_left_alone(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    number = edit(tmp_path, store, Edit("a.md", memory("a"), b"new"))
    found = plan(tmp_path, number)
    fill(Path(store.path), {"a.md": b"theirs"})
    undone = apply_undo(found, NO_WAIT, force=False)
    assert [type(error) for error in undone.errors] == [Busy]
    assert contents(store.path)["a.md"] == b"theirs"


def test_what_is_as_it_was_already_is_not_written(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": index("a")})
    number = edit(tmp_path, store, Edit("a.md", memory("a"), memory("a", content="new")))
    fill(Path(store.path), {"a.md": memory("a")})
    mtime = os.stat(f"{store.path}/a.md").st_mtime_ns
    undone, made = undo(tmp_path, number)
    assert (undone.files, undone.errors, made) == ((), (), 0)
    assert os.stat(f"{store.path}/a.md").st_mtime_ns == mtime


def test_a_file_whose_change_failed_is_not_looked_at(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    number = edit(tmp_path, store, Edit("a.md", b"not this", None), Edit("b.md", memory("b"), None))
    assert "a.md" not in states(plan(tmp_path, number))


def test_an_interrupted_change_leaves_the_stale_index_of_before(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    before = contents(store.path)
    number = edit(tmp_path, store, Edit("a.md", memory("a"), memory("a", description="new")))
    fill(Path(store.path), {"MEMORY.md": b"stale"})  # killed before the index was written
    undone, _ = undo(tmp_path, number)
    assert undone.errors == ()
    assert contents(store.path) == before


def test_the_temp_file_of_a_killed_run_goes(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    number = edit(tmp_path, store, Edit("a.md", memory("a"), None))
    fill(Path(store.path), {".memctl-0123456789abcdef": memory("a"), ".memctl-notes.md": b"theirs"})
    undo(tmp_path, number)
    assert temp_files(store.path) == [".memctl-notes.md"]


def test_where_a_directory_is_gone_the_others_come_back_and_force_makes_it_anew(tmp_path: Path) -> None:
    stores = [make_store(tmp_path / name, "a", files={"MEMORY.md": index("a")}) for name in "xy"]
    before = [contents(store.path) for store in stores]
    with Changing(tmp_path) as made:
        for store in stores:
            change(store, lambda _: [Edit("a.md", memory("a"), None)], made.locking)
    for name in os.listdir(stores[0].path):
        os.unlink(f"{stores[0].path}/{name}")
    os.rmdir(stores[0].path)
    undone, _ = undo(tmp_path, made.id)
    assert [(type(error), error.path, error.hint) for error in undone.errors] == [
        (NotFound, stores[0].path, "--force makes it anew")
    ]
    assert contents(stores[1].path) == before[1]
    undone, _ = undo(tmp_path, made.id, force=True)
    assert undone.errors == ()
    assert [contents(store.path) for store in stores] == before


@pytest.mark.parametrize("shape", ["directory", "fifo"])
@pytest.mark.parametrize("way", ["delete", "create"])
def test_what_is_no_file_now_has_changed_and_is_never_overwritten(tmp_path: Path, shape: str, way: str) -> None:
    store = make_store(tmp_path, "a", "b")
    x = Path(store.path) / "x.md"
    if way == "delete":
        x.write_bytes(memory("x"))
    removal = Edit("x.md", memory("x"), None) if way == "delete" else Edit("x.md", None, memory("x"))
    number = edit(tmp_path, store, removal, Edit("b.md", memory("b"), None))
    x.unlink(missing_ok=True)
    os.mkdir(x) if shape == "directory" else os.mkfifo(x)
    with pytest.raises(Busy, match=r"changed since memctl wrote it: .*/x.md"):
        undo(tmp_path, number)
    undone, _ = undo(tmp_path, number, force=True)
    assert [type(error) for error in undone.errors] == [Busy]
    assert not x.is_file()
    assert Path(store.path, "b.md").read_bytes() == memory("b")


# What cannot be reached, or is reached by another way than then


def two_stores(tmp_path: Path) -> tuple[DirectoryStore, DirectoryStore, int]:
    """Return two stores of which a memory was removed by one change, and its number."""
    first, second = (make_store(tmp_path / name, "a", "b") for name in "xy")
    with Changing(tmp_path) as made:
        for store in (first, second):
            change(store, lambda _: [Edit("a.md", memory("a"), None)], made.locking)
    return first, second, made.id


def test_a_directory_that_cannot_be_read_is_an_error_and_the_others_come_back(tmp_path: Path) -> None:
    first, second, number = two_stores(tmp_path)
    os.rename(second.path, f"{second.path}.away")
    Path(second.path).write_bytes(b"no directory")
    found = plan(tmp_path, number)
    assert [error.message for error in found.errors] == [f"cannot read '{second.path}': not a directory"]
    undone, _ = undo(tmp_path, number)
    assert [error.message for error in undone.errors] == [error.message for error in found.errors]
    assert contents(first.path)["a.md"] == memory("a")
    # Once it can be read the rest comes back.
    os.unlink(second.path)
    os.rename(f"{second.path}.away", second.path)
    undone, _ = undo(tmp_path, number)
    assert undone.errors == ()
    assert contents(second.path)["a.md"] == memory("a")


def test_a_directory_that_is_a_link_by_now_is_left_alone_and_the_others_come_back(tmp_path: Path) -> None:
    first, second, number = two_stores(tmp_path)
    elsewhere = fill(tmp_path / "elsewhere", contents(second.path))
    os.rename(second.path, f"{second.path}.away")
    os.symlink(elsewhere, second.path)
    before = contents(elsewhere)
    undone, _ = undo(tmp_path, number)
    (error,) = undone.errors
    assert error.exit_code == 77
    assert contents(elsewhere) == before
    assert contents(first.path)["a.md"] == memory("a")


@needs_root
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("gone", [False, True])
def test_root_takes_nothing_back_through_a_link_that_somebody_else_made_since(
    tmp_path: Path, force: bool, gone: bool
) -> None:
    _, second, number = two_stores(tmp_path)
    data = tmp_path / "y"
    elsewhere = fill(tmp_path / "elsewhere", {})
    if not gone:
        fill(elsewhere / os.path.relpath(second.path, data), contents(second.path))
    os.rename(data, tmp_path / "away")
    data.symlink_to(elsewhere)
    os.chown(data, NOBODY, NOBODY, follow_symlinks=False)
    before = sorted(elsewhere.rglob("*"))
    undone, _ = undo(tmp_path, number, force=force)
    assert {type(error) for error in undone.errors} == {Protected}
    assert sorted(elsewhere.rglob("*")) == before


def test_a_link_on_the_way_to_ones_own_store_is_followed(tmp_path: Path) -> None:
    _, second, number = two_stores(tmp_path)
    os.rename(tmp_path / "y", tmp_path / "moved")
    (tmp_path / "y").symlink_to("moved")
    undone, _ = undo(tmp_path, number)
    assert undone.errors == ()
    assert contents(second.path)["a.md"] == memory("a")


# What others did


def place(folder: Path, user: str) -> Place:
    return Place(user, str(folder / "state"), f"sudo -u {user}")


def test_the_newest_change_of_another_user_in_these_stores_is_named(tmp_path: Path) -> None:
    with opened(tmp_path) as history:
        for path in ("/data/memory/a/x.md", "/data/memory/a/y.md", "/elsewhere/memory/a/x.md"):
            before, after = Image(b"x"), Image(b"y")
            history.intend(None, Begun(ME, f"memctl edit {path}", NOW), [FileChange("a", path, before, after)])
        history.mark_undone(2, 3)
    assert seen_elsewhere([place(tmp_path, "bob")], ["/none/", "/data/memory/"]) == [
        "that of 'bob' holds change 1 ('memctl edit /data/memory/a/x.md'): sudo -u bob memctl undo 1"
    ]
    assert seen_elsewhere([place(tmp_path, "bob")], ["/none/"]) == []


def test_where_others_keep_no_history_nothing_is_said(tmp_path: Path) -> None:
    assert seen_elsewhere([place(tmp_path, "bob")], ["/"]) == []


def test_a_history_that_cannot_be_looked_at_is_said(tmp_path: Path) -> None:
    fill(tmp_path / "state", {"history.db": b"no database" * 1000})
    assert seen_elsewhere([place(tmp_path, "bob")], ["/"]) == [
        "the history of 'bob' cannot be read here: sudo -u bob memctl history"
    ]
    assert os.listdir(tmp_path / "state") == ["history.db"]


# Which change


def add(history: History, origin: Origin = ME, kind: str = "change", target: int | None = None) -> int:
    return history.intend(None, Begun(origin, f"memctl {kind}", NOW, kind, target), [])[0]


def test_the_newest_of_this_session_is_taken_and_then_the_one_before(tmp_path: Path) -> None:
    with opened(tmp_path) as history:
        first, second = add(history), add(history)
        for session in (ME._replace(session="8"), ME._replace(host="other"), ME._replace(uid=0)):
            add(history, session)
        assert choose_undo(history, ME, None).id == second
        history.mark_undone(second, add(history, kind="undo", target=second))
        assert choose_undo(history, ME, None).id == first


def test_where_there_is_nothing_the_newest_of_the_others_is_named(tmp_path: Path) -> None:
    with opened(tmp_path) as history:
        with pytest.raises(NotFound, match="nothing to undo in this login session") as caught:
            choose_undo(history, ME, None)
        assert caught.value.hint == "memctl history lists the changes"
        add(history, ME._replace(session="cron"))
        with pytest.raises(NotFound) as caught:
            choose_undo(history, ME, None)
        assert caught.value.hint == "the newest of another session is 1 ('memctl change'): memctl undo 1"
        add(history, Origin("root", 0, "host", "cron"))
        with pytest.raises(NotFound) as caught:
            choose_undo(history, ME, None)
        assert caught.value.hint == "the newest is 2 by 'root' ('memctl change'), and only that user can take it back"


def test_a_change_of_another_session_goes_by_its_id_and_one_of_another_user_does_not(tmp_path: Path) -> None:
    with opened(tmp_path) as history:
        cron, other = add(history, ME._replace(session="cron")), add(history, Origin("root", 0, "host", "7"))
        assert choose_undo(history, ME, cron).id == cron
        with pytest.raises(Protected, match="made by 'root'"):
            choose_undo(history, ME, other)


def test_what_was_taken_back_is_not_taken_back_again(tmp_path: Path) -> None:
    with opened(tmp_path) as history:
        number = add(history)
        history.mark_undone(number, add(history, kind="undo", target=number))
        with pytest.raises(NotFound, match="taken back already, by change 2"):
            choose_undo(history, ME, number)


def test_of_a_change_that_was_done_again_its_redo_is_taken_back(tmp_path: Path) -> None:
    with opened(tmp_path) as history:
        number = add(history)
        add(history, kind="undo", target=number)
        redo = add(history, kind="redo", target=number)
        assert choose_undo(history, ME, number).id == redo
        history.mark_undone(redo, add(history, kind="undo", target=number))
        history.mark_undone(number, 4)
        with pytest.raises(NotFound, match="taken back already"):
            choose_undo(history, ME, number)


def test_redo_takes_the_newest_undo_and_a_new_change_ends_it(tmp_path: Path) -> None:
    with opened(tmp_path) as history:
        with pytest.raises(NotFound, match="nothing to redo"):
            choose_redo(history, ME)
        first, second = add(history), add(history)
        undo_second = add(history, kind="undo", target=second)
        undo_first = add(history, kind="undo", target=first)
        assert [one.id for one in choose_redo(history, ME)] == [undo_first, first]
        history.mark_undone(undo_first, add(history, kind="redo", target=first))
        assert [one.id for one in choose_redo(history, ME)] == [undo_second, second]
        add(history, ME._replace(session="cron"))
        assert choose_redo(history, ME)[0].id == undo_second
        add(history)
        with pytest.raises(NotFound, match="nothing to redo"):
            choose_redo(history, ME)


def test_an_undo_whose_change_was_forgotten_stands_for_it(tmp_path: Path) -> None:
    with opened(tmp_path) as history:
        number = add(history)
        undone = add(history, kind="undo", target=number)
        assert original_of(history, history.change(undone)).id == number
        history.forget(number)
        assert original_of(history, history.change(undone)).id == undone


def test_a_registry_does_not_come_back_while_it_cannot_be_told_whether_its_hq_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memctl.disk.hq_api import HqStopped, HqUnknown
    from memctl.ops import undo as module

    register(tmp_path / "data", {"id": "aaaa1111"})
    path = tmp_path / "data/agents.json"
    with Changing(tmp_path) as made:
        write_file(str(path), path.read_bytes(), b"[]", made.locking)
    found = plan(tmp_path, made.id)
    monkeypatch.setattr(module, "find_hq", lambda *_: HqUnknown("nobody knows"))
    with pytest.raises(Busy, match="belongs to an HQ"):
        require_stopped_hq(found, env_of(tmp_path), lambda _: None)
    monkeypatch.setattr(module, "find_hq", lambda *_: HqStopped("no HQ answers"))
    require_stopped_hq(found, env_of(tmp_path), lambda _: None)


# Killed while it undoes

UNDOING = """
import sqlite3, zlib, hashlib
from datetime import datetime, UTC
from memctl.disk.history_file import open_history
from memctl.disk.history_tables import Origin
from memctl.disk.recorder import Recorder
from memctl.ops.undo import apply_undo, plan_undo
def opened():
    return open_history("../state", wait=5, create=True, warn=print)
with opened() as history:
    found = plan_undo(history.change(1))
recorder = Recorder(opened, Origin("alice", 1000, "host", "7"), "memctl undo", datetime.now(UTC), kind="undo", target=1)
ready()
apply_undo(found, Locking(0, recorder=recorder), force=False)
recorder.finish(days=9999, size=10**9)
"""


@pytest.mark.parametrize("call", ["linkat", "renameat", "unlinkat", "fdatasync", "pwrite64"])
def test_an_undo_that_is_killed_can_be_done_again(tmp_path: Path, call: str) -> None:
    old = {"a.md": memory("a"), "b.md": memory("b"), "MEMORY.md": b"stale"}
    for at in (1, 2, 3, 4):
        folder = tmp_path / str(at)
        store = store_at(fill(folder / "memory/agent", old))
        edits = [Edit("a.md", memory("a"), b"new"), Edit("b.md", memory("b"), None), Edit("c.md", None, memory("c"))]
        number = edit(folder, store, *edits)
        os.symlink("../state", folder / "memory/state")
        with Traced(Path(store.path), UNDOING, trace=call, inject=f"{call}:signal=KILL:when={at}") as traced:
            pass
        if traced.process.returncode == 0:
            assert at > 1  # there are not so many calls
            break
        undone, _ = undo(folder, number)
        assert undone.errors == (), (call, at)
        assert contents(store.path) == old, (call, at)


def test_a_change_whose_files_all_failed_is_not_taken_back(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    stands = edit(tmp_path, store, Edit("a.md", Path(store.path, "a.md").read_bytes(), None))
    edit(tmp_path, store, Edit("b.md", b"not what is there", None))
    with opened(tmp_path) as history:
        assert choose_undo(history, ME, None).id == stands
