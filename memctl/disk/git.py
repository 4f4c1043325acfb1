"""The files of a commit, read from git's objects: nothing is checked out, fetched or written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memctl.core.checks.comparing import Was
from memctl.core.checks.subject import Item, Kind
from memctl.core.env import Env
from memctl.errors import UsageError

# What git hands to its hooks: it would lead away from the directory that is asked about.
_LOCAL = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
)
_DEPTH_HINT = "git fetch --unshallow gets the history; actions/checkout does with fetch-depth: 0"
_COPY_HINT = "--against DIR compares with a copy"
# Larger files that are no memory are none of a copy of one; the rules do not look at them either.
_STRAY_MAX = 1 << 20
_MODES = {"120000": Kind.SYMLINK, "160000": Kind.DIRECTORY}


class Blob(NamedTuple):
    """One name in a directory of a commit: what it is, and the object that has its bytes."""

    name: str
    kind: Kind
    object: str


class Commit(NamedTuple):
    """A commit of the repository whose work tree is at `top`: the files in each directory below it that was asked for."""

    top: str
    ref: str
    tree: str
    directories: Mapping[str, Sequence[Blob]]

    def at(self, path: str) -> Sequence[Blob] | None:
        """Return the names in a directory of the work tree, None where the commit has none."""
        return self.directories.get(place_in(self.top, path))

    def below(self, path: str) -> Iterator[str]:
        """Yield the paths of all directories with files that are in a directory of the work tree, itself too."""
        inside = place_in(self.top, path)
        for directory in self.directories:
            if not inside or directory == inside or directory.startswith(f"{inside}/"):
                rest = directory[len(inside) :].lstrip("/")
                yield os.path.join(path, rest) if rest else path


def place_in(top: str, path: str) -> str:
    """Return a path as git has it, below the top of its work tree, '' for that itself; symlinks above it resolved."""
    parent, name = os.path.split(path)
    full = os.path.join(os.path.realpath(parent), name)
    inside = os.path.relpath(full, os.path.realpath(top)) if full != os.path.realpath(top) else ""
    return "" if inside == "." else inside


def top_of(path: str, env: Env) -> tuple[str, bool]:
    """Return the top of the work tree that a path is in, and whether its history is shallow.

    Raises UsageError where it is in none, or git is not there or refuses.
    """
    directory = path
    while not os.path.isdir(directory) and os.path.dirname(directory) != directory:
        directory = os.path.dirname(directory)
    code, out, said = _run(env, directory, "rev-parse", "--show-toplevel", "--is-shallow-repository")
    if code:
        if "not a git repository" in said or "must be run in a work tree" in said:
            raise UsageError(f"'{path}' is in no git work tree", path=path, hint=_COPY_HINT)
        raise UsageError(f"git does not read '{path}': {said}", path=path, hint=_COPY_HINT)
    top, _, shallow = os.fsdecode(out).removesuffix("\n").rpartition("\n")
    return top, shallow == "true"


def has_ref(top: str, ref: str, env: Env) -> bool:
    """Return whether a word names a commit, or a tree, of a repository."""
    return _tree(top, ref, env) is not None


def read_commit(top: str, ref: str, paths: Iterable[str], env: Env, *, shallow: bool = False) -> Commit:
    """Return the files that a ref has below some paths of a work tree.

    Raises UsageError where there is no such ref, with what gets it, and where its objects are not here.
    """
    tree = _tree(top, ref, env)
    if tree is None:
        raise _no_ref(top, ref, env, shallow=shallow)
    wanted = sorted({place_in(top, path) for path in paths})
    arguments = [] if "" in wanted else wanted
    found: dict[str, list[Blob]] = {}
    seen = {""}
    for at in range(0, len(arguments) or 1, 500):
        part = arguments[at : at + 500]
        code, out, said = _run(env, top, "ls-tree", "-r", "-z", "--full-tree", tree, "--", *part)
        if code:
            raise _not_here(ref, said, top)
        _collect(out, found, seen)
    return Commit(top, ref, tree, found)


def _collect(out: bytes, found: dict[str, list[Blob]], seen: set[str]) -> None:
    """Add what `git ls-tree -z` said: files, and the directories that are there because of them."""
    for line in out.split(b"\0"):
        if not line:
            continue
        head, _, raw = line.partition(b"\t")
        mode, _, name = head.decode("ascii").split()
        directory, _, base = os.fsdecode(raw).rpartition("/")
        kind = _MODES.get(mode, Kind.FILE)
        found.setdefault(directory, []).append(Blob(base, kind, name))
        while directory not in seen:
            seen.add(directory)
            above, _, base = directory.rpartition("/")
            found.setdefault(above, []).append(Blob(base, Kind.DIRECTORY, ""))
            directory = above


def read_blobs(commit: Commit, blobs: Sequence[Blob], here: Mapping[str, Item], env: Env) -> list[Was]:
    """Return what some names of a commit were; what has the bytes of an item of today is not read.

    Raises UsageError where an object is not here: a partial clone, from which nothing is fetched.
    """
    known: dict[str, bytes] = {}
    for blob in blobs:
        item = here.get(blob.name)
        if item is not None and item.data is not None and blob.kind is Kind.FILE and _is(item.data, blob):
            known[blob.object] = item.data
    missing = [blob for blob in blobs if blob.kind is not Kind.DIRECTORY and blob.object not in known]
    sizes = _sizes(commit, [blob.object for blob in missing if _is_stray(blob)], env)
    large = {blob.name for blob in missing if _is_stray(blob) and sizes[blob.object] > _STRAY_MAX}
    known |= _objects(commit, [blob.object for blob in missing if blob.name not in large], env)
    return [_was(blob, None if blob.name in large else known.get(blob.object)) for blob in blobs]


def _was(blob: Blob, data: bytes | None) -> Was:
    if blob.kind is Kind.SYMLINK:
        return Was(blob.name, blob.kind, None, os.fsdecode(data or b""))
    return Was(blob.name, blob.kind, data)


def _is_stray(blob: Blob) -> bool:
    return blob.kind is Kind.FILE and not blob.name.endswith(".md")


def _is(data: bytes, blob: Blob) -> bool:
    """Return whether bytes are those of an object: its name is their hash."""
    import hashlib

    make = hashlib.sha256 if len(blob.object) == 64 else hashlib.sha1
    return make(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() == blob.object


def _sizes(commit: Commit, names: Sequence[str], env: Env) -> dict[str, int]:
    """Return how many bytes some objects have. Raises UsageError where one is not here."""
    return {name: size for name, size, _ in _batch(commit, names, env, "--batch-check")}


def _objects(commit: Commit, names: Sequence[str], env: Env) -> dict[str, bytes]:
    """Return the bytes of some objects. Raises UsageError where one is not here."""
    return {name: data for name, _, data in _batch(commit, names, env, "--batch")}


def _batch(commit: Commit, names: Sequence[str], env: Env, how: str) -> Iterator[tuple[str, int, bytes]]:
    """Yield what `git cat-file` says of some objects: the name, the size, and with --batch the bytes."""
    wanted = list(dict.fromkeys(names))
    if not wanted:
        return
    request = "".join(f"{name}\n" for name in wanted).encode()
    code, out, said = _run(env, commit.top, "cat-file", how, given=request)
    at = 0
    for name in wanted:
        end = out.find(b"\n", at)
        words = out[at:end].split()
        if code or end < 0 or len(words) != 3:
            raise _not_here(commit.ref, said, commit.top)
        size = int(words[2])
        at = end + 1
        yield name, size, out[at : at + size] if how == "--batch" else b""
        at += size + 1 if how == "--batch" else 0


def _tree(top: str, ref: str, env: Env) -> str | None:
    if not ref or ref.startswith("-") or "\0" in ref or "\n" in ref:
        return None
    code, out, _ = _run(env, top, "rev-parse", "--verify", "--quiet", f"{ref}^{{tree}}")
    return out.decode("ascii").strip() if not code else None


def _no_ref(top: str, ref: str, env: Env, *, shallow: bool) -> UsageError:
    message = f"no commit '{ref}' in the git repository '{top}'"
    if shallow:
        return UsageError(f"{message}, whose history is shallow", path=top, hint=_DEPTH_HINT)
    if "/" not in ref and has_ref(top, f"origin/{ref}", env):
        return UsageError(message, path=top, hint=f"did you mean 'origin/{ref}'?")
    return UsageError(message, path=top, hint=f"git fetch gets what is new; {_COPY_HINT}")


def _not_here(ref: str, said: str, top: str) -> UsageError:
    why = f": {said}" if said else ""
    hint = f"{_DEPTH_HINT}; of a partial clone git fetch --refetch --no-filter"
    return UsageError(f"not all objects of '{ref}' are in the git repository '{top}'{why}", path=top, hint=hint)


def _run(env: Env, directory: str, *arguments: str, given: bytes = b"") -> tuple[int, bytes, str]:
    """Return exit code, output and the last line of the complaints of git. Raises UsageError where it is not there."""
    import subprocess

    surroundings = {key: value for key, value in env.vars.items() if key not in _LOCAL}
    # Neither a lock nor an object nor a word of a repository's configuration that runs a program or goes to the network.
    surroundings |= {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            ["git", "-C", directory, *arguments], input=given, capture_output=True, env=surroundings, check=False
        )
    except FileNotFoundError:
        message = "git is not installed, or not on the PATH"
        raise UsageError(message, hint=f"install git; {_COPY_HINT}") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"git cannot be run: {reason}", hint=_COPY_HINT) from None
    lines = done.stderr.decode("utf-8", "replace").strip().split("\n")
    said = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1])
    return done.returncode, done.stdout, said.removeprefix("fatal: ").removeprefix("error: ")
