"""The agent registry: what it says, and a change of one value that leaves each other byte alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.disk.registry import RegisteredAgent, Registry, lines_of_entries, parse_registry, read_registry
from memctl.disk.registry_edit import set_agent_value, set_agent_values
from memctl.errors import ConfigError, InvalidInput, IoFailure, MemctlError, NotFound

PATH = "/data/agents.json"


def entry(agent_id: str = "1a2b3c4d", memory: Any = None, **config: Any) -> dict[str, Any]:
    if memory is not None:
        config["memory"] = memory
    return {
        "id": agent_id,
        "name": "billing-bot",
        "config": {"name": "billing-bot", "model": "anthropic/claude", **config},
        "status": "registered",
        "registeredAt": "2026-01-02T03:04:05.678Z",
    }


def as_hq(*entries: Any) -> str:
    return json.dumps(list(entries), indent=2, ensure_ascii=False)


def only_agent(*entries: Any) -> RegisteredAgent:
    (agent,) = parse_registry(as_hq(*entries), PATH).agents
    return agent


# --- reading ---


def test_an_agent_has_the_values_of_its_entry() -> None:
    agent = only_agent(entry(memory={"enabled": False, "sweep": "on"}, workspace="/srv/space"))
    assert agent == RegisteredAgent("1a2b3c4d", "billing-bot", "/srv/space", "anthropic/claude", False, "on")


@pytest.mark.parametrize(
    "found",
    [
        {"id": "a"},
        {"id": "a", "config": None},
        {"id": "a", "config": []},
        {"id": "a", "config": {}},
        {"id": "a", "config": {"memory": None}},
        {"id": "a", "config": {"memory": "off"}},
        {"id": "a", "config": {"memory": {}, "workspace": "", "model": 3, "name": ""}, "name": 7},
    ],
)
def test_what_is_absent_or_odd_has_the_default(found: Any) -> None:
    assert only_agent(found) == RegisteredAgent("a", "a", None, "", True, "auto")


@pytest.mark.parametrize("value", [True, 0, None, "false", [], ""])
def test_only_a_literal_false_disables(value: Any) -> None:
    assert only_agent(entry(memory={"enabled": value})).enabled is True


@pytest.mark.parametrize(
    ("value", "shown"), [("On", "On"), ("", ""), (None, "null"), (True, "true"), (3, "3"), (["on"], '["on"]')]
)
def test_a_sweep_mode_is_shown_as_the_file_has_it(value: Any, shown: str) -> None:
    assert only_agent(entry(memory={"sweep": value})).sweep == shown


def test_the_name_is_that_of_the_entry_then_of_the_config_then_the_id() -> None:
    assert only_agent({"id": "a", "name": "b", "config": {"name": "c"}}).name == "b"
    assert only_agent({"id": "a", "config": {"name": "c"}}).name == "c"
    assert only_agent({"id": "a"}).name == "a"


def test_a_bad_entry_does_not_hide_the_others() -> None:
    found = parse_registry(as_hq(None, 3, "x", [], {}, {"id": 5}, {"id": ""}, {"id": "a"}, {"id": "b"}), PATH)
    assert [agent.id for agent in found.agents] == ["a", "b"]
    assert found.problem is None


def test_of_a_repeated_id_the_last_entry_counts() -> None:
    found = parse_registry(
        as_hq({"id": "a", "name": "old"}, {"id": "b"}, {"id": "a", "name": "new"}, {"id": "c"}), PATH
    )
    assert [agent.name for agent in found.agents] == ["new", "b", "c"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "line 1, column 1"),
        ('[\n  {"id": "a",}\n]', "line 2, column 14"),
        ('[{"id": "a"}] x', "line 1, column 15"),
        ('[\n{"id": "NaN", "x": NaN}]', "line 2, column 20"),
        ('[{"id": "\\"Infinity", "x": -Infinity}]', "line 1, column 28"),
        ("\ufeff[]", "a byte order mark"),
        ("\u00a0[]", "line 1, column 1"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"id": "a"}', "not a JSON array"),
    ],
)
def test_a_text_that_is_no_registry_is_a_problem_with_its_place(text: str, where: str) -> None:
    found = parse_registry(text, PATH)
    assert found.agents == ()
    assert found.present
    assert isinstance(found.problem, ConfigError)
    assert PATH in found.problem.message
    assert where in found.problem.message
    assert found.problem.path == PATH


def test_a_number_of_any_length_is_read() -> None:
    assert parse_registry('[{"id": "a", "n": ' + "9" * 5000 + "}]", PATH).problem is None


def test_no_content_of_the_file_is_in_a_message(tmp_path: Any) -> None:
    secret = "-".join(["sk", "test", "1234"])
    for data in (
        f'[{{"id": "a", "key": "{secret}" "x"}}]',
        f'{{"key": "{secret}"}}',
        f'[{{"key": "\\x{secret}"}}]',
        f'[{secret}, "\udcff"]',
    ):
        (tmp_path / "agents.json").write_bytes(data.encode("utf-8", "surrogateescape"))
        problem = read_registry(str(tmp_path)).problem
        assert isinstance(problem, ConfigError)
        assert "sk-" not in problem.message + repr(problem) + str(problem.hint)


def test_a_missing_file_or_folder_is_no_problem(tmp_path: Any) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path, tmp_path / "none", tmp_path / "file"):
        found = read_registry(str(folder))
        assert found == Registry(str(folder / "agents.json"), (), None, present=False)


def test_the_file_of_a_data_folder_is_read(tmp_path: Any) -> None:
    (tmp_path / "agents.json").write_text(as_hq(entry(name="Zoë")), encoding="utf-8")
    found = read_registry(str(tmp_path))
    assert found.present
    assert [agent.id for agent in found.agents] == ["1a2b3c4d"]


def test_bytes_that_are_not_utf8_are_a_problem(tmp_path: Any) -> None:
    (tmp_path / "agents.json").write_bytes(b'[{"id": "\xff"}]')
    problem = read_registry(str(tmp_path)).problem
    assert isinstance(problem, ConfigError)
    assert problem.message.endswith("is not valid UTF-8")


def test_a_fifo_does_not_hang_and_a_directory_is_no_registry(tmp_path: Any) -> None:
    os.mkfifo(tmp_path / "agents.json")
    assert isinstance(read_registry(str(tmp_path)).problem, IoFailure)
    os.unlink(tmp_path / "agents.json")
    os.mkdir(tmp_path / "agents.json")
    problem = read_registry(str(tmp_path)).problem
    assert isinstance(problem, IoFailure)
    assert problem.message.endswith("it is not a regular file")


def test_a_link_is_read_only_if_it_is_to_be_followed(tmp_path: Any) -> None:
    (tmp_path / "real.json").write_text('[{"id": "a"}]')
    (tmp_path / "agents.json").symlink_to("real.json")
    assert len(read_registry(str(tmp_path)).agents) == 1
    found = read_registry(str(tmp_path), follow=False)
    assert found.agents == ()
    assert found.present
    assert isinstance(found.problem, IoFailure)
    assert "symbolic link" in found.problem.message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_an_io_failure(tmp_path: Any) -> None:
    (tmp_path / "agents.json").write_text("[]")
    os.chmod(tmp_path / "agents.json", 0)
    assert isinstance(read_registry(str(tmp_path)).problem, IoFailure)


# --- one value ---

MEMORY_AFTER_NOTHING = """[
  {
    "id": "a",
    "config": {
      "model": "m"
    }
  }
]"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            '[{"id":"a","config":{"memory":{"enabled":true}}}]',
            '[{"id":"a","config":{"memory":{"enabled":false}}}]',
            id="replaced",
        ),
        pytest.param(
            '[{"id":"a","config":{"memory":{"sweep":"on"}}}]',
            '[{"id":"a","config":{"memory":{"sweep":"on","enabled":false}}}]',
            id="minified member",
        ),
        pytest.param(
            '[{"id":"a","config":{"memory":{}}}]', '[{"id":"a","config":{"memory":{"enabled":false}}}]', id="minified"
        ),
        pytest.param(
            '[{"id":"a","config":{}}]', '[{"id":"a","config":{"memory":{"enabled":false}}}]', id="minified empty config"
        ),
        pytest.param('[{"id":"a"}]', '[{"id":"a","config":{"memory":{"enabled":false}}}]', id="minified no config"),
        pytest.param(
            '[{"id": "a", "config": {"model": "m"}}]',
            '[{"id": "a", "config": {"model": "m", "memory": {"enabled": false}}}]',
            id="one line with blanks",
        ),
        pytest.param(
            '[ { "id": "a", "config": { } } ]',
            '[ { "id": "a", "config": { "memory": { "enabled": false } } } ]',
            id="blanks inside braces",
        ),
        pytest.param(
            '[{"id":"a","config":null}]', '[{"id":"a","config":{"memory":{"enabled":false}}}]', id="config null"
        ),
        pytest.param(
            '[{"id":"a","config":{"memory":null,"x":1}}]',
            '[{"id":"a","config":{"memory":{"enabled":false},"x":1}}]',
            id="memory null",
        ),
        pytest.param(
            '[{"id":"a","config":{"memory":{"enabled":true,"enabled":true}}}]',
            '[{"id":"a","config":{"memory":{"enabled":true,"enabled":false}}}]',
            id="repeated key: the last",
        ),
        pytest.param(
            '[{"config":{"memory":{"enabled":true}},"id":"a","config":{"memory":{}}}]',
            '[{"config":{"memory":{"enabled":true}},"id":"a","config":{"memory":{"enabled":false}}}]',
            id="repeated config: the last",
        ),
        pytest.param(
            '[{"id":"a"},{"id":"b"},{"id":"a","n":1}]',
            '[{"id":"a"},{"id":"b"},{"id":"a","n":1,"config":{"memory":{"enabled":false}}}]',
            id="repeated id: the last",
        ),
        pytest.param(
            '[{"\\u0069d":"\\u0061","c\\u006fnfig":{"memory":{"en\\u0061bled" : true }}}]',
            '[{"\\u0069d":"\\u0061","c\\u006fnfig":{"memory":{"en\\u0061bled" : false }}}]',
            id="escaped keys",
        ),
        pytest.param(
            '[{"id":"a","n":[1e21,-0,0.10,"}]\\"\\\\",{"enabled":1}],"config":{"memory":{"enabled":[{"x":"]"}]}}}]',
            '[{"id":"a","n":[1e21,-0,0.10,"}]\\"\\\\",{"enabled":1}],"config":{"memory":{"enabled":false}}}]',
            id="odd values",
        ),
        pytest.param(
            '[{"id":"a","s":"\\ud800","config":{"memory":{"enabled":0}}}]',
            '[{"id":"a","s":"\\ud800","config":{"memory":{"enabled":false}}}]',
            id="a lone surrogate, and 0 is not false",
        ),
        pytest.param(
            MEMORY_AFTER_NOTHING,
            MEMORY_AFTER_NOTHING.replace('"m"\n', '"m",\n      "memory": {\n        "enabled": false\n      }\n'),
            id="as the HQ writes it",
        ),
        pytest.param(
            '[\n  {\n    "id": "a"\n  }\n]\n',
            '[\n  {\n    "id": "a",\n    "config": {\n      "memory": {\n        "enabled": false\n      }\n    }\n'
            "  }\n]\n",
            id="no config, as the HQ writes it",
        ),
        pytest.param(
            '[\n\t{\n\t\t"id": "a",\n\t\t"config": {\n\t\t\t"memory": {}\n\t\t}\n\t}\n]',
            '[\n\t{\n\t\t"id": "a",\n\t\t"config": {\n\t\t\t"memory": {\n\t\t\t\t"enabled": false\n\t\t\t}\n\t\t}\n\t}\n]',
            id="tabs",
        ),
        pytest.param(
            '[\n    {\n        "id": "a",\n        "config": null\n    }\n]',
            '[\n    {\n        "id": "a",\n        "config": {\n            "memory": {\n                "enabled": false\n'
            "            }\n        }\n    }\n]",
            id="four blanks",
        ),
        pytest.param(
            '[\r\n  {\r\n    "id": "a",  \r\n    "config": {\r\n    }\r\n  }\r\n] \r\n',
            '[\r\n  {\r\n    "id": "a",  \r\n    "config": {\r\n      "memory": {\r\n        "enabled": false\r\n      }'
            "\r\n    }\r\n  }\r\n] \r\n",
            id="crlf, trailing blanks, an empty object over two lines",
        ),
        pytest.param(
            '[\n  {"id": "a", "config": {"model": "m"}},\n  {"id": "b"}\n]\n',
            '[\n  {"id": "a", "config": {"model": "m", "memory": {"enabled": false}}},\n  {"id": "b"}\n]\n',
            id="an agent a line",
        ),
        pytest.param(
            '[\n{\n"id": "a"\n}\n]',
            '[\n{\n"id": "a",\n"config": {\n  "memory": {\n    "enabled": false\n  }\n}\n}\n]',
            id="no indentation",
        ),
        pytest.param(
            '[{\n  "id": "a",\n\n  "config":\n  {"x": 1}}]',
            '[{\n  "id": "a",\n\n  "config":\n  {"x": 1, "memory": {"enabled": false}}}]',
            id="mixed",
        ),
    ],
)
def test_one_value_is_set_and_the_rest_stays(before: str, after: str) -> None:
    assert set_agent_value(before, "a", "enabled", False) == after


def test_a_sweep_mode_is_set_beside_the_switch() -> None:
    before = as_hq(entry("a", memory={"enabled": True}), entry("b", memory={"enabled": True}))
    after = as_hq(entry("a", memory={"enabled": True}), entry("b", memory={"enabled": True, "sweep": "off"}))
    assert set_agent_value(before, "b", "sweep", "off") == after


@pytest.mark.parametrize(
    ("memory", "key", "value"),
    [
        ('{"enabled":false}', "enabled", False),
        ('{"enabled" : true}', "enabled", True),
        ('{"sweep":"\\u006ff\\u0066"}', "sweep", "off"),
        ('{"sweep":"x","sweep":"on"}', "sweep", "on"),
        ("{}", "enabled", True),
        ("{}", "sweep", "auto"),
        ("null", "sweep", "auto"),
    ],
)
def test_what_is_already_so_changes_nothing(memory: str, key: str, value: bool | str) -> None:
    text = '[{"id":"a","config":{"memory":' + memory + "}}]"
    assert set_agent_value(text, "a", key, value) == text


@pytest.mark.parametrize(
    ("memory", "key", "value"), [('{"enabled":1}', "enabled", True), ('{"sweep":"x"}', "sweep", "auto")]
)
def test_an_odd_value_is_replaced_even_if_it_behaves_as_asked(memory: str, key: str, value: bool | str) -> None:
    text = '[{"id":"a","config":{"memory":' + memory + "}}]"
    changed = set_agent_value(text, "a", key, value)
    assert json.loads(changed)[0]["config"]["memory"] == {key: value}
    assert changed != text


@pytest.mark.parametrize("odd", ['"off"', "[]", "false", "3"])
@pytest.mark.parametrize("place", ['{"id":"a","config":%s}', '{"id":"a","config":{"memory":%s}}'])
def test_what_is_no_object_is_refused(place: str, odd: str) -> None:
    with pytest.raises(ConfigError) as caught:
        set_agent_value("[" + place % odd + "]", "a", "sweep", "off")
    assert "'a'" in caught.value.message
    assert "'sweep'" in caught.value.message


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[", '[{"id":"a","x":NaN}]', '[{"id":"a","x":-Infinity}]', '\ufeff[{"id":"a"}]', "[{'id':'a'}]"],
)
def test_a_text_that_does_not_parse_is_never_changed(text: str) -> None:
    with pytest.raises(ConfigError):
        set_agent_value(text, "a", "enabled", False)


def test_an_unknown_agent_is_not_found() -> None:
    with pytest.raises(NotFound) as caught:
        set_agent_value('[{"id":"a"},{"x":1}]', "b", "enabled", False)
    assert caught.value.message == "no agent 'b' in the registry"


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("enabled", "false", "enabled must be a boolean"),
        ("sweep", True, "sweep must be auto, on or off"),
        ("sweep", "sometimes", "sweep must be auto, on or off"),
        ("model", "x", "no memory setting 'model'"),
    ],
)
def test_a_value_that_the_hq_would_refuse_is_refused(key: str, value: Any, sentence: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        set_agent_value('[{"id":"a"}]', "a", key, value)
    assert caught.value.message == sentence


def test_of_several_agents_one_problem_does_not_stop_the_others() -> None:
    text = as_hq(entry("a"), entry("b", memory="x"), entry("c", memory={"sweep": "off"}), entry("d"))
    edit = set_agent_values(text, ["d", "c", "b", "x", "a", "a"], "sweep", "off")
    assert edit.changed == ("d", "a")
    assert {agent: type(problem) for agent, problem in edit.problems.items()} == {"b": ConfigError, "x": NotFound}
    off = {"sweep": "off"}
    assert edit.text == as_hq(
        entry("a", memory=off), entry("b", memory="x"), entry("c", memory=off), entry("d", memory=off)
    )


def test_a_thousand_agents_are_changed_in_one_pass() -> None:
    ids = [f"{number:08x}" for number in range(1000)]
    text = as_hq(*(entry(agent_id, systemPrompt="line\n" * 400) for agent_id in ids))
    edit = set_agent_values(text, ids, "enabled", False)
    assert edit.text == as_hq(*(entry(i, {"enabled": False}, systemPrompt="line\n" * 400) for i in ids))
    assert len(edit.changed) == 1000


# --- any registry ---

_words = st.sampled_from(["id", "config", "memory", "enabled", "sweep", "x", 'q"\\', "Zoë", "\ud800"]) | st.text(
    max_size=5
)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3),
    max_leaves=8,
)
_objects = st.dictionaries(_words, _values, max_size=3)


@st.composite
def _members(draw: st.DrawFn, name: str, inner: Any) -> dict[str, Any]:
    """Return an object that may have a member `name`, anywhere among others."""
    found = draw(_objects)
    found.pop(name, None)
    items = list(found.items())
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), (name, draw(inner)))
    return dict(items)


_memories = st.none() | _objects
_configs = st.none() | _members("memory", _memories)


@st.composite
def _entries(draw: st.DrawFn) -> list[Any]:
    entries = [
        {**draw(_members("config", _configs)), "id": agent_id}
        for agent_id in draw(st.sampled_from(["a", "ab", "bab", "aba"]))
    ]
    return entries + draw(st.lists(_values.filter(lambda value: not isinstance(value, dict)), max_size=2))


Render = Callable[[list[Any]], str]


@st.composite
def _renders(draw: st.DrawFn) -> Render:
    indent = draw(st.sampled_from([None, 0, 1, 2, 4, "\t", " \t"]))
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]))
    to_ascii = draw(st.booleans())
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    front = draw(st.sampled_from(["", "\n", "  "]))
    back = draw(st.sampled_from(["", "\n", "\r\n", " \t"]))

    def render(entries: list[Any]) -> str:
        text = json.dumps(entries, indent=indent, separators=separators, ensure_ascii=to_ascii)
        return front + text.replace("\n", newline) + back  # the newlines of strings are escaped

    return render


def _last(entries: list[Any], agent_id: str) -> dict[str, Any]:
    return [found for found in entries if isinstance(found, dict) and found["id"] == agent_id][-1]


def _expected(entries: list[Any], agent_id: str, key: str, value: bool | str) -> list[Any]:
    copy = deepcopy(entries)
    entry = _last(copy, agent_id)
    config = entry["config"] = entry.get("config") or {}
    memory = config["memory"] = config.get("memory") or {}
    memory[key] = value
    return copy


def _around(render: Render, entries: list[Any], path: tuple[str, ...]) -> list[str]:
    """Return the text in front of the value at `path` of the last agent a, and the text behind it."""
    slot = "@slot@"
    copy = deepcopy(entries)
    holder = _last(copy, "a")
    for name in path[:-1]:
        holder = holder[name]
    holder[path[-1]] = slot
    return render(copy).split(json.dumps(slot))


def _replaced(entries: list[Any], key: str) -> tuple[str, ...]:
    """Return the path of the value that has to go: the old one, or a null in place of an object; else nothing."""
    path: tuple[str, ...] = ()
    holder: Any = _last(entries, "a")
    for name in ("config", "memory", key):
        if name not in holder:
            return ()
        path, holder = (*path, name), holder[name]
        if holder is None:
            break
    return path


@settings(max_examples=400, deadline=None)
@given(
    entries=_entries(),
    render=_renders(),
    asked=st.sampled_from(
        [("enabled", True), ("enabled", False), ("sweep", "auto"), ("sweep", "on"), ("sweep", "off")]
    ),
)
def test_a_change_differs_in_the_one_value_and_in_one_span(
    entries: list[Any], render: Render, asked: tuple[str, Any]
) -> None:
    text = render(entries)
    key, value = asked
    new = set_agent_value(text, "a", key, value)
    after = parse_registry(new, PATH)
    agent = next(agent for agent in after.agents if agent.id == "a")
    assert (agent.enabled if key == "enabled" else agent.sweep) == value
    if new == text:
        return
    expected = _expected(entries, "a", key, value)
    assert json.dumps(json.loads(new), sort_keys=True) == json.dumps(expected, sort_keys=True)
    assert set_agent_value(new, "a", key, value) == new
    if path := _replaced(entries, key):
        front, back = _around(render, entries, path)
        assert new.startswith(front)
        assert new.endswith(back)
        if path[-1] == key:
            assert new == front + json.dumps(value) + back
    else:
        assert any(new[:at] + new[at + len(new) - len(text) :] == text for at in range(len(text))), "an insertion only"


@settings(max_examples=200, deadline=None)
@given(entries=_entries(), value=st.sampled_from(["on", "off"]))
def test_what_the_hq_wrote_looks_as_if_the_hq_had_changed_it(entries: list[Any], value: str) -> None:
    text = json.dumps(entries, indent=2, ensure_ascii=False)
    expected = json.dumps(_expected(entries, "a", "sweep", value), indent=2, ensure_ascii=False)
    assert set_agent_value(text, "a", "sweep", value) == expected


@settings(max_examples=200, deadline=None)
@given(text=st.text(alphabet='[]{}":,ab1 \n\\tid', max_size=40))
def test_any_text_is_changed_rightly_or_refused(text: str) -> None:
    try:
        new = set_agent_value(text, "a", "enabled", False)
    except MemctlError:
        return
    assert json.loads(new) != json.loads(text)


def test_entries_that_are_no_agents_are_told_by_their_numbers() -> None:
    found = parse_registry(as_hq(None, 3, "x", [], {}, {"id": 5}, {"id": "a"}), PATH)
    assert found.odd == (
        (1, "null"),
        (2, "a number or a switch"),
        (3, "text"),
        (4, "a list"),
        (5, "an object without an id"),
        (6, "an object whose id is no text"),
    )
    assert parse_registry(as_hq({"id": "a"}, {"id": "b"}, {"id": "a"}), PATH).twice == (("a", 3),)


def test_each_entry_has_the_line_on_which_it_begins() -> None:
    assert lines_of_entries(as_hq({"id": "a"}, 2, [[], {}], "],")) == [2, 5, 6, 10]
    assert lines_of_entries(" [ ] ") == []
