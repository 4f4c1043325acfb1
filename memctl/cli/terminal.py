"""The three streams and the person at them: colour, width, questions, the pager, the editor."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import IO

from memctl.core.env import Env
from memctl.disk.settings import Settings
from memctl.errors import ConfigError, InvalidInput, IoFailure, UsageError
from memctl.output.escape import visible


def is_terminal(stream: IO[str] | None) -> bool:
    """Return whether a stream is a terminal; a closed one is not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def colored(stream: IO[str] | None, env: Env, when: str, *, by_setting: bool) -> bool:
    """Return whether a stream gets colour: --color, NO_COLOR, FORCE_COLOR, TERM=dumb, a terminal, in this order."""
    if by_setting and when != "auto":
        return when == "always"
    if env.vars.get("NO_COLOR"):
        return False
    if env.vars.get("FORCE_COLOR"):
        return True
    return env.vars.get("TERM") != "dumb" and is_terminal(stream)


def open_closed_streams() -> None:
    """Put /dev/null where a standard descriptor is closed, so that no file of a store gets its number."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


class Terminal:
    """What can be shown and asked in this run."""

    def __init__(
        self, env: Env, settings: Settings, *, no_pager: bool = False, plain: bool = False, quiet: bool = False
    ) -> None:
        """`plain` is set for machine formats: nothing is drawn. With `quiet` nothing goes to stdout."""
        self.env = env
        self.settings = settings
        self._quiet = quiet
        self.draws = is_terminal(sys.stdout) and not plain
        # A person is there if stderr is a terminal: the question goes there, and the answer comes from it.
        self.asks = is_terminal(sys.stderr)
        when = settings.value("color")
        self.color = colored(sys.stdout, env, when, by_setting=settings.origin("color") != "default")
        self._pages = self.draws and not no_pager

    @property
    def width(self) -> int:
        """The columns of the terminal."""
        return self._size()[0]

    def _size(self) -> tuple[int, int]:
        import shutil

        size = shutil.get_terminal_size()
        return size.columns, size.lines

    # Output

    def unsilence(self) -> None:
        """Let text go to stdout although the run is quiet: what is found is no success."""
        self._quiet = False

    def write(self, text: str) -> None:
        """Write to stdout, undecodable file names as the bytes that they are. Raises OSError."""
        self.write_bytes(text.encode("utf-8", "surrogateescape"))

    def write_bytes(self, data: bytes) -> None:
        """Write bytes to stdout as they are. Raises OSError, IoFailure where it is closed."""
        if self._quiet:
            return
        if sys.stdout is None:
            raise IoFailure("cannot write to standard output: it is closed")
        sys.stdout.flush()
        # With PYTHONUNBUFFERED this is the descriptor itself, which may take a part and fail at the next.
        rest = memoryview(data)
        while rest:
            rest = rest[sys.stdout.buffer.write(rest) :]

    def say(self, sentence: str) -> None:
        """Write a line to stderr; what a terminal would obey is made visible. A closed stderr is no error."""
        if sys.stderr is None:
            return
        if sys.stdout is not None:
            sys.stdout.flush()
        try:
            encoded = visible(sentence).encode(sys.stderr.encoding or "utf-8", "backslashreplace")
            sys.stderr.flush()
            sys.stderr.buffer.write(encoded + b"\n")
            sys.stderr.flush()
        except OSError:
            pass

    def show(self, text: str) -> None:
        """Write text that a person reads: through the pager where it is longer than the screen."""
        pager = self.settings.value("pager")
        if self._quiet or not self._pages or not pager or text.count("\n") < self._size()[1]:
            self.write(text)
            return
        import shlex
        import subprocess

        command = shlex.split(pager)
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE)
        except OSError:
            self.write(text)
            return
        try:
            process.communicate(text.encode("utf-8", "surrogateescape"))
        except KeyboardInterrupt:
            process.wait()
            raise

    # Input

    def each_word(self, words: Sequence[str], *, nul: bool) -> Iterator[str]:
        """Yield the words of the command line; `-` stands for those on stdin, one a line or NUL-separated."""
        for word in words:
            if word == "-":
                text = os.fsdecode(self.read_stdin())
                yield from (part for part in text.split("\0" if nul else "\n") if part)
            else:
                yield word

    def read_stdin(self) -> bytes:
        """Return all of stdin. Raises IoFailure where it is closed."""
        if sys.stdin is None:
            raise IoFailure("cannot read standard input: it is closed")
        return sys.stdin.buffer.read()

    def read_content(self) -> str:
        """Return the content that stdin gives, byte for byte. Raises InvalidInput where it is not UTF-8."""
        data = self.read_stdin()
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidInput(f"standard input is not UTF-8: byte {error.start}") from None

    def confirm(self, question: str, *, yes: bool) -> bool:
        """Return whether the person agrees. Raises UsageError, naming --yes, where nobody can be asked."""
        return yes or self.ask(f"{question} [y/N] ", "pass --yes to go on without being asked").strip().lower() in (
            "y",
            "yes",
        )

    def ask(self, question: str, instead: str) -> str:
        """Return what the person at the terminal of stderr answers; '' at its end.

        Raises UsageError, saying what to do instead, where there is none.
        """
        if not self.asks:
            raise UsageError("this needs an answer, and there is no terminal to ask on", hint=instead)
        if sys.stdout is not None:
            sys.stdout.flush()
        with open(os.ttyname(sys.stderr.fileno()), encoding="utf-8", errors="replace") as person:
            sys.stderr.write(question)
            sys.stderr.flush()
            return person.readline()

    def editor(self) -> str:
        """Return the command line of the person's editor."""
        chosen = self.settings.value("editor") or self.env.vars.get("VISUAL") or self.env.vars.get("EDITOR")
        return chosen or "vi"

    def edit(self, path: str) -> int:
        """Open a file in the editor and return its exit status. Raises ConfigError where it cannot be started."""
        import shlex
        import subprocess

        command = self.editor()
        try:
            return subprocess.run([*shlex.split(command), path], check=False).returncode
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else str(error)) or str(error)
            raise ConfigError(
                f"cannot start the editor '{command}': {reason.lower()}", hint="set VISUAL or EDITOR"
            ) from None
