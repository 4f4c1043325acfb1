from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st
from tomlkit.exceptions import TOMLKitError

from memctl.core.env import Env
from memctl.disk.settings import Settings, config_path, expand_path, load_settings
from memctl.disk.settings_edit import edit_config, parse_value, setting_place
from memctl.disk.settings_table import HQ_SETTINGS, SETTINGS, Setting, accepts, check_config, from_text, hq_key
from memctl.errors import ConfigError, ExitCode, MemctlError, SeveralErrors, UsageError

Load = Callable[..., Settings]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / ".config" / "memctl" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def load(tmp_path: Path, config: Path) -> Load:
    """Load with a config text, variables and flags; the home and the working directory are tmp_path."""

    def loaded(
        text: str | bytes | None = None, flags: Mapping[str, object] | None = None, **variables: str
    ) -> Settings:
        if text is not None:
            config.write_bytes(text.encode() if isinstance(text, str) else text)
        return load_settings(Env(vars=variables, home=str(tmp_path), cwd=str(tmp_path), uid=0), flags)

    return loaded


def test_the_table_has_each_key_and_variable_once() -> None:
    assert [setting.key for setting in SETTINGS] == [
        *("roots", "user_memory", "agent", "color", "pager", "editor", "jobs", "history_days", "history_mb", "wait")
    ]
    assert len({setting.variable for setting in SETTINGS}) == len(SETTINGS)
    assert all(str(setting.variable).startswith("MEMCTL_") for setting in SETTINGS)
    assert all(setting.sentence and not setting.sentence.endswith(".") for setting in (*SETTINGS, *HQ_SETTINGS))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_a_default_is_none_or_a_value_that_the_setting_accepts(setting: Setting) -> None:
    assert setting.default is None or accepts(setting, setting.default)


# Where the file is


@pytest.mark.parametrize(
    ("variables", "home", "path"),
    [
        ({}, "/h", "/h/.config/memctl/config.toml"),
        ({}, None, None),
        ({"XDG_CONFIG_HOME": "/x"}, "/h", "/x/memctl/config.toml"),
        ({"XDG_CONFIG_HOME": "/x"}, None, "/x/memctl/config.toml"),
        ({"XDG_CONFIG_HOME": "x"}, "/h", "/h/.config/memctl/config.toml"),
        ({"XDG_CONFIG_HOME": "x"}, None, None),
        ({"XDG_CONFIG_HOME": ""}, "/h", "/h/.config/memctl/config.toml"),
        ({"MEMCTL_CONFIG": "/a/b.toml", "XDG_CONFIG_HOME": "/x"}, "/h", "/a/b.toml"),
        ({"MEMCTL_CONFIG": "b.toml"}, None, "/w/b.toml"),
        ({"MEMCTL_CONFIG": "~/b.toml"}, "/h", "/h/b.toml"),
        ({"MEMCTL_CONFIG": ""}, "/h", "/h/.config/memctl/config.toml"),
    ],
)
def test_config_path(variables: dict[str, str], home: str | None, path: str | None) -> None:
    assert config_path(Env(vars=variables, home=home, cwd="/w", uid=0)) == path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("~", "/h"),
        ("~/x", "/h/x"),
        ("~x", "/b/~x"),
        ("x", "/b/x"),
        ("./x/", "/b/x"),
        (".", "/b"),
        ("/x//y/.", "/x/y"),
        ("../x", "/b/../x"),
    ],
)
def test_expand_path(text: str, path: str) -> None:
    assert expand_path(text, "/b", "/h") == path


def test_a_tilde_without_a_home_is_a_config_error() -> None:
    with pytest.raises(ConfigError) as caught:
        expand_path("~/x", "/b", None)
    assert caught.value.message == "'~/x' needs a home directory, and there is none"


# Precedence


def test_without_a_file_every_value_is_the_default(load: Load) -> None:
    settings = load()
    assert settings.all() == tuple((setting.key, (setting.default, "default")) for setting in SETTINGS)
    assert settings.hq("/data") is None


def test_without_a_home_every_value_is_the_default(tmp_path: Path) -> None:
    settings = load_settings(Env(vars={}, home=None, cwd=str(tmp_path), uid=0))
    assert settings.value("wait") == 10


def test_flag_wins_over_variable_over_file_over_default(load: Load, config: Path) -> None:
    text = "jobs = 2\nwait = 3\nagent = 'a'\n"
    settings = load(text, {"jobs": 9}, MEMCTL_JOBS="8", MEMCTL_WAIT="7.5")
    shown = {key: tuple(value) for key, value in settings.all()}
    assert shown["jobs"] == (9, "flag")
    assert shown["wait"] == (7.5, "MEMCTL_WAIT")
    assert shown["agent"] == ("a", str(config))
    assert shown["color"] == ("auto", "default")
    assert (settings.value("jobs"), settings.origin("jobs")) == (9, "flag")


@pytest.mark.parametrize(
    ("key", "variable", "text", "value"),
    [
        ("agent", "MEMCTL_AGENT", "billing-bot", "billing-bot"),
        ("color", "MEMCTL_COLOR", "never", "never"),
        ("pager", "MEMCTL_PAGER", "more", "more"),
        ("editor", "MEMCTL_EDITOR", "vim -n", "vim -n"),
        ("jobs", "MEMCTL_JOBS", "4", 4),
        ("wait", "MEMCTL_WAIT", "0", 0),
    ],
)
def test_each_variable_gives_its_setting(load: Load, key: str, variable: str, text: str, value: object) -> None:
    settings = load(None, None, **{variable: text})
    assert (settings.value(key), settings.origin(key)) == (value, variable)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_an_empty_variable_counts_as_unset(load: Load, setting: Setting) -> None:
    assert load(None, None, **{str(setting.variable): ""}).origin(setting.key) == "default"


@pytest.mark.parametrize("flag", [None, (), []])
def test_a_flag_that_is_none_or_empty_was_not_given(load: Load, flag: object) -> None:
    assert load("roots = ['/a']\n", {"roots": flag}).value("roots") == ("/a",)


def test_an_empty_pager_in_the_file_is_no_pager(load: Load) -> None:
    assert load("pager = ''\n").value("pager") == ""


def test_paths_in_the_file_are_relative_to_its_directory(load: Load, tmp_path: Path, config: Path) -> None:
    settings = load("roots = ['a', '~', '~/b', '/c']\nuser_memory = 'm.md'\n")
    home = str(tmp_path)
    assert settings.value("roots") == (f"{config.parent}/a", home, f"{home}/b", "/c")
    assert settings.value("user_memory") == f"{config.parent}/m.md"


def test_paths_in_variables_and_flags_are_relative_to_the_working_directory(load: Load, tmp_path: Path) -> None:
    settings = load(None, {"user_memory": "m.md"}, MEMCTL_ROOT=os.pathsep.join(["a", "", "~/b"]))
    assert settings.value("roots") == (f"{tmp_path}/a", f"{tmp_path}/b")
    assert settings.value("user_memory") == f"{tmp_path}/m.md"


def test_flags_may_repeat_a_path(load: Load, tmp_path: Path) -> None:
    assert load(None, {"roots": ["a", "/b"]}).value("roots") == (f"{tmp_path}/a", "/b")


def test_the_file_is_opened_once(load: Load, monkeypatch: pytest.MonkeyPatch, config: Path) -> None:
    real, opened = os.open, []

    def counting(path: str, flags: int) -> int:
        opened.append(path)
        return real(path, flags)

    monkeypatch.setattr(os, "open", counting)
    settings = load()
    settings.all()
    settings.hq("/data")
    assert opened == [str(config)]


# The HQs


def test_hq_tables_are_found_by_expanded_and_normalised_path(load: Load, tmp_path: Path, config: Path) -> None:
    settings = load(
        '[hq."~/gateway/"]\nurl = "http://127.0.0.1:9300"\ntoken_file = "token"\n'
        '[hq."/x/../y"]\ntoken_file = "~/t"\n[hq."rel"]\n'
    )
    assert settings.hq(f"{tmp_path}/gateway") == ("http://127.0.0.1:9300", f"{config.parent}/token")
    assert settings.hq("gateway") == settings.hq("~/gateway") == settings.hq(f"{tmp_path}//gateway/")
    assert settings.hq("/y") == (None, f"{tmp_path}/t")
    assert settings.hq(f"{config.parent}/rel") == (None, None)
    assert settings.hq("/z") is None


def test_all_has_the_hq_fields_that_the_file_has_behind_the_table(load: Load, config: Path) -> None:
    settings = load('[hq."/b"]\ntoken_file = "/t"\nurl = "https://h"\n[hq.\'/a"\']\nurl = "http://a"\n')
    assert settings.all()[len(SETTINGS) :] == (
        ('hq."/b".url', ("https://h", str(config))),
        ('hq."/b".token_file', ("/t", str(config))),
        (r'hq."/a\"".url', ("http://a", str(config))),
    )
    assert settings.value('hq."/b".url') == "https://h"
    assert settings.origin('hq."/b".url') == str(config)


def test_of_two_tables_for_one_data_folder_the_later_field_wins(load: Load) -> None:
    settings = load('[hq."/a"]\nurl = "http://one"\ntoken_file = "/t"\n[hq."/a/"]\nurl = "http://two"\n')
    assert settings.hq("/a") == ("http://two", "/t")


@pytest.mark.parametrize(
    "key", ["hq./x.url", 'hq."/x".url', "hq.'/x'.url"], ids=["without quotes", "double quotes", "single quotes"]
)
def test_the_place_of_an_hq_key_is_found_in_any_quotes(key: str) -> None:
    assert setting_place(key) == ("hq", "/x", "url")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_the_dotted_key_of_a_folder_leads_back_to_the_folder(folder: str) -> None:
    assert setting_place(hq_key(folder, "url")) == ("hq", folder, "url")


# What is wrong


def raised(load: Load, text: str | bytes | None = None, **variables: str) -> MemctlError:
    with pytest.raises(ConfigError) as caught:
        load(text, None, **variables)
    assert caught.value.exit_code == ExitCode.CONFIG
    return caught.value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("color = 'blue'", "'color' in 'PATH' must be 'auto' or 'always' or 'never', not 'blue'"),
        ("color = true", "'color' in 'PATH' must be 'auto' or 'always' or 'never', not true"),
        ("jobs = 0", "'jobs' in 'PATH' must be a whole number of at least 1, not 0"),
        ("jobs = true", "'jobs' in 'PATH' must be a whole number of at least 1, not true"),
        ("jobs = 1.5", "'jobs' in 'PATH' must be a whole number of at least 1, not 1.5"),
        (f"jobs = 1{'0' * 400}", "'jobs' in 'PATH' must be a whole number of at least 1, not a number of that size"),
        ("wait = -1", "'wait' in 'PATH' must be a number of at least 0, not -1"),
        ("wait = inf", "'wait' in 'PATH' must be a number of at least 0, not inf"),
        ("wait = nan", "'wait' in 'PATH' must be a number of at least 0, not nan"),
        ("wait = '5'", "'wait' in 'PATH' must be a number of at least 0, not '5'"),
        ("agent = 5", "'agent' in 'PATH' must be a text, not 5"),
        ("agent = 1979-05-27", "'agent' in 'PATH' must be a text, not a date or time"),
        ("[pager]", "'pager' in 'PATH' must be a text, not a table"),
        ("roots = '/a'", "'roots' in 'PATH' must be a list of paths, not '/a'"),
        ("roots = [1]", "'roots' in 'PATH' must be a list of paths, not such a list"),
        ("roots = ['']", "'roots' in 'PATH' must be a list of paths, not such a list"),
        ("user_memory = ''", "'user_memory' in 'PATH' must be a path, not ''"),
        ("hq = 3", "'hq' in 'PATH' must be a table"),
        ("[hq]\nurl = 'http://x'", "'hq.\"url\"' in 'PATH' must be a table that is named after a data folder"),
        ("[hq.'']", "'hq.\"\"' in 'PATH' must be a table that is named after a data folder"),
        (
            "[hq.'/d']\nurl = 'ftp://x'",
            "'hq.\"/d\".url' in 'PATH' must be a URL that begins with http:// or https://, not 'ftp://x'",
        ),
        (
            "[hq.'/d']\nurl = 'http://'",
            "'hq.\"/d\".url' in 'PATH' must be a URL that begins with http:// or https://, not 'http://'",
        ),
        ("[hq.'/d']\ntoken_file = []", "'hq.\"/d\".token_file' in 'PATH' must be a path, not such a list"),
        ("\nwait = 1\ncolor 5\n", "'PATH' is not valid TOML: line 3, column 7: expected '=' after a key in a key/value pair"),
        ("wait = 1\nroots = [", "'PATH' is not valid TOML: line 2, column 10: invalid value"),
        ("wait = 1\nwait = 2\n", "'PATH' is not valid TOML: line 2, column 9: cannot overwrite a value"),
    ],
)  # fmt: skip
def test_a_wrong_file_names_key_rule_and_path(load: Load, config: Path, text: str, message: str) -> None:
    error = raised(load, text)
    assert error.message == message.replace("PATH", str(config))
    assert error.path == str(config)


def test_bytes_that_are_not_utf8_have_a_line_and_a_column(load: Load, config: Path) -> None:
    error = raised(load, b"wait = 1\nagent = '\xc3\xa4\xff'\n")
    assert error.message == f"'{config}' is not valid TOML: line 2, column 11: not UTF-8"


@pytest.mark.parametrize("text", ["jobs = " + "1" * 5000, "roots = " + "[" * 5000])
def test_what_the_parser_gives_up_on_is_a_config_error(load: Load, config: Path, text: str) -> None:
    assert raised(load, text).message.startswith(f"'{config}' is not valid TOML: ")


@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        ("colour = 'auto'", "colour", "did you mean 'color'?"),
        ("root = []", "root", "did you mean 'roots'?"),
        ("user-memory = 'x'", "user-memory", "did you mean 'user_memory'?"),
        ("[qh.x]", "qh", "did you mean 'hq'?"),
        ("something = 1", "something", "memctl config show lists the settings"),
        ("[hq.'/d']\nwait = 1", 'hq."/d".wait', "put 'wait' above the first table"),
        ("[hq.'/d']\nuri = 'x'", 'hq."/d".uri', "did you mean 'url'?"),
    ],
)
def test_an_unknown_key_names_the_nearest(load: Load, config: Path, text: str, key: str, hint: str) -> None:
    error = raised(load, text)
    assert (error.message, error.hint) == (f"unknown setting '{key}' in '{config}'", hint)


def test_a_wrong_choice_names_the_nearest(load: Load) -> None:
    assert raised(load, "color = 'alway'").hint == "did you mean 'always'?"


def test_several_problems_are_all_reported(load: Load) -> None:
    with pytest.raises(SeveralErrors) as caught:
        load("jobs = 0\ncolour = 1\n")
    assert [error.hint for error in caught.value.errors] == [None, "did you mean 'color'?"]
    assert caught.value.exit_code == ExitCode.CONFIG


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("MEMCTL_JOBS", "x", "'jobs' in 'MEMCTL_JOBS' must be a whole number of at least 1, not 'x'"),
        ("MEMCTL_JOBS", "1_0", "'jobs' in 'MEMCTL_JOBS' must be a whole number of at least 1, not '1_0'"),
        ("MEMCTL_JOBS", "9" * 5000, f"'jobs' in 'MEMCTL_JOBS' must be a whole number of at least 1, not '{'9' * 5000}'"),
        ("MEMCTL_WAIT", "nan", "'wait' in 'MEMCTL_WAIT' must be a number of at least 0, not 'nan'"),
        ("MEMCTL_COLOR", "yes", "'color' in 'MEMCTL_COLOR' must be 'auto' or 'always' or 'never', not 'yes'"),
    ],
)  # fmt: skip
def test_a_wrong_variable_is_named(load: Load, variable: str, text: str, message: str) -> None:
    assert raised(load, None, **{variable: text}).message == message


def test_a_wrong_variable_does_not_matter_where_a_flag_is_given(load: Load) -> None:
    assert load(None, {"jobs": 2}, MEMCTL_JOBS="x").value("jobs") == 2


def test_a_wrong_flag_is_wrong_usage(load: Load) -> None:
    with pytest.raises(UsageError) as caught:
        load(None, {"jobs": 0})
    assert caught.value.message == "'jobs' must be a whole number of at least 1, not 0"


def test_asking_for_an_unknown_key_names_the_nearest(load: Load) -> None:
    with pytest.raises(ConfigError) as caught:
        load().value("agnet")
    assert (caught.value.message, caught.value.hint) == ("unknown setting 'agnet'", "did you mean 'agent'?")


# What cannot be read


def test_a_directory_in_place_of_the_file_is_a_config_error(load: Load, config: Path) -> None:
    config.mkdir()
    assert raised(load).message == f"cannot read '{config}': not a regular file"


def test_a_fifo_in_place_of_the_file_does_not_hang(load: Load, config: Path) -> None:
    os.mkfifo(config)
    assert raised(load).message == f"cannot read '{config}': not a regular file"


def test_a_symlink_to_itself_is_a_config_error(load: Load, config: Path) -> None:
    config.symlink_to(config)
    error = raised(load)
    assert error.message.startswith(f"cannot read '{config}': ")
    assert error.path == str(config)


def test_a_file_that_fails_while_it_is_read_is_a_config_error(
    load: Load, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_descriptor: int, _size: int) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", failing)
    assert raised(load, "wait = 1").message == f"cannot read '{config}': input/output error"


def test_a_symlink_to_a_file_is_read(load: Load, config: Path, tmp_path: Path) -> None:
    (tmp_path / "dotfile").write_text("wait = 4\n")
    config.symlink_to(tmp_path / "dotfile")
    assert load().value("wait") == 4


@pytest.mark.parametrize("path", ["none.toml", "a-file/config.toml", os.devnull])
def test_a_missing_file_means_no_settings(load: Load, tmp_path: Path, path: str) -> None:
    (tmp_path / "a-file").touch()
    assert load("wait = 4\n", None, MEMCTL_CONFIG=path).value("wait") == 10


# The words of `config set`


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("roots", "", []),
        ("roots", os.pathsep.join(["/a", "~/b"]), ["/a", "~/b"]),
        ("user_memory", "~/m.md", "~/m.md"),
        ("agent", "", ""),
        ("pager", "", ""),
        ("color", "always", "always"),
        ("jobs", "+4", 4),
        ("wait", "2", 2),
        ("wait", "2.5", 2.5),
        ("wait", ".5", 0.5),
        ("check.ignore", "N004, F,", ["N004", "F"]),
        ("check.near", "0.5", 0.5),
        ("check.inline_allow", "off", False),
        ("check.fail_on", "never", "never"),
        ('hq."/d".url', "HTTPS://host:9300/x", "HTTPS://host:9300/x"),
        ("hq./d.token_file", "~/t", "~/t"),
    ],
)
def test_parse_value(key: str, text: str, value: object) -> None:
    found = parse_value(key, text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("roots", os.pathsep.join(["a", "~/b", "~", "/c"]), ["/w/a", "~/b", "~", "/c"]),
        ("user_memory", "m.md", "/w/m.md"),
        ("agent", "a", "a"),
        ("jobs", "3", 3),
        ("check.ignore", "N004,F", ["N004", "F"]),
        ("hq./d.token_file", "t", "/w/t"),
    ],
)
def test_parse_value_with_a_working_directory_makes_paths_absolute(key: str, text: str, value: object) -> None:
    assert parse_value(key, text, cwd="/w") == value


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("jobs", "", "'jobs' must be a whole number of at least 1, not ''"),
        ("jobs", "0", "'jobs' must be a whole number of at least 1, not '0'"),
        ("jobs", "2.0", "'jobs' must be a whole number of at least 1, not '2.0'"),
        ("jobs", "\N{ARABIC-INDIC DIGIT THREE}", "'jobs' must be a whole number of at least 1, not '٣'"),
        ("wait", "-0.1", "'wait' must be a number of at least 0, not '-0.1'"),
        ("wait", "1e3", "'wait' must be a number of at least 0, not '1e3'"),
        ("color", "Auto", "'color' must be 'auto' or 'always' or 'never', not 'Auto'"),
        ("user_memory", "", "'user_memory' must be a path, not ''"),
        ("check.near", "2", "'check.near' must be a number from 0 to 1, not '2'"),
        ("check.stale_days", "0", "'check.stale_days' must be a whole number of at least 1, not '0'"),
        ("hq./d.url", "host", "'hq./d.url' must be a URL that begins with http:// or https://, not 'host'"),
    ],
)
def test_parse_value_refuses_a_wrong_value_as_wrong_usage(key: str, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_value(key, text)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("colour", "did you mean 'color'?"),
        ("nothing-like-it", "memctl config show lists the settings"),
        ("hq", 'hq."DIR".url and hq."DIR".token_file are known'),
        ("hp./d.url", "memctl config show lists the settings"),
        ("hq./d.token", "did you mean 'token_file'?"),
        ("hq.url", 'hq."DIR".url and hq."DIR".token_file are known'),
        ("check.selct", "did you mean 'select'?"),
        ("chek.select", "did you mean 'check.select'?"),
        ('hq."".url', 'hq."DIR".url and hq."DIR".token_file are known'),
        (r'hq."\q".url', 'hq."DIR".url and hq."DIR".token_file are known'),
    ],
)
def test_parse_value_refuses_an_unknown_key(key: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_value(key, "x")
    assert (caught.value.message, caught.value.hint) == (f"unknown setting '{key}'", hint)


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("ON", True), ("yes", True), ("false", False), ("off", False), ("No", False)],
)
def test_a_flag_has_words(text: str, value: bool) -> None:
    assert from_text(Setting("x", "flag", False, None, (), "x"), text) is value


@pytest.mark.parametrize("text", ["", "1", "maybe"])
def test_other_words_are_no_flag(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{text}$"):
        from_text(Setting("x", "flag", False, None, (), "x"), text)


def test_without_a_minimum_a_number_may_be_negative() -> None:
    assert from_text(Setting("x", "number", 0, None, (), "x"), "-3") == -3


# The text of the file


@pytest.mark.parametrize(
    ("before", "key", "value", "after"),
    [
        ("", "wait", 5, "wait = 5\n"),
        ("", "roots", ["/a", "b"], 'roots = ["/a", "b"]\n'),
        ("", "roots", ("/a",), 'roots = ["/a"]\n'),
        ("", "roots", [], "roots = []\n"),
        ("", "agent", 'a"\\\n\x7f', 'agent = "a\\"\\\\\\n\\u007f"\n'),
        ("wait = 1 # why\njobs = 2\n", "wait", 5, "wait = 5 # why\njobs = 2\n"),
        ("wait=1\n", "wait", 5, "wait=5\n"),
        ("wait = 1", "wait", 5, "wait = 5"),
        ("wait = 1", "jobs", 2, "wait = 1\njobs = 2\n"),
        ("# only a comment", "jobs", 2, "# only a comment\njobs = 2\n"),
        ("wait = 1\r\njobs = 2\r\n", "agent", "a", 'wait = 1\r\njobs = 2\r\nagent = "a"\r\n'),
        ("wait = 1 # x\r\n", "wait", 2, "wait = 2 # x\r\n"),
        ("  wait = 1\n", "jobs", 2, "  wait = 1\n  jobs = 2\n"),
        # A new key goes before the first table, and not between that table and its comment.
        ('[hq."/d"]\n', "jobs", 2, 'jobs = 2\n\n[hq."/d"]\n'),
        ('# d\n[hq."/d"]\n', "jobs", 2, 'jobs = 2\n\n# d\n[hq."/d"]\n'),
        ('# mine\n\n# d\n[hq."/d"]\n', "jobs", 2, '# mine\n\njobs = 2\n\n# d\n[hq."/d"]\n'),
        ('wait = 1\n\n# d\n[hq."/d"]\n', "jobs", 2, 'wait = 1\njobs = 2\n\n# d\n[hq."/d"]\n'),
        ('wait = 1\r\n\r\n[hq."/d"]\r\n', "jobs", 2, 'wait = 1\r\njobs = 2\r\n\r\n[hq."/d"]\r\n'),
        # The tables of the HQs.
        ("", 'hq."/d".url', "http://x", '[hq."/d"]\nurl = "http://x"\n'),
        ("wait = 1", "hq./d.url", "http://x", 'wait = 1\n\n[hq."/d"]\nurl = "http://x"\n'),
        ("wait = 1\r\n", "hq./d.url", "http://x", 'wait = 1\r\n\r\n[hq."/d"]\r\nurl = "http://x"\r\n'),
        ('[hq."/c"]\n# c\n', "hq./d.url", "http://x", '[hq."/c"]\n# c\n\n[hq."/d"]\nurl = "http://x"\n'),
        ("", r'hq."/a\"b".url', "http://x", '[hq."/a\\"b"]\nurl = "http://x"\n'),
        ("[hq.'/d'] # d\nurl = 'http://x' # u\n", "hq./d.url", "http://y", "[hq.'/d'] # d\nurl = \"http://y\" # u\n"),
        ('[hq."/d/"]\nurl = "http://x"\n', "hq./d.url", "http://y", '[hq."/d/"]\nurl = "http://y"\n'),
        (
            '[hq."/c"]\n  url = "http://c"\n\n# about d\n[hq."/d"]\nurl = "http://d"\n',
            "hq./c.token_file",
            "/t",
            '[hq."/c"]\n  url = "http://c"\n  token_file = "/t"\n\n# about d\n[hq."/d"]\nurl = "http://d"\n',
        ),
        ('[hq."/c"]\n[hq."/d"]\n', "hq./c.token_file", "/t", '[hq."/c"]\ntoken_file = "/t"\n[hq."/d"]\n'),
        ("hq = {'/d' = {url = 'http://x'}}\n", "hq./d.url", "http://y", "hq = {'/d' = {url = \"http://y\"}}\n"),
        ("[hq]\n'/d' = {url = 'http://x'}\n", "hq./c.url", "http://y", "[hq]\n'/d' = {url = 'http://x'}\n\n[hq.\"/c\"]\nurl = \"http://y\"\n"),
        ("hq.'/d'.url = 'http://x'\n", "hq./d.url", "http://y", "hq.'/d'.url = \"http://y\"\n"),
    ],
)  # fmt: skip
def test_edit_config_changes_that_one_value(before: str, key: str, value: object, after: str) -> None:
    assert edit_config(before, key, value) == after


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("wait   =   5 # x", "wait", 5),
        ("roots = [ '/a' ,\n '/b' ]\n", "roots", ["/a", "/b"]),
        ("agent = '''a'''\n", "agent", "a"),
        ("[hq.'/d/']\nurl = 'http://x'\n", "hq./d.url", "http://x"),
        ("colour = 1\nwait = 5\n", "wait", 5),
    ],
)
def test_a_value_that_is_there_already_leaves_the_text(text: str, key: str, value: object) -> None:
    assert edit_config(text, key, value) == text


def test_a_whole_number_replaces_an_equal_fraction() -> None:
    assert edit_config("wait = 5.0\n", "wait", 5) == "wait = 5\n"


@pytest.mark.parametrize(
    ("text", "key", "value", "message"),
    [
        ("wait = \n", "jobs", 2, "the config file is not valid TOML: line 1, column 8: invalid value"),
        ("", "colour", "x", "unknown setting 'colour'"),
        ("colour = 1\n", "jobs", 2, "unknown setting 'colour' in the config file"),
        ("", "jobs", 0, "'jobs' in the config file must be a whole number of at least 1, not 0"),
        ("hq = 3\n", "hq./d.url", "http://x", "'hq' in the config file must be a table"),
        ("hq = {}\n", "hq./d.url", "http://x", "cannot set 'hq./d.url' without touching other settings"),
    ],
)
def test_edit_config_refuses(text: str, key: str, value: object, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        edit_config(text, key, value)
    assert caught.value.message == message


def test_a_wrong_value_in_the_file_can_be_set_right() -> None:
    assert edit_config("jobs = 'x'\n", "jobs", 2) == "jobs = 2\n"


@pytest.mark.parametrize(("key", "value"), [("agent", "a\udcff"), ("roots", ["/a", "\udcff"])])
def test_what_is_not_utf8_cannot_be_set(key: str, value: object) -> None:
    with pytest.raises(UsageError):
        edit_config("", key, value)


@pytest.mark.parametrize("text", ["wait = 5\n", "wait  =  1\n"])
def test_a_text_that_tomlkit_does_not_give_back_is_not_edited(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    document = tomlkit.parse("wait = 1\n")
    monkeypatch.setattr(tomlkit, "parse", lambda _text: document)
    with pytest.raises(ConfigError) as caught:
        edit_config(text, "jobs", 2)
    assert caught.value.message == "cannot set 'jobs' without touching other settings"
    assert caught.value.hint == "edit the config file by hand"


def test_a_text_that_only_tomlkit_does_not_parse_is_not_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_text: str) -> None:
        raise TOMLKitError

    monkeypatch.setattr(tomlkit, "parse", failing)
    with pytest.raises(ConfigError) as caught:
        edit_config("wait = 1\n", "jobs", 2)
    assert caught.value.message == "cannot set 'jobs' without touching other settings"


VALUES = {
    "roots": st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)),
    "user_memory": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
    "agent": st.text(st.characters(exclude_categories=["Cs"])),
    "color": st.sampled_from(["auto", "always", "never"]),
    "pager": st.text(st.characters(exclude_categories=["Cs"])),
    "jobs": st.integers(1, 2**53),
    "wait": st.integers(0, 2**53) | st.floats(0, 2**53),
}
LINES = {
    "roots": ["roots = []", "roots=['/a', \"b\"]  # two", "roots = [ # one\n  '/a', # two\n]"],
    "user_memory": ["user_memory = '~/m.md'"],
    "agent": ["agent = '''\nx\n'''", '"agent" = "ä" # who'],
    "color": ["color = 'auto'", "\tcolor\t=\t'never'\t# no"],
    "pager": ["pager = ''"],
    "jobs": ["jobs = 0x10", "jobs = 1_000 #"],
    "wait": ["wait = 1e3", "wait = 0.10 # s"],
}
BETWEEN = ["", "# a comment", "   ", "  # color = 'never'", "#"]
FOLDERS = ["/a", "~/b", 'c"d']


@st.composite
def configs(draw: st.DrawFn) -> tuple[list[str], str]:
    """Draw the logical lines of a config file (a value of several lines is one), and its line end."""
    between = st.lists(st.sampled_from(BETWEEN), max_size=3)
    lines = draw(between)
    for key in draw(st.lists(st.sampled_from(sorted(LINES)), unique=True)):
        lines += [draw(st.sampled_from(LINES[key])), *draw(between)]
    for folder in draw(st.lists(st.sampled_from(FOLDERS), unique=True)):
        lines += [f"[{hq_key(folder)}] # {folder}", *draw(between)]
        fields = {"url": "url = 'http://x' # u", "token_file": "  token_file='t'"}
        for name in draw(st.lists(st.sampled_from(sorted(fields)), unique=True)):
            lines += [fields[name], *draw(between)]
    eol = draw(st.sampled_from(["\n", "\r\n"]))
    return [line.replace("\n", eol) for line in lines], eol


@given(configs(), st.booleans(), st.data())
def test_setting_one_key_keeps_every_other_line_to_the_byte(
    config: tuple[list[str], str], closed: bool, data: st.DataObject
) -> None:
    lines, eol = config
    before = eol.join(lines) + (eol if closed and lines else "")
    eol = eol if eol in before else "\n"
    folder, name = data.draw(st.sampled_from([*FOLDERS, "/new"])), data.draw(st.sampled_from(["url", "token_file"]))
    key = data.draw(st.sampled_from([*VALUES, hq_key(folder, name)]))
    value = data.draw(VALUES[key]) if key in VALUES else data.draw(st.sampled_from(["http://x", "https://y/"]))

    after = edit_config(before, key, value)

    old, new = tomllib.loads(before), tomllib.loads(after)
    if key in VALUES:
        assert new == {**old, key: value}
    else:
        assert new["hq"][folder] == {**old.get("hq", {}).get(folder, {}), name: value}
    assert check_config(new, "x") == []
    assert edit_config(after, key, value) == after
    was, now = physical(before, eol), physical(after, eol)
    same = 0
    while was[same : same + 1] == now[same : same + 1] != []:
        same += 1
    while was and now and was[same:] and now[same:] and was[-1] == now[-1]:
        was.pop()
        now.pop()
    there = key in old if key in VALUES else name in old.get("hq", {}).get(folder, {})
    # Of the old lines, only those of a value that was there went: three at most.
    assert len(was[same:]) <= (3 if there else 0)
    assert all(other not in "".join(was[same:]) for other in {*VALUES, "url", "token_file"} - {key, name})
    assert [line for line in now[same:] if line and not line.startswith("[hq.")][1:] == []


def physical(text: str, eol: str) -> list[str]:
    return text.removesuffix(eol).split(eol) if text else []


def test_importing_the_module_imports_nothing_heavy() -> None:
    code = (
        "import sys, memctl.disk.settings, memctl.disk.settings_edit\n"
        "print([name for name in ('tomllib', 'tomlkit', 'rapidfuzz', 'json') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_without_a_file_nothing_heavy_is_imported(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from memctl.core.env import Env\n"
        "from memctl.disk.settings import load_settings\n"
        f"settings = load_settings(Env({{}}, {str(tmp_path)!r}, {str(tmp_path)!r}, 0), {{'jobs': 2}})\n"
        "settings.value('jobs'), settings.hq('/d'), settings.all()\n"
        "print([name for name in ('tomllib', 'tomlkit', 'rapidfuzz', 'json') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


# The table of `check`


def test_the_settings_of_check_are_as_the_file_has_them(load: Load, config: Path) -> None:
    text = '[check]\nselect = ["N"]\n[check.severities]\n"bad-type" = "info"\n[check.per_path_ignores]\n"a/*" = ["N"]\n'
    settings, path = load(text), str(config)
    assert dict(settings.check) == {
        "select": ["N"],
        "severities": {"bad-type": "info"},
        "per_path_ignores": {"a/*": ["N"]},
    }
    assert settings.all()[len(SETTINGS) :] == (
        ("check.select", (["N"], path)),
        ("check.severities.bad-type", ("info", path)),
        ('check.per_path_ignores."a/*"', (["N"], path)),
    )


def test_what_the_file_does_not_say_of_check_has_its_default() -> None:
    settings = load_settings(Env({}, None, "/", 0))
    assert (settings.value("check.near"), settings.origin("check.near")) == (0.9, "default")
    with pytest.raises(ConfigError, match=r"unknown setting 'check\.neer'"):
        settings.value("check.neer")


@pytest.mark.parametrize("text", ["", "color = 'never'\n", "[check]\nnear = 1\n", "[hq.'/d']\nurl = 'http://x'\n"])
def test_a_setting_of_check_is_set_in_its_table(text: str) -> None:
    after = edit_config(text, "check.stale_days", 30)
    assert tomllib.loads(after)["check"]["stale_days"] == 30
    assert {**tomllib.loads(after), "check": 0} == {**tomllib.loads(text), "check": 0}
    assert edit_config(after, "check.stale_days", 30) == after


@pytest.mark.parametrize("key", ["check.severities", "check.severities.N004", 'check.per_path_ignores."a"'])
def test_a_table_of_check_is_no_one_value(key: str) -> None:
    with pytest.raises(ConfigError, match="is a table, not one value"):
        parse_value(key, "info")
