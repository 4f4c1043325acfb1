"""The surroundings of a run, taken once: the options of the program, environment, clock, user and command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from memctl.core.env import Env
from memctl.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from memctl.disk.history_tables import Origin
    from memctl.ops.undo import Place


class Common(NamedTuple):
    """The options of the program, which may stand before and after a command's name."""

    root: list[str] | None = None
    user_memory: str | None = None
    as_json: bool = False
    form: str | None = None
    color: str | None = None
    no_pager: bool = False
    quiet: bool = False
    verbose: bool = False
    debug: bool = False

    def joined(self, other: Common) -> Common:
        """Return both together: roots add up, of the rest the later one that is set wins."""
        values = [later or earlier for earlier, later in zip(self, other, strict=True)]
        values[0] = [*(self.root or ()), *(other.root or ())] or None
        return Common(*values)  # type: ignore[arg-type]


def take_env() -> Env:
    """Return the environment of the process; its home is that of the passwd entry where HOME is not set."""
    home: str | None = os.environ.get("HOME", "")
    if not home:
        import pwd

        try:
            home = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            home = None
    if home is not None and not os.path.isabs(home):
        home = None
    try:
        cwd = os.getcwd()
    except OSError:
        cwd = "/"
    return Env(os.environ, home, cwd, os.geteuid())


def take_now(env: Env) -> datetime:
    """Return the moment of this run: the clock's, or that of MEMCTL_NOW (ISO 8601; without a zone it is UTC)."""
    fixed = env.vars.get("MEMCTL_NOW", "")
    if not fixed:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(fixed)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ConfigError(
            f"MEMCTL_NOW is '{fixed}', which is no ISO 8601 time", hint="such as 2026-11-30T12:00:00Z"
        ) from None


def take_origin(env: Env) -> Origin:
    """Return who runs this: the user, the host, and the login session, else the session of processes of this boot."""
    import pwd

    from memctl.disk.history_tables import Origin

    try:
        user = pwd.getpwuid(env.uid).pw_name
    except KeyError:
        user = str(env.uid)
    session = env.vars.get("XDG_SESSION_ID") or f"sid {os.getsid(0)} {_boot()}".rstrip()
    return Origin(user, env.uid, os.uname().nodename, session)


def take_places(env: Env, owners: Iterable[int]) -> list[Place]:
    """Return where the histories of others are who may have changed one's stores.

    That is root, for any other user; for root the users who own the stores, and the one who called sudo.
    """
    import pwd

    from memctl.disk.history_file import state_directory
    from memctl.ops.undo import Place

    whose: list[str | int] = [0] if env.uid else [env.vars.get("SUDO_USER", ""), *owners]
    found: dict[str, Place] = {}
    for one in whose:
        try:
            entry = pwd.getpwnam(one) if isinstance(one, str) else pwd.getpwuid(one)
        except KeyError:
            continue
        directory = state_directory(Env({}, entry.pw_dir, env.cwd, entry.pw_uid))
        if entry.pw_uid != env.uid and directory is not None:
            run = "sudo" if entry.pw_uid == 0 else f"sudo -u {entry.pw_name}"
            found[entry.pw_name] = Place(entry.pw_name, directory, run)
    return list(found.values())


def _boot() -> str:
    """Return what tells one boot from another, since process numbers come again; '' where the system has no word for it."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as file:
            return file.read().strip()[:8]
    except (OSError, ValueError):
        return ""


def take_command() -> str:
    """Return the command line of this process, as it can be pasted."""
    import shlex

    return shlex.join(["memctl", *sys.argv[1:]])


def parse_shard(text: str | None) -> tuple[int, int]:
    """Return first place and step of the part `K/N`. Raises UsageError."""
    if text is None:
        return 0, 1
    part, slash, parts = text.partition("/")
    if (
        slash
        and part.isascii()
        and part.isdigit()
        and parts.isascii()
        and parts.isdigit()
        and 1 <= int(part) <= int(parts)
    ):
        return int(part) - 1, int(parts)
    raise UsageError(f"'{text}' is no shard", hint="the first of four parts is 1/4")
