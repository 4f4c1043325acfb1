"""A commit is read from git's objects: exactly, without a checkout, a write or a way out to the network."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memctl.core.checks.comparing import Was
from memctl.core.checks.subject import Item, Kind
from memctl.disk.git import Commit, has_ref, place_in, read_blobs, read_commit, top_of
from memctl.errors import UsageError
from tests.disk.repositories import commit, env_at, git, repository
from tests.stores import fill

HOSTILE = [
    "line\nend.md",
    "tab\t.md",
    "\udcff\udcfe.md",
    '"quoted".md',
    " blank .md",
    "-dash.md",
    "größe.md",
    "a\\b.md",
]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")


def names_in(repo: Path, ref: str, path: str) -> list[Was] | None:
    found = read_commit(str(repo), ref, [str(repo)], env_at(repo))
    blobs = found.at(str(repo / path))
    return None if blobs is None else read_blobs(found, blobs, {}, env_at(repo))


def test_the_files_of_a_commit_are_those_that_were_committed(repo: Path) -> None:
    fill(repo / "memory/a", {"x.md": b"one\n", "y.md": b"\x00\xff\r\n"})
    commit(repo)
    (repo / "memory/a/x.md").write_bytes(b"two\n")
    (repo / "memory/a/y.md").unlink()
    assert names_in(repo, "HEAD", "memory/a") == [
        Was("x.md", Kind.FILE, b"one\n"),
        Was("y.md", Kind.FILE, b"\x00\xff\r\n"),
    ]
    assert names_in(repo, "HEAD", "memory/b") is None


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_is_read(repo: Path, name: str) -> None:
    fill(repo / "memory/a", {name: b"text"})
    commit(repo)
    assert names_in(repo, "main", "memory/a") == [Was(name, Kind.FILE, b"text")]


@pytest.mark.parametrize("name", ["line\nend", "\udcff", "-dash", ":(glob)*", "*", "größe"])
def test_a_directory_of_any_name_is_asked_for_literally(repo: Path, name: str) -> None:
    fill(repo / "memory" / name, {"x.md": b"text"})
    fill(repo / "memory/other", {"y.md": b"text"})
    commit(repo)
    found = read_commit(str(repo), "HEAD", [str(repo / "memory" / name)], env_at(repo))
    assert [blob.name for blob in found.at(str(repo / "memory" / name)) or ()] == ["x.md"]


def test_symlinks_directories_and_submodules_are_what_they_are(repo: Path) -> None:
    store = fill(repo / "a", {"x.md": b"text"})
    (store / "link.md").symlink_to("../elsewhere")
    fill(store / "deep/deeper", {"z.md": b"z"})
    repository(store / "module")
    commit(store / "module")
    commit(repo)
    found = {was.name: was for was in names_in(repo, "HEAD", "a") or ()}
    assert found["link.md"] == Was("link.md", Kind.SYMLINK, None, "../elsewhere")
    assert found["deep"] == Was("deep", Kind.DIRECTORY, None)
    assert found["module"] == Was("module", Kind.DIRECTORY, None)
    assert [was.name for was in names_in(repo, "HEAD", "a/deep") or ()] == ["deeper"]


def test_the_top_is_a_directory_as_others_are(repo: Path) -> None:
    fill(repo, {"x.md": b"text"})
    fill(repo / "a", {"y.md": b"text"})
    commit(repo)
    assert {was.name for was in names_in(repo, "HEAD", "") or ()} == {"x.md", "a"}


def test_what_has_the_same_bytes_is_not_read(repo: Path) -> None:
    fill(repo / "a", {"x.md": b"one", "y.md": b"two"})
    commit(repo)
    found = read_commit(str(repo), "HEAD", [str(repo / "a")], env_at(repo))
    data = b"".join((b"o", b"ne"))
    here = {"x.md": Item("x.md", data, "one", None, Kind.FILE, 0, 0, 0.0)}
    read = {was.name: was.data for was in read_blobs(found, found.at(str(repo / "a")) or (), here, env_at(repo))}
    assert read == {"x.md": b"one", "y.md": b"two"}
    assert read["x.md"] is data


def test_a_repository_of_sha256_is_read_too(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", "--object-format=sha256")
    fill(repo / "a", {"x.md": b"one"})
    commit(repo)
    assert names_in(repo, "HEAD", "a") == [Was("x.md", Kind.FILE, b"one")]
    found = read_commit(str(repo), "HEAD", [str(repo / "a")], env_at(repo))
    here = {"x.md": Item("x.md", (data := b"one"), "one", None, Kind.FILE, 0, 0, 0.0)}
    assert read_blobs(found, found.at(str(repo / "a")) or (), here, env_at(repo))[0].data is data


def test_a_large_file_that_is_no_memory_is_left_out(repo: Path) -> None:
    big = b"x" * ((1 << 20) + 1)
    fill(repo / "a", {"big.bin": big, "big.md": big})
    commit(repo)
    found = {was.name: was.data for was in names_in(repo, "HEAD", "a") or ()}
    assert found["big.bin"] is None
    assert found["big.md"] == big


def test_more_directories_than_one_command_takes_are_read(repo: Path) -> None:
    for number in range(501):
        fill(repo / f"memory/a{number}", {"x.md": b"one"})
    commit(repo)
    paths = [str(repo / f"memory/a{number}") for number in range(501)]
    found = read_commit(str(repo), "HEAD", paths, env_at(repo))
    assert all(len(found.at(path) or ()) == 1 for path in paths)
    assert len(found.at(str(repo / "memory")) or ()) == 501


def test_directories_below_a_path_are_told_as_they_would_be_called(repo: Path) -> None:
    fill(repo / "memory/a", {"x.md": b"x"})
    fill(repo / "memory/b/c", {"x.md": b"x"})
    fill(repo / "memoryx", {"x.md": b"x"})
    commit(repo)
    found = read_commit(str(repo), "HEAD", [str(repo)], env_at(repo))
    memory = str(repo / "memory")
    assert sorted(found.below(memory)) == [memory, f"{memory}/a", f"{memory}/b", f"{memory}/b/c"]
    assert f"{repo}/memoryx" in set(found.below(str(repo)))


def test_what_git_hands_to_its_hooks_leads_nowhere(repo: Path, tmp_path: Path) -> None:
    fill(repo / "a", {"x.md": b"one"})
    commit(repo)
    other = repository(tmp_path / "other")
    env = env_at(repo, GIT_DIR=str(other / ".git"), GIT_WORK_TREE=str(other), GIT_INDEX_FILE="/nowhere", GIT_PREFIX="x")
    assert top_of(str(repo / "a"), env) == (str(repo), False)
    assert read_commit(str(repo), "HEAD", [str(repo)], env).at(str(repo / "a")) is not None


def test_a_directory_that_is_gone_is_in_the_work_tree_it_was_in(repo: Path) -> None:
    assert top_of(str(repo / "memory/gone"), env_at(repo))[0] == str(repo)


def test_a_path_through_a_symlink_is_where_it_leads(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to(repo)
    assert place_in(str(repo), str(tmp_path / "short/memory/a")) == "memory/a"
    assert place_in(str(repo), str(repo)) == ""


def test_nothing_in_the_repository_changes(repo: Path) -> None:
    fill(repo / "a", {"x.md": b"one"})
    commit(repo)
    (repo / "a/x.md").write_bytes(b"two")

    def state() -> list[tuple[str, int, int]]:
        return sorted(
            (str(path), path.lstat().st_mtime_ns, path.lstat().st_size) for path in repo.rglob("*") if path.is_file()
        )

    before = state()
    names_in(repo, "HEAD", "a")
    assert state() == before


@pytest.mark.parametrize("ref", ["nope", "", "-h", "--all", "main\nmain", "a\0b", "HEAD~5", "..", "main:nope"])
def test_a_ref_that_is_not_there_is_an_error(repo: Path, ref: str) -> None:
    commit(repo)
    assert not has_ref(str(repo), ref, env_at(repo))
    with pytest.raises(UsageError, match=r"^no commit '") as error:
        read_commit(str(repo), ref, [str(repo)], env_at(repo))
    assert "git fetch" in str(error.value.hint)


@pytest.mark.parametrize("ref", ["main", "HEAD", "refs/heads/main", "v1", "main^{commit}", "HEAD^{tree}"])
def test_whatever_names_a_tree_is_a_ref(repo: Path, ref: str) -> None:
    commit(repo)
    git(repo, "tag", "-a", "v1", "-m", "one")
    assert has_ref(str(repo), ref, env_at(repo))
    assert has_ref(str(repo), git(repo, "rev-parse", "--short", "HEAD"), env_at(repo))


def test_a_branch_that_only_the_remote_has_is_named(repo: Path, tmp_path: Path) -> None:
    commit(repo)
    git(repo, "branch", "release")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repo), str(clone))
    with pytest.raises(UsageError) as error:
        read_commit(str(clone), "release", [str(clone)], env_at(clone))
    assert error.value.hint == "did you mean 'origin/release'?"


def test_a_shallow_clone_says_how_to_get_the_rest(repo: Path, tmp_path: Path) -> None:
    commit(repo)
    commit(repo)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repo}", str(clone))
    top, shallow = top_of(str(clone), env_at(clone))
    assert shallow
    with pytest.raises(UsageError, match="whose history is shallow") as error:
        read_commit(top, "HEAD^", [str(clone)], env_at(clone), shallow=shallow)
    assert "git fetch --unshallow" in str(error.value.hint)
    assert "fetch-depth: 0" in str(error.value.hint)


def test_what_a_partial_clone_has_not_is_an_error_and_not_fetched(repo: Path, tmp_path: Path) -> None:
    fill(repo / "a", {"x.md": b"one"})
    commit(repo)
    (repo / "a/x.md").write_bytes(b"two")
    commit(repo)
    git(repo, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{repo}", str(clone))
    assert names_in(clone, "HEAD", "a") == [Was("x.md", Kind.FILE, b"two")]
    with pytest.raises(UsageError, match=r"^not all objects of 'HEAD\^' are in the git repository") as error:
        names_in(clone, "HEAD^", "a")
    assert "--refetch" in str(error.value.hint)


def test_a_partial_clone_has_what_did_not_change(repo: Path, tmp_path: Path) -> None:
    fill(repo / "a", {"x.md": b"one", "x.txt": b"stray"})
    commit(repo)
    git(repo, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo}", str(clone))
    found = read_commit(str(clone), "HEAD", [str(clone)], env_at(clone))
    blobs = found.at(str(clone / "a")) or ()
    here = {
        name: Item(name, data, "", None, Kind.FILE, 0, 0, 0.0) for name, data in (("x.md", b"one"), ("x.txt", b"stray"))
    }
    assert [was.data for was in read_blobs(found, blobs, here, env_at(clone))] == [b"one", b"stray"]
    with pytest.raises(UsageError, match=r"^not all objects"):
        read_blobs(found, blobs, {"x.md": here["x.md"]}, env_at(clone))


def test_a_tree_that_is_not_here_is_an_error(repo: Path) -> None:
    fill(repo / "a", {"x.md": b"one"})
    commit(repo)
    tree = git(repo, "rev-parse", "HEAD:a")
    (repo / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(UsageError, match=r"^not all objects of 'HEAD'"):
        read_commit(str(repo), "HEAD", [str(repo)], env_at(repo))


def test_what_is_in_no_work_tree_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"^'{tmp_path}' is in no git work tree$") as error:
        top_of(str(tmp_path), env_at(tmp_path, GIT_CEILING_DIRECTORIES=str(tmp_path.parent)))
    assert error.value.hint == "--against DIR compares with a copy"


def test_the_directory_of_git_itself_is_no_work_tree(repo: Path) -> None:
    with pytest.raises(UsageError, match="is in no git work tree"):
        top_of(str(repo / ".git"), env_at(repo))


def test_what_git_refuses_is_an_error_with_its_words(repo: Path) -> None:
    (repo / ".git/config").write_text("[broken\n")
    with pytest.raises(UsageError, match=f"^git does not read '{repo}': bad config"):
        top_of(str(repo), env_at(repo))


def test_a_machine_without_git_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^git is not installed") as error:
        top_of(str(tmp_path), env_at(tmp_path, PATH=str(tmp_path)))
    assert "--against DIR" in str(error.value.hint)


def test_a_git_that_cannot_be_run_is_an_error(tmp_path: Path) -> None:
    fill(tmp_path, {"git": b"#!/nowhere\n"})
    os.chmod(tmp_path / "git", 0o700)
    (tmp_path / "git").write_bytes(b"\x7fnope")
    with pytest.raises(UsageError, match=r"^git cannot be run"):
        top_of(str(tmp_path), env_at(tmp_path, PATH=str(tmp_path)))


def test_nothing_asked_for_is_nothing_read(repo: Path) -> None:
    assert read_blobs(Commit(str(repo), "HEAD", "", {}), [], {}, env_at(repo, PATH="/nowhere")) == []
