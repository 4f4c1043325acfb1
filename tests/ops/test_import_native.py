from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from memctl.core.env import Env
from memctl.disk.codewhale import find_facts
from memctl.disk.locking import Locking
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import Busy, InvalidInput, IoFailure, Protected
from memctl.ops.import_native import ImportedTree, import_native
from tests.stores import NO_WAIT, NOBODY, contents, env_of, fill, needs_root, temp_files

NOTES = b"\xef\xbb\xbf- (2026-05-03 22:14 UTC) a\r\n- b"


@pytest.fixture
def env(tmp_path: Path) -> Env:
    return env_of(tmp_path, DEEPSEEK_MANAGED_CONFIG_PATH="/nonexistent")


@pytest.fixture
def store(tmp_path: Path, env: Env) -> FileStore:
    fill(tmp_path / "place", {"memory.md": NOTES})
    return store_at(tmp_path / "place" / "memory.md", env)


def store_at(path: Path, env: Env) -> FileStore:
    return open_user_store(find_facts(env, given=str(path)), env)


def done(store: FileStore, env: Env, *, dry_run: bool = False, locking: Locking = NO_WAIT) -> ImportedTree:
    return import_native(store, env, locking, dry_run=dry_run)


def target(tmp_path: Path) -> Path:
    return tmp_path / "place" / "memory" / "global" / "MEMORY.md"


def test_the_file_is_copied_byte_for_byte_and_stays(tmp_path: Path, env: Env, store: FileStore) -> None:
    assert done(store, env) == ImportedTree(True, store.path, str(target(tmp_path)))
    assert target(tmp_path).read_bytes() == NOTES
    assert (tmp_path / "place" / "memory.md").read_bytes() == NOTES
    assert sorted(os.listdir(tmp_path / "place" / "memory")) == [".memory.lock", "global"]
    assert os.listdir(target(tmp_path).parent) == ["MEMORY.md"]


def test_a_dry_run_makes_nothing(tmp_path: Path, env: Env, store: FileStore) -> None:
    assert done(store, env, dry_run=True).imported
    assert contents(tmp_path / "place") == {"memory.md": NOTES}


def test_the_source_is_the_neighbour_of_the_tree_whatever_the_configuration_names(tmp_path: Path, env: Env) -> None:
    place = fill(tmp_path / "place", {"memory.md": NOTES, "other.md": b"- other\n"})
    assert done(store_at(place / "other.md", env), env).source == str(place / "memory.md")
    assert target(tmp_path).read_bytes() == NOTES


@pytest.mark.parametrize("existing", [b"", b"- there\n"])
def test_a_global_file_that_is_there_is_never_touched_even_an_empty_one(
    tmp_path: Path, env: Env, store: FileStore, existing: bytes
) -> None:
    fill(target(tmp_path).parent, {"MEMORY.md": existing})
    answer = done(store, env)
    assert (answer.imported, answer.reason, answer.why) == (False, "exists", f"'{target(tmp_path)}' is there already")
    assert target(tmp_path).read_bytes() == existing


def test_a_dangling_link_in_its_place_is_there_too(tmp_path: Path, env: Env, store: FileStore) -> None:
    fill(target(tmp_path).parent, {})
    target(tmp_path).symlink_to("nowhere.md")
    assert done(store, env).reason == "exists"
    assert os.listdir(target(tmp_path).parent) == ["MEMORY.md"]


def test_one_that_appears_under_the_lock_is_not_replaced(
    tmp_path: Path, env: Env, store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fcntl.flock

    def flock(descriptor: int, kind: int) -> None:
        real(descriptor, kind)
        if not target(tmp_path).exists():
            target(tmp_path).write_bytes(b"- theirs\n")

    monkeypatch.setattr(fcntl, "flock", flock)
    assert done(store, env).reason == "exists"
    assert target(tmp_path).read_bytes() == b"- theirs\n"


@pytest.mark.parametrize(("data", "reason"), [(None, "missing"), (b"", "empty"), (b" \n\xe3\x80\x80\r\n", "empty")])
def test_without_anything_to_copy_nothing_is_made(tmp_path: Path, env: Env, data: bytes | None, reason: str) -> None:
    place = fill(tmp_path / "place", {} if data is None else {"memory.md": data})
    answer = done(store_at(place / "memory.md", env), env)
    assert (answer.imported, answer.reason) == (False, reason)
    assert os.listdir(place) == ([] if data is None else ["memory.md"])


def test_a_source_that_is_not_utf8_or_no_file_is_an_error(tmp_path: Path, env: Env) -> None:
    place = fill(tmp_path / "place", {"memory.md": b"- a\xff"})
    with pytest.raises(InvalidInput, match=r"is not UTF-8 \(byte 3\), so CodeWhale does not import it"):
        done(store_at(place / "memory.md", env), env)
    (place / "memory.md").unlink()
    os.mkfifo(place / "memory.md")
    with pytest.raises(InvalidInput, match="is a FIFO"):
        done(store_at(place / "memory.md", env), env)
    assert os.listdir(place) == ["memory.md"]


def test_while_codewhale_holds_the_lock_nothing_is_copied(tmp_path: Path, env: Env, store: FileStore) -> None:
    lock = fill(tmp_path / "place" / "memory", {".memory.lock": b""}) / ".memory.lock"
    with lock.open() as theirs:
        fcntl.flock(theirs, fcntl.LOCK_SH)
        with pytest.raises(Busy, match="is locked by CodeWhale"):
            done(store, env)
        assert not target(tmp_path).exists()
        assert temp_files(target(tmp_path).parent) == []
    assert done(store, env).imported


def test_a_file_in_the_way_of_the_tree_is_an_error_and_stays(tmp_path: Path, env: Env, store: FileStore) -> None:
    (tmp_path / "place" / "memory").write_bytes(b"kept")
    with pytest.raises(IoFailure, match="is in the way"):
        done(store, env)
    assert (tmp_path / "place" / "memory").read_bytes() == b"kept"


@needs_root
def test_what_root_makes_belongs_to_the_owner_of_the_place(tmp_path: Path, env: Env, store: FileStore) -> None:
    os.chown(tmp_path / "place", NOBODY, NOBODY)
    assert done(store, env).imported
    tree = tmp_path / "place" / "memory"
    made = [tree, tree / ".memory.lock", tree / "global", target(tmp_path)]
    assert [path.stat().st_uid for path in made] == [NOBODY] * 4


@needs_root
def test_root_copies_nothing_that_another_users_link_leads_to(tmp_path: Path, env: Env) -> None:
    place = fill(tmp_path / "place", {})
    (tmp_path / "roots.md").write_bytes(b"- of root alone\n")
    (place / "memory.md").symlink_to(tmp_path / "roots.md")
    os.lchown(place / "memory.md", NOBODY, NOBODY)
    with pytest.raises(Protected, match="a file of another user"):
        done(store_at(place / "memory.md", env), env)
    assert os.listdir(place) == ["memory.md"]
