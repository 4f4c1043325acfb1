"""Files are read once, written atomically, removed after a comparison, under a lock; and no fault loses a byte."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from memctl.disk import files as module
from memctl.disk.aside import TEMP_PREFIX
from memctl.disk.change import reindex
from memctl.disk.files import Directory
from memctl.disk.images import ABSENT, Edit, Image
from memctl.disk.locking import FileChange, Locking
from memctl.disk.new_file import NotDurable
from memctl.disk.reads import NotRegular, read_at, read_file
from memctl.disk.single_file import append_file
from memctl.disk.tree_lock import tree_lock
from memctl.errors import Busy, InvalidInput, IoFailure, NotFound, Protected
from tests.stores import (
    NO_WAIT,
    NOBODY,
    command,
    contents,
    fill,
    index,
    make_store,
    memory,
    needs_root,
    run,
    store_at,
    temp_files,
)

OLD = memory("x", content="old text")
NEW = memory("x", content="new text " * 40)


def open_at(path: Path) -> Directory:
    return Directory(str(path))


def said_by(caught: pytest.ExceptionInfo[Any]) -> tuple[str, str | None, str | None]:
    """Return all that an error says."""
    return caught.value.message, caught.value.path, caught.value.hint


class Noting:
    """A recorder that notes what it is told, and lets something happen before a file is touched."""

    def __init__(self, happens: Callable[[str], object] = lambda path: None) -> None:
        self.happens = happens
        self.asked: list[str] = []
        self.files: list[FileChange] = []
        self.settled: list[tuple[int, bool]] = []

    def ready(self) -> None:
        self.asked.append("ready")

    def check(self) -> None:
        self.asked.append("check")

    def intend(self, files: Sequence[FileChange]) -> list[int]:
        first = len(self.files)
        for file in files:
            self.files.append(file)
            self.happens(file.path)
        return list(range(first, len(self.files)))

    def settle(self, results: Sequence[tuple[int, bool]]) -> None:
        self.settled += results

    def names(self) -> list[str]:
        return [os.path.basename(file.path) for file in self.files]


# --- reading ---


def raising(error: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        where = os.open(path.parent, os.O_RDONLY)
        server.bind(f"/proc/self/fd/{where}/{path.name}")
        os.close(where)


def make_device(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root makes devices")
    os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))


SHAPES = {
    "a FIFO": make_fifo,
    "a socket": make_socket,
    "a device": make_device,
    "a directory": Path.mkdir,
}


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("kind", SHAPES)
def test_what_is_no_regular_file_never_hangs_and_says_what_it_is(tmp_path: Path, kind: str, linked: bool) -> None:
    path = tmp_path / "x.md"
    SHAPES[kind](tmp_path / "target" if linked else path)
    if linked:
        path.symlink_to("target")
    with pytest.raises(NotRegular) as caught, open_at(tmp_path) as directory:
        read_at(directory.descriptor, "x.md")
    # A socket cannot be opened at all, so it is the link that is seen.
    assert caught.value.kind == ("a symlink" if linked and kind == "a socket" else kind)


@pytest.mark.parametrize("target", ["other.md", "x.md", "nothing"])
def test_a_symlink_is_not_opened_where_links_are_not_followed(tmp_path: Path, target: str) -> None:
    (tmp_path / "other.md").write_bytes(OLD)
    (tmp_path / "x.md").symlink_to(target)
    with pytest.raises(NotRegular, match="a symlink"), open_at(tmp_path) as directory:
        read_at(directory.descriptor, "x.md", follow=False)


def test_a_circle_of_symlinks_is_no_regular_file(tmp_path: Path) -> None:
    (tmp_path / "x.md").symlink_to("x.md")
    with pytest.raises(InvalidInput) as caught:
        read_file(str(tmp_path / "x.md"))
    assert caught.value.message == f"'{tmp_path}/x.md' is a symlink, not a file"


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 1 << 20, (1 << 20) + 1])
def test_a_file_is_read_whole(tmp_path: Path, size: int) -> None:
    (tmp_path / "x.md").write_bytes(b"k" * size)
    assert read_file(str(tmp_path / "x.md")) == b"k" * size


def test_a_file_whose_size_is_not_told_is_read_whole() -> None:
    # The files of /proc say that they are empty, as one does that grows after it was looked at.
    assert read_file("/proc/self/status").startswith(b"Name:")


def test_a_sparse_file_of_a_terabyte_is_an_error_and_no_lack_of_memory(tmp_path: Path) -> None:
    with open(tmp_path / "x.md", "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(IoFailure) as caught:
        read_file(str(tmp_path / "x.md"))
    assert caught.value.message == f"cannot read '{tmp_path}/x.md': file too large"


@pytest.mark.parametrize(("before", "after"), [(b"a" * 50, b"b" * 5000), (b"a" * 5000, b"b" * 50), (b"a" * 500, b"")])
def test_a_file_that_grows_or_shrinks_while_it_is_read_gives_what_it_is_then(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    (tmp_path / "x.md").write_bytes(before)
    code = 'data = b""; ready(); data = read_file("x.md"); tell(data.decode())'
    # After fstat has told the size, the first read is held back until the file is another one.
    with Traced(tmp_path, code, trace="read", inject="read:delay_enter=1000000:when=1") as traced:
        wait_for(lambda: "read(" in traced.log())
        (tmp_path / "x.md").write_bytes(after)
    assert traced.told() == after.decode()
    assert "DELAYED" in traced.log()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("missing.md", NotFound),
        ("x.md/y.md", IoFailure),
        ("k" * 300, IoFailure),
        ("a\0b", InvalidInput),
        ("\ud800", InvalidInput),
    ],
    ids=["missing", "below-a-file", "too-long", "nul", "surrogate"],
)
def test_a_file_that_cannot_be_read_is_an_error_of_memctl(tmp_path: Path, path: str, kind: type) -> None:
    (tmp_path / "x.md").write_bytes(OLD)
    with pytest.raises(kind) as caught:
        read_file(f"{tmp_path}/{path}")
    assert type(caught.value) is kind


@needs_root
def test_a_file_without_permission_is_an_input_output_error(tmp_path: Path) -> None:
    fill(tmp_path, {"x.md": OLD})
    (tmp_path / "x.md").chmod(0o600)
    code = 'outcome(lambda: read_file("x.md"))'
    told = run(code, cwd=tmp_path, uid=NOBODY)
    assert told["errors"] == [["IoFailure", 74, "cannot read 'x.md': permission denied"]]


@pytest.mark.parametrize("follow", [False, True])
def test_a_directory_that_is_a_file_is_an_input_output_error(tmp_path: Path, follow: bool) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(IoFailure, match="not a directory"):
        Directory(str(tmp_path / "file"), follow=follow)


def test_a_directory_that_is_a_symlink_is_opened_only_where_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    Directory(str(tmp_path / "link")).__exit__()
    with pytest.raises(Protected, match="is a symlink, which is not followed in another user's store"):
        Directory(str(tmp_path / "link"), follow=False)


def test_a_directory_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    missing, odd = f"{tmp_path}/missing", f"{tmp_path}/a\0b"
    with pytest.raises(NotFound) as caught:
        Directory(missing)
    assert said_by(caught) == (f"no such file or directory: '{missing}'", missing, None)
    with pytest.raises(InvalidInput) as refused:
        Directory(odd)
    assert said_by(refused) == (f"no file can have the path {odd!a}", ascii(odd), None)


@pytest.mark.parametrize(
    ("edit", "kind", "message"),
    [
        (Edit("x", None, NEW), Busy, "appeared while memctl worked"),
        (Edit("x", OLD, NEW), Protected, "is a directory; memctl does not write through it"),
        (Edit("x", OLD, None), Busy, "changed while memctl worked; nothing was overwritten"),
    ],
)
def test_a_file_that_is_another_thing_by_now_is_named(
    tmp_path: Path, edit: Edit, kind: type[Exception], message: str
) -> None:
    (tmp_path / "x").mkdir()
    with open_at(tmp_path) as directory, pytest.raises(kind) as caught:
        directory.commit(edit)
    path = f"{tmp_path}/x"
    hint = "look at it, then try again" if kind is Busy else None
    assert said_by(caught) == (f"'{path}' {message}", path, hint)


def test_a_link_to_a_file_is_read_only_where_links_are_followed(tmp_path: Path) -> None:
    fill(tmp_path, {"x.md": OLD})
    (tmp_path / "link.md").symlink_to("x.md")
    with open_at(tmp_path) as directory:
        assert (directory.read("link.md"), directory.read("gone.md")) == (OLD, None)
    with Directory(str(tmp_path), follow=False) as directory, pytest.raises(InvalidInput, match="is a symlink"):
        directory.read("link.md")


def test_a_symlink_to_a_file_is_not_blamed_on_another_user_in_ones_own_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to("file")
    with pytest.raises(IoFailure, match="not a directory"):
        Directory(str(tmp_path / "link"))


# --- writing ---


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(OLD)
    path.chmod(0o2640)
    with open_at(tmp_path) as directory:
        directory.commit(Edit("x.md", OLD, NEW))
    assert path.read_bytes() == NEW
    assert stat.S_IMODE(path.stat().st_mode) == 0o2640


@needs_root
def test_a_file_that_root_replaces_keeps_its_owner_and_group(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(OLD)
    os.chown(path, 1234, 2345)
    with open_at(tmp_path) as directory:
        directory.commit(Edit("x.md", OLD, NEW))
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


@needs_root
def test_a_new_file_of_root_belongs_to_the_owner_and_group_of_its_directory(tmp_path: Path) -> None:
    os.chown(tmp_path, 1234, 2345)
    with open_at(tmp_path) as directory:
        directory.commit(Edit("x.md", None, NEW))
    found = (tmp_path / "x.md").stat()
    assert (found.st_uid, found.st_gid) == (1234, 2345)


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664), (0, 0o666)])
def test_a_new_file_has_the_mode_that_the_hq_gives(tmp_path: Path, umask: int, mode: int) -> None:
    code = f'os.umask({umask}); Directory(".").commit(Edit("x.md", None, b"new")); tell(None)'
    run(code, cwd=tmp_path)
    assert stat.S_IMODE((tmp_path / "x.md").stat().st_mode) == mode


@needs_root
def test_who_cannot_keep_the_owner_does_not_write(tmp_path: Path) -> None:
    fill(tmp_path, {"x.md": OLD})
    tmp_path.chmod(0o777)
    (tmp_path / "x.md").chmod(0o666)
    told = run(
        'outcome(lambda: Directory(".").commit(Edit("x.md", given.encode(), b"")))', OLD.decode(), **nobody(tmp_path)
    )
    assert told["errors"] == [["Protected", 77, "cannot write './x.md': operation not permitted"]]
    assert contents(tmp_path) == {"x.md": OLD}


def nobody(path: Path) -> dict[str, Any]:
    return {"cwd": path, "uid": NOBODY}


@needs_root
@pytest.mark.parametrize(
    ("edit", "doing"),
    [
        ('Edit("x.md", given.encode(), b"")', "write"),
        ('Edit("y.md", None, b"")', "write"),
        ('Edit("x.md", given.encode(), None)', "remove"),
    ],
)
def test_without_permission_nothing_is_written_or_removed(tmp_path: Path, edit: str, doing: str) -> None:
    fill(tmp_path, {"x.md": OLD})
    told = run(f'outcome(lambda: Directory(".").commit({edit}))', OLD.decode(), **nobody(tmp_path))
    ((kind, code, message),) = told["errors"]
    assert (kind, code) == ("Protected", 77)
    assert re.fullmatch(rf"cannot {doing} './[xy].md': permission denied", message)
    assert contents(tmp_path) == {"x.md": OLD}


@pytest.mark.parametrize("target", ["victim", "nothing", "x.md"])
def test_a_symlink_is_never_written_through(tmp_path: Path, target: str) -> None:
    store = fill(tmp_path / "store", {})
    victim = tmp_path / "store" / "victim"
    victim.write_bytes(OLD)
    (store / "x.md").symlink_to(target)
    with open_at(store) as directory, pytest.raises(Protected) as caught:
        directory.commit(Edit("x.md", OLD, NEW))
    assert caught.value.message == f"'{store}/x.md' is a symlink; memctl does not write through it"
    assert os.readlink(store / "x.md") == target
    assert contents(store) == {"victim": OLD, "x.md": b""}


@pytest.mark.parametrize("target", ["victim", "nothing"])
def test_a_new_file_never_goes_where_a_symlink_points(tmp_path: Path, target: str) -> None:
    (tmp_path / "victim").write_bytes(OLD)
    (tmp_path / "x.md").symlink_to(target)
    with open_at(tmp_path) as directory, pytest.raises(Busy):
        directory.commit(Edit("x.md", None, NEW))
    assert contents(tmp_path) == {"victim": OLD, "x.md": b""}


@pytest.mark.parametrize("edit", [Edit("x.md", OLD, NEW), Edit("y.md", None, NEW), Edit("x.md", OLD, None)])
def test_a_temp_name_that_was_planted_as_a_symlink_is_not_written_through(tmp_path: Path, edit: Edit) -> None:
    # Even one who guesses the name: here all names are the same.
    (tmp_path / "victim").write_bytes(b"victim")
    store = fill(tmp_path / "store", {"x.md": OLD})
    name = TEMP_PREFIX + "00" * 8
    (store / name).symlink_to("../victim")
    code = """
os.urandom = bytes
outcome(lambda: Directory(".").commit(Edit(given[0], *[text and text.encode() for text in given[1:]])))
"""
    run(code, [edit.file, edit.old and edit.old.decode(), edit.new and edit.new.decode()], cwd=store)
    assert (tmp_path / "victim").read_bytes() == b"victim"
    assert contents(tmp_path / "store").get("x.md", OLD) in (OLD, NEW)


def test_a_hard_link_elsewhere_keeps_its_text(tmp_path: Path) -> None:
    store = fill(tmp_path / "store", {"x.md": OLD})
    os.link(store / "x.md", tmp_path / "other")
    with open_at(store) as directory:
        directory.commit(Edit("x.md", OLD, NEW))
    assert (tmp_path / "other").read_bytes() == OLD
    assert contents(store) == {"x.md": NEW}


@pytest.mark.parametrize(
    ("edit", "there"),
    [
        (Edit("x.md", OLD, NEW), b"other"),
        (Edit("x.md", OLD, None), b"other"),
        (Edit("x.md", OLD, NEW), OLD + b"\n"),
        (Edit("x.md", OLD, None), OLD[:-1]),
        (Edit("x.md", OLD, NEW), b""),
        (Edit("x.md", None, NEW), b"other"),
        (Edit("x.md", None, NEW), b""),
    ],
)
def test_a_file_that_is_not_what_was_read_is_left_alone(tmp_path: Path, edit: Edit, there: bytes) -> None:
    (tmp_path / "x.md").write_bytes(there)
    before = (tmp_path / "x.md").stat()
    with open_at(tmp_path) as directory, pytest.raises(Busy) as caught:
        directory.commit(edit)
    assert caught.value.exit_code == 75
    assert contents(tmp_path) == {"x.md": there}
    assert (tmp_path / "x.md").stat().st_ino == before.st_ino


@pytest.mark.parametrize("new", [NEW, None])
def test_a_file_that_is_gone_has_changed(tmp_path: Path, new: bytes | None) -> None:
    with open_at(tmp_path) as directory, pytest.raises(Busy, match="changed while memctl worked"):
        directory.commit(Edit("x.md", OLD, new))
    assert contents(tmp_path) == {}


def test_a_directory_that_took_the_place_of_a_file_is_not_removed(tmp_path: Path) -> None:
    fill(tmp_path / "x.md", {"inside": b"kept"})
    with open_at(tmp_path) as directory, pytest.raises(Busy):
        directory.commit(Edit("x.md", OLD, None))
    assert contents(tmp_path / "x.md") == {"inside": b"kept"}
    assert os.listdir(tmp_path) == ["x.md"]


def test_a_removed_symlink_leaves_its_target(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(OLD)
    (tmp_path / "x.md").symlink_to("target")
    with open_at(tmp_path) as directory:
        directory.commit(Edit("x.md", b"target", None, link=True))
    assert contents(tmp_path) == {"target": OLD}


@pytest.mark.parametrize("now", ["elsewhere", None])
def test_a_symlink_that_is_another_by_now_is_put_back(tmp_path: Path, now: str | None) -> None:
    if now:
        (tmp_path / "x.md").symlink_to(now)
    else:
        (tmp_path / "x.md").write_bytes(OLD)
    with open_at(tmp_path) as directory, pytest.raises(Busy):
        directory.commit(Edit("x.md", b"target", None, link=True))
    assert os.listdir(tmp_path) == ["x.md"]
    assert os.readlink(tmp_path / "x.md") == now if now else (tmp_path / "x.md").read_bytes() == OLD


@pytest.mark.parametrize("name", ["x" * 255, "\udcff\n.md", " .md", "-rf.md", "\U0001f600.md"])
def test_odd_names_are_written_and_removed(tmp_path: Path, name: str) -> None:
    with open_at(tmp_path) as directory:
        directory.commit(Edit(name, None, OLD))
        directory.commit(Edit(name, OLD, NEW))
        assert directory.read(name) == NEW
        directory.commit(Edit(name, NEW, None))
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("data", [b"", b"\0\xff", b"k" * (1 << 22)])
def test_what_is_written_is_what_is_read(tmp_path: Path, data: bytes) -> None:
    with open_at(tmp_path) as directory:
        directory.commit(Edit("x.md", None, data))
        assert directory.read("x.md") == data


# --- the lock ---


def locked_by_another(path: Path) -> subprocess.Popen[bytes]:
    holder = subprocess.Popen(
        command('held = Directory("."); held.lock(Locking(wait=0)); ready(); time.sleep(60)'), cwd=path
    )
    os.waitpid(holder.pid, os.WUNTRACED)
    return holder


def test_a_second_one_waits_for_the_lock_then_gives_up(tmp_path: Path) -> None:
    heard: list[str] = []
    with open_at(tmp_path) as first, open_at(tmp_path) as second:
        first.lock(NO_WAIT)
        with pytest.raises(Busy) as caught:
            second.lock(Locking(wait=0.05, tell=heard.append))
    hint = "try again, or wait longer with --wait SECONDS"
    assert said_by(caught) == (f"'{tmp_path}' is locked by another memctl", str(tmp_path), hint)
    assert heard == [f"waiting for another memctl that works in '{tmp_path}'"]


def test_a_second_one_gets_the_lock_once_the_first_has_gone(tmp_path: Path) -> None:
    first = open_at(tmp_path)
    first.lock(NO_WAIT)
    with open_at(tmp_path) as second:
        # The one who is told of the wait ends it.
        second.lock(Locking(wait=60, tell=lambda _: first.__exit__()))


def test_no_wait_means_no_word_of_a_wait(tmp_path: Path) -> None:
    heard: list[str] = []
    with open_at(tmp_path) as first, open_at(tmp_path) as second:
        first.lock(NO_WAIT)
        with pytest.raises(Busy):
            second.lock(Locking(wait=0, tell=heard.append))
    assert heard == []


def test_a_holder_that_is_killed_frees_the_lock(tmp_path: Path) -> None:
    holder = locked_by_another(tmp_path)
    with open_at(tmp_path) as directory:
        with pytest.raises(Busy):
            directory.lock(NO_WAIT)
        holder.kill()
        holder.wait()
        directory.lock(NO_WAIT)


def test_one_who_has_just_emptied_a_file_is_given_a_moment(tmp_path: Path) -> None:
    start = time.monotonic()
    with open_at(tmp_path) as directory:
        directory.wait_for_writer()
    assert 0.01 < time.monotonic() - start < 5


def test_the_lock_works_between_users(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("drops its own user id")
    with open_at(tmp_path) as directory:
        directory.lock(NO_WAIT)
        told = run('outcome(lambda: Directory(".").lock(Locking(wait=0)))', **nobody(tmp_path))
    assert told["errors"] == [["Busy", 75, "'.' is locked by another memctl"]]


def test_the_lock_leaves_nothing_behind(tmp_path: Path) -> None:
    with open_at(tmp_path) as directory:
        directory.lock(NO_WAIT)
        assert os.listdir(tmp_path) == []


def test_without_a_lock_nobody_is_waited_for(tmp_path: Path) -> None:
    with open_at(tmp_path) as first, open_at(tmp_path) as second:
        first.lock(NO_WAIT)
        second.lock(Locking(wait=0, lock=False))
        second.commit(Edit("x.md", None, NEW))
    assert contents(tmp_path) == {"x.md": NEW}


def test_the_lock_is_that_of_the_directory_which_is_there_now(tmp_path: Path) -> None:
    path = fill(tmp_path / "store", {"x.md": OLD})
    with open_at(path) as directory:
        path.rename(tmp_path / "moved")
        fill(path, {"x.md": b"another"})
        directory.lock(NO_WAIT)
        assert directory.read("x.md") == b"another"
        with open_at(path) as second, pytest.raises(Busy):
            second.lock(NO_WAIT)
        with open_at(tmp_path / "moved") as moved:
            moved.lock(NO_WAIT)


def lock_after(path: Path, *, follow: bool, meanwhile: Callable[[], object]) -> None:
    with Directory(str(path), follow=follow) as directory:
        meanwhile()
        directory.lock(NO_WAIT)


def test_the_lock_of_a_directory_that_is_gone_is_not_found(tmp_path: Path) -> None:
    path = fill(tmp_path / "store", {})
    with pytest.raises(NotFound):
        lock_after(path, follow=True, meanwhile=path.rmdir)


def test_a_directory_swapped_for_a_symlink_is_not_followed_in_another_users_store(tmp_path: Path) -> None:
    path = fill(tmp_path / "store", {"x.md": OLD})
    elsewhere = fill(tmp_path / "elsewhere", {"x.md": OLD})

    def swap() -> None:
        path.rename(tmp_path / "moved")
        path.symlink_to(elsewhere)

    with pytest.raises(Protected):
        lock_after(path, follow=False, meanwhile=swap)


@pytest.mark.parametrize("errno_name", ["EBADF", "ENOLCK"])
def test_a_file_system_without_locks_is_busy_and_names_the_way_on(tmp_path: Path, errno_name: str) -> None:
    code = 'ready(); outcome(lambda: Directory(".").lock(Locking()))'
    with Traced(tmp_path, code, trace="flock", inject=f"flock:error={errno_name}") as traced:
        pass
    assert "INJECTED" in traced.log()
    assert traced.told()["errors"] == [["Busy", 75, "the file system of '.' has no locks"]]


@pytest.mark.parametrize("way", ["directory", "file"])
@pytest.mark.parametrize(
    ("number", "kind", "message", "hint"),
    [
        (errno.ENOLCK, Busy, "the file system of '{}' has no locks", "--no-lock goes on with comparisons alone"),
        (errno.ENOSYS, Busy, "the file system of '{}' has no locks", "--no-lock goes on with comparisons alone"),
        (errno.EIO, IoFailure, "cannot lock '{}': went wrong", None),
    ],
)
def test_what_keeps_a_lock_from_being_taken_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
    number: int,
    kind: type[Exception],
    message: str,
    hint: str | None,
) -> None:
    path = str(tmp_path if way == "directory" else tmp_path / ".memory.lock")
    before = os.listdir("/proc/self/fd")
    monkeypatch.setattr(fcntl, "flock", raising(OSError(number, "Went wrong")))
    with pytest.raises(kind) as caught, open_at(tmp_path) if way == "directory" else tree_lock(path, NO_WAIT) as there:
        getattr(there, "lock", pytest.fail)(NO_WAIT)
    assert said_by(caught) == (message.replace("{}", path), path, hint)
    assert os.listdir("/proc/self/fd") == before


def test_those_who_share_the_lock_keep_out_only_who_wants_it_alone(tmp_path: Path) -> None:
    with open_at(tmp_path) as first, open_at(tmp_path) as second, open_at(tmp_path) as third:
        first.lock(NO_WAIT, shared=True)
        second.lock(NO_WAIT, shared=True)
        with pytest.raises(Busy):
            third.lock(NO_WAIT)


def test_a_directory_that_took_the_place_of_another_leaves_nothing_open(tmp_path: Path) -> None:
    path = fill(tmp_path / "store", {})
    before = os.listdir("/proc/self/fd")
    with open_at(path) as directory:
        path.rename(tmp_path / "moved")
        path.mkdir()
        directory.lock(NO_WAIT)
        assert len(os.listdir("/proc/self/fd")) == len(before) + 1
    assert os.listdir("/proc/self/fd") == before


def test_a_directory_that_went_bad_is_an_error_of_memctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_at(tmp_path) as directory:
        monkeypatch.setattr(os, "listdir", raising(OSError(errno.EIO, "Input/output error")))
        with pytest.raises(IoFailure) as caught:
            directory.names()
    assert said_by(caught) == (f"cannot read '{tmp_path}': input/output error", str(tmp_path), None)


def test_a_recorder_is_asked_for_a_place_now_or_for_later() -> None:
    notes = Noting()
    Locking(recorder=notes).ready()
    Locking(recorder=notes).check()
    assert notes.asked == ["ready", "check"]
    Locking().ready()
    Locking().check()


def test_what_a_file_is_and_becomes_is_noted_with_its_mode_and_owner(tmp_path: Path) -> None:
    fill(tmp_path, {"x.md": OLD, "y.md": OLD})
    os.chmod(tmp_path / "x.md", 0o640)
    os.chmod(tmp_path / "y.md", 0o600)
    os.symlink("target", tmp_path / "link.md")
    status = os.stat(tmp_path / "x.md")
    owner = (status.st_uid, status.st_gid)
    model = Image(b"back", 0o604, *owner)
    edits = [
        Edit("gone.md", OLD, NEW),
        Edit("lost.md", b"target", None, link=True),
        Edit("x.md", OLD, NEW),
        Edit("new.md", None, NEW),
        Edit("link.md", b"target", None, link=True),
        Edit("back", None, b"elsewhere", model=Image(b"", 0o777, *owner, link=True)),
        Edit("y.md", OLD, b"back", model=model),
    ]
    notes = Noting()
    with open_at(tmp_path) as directory:
        done, errors = directory.commit_all(edits, Locking(0, recorder=notes), "here")
    assert (done, [type(error) for error in errors]) == (edits[2:], [Busy, Busy])
    pairs = [
        (Image(OLD), Image(NEW)),
        (Image(b"target", link=True), ABSENT),
        (Image(OLD, 0o640, *owner), Image(NEW, 0o640, *owner)),
        (ABSENT, Image(NEW)),
        (Image(b"target", 0o777, *owner, link=True), ABSENT),
        (ABSENT, Image(b"elsewhere", 0o777, *owner, link=True)),
        (Image(OLD, 0o600, *owner), Image(b"back", 0o604, *owner)),
    ]
    assert notes.files == [
        FileChange("here", f"{tmp_path}/{edit.file}", before, after)
        for edit, (before, after) in zip(edits, pairs, strict=True)
    ]
    assert notes.settled == [(at, at > 1) for at in range(7)]
    assert os.readlink(tmp_path / "back") == "elsewhere"
    assert stat.S_IMODE(os.stat(tmp_path / "y.md").st_mode) == 0o604


@pytest.mark.parametrize(("state", "settled"), [("done", [(0, True)]), ("undone", [(0, False)]), ("unknown", [])])
def test_an_edit_that_fails_may_have_done_its_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str, settled: list[tuple[int, bool]]
) -> None:
    fill(tmp_path, {"x.md": OLD})

    def replace(*_: object) -> None:
        if state == "done":
            (tmp_path / "x.md").write_bytes(NEW)
        if state == "unknown":
            monkeypatch.setattr(module, "image_at", raising(OSError(errno.EIO, "Input/output error")))
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(module, "replace_file", replace)
    edits = [Edit("x.md", OLD, NEW), Edit("y.md", None, NEW)]
    notes = Noting()
    with open_at(tmp_path) as directory:
        done, errors = directory.commit_all(edits, Locking(0, recorder=notes), "")
    assert done == (edits if state == "done" else edits[1:])
    assert [error.message for error in errors] == [f"cannot write '{tmp_path}/x.md': input/output error"]
    assert notes.settled == [*settled, (1, True)]


def test_what_cannot_be_removed_is_said_to_be_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "remove_file", raising(OSError(errno.EIO, "Input/output error")))
    with open_at(tmp_path) as directory, pytest.raises(IoFailure) as caught:
        directory.commit(Edit("x.md", OLD, None))
    assert said_by(caught) == (f"cannot remove '{tmp_path}/x.md': input/output error", f"{tmp_path}/x.md", None)


LINK = Image(b"", 0o777, link=True)


@pytest.mark.parametrize(
    ("edit", "there", "carried"),
    [
        (Edit("x", OLD, NEW), NEW, True),
        (Edit("x", OLD, NEW), OLD, False),
        (Edit("x", OLD, NEW), b"of another", False),
        (Edit("x", OLD, NEW), None, False),
        (Edit("x", None, NEW), NEW, True),
        (Edit("x", None, NEW), None, False),
        (Edit("x", OLD, None), None, True),
        (Edit("x", OLD, None), OLD, False),
        (Edit("x", b"to", None, link=True), None, True),
        (Edit("x", b"to", None, link=True), "to", False),
        (Edit("x", None, b"to", model=LINK), "to", True),
        (Edit("x", None, b"to", model=LINK), b"to", False),
        (Edit("x", b"to", b"to", link=True), b"to", True),
        (Edit("x", b"to", b"to", link=True), "to", False),
        (Edit("x", b"to", b"to", link=True, model=LINK), "to", False),
        (Edit("x", OLD, NEW), Path.mkdir, False),
        (Edit("x/y", OLD, NEW), NEW, None),
    ],
)
def test_what_became_of_an_edit_is_told_by_the_file(
    tmp_path: Path, edit: Edit, there: bytes | str | Callable[[Path], None] | None, carried: bool | None
) -> None:
    match there:
        case bytes():
            fill(tmp_path, {"x": there})
        case str():
            os.symlink(there, tmp_path / "x")
        case None:
            pass
        case _:
            there(tmp_path / "x")
    with open_at(tmp_path) as directory:
        assert directory._is_carried(edit) is carried


def test_a_file_that_cannot_be_looked_at_is_not_noted(tmp_path: Path) -> None:
    fill(tmp_path, {"x.md": OLD})
    notes = Noting()
    with open_at(tmp_path) as directory, pytest.raises(IoFailure) as caught:
        directory.commit_all([Edit("x.md/y.md", OLD, NEW)], Locking(0, recorder=notes), "here")
    path = f"{tmp_path}/x.md/y.md"
    assert said_by(caught) == (f"cannot read '{path}': not a directory", path, None)
    assert notes.files == []


@pytest.mark.parametrize(
    ("edit", "done"), [(Edit("x.md", OLD, None), "removed"), (Edit("x.md", OLD, NEW), "written"), (None, "written")]
)
def test_what_is_done_but_may_not_last_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: Edit | None, done: str
) -> None:
    fill(tmp_path, {"x.md": OLD})
    path = f"{tmp_path}/x.md"
    whole = os.fsync

    def sync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "Input/output error")
        whole(descriptor)

    monkeypatch.setattr(os, "fsync", sync)
    notes = Noting()
    with open_at(tmp_path) as directory:
        if edit:
            carried, errors = directory.commit_all([edit], Locking(0, recorder=notes), "")
            assert carried == [edit]
        else:
            with pytest.raises(NotDurable) as caught:
                append_file(path, b"more\n", Locking(0, recorder=notes))
            errors = [caught.value]
    assert [(type(error), error.message, error.path) for error in errors] == [
        (NotDurable, f"'{path}' is {done}, but not durable yet: input/output error", path)
    ]
    assert notes.settled == [(0, True)]


def test_what_the_system_does_not_name_is_said_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_at(tmp_path) as directory:
        monkeypatch.setattr(os, "fsync", raising(OSError("Odd")))
        with pytest.raises(NotDurable) as caught:
            directory.sync("all is done", "/there")
        assert said_by(caught) == ("all is done, but not durable yet: odd", "/there", None)
        monkeypatch.setattr(os, "fsync", raising(OSError(errno.EINVAL, "Invalid argument")))
        directory.sync("all is done", "/there")


@pytest.mark.parametrize(("lock", "held", "swept"), [(True, False, True), (True, True, False), (False, False, False)])
def test_who_appends_sweeps_where_nobody_has_the_lock(tmp_path: Path, lock: bool, held: bool, swept: bool) -> None:
    temp = TEMP_PREFIX + "0123456789abcdef"
    fill(tmp_path, {temp: b"half"})
    heard: list[str] = []
    with open_at(tmp_path) as first, open_at(tmp_path) as second:
        if held:
            first.lock(NO_WAIT)
        start = time.monotonic()
        second.sweep_if_free(Locking(60, lock=lock, tell=heard.append))
        assert time.monotonic() - start < 30
    assert (temp not in os.listdir(tmp_path), heard) == (swept, [])


def test_a_sweep_says_whether_anything_is_kept(tmp_path: Path) -> None:
    name = f"{TEMP_PREFIX}{'0' * 16}-{'0' * 16}-x.md~"
    fill(tmp_path, {name: OLD, TEMP_PREFIX + "0" * 16: b"half"})
    with open_at(tmp_path) as directory:
        assert directory.sweep(directory.names()) is True
        assert directory.sweep(directory.names()) is False
    assert contents(tmp_path) == {"x.md": OLD}


def test_a_file_beside_that_cannot_be_judged_stops_the_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{TEMP_PREFIX}{'0' * 16}-{'0' * 16}-x.md~"
    fill(tmp_path, {name: OLD})
    monkeypatch.setattr(module, "sweep_aside", raising(OSError(errno.EIO, "Input/output error")))
    with open_at(tmp_path) as directory, pytest.raises(IoFailure) as caught:
        directory.sweep([name])
    path = f"{tmp_path}/{name}"
    assert said_by(caught) == (f"cannot write '{path}': input/output error", path, None)


def test_only_the_temp_files_of_memctl_are_swept(tmp_path: Path) -> None:
    mine = TEMP_PREFIX + "0123456789abcdef"
    others = [".memctl-notes.md", ".memctl-", ".memctl-0123456789abcdeF", ".memctl-0123456789abcdef0", "memctl", ".x"]
    fill(tmp_path, dict.fromkeys([mine, *others], b"text"))
    with open_at(tmp_path) as directory:
        directory.sweep(directory.names())
    assert sorted(os.listdir(tmp_path)) == sorted(others)


# --- faults, injected from outside ---


CALLS = "openat,read,write,fsync,linkat,renameat,renameat2,unlinkat,fchmod,fchown,flock,close"

# The three changes of a file, each followed by the index.
CHANGES = {
    "replace": ("x.md", OLD, NEW),
    "create": ("y.md", None, memory("y")),
    "remove": ("x.md", OLD, None),
}

CHANGE = """
edit = Edit(given[0], *[text and text.encode() for text in given[1:]])
ready()
outcome(lambda: change(store(), lambda _: [edit], Locking(wait=0)))
"""


def text_of(edit: tuple[str, bytes | None, bytes | None]) -> list[str | None]:
    return [edit[0], *[data and data.decode() for data in edit[1:]]]


def wait_for(holds: Callable[[], object]) -> None:
    limit = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.001)


class Traced:
    """A program that strace follows from its `ready()` on, to the end of the `with` block."""

    def __init__(self, cwd: Path, code: str, given: Any = None, *, trace: str = CALLS, inject: str = "") -> None:
        self._log = cwd.parent / f"{cwd.name}.strace"
        # A file, since a pipe would have to be read while the program runs.
        self._out = (cwd.parent / f"{cwd.name}.told").open("w+b")
        self.process = subprocess.Popen(command(code, given), cwd=cwd, stdout=self._out, stderr=subprocess.PIPE)
        os.waitpid(self.process.pid, os.WUNTRACED)
        options = ["-qq", "-o", str(self._log), "-e", f"trace={trace}", "-s", "0", "-y"]
        if inject:
            options += ["-e", f"inject={inject}"]
        self.strace = subprocess.Popen(["strace", *options, "-p", str(self.process.pid)])

    def __enter__(self) -> Traced:
        status = Path(f"/proc/{self.process.pid}/status")
        wait_for(lambda: "TracerPid:\t0\n" not in status.read_text())
        self.process.send_signal(signal.SIGCONT)
        return self

    def __exit__(self, *_: object) -> None:
        self.errors = self.process.communicate(timeout=60)[1].decode()
        self.strace.wait(timeout=60)

    def log(self) -> str:
        return self._log.read_text()

    def calls(self) -> list[str]:
        return re.findall(r"^(\w+)\(", self.log(), re.MULTILINE)

    def told(self) -> Any:
        assert self.process.returncode == 0, self.errors
        self._out.seek(0)
        return json.loads(self._out.read())


def fresh(path: Path) -> Path:
    return fill(path, {"x.md": OLD, "z.md": memory("z"), "MEMORY.md": index("x", "z")})


def counted(tmp_path: Path, name: str) -> dict[str, int]:
    """Return how often a change makes each call."""
    with Traced(fresh(tmp_path / "count"), CHANGE, text_of(CHANGES[name])) as traced:
        pass
    assert traced.told()["errors"] == []
    calls = traced.calls()
    return {call: calls.count(call) for call in dict.fromkeys(calls)}


FAULTS = {"ENOSPC": {74}, "EIO": {74}, "EACCES": {74, 77}, "EDQUOT": {74}, "EROFS": {74}, "EMFILE": {74}}


@pytest.mark.parametrize("errno_name", FAULTS)
@pytest.mark.parametrize("name", CHANGES)
def test_an_error_of_any_call_keeps_the_old_file_or_gives_the_new_and_leaves_no_temp_file(
    tmp_path: Path, name: str, errno_name: str
) -> None:
    file, old, new = CHANGES[name]
    count = counted(tmp_path, name)
    everywhere = errno_name in ("ENOSPC", "EIO")
    for call in ("openat", "write", "fsync", "linkat", "renameat"):
        for at in range(1, count.get(call, 0) + 1 if everywhere else min(count.get(call, 0), 3) + 1):
            case = f"{call}-{at}"
            store = fresh(tmp_path / case)
            inject = f"{call}:error={errno_name}:when={at}"
            with Traced(store, CHANGE, text_of(CHANGES[name]), trace=call, inject=inject) as traced:
                pass
            assert "INJECTED" in traced.log(), case
            told = traced.told()
            after = contents(store)
            assert after.get(file) == (new if told["done"] else old), case
            assert after["z.md"] == memory("z")
            assert temp_files(store) == [], case
            if told["errors"]:
                assert {code for _, code, _ in told["errors"]} <= FAULTS[errno_name] | {75}, (case, told)
            else:
                assert told["done"] == [file], case
                assert after["MEMORY.md"] == expected_index(store), case


def expected_index(path: Path) -> bytes:
    return index(*sorted(file.stem for file in path.glob("[xyz].md")))


@pytest.mark.parametrize("name", CHANGES)
def test_after_a_kill_at_any_call_each_file_is_wholly_old_or_new_and_the_next_run_repairs_the_rest(
    tmp_path: Path, name: str
) -> None:
    file, old, new = CHANGES[name]
    for call, times in counted(tmp_path, name).items():
        if call == "read":
            continue
        for at in range(1, times + 1):
            store = fresh(tmp_path / f"{call}-{at}")
            inject = f"{call}:signal=KILL:when={at}"
            with Traced(store, CHANGE, text_of(CHANGES[name]), trace=call, inject=inject) as traced:
                pass
            assert traced.process.returncode == -signal.SIGKILL, (call, at)
            assert contents(store).get(file) in (old, new), (call, at)
            reindex(store_at(store), NO_WAIT)
            after = contents(store)
            assert after.pop(file, None) in (old, new)
            assert after.pop("x.md", OLD) == OLD
            assert after == {"z.md": memory("z"), "MEMORY.md": expected_index(store)}, (call, at)


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_a_signal_that_ends_the_run_leaves_no_temp_file(tmp_path: Path, name: str) -> None:
    for call, times in counted(tmp_path, "replace").items():
        if call not in ("write", "linkat", "renameat"):
            continue
        for at in range(1, times + 1):
            store = fresh(tmp_path / f"{call}-{at}")
            inject = f"{call}:signal={name}:when={at}"
            with Traced(store, CHANGE, text_of(CHANGES["replace"]), trace=call, inject=inject) as traced:
                pass
            assert traced.process.returncode != 0
            assert temp_files(store) == []
            assert contents(store)["x.md"] in (OLD, NEW)


def test_short_writes_are_finished(tmp_path: Path) -> None:
    store = fresh(tmp_path / "store")
    # One call claims to have written one byte only, and wrote it: a pretended result would be a lie of the kernel.
    code = """
whole = os.write
os.write = lambda descriptor, data: whole(descriptor, data[:7])
""" + CHANGE.replace("ready()\n", "")
    told = run(code, text_of(CHANGES["replace"]), cwd=store)
    assert told["errors"] == []
    assert contents(store)["x.md"] == NEW


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("replace", ["write temp", "fsync temp", "linkat", "renameat", "fsync directory"]),
        ("create", ["write temp", "fsync temp", "linkat", "fsync directory"]),
        ("remove", ["renameat", "fsync directory"]),
    ],
)
def test_the_bytes_are_on_the_disk_before_the_name_and_the_index_comes_last(
    tmp_path: Path, name: str, order: list[str]
) -> None:
    store = fresh(tmp_path / "store")
    trace = "write,fsync,linkat,renameat,renameat2"
    # The new description makes the index another one too.
    file, old, new = CHANGES[name]
    edit = (file, old, new and new.replace(b"about ", b"all about "))
    with Traced(store, CHANGE, text_of(edit), trace=trace) as traced:
        pass
    assert traced.told()["index"] is True
    steps = []
    for line in traced.log().splitlines():
        if call := re.match(r"(\w+)\(\d+<([^>]*)>", line):
            what = call[1].replace("renameat2", "renameat")
            if what in ("write", "fsync"):
                what += " temp" if TEMP_PREFIX in call[2] else " directory"
            steps.append(what)
    index_order = ["write temp", "fsync temp", "linkat", "renameat", "fsync directory"]
    assert steps == order + index_order


@pytest.mark.parametrize("name", CHANGES)
def test_where_the_directory_cannot_be_synced_the_change_stands_and_is_said_not_to_be_durable(
    tmp_path: Path, name: str
) -> None:
    file, _, new = CHANGES[name]
    store = fresh(tmp_path / "store")
    at = 1 if name == "remove" else 2
    inject = f"fsync:error=EIO:when={at}"
    with Traced(store, CHANGE, text_of(CHANGES[name]), trace="fsync", inject=inject) as traced:
        pass
    assert "INJECTED" in traced.log()
    told = traced.told()
    assert told["done"] == [file]
    verb = "removed" if new is None else "written"
    assert told["errors"] == [["NotDurable", 74, f"'./{file}' is {verb}, but not durable yet: input/output error"]]
    # The index follows what is there, durable or not.
    assert contents(store)["MEMORY.md"] == expected_index(store)
    assert contents(store).get(file) == new


def test_a_directory_whose_file_system_cannot_sync_it_is_no_error(tmp_path: Path) -> None:
    store = fresh(tmp_path / "store")
    with Traced(store, CHANGE, text_of(CHANGES["remove"]), trace="fsync", inject="fsync:error=EINVAL:when=1") as traced:
        pass
    assert "INJECTED" in traced.log()
    assert traced.told()["errors"] == []


def test_a_removal_that_fails_gives_the_file_its_name_back(tmp_path: Path) -> None:
    store = fresh(tmp_path / "store")
    with Traced(
        store, CHANGE, text_of(CHANGES["remove"]), trace="unlinkat", inject="unlinkat:error=EIO:when=1"
    ) as traced:
        pass
    assert "INJECTED" in traced.log()
    assert traced.told()["errors"] == [["IoFailure", 74, "cannot remove './x.md': input/output error"]]
    assert contents(store) == contents(fresh(tmp_path / "same"))


@pytest.mark.parametrize("errno_name", ["EPERM", "EOPNOTSUPP"])
@pytest.mark.parametrize("name", CHANGES)
def test_a_file_system_without_hard_links_is_written_as_well(tmp_path: Path, name: str, errno_name: str) -> None:
    file, _, new = CHANGES[name]
    store = fresh(tmp_path / "store")
    with Traced(store, CHANGE, text_of(CHANGES[name]), trace="linkat", inject=f"linkat:error={errno_name}") as traced:
        pass
    assert name == "replace" or "INJECTED" in traced.log() or "linkat" not in traced.calls()
    assert traced.told()["errors"] == []
    assert contents(store).get(file) == new
    assert temp_files(store) == []


@pytest.mark.parametrize(
    ("edit", "there"),
    [(Edit("x.md", OLD, NEW), b"other"), (Edit("x.md", OLD, None), b"other"), (Edit("x.md", None, NEW), b"other")],
)
def test_without_hard_links_a_changed_file_is_left_alone_too(tmp_path: Path, edit: Edit, there: bytes) -> None:
    store = fill(tmp_path / "store", {"x.md": there})
    code = """
edit = Edit(given[0], *[text and text.encode() for text in given[1:]])
ready()
outcome(lambda: Directory(".").commit(edit))
"""
    given = text_of((edit.file, edit.old, edit.new))
    with Traced(store, code, given, trace="linkat", inject="linkat:error=EPERM") as traced:
        pass
    assert traced.told()["errors"][0][:2] == ["Busy", 75]
    assert contents(store) == {"x.md": there}


def test_a_file_that_another_has_open_for_writing_is_not_replaced(tmp_path: Path) -> None:
    """By the lease; where there are none, the second comparison notices what was written."""
    store = fresh(tmp_path / "store")
    with (store / "x.md").open("r+b") as hq:
        with Traced(store, CHANGE, text_of(CHANGES["replace"]), trace="fcntl") as traced:
            pass
        assert "F_SETLEASE, F_RDLCK) = -1 EAGAIN" in traced.log()
        ((_, code, message),) = traced.told()["errors"]
        assert (code, message) == (75, "another program has './x.md' open for writing")
        hq.write(b"what the HQ wrote in place")
        hq.truncate()
    after = contents(store)
    assert after["x.md"] == b"what the HQ wrote in place"
    assert temp_files(store) == []


def test_who_opens_a_file_while_it_is_replaced_waits_and_writes_into_it(tmp_path: Path) -> None:
    store = fresh(tmp_path / "store")
    inject = "renameat:delay_enter=1000000:when=1"
    with Traced(store, CHANGE, text_of(CHANGES["replace"]), trace="renameat", inject=inject) as traced:
        wait_for(lambda: "renameat(" in traced.log())
        (store / "x.md").write_bytes(b"what the HQ wrote in place")
    assert "DELAYED" in traced.log()
    assert traced.told()["errors"][0][:2] == ["Busy", 75]
    after = contents(store)
    assert after["x.md"] == b"what the HQ wrote in place"
    assert after["MEMORY.md"] == index("x", "z")
    assert temp_files(store) == []


@pytest.mark.parametrize("anew", [False, True])
def test_a_file_that_changes_while_it_is_removed_is_put_back_or_kept_beside_a_newer_one(
    tmp_path: Path, anew: bool
) -> None:
    store = fresh(tmp_path / "store")
    inject = "renameat,linkat:delay_enter=1000000:when=1"
    with Traced(store, CHANGE, text_of(CHANGES["remove"]), trace="renameat,linkat", inject=inject) as traced:
        wait_for(lambda: "renameat(" in traced.log())
        # By a rename, which no lease holds back.
        (store / "other").write_bytes(b"changed since it was read")
        os.replace(store / "other", store / "x.md")
        wait_for(lambda: "linkat(" in traced.log())
        if anew:
            (store / "x.md").write_bytes(b"written anew")
    assert traced.log().count("DELAYED") == 2
    ((_, code, message),) = traced.told()["errors"]
    assert code == 75
    after = contents(store)
    assert after.pop("z.md") == memory("z")
    assert after.pop("MEMORY.md") == index("x", "z")
    if not anew:
        assert message == "'./x.md' changed while memctl worked; nothing was overwritten"
        assert after == {"x.md": b"changed since it was read"}
        return
    assert after.pop("x.md") == b"written anew"
    ((kept, text),) = after.items()
    assert re.fullmatch(r"x\.md\.conflict-[0-9a-f]{8}", kept)
    assert text == b"changed since it was read"
    assert message == (f"'./x.md' was written anew while memctl removed it; the text it had before is kept as '{kept}'")


def test_a_kill_in_a_removal_keeps_what_another_wrote_after_the_first_look(tmp_path: Path) -> None:
    for at in range(1, counted(tmp_path, "remove")["openat"] + 1):
        store = fill(tmp_path / str(at), {"x.md": b"of the HQ"})
        with Traced(
            store, CHANGE, text_of(CHANGES["remove"]), trace="openat", inject=f"openat:signal=KILL:when={at}"
        ) as traced:
            pass
        assert traced.process.returncode in (0, -signal.SIGKILL)
        reindex(store_at(store), NO_WAIT)
        assert contents(store)["x.md"] == b"of the HQ"


def test_a_file_that_appears_while_a_new_one_is_written_stays(tmp_path: Path) -> None:
    store = fresh(tmp_path / "store")
    inject = "linkat:delay_enter=1000000:when=1"
    with Traced(store, CHANGE, text_of(CHANGES["create"]), trace="linkat", inject=inject) as traced:
        wait_for(lambda: temp_files(store))
        (store / "y.md").write_bytes(b"of the HQ")
    assert traced.told()["errors"] == [["Busy", 75, "'./y.md' appeared while memctl worked"]]
    assert contents(store)["y.md"] == b"of the HQ"
    assert temp_files(store) == []


@needs_root
def test_a_full_disk_keeps_the_old_file(tmp_path: Path) -> None:
    code = """
import resource
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
outcome(lambda: change(store(), lambda _: [Edit("x.md", given[0].encode(), given[1].encode())], Locking()))
"""
    store = fresh(tmp_path / "store")
    told = run(code, [OLD.decode(), NEW.decode()], cwd=store)
    assert told["errors"] == [["IoFailure", 74, "cannot write './x.md': file too large"]]
    assert contents(store) == contents(fresh(tmp_path / "same"))


def test_no_lock_is_inherited_or_left_by_a_store_that_was_changed(tmp_path: Path) -> None:
    store = make_store(tmp_path, "x")
    reindex(store, NO_WAIT)
    descriptor = os.open(store.path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(descriptor)
