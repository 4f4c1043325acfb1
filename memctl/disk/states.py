"""Another state of stores, to compare them with: a commit of git, or a copy in a directory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Protocol

from memctl.core.checks.comparing import Was
from memctl.core.checks.subject import Kind, StoreKind, Subject
from memctl.core.env import Env
from memctl.disk.git import Blob, Commit, has_ref, read_blobs, read_commit, top_of
from memctl.disk.inspect import inspect_store
from memctl.disk.locate import folder_of, is_foreign
from memctl.disk.reads import read_file
from memctl.disk.stores import DirectoryStore
from memctl.errors import NotFound, UsageError

# As deep as `check` looks for stores below a directory, and one for a data folder's `memory/`.
_DEPTH = 10


class State(Protocol):
    """Another state of the stores that are checked.

    `since` is the word for it; `partial` says that having none of them is a mistake, not their beginning.
    """

    since: str
    partial: bool

    def names(self, path: str, now: Subject) -> Sequence[Was] | None:
        """Return the names that the store at a path had, None where there was none. Raises MemctlError."""

    def file(self, path: str) -> bytes | None:
        """Return the bytes that the file at a path had, None where there was none. Raises MemctlError."""

    def directories(self, path: str) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield each directory that was at a path or below it, as it would be called now, and the names in it."""


class GitState:
    """The state of a ref: of each repository that one of the stores is in."""

    partial = False

    def __init__(self, ref: str, commits: Sequence[Commit], env: Env) -> None:
        """Take the commits of the repositories."""
        self.since = ref
        self._env = env
        self._commits = sorted(commits, key=lambda commit: -len(commit.top))

    def names(self, path: str, now: Subject) -> Sequence[Was] | None:
        """Return the names of a store in the commit, those of its files that differ read from git."""
        commit = self._of(path)
        if now.kind is StoreKind.USER:
            blob = self._blob(path)
            blobs: Sequence[Blob] | None = None if blob is None else [blob]
        else:
            blobs = commit.at(path)
        if blobs is None:
            return None
        return read_blobs(commit, blobs, {item.name: item for item in now.items}, self._env)

    def file(self, path: str) -> bytes | None:
        """Return the bytes of a file in the commit."""
        blob = self._blob(path)
        if blob is None or blob.kind is not Kind.FILE:
            return None
        return read_blobs(self._of(path), [blob], {}, self._env)[0].data

    def directories(self, path: str) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield the directories of the commit."""
        commit = self._of(path)
        for directory in commit.below(path):
            blobs = commit.at(directory) or ()
            yield directory, [blob.name for blob in blobs if blob.kind is not Kind.DIRECTORY]

    def _of(self, path: str) -> Commit:
        full = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        for commit in self._commits:
            if full == commit.top or full.startswith(f"{commit.top.rstrip('/')}/"):
                return commit
        raise UsageError(f"'{path}' is in no git work tree", path=path)

    def _blob(self, path: str) -> Blob | None:
        directory, name = os.path.split(path)
        return next((blob for blob in self._of(path).at(directory) or () if blob.name == name), None)


class CopyState:
    """The state of a copy: a directory that stands for one that is checked, or is laid out as it is."""

    partial = True

    def __init__(self, word: str, path: str, roots: Sequence[str], env: Env) -> None:
        """Take the path of the copy, and what it was called; `roots` are the directories that are checked."""
        self.since = word
        self._path = path
        self._roots = sorted(roots, key=len, reverse=True)
        self._env = env

    def names(self, path: str, now: Subject) -> Sequence[Was] | None:
        """Return the names of a store in the copy."""
        if now.kind is StoreKind.USER:
            data = self.file(path)
            return None if data is None else [Was(os.path.basename(path), Kind.FILE, data)]
        there = self._directory(path)
        if there is None:
            return None
        store = DirectoryStore(
            os.path.basename(there), there, there, folder_of(there, self._env), is_foreign(there, self._env)
        )
        subject, errors = inspect_store(store)
        if errors:
            raise errors[0]
        return [Was(item.name, item.kind, item.data, item.link.target if item.link else None) for item in subject.items]

    def file(self, path: str) -> bytes | None:
        """Return the bytes of a file in the copy, which can be that file itself."""
        for there in self._places(path):
            if os.path.isfile(there):
                return read_file(there)
        return None

    def directories(self, path: str) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield the directories of the copy of a directory."""
        for there in self._places(path):
            if os.path.isdir(there):
                depth = there.count("/") + _DEPTH
                for directory, below, files in os.walk(there):
                    rest = os.path.relpath(directory, there)
                    yield path if rest == "." else os.path.join(path, rest), files
                    below[:] = sorted(below) if directory.count("/") < depth else []
                return

    def _directory(self, path: str) -> str | None:
        """Return the copy of a store's directory: the copy as a whole only where it is one store's itself."""
        for there in self._places(path):
            if os.path.isdir(there) and (there != self._path or path not in self._roots or self._is_store()):
                return there
        return None

    def _is_store(self) -> bool:
        return any(name.endswith(".md") for name in os.listdir(self._path))

    def _places(self, path: str) -> Iterator[str]:
        """Yield where something can be in the copy, the likeliest first."""
        for root in [*self._roots, self._env.cwd]:
            if path == root:
                yield self._path
            elif path.startswith(f"{root.rstrip('/')}/"):
                yield os.path.join(self._path, path[len(root.rstrip("/")) + 1 :])
        name = os.path.basename(path)
        yield os.path.join(self._path, "memory", name)
        yield os.path.join(self._path, name)
        if os.path.isfile(self._path):
            yield self._path


def find_state(word: str, paths: Sequence[str], roots: Sequence[str], env: Env) -> State:
    """Return the state that the word of `--against` means: a directory, or a ref of the repositories of some paths.

    `paths` are the stores that are checked, `roots` the directories that were named for them. Raises UsageError for what
    is neither, or could be both, and where a store is in no git work tree; NotFound for a path where nothing is.
    """
    copy = os.path.normpath(os.path.join(env.cwd, _expanded(word, env)))
    if word in (".", "..") or word.startswith(("/", "./", "../", "~/")):
        if not os.path.exists(copy):
            raise NotFound(f"no such file or directory: '{word}'", path=copy)
        return CopyState(word, copy, roots, env)
    is_copy = os.path.isdir(copy)
    tops: dict[str, tuple[bool, list[str]]] = {}
    for path in [*roots, *paths]:
        try:
            top, shallow = top_of(path, env)
        except UsageError as error:
            if is_copy:
                return CopyState(word, copy, roots, env)
            hint = f"there is no directory '{word}' either; {error.hint}"
            raise UsageError(f"{error.message}, so '{word}' is no commit of it", path=path, hint=hint) from None
        tops.setdefault(top, (shallow, []))[1].append(path)
    if is_copy:
        if any(has_ref(top, word, env) for top in tops):
            hint = f"--against ./{word} is the directory, --against refs/heads/{word} a branch"
            raise UsageError(f"'{word}' is both a directory and a commit", hint=hint)
        return CopyState(word, copy, roots, env)
    commits = [read_commit(top, word, below, env, shallow=shallow) for top, (shallow, below) in tops.items()]
    return GitState(word, commits, env)


def _expanded(word: str, env: Env) -> str:
    return env.home + word[1:] if env.home and word.startswith("~/") else word
