from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memctl.core.codewhale import Era
from memctl.core.dialects.notes import LIMIT
from memctl.disk.codewhale import find_facts
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import ConfigError
from memctl.ops.explain_user import Explained, explain
from tests.stores import NOBODY, env_of, fill, needs_root

Tell = Callable[..., Explained]


@pytest.fixture
def ada(tmp_path: Path) -> Path:
    return fill(tmp_path / "home" / ".deepseek", {}).parent


@pytest.fixture
def tell(tmp_path: Path) -> Tell:
    """Give a function that explains the user memory under some variables."""

    def told(*, era: Era | None = None, given: str | None = None, home: bool = True, **variables: str) -> Explained:
        env = env_of(tmp_path, **{"DEEPSEEK_MANAGED_CONFIG_PATH": str(tmp_path / "managed.toml")} | variables)
        if not home:
            env = env._replace(home=None)
        facts = find_facts(env, given=given, era=era)
        store = open_user_store(facts, env) if facts.path else FileStore("", "", env.uid, facts)
        return explain(store, env, chosen=era is not None)

    return told


def keys(told: Explained) -> list[str]:
    return [step.key for step in told.steps]


def said(told: Explained, key: str) -> list[str]:
    return [step.text for step in told.steps if step.key == key]


def test_with_nothing_there_memory_is_off_and_so_it_is_told(tmp_path: Path, ada: Path, tell: Tell) -> None:
    told = tell()
    assert keys(told) == [*("config", "managed", "variable", "rules", "path", "file", "enabled")]
    assert said(told, "config") == [f"{ada}/.deepseek/config.toml (not there)"]
    assert said(told, "managed") == [f"{tmp_path}/managed.toml (not there)"]
    assert said(told, "rules") == ["those of release 0.8.8: ~/.deepseek alone"]
    assert said(told, "path") == [f"{ada}/.deepseek/memory.md (default)"]
    assert said(told, "file") == ["there is no such file"]
    assert said(told, "enabled") == ["off (default)"]
    assert (told.exists, told.size, told.utf8, told.enabled, told.loaded) == (False, None, None, False, False)
    assert told.verdict == "CodeWhale does not load the file: memory is off (default)"


def test_everything_that_decides_is_told_in_its_order(tmp_path: Path, ada: Path, tell: Tell) -> None:
    text = "[memory]\nenabled = true\n[profiles.p.memory]\nenabled = true\nmemory_path = '/ignored'\n"
    fill(ada / ".deepseek", {"config.toml": text.encode(), "memory.md": b"- a\n- b\n"})
    (tmp_path / "managed.toml").write_text("[memory]\nenabled = true\n")
    told = tell(DEEPSEEK_PROFILE="p", DEEPSEEK_MEMORY="", DEEPSEEK_MEMORY_PATH="~/.deepseek/memory.md")
    assert keys(told) == [
        *("config", "managed", "profile", "variable", "variable", "variable", "variable"),
        *("ignored", "rules", "path", "file", "utf8", "enabled"),
    ]
    assert said(told, "config") == [f"{ada}/.deepseek/config.toml (read)"]
    assert said(told, "profile") == ["p (DEEPSEEK_PROFILE)"]
    assert said(told, "variable")[0] == "DEEPSEEK_MEMORY='' (empty counts: it switches memory off)"
    assert said(told, "ignored") == [
        "[profiles.p.memory] memory_path is silently ignored by CodeWhale; it counts as memory_path above the first table"
    ]
    assert said(told, "path") == [f"{ada}/.deepseek/memory.md (DEEPSEEK_MEMORY_PATH)"]
    assert said(told, "file") == ["8 bytes, 2 notes"]
    assert said(told, "enabled") == ["on (the managed configuration)"]
    assert told.misplaced == ("[profiles.p.memory] memory_path",)
    assert (told.exists, told.size, told.utf8, told.loaded) == (True, 8, True, True)
    assert told.verdict == "CodeWhale loads the file"


def test_an_empty_path_is_explained(tell: Tell, ada: Path) -> None:
    told = tell(DEEPSEEK_MEMORY_PATH="", DEEPSEEK_MEMORY="on")
    assert "DEEPSEEK_MEMORY_PATH='' (empty counts)" in said(told, "variable")
    assert told.path == ""
    assert not told.loaded
    assert told.verdict == "CodeWhale does not load the file: its path is empty"


def test_without_a_home_the_file_is_looked_for_here(tell: Tell) -> None:
    told = tell(home=False)
    assert said(told, "path") == ["./memory.md (default)"]
    assert "config" not in keys(told)


@pytest.mark.parametrize(
    ("era", "rules"),
    [
        (None, "those of release 0.8.48: ~/.codewhale first, since it is there"),
        (Era.V0_8_8, "those of release 0.8.8: ~/.deepseek alone (named by --rules)"),
        (Era.V0_9_10, "those of release 0.9.10: the native tree (named by --rules)"),
    ],
)
def test_the_rules_are_told_and_whether_a_person_named_them(ada: Path, tell: Tell, era: Era | None, rules: str) -> None:
    (ada / ".codewhale").mkdir()
    assert said(tell(era=era), "rules") == [rules]


def test_rules_of_0_8_48_are_not_said_to_follow_from_a_folder_that_is_not_there(ada: Path, tell: Tell) -> None:
    [rules] = said(tell(era=Era.V0_8_48), "rules")
    assert "since it is there" not in rules


def test_a_path_named_to_memctl_is_told_as_such(tmp_path: Path, ada: Path, tell: Tell) -> None:
    (tmp_path / "m.md").write_bytes(b"- a\n")
    told = tell(given=str(tmp_path / "m.md"))
    assert said(told, "path") == [f"{tmp_path}/m.md (named to memctl)"]
    assert said(told, "file") == ["4 bytes, 1 note"]


@pytest.mark.parametrize(
    ("variable", "named"), [(None, "is '{}/.deepseek/memory.md'"), ("", "has an empty path"), ("{}/../m.md", None)]
)
def test_of_another_file_than_codewhales_own_it_is_told_that_it_is_not_loaded(
    tmp_path: Path, ada: Path, tell: Tell, variable: str | None, named: str | None
) -> None:
    (tmp_path / "m.md").write_bytes(b"- a\n")
    variables = {} if variable is None else {"DEEPSEEK_MEMORY_PATH": variable.format(ada)}
    told = tell(given=str(tmp_path / "m.md"), DEEPSEEK_MEMORY="on", **variables)
    assert told.loaded is (named is None)
    assert ("codewhale" in keys(told)) is (named is not None)
    if named:
        assert told.verdict.endswith(f"does not load the file: its own user memory {named.format(ada)}")


# The file itself


@pytest.mark.parametrize(
    ("data", "utf8", "problem"),
    [
        (b"", True, "it is blank"),
        (b" \n\xe3\x80\x80", True, "it is blank"),
        (b"- caf\xe9\n", False, "byte 5 is not UTF-8, and one such byte keeps CodeWhale from loading the file,"),
        ("- a\n".encode("utf-16"), False, "byte 0 is not UTF-8,"),
    ],
)
def test_a_file_that_is_not_loaded_has_the_reason(ada: Path, tell: Tell, data: bytes, utf8: bool, problem: str) -> None:
    fill(ada / ".deepseek", {"memory.md": data})
    told = tell(DEEPSEEK_MEMORY="on")
    assert (told.exists, told.size, told.utf8, told.loaded) == (True, len(data), utf8, False)
    assert told.verdict.startswith(f"CodeWhale does not load the file: {problem}")


@pytest.mark.parametrize(
    "data",
    [b"- a\0b\n", b"\xef\xbb\xbf", "\ufeff- a".encode(), b"prose alone", b"x" * LIMIT, b"\n" * (LIMIT - 1) + b"x"],
)
def test_a_file_that_is_loaded_is_told_to_be(ada: Path, tell: Tell, data: bytes) -> None:
    fill(ada / ".deepseek", {"memory.md": data})
    told = tell(DEEPSEEK_MEMORY="on")
    assert (told.loaded, told.cut_bytes, told.cut_notes) == (True, 0, 0)
    assert told.verdict == "CodeWhale loads the file"


def test_what_falls_after_the_cut_is_counted(ada: Path, tell: Tell) -> None:
    head = b"- a\n" * (LIMIT // 4 - 20)
    fill(ada / ".deepseek", {"memory.md": head + b"x" * 200 + b"\n- b\n- c\n"})
    told = tell(DEEPSEEK_MEMORY="on")
    assert told.loaded
    assert told.size == len(head) + 209
    marker = f'\n<truncated bytes={told.cut_bytes} source="{ada}/.deepseek/memory.md">'
    assert told.cut_bytes == told.size - (LIMIT - len(marker))
    # Of the head what the marker displaces, the last of it going on over the long line, and the two behind it.
    cut = len(head) // 4 - (LIMIT - len(marker)) // 4 + 2
    assert told.cut_notes == cut
    assert said(told, "cut") == [
        f"{told.cut_bytes:,} bytes and {cut} notes fall after the 102,400 bytes that CodeWhale loads"
    ]
    assert told.verdict == f"CodeWhale loads the file, but for its last {told.cut_bytes:,} bytes"


def make_directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (make_directory, "'{}' is a directory, not a file"),
        (os.mkfifo, "'{}' is a FIFO, not a file"),
    ],
)
def test_what_cannot_be_read_is_explained_and_never_hangs(
    ada: Path, tell: Tell, make: Callable[[Path], None], problem: str
) -> None:
    path = ada / ".deepseek" / "memory.md"
    make(path)
    told = tell(DEEPSEEK_MEMORY="on")
    assert told.exists
    assert told.verdict == f"CodeWhale does not load the file: {problem.format(path)}"


def test_of_a_file_that_memctl_does_not_read_it_cannot_tell(ada: Path, tell: Tell) -> None:
    with (ada / ".deepseek" / "memory.md").open("wb") as file:
        file.truncate(200_000_000)
    told = tell(DEEPSEEK_MEMORY="on")
    assert (told.size, told.loaded) == (200_000_000, None)
    assert told.verdict == "memctl cannot tell whether CodeWhale loads the file: it is too large for memctl to read"


def test_links_are_told(tmp_path: Path, ada: Path, tell: Tell) -> None:
    path = ada / ".deepseek" / "memory.md"
    (tmp_path / "real.md").write_bytes(b"- a\n")
    path.symlink_to(tmp_path / "real.md")
    told = tell(DEEPSEEK_MEMORY="on")
    assert said(told, "symlink") == [f"to {tmp_path}/real.md"]
    assert told.loaded
    (tmp_path / "real.md").unlink()
    told = tell(DEEPSEEK_MEMORY="on")
    assert said(told, "file") == [f"it is a symlink to '{tmp_path}/real.md', where nothing is"]
    assert not told.exists


@needs_root
def test_another_users_link_is_explained_and_not_followed(tmp_path: Path, ada: Path, tell: Tell) -> None:
    path = ada / ".deepseek" / "memory.md"
    (tmp_path / "roots.md").write_bytes(b"- of root\n")
    path.symlink_to(tmp_path / "roots.md")
    os.lchown(path, NOBODY, NOBODY)
    told = tell(DEEPSEEK_MEMORY="on")
    assert told.loaded is None
    assert told.verdict.startswith("memctl cannot tell whether CodeWhale loads the file: ")
    assert told.verdict.endswith("a file of another user")


def test_a_file_in_the_way_of_its_directory_is_explained(tmp_path: Path, ada: Path, tell: Tell) -> None:
    (tmp_path / "file").write_bytes(b"")
    told = tell(DEEPSEEK_MEMORY_PATH=f"{tmp_path}/file/memory.md", DEEPSEEK_MEMORY="on")
    assert told.verdict == "CodeWhale does not load the file: not a directory"


# Newer layouts


def test_a_newer_layout_beside_the_file_is_told_with_what_reads_it(ada: Path, tell: Tell) -> None:
    fill(ada / ".deepseek", {"memory.md": b"- a\n"})
    native = fill(ada / ".deepseek" / "memory" / "global", {"MEMORY.md": b""}) / "MEMORY.md"
    told = tell(DEEPSEEK_MEMORY="on")
    assert told.newer == f"CodeWhale 0.9.4 and later do not read this file, but {native}"
    assert said(told, "newer") == [told.newer]
    assert told.verdict == "CodeWhale before 0.9.4 loads the file"
    store = fill(ada / ".deepseek" / "memory", {"store.sqlite3": b""}) / "store.sqlite3"
    told = tell(DEEPSEEK_MEMORY="on")
    assert told.newer == f"CodeWhale 0.10 and later do not read this file, but {store}"
    assert tell(era=Era.V0_9_10).newer == told.newer


def test_a_broken_configuration_is_an_error_and_no_explanation(ada: Path, tell: Tell) -> None:
    fill(ada / ".deepseek", {"config.toml": b"[memory\n"})
    with pytest.raises(ConfigError, match="line 1, column 8"):
        tell()
