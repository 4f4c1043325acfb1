"""What is new in a store since another state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from memctl.core.checks.comparing import Was
from memctl.core.checks.engine import check_store
from memctl.core.checks.subject import Kind, Subject
from memctl.core.dialects import hq
from memctl.disk.checkable import Aim
from memctl.ops.against import Compared, compare_gone, compare_store, find_gone
from tests.core.checks.subjects import EVERY, a_memory, a_subject
from tests.disk.repositories import env_at
from tests.stores import fill, make_store, memory


class Kept:
    """A state that a test makes up: the names of one store."""

    since = "then"
    partial = True

    def __init__(self, names: Sequence[Was] | None, directories: Sequence[tuple[str, Sequence[str]]] = ()) -> None:
        self._names = names
        self._directories = directories

    def names(self, path: str, now: Subject) -> Sequence[Was] | None:
        return self._names

    def file(self, path: str) -> bytes | None:
        return None

    def directories(self, path: str) -> Iterator[tuple[str, Sequence[str]]]:
        yield from self._directories


def test_a_store_that_was_not_there_is_new_as_a_whole() -> None:
    now = a_subject({"a.md": "x"})
    found = check_store(now, EVERY).findings
    assert compare_store(Kept(None), now.path, now, found, EVERY) == Compared(found, [], known=False)
    assert compare_gone(Kept(None), now.path, now, EVERY) == Compared([], [], known=False)


def test_a_store_that_cannot_be_read_is_never_as_it_was() -> None:
    now = a_subject(index=None, problem="permission denied")
    found = check_store(now, EVERY).findings
    names = [Was("a.md", Kind.FILE, hq.write(a_memory("a")))]
    assert [one.rule for one in compare_store(Kept(names), now.path, now, found, EVERY).new] == ["A008"]


def test_rules_that_are_off_say_nothing_of_what_is_gone() -> None:
    now = a_subject()
    names = [Was("a.md", Kind.FILE, hq.write(a_memory("a")))]
    off = EVERY._replace(enabled=frozenset({"N001"}))
    assert compare_store(Kept(names), now.path, now, [], off).losses == []
    assert [one.rule for one in compare_store(Kept(names), now.path, now, [], EVERY).losses] == ["C001"]


def test_only_what_is_gone_is_said_of_a_store_that_is_none_any_more() -> None:
    now = a_subject({"b.md": "x"}, index=None)
    names = [Was("a.md", Kind.FILE, hq.write(a_memory("a"))), Was("b.md", Kind.FILE, b"x" * 1000)]
    compared = compare_gone(Kept(names), now.path, now, EVERY)
    assert ([one.rule for one in compared.losses], compared.new) == (["C001"], [])


def test_what_is_gone_is_what_was_a_store_and_is_not_checked(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    root = tmp_path / "data"
    fill(root / "docs", {"kept.md": memory("kept")})
    directories = [
        (store.path, ["a.md", "b.md"]),
        (f"{store.path}/deep", ["a.md"]),
        (str(root / "docs"), ["kept.md"]),
        (str(root / "other"), ["README.txt", "MEMORY.md"]),
        (str(root / "gone"), ["a.md"]),
        (str(root / "gone/deep"), ["a.md"]),
    ]
    gone = find_gone(Kept(None, directories), [str(root)], [Aim(store)], env_at(tmp_path))
    assert [(aim.place.path, aim.gone) for aim in gone] == [(str(root / "gone"), True)]  # type: ignore[union-attr]
