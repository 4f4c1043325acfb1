"""The history: images before any file is touched, one file of this user's own, and nothing left of what was forgotten."""

from __future__ import annotations

import os
import random
import sqlite3
import tempfile
import time
import tracemalloc
import zlib
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.disk import history_file
from memctl.disk.change import change
from memctl.disk.history import History
from memctl.disk.history_file import open_another, open_history
from memctl.disk.history_tables import Begun, Change, Origin, side_of
from memctl.disk.images import ABSENT, Edit, Image
from memctl.disk.locking import FileChange, Locking
from memctl.disk.recorder import Recorder
from memctl.disk.single_file import append_file, write_file
from memctl.disk.stores import DirectoryStore
from memctl.errors import Busy, ConfigError, IoFailure, NotFound
from memctl.ops.undo import apply_undo, plan_undo
from tests.disk.test_files import Traced, said_by
from tests.stores import contents, fill, index, make_store, memory, temp_files

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ORIGIN = Origin("alice", 1000, "host", "7")
FOREVER = 10**9


def fail(text: str) -> None:
    raise AssertionError(text)


def opened(folder: Path, *, wait: float = 0, warn: Callable[[str], None] = fail) -> History:
    found = open_history(str(folder / "state"), wait=wait, create=True, warn=warn)
    assert found is not None
    return found


def recorder(folder: Path, **options: Any) -> Recorder:
    return Recorder(lambda: opened(folder), ORIGIN, "memctl test", NOW, **options)


def image(data: bytes) -> Image:
    return Image(data, 0o640, 11, 12)


def add(
    found: History, *images: tuple[bytes | None, bytes | None], now: datetime = NOW, done: bool = True, path: str = "/x"
) -> int:
    """Add a change of a file for each pair of images."""
    begun = Begun(ORIGIN, "memctl test", now)
    files = [
        FileChange("a", f"{path}{at}", *(ABSENT if one is None else image(one) for one in pair))
        for at, pair in enumerate(images)
    ]
    number, numbers = found.intend(None, begun, files)
    if done:
        found.finish(number, [(one, True) for one in numbers])
    return number


def noise(size: int = 3000) -> bytes:
    """Return bytes that no compression changes."""
    return random.randbytes(size)


def raw(folder: Path) -> bytes:
    """Return all bytes of the files of the history."""
    names = sorted(os.listdir(folder / "state"))
    assert names[0] == "history.db"
    return b"".join((folder / "state" / name).read_bytes() for name in names)


def holds(folder: Path, data: bytes) -> bool:
    """Return whether a part of these bytes is in any file of the history."""
    there = raw(folder)
    return any(data[at : at + 32] in there for at in range(0, len(data), 16))


# What it keeps


def test_a_change_comes_back_as_it_was_put_in(tmp_path: Path, elsewhere: None) -> None:
    before, after = Image(b"old\0\xff", 0o604, 5, 6), Image(b"target", 0o777, 7, 8, link=True)
    with opened(tmp_path) as found:
        begun = Begun(ORIGIN, "memctl edit 'a b'", NOW, "redo", 3)
        files = [FileChange("a", "/p/\udcff.md", before, after), FileChange("b", "/q", ABSENT, before)]
        number, _ = found.intend(None, begun, files)
        one = found.change(number)
    assert one == Change(
        1,
        "2026-11-30T12:00:00.000Z",
        "memctl edit 'a b'",
        ORIGIN,
        "redo",
        3,
        False,
        None,
        (FileChange("a", "/p/\udcff.md", before, after), FileChange("b", "/q", ABSENT, before)),
    )


def test_what_became_of_each_file_is_kept(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        begun = Begun(ORIGIN, "", NOW)
        number, numbers = found.intend(None, begun, [FileChange("", f"/{at}", ABSENT, image(b"x")) for at in range(3)])
        assert found.intend(number, begun, [], [(numbers[0], True), (numbers[1], False)]) == (number, [])
        one = found.change(number)
        assert ([file.settled for file in one.files], one.done) == ([True, False, None], False)
        found.finish(number, [(numbers[2], True)])
        one = found.change(number)
        assert ([file.settled for file in one.files], one.done) == ([True, False, True], True)


def test_all_changes_come_newest_first_without_the_bytes(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (b"one", b"two"))
        add(found, (None, b"three"))
        assert [(one.id, one.files[0].before.data, one.files[0].after.data) for one in found.changes()] == [
            (2, None, b""),
            (1, b"", b""),
        ]


def test_the_same_bytes_are_kept_once(tmp_path: Path) -> None:
    data = noise(100_000)
    with opened(tmp_path) as found:
        for _ in range(5):
            add(found, (data, None), (None, data))
    assert os.path.getsize(tmp_path / "state/history.db") < 200_000


def test_a_number_is_never_given_twice(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        number = add(found, (None, b"x"))
        found.forget(number)
        assert add(found, (None, b"x")) == number + 1


def test_a_number_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with opened(tmp_path) as found, pytest.raises(NotFound) as caught:
        found.change(9)
    assert said_by(caught) == ("no change 9 in the history", None, "memctl history lists them")


def test_words_that_are_not_utf_8_are_written_out(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        begun = Begun(ORIGIN, "memctl delete '\udcff'", NOW)
        number, _ = found.intend(None, begun, [FileChange("\udcff", "/\udcff/x", ABSENT, image(b"x"))])
        one = found.change(number)
    assert (one.command, one.files[0].store, one.files[0].path) == ("memctl delete '\\udcff'", "\\udcff", "/\udcff/x")


# In use


def test_while_another_writes_a_change_waits_and_then_touches_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    before = contents(store.path)
    with opened(tmp_path):
        other = sqlite3.connect(tmp_path / "state/history.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        keeps = Recorder(lambda: opened(tmp_path, wait=0.3), ORIGIN, "memctl test", NOW)
        start = time.monotonic()
        with pytest.raises(Busy, match="is in use"):
            change(store, lambda _: [Edit("a.md", memory("a"), None)], Locking(0, recorder=keeps))
        assert 0.25 < time.monotonic() - start < 5
        assert contents(store.path) == before
        # The end of the command does not wait a second time.
        start = time.monotonic()
        assert keeps.finish(days=90, size=FOREVER) is None
        assert time.monotonic() - start < 0.2
        other.execute("ROLLBACK")
        other.close()


def test_an_image_that_went_since_it_was_looked_for_is_kept_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        fresh = found._packed(image(b"x"))
        number = add(found, (None, b"x"))
        known = found._packed(image(b"x"))
        assert fresh == known._replace(data=zlib.compress(b"x"))
        assert (known.size, known.data, found._packed(ABSENT)) == (1, None, None)
        found.forget(number)
        with found._writing() as connection:
            assert side_of(connection, image(b"x"), known) == (known.key, 0o640, 11, 12, 0)
            assert side_of(connection, ABSENT, None) == (None, None, None, None, 0)
        assert found._rows("SELECT * FROM images") == [tuple(fresh)]


class Failing:
    """A recorder whose history goes away at some moment."""

    def __init__(self, *, settles: bool) -> None:
        self.settles = settles

    def intend(self, files: Sequence[FileChange]) -> list[int]:
        if not self.settles:
            raise IoFailure("full")
        return list(range(len(files)))

    def settle(self, results: Sequence[tuple[int, bool]]) -> None:
        raise Busy("in use")


@pytest.mark.parametrize("way", ["write", "append", "change"])
def test_what_cannot_be_recorded_is_not_done(tmp_path: Path, way: str) -> None:
    store = make_store(tmp_path, "a")
    before = contents(store.path)
    path = f"{store.path}/a.md"
    locking = Locking(0, recorder=Failing(settles=False))
    do: dict[str, Callable[[], object]] = {
        "write": lambda: write_file(path, memory("a"), b"new", locking),
        "append": lambda: append_file(path, b"new\n", locking),
        "change": lambda: change(store, lambda _: [Edit("a.md", memory("a"), None)], locking),
    }
    with pytest.raises(IoFailure, match="full"):
        do[way]()
    assert contents(store.path) == before


def test_what_was_done_stands_though_its_end_could_not_be_recorded(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    outcome = change(store, lambda _: [Edit("a.md", memory("a"), None)], Locking(0, recorder=Failing(settles=True)))
    assert (outcome.index_changed, outcome.errors) == (True, ())
    assert contents(store.path) == {"b.md": memory("b"), "MEMORY.md": index("b")}


def test_a_full_disk_stops_a_change_and_says_how_to_go_on(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    before = contents(store.path)
    with opened(tmp_path) as found:
        found._connection.execute("PRAGMA max_page_count = 1")
        keeps = Recorder(lambda: found, ORIGIN, "memctl test", NOW)
        edit = Edit("a.md", memory("a"), noise(100_000))
        with pytest.raises(ConfigError, match="full") as caught:
            change(store, lambda _: [edit], Locking(0, recorder=keeps))
    assert "--no-history" in (caught.value.hint or "")
    assert contents(store.path) == before


# What it holds


def test_the_changes_that_hold_some_bytes_are_found_by_either_image(tmp_path: Path) -> None:
    secret, other = noise(), noise()
    with opened(tmp_path) as found:
        add(found, (b"clean", b"clean too"))
        add(found, (b"head " + secret, None), (b"x", b"y"))
        add(found, (None, secret + b" tail"))
        add(found, (b"a", b"b"), (other, None))
        add(found, (b"head " + secret, b"redacted"))
        assert found.holding([secret]) == [2, 3, 5]
        assert found.holding({other, secret}) == [2, 3, 4, 5]
        assert found.holding([secret[:40]]) == [2, 3, 5]
        assert found.holding([secret[::-1]]) == []


def test_a_command_line_that_has_the_bytes_counts_too(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        begun = Begun(ORIGIN, "memctl remember 'the key is hunter-é'", NOW)
        number, _ = found.intend(None, begun, [FileChange("", "/x", ABSENT, image(b"x"))])
        add(found, (None, b"x"))
        assert found.holding(["hunter-é".encode()]) == [number]


@pytest.mark.parametrize("needles", [[], [b""], {b""}])
def test_nothing_is_in_no_change(tmp_path: Path, needles: Collection[bytes]) -> None:
    with opened(tmp_path) as found:
        add(found, (b"a", b""))
        assert found.holding(needles) == []


def test_what_was_forgotten_is_held_no_more(tmp_path: Path) -> None:
    secret = noise()
    with opened(tmp_path) as found:
        first, second = add(found, (secret, None)), add(found, (None, secret))
        found.forget(first)
        assert found.holding([secret]) == [second]
        found.forget(second)
        assert found.holding([secret]) == []


def test_a_history_that_can_only_be_read_says_what_it_holds(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (b"the secret", None))
    reading = open_another(str(tmp_path / "state"))
    assert reading is not None
    with reading:
        assert reading.holding([b"secret"]) == [1]


def test_one_image_at_a_time_is_in_memory(tmp_path: Path) -> None:
    size = 4_000_000
    with opened(tmp_path) as found:
        for at in range(8):
            add(found, (None, b"%d" % at + bytes(size) + b"needle"))
        tracemalloc.start()
        try:
            assert found.holding([b"needle"]) == [*range(1, 9)]
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 4 * size


def test_an_image_that_is_broken_is_said_to_be(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (b"x", None))
        found._connection.execute("UPDATE images SET data = x'00'")
        with pytest.raises(ConfigError, match="an image is missing or broken"):
            found.holding([b"x"])


def test_an_image_that_another_forgot_meanwhile_is_passed_over(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (b"secret", None))
        add(found, (b"secret too", None))
        rows = found._rows

        def raced(query: str, *values: object) -> list[tuple[Any, ...]]:
            answer = rows(query, *values)
            if query == "SELECT hash FROM images":
                with opened(tmp_path) as other:
                    other.forget(1)
            return answer

        found._rows = raced  # type: ignore[method-assign]
        assert found.holding([b"secret"]) == [2]


# What it forgets


@pytest.mark.parametrize("live", [False, True])
def test_what_is_forgotten_leaves_no_byte_in_any_file(tmp_path: Path, live: bool) -> None:
    secret, other = noise(), noise()
    with opened(tmp_path) as found:
        number = add(found, (secret, None))
        kept = add(found, (None, other))
        assert holds(tmp_path, secret)
        # Another that is open, but reads nothing now.
        beside = opened(tmp_path) if live else None
        assert found.forget(number)
        assert not holds(tmp_path, secret)
        assert holds(tmp_path, other)
        assert [one.id for one in found.changes()] == [kept]
        if beside:
            beside.close()
    assert not holds(tmp_path, secret)


def test_what_another_change_shares_stays(tmp_path: Path) -> None:
    shared = noise()
    with opened(tmp_path) as found:
        first, second = add(found, (shared, None)), add(found, (None, shared))
        found.forget(first)
        assert holds(tmp_path, shared)
        assert found.change(second).files[0].after.data == shared
        found.forget(second)
        assert not holds(tmp_path, shared)
        assert found.forget(second) is False


def test_while_another_reads_forgetting_says_that_bytes_may_be_left(tmp_path: Path) -> None:
    secret = noise()
    with opened(tmp_path) as found:
        number = add(found, (secret, None))
        reader = sqlite3.connect(tmp_path / "state/history.db", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM changes").fetchall()
        with pytest.raises(Busy) as caught:
            found.forget(number)
        path = str(tmp_path / "state/history.db")
        assert said_by(caught) == (
            f"removed from the history '{path}', but its files may hold the bytes: another memctl reads it",
            path,
            "try again: any --forget or --prune empties them",
        )
        reader.execute("ROLLBACK")
        reader.close()
        found.forget(number)
        assert not holds(tmp_path, secret)


def test_a_rollback_journal_keeps_no_forgotten_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_file, "_is_network", lambda path: True)
    secret = noise()
    with opened(tmp_path) as found:
        number = add(found, (secret, None))
        assert holds(tmp_path, secret)
        found.forget(number)
    assert not holds(tmp_path, secret)


def test_old_changes_go_by_age(tmp_path: Path) -> None:
    secret = noise()
    with opened(tmp_path) as found:
        add(found, (secret, None), now=NOW - timedelta(days=91))
        add(found, (None, b"x"), now=NOW - timedelta(days=89))
        add(found, (None, b"y"))
        assert found.prune(NOW, days=90, number=None, size=None) == [1]
        assert [one.id for one in found.changes()] == [3, 2]
        assert not holds(tmp_path, secret)


def test_old_changes_go_by_number(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        for _ in range(5):
            add(found, (None, b"x"))
        assert found.prune(NOW, days=None, number=2, size=None) == [1, 2, 3]
        assert found.prune(NOW, days=None, number=2, size=None) == []
        assert found.prune(NOW, days=None, number=0, size=None) == [4, 5]


def test_what_is_as_old_or_as_large_as_it_may_be_stays(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        for _ in range(3):
            add(found, (noise(500), noise(500)), now=NOW - timedelta(days=90))
        size = sum(row[0] for row in found._rows("SELECT LENGTH(data) FROM images"))
        assert found.prune(NOW, days=90, number=3, size=size) == []
        assert found.keep_within(NOW, days=90, size=found._used()) == []
        assert found.prune(NOW, days=90, number=3, size=size - 1) == [1]
        assert found.prune(NOW + timedelta(milliseconds=1), days=90, number=None, size=None) == [2, 3]


def test_any_bound_is_a_reason_to_go(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (None, b"old"), now=NOW - timedelta(days=91))
        for data in (b"one", b"two", b"three"):
            add(found, (None, data))
        assert found.prune(NOW, days=90, number=4, size=FOREVER) == [1]
        assert found.prune(NOW, days=90, number=2, size=FOREVER) == [2]
        assert found.prune(NOW, days=90, number=2, size=0) == [3, 4]


def test_a_history_without_changes_has_nothing_to_drop(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        assert found.keep_within(NOW, days=90, size=FOREVER) == []
        assert found.keep_within(NOW, days=90, size=0) == []


def test_several_changes_are_dropped_at_once_and_counted(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        for _ in range(3):
            add(found, (None, b"x"))
        used = found._used()
        assert found._drop([1, 3, 9]) == 2
        add(found, (None, noise(50_000)))
        assert found._used() > used + 40_000
        found._drop([4])
        # What is free in the file is not in use.
        assert found._used() < used + 20_000
        assert [one.id for one in found.changes()] == [2]


def test_old_changes_go_by_size(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        for _ in range(4):
            add(found, (noise(10_000), None))
        assert found.prune(NOW, days=None, number=None, size=25_000) == [1, 2]
        assert found.prune(NOW, days=None, number=None, size=25_000) == []


@pytest.mark.parametrize(
    ("days", "size", "left"), [(90, FOREVER, [3, 2]), (400, 5_000, [3]), (400, FOREVER, [3, 2, 1])]
)
def test_the_end_of_a_change_drops_what_is_kept_no_longer(
    tmp_path: Path, days: float, size: int, left: list[int]
) -> None:
    with opened(tmp_path) as found:
        add(found, (noise(), None), now=NOW - timedelta(days=100))
        add(found, (noise(), None))
    keeps = recorder(tmp_path)
    keeps.intend([FileChange("a", "/x", image(noise()), ABSENT)])
    assert keeps.finish(days=days, size=size) == 3
    with opened(tmp_path) as found:
        assert [one.id for one in found.changes()] == left


def test_the_newest_change_stays_however_large_it_is(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (None, noise()))
        add(found, (None, noise(300_000)))
        assert found.keep_within(NOW, days=90, size=50_000) == [1]
        assert found.keep_within(NOW, days=90, size=50_000) == []
        add(found, (None, noise()))
        assert found.keep_within(NOW, days=90, size=50_000) == [2]
        assert found.keep_within(NOW + timedelta(days=400), days=90, size=50_000) == []
        assert [one.id for one in found.changes()] == [3]
    assert os.path.getsize(tmp_path / "state/history.db") < 60_000


def test_of_a_history_over_its_size_the_oldest_go_until_a_fifth_is_free(tmp_path: Path) -> None:
    size = 250_000
    with opened(tmp_path) as found:
        for at in range(12):
            add(found, (None, noise(20_000)), now=NOW - timedelta(days=100 * (at == 10)))
        assert found._used() > size
        gone = found.keep_within(NOW, days=90, size=size)
        # And one of which the clock said that it is old.
        assert gone == [*range(1, len(gone)), 11]
        assert 0.8 * size - 45_000 < found._used() <= 0.8 * size
        assert os.path.getsize(found.path) <= 0.8 * size + 20_000
        assert found.keep_within(NOW, days=90, size=size) == []
        # And what is old goes though there is room for it; not the newest.
        assert found.keep_within(NOW + timedelta(days=91), days=90, size=size) == list(range(len(gone), 11))
        assert [one.id for one in found.changes()] == [12]


def test_a_large_history_is_bounded_without_a_drop_at_each_change_and_keeps_no_dropped_byte(tmp_path: Path) -> None:
    size, secret = 400_000, noise()
    drops = 0
    with opened(tmp_path) as found:
        add(found, (None, secret))
        for at in range(400):
            add(found, (noise(), None), path=f"/{at}")
            drops += bool(found.keep_within(NOW, days=90, size=size))
            # One change more than the bound, and the rounding of pages.
            assert found._used() <= size
            assert os.path.getsize(tmp_path / "state/history.db") <= size + 20_000
        kept = len(list(found.changes()))
        assert not holds(tmp_path, secret)
    # A fifth of the bound is freed at once: some twenty changes.
    assert 5 < drops < 30
    assert kept > 60


def test_what_is_dropped_goes_from_a_history_that_was_made_otherwise_too(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        found._connection.execute("PRAGMA auto_vacuum = NONE")
        found._connection.execute("VACUUM")
        for _ in range(40):
            add(found, (noise(10_000), None))
        found.keep_within(NOW, days=90, size=100_000)
        assert found._used() <= 100_000
        found.prune(NOW, days=None, number=2, size=None)
        assert found._connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    assert os.path.getsize(tmp_path / "state/history.db") < 80_000


def test_an_image_that_several_changes_share_counts_once(tmp_path: Path) -> None:
    texts = [noise(10_000) for _ in range(5)]
    with opened(tmp_path) as found:
        for before, after in pairwise(texts):
            add(found, (before, after))
        assert found.prune(NOW, days=None, number=None, size=41_000) == [1]


def test_a_reader_does_not_make_a_change_fail_at_its_end(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (noise(), None), now=NOW - timedelta(days=100))
    reader = sqlite3.connect(tmp_path / "state/history.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM changes").fetchall()
    keeps = recorder(tmp_path)
    keeps.intend([FileChange("a", "/x", image(b"x"), ABSENT)])
    assert keeps.finish(days=90, size=FOREVER) == 2
    reader.close()


# One command is one change


def test_the_files_of_several_stores_are_one_change(tmp_path: Path) -> None:
    keeps = recorder(tmp_path, kind="redo", target=9)
    for name in "ab":
        fill(tmp_path / name, {"x": b"old"})
        write_file(str(tmp_path / name / "x"), b"old", b"new", Locking(0, recorder=keeps), store=name)
    assert keeps.finish(days=90, size=FOREVER) == keeps.change == 1
    assert keeps.finish(days=90, size=FOREVER) is None
    with opened(tmp_path) as found:
        one = found.change(1)
    assert (one.kind, one.target, one.done) == ("redo", 9, True)
    assert [(file.store, file.before.data, file.after.data, file.settled) for file in one.files] == [
        ("a", b"old", b"new", True),
        ("b", b"old", b"new", True),
    ]


def test_where_nothing_changes_no_history_is_made(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    keeps = recorder(tmp_path)
    change(store, lambda _: [], Locking(0, recorder=keeps))
    assert keeps.finish(days=90, size=FOREVER) is None
    assert not (tmp_path / "state").exists()


def test_a_file_that_was_not_changed_is_known_to_be_so(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    keeps = recorder(tmp_path)
    edits = [Edit("a.md", b"not this", None), Edit("b.md", memory("b"), None)]
    change(store, lambda _: edits, Locking(0, recorder=keeps))
    keeps.finish(days=90, size=FOREVER)
    with opened(tmp_path) as found:
        files = found.change(1).files
    assert [(os.path.basename(file.path), file.settled) for file in files] == [
        ("a.md", False),
        ("b.md", True),
        ("MEMORY.md", True),
    ]


def test_a_check_says_whether_there_is_a_place_and_keeps_nothing_open(tmp_path: Path) -> None:
    keeps = recorder(tmp_path)
    keeps.check()
    assert os.listdir(tmp_path / "state") == ["history.db"]
    assert keeps.intend([]) == []
    keeps.check()
    assert keeps.intend([]) == []
    assert keeps.finish(days=90, size=FOREVER) == 1
    fill(tmp_path / "full", {"state": b"in the way"})
    with pytest.raises(ConfigError):
        recorder(tmp_path / "full").check()


# Killed

PREPARE = """
import itertools, sqlite3, zlib, hashlib
from datetime import datetime, UTC
from memctl.disk.history_file import open_history
from memctl.disk.history_tables import Begun, Origin
from memctl.disk.recorder import Recorder
def opened():
    return open_history("../state", wait=5, create=True, warn=print)
opened().close()
recorder = Recorder(opened, Origin("alice", 1000, "host", "7"), "memctl test", datetime.now(UTC))
locking = Locking(0, recorder=recorder)
here = os.getcwd()
"""
PROGRAMS = {
    "edit": """
edits = [Edit("a.md", given[0].encode(), given[1].encode()), Edit("b.md", given[2].encode(), None)]
edits.append(Edit("new.md", None, given[3].encode()))
ready()
change(store(here), lambda _: edits, locking)
recorder.finish(days=90, size=10**9)
""",
    "append": """
ready()
append_file(here + "/memory.md", b"- ours\\n", locking, store="@user")
recorder.finish(days=90, size=10**9)
""",
}
CALLS = "openat,write,pwrite64,fsync,fdatasync,linkat,renameat,unlink,unlinkat,fchmod,flock"
GIVEN = [memory("a").decode(), memory("a", content="new").decode(), memory("b").decode(), memory("new").decode()]
OLD = {"a.md": memory("a"), "b.md": memory("b"), "MEMORY.md": index("a", "b"), "memory.md": b"- first"}
NEW = {
    "a.md": {memory("a"), memory("a", content="new")},
    "b.md": {memory("b"), None},
    "new.md": {None, memory("new")},
    "MEMORY.md": {index("a", "b"), index("a", "new")},
    "memory.md": {b"- first", b"- first\n- ours\n"},
}


def killed(folder: Path, program: str, call: str = "", at: int = 0) -> tuple[Path, Traced]:
    """Run a change from its write phase on, killed at one call."""
    store = fill(folder / "agent", OLD)
    inject = f"{call}:signal=KILL:when={at}" if call else ""
    with Traced(store, PREPARE + PROGRAMS[program], GIVEN, trace=call or CALLS, inject=inject) as traced:
        pass
    return store, traced


@pytest.mark.parametrize("call", CALLS.split(","))
@pytest.mark.parametrize("program", PROGRAMS)
def test_killed_at_any_call_each_file_is_old_or_new_and_undo_brings_all_back(
    tmp_path: Path, program: str, call: str
) -> None:
    _, whole = killed(tmp_path / "whole", program)
    assert whole.process.returncode == 0, whole.errors
    count = whole.calls().count(call)
    points = range(1, count + 1) if count <= 3 else sorted({1, count // 3, 2 * count // 3, count})
    for at in points:
        folder = tmp_path / str(at)
        store, traced = killed(folder, program, call, at)
        assert traced.process.returncode == -9 or "KILL" in traced.log(), (call, at)
        after = contents(store)
        with opened(folder, wait=5) as found:
            changes = list(found.changes())
            touched = {name: data for name, data in after.items() if name not in temp_files(store)} != OLD
            for name, allowed in NEW.items():
                # Between its two names a file that is removed has the other one.
                assert after.get(name) in allowed, (call, at, name)
            assert changes or not touched
            if changes:
                one = found.change(1)
                assert [file.before.data for file in one.files] == [
                    OLD.get(os.path.basename(file.path)) for file in one.files
                ]
                undone = apply_undo(plan_undo(one), Locking(0), force=False)
                assert undone.errors == ()
                assert contents(store) == OLD, (call, at)
            else:
                assert after == OLD or temp_files(store)


def test_both_images_are_committed_before_the_first_store_file_is_touched(tmp_path: Path) -> None:
    _, traced = killed(tmp_path, "edit")
    lines = traced.log().splitlines()
    temp = next(at for at, line in enumerate(lines) if ".memctl-" in line)
    assert any(line.startswith(("fsync", "fdatasync")) and "history.db" in line for line in lines[:temp])
    # And nothing of the history follows its last sync before that.
    kept = [
        line for line in lines[:temp] if "history.db" in line and line.startswith(("pwrite64", "fsync", "fdatasync"))
    ]
    assert kept[-1].startswith(("fsync", "fdatasync"))


# Whatever is done comes back


NAMES = ("a", "b", "c")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.one_of(st.none(), st.binary(max_size=40), st.text(max_size=20).map(lambda text: memory(content=text))),
        st.sampled_from(["store", "user", "append"]),
    ),
    min_size=1,
    max_size=7,
)


def apply_change(store: DirectoryStore, edit: Edit, locking: Locking) -> None:
    change(store, lambda _: [edit], locking)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_changes_taken_back_one_by_one_give_back_every_byte(steps: list[tuple[str, bytes | None, str]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        store = make_store(folder, "a", "b", files={"MEMORY.md": b"stale"})
        user = fill(folder / "user", {}) / "memory.md"
        states: dict[int, tuple[dict[str, bytes], bytes | None]] = {}

        def state() -> tuple[dict[str, bytes], bytes | None]:
            return contents(store.path), user.read_bytes() if user.exists() else None

        for name, data, way in steps:
            before = state()
            keeps = recorder(folder)
            locking = Locking(0, recorder=keeps)
            if way == "store":
                old = before[0].get(f"{name}.md")
                if old != data:
                    apply_change(store, Edit(f"{name}.md", old, data), locking)
            elif way == "user" and data is not None and data != before[1]:
                write_file(str(user), before[1], data, locking, store="@user")
            elif way == "append":
                append_file(str(user), b"- " + name.encode() + b"\n", locking, store="@user")
            number = keeps.finish(days=90, size=FOREVER)
            if number is not None:
                states[number] = before
        if not states:
            return
        with opened(folder) as found:
            for number in sorted(states, reverse=True):
                undone = apply_undo(plan_undo(found.change(number)), Locking(0), force=False)
                assert undone.errors == ()
                assert state() == states[number]
