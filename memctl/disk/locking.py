"""How a store is changed: by whose leave, and who keeps what its files were."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from memctl.disk.images import Image
from memctl.errors import MemctlError

# What a file system says that has no locks.
NO_LOCKS = (errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
# The seconds between two looks at a lock that another has.
PAUSE = 0.02


class FileChange(NamedTuple):
    """One file of a change: its store's address, its absolute path, and what it was and becomes.

    `settled` is True where it was carried out, False where it failed, None where that is not known.
    """

    store: str
    path: str
    before: Image
    after: Image
    settled: bool | None = None


class Recorder(Protocol):
    """What keeps the images of a change: before a file is touched, and what came of it."""

    def ready(self) -> None:
        """Make sure that there is a place for them. Raises MemctlError: then nothing may be changed."""

    def check(self) -> None:
        """As ready(), and nothing stays open: for what comes much later. Raises MemctlError."""

    def intend(self, files: Sequence[FileChange]) -> list[int]:
        """Make both images of each file safe, and return a number for each. Raises MemctlError: then nothing is touched."""

    def settle(self, results: Sequence[tuple[int, bool]]) -> None:
        """Say of each number whether its file was changed."""


class Locking(NamedTuple):
    """How a store is changed: seconds to wait for its lock, whether at all, who is told what, who keeps the images.

    Told is that a lock is waited for, and where the text is kept that was found beside the file of a killed run.
    """

    wait: float = 10.0
    lock: bool = True
    tell: Callable[[str], None] | None = None
    recorder: Recorder | None = None

    def ready(self) -> None:
        """Make sure that images can be kept, before a directory is made for a change. Raises MemctlError."""
        if self.recorder:
            self.recorder.ready()

    def check(self) -> None:
        """Make sure that images can be kept, long before a change: an editor can be open for days. Raises MemctlError."""
        if self.recorder:
            self.recorder.check()


def settle(recorder: Recorder, results: Sequence[tuple[int, bool]]) -> None:
    """Tell a recorder what became of files; where it cannot keep that, nothing is said here."""
    try:
        recorder.settle(results)
    except MemctlError:
        pass  # the files are changed: an undo judges by their bytes, and the end of the change says what is wrong
