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
from memctl.disk.locate import store_at
from memctl.disk.reads import read_file
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

    def __init__(self, word: str, path: str, checked: Sequence[str], env: Env) -> None:
        """Take the path of the copy, and what it was called; `checked` are the directories and files that are checked."""
        self.since = word
        self._env = env
        # The longest first: a store that was named beside the directory that it is in.
        self._pairs = sorted((_pair(one, path, env.cwd) for one in checked), key=lambda pair: -len(pair[0]))

    def names(self, path: str, now: Subject) -> Sequence[Was] | None:
        """Return the names of a store in the copy."""
        if now.kind is StoreKind.USER:
            data = self.file(path)
            return None if data is None else [Was(os.path.basename(path), Kind.FILE, data)]
        there = self._place(path)
        if there is None or not os.path.isdir(there):
            return None
        subject, errors = inspect_store(store_at(there, self._env))
        if errors:
            raise errors[0]
        # Nothing at all is a copy that failed, not a store that was empty.
        if not subject.items:
            return None
        return [Was(item.name, item.kind, item.data, item.link.target if item.link else None) for item in subject.items]

    def file(self, path: str) -> bytes | None:
        """Return the bytes of a file in the copy, which can be that file itself."""
        there = self._place(path)
        return read_file(there) if there is not None and os.path.isfile(there) else None

    def directories(self, path: str) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield the directories of the copy of a directory."""
        for here, there in self._pairs:
            if here == path or here == os.path.join(path, "memory"):
                depth = there.count("/") + _DEPTH
                for directory, below, files in os.walk(there):
                    rest = os.path.relpath(directory, there)
                    yield here if rest == "." else os.path.join(here, rest), files
                    below[:] = sorted(below) if directory.count("/") < depth else []
                return

    def _place(self, path: str) -> str | None:
        """Return where something is in the copy, None where that has no place for it."""
        for here, there in self._pairs:
            if path == here:
                return there
            if path.startswith(f"{here.rstrip('/')}/"):
                return os.path.join(there, path[len(here.rstrip("/")) + 1 :])
        return None


def _pair(path: str, copy: str, cwd: str) -> tuple[str, str]:
    """Return what is checked, and what stands for it in a copy.

    That is the copy as a whole, unless its layout says otherwise: a copy of the working directory, of a data folder where
    its `memory/` is checked or the other way round, of many agents where one is checked, or of a file.
    """
    name = os.path.basename(path)
    if path.startswith(f"{cwd.rstrip('/')}/"):
        same = os.path.join(copy, path[len(cwd.rstrip("/")) + 1 :])
        if os.path.lexists(same):
            return path, same
    memory = os.path.join(copy, "memory")
    if os.path.isdir(os.path.join(path, "memory")) and not os.path.isdir(memory) and not _has_memories(copy):
        return os.path.join(path, "memory"), copy
    if name == "memory" and os.path.isdir(memory):
        return path, memory
    for there in (os.path.join(copy, name), os.path.join(memory, name)):
        if os.path.lexists(there):
            return path, there
    if _has_memories(path) and os.path.isdir(copy) and not _has_memories(copy) and os.listdir(copy):
        return path, os.path.join(copy, name)  # a copy of many agents without this one
    return path, copy


def _has_memories(directory: str) -> bool:
    return os.path.isdir(directory) and any(name.endswith(".md") for name in os.listdir(directory))


def find_state(word: str, paths: Sequence[str], roots: Sequence[str], env: Env) -> State:
    """Return the state that the word of `--against` means: a directory, or a ref of the repositories of some paths.

    `paths` are the stores that are checked, `roots` the directories that were named for them. Raises UsageError for what
    is neither, or could be both, and where a store is in no git work tree; NotFound for a path where nothing is.
    """
    copy = os.path.normpath(os.path.join(env.cwd, _expanded(word, env)))
    checked = list(dict.fromkeys([*roots, *(path for path in paths if not _is_below(path, roots))]))
    if word in (".", "..") or word.startswith(("/", "./", "../", "~/")):
        if not os.path.exists(copy):
            raise NotFound(f"no such file or directory: '{word}'", path=copy)
        return CopyState(word, copy, checked, env)
    is_copy = os.path.exists(copy)
    tops: dict[str, tuple[bool, list[str]]] = {}
    for path in checked or [env.cwd]:
        try:
            top, shallow = top_of(path, env)
        except UsageError as error:
            if is_copy:
                return CopyState(word, copy, checked, env)
            hint = f"there is no directory '{word}' either; {error.hint}"
            raise UsageError(f"{error.message}, so '{word}' is no commit of it", path=path, hint=hint) from None
        tops.setdefault(top, (shallow, []))[1].append(path)
    if is_copy:
        if any(has_ref(top, word, env) for top in tops):
            hint = f"--against ./{word} is the directory, --against refs/heads/{word} a branch"
            raise UsageError(f"'{word}' is both a directory and a commit", hint=hint)
        return CopyState(word, copy, checked, env)
    commits = [read_commit(top, word, below, env, shallow=shallow) for top, (shallow, below) in tops.items()]
    return GitState(word, commits, env)


def _is_below(path: str, roots: Sequence[str]) -> bool:
    return any(path == root or path.startswith(f"{root.rstrip('/')}/") for root in roots)


def _expanded(word: str, env: Env) -> str:
    return env.home + word[1:] if env.home and word.startswith("~/") else word
