from __future__ import annotations

import os
import re
import stat
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memctl.disk import appends
from memctl.disk.files import Directory
from memctl.disk.new_file import NotDurable
from memctl.disk.single_file import append_file, write_file
from memctl.errors import Busy, InvalidInput, IoFailure, Protected
from tests.disk.test_files import Traced
from tests.stores import NO_WAIT, NOBODY, command, contents, fill, needs_root, run

LINE = b"- (2026-05-03 22:14 UTC) use tabs\n"
OTHER = b"- (2026-05-03 22:15 UTC) use spaces\n"

# How much is done at once: 20 makes two thousand processes of those in the test below.
FAULTS = int(os.environ.get("MEMCTL_FAULTS", "1"))


def test_a_line_is_appended_and_nothing_else_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"\xff\r\n- a\r\n")
    before = path.stat()
    append_file(str(path), LINE, NO_WAIT)
    assert path.read_bytes() == b"\xff\r\n- a\r\n" + LINE
    assert (path.stat().st_ino, path.stat().st_mode) == (before.st_ino, before.st_mode)
    assert os.listdir(tmp_path) == ["memory.md"]


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_missing_file_is_made_with_the_mode_that_the_program_gives(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        append_file(str(tmp_path / "memory.md"), LINE, NO_WAIT)
    finally:
        os.umask(before)
    assert contents(tmp_path) == {"memory.md": LINE}
    assert stat.S_IMODE((tmp_path / "memory.md").stat().st_mode) == 0o666 & ~umask


@needs_root
def test_a_file_that_root_makes_belongs_to_the_owner_of_its_directory_and_others_keep_theirs(tmp_path: Path) -> None:
    os.chown(tmp_path, NOBODY, NOBODY)
    path = tmp_path / "memory.md"
    append_file(str(path), LINE, NO_WAIT)
    assert (path.stat().st_uid, path.stat().st_gid) == (NOBODY, NOBODY)
    os.chown(path, 1, 1)
    append_file(str(path), LINE, NO_WAIT)
    assert (path.stat().st_uid, path.stat().st_gid) == (1, 1)


# The last line has no end


def test_a_last_line_without_an_end_gets_one_so_that_nothing_is_glued(tmp_path: Path) -> None:
    # The one deliberate difference from the program, which glues its bullet to that line (DESIGN 4.6 and 5).
    path = tmp_path / "memory.md"
    path.write_bytes(b"- a")
    append_file(str(path), LINE, NO_WAIT)
    assert path.read_bytes() == b"- a\n" + LINE


@pytest.mark.parametrize("data", [b"", b"\n", b"- a\n\n"])
def test_no_line_end_is_added_where_there_is_one(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(data)
    append_file(str(path), LINE, NO_WAIT)
    assert path.read_bytes() == data + LINE


def test_the_end_of_the_last_line_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"- (2026-05-03 22:15 UTC) use ")
    slept = []

    def finish(seconds: float) -> None:
        slept.append(seconds)
        with path.open("ab") as theirs:
            theirs.write(b"spaces\n")

    monkeypatch.setattr(time, "sleep", finish)
    append_file(str(path), LINE, NO_WAIT)
    assert path.read_bytes() == OTHER + LINE
    assert slept == [0.05]


# What is no file, or may not be written


def test_a_link_is_never_written_through(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_bytes(b"- a\n")
    for name, target in (("link.md", "real.md"), ("dangling.md", "nowhere.md")):
        (tmp_path / name).symlink_to(target)
        with pytest.raises(InvalidInput, match="is a symlink, not a file"):
            append_file(str(tmp_path / name), LINE, NO_WAIT)
    assert (tmp_path / "real.md").read_bytes() == b"- a\n"
    assert not (tmp_path / "nowhere.md").exists()


@needs_root
@pytest.mark.parametrize(("folder", "there"), [(0o755, True), (0o555, False)])
def test_without_permission_it_is_protected(tmp_path: Path, folder: int, there: bool) -> None:
    place = fill(tmp_path / "place", {"memory.md": b"- a\n"} if there else {})
    place.chmod(folder)
    code = """
try:
    append_file("memory.md", b"- x\\n", Locking(wait=0))
except MemctlError as error:
    tell(told(error)[:2])
"""
    assert run(code, cwd=place, uid=NOBODY) == [Protected.__name__, 77]
    assert contents(place) == ({"memory.md": b"- a\n"} if there else {})


def test_appenders_share_the_lock_and_keep_out_who_replaces(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.md")
    with Directory(str(tmp_path)) as other:
        other.lock(NO_WAIT, shared=True)
        append_file(path, LINE, NO_WAIT)
        with pytest.raises(Busy), Directory(str(tmp_path)) as third:
            third.lock(NO_WAIT)
    with Directory(str(tmp_path)) as other:
        other.lock(NO_WAIT)
        with pytest.raises(Busy):
            append_file(path, OTHER, NO_WAIT)
    assert contents(tmp_path) == {"memory.md": LINE}


# The file is another by the time it is written


def at_write(monkeypatch: pytest.MonkeyPatch, *deeds: Any) -> None:
    """Do one thing before each of the first writes."""
    left = list(deeds)
    write = appends.write_all

    def writing(descriptor: int, data: bytes) -> None:
        if left:
            left.pop(0)()
        write(descriptor, data)

    monkeypatch.setattr(appends, "write_all", writing)


def test_a_file_that_is_replaced_before_the_write_gets_the_line_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"- old\n")

    def replaced(text: bytes) -> Any:
        def deed() -> None:
            (tmp_path / "new").write_bytes(text)
            os.rename(tmp_path / "new", path)

        return deed

    at_write(monkeypatch, replaced(b"- one\n"), replaced(b"- two"))
    append_file(str(path), LINE, NO_WAIT)
    assert contents(tmp_path) == {"memory.md": b"- two\n" + LINE}


def test_a_file_that_is_unlinked_before_the_write_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"- old\n")
    at_write(monkeypatch, path.unlink)
    append_file(str(path), LINE, NO_WAIT)
    assert contents(tmp_path) == {"memory.md": LINE}


def test_a_file_that_was_replaced_by_one_with_the_line_does_not_get_it_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"- old\n")
    write = appends.write_all

    def writing(descriptor: int, data: bytes) -> None:
        write(descriptor, data)
        if b"editor" not in path.read_bytes():
            (tmp_path / "new").write_bytes(b"# by an editor\n" + path.read_bytes())
            os.rename(tmp_path / "new", path)

    monkeypatch.setattr(appends, "write_all", writing)
    append_file(str(path), LINE, NO_WAIT)
    assert path.read_bytes() == b"# by an editor\n- old\n" + LINE


def test_a_file_that_goes_between_two_looks_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"- old\n")
    real = os.open
    tries = []

    def opened(name: str, flags: int, *rest: Any, **more: Any) -> int:
        if name == "memory.md" and flags & os.O_WRONLY == 0 and not flags & os.O_CREAT and not tries:
            tries.append(name)
            path.unlink()
        return real(name, flags, *rest, **more)

    monkeypatch.setattr(os, "open", opened)
    append_file(str(path), LINE, NO_WAIT)
    assert tries == ["memory.md"]
    assert path.read_bytes() == LINE


# Faults of the system, injected from outside

APPEND = """
ready()
try:
    append_file("memory.md", given.encode(), Locking(wait=0))
except MemctlError as error:
    tell(told(error))
else:
    tell(None)
"""
GIVEN = LINE.decode()


def place(tmp_path: Path) -> Path:
    return fill(tmp_path / "place", {"memory.md": OTHER})


def test_the_line_goes_out_in_one_write_and_is_on_the_disk_before_the_directory(tmp_path: Path) -> None:
    store = place(tmp_path)
    with Traced(store, APPEND, GIVEN, trace="openat,flock,write,fsync,rename,unlinkat,ftruncate") as traced:
        pass
    assert traced.told() is None
    steps = [
        f"{call} {'file' if '/memory.md>' in rest.split(',')[0] else 'directory'}"
        for call, rest in re.findall(r"^(flock|write|fsync|ftruncate)\((.*)$", traced.log(), re.MULTILINE)
    ]
    assert steps == ["flock directory", "write file", "fsync file", "fsync directory"]
    assert re.search(r"^openat\(.*O_APPEND", traced.log(), re.MULTILINE)
    assert contents(store) == {"memory.md": OTHER + LINE}


@pytest.mark.parametrize("errno_name", ["ENOSPC", "EIO", "EDQUOT"])
@pytest.mark.parametrize("call", ["write", "fsync"])
def test_an_error_of_the_system_is_one_of_memctl_and_the_earlier_bytes_stay(
    tmp_path: Path, call: str, errno_name: str
) -> None:
    store = place(tmp_path)
    with Traced(store, APPEND, GIVEN, trace=call, inject=f"{call}:error={errno_name}:when=1") as traced:
        pass
    assert "INJECTED" in traced.log()
    name, code, message = traced.told()
    assert (name, code) == (IoFailure.__name__, 74)
    assert message.startswith("cannot write 'memory.md': ")
    assert contents(store) == {"memory.md": OTHER if call == "write" else OTHER + LINE}


def test_where_the_directory_cannot_be_synced_the_line_stands_and_is_said_not_to_be_durable(tmp_path: Path) -> None:
    store = place(tmp_path)
    with Traced(store, APPEND, GIVEN, trace="fsync", inject="fsync:error=EIO:when=2") as traced:
        pass
    name, code, message = traced.told()
    assert (name, code) == (NotDurable.__name__, 74)
    assert message == "'memory.md' is written, but not durable yet: input/output error"
    assert contents(store) == {"memory.md": OTHER + LINE}


def test_a_directory_whose_file_system_cannot_sync_it_is_no_error(tmp_path: Path) -> None:
    store = place(tmp_path)
    with Traced(store, APPEND, GIVEN, trace="fsync", inject="fsync:error=EINVAL:when=2") as traced:
        pass
    assert "INJECTED" in traced.log()
    assert traced.told() is None


def test_after_a_write_that_claims_less_the_rest_follows_and_nothing_is_taken_back(tmp_path: Path) -> None:
    store = place(tmp_path)
    # The kernel pretends that four bytes went out, and wrote none: what follows are the others.
    with Traced(store, APPEND, GIVEN, trace="write", inject="write:retval=4:when=1") as traced:
        pass
    assert "INJECTED" in traced.log()
    assert traced.told() is None
    assert contents(store) == {"memory.md": OTHER + LINE[4:]}


def test_a_full_disk_after_a_short_write_keeps_what_was_there(tmp_path: Path) -> None:
    store = place(tmp_path)
    # A file system with room for a few bytes only, as the limit of a file's size gives it.
    code = f"""
import resource
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({2 * len(OTHER) + 5}, resource.RLIM_INFINITY))
{APPEND.replace("ready()", "")}
"""
    (store / "memory.md").write_bytes(OTHER + OTHER)
    name, exit_code, _ = run(code, GIVEN, cwd=store)
    assert (name, exit_code) == (IoFailure.__name__, 74)
    assert contents(store) == {"memory.md": OTHER + OTHER + LINE[:5]}
    # The next one finishes that line, and is glued to nothing.
    append_file(str(store / "memory.md"), LINE, NO_WAIT)
    assert contents(store) == {"memory.md": OTHER + OTHER + LINE[:5] + b"\n" + LINE}


@pytest.mark.parametrize("name", ["TERM", "INT", "HUP"])
def test_a_signal_ends_the_run_after_the_line_and_not_within_it(tmp_path: Path, name: str) -> None:
    store = place(tmp_path)
    with Traced(store, APPEND, GIVEN, trace="write", inject=f"write:signal={name}:when=1") as traced:
        pass
    assert traced.process.returncode != 0
    assert contents(store) == {"memory.md": OTHER + LINE}


# Many at once

# Each process appends its own numbered lines.
APPENDER = """
name, count = given
for number in range(count):
    append_file("memory.md", f"- (2026-05-03 22:14 UTC) {name} {number} {'x' * (number % 90)}\\n".encode(), Locking(wait=60))
"""

# As the TUI does: a line in five calls.
FOREIGN = """
name, count = given
for number in range(count):
    with open("memory.md", "ab", buffering=0) as file:
        for part in ("- (", "2026-05-03 22:14 UTC", ") ", f"{name} {number} ", "\\n"):
            file.write(part.encode())
    time.sleep(0.0005)
"""

# Replaces the file over and over, as edit and delete of notes do, and takes its own notes out again.
REPLACER = """
from memctl.core.dialects.notes import drop, read_notes, replace
from memctl.disk.codewhale import find_facts
from memctl.disk.user_store import open_user_store
env = Env({"DEEPSEEK_MANAGED_CONFIG_PATH": "/nonexistent"}, None, os.getcwd(), os.getuid())
s = open_user_store(find_facts(env, given="memory.md"), env)
done = busy = 0
while done < given:
    data, notes = s.read()
    mine = [note for note in notes if note.text.startswith("mine")]
    new = drop(data, mine[1:]) if len(mine) > 1 else replace(data, mine[0], f"mine {done}")
    if new == data:
        new = replace(data, mine[0], f"mine {done} again")
    try:
        s.write(data, new, Locking(wait=60))
        done += 1
    except Busy:
        busy += 1
tell([done, busy])
"""

WHOLE = re.compile(rb"- \(2026-05-03 22:14 UTC\) (\w+) (\d+) (x*)")


def start(code: str, given: Any, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command(code, given), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        errors = process.communicate(timeout=300)[1]
        assert process.returncode == 0, errors.decode()


def expected(names: Sequence[str], count: int) -> Counter[tuple[bytes, bytes]]:
    return Counter((name.encode(), str(number).encode()) for name in names for number in range(count))


def whole_lines(lines: Sequence[bytes], prefix: bytes) -> Counter[tuple[bytes, bytes]]:
    found: Counter[tuple[bytes, bytes]] = Counter()
    for line in lines:
        match = WHOLE.fullmatch(line)
        if match and match[1].startswith(prefix) and len(match[3]) == int(match[2]) % 90:
            found[match[1], match[2]] += 1
    return found


def test_many_processes_lose_and_splice_nothing(tmp_path: Path) -> None:
    store = fill(tmp_path / "store", {"memory.md": b"- first"})
    names = [f"writer{number}" for number in range(4)]
    finish([start(APPENDER, [name, 200 * FAULTS], store) for name in names])
    lines = (store / "memory.md").read_bytes().splitlines()
    assert lines[0] == b"- first"
    assert whole_lines(lines, b"writer") == expected(names, 200 * FAULTS)
    assert len(lines) == 1 + len(names) * 200 * FAULTS


def test_two_thousand_processes_of_one_note_each_lose_and_splice_nothing(tmp_path: Path) -> None:
    store = fill(tmp_path / "store", {})
    total = 100 * FAULTS
    # Forked from a few, since what is held here is the append, and not the start of Python.
    code = """
first, count = given
for number in range(first, first + count):
    if os.fork() == 0:
        append_file("memory.md", f"- (2026-05-03 22:14 UTC) single {number} {'x' * (number % 90)}\\n".encode(), Locking(wait=120))
        os._exit(0)
for _ in range(count):
    assert os.wait()[1] == 0
"""
    finish([start(code, [first, total // 4], store) for first in range(0, total, total // 4)])
    lines = (store / "memory.md").read_bytes().splitlines()
    assert whole_lines(lines, b"single") == expected(["single"], total)
    assert len(lines) == total


def test_beside_an_appender_of_five_calls_no_line_of_memctl_is_lost_or_spliced(tmp_path: Path) -> None:
    store = fill(tmp_path / "store", {"memory.md": b""})
    names = [f"writer{number}" for number in range(2)]
    finish(
        [start(APPENDER, [name, 200 * FAULTS], store) for name in names]
        + [start(FOREIGN, ["foreign0", 200 * FAULTS], store)]
    )
    data = (store / "memory.md").read_bytes()
    # A line of memctl goes out in one write: its bytes stand together, whatever another began before it.
    written = [found for found in re.findall(WHOLE.pattern + rb"\n", data) if found[0].startswith(b"writer")]
    assert Counter((name, number) for name, number, _ in written) == expected(names, 200 * FAULTS)
    assert all(len(pad) == int(number) % 90 for _, number, pad in written)
    # Of the other no byte is lost: without the lines of memctl, and the ends that it put before them, its text is whole.
    rest = re.sub(rb"\n?- \(2026-05-03 22:14 UTC\) writer\d+ \d+ x*\n", b"", data)
    assert re.sub(rb"\s", b"", rest) == re.sub(
        rb"\s", b"", b"".join(b"- (2026-05-03 22:14 UTC) foreign0 %d" % number for number in range(200 * FAULTS))
    )


def test_beside_a_memctl_that_replaces_the_file_no_note_is_lost(tmp_path: Path) -> None:
    store = fill(tmp_path / "store", {"memory.md": b"- mine\n- mine too\n"})
    names = [f"writer{number}" for number in range(2)]
    replacer = start(REPLACER, 40 * FAULTS, store)
    finish([start(APPENDER, [name, 100 * FAULTS], store) for name in names])
    out, errors = replacer.communicate(timeout=300)
    assert replacer.returncode == 0, errors.decode()
    assert out.startswith(b"[%d, " % (40 * FAULTS))
    lines = (store / "memory.md").read_bytes().splitlines()
    assert whole_lines(lines, b"writer") == expected(names, 100 * FAULTS)
    assert [line for line in lines if line.startswith(b"- mine")] == [lines[0]]
    assert len(lines) == 1 + len(names) * 100 * FAULTS
    assert os.listdir(store) == ["memory.md"]


def test_a_writer_of_five_calls_that_has_begun_is_noticed_when_the_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"- a\n")
    with path.open("ab", buffering=0) as theirs:
        theirs.write(b"- (")
        with pytest.raises(Busy):
            write_file(str(path), b"- a\n", b"- b\n", NO_WAIT)
        theirs.write(b"2026-05-03 22:14 UTC) x\n")
    assert contents(tmp_path) == {"memory.md": b"- a\n- (2026-05-03 22:14 UTC) x\n"}


def test_a_thread_that_appends_while_another_waits_for_the_end_is_not_glued(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"- a")
    threads = [threading.Thread(target=append_file, args=(str(path), LINE, NO_WAIT)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = [line for line in path.read_bytes().split(b"\n") if line]
    assert lines == [b"- a", LINE[:-1], LINE[:-1]]
