from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.core.codewhale import Era
from memctl.core.env import Env
from memctl.disk.codewhale import Facts, config_file, find_facts, set_enabled
from memctl.errors import ConfigError, ExitCode
from tests.judges import cases
from tests.stores import env_of, fill

# The reference of the seed, as it stands there.
SEED = """\
# ~/.deepseek/config.toml
[memory]
enabled = true                    # default false; or set DEEPSEEK_MEMORY=on
# Path is configured at the top-level (next to skills_dir, notes_path):
memory_path = "~/.deepseek/memory.md"
"""


@pytest.fixture
def ada(tmp_path: Path) -> Path:
    """Give the home that env_of() names."""
    path = tmp_path / "home"
    path.mkdir()
    return path


def configure(home: Path, text: str | bytes, folder: str = ".deepseek") -> Path:
    data = text.encode() if isinstance(text, str) else text
    return fill(home / folder, {"config.toml": data}) / "config.toml"


def facts(tmp_path: Path, *, era: Era | None = None, given: str | None = None, **variables: str) -> Facts:
    # The machine's own managed configuration is never read by a test.
    variables = {"DEEPSEEK_MANAGED_CONFIG_PATH": str(tmp_path / "managed.toml")} | variables
    return find_facts(env_of(tmp_path, **variables), era=era, given=given)


def test_with_nothing_there_the_file_is_off_and_at_its_default(tmp_path: Path, ada: Path) -> None:
    found = facts(tmp_path)
    assert found.era is Era.V0_8_8
    assert found.path == f"{ada}/.deepseek/memory.md"
    assert (found.resolved.enabled, found.resolved.enabled_by, found.resolved.path_by) == (False, "default", "default")
    assert [(file.role, file.path, file.present) for file in found.files] == [
        ("config", f"{ada}/.deepseek/config.toml", False),
        ("managed", str(tmp_path / "managed.toml"), False),
    ]


def test_the_configuration_says_both(tmp_path: Path, ada: Path) -> None:
    configure(ada, 'memory_path = "~/notes.md"\n[memory]\nenabled = true\n')
    found = facts(tmp_path)
    assert (found.path, found.resolved.enabled, found.files[0].present) == (f"{ada}/notes.md", True, True)


def test_a_key_of_the_seeds_own_example_is_misplaced_and_ignored(tmp_path: Path, ada: Path) -> None:
    configure(ada, SEED.replace("~/.deepseek/memory.md", "~/elsewhere.md"))
    found = facts(tmp_path)
    assert found.resolved.enabled
    assert found.path == f"{ada}/.deepseek/memory.md"
    (ignored,) = found.misplaced
    assert (ignored.key, ignored.counts) == ("[memory] memory_path", "it counts as memory_path above the first table")
    assert ignored.path == f"{ada}/.deepseek/config.toml"
    lines = (ada / ".deepseek" / "config.toml").read_text().split("\n")
    assert lines[(ignored.line or 0) - 1].startswith("memory_path")


@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        ("[memory]\npath = '/x'\n", [("[memory] path", "it counts as memory_path above", 2)]),
        ("enabled = true\n", [("enabled", "it counts as enabled under [memory]", 1)]),
        (
            "memory_enabled = true\n[memory]\nmemory_path = '/x'\n",
            [("memory_enabled", "enabled under", 1), ("[memory] memory_path", "memory_path above", 3)],
        ),
        ("memory_path = '/x'\n[memory]\nenabled = true\nbackend = 'native'\nother = 1\n", []),
        ("[tui]\n# a comment\nmemory_path = '/x'\n", [("[tui] memory_path", "memory_path above", 3)]),
        ("[memory]\nmax_size = 1\n", [("[memory] max_size", "there is no such option", 2)]),
        ("[Memory]\nenabled = true\n", [("[Memory]", "it counts as [memory]", 1)]),
        ("[tui.memory]\nenabled = true\n", [("[tui.memory]", "it counts as [memory]", 1)]),
        ("[tui.memory]\nsize = 1\n", []),
        ("[memory]\nenable = true\n", [("[memory] enable", "did you mean 'enabled'?", 2)]),
        ("memory-path = '/x'\n", [("memory-path", "did you mean 'memory_path'?", 1)]),
        ("memory = { path = '/x' }\n", [("[memory] path", "memory_path above", 1)]),
        ("\nmemory.max_size = 1\n", [("[memory] max_size", "no such option", 2)]),
        ("[\"memory\"]\n'path' = '/x'\n", [("[memory] path", "memory_path above", 2)]),
        ("[a]\nb = [\n  {memory_path = 1},\n]\n", []),
        ("[profiles.work.memory]\npath = '/x'\n[profiles.Memory]\n", []),
        ("[memory]\n\"pa\\u0074h\" = '/x'\n", [("[memory] path", "memory_path above", None)]),
    ],
)
def test_keys_that_count_nowhere_are_told(
    tmp_path: Path, ada: Path, text: str, ignored: list[tuple[str, str, int | None]]
) -> None:
    configure(ada, text)
    found = facts(tmp_path).misplaced
    assert [(one.key, one.line) for one in found] == [(key, line) for key, _, line in ignored]
    assert all(counts in one.counts for one, (_, counts, _) in zip(found, ignored, strict=True))


def test_the_profile_and_the_managed_configuration_are_looked_at_too(tmp_path: Path, ada: Path) -> None:
    configure(ada, "[profiles.work.memory]\npath = '/x'\n")
    (tmp_path / "managed.toml").write_text("\n[memory]\nmax_size = 1\n")
    found = facts(tmp_path, DEEPSEEK_PROFILE="work").misplaced
    assert [(one.key, os.path.basename(one.path), one.line) for one in found] == [
        ("[profiles.work.memory] path", "config.toml", 2),
        ("[memory] max_size", "managed.toml", 3),
    ]


def test_the_old_user_memory_is_hidden_by_the_new_one(tmp_path: Path, ada: Path) -> None:
    old, new = ada / ".deepseek" / "memory.md", ada / ".codewhale" / "memory.md"
    for folder in (old.parent, new.parent):
        folder.mkdir()
    old.write_text("- one\n")
    assert (facts(tmp_path).shadowed, facts(tmp_path).path) == ("", str(old))
    new.write_text("")
    assert (facts(tmp_path).shadowed, facts(tmp_path).path) == (str(old), str(new))
    assert facts(tmp_path, DEEPSEEK_MEMORY_PATH="/x").shadowed == ""
    assert facts(tmp_path, era=Era.V0_8_8).shadowed == ""
    old.write_text("")
    assert facts(tmp_path).shadowed == ""
    old.unlink()
    assert facts(tmp_path).shadowed == ""
    old.symlink_to(new)
    new.write_text("- two\n")
    assert facts(tmp_path).shadowed == ""


# Profiles

PROFILES = """\
memory_path = "/top.md"
[memory]
enabled = true
backend = "native"
[profiles.field]
memory_path = "/field.md"
[profiles.table.memory]
backend = "off"
[profiles."odd name"]
model = "m"
"""


@pytest.mark.parametrize(
    ("profile", "path", "enabled", "backend"),
    [
        ("", "/top.md", True, "native"),
        ("field", "/field.md", True, "native"),
        ("table", "/top.md", False, "off"),
        ("odd name", "/top.md", True, "native"),
    ],
)
def test_a_profile_overrides_fields_and_its_own_table_replaces_the_whole_one(
    tmp_path: Path, ada: Path, profile: str, path: str, enabled: bool, backend: str
) -> None:
    configure(ada, PROFILES)
    found = facts(tmp_path, DEEPSEEK_PROFILE=profile)
    assert found.profile == (profile or None)
    assert (found.path, found.resolved.enabled, found.config.backend) == (path, enabled, backend)


def test_an_unknown_profile_is_an_error_that_names_the_others(tmp_path: Path, ada: Path) -> None:
    config = configure(ada, PROFILES)
    with pytest.raises(ConfigError) as caught:
        facts(tmp_path, DEEPSEEK_PROFILE="nosuch")
    assert caught.value.message == "CodeWhale's profile 'nosuch' does not exist"
    assert caught.value.hint == "profiles are: field, table, odd name"
    assert caught.value.path == str(config)
    assert caught.value.exit_code == ExitCode.CONFIG


@pytest.mark.parametrize("text", ["", "profiles = 3\n", "[profiles]\nnosuch = 3\n"])
def test_a_profile_of_a_configuration_without_any_is_unknown(tmp_path: Path, ada: Path, text: str) -> None:
    configure(ada, text)
    with pytest.raises(ConfigError, match="profile 'nosuch' does not exist"):
        facts(tmp_path, DEEPSEEK_PROFILE="nosuch")


# The managed configuration, and the others


def test_the_managed_configuration_beats_the_environment(tmp_path: Path, ada: Path) -> None:
    configure(ada, 'memory_path = "/own.md"\n[memory]\nenabled = true\n')
    (tmp_path / "managed.toml").write_text('memory_path = "~/managed.md"\n[memory]\nenabled = false\n')
    found = facts(tmp_path, DEEPSEEK_MEMORY="on", DEEPSEEK_MEMORY_PATH="/variable.md")
    assert (found.path, found.resolved.path_by) == (f"{ada}/managed.md", "the managed configuration")
    assert (found.resolved.enabled, found.resolved.enabled_by) == (False, "the managed configuration")
    assert [(file.role, file.present) for file in found.files] == [("config", True), ("managed", True)]


def test_a_managed_configuration_that_says_nothing_of_memory_leaves_all(tmp_path: Path, ada: Path) -> None:
    (tmp_path / "managed.toml").write_text('model = "m"\n')
    found = facts(tmp_path, DEEPSEEK_MEMORY="on", DEEPSEEK_MEMORY_PATH="/variable.md")
    assert (found.path, found.resolved.enabled) == ("/variable.md", True)


@pytest.mark.parametrize(("word", "there"), [("other.toml", True), ("~/../other.toml", True), ("missing.toml", False)])
def test_the_variable_names_the_configuration_if_that_file_exists(
    tmp_path: Path, ada: Path, word: str, there: bool
) -> None:
    configure(ada, 'memory_path = "/default.md"\n')
    (tmp_path / "other.toml").write_text('memory_path = "/other.md"\n')
    found = facts(tmp_path, DEEPSEEK_CONFIG_PATH=word)
    assert found.path == ("/other.md" if there else "/default.md")


def test_the_variables_that_count_are_told_in_their_order_even_when_empty(tmp_path: Path, ada: Path) -> None:
    found = facts(tmp_path, DEEPSEEK_MEMORY_PATH="", DEEPSEEK_MEMORY="on", HOME="/x")
    assert [name for name, _ in found.variables] == [
        *("DEEPSEEK_MEMORY", "DEEPSEEK_MEMORY_PATH", "DEEPSEEK_MANAGED_CONFIG_PATH")
    ]
    assert found.path == ""


def test_a_path_given_to_memctl_overrides_what_the_rules_find(tmp_path: Path, ada: Path) -> None:
    found = facts(tmp_path, given="/given.md")
    assert (found.path, found.resolved.path) == ("/given.md", f"{ada}/.deepseek/memory.md")


# Which rules


@pytest.mark.parametrize(
    ("existing", "config", "path"),
    [
        ([], ".codewhale", ".codewhale"),
        ([".deepseek/config.toml"], ".deepseek", ".codewhale"),
        ([".deepseek/config.toml", ".codewhale/config.toml"], ".codewhale", ".codewhale"),
        ([".deepseek/memory.md"], ".codewhale", ".deepseek"),
        ([".deepseek/memory.md", ".codewhale/memory.md"], ".codewhale", ".codewhale"),
    ],
)
def test_where_the_newer_folder_exists_the_rules_of_0_8_48_hold(
    tmp_path: Path, ada: Path, existing: list[str], config: str, path: str
) -> None:
    (ada / ".codewhale").mkdir()
    for name in existing:
        fill((ada / name).parent, {Path(name).name: b""})
    found = facts(tmp_path)
    assert found.era is Era.V0_8_48
    assert found.files[0].path == f"{ada}/{config}/config.toml"
    assert found.path == f"{ada}/{path}/memory.md"


def test_named_rules_win_over_the_folder(tmp_path: Path, ada: Path) -> None:
    (ada / ".codewhale").mkdir()
    found = facts(tmp_path, era=Era.V0_8_8)
    assert found.path == f"{ada}/.deepseek/memory.md"
    assert found.files[0].path == f"{ada}/.deepseek/config.toml"


@pytest.mark.parametrize("case", cases("codewhale/config_resolution"))
def test_real_files_are_resolved_as_the_release_does(tmp_path: Path, ada: Path, case: dict[str, Any]) -> None:
    said = case["config"]
    lines = [f"memory_path = {said['memory_path']!r}"] if said["memory_path"] is not None else []
    lines.append("[memory]")
    if said["memory.enabled"] is not None:
        lines.append(f"enabled = {str(said['memory.enabled']).lower()}")
    if said["memory.backend"] is not None:
        lines.append(f'backend = "{said["memory.backend"]}"')
    for name in case["existing_files"]:
        fill((ada / name).parent, {Path(name).name: b"x"})
    configure(ada, "\n".join(lines))
    era = Era.V0_8_8 if case["rules"] == "0.8.8" else Era.V0_9_10
    variables = {name: value.replace("{HOME}", str(ada)) for name, value in case["env"].items()}
    found = facts(tmp_path, era=era, **variables)
    assert found.resolved.enabled is case["expected"]["enabled"]
    assert found.path == case["expected"]["path"].replace("{HOME}", str(ada))


def test_without_a_home_there_is_no_configuration_and_the_file_is_here(tmp_path: Path) -> None:
    env = Env({"DEEPSEEK_MANAGED_CONFIG_PATH": str(tmp_path / "none")}, None, str(tmp_path), os.geteuid())
    found = find_facts(env)
    assert found.path == "./memory.md"
    assert [file.role for file in found.files] == ["managed"]
    assert config_file(env, Era.V0_8_8) is None


@pytest.mark.parametrize("path", ["~bob/memory.md", "$HOME/memory.md", "", "sub/memory.md"])
def test_another_users_tilde_and_variables_stay_as_they_are(tmp_path: Path, ada: Path, path: str) -> None:
    configure(ada, f'memory_path = "{path}"\n')
    assert facts(tmp_path).path == path


# What CodeWhale would not start with


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[memory]\nenabled = yes\n", "line 2, column 11: invalid value"),
        ("a = 1\na = 2\n", "line 2, column 6: cannot overwrite a value"),
        ("x = [1,\n", "line 2, column 1: "),
        ('memory_path = "~/a', "line 1, column 19: "),
    ],
)
@pytest.mark.parametrize("role", ["config", "managed"])
def test_a_toml_error_has_its_line_and_column(tmp_path: Path, ada: Path, text: str, place: str, role: str) -> None:
    path = configure(ada, text) if role == "config" else tmp_path / "managed.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        facts(tmp_path)
    assert caught.value.message.startswith(f"'{path}' is not valid TOML: {place}")
    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("memory = 3\n", "'memory' in '{}' is no table"),
        ("memory_path = 3\n", "'memory_path' in '{}' must be text"),
        ("memory_path = true\n", "'memory_path' in '{}' must be text"),
        ("[memory]\nenabled = 'true'\n", "'enabled' in '{}' must be true or false"),
        ("[memory]\nenabled = 1\n", "'enabled' in '{}' must be true or false"),
        ("[memory]\nbackend = true\n", "'backend' in '{}' must be text"),
        (b"# \xff\n", "'{}' is not UTF-8"),
        ("a = 1\n".encode("utf-16"), "'{}' is not UTF-8"),
    ],
)
def test_a_configuration_of_wrong_types_is_an_error(tmp_path: Path, ada: Path, text: str | bytes, message: str) -> None:
    path = configure(ada, text)
    with pytest.raises(ConfigError) as caught:
        facts(tmp_path)
    assert caught.value.message == message.format(path) + ", so CodeWhale does not start"


def test_a_directory_in_place_of_the_configuration_is_an_error_of_it(tmp_path: Path, ada: Path) -> None:
    (ada / ".deepseek" / "config.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match="is a directory, not a file"):
        facts(tmp_path)


# The switch, set

TEXTS = [
    ("", True, None, "[memory]\nenabled = true\n"),
    ("a = 1", True, None, "a = 1\n\n[memory]\nenabled = true\n"),
    ("a = 1 # x\n", False, None, "a = 1 # x\n\n[memory]\nenabled = false\n"),
    ("[memory]\nenabled = false # why\n", True, None, "[memory]\nenabled = true # why\n"),
    ("[memory]\r\nenabled = false\r\nx = 1\r\n", True, None, "[memory]\r\nenabled = true\r\nx = 1\r\n"),
    ("memory.enabled = false\nz = 1\n[t]\n", True, None, "memory.enabled = true\nz = 1\n[t]\n"),
    ("memory = { enabled = false, x = 1 }\n", True, None, "memory = { enabled = true, x = 1 }\n"),
    ("memory = { x = 1 }\n", True, None, "memory = { x = 1, enabled = true}\n"),  # the spacing is tomlkit's
    ("[memory]\nenabled = true\n", True, None, "[memory]\nenabled = true\n"),
    (
        "[profiles.q]\n[[list]]\n[[list]]\n[profiles.p.memory] # last",
        False,
        "p",
        "[profiles.q]\n[[list]]\n[[list]]\n[profiles.p.memory] # last\nenabled = false\n",
    ),
    ("[memory]   # t\nenabled=false\n[b]\n", True, None, "[memory]   # t\nenabled=true\n[b]\n"),
    ("[profiles.p]\nm = 1\n[memory]\nenabled = false", True, "p", "[profiles.p]\nm = 1\n[memory]\nenabled = true"),
    (
        "[memory]\nenabled = false\n[profiles.p.memory]\nenabled = false\n",
        True,
        "p",
        "[memory]\nenabled = false\n[profiles.p.memory]\nenabled = true\n",
    ),
]


@pytest.mark.parametrize(("text", "enabled", "profile", "new"), TEXTS)
def test_the_switch_is_set_and_nothing_else(text: str, enabled: bool, profile: str | None, new: str) -> None:
    assert set_enabled(text, enabled, profile, "/c.toml") == new


@pytest.mark.parametrize(
    "text",
    [
        "[memory]\nmax = 3 # keep\n\n# of the next\n[next]\nx = 1\n",
        "[memory]\n",
        "[memory]",
        "[memory.sub]\nx = 1\n",
        "memory.sub = 1\n",
        "memory = {}\n",
        "[memory]\r\nx = 1\r\n",
        "[a]\n[memory]\nx = 1\n[a.b]\n",
    ],
)
def test_a_table_without_the_switch_gets_it_and_keeps_every_other_byte(text: str) -> None:
    new = set_enabled(text, True, None, "/c.toml")
    wanted: dict[str, Any] = tomllib.loads(text)
    wanted["memory"]["enabled"] = True
    assert tomllib.loads(new) == wanted
    assert only_inserted(text, new)


def only_inserted(old: str, new: str) -> bool:
    """Whether `new` is `old` with one piece put in."""
    start = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old))
    return any(new[len(new) - (len(old) - at) :] == old[at:] for at in range(start + 1))


@pytest.mark.parametrize("text", ["[memory\n", "a = 1\na = 2\n"])
def test_the_switch_of_a_broken_configuration_is_not_set(text: str) -> None:
    with pytest.raises(ConfigError, match="is not valid TOML: line "):
        set_enabled(text, True, None, "/c.toml")


ENDS = st.sampled_from(["\n", "\r\n"])
COMMENTS = st.sampled_from(["", " # why", "# a 'comment' with enabled = true", "\t"])
VALUES = st.sampled_from(["1", "-0.5", '"x # y"', "'''a\n b'''", "[1, 2, ]", "{ a = 1 }", "2026-05-03", "0xf"])


@st.composite
def configurations(draw: st.DrawFn) -> tuple[str, str | None]:
    """A configuration of many forms, and the name of a profile in it or None."""
    end = draw(ENDS)

    def lines(*keys: str) -> list[str]:
        found = []
        for key in keys:
            if draw(st.booleans()):
                found.append(f"{key}{draw(st.sampled_from(['=', ' = ', '  =  ']))}{draw(VALUES)}{draw(COMMENTS)}")
            if draw(st.booleans()):
                found.append(draw(st.sampled_from(["", "# " + key, "   "])))
        return found

    def memory(head: str) -> list[str]:
        switch = [
            f"enabled{draw(st.sampled_from(['=', ' = ']))}{draw(st.sampled_from(['true', 'false']))}{draw(COMMENTS)}"
        ]
        return [head + draw(COMMENTS), *lines("backend", "z"), *draw(st.sampled_from([[], switch])), *lines("y")]

    top = lines("model", "memory_path", '"a.b"')
    tables = [["[tui]", *lines("x", "y")], ["[[list]]", *lines("x"), "[[list]]"], ["[profiles.q]", *lines("model")]]
    form = draw(st.sampled_from(["none", "table", "inline", "dotted"]))
    if form == "table":
        tables.append(memory("[memory]"))
    elif form == "inline":
        top.append("memory = { enabled = false , x = 'enabled = false' }" + draw(COMMENTS))
    elif form == "dotted":
        top += ["memory.enabled = true" + draw(COMMENTS), *draw(st.sampled_from([[], ["memory.x = 1"]]))]
    profile = draw(st.sampled_from([None, "p"]))
    if profile:
        tables.append(memory("[profiles.p.memory]") if draw(st.booleans()) else ["[profiles.p]", *lines("x")])
    parts = [top, *draw(st.permutations(tables))]
    text = end.join(line for part in parts for line in part)
    return text.replace("\r\n", "\n").replace("\n", end) + draw(st.sampled_from(["", end])), profile


@settings(deadline=None)
@given(configurations(), st.booleans())
def test_setting_the_switch_keeps_every_other_byte(made: tuple[str, str | None], enabled: bool) -> None:
    text, profile = made
    before: dict[str, Any] = tomllib.loads(text)
    own = profile is not None and "memory" in before["profiles"][profile]
    place = before["profiles"][profile] if own else before
    was = place.get("memory", {}).get("enabled")
    place.setdefault("memory", {})["enabled"] = enabled
    new = set_enabled(text, enabled, profile, "/c.toml")
    assert tomllib.loads(new) == before
    if was is None:
        assert only_inserted(text, new)
    elif was is enabled:
        assert new == text
    else:
        said, says = str(was).lower(), str(enabled).lower()
        assert any(
            text[:at] + says + text[at + len(said) :] == new for at in range(len(text)) if text.startswith(said, at)
        )
