"""What every test has: a home of its own, no variable that leads elsewhere, and memctl in this process."""

from __future__ import annotations

import io
import itertools
import os
import pwd
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from memctl.core.demo import demo_files
from tests.stores import fill

NOW = "2026-11-30T12:00:00Z"
# What the first change of a fresh home ends with.
UNDO = "undo: memctl undo 1\n"

_LEADING = ("MEMCTL_", "XDG_", "LC_", "DEEPSEEK_", "CODEWHALE_")
_VARIABLES = (
    "COLUMNS",
    "DASH_HOME",
    "DISPLAY",
    "EDITOR",
    "FORCE_COLOR",
    "LANG",
    "LESS",
    "LINES",
    "NO_COLOR",
    "PAGER",
    "PYTHONUNBUFFERED",
    "STATE_DIRECTORY",
    "SUDO_USER",
    "TERM",
    "VISUAL",
)
_PLACES = (".dash", ".dashsquad", ".config/memctl", ".local/state/memctl", ".deepseek", ".codewhale")
_numbers = itertools.count()


class Done(NamedTuple):
    """How a run of memctl ended."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[list[str]]:
        """The lines of stdout, each as its fields."""
        return [line.split("\t") for line in self.out.splitlines()]


Cli = Callable[..., Done]


def pytest_configure() -> None:
    """Let signals end what tests start, also where the tests themselves were started so that one does not (nohup)."""
    for number, usual in (
        (signal.SIGHUP, signal.SIG_DFL),
        (signal.SIGTERM, signal.SIG_DFL),
        (signal.SIGINT, signal.default_int_handler),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a place for homes; fails where a test reached the real one."""
    real = Path(pwd.getpwuid(os.getuid()).pw_dir)

    def there() -> list[str]:
        return [place for place in _PLACES if os.path.lexists(real / place)]

    before = there()
    yield tmp_path_factory.mktemp("homes")
    assert there() == before, "a test wrote to the real home"


@pytest.fixture(autouse=True)
def home(homes: Path) -> Iterator[Path]:
    """Give each test an empty home, and take away what the surroundings of the tests say."""
    path = homes / str(next(_numbers))
    path.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(_LEADING) or name in _VARIABLES:
                patch.delenv(name)
        patch.setenv("HOME", str(path))
        patch.setenv("DEEPSEEK_MANAGED_CONFIG_PATH", "/no-managed-config.toml")  # not that of the machine
        patch.setenv("TERM", "xterm-256color")
        patch.setenv("LANG", "C.UTF-8")
        yield path


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> str:
    """Fix the clock."""
    monkeypatch.setenv("MEMCTL_NOW", NOW)
    return NOW


@pytest.fixture
def elsewhere() -> Iterator[None]:
    """Take the machine to a zone 14 hours ahead of UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "EAST-14")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the demo's data folder, which is the only root, and its user memory."""
    path = tmp_path / "demo"
    for name, data in demo_files().items():
        fill((path / name).parent, {Path(name).name: data})
    monkeypatch.setenv("MEMCTL_ROOT", str(path))
    monkeypatch.setenv("MEMCTL_USER_MEMORY", str(path / "memory.md"))
    return path


@pytest.fixture
def cli(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Iterator[Cli]:
    """Give a function that runs memctl in this process, on bytes for stdin."""
    from memctl.cli.app import main

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}

    def run(*words: object, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        code = main([str(word) for word in words])
        out, err = capfdbinary.readouterr()
        return Done(code, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape"))

    yield run
    for number, handler in before.items():
        signal.signal(number, handler)
