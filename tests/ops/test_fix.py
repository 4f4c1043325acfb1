"""The fixes of check on real files: under the lock, in the history, undone like any change."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from memctl.core.checks.engine import check_store
from memctl.core.checks.rule import Finding, FixKind
from memctl.core.checks.subject import Subject
from memctl.disk.inspect import inspect_store, inspect_user
from memctl.disk.locate import Store
from memctl.disk.locking import Locking
from memctl.disk.stores import DirectoryStore
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import Protected
from memctl.ops.fix import FixedStore, FixRequest, Look, fix_store
from memctl.ops.undo import apply_undo, plan_undo
from tests.core.checks.subjects import EVERY
from tests.disk.test_history import opened, recorder
from tests.stores import NO_WAIT, contents, env_of, index, make_store, memory, needs_root, register, store_at

TOKEN = "AKIA" + "QX7Z" * 4


def look(store: Store) -> Look:
    def now() -> tuple[Subject, Sequence[Finding]]:
        subject, _ = inspect_store(store) if isinstance(store, DirectoryStore) else inspect_user(store)
        return subject, check_store(subject, EVERY).findings

    return now


def fix(store: Store, *, unsafe: bool = False, write: bool = True, locking: Locking = NO_WAIT) -> FixedStore:
    return fix_store(store, look(store), FixRequest(unsafe, write, locking))


def kinds(done: FixedStore) -> list[str]:
    return [one.kind.name for one in done.fixed]


def test_a_store_without_findings_is_left_alone(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": index("a")})
    before = os.stat(store.path).st_mtime_ns
    assert fix(store, unsafe=True) == FixedStore((), "", frozenset(), ())
    assert os.stat(store.path).st_mtime_ns == before


def test_text_is_mended_without_another_byte_and_the_index_follows(tmp_path: Path) -> None:
    files = {
        "bom.md": b"\xef\xbb\xbf" + memory("bom"),
        "crlf.md": memory("crlf").replace(b"\n", b"\r\n"),
        "end.md": memory("end") + b"\n\n",
        "both.md": b"\xef\xbb\xbf" + memory("both").replace(b"\n", b"\r\n").rstrip(),
    }
    store = make_store(tmp_path, files=files)
    done = fix(store)
    assert done.errors == ()
    assert contents(store.path) == {
        **{name: memory(name[:-3]) for name in files if name != "both.md"},
        "both.md": memory("both").rstrip(b"\n"),
        "MEMORY.md": index("bom", "both", "crlf", "end"),
    }
    # What a first pass makes readable, a second one looks at.
    assert kinds(fix(store)) == ["FINAL_NEWLINE"]
    assert fix(store).fixed == ()


def test_write_permission_goes_and_nothing_else_of_a_file(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": index("a")})
    os.chmod(f"{store.path}/a.md", 0o666)
    assert kinds(fix(store)) == ["MODE"]
    assert os.stat(f"{store.path}/a.md").st_mode & 0o7777 == 0o644
    assert contents(store.path)["a.md"] == memory("a")


@pytest.mark.parametrize("way", [os.symlink, os.link])
def test_an_alias_of_the_index_goes_and_the_index_stays(tmp_path: Path, way: object) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": index("a")})
    os.chdir(store.path)
    way("MEMORY.md", "notes.md")  # type: ignore[operator]
    assert kinds(fix(store)) == ["ALIAS"]
    assert contents(store.path) == {"a.md": memory("a"), "MEMORY.md": index("a")}


def test_a_name_that_differs_and_a_stray_file_want_the_unsafe_fixes(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"b.md": memory("a"), "b.md~": b"old", "MEMORY.md": index("a")})
    assert fix(store).fixed == ()
    done = fix(store, unsafe=True)
    assert sorted(kinds(done)) == ["QUARANTINE", "RENAME"]
    (renamed,) = [one for one in done.fixed if one.kind is FixKind.RENAME]
    assert (renamed.path, renamed.to) == (f"{store.path}/b.md", f"{store.path}/a.md")
    assert contents(store.path) == {"a.md": memory("a"), "MEMORY.md": index("a")}


def test_a_renamed_file_keeps_its_mode(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"b.md": memory("a"), "MEMORY.md": index("a")})
    os.chmod(f"{store.path}/b.md", 0o600)
    fix(store, unsafe=True)
    assert os.stat(f"{store.path}/a.md").st_mode & 0o777 == 0o600


def test_a_name_that_is_taken_by_the_time_of_the_fix_replaces_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"b.md": memory("a"), "MEMORY.md": index("a")})
    seen = look(store)()
    Path(store.path, "a.md").write_bytes(memory("a", content="another"))
    done = fix_store(store, lambda: seen, FixRequest(True, True, NO_WAIT))
    assert len(done.errors) == 1
    assert contents(store.path)["a.md"] == memory("a", content="another")
    assert contents(store.path)["b.md"] == memory("a")


def test_no_fix_writes_through_a_symlink(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_bytes(memory("out").replace(b"\n", b"\r\n"))
    store = make_store(tmp_path, files={})
    os.symlink(outside, f"{store.path}/out.md")
    assert [one.kind for one in fix(store, unsafe=True).fixed if one.kind is not FixKind.REINDEX] == []
    assert outside.read_bytes() == memory("out").replace(b"\n", b"\r\n")
    assert os.path.islink(f"{store.path}/out.md")


def test_a_stale_index_alone_is_rendered(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"by hand\n"})
    assert set(kinds(fix(store))) == {"REINDEX"}
    assert contents(store.path)["MEMORY.md"] == index("a")


def test_what_would_be_done_is_shown_and_nothing_written(tmp_path: Path) -> None:
    files = {
        "a.md": memory("a").rstrip(b"\n"),
        "crlf.md": memory("crlf").replace(b"\n", b"\r\n"),
        "c.md": memory("b"),
        "c.md~": b"old",
        "MEMORY.md": b"by hand\n",
    }
    store = make_store(tmp_path, files=files)
    os.chmod(f"{store.path}/a.md", 0o666)
    done = fix(store, unsafe=True, write=False)
    assert contents(store.path) == files
    lines = done.diff.split("\n")
    assert f"mode 0666 to 0644 {store.path}/a.md" in lines
    assert f"rename {store.path}/c.md to {store.path}/b.md" in lines
    assert f"remove {store.path}/c.md~" in lines
    assert f"write LF line ends: {store.path}/crlf.md" in lines
    assert "-by hand" in lines
    assert set(kinds(done)) >= {"MODE", "RENAME", "QUARANTINE", "LINE_ENDS", "REINDEX", "FINAL_NEWLINE"}


def test_all_fixes_are_one_change_and_can_be_undone(tmp_path: Path) -> None:
    files = {"b.md": memory("a"), "b.md~": b"old", "c.md": memory("c").replace(b"\n", b"\r\n"), "d.md": memory("d")}
    store = make_store(tmp_path, files=files)
    os.chmod(f"{store.path}/d.md", 0o664)
    kept = recorder(tmp_path)
    fix(store, unsafe=True, locking=Locking(wait=0, recorder=kept))
    number = kept.finish(days=90, size=10**9)
    assert number == 1
    with opened(tmp_path) as history:
        undone = apply_undo(plan_undo(history.change(number)), NO_WAIT, force=False)
    assert undone.errors == ()
    assert contents(store.path) == files
    assert os.stat(f"{store.path}/d.md").st_mode & 0o777 == 0o664


def test_while_automatic_memory_is_off_texts_stay_and_the_rest_goes_on(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"a.md": memory("a").replace(b"\n", b"\r\n"), "a.md~": b"old"})
    register(tmp_path / "data", {"id": store.id, "name": "billing-bot", "memory": {"enabled": False}})
    store = store_at(Path(store.path))
    done = fix(store, unsafe=True)
    assert [type(error) for error in done.errors] == [Protected]
    assert done.errors[0].hint == f"memctl auto-memory {store.id} on"
    assert set(kinds(done)) == {"QUARANTINE", "REINDEX"}
    assert contents(store.path) == {"a.md": memory("a").replace(b"\n", b"\r\n"), "MEMORY.md": index("a")}
    assert fix(store, unsafe=True).errors != ()


def user(tmp_path: Path, data: bytes) -> FileStore:
    path = tmp_path / "memory.md"
    path.write_bytes(data)
    env = env_of(tmp_path)
    from memctl.disk.codewhale import find_facts

    return open_user_store(find_facts(env, given=str(path)), env)


def test_a_user_memory_is_mended_too(tmp_path: Path) -> None:
    store = user(tmp_path, b"- one\r\n- two\n")
    done = fix(store)
    assert kinds(done) == ["LINE_ENDS"]
    assert Path(store.path).read_bytes() == b"- one\n- two\n"
    assert done.fixed[0].path == store.path


def test_a_user_memory_that_changed_since_it_was_looked_at_is_left_alone(tmp_path: Path) -> None:
    store = user(tmp_path, b"- one\r\n- two\n")
    seen = look(store)()
    Path(store.path).write_bytes(b"- three\n")
    done = fix_store(store, lambda: seen, FixRequest(locking=NO_WAIT))
    assert (done.fixed, len(done.errors)) == ((), 1)
    assert Path(store.path).read_bytes() == b"- three\n"


def test_a_locked_store_is_told_and_left_alone(tmp_path: Path) -> None:
    import fcntl

    store = make_store(tmp_path, files={"a.md": memory("a").rstrip(b"\n"), "b.md": b""})
    descriptor = os.open(store.path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        done = fix(store)
    finally:
        os.close(descriptor)
    assert done.fixed == ()
    assert done.errors
    assert "MEMORY.md" not in contents(store.path)


@needs_root
def test_a_file_of_another_owner_keeps_its_owner(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"a.md": memory("a"), "MEMORY.md": index("a")})
    os.chown(f"{store.path}/a.md", 1234, 4321)
    os.chmod(f"{store.path}/a.md", 0o666)
    fix(store)
    status = os.stat(f"{store.path}/a.md")
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (1234, 4321, 0o644)


def with_secret(name: str = "a") -> bytes:
    return memory(name, description=f"the key is {TOKEN}", content=f"aws_access_key_id = {TOKEN}")


def everything(folder: Path) -> bytes:
    """Return all bytes below a folder."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_secret_is_taken_out_of_the_memory_and_the_index_and_kept_nowhere(tmp_path: Path) -> None:
    files = {"a.md": with_secret().rstrip(b"\n"), "b.md": memory("b")}
    store = make_store(tmp_path, files=files)
    fix(store)  # the index has it now, too
    assert TOKEN.encode() in contents(store.path)["MEMORY.md"]
    assert TOKEN.encode() in contents(store.path)["a.md"]
    kept = recorder(tmp_path)
    done = fix(store, unsafe=True, locking=Locking(wait=0, recorder=kept))
    kept.finish(days=90, size=10**9)
    assert done.errors == ()
    assert done.redacted == {TOKEN.encode()}
    assert "REDACT" in kinds(done)
    assert TOKEN.encode() not in everything(tmp_path)
    assert b"[redacted]" in contents(store.path)["a.md"]
    assert contents(store.path)["b.md"] == memory("b")


def test_a_stray_file_with_a_secret_is_redacted_before_the_history_keeps_it(tmp_path: Path) -> None:
    store = make_store(tmp_path, "b", files={"a.md.bak": with_secret(), "MEMORY.md": index("b")})
    kept = recorder(tmp_path)
    done = fix(store, unsafe=True, locking=Locking(wait=0, recorder=kept))
    assert kept.finish(days=90, size=10**9) == 1
    assert sorted(set(kinds(done))) == ["QUARANTINE", "REDACT"]
    assert contents(store.path) == {"b.md": memory("b"), "MEMORY.md": index("b")}
    assert TOKEN.encode() not in everything(tmp_path)


def test_an_index_by_hand_with_a_secret_is_rendered_and_not_kept(tmp_path: Path) -> None:
    store = make_store(tmp_path, "b", files={"MEMORY.md": b"key " + TOKEN.encode() + b"\n"})
    kept = recorder(tmp_path)
    fix(store, unsafe=True, locking=Locking(wait=0, recorder=kept))
    kept.finish(days=90, size=10**9)
    assert contents(store.path)["MEMORY.md"] == index("b")
    assert TOKEN.encode() not in everything(tmp_path)


def test_what_a_redaction_would_do_is_shown_without_the_secret(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"a.md": with_secret()})
    done = fix(store, unsafe=True, write=False)
    assert TOKEN not in done.diff
    assert "[redacted]" in done.diff


def test_a_secret_in_the_user_memory_is_taken_out(tmp_path: Path) -> None:
    store = user(tmp_path, b"- one\r\n- aws_access_key_id = " + TOKEN.encode() + b"\r\n")
    kept = recorder(tmp_path)
    done = fix(store, unsafe=True, locking=Locking(wait=0, recorder=kept))
    kept.finish(days=90, size=10**9)
    assert sorted(kinds(done)) == ["LINE_ENDS", "REDACT"]
    assert Path(store.path).read_bytes() == b"- one\n- aws_access_key_id = [redacted]\n"
    assert TOKEN.encode() not in everything(tmp_path)
