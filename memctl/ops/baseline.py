"""The file of a baseline: read, made anew, written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memctl.core.checks import baseline
from memctl.core.checks.baseline import Baseline, Entry, Scope
from memctl.core.env import Env
from memctl.disk.locking import Locking
from memctl.disk.reads import read_file
from memctl.disk.single_file import write_file
from memctl.errors import InvalidInput, NotFound

_SALT = 16


class BaselineFile(NamedTuple):
    """A baseline, its absolute path, and the bytes that were read (None: there is no file yet)."""

    path: str
    data: bytes | None
    baseline: Baseline

    @property
    def folder(self) -> str:
        """The directory of the file, from which the places of stores count."""
        return os.path.dirname(self.path)

    def entries(self) -> dict[str, list[Entry]]:
        """Return the entries of each place."""
        found: dict[str, list[Entry]] = {}
        for entry in self.baseline.entries:
            found.setdefault(entry.store, []).append(entry)
        return found


def load(name: str, env: Env, *, create: bool) -> BaselineFile:
    """Return the baseline in a file; with `create` an empty one with a new salt where there is no file.

    Raises NotFound, InvalidInput for a file that is no baseline, IoFailure.
    """
    path = os.path.normpath(os.path.join(env.cwd, name))
    try:
        data = read_file(path)
    except NotFound:
        if create:
            return BaselineFile(path, None, Baseline(os.urandom(_SALT).hex(), ()))
        raise NotFound(f"no baseline '{name}'", path=path, hint="--write-baseline makes it") from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput(f"'{path}' is no baseline: it is not UTF-8", path=path, hint=baseline.MEND) from None
    return BaselineFile(path, data, baseline.read(text, path))


def save(file: BaselineFile, found: Iterable[Entry], looked: Mapping[str, Scope]) -> int:
    """Write what a run found into the file, and return how many findings it holds then. Raises MemctlError."""
    new = baseline.renewed(file.baseline, found, looked)
    data = baseline.written(new)
    if data != file.data:
        # No store's file: its directory may be on a file system without locks, and the comparison stands.
        write_file(os.path.realpath(file.path), file.data, data, Locking(0, lock=False))
    return len(new.entries)
