"""The verb `auto-memory` for the user memory: CodeWhale's own switch, `[memory] enabled`."""

from __future__ import annotations

import os

from memctl.core.env import Env
from memctl.disk.codewhale import config_file, set_enabled
from memctl.disk.directories import make_directory
from memctl.disk.locking import Locking
from memctl.disk.reads import read_file
from memctl.disk.single_file import write_file
from memctl.disk.user_store import FileStore, own_target
from memctl.errors import ConfigError, NotFound
from memctl.ops.results import UserState


def user_state(store: FileStore, env: Env) -> UserState:
    """Return whether CodeWhale loads the user memory by its configuration, and what says so."""
    resolved = store.facts.resolved
    by = resolved.enabled_by
    why = "it is off by default" if by == "default" else f"{by} says so"
    return UserState(store, resolved.enabled, why, config_file(env, store.facts.era) or "")


def set_user_switch(store: FileStore, env: Env, enabled: bool, locking: Locking, *, dry_run: bool) -> UserState:
    """Set `[memory] enabled` in CodeWhale's configuration: comments, order and every other value stay.

    A profile's own table is the one that counts, and is the one that is set. Raises ConfigError, Busy, Protected
    (a symlink to a file of another user), NotFound (one to nothing), IoFailure. What overrides the file (a variable, the managed configuration) still does: `why` says so.
    """
    path = config_file(env, store.facts.era)
    if path is None:
        raise ConfigError("there is no home directory for CodeWhale's configuration", hint="set HOME")
    real = own_target(path, env.uid)
    try:
        data: bytes | None = read_file(real)
    except NotFound:
        data = None
    try:
        text = (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"'{path}' is not UTF-8, so CodeWhale does not start", path=path) from None
    new = set_enabled(text, enabled, store.facts.profile, path).encode()
    changed = new != (data or b"")
    if changed and not dry_run:
        locking.ready()
        make_directory(os.path.dirname(real))
        write_file(real, data, new, locking)
    resolved = store.facts.resolved
    by = resolved.enabled_by
    if by not in ("default", "[memory] enabled") and resolved.enabled is not enabled:
        return UserState(store, resolved.enabled, f"{by} overrides the configuration file", path, changed)
    return UserState(store, enabled, "[memory] enabled says so", path, changed)
