from __future__ import annotations

import fcntl
import hashlib
import os
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memctl.core.codewhale import NATIVE_FILE
from memctl.core.dialects.native import Entry, prompt_block
from memctl.disk.locking import Locking
from memctl.disk.native_tree import (
    APPLICATION_ID,
    Structured,
    read_structured,
    read_tree,
    structured_store,
    tree_root,
    workspace_id,
)
from memctl.disk.tree_lock import tree_lock
from memctl.errors import Busy, InvalidInput, IoFailure, Protected, UsageError
from tests.judges import cases
from tests.stores import NO_WAIT, NOBODY, env_of, fill, needs_root, run

ID = "a" * 64


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("{}/home/.deepseek/memory.md", "{}/home/.deepseek/memory"),
        ("notes.md", "{}/memory"),
        ("./memory.md", "{}/memory"),
        ("", "{}/memory"),
        (f"{{}}/x/{NATIVE_FILE}", "{}/x/memory"),
        ("../up.md", "{}/../memory"),
    ],
)
def test_the_tree_is_the_neighbour_of_the_memory_path(tmp_path: Path, path: str, root: str) -> None:
    assert tree_root(path.format(tmp_path), env_of(tmp_path)) == os.path.normpath(root.format(tmp_path))


# The id of a workspace


@pytest.fixture
def git(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a git that knows only the configuration of this test's home; `git.where` is the workspace."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    workspace = tmp_path / "workspace"
    workspace.mkdir()

    def called(*words: str) -> None:
        subprocess.run(["git", "-C", str(workspace), *words], check=True, capture_output=True)

    called.where = str(workspace)  # type: ignore[attr-defined]
    return called


@pytest.mark.parametrize("case", cases("codewhale/workspace_id"))
def test_a_workspace_has_the_id_of_its_origin(git: Any, case: dict[str, Any]) -> None:
    setup = case.get("setup", "")
    if not setup.lower().startswith("not a git directory"):
        git("init", "-q")
    if "remote_origin_url" in case:
        git("config", "remote.origin.url", case["remote_origin_url"])
    elif "upstream" in setup:
        git("remote", "add", "upstream", "https://x.test/a")
    elif "two remote" in setup:
        git("config", "--add", "remote.origin.url", "https://x.test/first")
        git("config", "--add", "remote.origin.url", "https://x.test/second")
    elif "insteadOf" in setup:
        git("config", "remote.origin.url", "gh:acme/api")
        git("config", "url.https://github.test/.insteadOf", "gh:")
    elif "global gitconfig" in setup:
        git("config", "--global", "remote.origin.url", "https://leak.test/global")
    else:
        assert setup == "not a git directory"
    assert workspace_id(git.where) == case["workspace_id"]


def test_only_white_space_of_the_program_is_trimmed_of_an_origin(git: Any) -> None:
    git("init", "-q")
    git("config", "remote.origin.url", "\u3000x\x1f")
    assert workspace_id(git.where) == hashlib.sha256(b"x\x1f").hexdigest()


@pytest.mark.parametrize("url", ["", "  "])
def test_a_blank_origin_is_none(git: Any, url: str) -> None:
    git("init", "-q")
    git("config", "remote.origin.url", url)
    assert workspace_id(git.where) is None


def test_without_git_the_scope_of_a_workspace_cannot_be_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(IoFailure, match="cannot ask git"):
        workspace_id(str(tmp_path))


# The tree


def tree(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    fill(root / "global", {"MEMORY.md": b"- g1\n\n- g2\n", "extra.md": b"- stray\n"})
    fill(root / "workspace" / ID, {"MEMORY.md": b"- mine\n"})
    fill(root / "workspace" / ("b" * 64), {"MEMORY.md": b"- other\n"})
    return root


@pytest.mark.parametrize(
    ("scope", "workspace", "texts"),
    [
        ("global", ID, [["g1", "g2"]]),
        ("workspace", ID, [["mine"]]),
        ("all", ID, [["g1", "g2"], ["mine"]]),
        ("all", None, [["g1", "g2"]]),
    ],
)
def test_a_scope_names_the_canonical_files_alone(
    tmp_path: Path, scope: str, workspace: str | None, texts: list[list[str]]
) -> None:
    files = read_tree(str(tree(tmp_path)), scope, workspace)
    assert [[entry.text for entry in file.entries] for file in files] == texts


def test_a_missing_file_of_the_tree_has_no_entries(tmp_path: Path) -> None:
    [file] = read_tree(str(tmp_path), "global", None)
    assert (file.scope, file.path, file.data, file.entries) == (
        *("global", f"{tmp_path}/global/MEMORY.md", None),
        [],
    )


def test_without_an_origin_there_is_no_scope_of_a_workspace(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_tree(str(tree(tmp_path)), "workspace", None)


def test_one_byte_that_is_not_utf8_is_an_error_with_its_place(tmp_path: Path) -> None:
    root = tree(tmp_path)
    (root / "global" / "MEMORY.md").write_bytes(b"- a\xff\n")
    with pytest.raises(InvalidInput, match=r"is not UTF-8 \(byte 3\)"):
        read_tree(str(root), "all", ID)


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in cases("codewhale/native_prompt")
        # Of the others the vectors have only the size and the digest of the file.
        if all(isinstance(text, str) for text in case.values[0]["files"].values())
    ],
)
def test_real_files_of_a_tree_give_the_block_that_codewhale_injects(tmp_path: Path, case: dict[str, Any]) -> None:
    workspace = hashlib.sha256(case["origin"].encode()).hexdigest() if case["origin"] else None
    root = tmp_path / "memory"
    for name, text in case["files"].items():
        path = root / name.replace("{ID}", workspace or "")
        fill(path.parent, {path.name: text.encode()})
    files = [(file.path, file.entries) for file in read_tree(str(root), "all", workspace)]
    block = prompt_block(files, most=case["max_entries"], budget=case["max_chars"])
    expected = case["expected"]
    assert block == (expected and expected.replace("{ROOT}", str(root)).replace("{ID}", workspace or ""))


# The lock of the tree


def test_the_lock_keeps_out_a_holder_of_the_programs_own_and_is_kept_out_by_it(tmp_path: Path) -> None:
    path = tmp_path / ".memory.lock"
    with path.open("w") as theirs:
        fcntl.flock(theirs, fcntl.LOCK_EX)
        with pytest.raises(Busy, match="is locked by CodeWhale"), tree_lock(str(path), NO_WAIT):
            pytest.fail("both hold it")
        fcntl.flock(theirs, fcntl.LOCK_UN)
        with tree_lock(str(path), NO_WAIT), pytest.raises(BlockingIOError):
            fcntl.flock(theirs, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_reader_of_the_program_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / ".memory.lock"
    holder = subprocess.Popen(["flock", "-s", path, "sh", "-c", "echo held; read _"], stdin=-1, stdout=-1)
    assert holder.stdout is not None
    assert holder.stdin is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(Busy), tree_lock(str(path), Locking(wait=0.05)):
        pytest.fail("both hold it")
    holder.communicate(b"\n", timeout=30)
    with tree_lock(str(path), NO_WAIT):
        assert path.exists()


def test_a_lock_file_that_is_unlinked_while_it_is_waited_for_is_not_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ".memory.lock"
    real = fcntl.flock
    got = []

    def flock(descriptor: int, kind: int) -> None:
        real(descriptor, kind)
        got.append(os.fstat(descriptor).st_ino)
        if len(got) == 1:
            # `delete all` unlinks it while it holds it, and the next writer makes another.
            path.unlink()
            (tmp_path / "other").touch()
            os.rename(tmp_path / "other", path)

    monkeypatch.setattr(fcntl, "flock", flock)
    with tree_lock(str(path), Locking(wait=5)):
        assert len(got) == 2
        assert got[-1] == path.stat().st_ino


def test_a_lock_file_that_is_gone_once_it_is_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ".memory.lock"
    real = fcntl.flock
    got = []

    def flock(descriptor: int, kind: int) -> None:
        real(descriptor, kind)
        got.append(descriptor)
        if len(got) == 1:
            path.unlink()

    monkeypatch.setattr(fcntl, "flock", flock)
    with tree_lock(str(path), Locking(wait=5)):
        assert len(got) == 2
        assert path.exists()


def test_the_lock_never_follows_a_link(tmp_path: Path) -> None:
    (tmp_path / ".memory.lock").symlink_to("target")
    with pytest.raises(IoFailure, match="cannot lock"), tree_lock(str(tmp_path / ".memory.lock"), NO_WAIT):
        pytest.fail("locked")
    assert os.listdir(tmp_path) == [".memory.lock"]


@pytest.mark.parametrize("errno_name", ["ENOLCK", "EBADF"])
def test_a_file_system_without_locks_is_busy_and_no_lock_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, errno_name: str
) -> None:
    import errno

    def flock(descriptor: int, kind: int) -> None:
        raise OSError(getattr(errno, errno_name), errno_name)

    monkeypatch.setattr(fcntl, "flock", flock)
    path = str(tmp_path / ".memory.lock")
    with pytest.raises(Busy, match="has no locks") as caught, tree_lock(path, NO_WAIT):
        pytest.fail("locked")
    assert "--no-lock" in (caught.value.hint or "")
    with tree_lock(path, Locking(wait=0, lock=False)):
        pass


@needs_root
def test_a_lock_file_that_root_makes_belongs_to_the_owner_of_the_tree(tmp_path: Path) -> None:
    os.chown(tmp_path, NOBODY, NOBODY)
    path = tmp_path / ".memory.lock"
    with tree_lock(str(path), NO_WAIT):
        pass
    assert (path.stat().st_uid, path.stat().st_gid) == (NOBODY, NOBODY)
    os.chown(path, 1, 1)
    with tree_lock(str(path), NO_WAIT):
        pass
    assert path.stat().st_uid == 1


@needs_root
def test_a_lock_file_that_may_not_be_written_is_protected(tmp_path: Path) -> None:
    (tmp_path / ".memory.lock").touch(mode=0o444)
    code = """
try:
    with tree_lock(".memory.lock", Locking(wait=0)): tell("locked")
except MemctlError as error:
    tell(type(error).__name__)
"""
    assert run(code, cwd=tmp_path, uid=NOBODY) == Protected.__name__


# The structured store

SCHEMA = "CREATE TABLE memories(id TEXT, scope TEXT, kind TEXT, status TEXT, title TEXT, body, tags TEXT)"
ROWS = [
    ("u1", '{"tenant":"local","user":"owner"}', "preference", "active", "Tabs", "use tabs\nalways", "[]"),
    ("u2", '{"tenant":"local","user":"owner"}', "fact", "candidate", None, b"bytes \xff", None),
]
READ = [
    Structured("u1", '{"tenant":"local","user":"owner"}', "preference", "active", "Tabs", "use tabs\nalways"),
    Structured("u2", '{"tenant":"local","user":"owner"}', "fact", "candidate", "", "bytes \ufffd"),
]


def structured(folder: Path, *, application_id: int = APPLICATION_ID, wal: bool = False) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "store.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode={'wal' if wal else 'delete'}")
    connection.execute(f"PRAGMA application_id={application_id}")
    connection.execute("PRAGMA user_version=2")
    connection.execute(SCHEMA)
    connection.executemany("INSERT INTO memories VALUES(?,?,?,?,?,?,?)", ROWS)
    connection.commit()
    connection.close()
    path.chmod(0o600)
    return path


def state(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    found = {}
    for path in folder.iterdir():
        status = path.stat()
        found[path.name] = (path.read_bytes(), status.st_mtime_ns, stat.S_IMODE(status.st_mode))
    return found


@pytest.mark.parametrize("wal", [False, True])
def test_the_structured_store_is_read_and_nothing_beside_it_is_written(tmp_path: Path, wal: bool) -> None:
    folder = tmp_path / "100% #1?é"
    path = structured(folder, wal=wal)
    before = state(folder)
    assert list(before) == ["store.sqlite3"]
    assert structured_store(str(folder)) == str(path)
    assert read_structured(str(path)) == READ
    assert state(folder) == before


def test_a_path_that_is_not_utf8_is_read_as_well(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    os.rename(structured(tmp_path / "plain"), folder / "store.sqlite3")
    assert read_structured(str(folder / "store.sqlite3")) == READ


def test_what_a_running_program_has_committed_is_read(tmp_path: Path) -> None:
    path = structured(tmp_path / "memory", wal=True)
    running = sqlite3.connect(path)
    running.execute("INSERT INTO memories VALUES('u3','s','k','active','t','new','')")
    running.commit()
    assert os.path.exists(f"{path}-wal")
    database = path.read_bytes()
    assert [row.body for row in read_structured(str(path))] == ["use tabs\nalways", "bytes \ufffd", "new"]
    assert path.read_bytes() == database
    running.execute("INSERT INTO memories VALUES('u4','s','k','active','t','newer','')")
    running.commit()
    running.close()
    assert len(read_structured(str(path))) == 4


@pytest.fixture
def open_place() -> Iterator[Path]:
    """Give a directory that another user can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as path:
        os.chmod(path, 0o755)
        yield Path(path)


AS_ANOTHER = """
import sqlite3, urllib.parse
from memctl.disk.native_tree import read_structured
os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    tell(len(read_structured("memory/store.sqlite3")))
except MemctlError as error:
    tell(told(error)[:2])
"""


@needs_root
@pytest.mark.parametrize("wal", [False, True])
def test_a_store_in_a_read_only_directory_is_read(open_place: Path, wal: bool) -> None:
    folder = open_place / "memory"
    path = structured(folder, wal=wal)
    path.chmod(0o444)
    folder.chmod(0o555)
    assert run(AS_ANOTHER, cwd=open_place) == 2
    assert os.listdir(folder) == ["store.sqlite3"]


@pytest.mark.parametrize("application_id", [0, 1])
def test_another_programs_database_is_no_store_of_codewhale(tmp_path: Path, application_id: int) -> None:
    path = structured(tmp_path / "memory", application_id=application_id)
    with pytest.raises(InvalidInput, match="is no memory store of CodeWhale"):
        read_structured(str(path))


@pytest.mark.parametrize("damage", ["text", "head", "table"])
def test_a_damaged_store_is_an_error_and_stays_as_it_is(tmp_path: Path, damage: str) -> None:
    path = structured(tmp_path / "memory")
    if damage == "table":
        connection = sqlite3.connect(path)
        connection.execute("DROP TABLE memories")
        connection.close()
    else:
        data = b"no database at all, but long enough to be taken for one" * 40
        path.write_bytes(data if damage == "text" else path.read_bytes()[:100] + data)
    before = state(path.parent)
    with pytest.raises(IoFailure, match=f"cannot read '{path}'"):
        read_structured(str(path))
    assert state(path.parent) == before


def test_a_store_that_is_a_link_or_a_directory_is_refused_as_codewhale_does(tmp_path: Path) -> None:
    real = structured(tmp_path / "elsewhere")
    root = tmp_path / "memory"
    root.mkdir()
    link = root / "store.sqlite3"
    link.symlink_to(real)
    assert structured_store(str(root)) == str(link)
    with pytest.raises(InvalidInput, match="is no regular file"):
        read_structured(str(link))
    link.unlink()
    assert structured_store(str(root)) is None
    link.mkdir()
    with pytest.raises(InvalidInput, match="is no regular file"):
        read_structured(str(link))


@needs_root
def test_a_store_that_may_not_be_read_is_an_input_output_error(open_place: Path) -> None:
    structured(open_place / "memory")
    assert run(AS_ANOTHER, cwd=open_place) == ["IoFailure", 74]


def test_a_store_that_is_not_there_is_none(tmp_path: Path) -> None:
    assert structured_store(str(tmp_path)) is None
    with pytest.raises(InvalidInput, match="is no regular file"):
        read_structured(str(tmp_path / "store.sqlite3"))


def test_entries_of_a_file_have_their_lines(tmp_path: Path) -> None:
    [file] = read_tree(str(tree(tmp_path)), "global", None)
    assert file.entries == [Entry(1, "g1"), Entry(3, "g2")]
