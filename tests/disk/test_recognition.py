"""How a directory looks that holds memories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memctl.disk.recognition import holds_memories, is_plain_fleet, is_store
from tests.stores import fill, memory

BAD = b"---\nname: a\ntype: todo\n---\nbody\n"
TEXT = b"text\n"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (memory("a"), True),
        (BAD, True),
        (b"\xef\xbb\xbf" + memory("a"), True),
        (b"---\ndescription: x\nmetadata:\n  type: user\nsource: agent\n---\n", True),
        (b"---\ntitle: A post\ntype: post\n---\n", False),
        (b"---\nname: a skill\ntools: x\n---\n", False),
        (b"---\nname: a\ntype: user\n", False),
        (b"# Title\n\n---\n", False),
    ],
)
def test_a_file_is_meant_for_a_memory_if_its_front_matter_is(tmp_path: Path, text: bytes, meant: bool) -> None:
    fill(tmp_path, {"file.md": text})
    assert holds_memories(str(tmp_path), ["file.md"]) is meant


@pytest.mark.parametrize(
    ("files", "store"),
    [
        ({".legacy-imported": b"", "memory": b""}, True),
        ({"MEMORY.md": b""}, True),
        ({"MEMORY.md": b"", "agents.json": b""}, False),
        ({"MEMORY.md": b"", "memory": b""}, False),
        ({"MEMORY.md": b"# Notes\n", ".git": b""}, False),
        ({"a.md": memory("a"), ".git": b""}, True),
        ({"a.md": TEXT}, True),
        ({"a.md": TEXT, "sub/b.txt": TEXT}, False),
        ({"a.md": memory("a"), "sub/b.txt": TEXT}, True),
        ({"a.txt": TEXT}, False),
    ],
)
def test_a_directory_that_is_named_is_a_store_if_it_looks_like_one(
    tmp_path: Path, files: dict[str, bytes], store: bool
) -> None:
    for name, data in files.items():
        path = tmp_path / "x" / name
        fill(path.parent, {path.name: data})
    assert is_store(str(tmp_path / "x"), os.listdir(tmp_path / "x")) is store


@pytest.mark.parametrize(
    ("files", "fleet"),
    [
        (["a/x.md", "b/y.md", "b/.hidden"], True),
        (["a/x.md", "b/y.txt"], False),
        (["a/x.md", "y.md"], False),
        ([".hidden/x.md"], False),
    ],
)
def test_directories_of_nothing_but_md_files_are_a_fleet(tmp_path: Path, files: list[str], fleet: bool) -> None:
    for name in files:
        path = tmp_path / name
        fill(path.parent, {path.name: TEXT})
    assert is_plain_fleet(str(tmp_path), os.listdir(tmp_path)) is fleet
