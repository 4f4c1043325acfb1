from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.codewhale import (
    NATIVE_FILE,
    Config,
    Era,
    Resolved,
    era_of,
    expand,
    is_truthy,
    native_file,
    resolve,
    truncation_of,
)
from memctl.core.dialects.notes import WHITESPACE
from memctl.core.prompt import Rules
from memctl.errors import ExitCode, UsageError

HOME = "/home/ada"
NOTHING = Config()
OLD, NEW = f"{HOME}/.deepseek/memory.md", f"{HOME}/.codewhale/memory.md"


def found(
    config: Config = NOTHING,
    variables: dict[str, str] | None = None,
    *existing: str,
    era: Era = Era.V0_8_8,
    home: str | None = HOME,
) -> Resolved:
    return resolve(config, variables or {}, home, existing.__contains__, era)


@pytest.mark.parametrize(
    ("release", "era", "rules"),
    [
        ("0.8.8", Era.V0_8_8, Rules.V0_8_8),
        ("v0.8.8", Era.V0_8_8, Rules.V0_8_8),
        ("0.8.16", Era.V0_8_8, Rules.V0_8_8),
        ("0.8.17", Era.V0_8_8, Rules.V0_8_17),
        ("0.8.20", Era.V0_8_8, Rules.V0_8_17),
        ("0.8.21", Era.V0_8_8, Rules.V0_8_21),
        ("0.8.47", Era.V0_8_8, Rules.V0_8_21),
        ("0.8.48", Era.V0_8_48, Rules.V0_8_21),
        ("0.9", Era.V0_8_48, Rules.V0_8_21),
        ("0.9.1", Era.V0_8_48, Rules.V0_8_21),
        ("0.9.2", Era.V0_9_10, Rules.V0_8_21),
        ("0.10.3", Era.V0_9_10, Rules.V0_8_21),
    ],
)
def test_a_release_follows_the_rules_of_the_last_that_changed_them(release: str, era: Era, rules: Rules) -> None:
    assert era_of(release) is era
    assert truncation_of(release) is rules


def test_without_a_release_a_file_is_cut_as_by_the_last_that_had_it() -> None:
    assert truncation_of(None) is Rules.V0_8_21


@pytest.mark.parametrize(
    "release", ["", "0", "0.8.7", "0.8", "0.8.8.1", "latest", "0.8.x", "0.8.²", "0.8.999999", "-1.2"]
)
def test_what_is_no_release_with_a_user_memory_is_wrong_usage(release: str) -> None:
    for ask in (era_of, truncation_of):
        with pytest.raises(UsageError) as caught:
            ask(release)
        assert caught.value.message == f"'{release}' is no release with a user memory"
        assert caught.value.hint == "such as 0.8.8, 0.8.17, 0.8.21 or 0.9.10"
        assert caught.value.exit_code == ExitCode.USAGE


PADS = st.text(f"{WHITESPACE}\x1c\u200b", max_size=2)
WORDS = st.sampled_from(["1", "on", "TRUE", "Yes", "y", "enabled", "0", "off", "ye\u017f", "yes yes", ""])


@given(st.tuples(PADS, WORDS, PADS).map("".join))
def test_only_six_words_switch_on(value: str) -> None:
    wanted = re.fullmatch(f"(?ai)[{WHITESPACE}]*(1|on|true|yes|y|enabled)[{WHITESPACE}]*", value)
    assert is_truthy(value) is (wanted is not None)


@pytest.mark.parametrize(
    ("path", "home", "expanded"),
    [
        ("~", "/h", "/h"),
        ("~/x", "/h/", "/h/x"),
        ("~//x", "/h", "/h/x"),
        ("~/X", "/X/", "/X/X"),
        ("~\\x", "/h", "/h/x"),
        ("~bob/x", "/h", "~bob/x"),
        ("$HOME/x", "/h", "$HOME/x"),
        ("x/~", "/h", "x/~"),
        ("~/x", None, "~/x"),
        ("~", "", "~"),
        ("", "/h", ""),
    ],
)
def test_only_a_tilde_alone_or_before_a_separator_is_expanded(path: str, home: str | None, expanded: str) -> None:
    assert expand(path, home) == expanded


@pytest.mark.parametrize(
    ("anchor", "file"),
    [
        (OLD, f"{HOME}/.deepseek/{NATIVE_FILE}"),
        (f"/x/{NATIVE_FILE}", f"/x/{NATIVE_FILE}"),
        (NATIVE_FILE, NATIVE_FILE),
        ("notes.md", f"./{NATIVE_FILE}"),
        ("sub/notes.md", f"sub/{NATIVE_FILE}"),
        ("/notes.md", f"/{NATIVE_FILE}"),
        ("//notes.md", f"/{NATIVE_FILE}"),
        ("/X//notes.md", f"/X/{NATIVE_FILE}"),
        ("", f"./{NATIVE_FILE}"),
        (f"/x/y{NATIVE_FILE}", f"/x/ymemory/global/{NATIVE_FILE}"),
    ],
)
def test_a_memory_path_anchors_the_tree_beside_it(anchor: str, file: str) -> None:
    assert native_file(anchor) == file


@pytest.mark.parametrize(
    ("config", "variables", "enabled", "by"),
    [
        (Config(), {}, False, "default"),
        (Config(enabled=True), {}, True, "[memory] enabled"),
        (Config(enabled=True), {"DEEPSEEK_MEMORY": ""}, False, "DEEPSEEK_MEMORY"),
        (Config(enabled=False), {"DEEPSEEK_MEMORY": " ON "}, True, "DEEPSEEK_MEMORY"),
        (Config(enabled=True), {"CODEWHALE_MEMORY": "off"}, True, "[memory] enabled"),
        (Config(backend="off", enabled=True), {}, True, "[memory] enabled"),
    ],
)
def test_a_variable_that_is_set_replaces_the_switch(
    config: Config, variables: dict[str, str], enabled: bool, by: str
) -> None:
    resolved = found(config, variables)
    assert (resolved.enabled, resolved.enabled_by, resolved.native) == (enabled, by, False)


def test_from_0_9_2_a_backend_decides_alone_and_the_tree_is_read() -> None:
    off = found(Config(backend="off"), {"DEEPSEEK_MEMORY": "on"}, era=Era.V0_9_10)
    assert (off.enabled, off.enabled_by, off.native, off.path) == (False, "[memory] backend", False, NEW)
    on = found(Config(backend="native"), {"CODEWHALE_MEMORY": "off"}, era=Era.V0_9_10)
    assert (on.enabled, on.native, on.path) == (True, True, f"{HOME}/.codewhale/{NATIVE_FILE}")


def test_from_0_9_2_the_newer_names_come_first_even_when_empty() -> None:
    variables = {
        "CODEWHALE_MEMORY": "",
        "DEEPSEEK_MEMORY": "on",
        "CODEWHALE_MEMORY_PATH": "",
        "DEEPSEEK_MEMORY_PATH": "/x",
    }
    resolved = found(Config(enabled=True), variables, era=Era.V0_9_10)
    assert (resolved.enabled, resolved.enabled_by) == (False, "CODEWHALE_MEMORY")
    assert (resolved.path, resolved.path_by) == ("", "CODEWHALE_MEMORY_PATH")


@pytest.mark.parametrize(
    ("config", "variables", "path", "by"),
    [
        (Config(), {}, OLD, "default"),
        (Config(memory_path="~/notes.md"), {}, f"{HOME}/notes.md", "memory_path"),
        (Config(memory_path="notes.md"), {}, "notes.md", "memory_path"),
        (Config(memory_path="/a"), {"DEEPSEEK_MEMORY_PATH": "~/b"}, f"{HOME}/b", "DEEPSEEK_MEMORY_PATH"),
        (Config(memory_path="/a"), {"DEEPSEEK_MEMORY_PATH": ""}, "", "DEEPSEEK_MEMORY_PATH"),
        (Config(memory_path=""), {}, "", "memory_path"),
    ],
)
def test_the_path_is_that_of_the_variable_then_of_the_configuration(
    config: Config, variables: dict[str, str], path: str, by: str
) -> None:
    resolved = found(config, variables)
    assert (resolved.path, resolved.path_by) == (path, by)


@pytest.mark.parametrize(
    ("era", "existing", "path"),
    [
        (Era.V0_8_8, (NEW,), OLD),
        (Era.V0_8_48, (), NEW),
        (Era.V0_8_48, (OLD,), OLD),
        (Era.V0_8_48, (OLD, NEW), NEW),
        (Era.V0_9_10, (OLD,), OLD),
    ],
)
def test_later_releases_take_the_older_file_only_where_it_alone_exists(
    era: Era, existing: tuple[str, ...], path: str
) -> None:
    assert found(Config(), {}, *existing, era=era).path == path


@pytest.mark.parametrize(
    ("own", "path"),
    [("/srv/X//", "/srv/X/memory.md"), ("~/cw", f"{HOME}/cw/memory.md"), ("cw", "./memory.md"), (" ", OLD)],
)
def test_codewhale_home_takes_the_place_of_both_defaults(own: str, path: str) -> None:
    assert found(Config(), {"CODEWHALE_HOME": own}, OLD, era=Era.V0_9_10).path == path
    assert found(Config(), {"CODEWHALE_HOME": own}, OLD, era=Era.V0_8_48).path == OLD


@pytest.mark.parametrize("home", ["/X", "/X/", "/X//"])
def test_a_home_may_end_with_a_slash(home: str) -> None:
    assert found(home=home).path == "/X/.deepseek/memory.md"


@pytest.mark.parametrize("era", Era)
def test_without_a_home_the_file_is_in_the_working_directory(era: Era) -> None:
    assert found(home=None, era=era).path == "./memory.md"
