"""The verb `check`: what the rules find in a store."""

from __future__ import annotations

from typing import NamedTuple

from memctl.core.checks.engine import check_folder, check_store
from memctl.core.checks.rule import Finding
from memctl.core.checks.subject import CheckSettings
from memctl.disk.inspect import inspect_folder, inspect_store, inspect_user
from memctl.disk.locate import Store
from memctl.disk.stores import DataFolder, DirectoryStore
from memctl.errors import MemctlError


class CheckedStore(NamedTuple):
    """What was found in one store: findings in order, how many memories were looked at, and what could not be read."""

    address: str
    findings: list[Finding]
    memories: int
    errors: list[MemctlError]


def check_one(store: Store, settings: CheckSettings) -> CheckedStore:
    """Return what the rules find in a store. Never raises: what could not be read is in `errors`."""
    subject, errors = inspect_store(store) if isinstance(store, DirectoryStore) else inspect_user(store)
    checked = check_store(subject, settings)
    return CheckedStore(store.address, checked.findings, checked.memories, errors)


def check_registry(folder: DataFolder, settings: CheckSettings) -> list[Finding]:
    """Return what is wrong with the registry of a data folder."""
    return check_folder(inspect_folder(folder), settings)
