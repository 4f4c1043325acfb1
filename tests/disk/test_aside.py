"""What a killed run leaves is judged before it goes: nobody's text is lost with it, and nothing piles up."""

from __future__ import annotations

import os
import re
import signal
import struct
from pathlib import Path

import pytest

from memctl.disk.aside import TEMP_PREFIX, aside_name, aside_of, is_temp_name
from memctl.disk.change import change, reindex
from memctl.disk.files import Directory
from memctl.disk.images import Edit
from memctl.disk.locking import Locking
from memctl.disk.single_file import append_file, write_file
from memctl.errors import MemctlError
from tests.disk.test_files import CHANGE, CHANGES, NEW, OLD, Traced, fresh, open_at, text_of, wait_for
from tests.disk.test_history import PREPARE, opened
from tests.stores import NO_WAIT, contents, fill, index, make_store, memory, run, store_at, temp_files

THEIRS = b"of another"


def swept(folder: Path) -> list[str]:
    told: list[str] = []
    with open_at(folder) as directory:
        directory.lock(NO_WAIT)
        directory.sweep(directory.names(), told.append)
    return told


@pytest.mark.parametrize("name", ["x.md", "-", "~", "a-b~", "\udcff\n.md", "k" * 212, "k" * 300, "é" * 106])
def test_the_name_of_what_is_put_aside_says_what_it_was(name: str) -> None:
    written = aside_name(name, OLD)
    assert len(os.fsencode(written)) <= 255
    assert not written.endswith(".md")
    assert not is_temp_name(written)
    aside = aside_of(written)
    assert aside is not None
    assert aside.file == (name if len(os.fsencode(name)) <= 212 else "")
    assert aside.digest != getattr(aside_of(aside_name(name, NEW)), "digest", None)


@pytest.mark.parametrize(
    "name",
    [
        f"{TEMP_PREFIX}{'0' * 16}",
        f"{TEMP_PREFIX}{'0' * 16}-{'0' * 16}-x.md",
        f"{TEMP_PREFIX}{'0' * 16}-{'0' * 15}g-x.md~",
        f"{TEMP_PREFIX}{'0' * 16}-{'0' * 17}-x.md~",
        f"{TEMP_PREFIX}{'0' * 15}g-{'0' * 16}-x.md~",
        f"{TEMP_PREFIX}{'0' * 16}-x.md~",
        ".memctl-notes.md~",
        "x.md~",
    ],
)
def test_a_name_of_somebody_else_is_not_taken_for_one(tmp_path: Path, name: str) -> None:
    assert aside_of(name) is None
    fill(tmp_path, {name: THEIRS, "x.md": NEW})
    assert swept(tmp_path) == []
    assert contents(tmp_path) == {"x.md": NEW} | ({} if is_temp_name(name) else {name: THEIRS})


@pytest.mark.parametrize("now", [NEW, None, OLD, b"written since"])
def test_what_memctl_had_read_is_dropped(tmp_path: Path, now: bytes | None) -> None:
    there = {} if now is None else {"x.md": now}
    fill(tmp_path, there | {aside_name("x.md", OLD): OLD})
    assert swept(tmp_path) == []
    assert contents(tmp_path) == there


def test_what_has_its_name_still_is_dropped(tmp_path: Path) -> None:
    fill(tmp_path, {"x.md": THEIRS})
    os.link(tmp_path / "x.md", tmp_path / aside_name("x.md", OLD))
    fill(tmp_path, {"y.md": THEIRS, aside_name("y.md", OLD): THEIRS})
    assert swept(tmp_path) == []
    assert contents(tmp_path) == {"x.md": THEIRS, "y.md": THEIRS}


def test_what_another_wrote_gets_its_name_back(tmp_path: Path) -> None:
    fill(tmp_path, {aside_name("x.md", OLD): THEIRS})
    assert swept(tmp_path) == [f"what another program wrote while memctl was killed is kept in '{tmp_path}/x.md'"]
    assert contents(tmp_path) == {"x.md": THEIRS}
    assert swept(tmp_path) == []


@pytest.mark.parametrize(("name", "start"), [("x.md", "x.md"), ("k" * 212, "k" * 212), ("k" * 240, "memctl")])
def test_what_another_wrote_is_kept_beside_a_newer_one(tmp_path: Path, name: str, start: str) -> None:
    fill(tmp_path, {name: NEW, aside_name(name, OLD): THEIRS})
    (told,) = swept(tmp_path)
    after = contents(tmp_path)
    assert after.pop(name) == NEW
    ((kept, data),) = after.items()
    assert re.fullmatch(rf"{start}\.conflict-[0-9a-f]{{8}}", kept)
    assert data == THEIRS
    assert told.endswith(f" is kept in '{tmp_path}/{kept}'")
    assert swept(tmp_path) == []


def test_a_link_that_was_put_aside_is_judged_by_its_target(tmp_path: Path) -> None:
    (tmp_path / aside_name("x.md", b"target")).symlink_to("target")
    (tmp_path / aside_name("y.md", b"target")).symlink_to("another")
    swept(tmp_path)
    assert os.listdir(tmp_path) == ["y.md"]
    assert os.readlink(tmp_path / "y.md") == "another"


def test_what_cannot_be_read_stays(tmp_path: Path) -> None:
    name = aside_name("x.md", OLD)
    (tmp_path / name).mkdir()
    assert swept(tmp_path) == []
    assert os.listdir(tmp_path) == [name]


def test_what_somebody_still_writes_stays_until_the_next_time(tmp_path: Path) -> None:
    name = aside_name("x.md", OLD)
    fill(tmp_path, {"x.md": NEW, name: OLD})
    with (tmp_path / name).open("ab", buffering=0) as writer:
        assert swept(tmp_path) == []
        assert (tmp_path / name).exists()
        writer.write(b"more")
    assert len(swept(tmp_path)) == 1
    after = contents(tmp_path)
    assert after.pop("x.md") == NEW
    assert list(after.values()) == [OLD + b"more"]


def test_a_file_that_came_back_is_told_and_in_the_index_at_once(tmp_path: Path) -> None:
    for verb in ("reindex", "change"):
        store = make_store(tmp_path / verb, "a", files={aside_name("x.md", OLD): memory("x", content="theirs")})
        told: list[str] = []
        locking = Locking(0, tell=told.append)
        if verb == "reindex":
            assert [entry.file for entry in reindex(store, locking)[0].entries] == ["a.md", "x.md"]
        else:
            seen: list[str] = []

            def decide(snapshot: object, seen: list[str] = seen) -> list[Edit]:
                seen += [entry.file for entry in snapshot.entries]  # type: ignore[attr-defined]
                return [Edit("b.md", None, memory("b"))]

            change(store, decide, locking)
            assert seen == ["a.md", "x.md"]
        names = ["a", "x"] if verb == "reindex" else ["a", "b", "x"]
        assert contents(store.path)["MEMORY.md"] == index(*names)
        assert told == [f"what another program wrote while memctl was killed is kept in '{store.path}/x.md'"]


@pytest.mark.parametrize("way", ["write", "append"])
def test_a_file_that_stands_alone_is_swept_beside_as_well(tmp_path: Path, way: str) -> None:
    leftovers = {TEMP_PREFIX + "0" * 16: b"torn", aside_name("m", b"old"): b"old", aside_name("n", b"old"): THEIRS}
    fill(tmp_path, {"m": b"- a\n", **leftovers})
    path, told = str(tmp_path / "m"), []
    locking = Locking(0, tell=told.append)
    if way == "write":
        write_file(path, b"- a\n", b"- b\n", locking)
    else:
        append_file(path, b"- b\n", locking)
    assert contents(tmp_path) == {"m": b"- b\n" if way == "write" else b"- a\n- b\n", "n": THEIRS}
    assert len(told) == 1


def test_who_appends_does_not_wait_to_sweep(tmp_path: Path) -> None:
    name = TEMP_PREFIX + "0" * 16
    fill(tmp_path, {"m": b"- a\n", name: b"in use"})
    with open_at(tmp_path) as other:
        other.lock(NO_WAIT, shared=True)
        append_file(str(tmp_path / "m"), b"- b\n", NO_WAIT)
    assert contents(tmp_path) == {"m": b"- a\n- b\n", name: b"in use"}


def test_a_write_at_the_moment_of_a_kill_comes_back(tmp_path: Path) -> None:
    store = fresh(tmp_path / "store")
    inject = "renameat:delay_enter=700000:delay_exit=3000000:when=1"
    with Traced(store, CHANGE, text_of(CHANGES["remove"]), trace="renameat", inject=inject) as traced:
        wait_for(lambda: "renameat(" in traced.log())
        # After it was compared, and before it is put aside; by a rename, which no lease holds back.
        fill(store, {"other": memory("x", content="theirs")})
        os.replace(store / "other", store / "x.md")
        wait_for(lambda: not (store / "x.md").exists())
        traced.process.kill()
    assert len(temp_files(store)) == 1
    told: list[str] = []
    reindex(store_at(store), Locking(0, tell=told.append))
    assert contents(store) == {
        "x.md": memory("x", content="theirs"), "z.md": memory("z"), "MEMORY.md": index("x", "z"),
    }  # fmt: skip
    assert len(told) == 1


def test_a_file_that_another_puts_in_its_place_after_the_comparison_stays(tmp_path: Path) -> None:
    store = fresh(tmp_path / "store")
    # The last call before the name is looked at once more.
    inject = "linkat:delay_exit=1500000:when=1"
    with Traced(store, CHANGE, text_of(CHANGES["replace"]), trace="linkat", inject=inject) as traced:
        wait_for(lambda: temp_files(store) and any(name.endswith("~") for name in temp_files(store)))
        fill(store, {"other": memory("x", content="theirs")})
        os.replace(store / "other", store / "x.md")
    assert "DELAYED" in traced.log()
    ((_, code, _),) = traced.told()["errors"]
    assert code == 75
    assert contents(store) == fill_of(store, memory("x", content="theirs"))


def fill_of(store: Path, data: bytes) -> dict[str, bytes]:
    """Return what a fresh store holds, but for one memory; nothing was changed, so its index neither."""
    return {"x.md": data, "z.md": memory("z"), "MEMORY.md": index("x", "z")}


# What was written while memctl's own text was taken back

TAKING_BACK = """
whole, times = os.replace, []
def replace(*names, **where):
    whole(*names, **where)
    times.append(1)
    if len(times) == 1:
        # One who had the old file open before it was leased, and one who opens the new file.
        (aside,) = [name for name in os.listdir(".") if name.endswith("~")]
        for name, text in [(aside, given[2]), ("x.md", given[3])]:
            if text is not None:
                os.replace = whole
                with open("other", "w") as file: file.write(text)
                os.replace("other", name)
os.replace = replace
outcome(lambda: Directory(".").commit(Edit("x.md", given[0].encode(), given[1].encode())))
"""


@pytest.mark.parametrize("newer", [None, "newer"])
def test_a_text_that_came_while_the_file_was_replaced_stands_and_a_newer_one_is_kept_as_well(
    tmp_path: Path, newer: str | None
) -> None:
    fill(tmp_path, {"x.md": OLD})
    told = run(TAKING_BACK, [OLD.decode(), NEW.decode(), "theirs", newer], cwd=tmp_path)
    ((kind, code, message),) = told["errors"]
    assert (kind, code) == ("Busy", 75)
    after = contents(tmp_path)
    if newer is None:
        assert after == {"x.md": b"theirs"}
        return
    assert after.pop("x.md") == b"newer"
    ((kept, data),) = after.items()
    assert data == b"theirs"
    assert message.endswith(f"was written anew while memctl replaced it; the text it had before is kept as '{kept}'")


FAILING = """
whole, times = os.replace, []
def replace(*names, **where):
    times.append(1)
    if len(times) == 2:
        raise OSError(5, "Input/output error")
    whole(*names, **where)
    (aside,) = [name for name in os.listdir(".") if name.endswith("~")]
    with open("other", "w") as file: file.write(given[2])
    whole("other", aside)
os.replace = replace
outcome(lambda: Directory(".").commit(Edit("x.md", given[0].encode(), given[1].encode())))
"""


def test_what_cannot_be_put_back_is_not_dropped(tmp_path: Path) -> None:
    fill(tmp_path, {"x.md": OLD})
    told = run(FAILING, [OLD.decode(), NEW.decode(), "theirs"], cwd=tmp_path)
    assert told["errors"] == [["IoFailure", 74, "cannot write './x.md': input/output error"]]
    assert b"theirs" in contents(tmp_path).values()
    swept(tmp_path)
    assert b"theirs" in contents(tmp_path).values()
    assert temp_files(tmp_path) == []


# Errors after the fact


def called(traced: Traced, call: str) -> list[str]:
    """Return the lines of one system call."""
    return [line for line in traced.log().splitlines() if line.startswith(f"{call}(")]


@pytest.mark.parametrize(("asked", "done"), [("F_SETLEASE, F_RDLCK", ["x.md"]), ("F_GETLEASE", [])])
def test_a_removal_in_which_a_lease_fails_is_done_or_gives_the_file_its_name_back(
    tmp_path: Path, asked: str, done: list[str]
) -> None:
    # Where none can be taken the comparison stands alone; where it cannot be asked, it is as if somebody waited.
    with Traced(fresh(tmp_path / "whole"), CHANGE, text_of(CHANGES["remove"]), trace="fcntl") as traced:
        pass
    at = next(number for number, line in enumerate(called(traced, "fcntl"), 1) if asked in line)
    store = fresh(tmp_path / "store")
    inject = f"fcntl:error=ENOSPC:when={at}"
    with Traced(store, CHANGE, text_of(CHANGES["remove"]), trace="fcntl", inject=inject) as traced:
        pass
    assert "INJECTED" in traced.log()
    assert traced.told()["done"] == done
    assert contents(store).get("x.md") == (None if done else OLD)
    assert temp_files(store) == []


RECORDED = (
    PREPARE
    + """
edit = Edit(given[0], *[text and text.encode() for text in given[1:]])
ready()
try:
    change(store(here), lambda _: [edit], locking)
except MemctlError as error:
    pass
recorder.finish(days=90, size=10**9)
"""
)


@pytest.mark.parametrize("name", ["replace", "remove"])
def test_a_change_that_fails_after_its_file_changed_can_be_undone(tmp_path: Path, name: str) -> None:
    file, old, new = CHANGES[name]
    with Traced(fresh(tmp_path / "whole/agent"), RECORDED, text_of(CHANGES[name]), trace="close") as traced:
        pass
    points = [at for at, line in enumerate(called(traced, "close"), 1) if file in line]
    assert points
    for at in points:
        store = fresh(tmp_path / str(at) / "agent")
        inject = f"close:error=EIO:when={at}"
        with Traced(store, RECORDED, text_of(CHANGES[name]), trace="close", inject=inject) as traced:
            pass
        assert "INJECTED" in traced.log()
        after = contents(store).get(file)
        assert after in (old, new)
        with opened(store.parent) as found:
            (first, *_) = found.change(1).files
        assert first.settled is not (after == old), at


def test_a_file_that_cannot_be_looked_at_is_not_changed_without_its_mode(tmp_path: Path) -> None:
    with Traced(fresh(tmp_path / "whole/agent"), RECORDED, text_of(CHANGES["replace"]), trace="newfstatat") as traced:
        pass
    kept = 0
    for at in range(1, traced.calls().count("newfstatat") + 1):
        store = fresh(tmp_path / str(at) / "agent")
        inject = f"newfstatat:error=EACCES:when={at}"
        with Traced(store, RECORDED, text_of(CHANGES["replace"]), trace="newfstatat", inject=inject) as traced:
            pass
        assert "INJECTED" in traced.log()
        if contents(store)["x.md"] == OLD:
            kept += 1
            continue
        with opened(store.parent) as found:
            (first, *_) = found.change(1).files
        assert first.before.mode is not None, at
    assert kept > 0


def test_a_new_user_memory_on_a_full_disk_is_none(tmp_path: Path) -> None:
    code = """
import resource
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (5, 5))
outcome(lambda: append_file("memory.md", b"- a note\\n", Locking()))
"""
    told = run(code, cwd=tmp_path)
    assert told["errors"] == [["IoFailure", 74, "cannot write 'memory.md': file too large"]]
    assert os.listdir(tmp_path) == []


# What a file has besides its bytes

ACL = "system.posix_acl_access"
DEFAULT_ACL = "system.posix_acl_default"


def acl(user: int, permission: int) -> bytes:
    """Return an access list in which one more user has a permission (acl(5), in the form of the kernel)."""
    none = 0xFFFFFFFF
    entries = [(1, 6, none), (2, permission, user), (4, 4, none), (16, 6, none), (32, 0, none)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def give(path: Path, name: str, value: bytes) -> None:
    if not hasattr(os, "setxattr"):
        pytest.skip("the system has no such attributes")
    try:
        os.setxattr(path, name, value)
    except OSError as error:
        pytest.skip(f"the file system has no {name}: {error.strerror}")


def test_a_replaced_file_keeps_its_access_list_and_its_attributes(tmp_path: Path) -> None:
    path = fill(tmp_path, {"x.md": OLD}) / "x.md"
    give(path, "user.origin", b"\0here")
    give(path, ACL, acl(1234, 6))
    mode = path.stat().st_mode
    with open_at(tmp_path) as directory:
        directory.commit(Edit("x.md", OLD, NEW))
    assert path.read_bytes() == NEW
    assert {name: os.getxattr(path, name) for name in os.listxattr(path)} == {
        "user.origin": b"\0here",
        ACL: acl(1234, 6),
    }
    assert path.stat().st_mode == mode


def test_a_replaced_file_gets_no_access_list_that_the_old_one_had_not(tmp_path: Path) -> None:
    path = fill(tmp_path, {"x.md": OLD}) / "x.md"
    path.chmod(0o660)
    give(tmp_path, DEFAULT_ACL, acl(1234, 6))
    with open_at(tmp_path) as directory:
        directory.commit(Edit("x.md", OLD, NEW))
    assert os.listxattr(path) == []
    assert path.stat().st_mode & 0o777 == 0o660


@pytest.mark.parametrize("call", ["flistxattr", "fgetxattr", "fsetxattr"])
def test_a_file_system_without_attributes_is_written_as_well(tmp_path: Path, call: str) -> None:
    store = fresh(tmp_path / "store")
    give(store / "x.md", "user.origin", b"here")
    inject = f"{call}:error=EOPNOTSUPP"
    with Traced(store, CHANGE, text_of(CHANGES["replace"]), trace=call, inject=inject) as traced:
        pass
    assert "INJECTED" in traced.log()
    assert traced.told()["errors"] == []
    assert contents(store)["x.md"] == NEW


@pytest.mark.parametrize("call", ["fgetxattr", "fsetxattr"])
def test_an_access_list_that_cannot_be_kept_keeps_the_old_file(tmp_path: Path, call: str) -> None:
    store = fresh(tmp_path / "store")
    give(store / "x.md", ACL, acl(1234, 6))
    inject = f"{call}:error=EPERM"
    with Traced(store, CHANGE, text_of(CHANGES["replace"]), trace=call, inject=inject) as traced:
        pass
    assert "INJECTED" in traced.log()
    assert traced.told()["errors"] == [["Protected", 77, "cannot write './x.md': operation not permitted"]]
    assert contents(store)["x.md"] == OLD
    assert temp_files(store) == []


def test_a_lease_that_cannot_be_taken_leaves_the_signal_as_it_was(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGIO)
    with open_at(tmp_path) as directory, pytest.raises(MemctlError):
        directory.commit(Edit("x.md", OLD, None))
    from memctl.disk.lease import Lease

    with Directory(str(tmp_path)) as directory, pytest.raises(FileNotFoundError):
        Lease(directory.descriptor, "x.md")
    assert signal.getsignal(signal.SIGIO) == before
