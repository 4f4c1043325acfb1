"""The history of one command, kept while it changes files: it is one change over all its stores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from memctl.disk.history import History
from memctl.disk.history_tables import Begun, Origin
from memctl.disk.locking import FileChange
from memctl.errors import Busy, ConfigError, IoFailure, MemctlError


class Recorder:
    """The history of one command, which is one change over all its stores; begun when the first file is about to change."""

    def __init__(
        self,
        opened: Callable[[], History],
        origin: Origin,
        command: str,
        now: datetime,
        *,
        kind: str = "change",
        target: int | None = None,
    ) -> None:
        """Take what a change is made of; `opened` opens the history, `kind` and `target` are those of an undo or a redo."""
        self._open = opened
        self._begun = Begun(origin, command, now, kind, target)
        self._history: History | None = None
        self._refused: MemctlError | None = None
        self._settled: dict[int, bool] = {}
        self._told: set[int] = set()
        self._intended = 0
        self.change: int | None = None

    def ready(self) -> None:
        """Open the history. Raises ConfigError, Busy: then nothing may be touched, by the whole command."""
        if self._refused is not None:
            raise self._refused
        if self._history is None:
            try:
                self._history = self._open()
            except IoFailure as error:
                raise self._refuse(error) from None
            except MemctlError as error:
                self._refused = error
                raise

    def check(self) -> None:
        """Say whether there is a place for the images, and keep nothing open: an editor can stay open for days.

        Raises as ready().
        """
        self.ready()
        if self._history is not None and self.change is None:
            self._history.close()
            self._history = None

    def intend(self, files: Sequence[FileChange]) -> list[int]:
        """Commit both images of each file. Raises ConfigError, Busy: then nothing may be touched."""
        self.ready()
        assert self._history is not None
        try:
            self.change, numbers = self._history.intend(self.change, self._begun, files, self._news())
            self._told |= self._settled.keys()
            self._intended += len(numbers)
            return numbers
        except IoFailure as error:
            raise self._refuse(error) from None

    def _refuse(self, error: IoFailure) -> ConfigError:
        hint = "--no-history goes on without, and then nothing can be undone"
        self._refused = ConfigError(error.message, path=error.path, hint=hint)
        return self._refused

    def settle(self, results: Sequence[tuple[int, bool]]) -> None:
        """Keep which files were changed; it is written with what comes next, since each transaction is a wait for all."""
        self._settled.update(results)

    def _news(self) -> list[tuple[int, bool]]:
        return [(number, carried) for number, carried in self._settled.items() if number not in self._told]

    def finish(self, *, days: float, size: int) -> int | None:
        """Say that the change is at its end, drop what the history keeps no longer, and return the change's id.

        None where nothing was changed. `days` and `size` (bytes) bound the history. A history that is busy now is no
        error: the images are safe, and the change can be undone all the same. Raises IoFailure.
        """
        if self._history is None:
            return None
        history, self._history = self._history, None
        with history:
            if self.change is None:
                return None
            try:
                history.finish(self.change, self._news())
                history.keep_within(self._begun.now, days=days, size=size)
            except Busy:
                pass
        failed = [number for number, carried in self._settled.items() if not carried]
        return None if self._intended and len(failed) == self._intended else self.change
