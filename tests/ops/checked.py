"""A store that is checked, and what it is checked by."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from memctl.disk.checkable import Aim
from memctl.disk.project import CheckTable
from memctl.ops.check import CheckedPlace, check_place
from memctl.ops.check_request import Asked, CheckRequest, make_request
from tests.stores import make_store, memory

TODAY = date(2026, 11, 30)
BAD = memory("b", type="todo")
CONFIG = "/etc/memctl/config.toml"


def request(asked: Asked | None = None, *tables: dict[str, object]) -> CheckRequest:
    found = [CheckTable(table, CONFIG) for table in tables]
    return make_request(asked or Asked(["N", "F001", "F018"]), found, TODAY)


def place(tmp_path: Path, *given: CheckRequest, only: frozenset[str] | None = None) -> CheckedPlace:
    """Check a store with a file that is not loaded, one whose name differs, and a good one."""
    store = make_store(tmp_path, "a", files={"b.md": BAD, "c.md": memory("d")})
    return check_place(Aim(store, only), given[0] if given else request())


def rules(done: CheckedPlace) -> list[str]:
    return [finding.rule for finding in done.findings]
