"""Hostile shapes of what stands where memctl looks: links, pipes, devices and names that lead elsewhere."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.faults.commands import BOT, build
from tests.stores import NOBODY, fill, index, memory, register

# In every file outside; it is found in no output where it must not be read.
CANARY = "canary-of-another"
_SHAPE = f"{BOT}/shape.md"
_INDEX = f"{BOT}/MEMORY.md"
_TEMP = f"{BOT}/.memctl-0011223344556677"


class Shape(NamedTuple):
    """A shape: `make` puts it below a world beside something outside that it leads to.

    `words` are commands that meet it, and `codes` their exit codes: in one's own store, and after a slash in another's.
    `followed`: root may read it in another user's store (a hard link cannot be told from a file). `own`: it leads
    where its owner says that his data is, so only another user's is judged. `root`: only root can make it. `in_data`: it is in the data folder, which can be another user's.
    """

    make: Callable[[Path, Path], None]
    words: tuple[str, ...] = ()
    codes: str = ""
    followed: bool = False
    own: bool = False
    root: bool = False
    in_data: bool = True


def _link(at: str, to: str) -> Callable[[Path, Path], None]:
    def make(place: Path, outside: Path) -> None:
        _clear(place / at)
        (place / at).symlink_to(to.format(outside=outside))

    return make


def _made(at: str, how: Callable[[Path], object]) -> Callable[[Path, Path], None]:
    def make(place: Path, _: Path) -> None:
        _clear(place / at)
        how(place / at)

    return make


def _hard(at: str, to: str) -> Callable[[Path, Path], None]:
    def make(place: Path, outside: Path) -> None:
        _clear(place / at)
        (place / at).hardlink_to(outside / to)

    return make


def _named(name: bytes) -> Callable[[Path, Path], None]:
    def make(place: Path, _: Path) -> None:
        Path(os.fsdecode(os.fsencode(place / BOT) + b"/" + name)).write_bytes(memory("shape"))

    return make


def _clear(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        for child in path.iterdir():
            _clear(child)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)


def _socket(path: Path) -> None:
    where = os.getcwd()
    os.chdir(path.parent)  # its path may be too long for a socket
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(where)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3 << 30)


def _circle(place: Path, _: Path) -> None:
    (place / _SHAPE).symlink_to("other.md")
    (place / f"{BOT}/other.md").symlink_to("shape.md")


def _registered(agent_id: str) -> Callable[[Path, Path], None]:
    def make(place: Path, outside: Path) -> None:
        register(
            place / "data",
            {"id": agent_id.format(outside=outside), "name": "bot"},
            {"id": "dddd4444", "name": "empty", "workspace": str(outside / "space")},
        )

    return make


def _workspace(make: Callable[[Path, Path], None]) -> Callable[[Path, Path], None]:
    def made(place: Path, outside: Path) -> None:
        _clear(place / "work/space")
        (place / "work/space").mkdir()
        make(place, outside)

    return made


_DIRECT = ("show bot/shape", "show --raw bot/shape", "edit bot/shape --description x", "delete -y bot/shape")
_IMPORT = ("import-legacy empty", "import-legacy --all --force")
_USER = ("remember hello", "edit @user/1 --content new", "clear -y @user", "list @user", "prompt @user", "show @user")
_SWITCH = ("sweep-mode --hq-stopped bot on", "auto-memory --hq-stopped --all off", "auto-memory", "show bot")
_BY_ID = ("list aaaa1111", "reindex aaaa1111", "edit aaaa1111/deploy --touch", "delete -y aaaa1111/*")
_CONFIG = ("config set color never", "config show", "list")
_WHALE = ("auto-memory @user on", "auto-memory @user", "remember hello")
_HISTORY = ("history", "undo -n", "undo -y", "delete -y bot/deploy", "history --prune -y --number 1", "list")
_USER_FILE = "home/.deepseek/memory.md"
_WHALE_FILE = "home/.deepseek/config.toml"
_CONFIG_FILE = "home/.config/memctl/config.toml"
_DATABASE = "state/history.db"

SHAPES: Mapping[str, Shape] = {
    "a link to a file outside": Shape(_link(_SHAPE, "{outside}/secret.md"), _DIRECT, "0 0 77 0"),
    "a link to a file outside by ..": Shape(_link(_SHAPE, "../../../../outside/secret.md"), _DIRECT, "0 0 77 0"),
    "a link to a file inside": Shape(_link(_SHAPE, "deploy.md"), _DIRECT, "0 0 77 0"),
    "a link to nothing outside": Shape(_link(_SHAPE, "{outside}/new.md"), _DIRECT, "0 0 77 0"),
    "a link to itself": Shape(_link(_SHAPE, "shape.md"), _DIRECT, "0 0 77 0"),
    "a circle of links": Shape(_circle, _DIRECT, "0 0 77 0"),
    "a link to a directory outside": Shape(_link(_SHAPE, "{outside}"), _DIRECT, "0 0 77 0"),
    "a link to /dev/zero": Shape(_link(_SHAPE, "/dev/zero"), _DIRECT, "0 0 77 0"),
    "a link to a FIFO outside": Shape(_link(_SHAPE, "{outside}/pipe"), _DIRECT, "0 0 77 0"),
    "a FIFO": Shape(_made(_SHAPE, os.mkfifo), _DIRECT, "0 0 65 77"),
    "a socket": Shape(_made(_SHAPE, _socket), _DIRECT, "0 0 65 77"),
    "a character device": Shape(
        _made(_SHAPE, lambda path: os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 5))),
        _DIRECT,
        "0 0 65 77",
        root=True,
    ),
    "a block device": Shape(
        _made(_SHAPE, lambda path: os.mknod(path, 0o666 | stat.S_IFBLK, os.makedev(7, 250))),
        _DIRECT,
        "0 0 65 77",
        root=True,
    ),
    "a directory": Shape(_made(_SHAPE, lambda path: fill(path, {"x.md": memory("x")})), _DIRECT, "0 0 65 77"),
    "a hard link to a file outside": Shape(_hard(_SHAPE, "secret.md"), _DIRECT, "0 0 0 0", followed=True),
    "a sparse file of 3 GiB": Shape(_made(_SHAPE, _sparse), _DIRECT, "74 74 74 77"),
    "a name of dots": Shape(_named(b"...md")),
    "a name that begins with ..": Shape(_named(b"..secret.md")),
    "a name with a newline": Shape(_named(b"a\nb.md")),
    "a name with an escape sequence": Shape(_named(b"\x1b[2Jx\x07.md")),
    "a name of 255 bytes": Shape(_named(b"x" * 252 + b".md")),
    "a name that is not UTF-8": Shape(_named(b"\xff\xfe.md")),
    "a name that looks like an option": Shape(_named(b"--all.md")),
    "a name with a shell pattern": Shape(_named(b"[a-z]*.md"), ("delete -y bot/[a-z]*",), "0"),
    "a temp file that is a link": Shape(_link(_TEMP, "{outside}/secret.md")),
    "a temp file that is a directory": Shape(_made(_TEMP, lambda path: fill(path, {"x": b"x"}))),
    "a temp file that is a hard link": Shape(_hard(_TEMP, "secret.md"), followed=True),
    "a temp file that is a FIFO": Shape(_made(_TEMP, os.mkfifo)),
    "an index that is a link": Shape(_link(_INDEX, "{outside}/secret.md"), ("reindex bot",), "77"),
    "an index that is a link to nothing": Shape(_link(_INDEX, "{outside}/new.md"), ("reindex bot",), "77"),
    "an index that is a FIFO": Shape(_made(_INDEX, os.mkfifo), ("reindex bot",), "77"),
    "an index that is a directory": Shape(_made(_INDEX, Path.mkdir), ("reindex bot",), "77"),
    "an index that is a hard link": Shape(_hard(_INDEX, "secret.md"), ("reindex bot",), "0", followed=True),
    "an index that is /dev/zero": Shape(_link(_INDEX, "/dev/zero"), ("reindex bot",), "77"),
    "an agent's directory that is a link": Shape(_link(BOT, "{outside}/agent"), _BY_ID, "0/77 77 77 77"),
    "an agent's directory that is a link to nothing": Shape(
        _link(BOT, "{outside}/new"), _BY_ID, "0/77 0/77 66/77 66/77"
    ),
    "an agent's directory that is a FIFO": Shape(_made(BOT, os.mkfifo), _BY_ID, "74 74 74 74"),
    "an agent's directory that is a file": Shape(_made(BOT, Path.touch), _BY_ID, "74 74 74 74"),
    "an agent's directory yet to be made that is a link": Shape(
        _link("data/memory/dddd4444", "{outside}/new"), _IMPORT, "74/77 74/77"
    ),
    "a memory folder that is a link": Shape(
        _link("data/memory", "{outside}/memory"), _BY_ID, "0/77 0/77 0/77 0/77", own=True
    ),
    "a marker that is a link": Shape(
        _link("data/memory/dddd4444/.legacy-imported", "{outside}/new"), _IMPORT, "1/77 1/77"
    ),
    "a marker that is a FIFO": Shape(_made("data/memory/dddd4444/.legacy-imported", os.mkfifo), _IMPORT, "1/77 1/77"),
    "old notes that are a link": Shape(
        _workspace(_link("work/space/MEMORY.md", "{outside}/secret.md")), _IMPORT, "0/1 1"
    ),
    "old notes that are a FIFO": Shape(_workspace(_made("work/space/MEMORY.md", os.mkfifo)), _IMPORT, "1 1"),
    "old notes that are /dev/zero": Shape(_workspace(_link("work/space/MEMORY.md", "/dev/zero")), _IMPORT, "1 1"),
    "a workspace that is a link": Shape(_link("work/space", "{outside}/space"), _IMPORT, "0/77 1/77"),
    "an id that leads outside": Shape(
        _registered("../../outside/agent"), (*_BY_ID, "list bot", "delete -y bot/*"), "0 0 0 0 66 66"
    ),
    "an id that is a path": Shape(
        _registered("{outside}/agent"), (*_BY_ID, "list bot", "delete -y bot/*"), "0 0 0 0 66 66"
    ),
    "a registry that is a link": Shape(
        _link("data/agents.json", "{outside}/agents.json"), _SWITCH, "77/74 77/74 0/74 0/74"
    ),
    "a registry that is a FIFO": Shape(_made("data/agents.json", os.mkfifo), _SWITCH, "74 74 74 74"),
    "a registry that is a directory": Shape(_made("data/agents.json", Path.mkdir), _SWITCH, "74 74 74 74"),
    "a registry that is /dev/zero": Shape(_link("data/agents.json", "/dev/zero"), _SWITCH, "74 74 74 74"),
    "a registry that is a hard link": Shape(
        _hard("data/agents.json", "agents.json"), _SWITCH, "0 0 0 0", followed=True
    ),
    "a user memory that is another's": Shape(
        _link(_USER_FILE, "{outside}/nobodys.md"), _USER, "77 77 77 0 0 0", root=True, in_data=False
    ),
    "a user memory that is a link to nothing": Shape(
        _link(_USER_FILE, "{outside}/none/new.md"), _USER, "66 66 66 66 66 66", in_data=False
    ),
    "a user memory that is a FIFO": Shape(_made(_USER_FILE, os.mkfifo), _USER, "65 65 65 65 65 65", in_data=False),
    "a user memory that is a directory": Shape(
        _made(_USER_FILE, Path.mkdir), _USER, "65 65 65 65 65 65", in_data=False
    ),
    "a user memory that is /dev/zero": Shape(_link(_USER_FILE, "/dev/zero"), _USER, "65 65 65 65 65 65", in_data=False),
    "settings that are a link": Shape(
        _link(_CONFIG_FILE, "{outside}/nobodys.toml"), _CONFIG, "77 0 0", root=True, in_data=False
    ),
    "settings that are a FIFO": Shape(_made(_CONFIG_FILE, os.mkfifo), _CONFIG, "78 78 78", in_data=False),
    "settings that are /dev/zero": Shape(_link(_CONFIG_FILE, "/dev/zero"), _CONFIG, "78 78 78", in_data=False),
    "settings of CodeWhale that are a link": Shape(
        _link(_WHALE_FILE, "{outside}/nobodys.toml"), _WHALE, "77 0 0", root=True, in_data=False
    ),
    "settings of CodeWhale that are a FIFO": Shape(_made(_WHALE_FILE, os.mkfifo), _WHALE, "78 78 78", in_data=False),
    "a history that is a link": Shape(
        _link(_DATABASE, "{outside}/other.db"), _HISTORY, "0 66 66 78 0 0", in_data=False
    ),
    "a history that is a link to nothing": Shape(
        _link(_DATABASE, "{outside}/new.db"), _HISTORY, "0 66 66 78 0 0", in_data=False
    ),
    "a history that is a FIFO": Shape(_made(_DATABASE, os.mkfifo), _HISTORY, in_data=False),
    "a history that is a directory": Shape(_made(_DATABASE, Path.mkdir), _HISTORY, "74 74 74 78 74 0", in_data=False),
}


def make_outside(outside: Path) -> None:
    """Make what must stay as it is: files of each kind that a shape can lead to."""
    secret = memory("shape", description=CANARY, content=CANARY)
    fill(
        outside,
        {
            "secret.md": secret,
            "nobodys.md": f"- (2026-01-02 03:04 UTC) {CANARY}\n".encode(),
            "agents.json": b"[]\n",
            "nobodys.toml": f'# {CANARY}\ncolor = "auto"\n'.encode(),
            "other.db": CANARY.encode() * 100,
        },
    )
    register(outside, {"id": "aaaa1111", "name": "bot", "workspace": CANARY})
    fill(outside / "agent", {"deploy.md": secret.replace(b"shape", b"deploy"), "MEMORY.md": index("deploy")})
    fill(outside / "memory/aaaa1111", {"deploy.md": secret.replace(b"shape", b"deploy"), "MEMORY.md": b"stale\n"})
    fill(outside / "space", {"MEMORY.md": f"# {CANARY}\n\n- {CANARY}\n".encode()})
    os.mkfifo(outside / "pipe")
    if os.geteuid() == 0:
        for name in ("nobodys.md", "nobodys.toml"):
            os.chown(outside / name, NOBODY, NOBODY)


def look_outside(outside: Path) -> dict[str, tuple[object, ...]]:
    """Return all that is outside: kind and mode, owner, when it was last changed, and the bytes."""
    found: dict[str, tuple[object, ...]] = {}
    for folder, folders, files in os.walk(outside):
        for name in (".", *folders, *files):
            path = Path(folder, name)
            status = path.lstat()
            data = path.read_bytes() if stat.S_ISREG(status.st_mode) else None
            found[str(path)] = (status.st_mode, status.st_uid, status.st_gid, status.st_mtime_ns, data)
    return found


def make_world(place: Path, outside: Path, shape: Shape, *, foreign: bool) -> None:
    """Build a world with the shape in it; `foreign`: the data folder is another user's, who made the shape."""
    build(place)
    fill(place / "state", {})
    shape.make(place, outside)
    if foreign:
        for folder, folders, files in os.walk(place / "data"):
            for name in (".", *folders, *files):
                if os.lstat(os.path.join(folder, name)).st_nlink == 1 or name == "." or name in folders:
                    os.chown(os.path.join(folder, name), NOBODY, NOBODY, follow_symlinks=False)
