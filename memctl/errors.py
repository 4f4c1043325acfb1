"""The exit codes, and the errors that a command can end with."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """What the exit status of memctl means (sysexits.h where it has a word for it)."""

    OK = 0
    NO = 1
    USAGE = 2
    INVALID = 65
    NOT_FOUND = 66
    BUG = 70
    LIMIT = 73
    IO = 74
    BUSY = 75
    PROTECTED = 77
    CONFIG = 78
    HANGUP = 129
    INTERRUPTED = 130
    PIPE = 141
    TERMINATED = 143


_WORST_FIRST = (
    ExitCode.BUG,
    ExitCode.IO,
    ExitCode.CONFIG,
    ExitCode.PROTECTED,
    ExitCode.LIMIT,
    ExitCode.INVALID,
    ExitCode.NOT_FOUND,
    ExitCode.BUSY,
    ExitCode.NO,
)


def worst(codes: Iterable[int]) -> int:
    """Return the exit code that stands for several: the first of DESIGN 7's order that occurs, else 0."""
    seen = set(codes)
    for code in _WORST_FIRST:
        if code in seen:
            return code
    return max(seen, default=0)


class MemctlError(Exception):
    """An expected failure: one sentence, perhaps a path and what to do next.

    `message` has names in quotes, starts in lower case and has no full stop, unless it is a sentence of
    the HQ, which is given verbatim. `code` is the stable word for it in JSON.
    """

    exit_code: ExitCode = ExitCode.BUG
    code: str = "bug"

    def __init__(self, message: str, *, path: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.hint = hint


class UsageError(MemctlError):
    """The words of the command line are wrong."""

    exit_code = ExitCode.USAGE
    code = "usage"


class InvalidInput(MemctlError):
    """A file or an input is not valid, or over the limit of one field."""

    exit_code = ExitCode.INVALID
    code = "invalid"


class NotFound(MemctlError):
    """No such agent, memory, note or root."""

    exit_code = ExitCode.NOT_FOUND
    code = "not-found"


class LimitReached(MemctlError):
    """The agent has as many memories as it may have."""

    exit_code = ExitCode.LIMIT
    code = "limit"


class IoFailure(MemctlError):
    """The system failed to read or write: disk full, no permission to read."""

    exit_code = ExitCode.IO
    code = "io"


class Busy(MemctlError):
    """Locked, changed underneath, or not to be told: try again."""

    exit_code = ExitCode.BUSY
    code = "busy"


class Protected(MemctlError):
    """A protection forbids it, or the permissions do."""

    exit_code = ExitCode.PROTECTED
    code = "protected"


class ConfigError(MemctlError):
    """The configuration is wrong."""

    exit_code = ExitCode.CONFIG
    code = "config"


class SeveralErrors(MemctlError):
    """More than one problem; `errors` has each of them, in the order in which they were met."""

    def __init__(self, errors: Iterable[MemctlError]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(error.message for error in self.errors))
        self.exit_code = ExitCode(worst(error.exit_code for error in self.errors))
        self.code = "several"

    def __reduce__(self) -> tuple[type[SeveralErrors], tuple[tuple[MemctlError, ...]]]:
        # A worker hands its errors to the process that forked it.
        return SeveralErrors, (self.errors,)
