from __future__ import annotations

import pytest

from memctl.core.memory import Source
from tests.core.making import memory


@pytest.mark.parametrize(
    ("source", "protected"),
    [(Source.AGENT, False), (Source.SWEEP, False), (Source.USER, True), (Source.IMPORT, True)],
)
def test_what_a_person_wrote_or_imported_is_user_authored(source: Source, protected: bool) -> None:
    assert memory(source=source).user_authored is protected


@pytest.mark.parametrize(
    ("created", "updated", "last"),
    [
        ("2026-01-01", "2026-02-02", "2026-02-02"),
        ("2026-01-01", "", "2026-01-01"),
        ("", "2026-02-02", "2026-02-02"),
        ("", "", ""),
    ],
)
def test_the_last_update_is_updated_else_created(created: str, updated: str, last: str) -> None:
    assert memory(created=created, updated=updated).last_update == last


@pytest.mark.parametrize(
    ("created", "updated", "dates"),
    [
        ("2026-01-01", "soon", ("2026-01-01", "soon")),
        ("2026-01-01", "", ("2026-01-01", "2026-01-01")),
        ("", "2026-02-02", ("2026-09-15", "2026-02-02")),
        ("", "", ("2026-09-15", "2026-09-15")),
    ],
)
def test_a_missing_date_is_what_the_hq_takes_for_it(created: str, updated: str, dates: tuple[str, str]) -> None:
    dated = memory(created=created, updated=updated).dated("2026-09-15")
    assert (dated.created, dated.updated) == dates
