"""A store is what the HQ would read, with a reason for each file that it would not."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from pathlib import Path

import pytest

from memctl.disk.stores import Snapshot, Unloaded
from memctl.errors import IoFailure, Protected
from tests.disk.test_files import SHAPES, Traced, wait_for
from tests.stores import AGENT, NOBODY, command, fill, index, make_store, memory, needs_root, register, run, store_at


def files(snapshot: Snapshot) -> list[str]:
    return [entry.file for entry in snapshot.entries]


def only_unloaded(snapshot: Snapshot) -> Unloaded:
    (file,) = snapshot.unloaded
    return file


# --- which files, in which order ---


@pytest.mark.parametrize(
    "names",
    [
        ["a-b.md", "a.md", "a0.md", "ab.md"],
        ["m-1.md", "m-10.md", "m-2.md", "m.md", "m1.md"],
        ["a.md", "\U0001f600.md", "\ufb01.md"],
        [".hidden.md", "with space.md"],
    ],
)
def test_memories_come_in_the_order_of_the_hq(tmp_path: Path, names: list[str]) -> None:
    store = make_store(tmp_path, files={name: memory("x") for name in reversed(names)})
    assert files(store.read()) == names


def test_only_files_that_end_with_md_count_and_the_index_does_not(tmp_path: Path) -> None:
    others = {name: memory("x") for name in ["x.MD", "x.txt", "x", ".legacy-imported", "MEMORY.md", ".memctl-00"]}
    store = make_store(tmp_path, files=others | {"memory.md": memory("memory"), "memory.md.md": memory("y")})
    snapshot = store.read()
    assert files(snapshot) == ["memory.md", "memory.md.md"]
    assert snapshot.unloaded == []
    assert sorted(snapshot.names) == sorted([*others, "memory.md", "memory.md.md"])


def test_an_entry_holds_the_record_and_the_bytes(tmp_path: Path) -> None:
    data = memory("inner", content="text")
    (entry,) = make_store(tmp_path, files={"outer.md": data}).read().entries
    assert (entry.file, entry.stem, entry.memory.name, entry.memory.content) == ("outer.md", "outer", "inner", "text")
    assert entry.data == data


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "no-front-matter"),
        (b"plain text", "no-front-matter"),
        (b"\xef\xbb\xbf" + memory("x"), "bom"),
        (b"---\nname: x\ntype: user\n", "unclosed-front-matter"),
        (memory("x", type="note"), "bad-type"),
        (memory("x", type=""), "bad-type"),
        (b"---\nname: x\n---\ntext\n", "no-type"),
        (memory('"x"'), "bad-name"),
        (b"\xff\xfe\0" + memory("x"), "no-front-matter"),
    ],
)
def test_a_file_that_the_hq_skips_is_not_loaded_and_says_why(tmp_path: Path, data: bytes, code: str) -> None:
    snapshot = make_store(tmp_path, "good", files={"x.md": data}).read()
    file = only_unloaded(snapshot)
    assert (file.file, file.stem, file.problem.code, file.data, file.link) == ("x.md", "x", code, data, None)
    assert files(snapshot) == ["good.md"]
    assert snapshot.errors == []


def test_bad_utf8_is_read_as_the_hq_reads_it(tmp_path: Path) -> None:
    data = memory("x").replace(b"body", b"b\xffdy \xed\xa0\x80")
    (entry,) = make_store(tmp_path, files={"x.md": data}).read().entries
    assert entry.memory.content == "b\ufffddy \ufffd\ufffd\ufffd of x"
    assert entry.data == data


@pytest.mark.parametrize("name", ["\udcff\udcfe.md", "a\nb.md", "\t.md", "x" * 252 + ".md", "\u202e.md"])
def test_odd_file_names_are_read(tmp_path: Path, name: str) -> None:
    store = make_store(tmp_path, "z", files={name: memory("x")})
    assert sorted(files(store.read())) == sorted([name, "z.md"])
    assert store.memory_address(name[:-3]) == f"{AGENT}/{name[:-3]}"


def test_a_name_that_is_no_legal_one_and_not_said_anew_in_the_file_is_not_loaded(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"A\nb.md": b"---\ntype: user\n---\ntext\n"})
    assert only_unloaded(store.read()).problem.code == "bad-name"


def test_ten_thousand_memories_are_read_in_order(tmp_path: Path) -> None:
    store = make_store(tmp_path, *(f"m-{number}" for number in range(10_000)))
    found = files(store.read())
    assert len(found) == 10_000
    assert found == sorted(found)


def test_a_missing_directory_is_an_empty_store(tmp_path: Path) -> None:
    store = store_at(tmp_path / "memory" / AGENT)
    assert store.read() == Snapshot([], [], None, [], [])
    assert not store.exists()


def test_a_store_that_is_a_file_is_an_input_output_error(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / AGENT).write_bytes(b"")
    with pytest.raises(IoFailure):
        store_at(tmp_path / "memory" / AGENT).read()


@needs_root
def test_a_directory_that_may_not_be_listed_is_an_input_output_error(tmp_path: Path) -> None:
    fill(tmp_path / "store", {"x.md": memory("x")}).chmod(0o700)
    told = run('outcome(lambda: store("store").read())', cwd=tmp_path, uid=NOBODY)
    assert told["errors"] == [["IoFailure", 74, "cannot read 'store': permission denied"]]


@needs_root
@pytest.mark.parametrize("mode", [0o000, 0o200, 0o600])
def test_a_file_that_may_not_be_read_is_an_error_and_the_others_go_on(tmp_path: Path, mode: int) -> None:
    store = make_store(tmp_path, "a", "b", "c")
    path = Path(store.path)
    (path / "b.md").chmod(mode)
    code = """
found = store().read()
tell([[entry.file for entry in found.entries], [[file.file, *file.problem] for file in found.unloaded],
      [told(error) for error in found.errors]])
"""
    assert run(code, cwd=path, uid=NOBODY) == [
        ["a.md", "c.md"],
        [["b.md", "unreadable", "unreadable: permission denied"]],
        [["IoFailure", 74, "cannot read './b.md': permission denied"]],
    ]


def test_a_file_of_a_terabyte_is_an_error_and_the_others_go_on(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "c")
    with open(f"{store.path}/b.md", "wb") as file:
        file.truncate(1 << 40)
    snapshot = store.read()
    assert files(snapshot) == ["a.md", "c.md"]
    assert only_unloaded(snapshot).problem.reason == "unreadable: file too large"
    assert [error.exit_code for error in snapshot.errors] == [74]


# --- read again once before it is believed ---


READ = """
ready()
found = store().read()
tell([[entry.file for entry in found.entries], found.unloaded, found.errors])
"""


@pytest.mark.parametrize("length", [0, 30])
def test_a_file_that_is_half_written_at_the_first_look_is_loaded_at_the_second(tmp_path: Path, length: int) -> None:
    # The HQ truncates and writes in place.
    path = fill(tmp_path / "store", {"b.md": memory("b")[:length], "c.md": memory("c")})
    with Traced(path, READ, trace="read", inject="read:delay_exit=1000000:when=1") as traced:
        wait_for(lambda: "read(" in traced.log())
        (path / "b.md").write_bytes(memory("b"))
    assert "DELAYED" in traced.log()
    assert traced.told() == [["b.md", "c.md"], [], []]


def test_a_file_that_is_gone_at_the_second_look_is_no_part_of_the_store(tmp_path: Path) -> None:
    path = fill(tmp_path / "store", {"b.md": b"torn", "c.md": memory("c")})
    with Traced(path, READ, trace="read", inject="read:delay_exit=1000000:when=1") as traced:
        wait_for(lambda: "read(" in traced.log())
        (path / "b.md").unlink()
    assert "DELAYED" in traced.log()
    assert traced.told() == [["c.md"], [], []]


# --- what is no file ---


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("kind", [kind for kind in SHAPES if kind != "a socket"])
def test_what_is_no_regular_file_is_not_loaded_and_stops_nothing(tmp_path: Path, kind: str, linked: bool) -> None:
    store = make_store(tmp_path, "a", "z")
    path = Path(store.path) / "m.md"
    SHAPES[kind](tmp_path / "target" if linked else path)
    if linked:
        path.symlink_to(tmp_path / "target")
    snapshot = store.read()
    assert files(snapshot) == ["a.md", "z.md"]
    file = only_unloaded(snapshot)
    assert (file.problem.code, file.problem.reason) == ("not-a-file", f"{kind}, not a file")
    assert (file.data, file.link) == (None, str(tmp_path / "target") if linked else None)
    assert snapshot.errors == []


def test_a_symlink_is_followed_in_ones_own_store(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    (tmp_path / "elsewhere").write_bytes(memory("b"))
    (Path(store.path) / "b.md").symlink_to(tmp_path / "elsewhere")
    assert files(store.read()) == ["a.md", "b.md"]
    assert store.link_target("b.md") == str(tmp_path / "elsewhere")
    assert store.link_target("a.md") is None


def test_no_symlink_is_followed_in_another_users_store(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", foreign=True)
    (tmp_path / "elsewhere").write_bytes(memory("b"))
    (Path(store.path) / "b.md").symlink_to(tmp_path / "elsewhere")
    snapshot = store.read()
    assert files(snapshot) == ["a.md"]
    file = only_unloaded(snapshot)
    assert file.problem.reason == "a symlink that is not followed"
    assert (file.data, file.link) == (None, str(tmp_path / "elsewhere"))


def test_another_users_directory_that_is_a_symlink_is_not_opened(tmp_path: Path) -> None:
    fill(tmp_path / "real", {"x.md": memory("x")})
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / AGENT).symlink_to("../real")
    assert files(store_at(tmp_path / "memory" / AGENT).read()) == ["x.md"]
    with pytest.raises(Protected):
        store_at(tmp_path / "memory" / AGENT, foreign=True).read()


@pytest.mark.parametrize("foreign", [False, True])
def test_a_symlink_to_nothing_is_not_loaded(tmp_path: Path, foreign: bool) -> None:
    store = make_store(tmp_path, "a", foreign=foreign)
    (Path(store.path) / "b.md").symlink_to("nothing")
    file = only_unloaded(store.read())
    reason = "a symlink that is not followed" if foreign else "a symlink to 'nothing', where nothing is"
    assert (file.problem.reason, file.link) == (reason, "nothing")


# --- the index ---


def test_the_index_is_read_with_the_store(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"old"})
    snapshot = store.read()
    assert snapshot.index_data == b"old"
    assert snapshot.rendered().text.encode() == index("a")


def test_a_missing_index_is_none(tmp_path: Path) -> None:
    assert make_store(tmp_path, "a").read().index_data is None


def test_an_index_that_is_a_symlink_is_read_in_ones_own_store_only(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    (tmp_path / "elsewhere").write_bytes(b"text")
    (Path(store.path) / "MEMORY.md").symlink_to(tmp_path / "elsewhere")
    assert store.read().index_data == b"text"
    snapshot = store._replace(foreign=True).read()
    assert snapshot.index_data is None
    assert [error.message for error in snapshot.errors] == [f"'{store.path}/MEMORY.md' is a symlink, not a file"]


@pytest.mark.parametrize(("shape", "what"), [("directory", "a directory"), ("dangling", "a symlink to nothing")])
def test_an_index_that_is_no_file_is_an_error_and_the_memories_are_read(tmp_path: Path, shape: str, what: str) -> None:
    store = make_store(tmp_path, "a")
    path = Path(store.path) / "MEMORY.md"
    if shape == "directory":
        path.mkdir()
    else:
        path.symlink_to("nothing")
    snapshot = store.read()
    assert files(snapshot) == ["a.md"]
    (error,) = snapshot.errors
    assert (error.message, error.exit_code) == (f"'{path}' is {what}, not a file", 77)
    assert error.hint == "move it away, then run memctl reindex"


# --- whose it is ---


def test_a_store_has_the_name_and_the_switches_of_its_entry_in_the_registry(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    register(tmp_path / "data", {"id": AGENT, "name": "billing-bot", "memory": {"enabled": False}})
    assert (store.name, store.registered, store.automatic_memory) == ("billing-bot", True, False)


def test_a_store_that_the_registry_does_not_have_goes_by_its_id(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    register(tmp_path / "data", {"id": "other"})
    assert (store.name, store.registered, store.automatic_memory) == (AGENT, False, True)


@pytest.mark.parametrize("text", [None, "{", "{}"])
def test_without_a_readable_registry_nothing_is_said_of_it(tmp_path: Path, text: str | None) -> None:
    store = make_store(tmp_path, "a")
    if text is not None:
        (tmp_path / "data" / "agents.json").write_text(text)
    assert (store.name, store.registered, store.automatic_memory) == (AGENT, None, True)


def test_an_address_that_two_folders_share_is_a_path(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    assert store.memory_address("a") == f"{AGENT}/a"
    shared = store._replace(address=store.path)
    assert shared.memory_address("a") == f"{store.path}/a.md"


# --- speed ---


def test_a_further_memory_costs_at_most_five_system_calls(tmp_path: Path) -> None:
    counts = []
    for number in (40, 200):
        path = fill(tmp_path / str(number), {f"m-{at}.md": memory(f"m-{at}") for at in range(number)})
        log = tmp_path / f"{number}.log"
        code = "found = store().read(); tell(len(found.entries))"
        done = subprocess.run(
            ["strace", "-f", "-c", "-o", str(log), *command(code)], cwd=path, capture_output=True, timeout=60
        )
        assert done.stdout == str(number).encode()
        total = re.search(r"^100\.00\s+\S+\s+(?:\S+\s+)?(\d+)\s+\d*\s*total$", log.read_text(), re.MULTILINE)
        assert total, log.read_text()
        counts.append(int(total[1]))
    assert (counts[1] - counts[0]) / 160 <= 5


def test_each_read_closes_what_it_opened(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"bad.md": b"", "MEMORY.md": b""})
    os.mkfifo(f"{store.path}/fifo.md")
    before = len(os.listdir("/proc/self/fd"))
    store.read()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_file_that_its_writer_has_just_emptied_is_read_a_moment_later(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"b.md": b""})
    path = Path(store.path) / "b.md"
    writer = threading.Timer(0.005, path.write_bytes, [memory("b")])
    writer.start()
    snapshot = store.read()
    writer.join()
    assert [entry.file for entry in snapshot.entries] == ["a.md", "b.md"]
