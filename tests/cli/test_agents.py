"""`memctl sweep-mode` and `memctl auto-memory`: shown, set in the file, set through the HQ's API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memctl.disk import hq_api
from tests.conftest import UNDO, Cli
from tests.stores import fill, register

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
TOKEN = "-".join(["made", "up", "for", "tests"])
STATE_KEYS = ["id", "name", "mode", "model", "sweeps", "why", "changed", "way"]
MEMORY_KEYS = ["id", "name", "enabled", "why", "changed", "way"]


class Hq:
    """A small HQ: the agents that it knows, and what it was asked to change."""

    def __init__(self) -> None:
        self.agents: dict[str, dict[str, Any]] = {}
        self.health: Any = {"status": "ok", "pid": os.getpid()}
        self.changes: list[tuple[str, dict[str, Any]]] = []
        self.url = ""

    def answer(self, method: str, path: str, authorization: str, body: bytes) -> tuple[int, Any]:
        if path == "/health":
            return (200, self.health) if self.health else (500, {})
        if authorization != f"Bearer {TOKEN}":
            return 401, {"error": "Unauthorized"}
        agent = self.agents.get(path.split("/")[2])
        if agent is None:
            return 404, {"error": "not found"}
        if method == "PATCH":
            change = json.loads(body)
            self.changes.append((path.split("/")[2], change))
            agent.update(change)
        return 200, agent


@pytest.fixture
def hq(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hq]:
    """Give an HQ that listens; what it is for, the settings say."""
    state = Hq()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            status, value = state.answer(self.command, self.path, self.headers.get("authorization") or "", body)
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_PATCH = _serve  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(hq_api, "DEFAULT_URL", state.url)
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def nobody_listens(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No HQ of this machine is asked: nothing listens at port 1."""
    if "hq" not in request.fixturenames:
        monkeypatch.setattr(hq_api, "DEFAULT_URL", "http://127.0.0.1:1")


@pytest.fixture
def running(hq: Hq, demo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Hq:
    """Give the HQ that runs for the demo's data folder, as the settings say."""
    fill(home / ".config/memctl", {"config.toml": f'[hq."{demo}"]\nurl = "{hq.url}"\n'.encode()})
    monkeypatch.setenv("MEMCTL_HQ_TOKEN", TOKEN)
    hq.agents = {
        "1a2b3c4d": {"enabled": True, "sweep": "auto"},
        "7c09e5f2": {"enabled": True, "sweep": "on"},
    }
    return hq


def value_in_file(demo: Path, agent: int, key: str) -> Any:
    return json.loads((demo / "agents.json").read_text())[agent]["config"]["memory"].get(key)


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[int]:
    """Give the id of a process that was started with the --data-dir of another folder."""
    code = "import sys; print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, "gateway", "--data-dir", str(tmp_path / "elsewhere")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        yield child.pid
        child.kill()


# --- shown ---


def test_sweep_mode_shows_id_name_mode_model_whether_and_why(cli: Cli, demo: Path) -> None:
    assert cli("sweep-mode") == (
        0,
        "1a2b3c4d\tbilling-bot\tauto\tanthropic/claude-sonnet-5\tno sweep\tauto leaves out models of anthropic\t\n"
        "7c09e5f2\tdocs-writer\ton\tdeepseek/deepseek-chat\tsweeps\tthe sweep always runs in mode on\t\n"
        "e4d81b36\te4d81b36\tauto\t\tno sweep\tnot in the registry\t\n",
        "",
    )


def test_auto_memory_shows_id_name_state_and_why(cli: Cli, demo: Path) -> None:
    assert cli("auto-memory") == (
        0,
        "1a2b3c4d\tbilling-bot\ton\tthe registry does not turn it off\t\n"
        "7c09e5f2\tdocs-writer\ton\tthe registry does not turn it off\t\n"
        "e4d81b36\te4d81b36\ton\tnot in the registry\t\n",
        "",
    )


@pytest.mark.parametrize("command", ["sweep-mode", "auto-memory"])
def test_all_shows_the_same(cli: Cli, demo: Path, command: str) -> None:
    assert cli(command, "--all") == cli(command)


def test_json_of_the_modes(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("sweep-mode", "-j", "docs-writer").out)["data"]
    assert data == {
        "agents": [
            {
                "id": "7c09e5f2",
                "name": "docs-writer",
                "mode": "on",
                "model": "deepseek/deepseek-chat",
                "sweeps": True,
                "why": "the sweep always runs in mode on",
                "changed": False,
                "way": None,
            }
        ]
    }


def test_json_of_the_switches(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("auto-memory", "-j", "e4d81b36").out)["data"]
    assert data == {
        "agents": [
            {
                "id": "e4d81b36",
                "name": None,
                "enabled": True,
                "why": "not in the registry",
                "changed": False,
                "way": None,
            }
        ]
    }


@pytest.mark.parametrize(("command", "word"), [("sweep-mode", "maybe"), ("auto-memory", "auto")])
def test_a_word_that_is_no_mode_is_an_agent(cli: Cli, demo: Path, command: str, word: str) -> None:
    done = cli(command, "billing-bot", word)
    assert (done.code, done.err.splitlines()[0]) == (66, f"memctl: error: no agent '{word}'")


# --- set in the file ---


def test_without_an_hq_the_file_is_edited_and_that_is_said(cli: Cli, demo: Path) -> None:
    assert cli("sweep-mode", "billing-bot", "on") == (
        0,
        "1a2b3c4d\tbilling-bot\ton\tanthropic/claude-sonnet-5\tsweeps\tthe sweep always runs in mode on"
        "\tchanged in agents.json\n",
        f"changed 1 agent in agents.json\n{UNDO}",
    )
    assert value_in_file(demo, 0, "sweep") == "on"


def test_no_other_byte_of_the_file_changes(cli: Cli, demo: Path) -> None:
    before = (demo / "agents.json").read_text()
    cli("auto-memory", "docs-writer", "off")
    after = (demo / "agents.json").read_text()
    assert after == before.replace('"enabled": true,\n        "sweep"', '"enabled": false,\n        "sweep"')


def test_automatic_memory_off_turns_the_sweep_off(cli: Cli, demo: Path) -> None:
    assert cli("auto-memory", "docs-writer", "off").out == (
        "7c09e5f2\tdocs-writer\toff\tthe registry turns it off\tchanged in agents.json\n"
    )
    assert cli("sweep-mode", "docs-writer").rows[0][4:6] == [
        "no sweep",
        "automatic memory is off, so no sweep runs either",
    ]


def test_what_is_so_already_is_not_written(cli: Cli, demo: Path) -> None:
    before = (demo / "agents.json").stat().st_mtime_ns
    assert cli("sweep-mode", "docs-writer", "on") == (
        0,
        "7c09e5f2\tdocs-writer\ton\tdeepseek/deepseek-chat\tsweeps\tthe sweep always runs in mode on\t\n",
        "nothing to change\n",
    )
    assert (demo / "agents.json").stat().st_mtime_ns == before


def test_a_dry_run_prints_the_same_line_and_changes_nothing(cli: Cli, demo: Path) -> None:
    before = (demo / "agents.json").read_bytes()
    dry = cli("sweep-mode", "-n", "billing-bot", "off")
    assert (dry.code, dry.err) == (0, "dry run: nothing was changed; 1 agent would be\n")
    assert (demo / "agents.json").read_bytes() == before
    assert cli("sweep-mode", "billing-bot", "off").out == dry.out


def test_quiet_prints_not_a_byte(cli: Cli, demo: Path) -> None:
    assert cli("sweep-mode", "-q", "billing-bot", "off") == (0, "", "")


def test_the_clock_that_is_set_is_said(cli: Cli, demo: Path, now: str) -> None:
    assert cli("auto-memory", "billing-bot", "off").err.startswith("MEMCTL_NOW is set: ")


def test_all_leaves_out_the_directories_of_no_agent(cli: Cli, demo: Path) -> None:
    done = cli("auto-memory", "--all", "off")
    assert (done.code, done.err) == (
        0,
        f"left out 1 directory of no agent in the registry\nchanged 2 agents in agents.json\n{UNDO}",
    )


def test_a_directory_of_no_agent_has_no_switch(cli: Cli, demo: Path) -> None:
    assert cli("auto-memory", "e4d81b36", "off") == (
        66,
        "",
        "memctl: error: agent 'e4d81b36' is not in the registry, so there is nothing to set\n",
    )


def test_setting_wants_names_or_all(cli: Cli, demo: Path) -> None:
    assert cli("sweep-mode", "off") == (
        2,
        "",
        "memctl: error: sweep-mode wants the agents' names, or --all\nmemctl: hint: memctl sweep-mode --all\n",
    )


def test_an_agent_of_the_name_of_a_mode_goes_by_its_id(cli: Cli, tmp_path: Path) -> None:
    register(tmp_path, {"id": "aaaa1111", "name": "auto"})
    assert cli("--root", tmp_path, "sweep-mode", "aaaa1111").rows[0][1] == "auto"


def test_a_registry_that_does_not_parse_is_never_written(cli: Cli, demo: Path) -> None:
    (demo / "agents.json").write_text("[{]")
    done = cli("sweep-mode", "1a2b3c4d", "on")
    assert (done.code, done.out) == (78, "")
    assert (demo / "agents.json").read_text() == "[{]"


@pytest.mark.parametrize(
    ("command", "word", "keys"), [("sweep-mode", "on", STATE_KEYS), ("auto-memory", "off", MEMORY_KEYS)]
)
@pytest.mark.parametrize("dry", [True, False])
def test_json_of_a_change(cli: Cli, demo: Path, command: str, word: str, keys: list[str], dry: bool) -> None:
    data = json.loads(cli(command, "-j", "billing-bot", word, *(["-n"] if dry else [])).out)["data"]
    assert (list(data), data["dry_run"], list(data["agents"][0])) == (["agents", "dry_run", "change"], dry, keys)
    assert data["change"] == (None if dry else 1)
    assert (data["agents"][0]["changed"], data["agents"][0]["way"]) == (True, "file")


# --- set through the API ---


def test_a_running_hq_makes_the_change_and_that_is_said(cli: Cli, running: Hq, demo: Path) -> None:
    before = (demo / "agents.json").read_bytes()
    assert cli("sweep-mode", "billing-bot", "on") == (
        0,
        "1a2b3c4d\tbilling-bot\ton\tanthropic/claude-sonnet-5\tsweeps\tthe sweep always runs in mode on"
        "\tchanged by the HQ\n",
        "changed 1 agent by its HQ\n",
    )
    assert running.changes == [("1a2b3c4d", {"sweep": "on"})]
    assert (demo / "agents.json").read_bytes() == before


def test_a_running_hq_turns_automatic_memory_off(cli: Cli, running: Hq) -> None:
    assert cli("auto-memory", "docs-writer", "off").err == "changed 1 agent by its HQ\n"
    assert running.changes == [("7c09e5f2", {"enabled": False})]


def test_json_says_the_way(cli: Cli, running: Hq) -> None:
    data = json.loads(cli("sweep-mode", "-j", "--all", "on").out)["data"]
    assert [(agent["changed"], agent["way"]) for agent in data["agents"]] == [(True, "api"), (False, None)]
    assert data["change"] is None  # the HQ changed its own file


def test_a_dry_run_asks_a_running_hq_for_no_change(cli: Cli, running: Hq) -> None:
    assert cli("sweep-mode", "-n", "billing-bot", "on").err == "dry run: nothing was changed; 1 agent would be\n"
    assert running.changes == []


def test_a_dry_run_prints_the_same_line_where_an_hq_runs(cli: Cli, running: Hq) -> None:
    dry = cli("sweep-mode", "-n", "billing-bot", "on").out
    assert cli("sweep-mode", "billing-bot", "on").out == dry


def test_an_agent_that_the_hq_does_not_know_does_not_stop_the_others(cli: Cli, running: Hq) -> None:
    del running.agents["1a2b3c4d"]
    done = cli("auto-memory", "--all", "off")
    assert (done.code, [row[0] for row in done.rows]) == (66, ["7c09e5f2"])
    assert done.err == (
        "left out 1 directory of no agent in the registry\n"
        f"memctl: error: the HQ at {running.url} knows no agent '1a2b3c4d'\n"
        "memctl: hint: an HQ reads agents.json once, at its start\n"
        "changed 1 agent by its HQ\n"
    )


def test_without_a_token_nothing_is_changed(cli: Cli, running: Hq, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMCTL_HQ_TOKEN")
    done = cli("sweep-mode", "billing-bot", "on")
    assert (done.code, done.out, running.changes) == (78, "", [])
    assert done.err.splitlines()[0] == f"memctl: error: an HQ runs at {running.url}, and there is no token for it"


def test_a_wrong_token_is_wrong_configuration(cli: Cli, running: Hq, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_HQ_TOKEN", "another")
    done = cli("sweep-mode", "billing-bot", "on")
    assert (done.code, done.err.splitlines()[0]) == (78, f"memctl: error: the HQ at {running.url} refused the token")


def test_the_token_is_never_printed(cli: Cli, running: Hq) -> None:
    done = cli("sweep-mode", "--all", "off", "-v", "--json")
    assert TOKEN not in done.out + done.err


def test_what_cannot_be_told_is_busy_and_changes_nothing(cli: Cli, hq: Hq, demo: Path) -> None:
    hq.health = None
    before = (demo / "agents.json").read_bytes()
    done = cli("sweep-mode", "billing-bot", "on")
    assert (done.code, done.out) == (75, "")
    assert done.err.startswith(f"memctl: error: it cannot be told whether an HQ runs for '{demo}': ")
    assert (demo / "agents.json").read_bytes() == before


def test_one_doubt_is_said_once_for_all_agents(cli: Cli, hq: Hq, demo: Path) -> None:
    hq.health = None
    assert cli("sweep-mode", "--all", "on").err.count("memctl: error: ") == 1


def test_the_word_of_a_person_ends_the_doubt(cli: Cli, hq: Hq, demo: Path) -> None:
    hq.health = None
    assert cli("sweep-mode", "--hq-stopped", "billing-bot", "on").err == f"changed 1 agent in agents.json\n{UNDO}"
    assert value_in_file(demo, 0, "sweep") == "on"


@linux_only
def test_an_hq_of_another_data_folder_is_no_reason_to_wait(cli: Cli, hq: Hq, demo: Path, idle: int) -> None:
    hq.health = {"status": "ok", "pid": idle}
    assert cli("sweep-mode", "billing-bot", "on").err == f"changed 1 agent in agents.json\n{UNDO}"


@linux_only
def test_two_data_folders_are_changed_each_its_own_way(
    cli: Cli, running: Hq, demo: Path, tmp_path: Path, idle: int
) -> None:
    register(tmp_path / "other", {"id": "aaaa1111", "name": "other-bot"})
    running.health = {"status": "ok", "pid": idle}
    done = cli("--root", demo, "--root", tmp_path / "other", "sweep-mode", "billing-bot", "other-bot", "on")
    assert (done.code, done.err) == (0, f"changed 1 agent by its HQ, 1 agent in agents.json\n{UNDO}")


def test_one_data_folder_in_doubt_does_not_stop_the_other(
    cli: Cli, running: Hq, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hq_api, "DEFAULT_URL", "http://127.0.0.1:1")
    register(tmp_path / "other", {"id": "aaaa1111", "name": "other-bot"})
    running.health = None
    done = cli("--root", demo, "--root", tmp_path / "other", "sweep-mode", "billing-bot", "other-bot", "on")
    assert (done.code, [row[0] for row in done.rows]) == (75, ["aaaa1111"])
