"""The verbs `sweep-mode` and `auto-memory`: an agent's two switches, shown or set the way the HQ allows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from memctl.core.env import Env
from memctl.core.sweep import sweeps
from memctl.disk.hq_api import HqAddress, HqApi, HqRunning, HqState, HqUnknown, find_hq
from memctl.disk.locking import Locking
from memctl.disk.reads import read_file
from memctl.disk.registry_edit import set_agent_values
from memctl.disk.single_file import write_file
from memctl.disk.stores import DataFolder, DirectoryStore
from memctl.errors import Busy, MemctlError, NotFound, Protected
from memctl.ops.results import AgentState

Key = Literal["sweep", "enabled"]


class SetRequest(NamedTuple):
    """One switch for some agents. `hq_stopped` is the person's word that no HQ runs."""

    key: Key
    value: str | bool
    locking: Locking = Locking()
    dry_run: bool = False
    hq_stopped: bool = False


def state(store: DirectoryStore) -> AgentState:
    """Return an agent's switches as agents.json has them; one without an entry has the defaults."""
    agent = store.agent
    if agent is None:
        why = "not in the registry" if store.registered is False else "no registry can tell"
        return AgentState(store, "auto", "", False, why, True, why)
    return _state(store, agent.model, agent.enabled, agent.sweep)


def _state(store: DirectoryStore, model: str, enabled: bool, mode: str) -> AgentState:
    if not enabled:
        off = "automatic memory is off, so no sweep runs either"
        return AgentState(store, mode, model, False, off, False, "the registry turns it off")
    answer = sweeps(mode, model)
    return AgentState(store, mode, model, answer.sweeps, answer.why, True, "the registry does not turn it off")


def set_switch(
    stores: Sequence[DirectoryStore],
    request: SetRequest,
    env: Env,
    address_of: Callable[[str], HqAddress | None],
) -> Iterator[AgentState]:
    """Set one switch of each agent, and yield what each has then, with the way it was changed or why it was not.

    `address_of` gives what the settings say of the HQ of a data folder. While that HQ runs its API is used, else
    agents.json is edited (DESIGN 4.8). Never raises: see `errors`.
    """
    folders = {id(store.folder): store.folder for store in stores}
    for folder in folders.values():
        mine = [store for store in stores if store.folder is folder]
        try:
            yield from _set_in_folder(folder, mine, request, env, address_of)
        except MemctlError as error:
            for store in mine:
                yield state(store)._replace(errors=(error,))


def _set_in_folder(
    folder: DataFolder,
    stores: list[DirectoryStore],
    request: SetRequest,
    env: Env,
    address_of: Callable[[str], HqAddress | None],
) -> Iterator[AgentState]:
    if folder.path is None or not folder.registry.present:
        where = f"{folder.path}/agents.json" if folder.path else f"the folder above '{folder.memory}'"
        raise NotFound(f"there is no registry at {where}, so there is nothing to set", path=folder.path)
    if folder.registry.problem:
        raise folder.registry.problem
    known = [store for store in stores if store.agent]
    for store in stores:
        if not store.agent:
            message = f"agent '{store.id}' is not in the registry, so there is nothing to set"
            yield state(store)._replace(errors=(NotFound(message, path=folder.registry.path),))
    hq: HqState | None = None if request.hq_stopped else find_hq(folder.path, address_of(folder.path), env)
    if isinstance(hq, HqUnknown):
        hint = hq.hint or "if no HQ runs, say so with --hq-stopped"
        raise Busy(f"it cannot be told whether an HQ runs for '{folder.path}': {hq.why}", path=folder.path, hint=hint)
    if isinstance(hq, HqRunning):
        yield from _by_api(known, request, HqApi(hq))
    elif known:
        yield from _by_file(folder, known, request)


def _by_api(stores: list[DirectoryStore], request: SetRequest, api: HqApi) -> Iterator[AgentState]:
    for store in stores:
        before = state(store)
        try:
            enabled, mode = api.get_memory_config(store.id)
            changed = (enabled if request.key == "enabled" else mode) != request.value
            if changed and not request.dry_run:
                value = request.value
                if isinstance(value, bool):
                    enabled, mode = api.set_memory_config(store.id, enabled=value)
                else:
                    enabled, mode = api.set_memory_config(store.id, sweep=value)
            elif isinstance(request.value, bool):
                enabled = request.value
            else:
                mode = request.value
        except MemctlError as error:
            yield before._replace(errors=(error,))
        else:
            yield _state(store, before.model, enabled, mode)._replace(changed=changed, way="api" if changed else None)


def _by_file(folder: DataFolder, stores: list[DirectoryStore], request: SetRequest) -> Iterator[AgentState]:
    path = folder.registry.path
    if folder.foreign and os.path.islink(path):
        raise Protected(f"'{path}' is a symlink, which is not followed in another user's store", path=path)
    data = read_file(path, follow=not folder.foreign)
    ids = [store.id for store in stores]
    # The registry was readable as UTF-8 a moment ago; else its problem had been raised.
    edit = set_agent_values(data.decode("utf-8", "surrogateescape"), ids, request.key, request.value)
    if edit.changed and not request.dry_run:
        write_file(path, data, edit.text.encode("utf-8", "surrogateescape"), request.locking)
    for store in stores:
        before = state(store)
        if problem := edit.problems.get(store.id):
            yield before._replace(errors=(problem,))
            continue
        enabled = request.value if isinstance(request.value, bool) else before.enabled
        mode = before.mode if isinstance(request.value, bool) else request.value
        changed = store.id in edit.changed
        yield _state(store, before.model, enabled, mode)._replace(changed=changed, way="file" if changed else None)
