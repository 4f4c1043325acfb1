"""R13: bytes of any kind, most of them nearly right, crash nothing; what is read is written back as it was."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.core.buffer import Changes
from memctl.core.dialects import hq, notes
from memctl.core.memory import Memory, NotLoaded, Source
from memctl.core.revising import revise
from memctl.core.text import decode
from memctl.disk.codewhale import set_enabled
from memctl.disk.registry import parse_registry
from memctl.disk.registry_edit import set_agent_values
from memctl.disk.settings_edit import edit_config
from memctl.errors import MemctlError
from tests.faults.commands import NOTES, Case
from tests.faults.conftest import Figures, count
from tests.faults.injecting import ForkedWorld, Runner
from tests.stores import memory

# Bytes that mean something to one of the readers, or to none.
PIECES = st.sampled_from(
    [
        b"---\n", b"---", b"--- \n", b"...\n", b"name: x\n", b"type: user\n", b"type: none\n", b"source: user\n", b"a: [b, c]\n",
        b"description: |\n", b"description: >-\n  more\n", b"tags:\n  - a\n  - b\n", b"__proto__: x\n", b"\r\n", b"\r", b"\n\n",
        b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xc2\xa0", b"\xe2\x80\xa8", b"\x1b[31m", b"- ", b"* x\n",
        b"  - y\n", b"- (2026-01-02 03:04 UTC) z\n", b"- (9999-99-99 99:99 UTC) z\n", b"# h\n", b"```\n", b"{", b"}", b"[", b"]",
        b'"', b'\\"', b"\\ud800", b",", b"null", b"NaN", b"1e999", b'{"id": "aaaa1111"}', b"=", b"[memory]\n", b"enabled = 1\n",
        b"'''", b'"""', b"x" * 5000,
    ]
)  # fmt: skip


@st.composite
def nearly(draw: st.DrawFn, sound: bytes) -> bytes:
    """Bytes that were sound, with parts of them gone, twice there, or others in between; cut where it may be."""
    data = sound
    for _ in range(draw(st.integers(0, 4))):
        first, second = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        match draw(st.sampled_from("iiidrc")):
            case "i":
                data = data[:first] + draw(PIECES) + data[first:]
            case "d":
                data = data[:first] + data[second:]
            case "r":
                data = data[:second] + data[first:]
            case "c":
                data = data[:second]
    return data


MEMORY = memory("deploy", content="one\n\ntwo", extra="custom: kept\ntags:\n  - a\n")
AGENTS = json.dumps(
    [{"id": "aaaa1111", "name": "bot", "config": {"memory": {"sweep": "on", "enabled": True}}}, {"id": "bbbb2222"}],
    indent=2,
).encode()
CODEWHALE = b'# mine\nmodel = "x"  # stays\n[memory]\nenabled = false\n[profiles.a.memory]\nenabled = true\n'
SETTINGS = b'# mine\ncolor = "auto"\nroots = ["/a", "/b"]\nwait = 3.5\n[hq."/a"]\nurl = "http://127.0.0.1:1"\n'


def told(value: object) -> str:
    """Return a value as text in which the order of keys does not matter, and one NaN is like another."""
    return json.dumps(value, sort_keys=True, default=repr)


KINDS = 6
MANY = settings(
    max_examples=min(98_000, count(98_000, cases=KINDS)),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture(autouse=True)
def _counted(request: pytest.FixtureRequest, figures: Figures) -> None:
    asked = getattr(request.function, "_hypothesis_internal_use_settings", None)
    figures("R13 malformed", examples=asked.max_examples if asked else 0)


@MANY
@given(nearly(MEMORY))
def test_a_memory_is_read_or_has_a_reason_and_stays_as_it_is_where_nothing_is_changed(data: bytes) -> None:
    found = hq.read(data, "deploy")
    assert isinstance(found, Memory | NotLoaded)
    if isinstance(found, Memory):
        assert revise(data, "deploy", Changes(), "2026-11-30") == (found, data)
        assert hq.read(hq.write(found), "deploy")


@MANY
@given(
    nearly(MEMORY),
    st.sampled_from(
        [Changes(), Changes(description="new"), Changes(content="new\n---\nx"), Changes(type="user")],
    ),
)
def test_an_edit_keeps_what_it_does_not_change_or_is_refused(data: bytes, changes: Changes) -> None:
    before = hq.read(data, "deploy")
    try:
        new, written = revise(data, "deploy", changes, "2026-11-30", touch=True)
    except MemctlError:
        return
    assert isinstance(before, Memory)
    given = {key: value for key, value in changes._asdict().items() if value is not None}
    created = before.dated("2026-11-30").created
    assert new == before._replace(**given, source=Source.USER, created=created, updated="2026-11-30")
    assert hq.read(written, "deploy") == new
    assert hq.extra_lines(decode(written)) == hq.extra_lines(decode(data))


@MANY
@given(nearly(NOTES), st.data())
def test_notes_are_parts_of_the_file_and_dropping_one_keeps_every_other_byte(data: bytes, draw: st.DataObject) -> None:
    found = notes.read_notes(data)
    if not found:
        return
    gone = draw.draw(st.sampled_from(found))
    assert notes.drop(data, [gone]) == data[: gone.start] + data[gone.end :]
    new = notes.replace(data, gone, "new")
    assert new.startswith(data[: gone.start])
    assert new.endswith(data[gone.end :])


@MANY
@given(nearly(AGENTS), st.sampled_from([("sweep", "off"), ("enabled", False)]))
def test_a_registry_is_changed_in_its_one_value_or_refused(data: bytes, asked: tuple[str, object]) -> None:
    text = data.decode("utf-8", "replace")
    try:
        before = parse_registry(text, "agents.json")
        new = set_agent_values(text, ["aaaa1111"], *asked).text
    except MemctlError:
        return
    after = parse_registry(new, "agents.json")
    assert [agent.id for agent in after.agents] == [agent.id for agent in before.agents]
    for old, agent in zip(before.agents, after.agents, strict=True):
        if agent.id != "aaaa1111":
            assert agent == old


@MANY
@given(nearly(CODEWHALE), st.booleans())
def test_codewhales_switch_is_set_alone_or_refused(data: bytes, enabled: bool) -> None:
    text = data.decode("utf-8", "replace")
    try:
        new = set_enabled(text, enabled, None, "config.toml")
    except MemctlError:
        return
    before, after = tomllib.loads(text), tomllib.loads(new)
    assert after["memory"]["enabled"] is enabled
    before.setdefault("memory", {})["enabled"] = enabled
    assert told(after) == told(before)


@MANY
@given(nearly(SETTINGS))
def test_a_setting_is_set_alone_or_refused(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        new = edit_config(text, "color", "never")
    except MemctlError:
        return
    before, after = tomllib.loads(text), tomllib.loads(new)
    before["color"] = "never"
    assert told(after) == told(before)


COMMANDS = (
    "edit bot/deploy --description new", "delete -y bot/deploy", "prune -y --all --over 0", "delete -y @user/1", "reindex --all",
    "sweep-mode --hq-stopped bot on", "auto-memory @user on", "config set color never", "undo -y", "remember hello",
    "import-legacy @user", "clear -y bot",
)  # fmt: skip
LOOKS = (
    "list", "list @user", "show bot", "show bot/deploy --raw", "show @user", "reindex --all -n", "recall bot deploy", "path bot",
    "explain @user", "history --json", "prompt @user", "prune --all --over 0 -n", "sweep-mode", "config show", "undo -n",
)  # fmt: skip
FILES = {
    "data/memory/aaaa1111/deploy.md": MEMORY,
    "data/memory/aaaa1111/MEMORY.md": b"# Memory index\n",
    "data/agents.json": AGENTS,
    "home/.deepseek/memory.md": NOTES,
    "home/.deepseek/config.toml": CODEWHALE,
    "home/.config/memctl/config.toml": SETTINGS,
}
CODES = {0, 1, 65, 66, 74, 75, 77, 78}


@pytest.fixture(scope="session")
def world(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> ForkedWorld:
    return ForkedWorld(runner, tmp_path_factory.mktemp("malformed") / "world", Case(""))


@settings(MANY, max_examples=min(2_000, count(2_000)))
@given(st.sampled_from(["history.db", *FILES]), st.sampled_from(COMMANDS + LOOKS), st.data())
def test_no_malformed_file_makes_a_command_crash(
    world: ForkedWorld, name: str, words: str, draw: st.DataObject
) -> None:
    world.restore()
    if name == "history.db":
        name = "state/history.db"
        sound = world.first.files[name][0]
    else:
        sound = FILES[name]
    (world.place / name).write_bytes(draw.draw(nearly(sound)))
    before = world.tree()
    done = world.run(*words.split())
    how = (words, done.returncode, done.stderr)
    assert done.returncode in CODES, how
    assert b"Traceback" not in done.stderr, how
    assert done.returncode < 64 or b"memctl: error: " in done.stderr, how
    if words in LOOKS:
        assert world.tree().kept == before.kept, how
