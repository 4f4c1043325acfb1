"""Whether an HQ runs for a data folder, and its memory settings, against a small HQ of our own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from memctl.core.env import Env
from memctl.disk import hq_api, hq_process
from memctl.disk.hq_api import HqAddress, HqApi, HqRunning, HqState, HqStopped, HqUnknown, find_hq
from memctl.errors import Busy, ConfigError, InvalidInput, MemctlError, NotFound

TOKEN = "-".join(["made", "up", "for", "tests"])
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


class Hq:
    """What the small HQ answers (spec/hq.md 14), and what it was asked."""

    def __init__(self) -> None:
        self.agents: dict[str, dict[str, Any]] = {"1a2b3c4d": {"enabled": True, "sweep": "auto"}}
        self.health: tuple[int, str] = (200, json.dumps({"status": "ok", "pid": os.getpid()}))
        self.override: tuple[int, str, dict[str, str]] | None = None
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.url = ""

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, str, dict[str, str]]:
        self.requests.append((method, path, headers))
        if path == "/health":
            return (*self.health, {})
        if headers.get("authorization") != f"Bearer {TOKEN}":
            return 401, '{"code":"unauthorized","error":"Unauthorized","retryable":false}', {}
        if self.override is not None:
            return self.override
        parts = path.split("/")
        agent = self.agents.get(unquote(parts[2])) if len(parts) == 5 and parts[3:] == ["memory", "config"] else None
        if agent is None:
            return 404, '{"error":"not found"}', {}
        if method == "PATCH":
            change = json.loads(body)
            if not isinstance(change.get("enabled", True), bool):
                return 400, '{"error":"enabled must be a boolean"}', {}
            if change.get("sweep", "on") not in ("auto", "on", "off"):
                return 400, '{"error":"sweep must be auto, on or off"}', {}
            agent.update(change)
        return 200, json.dumps(agent), {}


@pytest.fixture
def hq() -> Iterator[Hq]:
    state = Hq()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(int(headers.get("content-length", 0)))
            status, text, more = state.answer(self.command, self.path, headers, body)
            data = text.encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **more}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_PATCH = _serve  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def raw_server(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """Give the URL of a server that does with its one connection what `talk` says."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            try:
                connection, _ = listener.accept()
                with connection:
                    talk(connection)
            except OSError:
                pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(5)


@pytest.fixture
def closed_url() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


@contextmanager
def process(*words: str, cwd: Path | None = None, **variables: str) -> Iterator[int]:
    """Give the id of a process that has these arguments and waits."""
    code = "import sys; print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, "DASH_HOME": "", **variables},
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        yield child.pid
        child.kill()


@pytest.fixture
def env(tmp_path: Path) -> Env:
    return Env({hq_api.TOKEN_VARIABLE: TOKEN}, str(tmp_path / "home"), str(tmp_path), os.getuid())


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "data folder").mkdir()
    return str(tmp_path / "data folder")


@pytest.fixture
def ask(hq: Hq, folder: str, env: Env, monkeypatch: pytest.MonkeyPatch) -> Callable[..., HqState]:
    """Return a question for the HQ of the data folder at the default address, whose /health names `pid`."""
    monkeypatch.setattr(hq_api, "DEFAULT_URL", hq.url)

    def ask(pid: Any, data_folder: str = folder) -> HqState:
        hq.health = (200, json.dumps({"pid": pid}))
        return find_hq(data_folder, None, env)

    return ask


# --- does it run ---


@linux_only
@pytest.mark.parametrize("joined", [False, True])
def test_it_runs_if_its_process_was_started_with_the_data_dir(ask: Any, hq: Hq, folder: str, joined: bool) -> None:
    words = [f"--data-dir={folder}/"] if joined else ["--data-dir", folder]
    with process("gateway", *words, "--token", "x") as pid:
        assert ask(pid) == HqRunning(hq.url, TOKEN)


@linux_only
def test_a_data_dir_is_compared_by_its_real_path(ask: Any, folder: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("data folder")
    with process("gateway", "--data-dir", str(tmp_path / "link")) as pid:
        assert isinstance(ask(pid), HqRunning)
    with process("gateway", "--data-dir", folder) as pid:
        assert isinstance(ask(pid, str(tmp_path / "link")), HqRunning)


@linux_only
def test_a_relative_data_dir_is_that_of_the_process(ask: Any, tmp_path: Path) -> None:
    with process("gateway", "--data-dir", "../data folder", cwd=tmp_path / "data folder") as pid:
        assert isinstance(ask(pid), HqRunning)


@linux_only
def test_of_two_data_dirs_the_last_counts(ask: Any, folder: str) -> None:
    with process("gateway", "--data-dir", "/else", "--data-dir", folder) as pid:
        assert isinstance(ask(pid), HqRunning)
    with process("gateway", "--data-dir", folder, "--data-dir", "/else") as pid:
        assert isinstance(ask(pid), HqStopped)


@linux_only
@pytest.mark.parametrize("words", [["--data-dir", "/else"], ["--data-dir=/else"], []])
def test_the_hq_of_another_folder_is_not_ours(ask: Any, words: list[str], tmp_path: Path) -> None:
    with process("gateway", *words, HOME=str(tmp_path)) as pid:
        state = ask(pid)
    assert isinstance(state, HqStopped)
    assert "has another data folder" in state.why


@linux_only
@pytest.mark.parametrize("dash_home", ["", "  ", "dash"])
def test_without_data_dir_it_is_the_default_folder_of_the_process(ask: Any, dash_home: str, tmp_path: Path) -> None:
    default = tmp_path / ("dash/gateway" if dash_home == "dash" else ".dash/gateway")
    variable = f" {tmp_path}/dash " if dash_home == "dash" else dash_home
    with process("gateway", HOME=str(tmp_path), DASH_HOME=variable) as pid:
        assert isinstance(ask(pid, str(default)), HqRunning)
        assert isinstance(ask(pid), HqStopped)


@linux_only
def test_a_second_hq_that_the_address_does_not_name_cannot_be_told(ask: Any, folder: str) -> None:
    with process("gateway", "--data-dir", "/else") as named, process("gateway", "--data-dir", folder) as ours:
        state = ask(named)
    assert isinstance(state, HqUnknown)
    assert f"process {ours} was started with this --data-dir" in state.why


@linux_only
def test_a_process_that_is_no_hq_tells_nothing(ask: Any) -> None:
    with subprocess.Popen(["/bin/sleep", "60"]) as child:
        state = ask(child.pid)
        child.kill()
    assert isinstance(state, HqUnknown)


@pytest.mark.parametrize("pid", [None, "12", 0, -1, True, 1.5, 2**40])
def test_a_pid_that_names_no_process_tells_nothing(ask: Any, pid: Any) -> None:
    assert isinstance(ask(pid), HqUnknown)


@pytest.mark.parametrize(
    "health",
    [(200, "<html>it works</html>"), (200, "[1]"), (200, "{"), (503, '{"pid": 1}'), (200, '{"a":1}' + " " * (1 << 20))],
)
@pytest.mark.parametrize("given", [True, False])
def test_what_does_not_answer_as_an_hq_tells_nothing(
    hq: Hq, folder: str, env: Env, monkeypatch: pytest.MonkeyPatch, health: tuple[int, str], given: bool
) -> None:
    monkeypatch.setattr(hq_api, "DEFAULT_URL", hq.url)
    hq.health = health
    assert isinstance(find_hq(folder, HqAddress(hq.url, None) if given else None, env), HqUnknown)


@pytest.mark.parametrize("slash", ["", "/"])
def test_an_address_in_the_settings_is_enough(hq: Hq, folder: str, env: Env, slash: str) -> None:
    hq.health = (200, "{}")
    assert find_hq(folder, HqAddress(hq.url + slash, None), env) == HqRunning(hq.url, TOKEN)
    assert "authorization" not in hq.requests[0][2]


def test_a_redirect_is_not_followed(hq: Hq, folder: str, env: Env) -> None:
    def redirect(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(f"HTTP/1.1 302 Found\r\nLocation: {hq.url}/health\r\nContent-Length: 0\r\n\r\n".encode())

    with raw_server(redirect) as url:
        assert isinstance(find_hq(folder, HqAddress(url, None), env), HqUnknown)
    assert hq.requests == []


def test_no_proxy_is_used(hq: Hq, folder: str, env: Env, closed_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, closed_url)
    assert isinstance(find_hq(folder, HqAddress(hq.url, None), env), HqRunning)


def hang(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.recv(65536)  # until the other side hangs up


def dribble_headers(connection: socket.socket) -> None:
    for char in b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 1000:
        connection.sendall(bytes([char]))
        time.sleep(0.05)


def dribble_body(connection: socket.socket) -> None:
    connection.sendall(b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"pid": 1, "x": "')
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


@pytest.mark.parametrize("talk", [hang, dribble_headers, dribble_body])
def test_the_whole_question_takes_no_longer_than_its_time_out(
    talk: Callable[[socket.socket], None], folder: str, env: Env
) -> None:
    with raw_server(talk) as url:
        began = time.monotonic()
        state = find_hq(folder, HqAddress(url, None), env, timeout=0.3)
        assert time.monotonic() - began < 3
    assert state == HqUnknown(f"what listens at {url} did not answer within 0.3 seconds")


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-x\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"])
def test_half_an_answer_tells_nothing_even_if_the_half_is_json(answer: bytes, folder: str, env: Env) -> None:
    def talk(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(answer)

    with raw_server(talk) as url:
        assert isinstance(find_hq(folder, HqAddress(url, None), env), HqUnknown)


@pytest.mark.parametrize("given", [True, False])
def test_it_is_stopped_if_nothing_listens(
    folder: str, env: Env, closed_url: str, monkeypatch: pytest.MonkeyPatch, given: bool
) -> None:
    monkeypatch.setattr(hq_api, "DEFAULT_URL", closed_url)
    state = find_hq(folder, HqAddress(closed_url, None) if given else None, env)
    assert state == HqStopped(f"nothing listens at {closed_url}")


@linux_only
def test_a_process_of_the_folder_that_listens_elsewhere_cannot_be_told(
    folder: str, env: Env, closed_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hq_api, "DEFAULT_URL", closed_url)
    with process("DashSquad", "--data-dir", folder) as pid:
        state = find_hq(folder, HqAddress(None, None), env)
    assert isinstance(state, HqUnknown)
    assert state.why == f"process {pid} was started with this --data-dir, but does not answer at {closed_url}"
    assert state.hint is not None
    assert f'[hq."{folder}"] url' in state.hint


@linux_only
def test_a_process_that_only_names_the_folder_is_no_hq(
    folder: str, env: Env, closed_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hq_api, "DEFAULT_URL", closed_url)
    with process("backup", "--data-dir", folder, "gateway"), process("gateway", folder):
        assert isinstance(find_hq(folder, None, env), HqStopped)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://127.0.0.1",
        "127.0.0.1:9300",
        "http://",
        "http://127.0.0.1:port",
        "http://a b/",
        "http://127.0.0.1/\n",
        "http://[::1",
    ],
)
def test_an_address_that_is_no_http_url_is_a_configuration_error(url: str, folder: str, env: Env) -> None:
    with pytest.raises(ConfigError):
        find_hq(folder, HqAddress(url, None), env)


def test_a_password_in_an_address_is_refused_and_not_repeated(folder: str, env: Env) -> None:
    with pytest.raises(ConfigError) as caught:
        find_hq(folder, HqAddress(f"http://me:{TOKEN}@127.0.0.1:1/", None), env)
    assert TOKEN not in caught.value.message


# --- the processes that only ps can show ---


def line_of_ps(line: str, **variables: str) -> Any:
    return hq_process.Process(tuple(line.split(" ")), exact=False, cwd=None, vars=variables or None, uid=None)


@pytest.mark.parametrize(
    ("line", "serves"),
    [
        ("node gateway.js --data-dir {folder}", True),
        ("node gateway.js --data-dir={folder} --management-port 9300", True),
        ("node gateway.js --data-dir {folder}s", False),
        ("node gateway.js --data-dir /else where", False),
        ("node gateway.js --data-dir data", None),
        ("node gateway.js", False),
        ("node server.js", None),
    ],
)
def test_a_line_of_ps_tells_the_folder_also_with_blanks_in_it(
    line: str, serves: bool | None, folder: str, env: Env
) -> None:
    assert hq_process.serves(line_of_ps(line.format(folder=folder)), folder, env) is serves


def test_without_the_variables_of_a_process_ours_name_the_default_folder(env: Env, tmp_path: Path) -> None:
    default = str(tmp_path / "home/.dash/gateway")
    assert hq_process.serves(line_of_ps("gateway"), default, env) is True
    assert hq_process.serves(line_of_ps("gateway"), default, env._replace(vars={"DASH_HOME": "/else"})) is False
    assert hq_process.serves(line_of_ps("gateway")._replace(uid=env.uid + 1), default, env) is None


def test_ps_shows_a_process(folder: str, env: Env) -> None:
    with process("gateway", "--data-dir", folder) as pid:
        found = hq_process.process_of_ps(pid, 10)
        assert found is not None
        assert hq_process.serves(found, folder, env) is True
    assert hq_process.process_of_ps(2**22 + 1, 10) is None


# --- the token ---


def test_the_token_file_wins_over_the_environment(hq: Hq, folder: str, env: Env, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f" {TOKEN}\n")
    file.chmod(0o600)
    other = env._replace(vars={hq_api.TOKEN_VARIABLE: "other"}, home=str(tmp_path))
    for path in (str(file), "~/token"):
        assert find_hq(folder, HqAddress(hq.url, path), other) == HqRunning(hq.url, TOKEN)


@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [
        (TOKEN, 0o640, "others can read"),
        (TOKEN, 0o604, "others can read"),
        ("\n", 0o600, "is empty"),
        (TOKEN + " " + TOKEN, 0o600, "has a character that no token has"),
        (TOKEN + "\né", 0o600, "has a character that no token has"),
        (None, 0o600, "cannot read"),
    ],
)
def test_a_token_file_that_cannot_be_used_is_a_configuration_error(
    hq: Hq, folder: str, env: Env, tmp_path: Path, content: str | None, mode: int, words: str
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_text(content, encoding="utf-8")
        file.chmod(mode)
    with pytest.raises(ConfigError) as caught:
        find_hq(folder, HqAddress(hq.url, str(file)), env)
    assert words in caught.value.message
    assert TOKEN not in caught.value.message


def test_a_token_file_is_a_regular_file_with_an_absolute_path(hq: Hq, folder: str, env: Env, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo", 0o600)
    for path in (str(tmp_path), str(tmp_path / "fifo"), "fifo"):
        with pytest.raises(ConfigError):
            find_hq(folder, HqAddress(hq.url, path), env)


def test_a_token_shows_in_no_representation(hq: Hq) -> None:
    running = HqRunning(hq.url, TOKEN)
    for shown in (repr(running), str(running), f"{running}", repr(HqApi(running)), repr([running])):
        assert TOKEN not in shown


# --- the memory settings ---


@pytest.fixture
def api(hq: Hq) -> HqApi:
    return HqApi(HqRunning(hq.url, TOKEN))


def test_the_settings_of_an_agent_are_read(api: HqApi, hq: Hq) -> None:
    assert api.get_memory_config("1a2b3c4d") == (True, "auto")
    assert hq.requests[0][:2] == ("GET", "/agents/1a2b3c4d/memory/config")


def test_an_odd_sweep_mode_is_read_as_the_hq_has_it(api: HqApi, hq: Hq) -> None:
    hq.agents["1a2b3c4d"]["sweep"] = None
    assert api.get_memory_config("1a2b3c4d") == (True, "null")


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ({"enabled": False}, (False, "auto")),
        ({"sweep": "off"}, (True, "off")),
        ({"enabled": False, "sweep": "on"}, (False, "on")),
        ({}, (True, "auto")),
    ],
)
def test_only_what_is_given_is_changed(api: HqApi, hq: Hq, change: dict[str, Any], after: tuple[bool, str]) -> None:
    assert api.set_memory_config("1a2b3c4d", **change) == after
    assert hq.agents["1a2b3c4d"] == {"enabled": after[0], "sweep": after[1]}


def test_an_id_is_one_segment_of_the_path(api: HqApi, hq: Hq) -> None:
    hq.agents["a/../ü?#%"] = {"enabled": False, "sweep": "on"}
    assert api.get_memory_config("a/../ü?#%") == (False, "on")


@pytest.mark.parametrize("agent_id", ["unknown", "", ".", "..", "\ud800", "1a2b3c4d\r\nX: y"])
def test_an_agent_that_the_hq_does_not_know_is_not_found(api: HqApi, hq: Hq, agent_id: str) -> None:
    with pytest.raises(NotFound) as caught:
        api.set_memory_config(agent_id, enabled=False)
    assert caught.value.message == f"the HQ at {hq.url} knows no agent '{agent_id}'"


def test_without_a_token_it_is_a_configuration_error(hq: Hq) -> None:
    with pytest.raises(ConfigError) as caught:
        HqApi(HqRunning(hq.url, None)).get_memory_config("1a2b3c4d")
    assert "MEMCTL_HQ_TOKEN" in str(caught.value.hint)
    assert hq.requests == []


def test_a_wrong_token_is_a_configuration_error(hq: Hq) -> None:
    with pytest.raises(ConfigError) as caught:
        HqApi(HqRunning(hq.url, "wrong")).get_memory_config("1a2b3c4d")
    assert caught.value.message == f"the HQ at {hq.url} refused the token"


def test_the_sentence_of_the_hq_is_given_verbatim(api: HqApi) -> None:
    with pytest.raises(InvalidInput) as caught:
        api.set_memory_config("1a2b3c4d", sweep="sometimes")
    assert caught.value.message == "sweep must be auto, on or off"


DOUBT = "it is not known whether agent '1a2b3c4d' was changed"


@pytest.mark.parametrize(
    ("status", "body", "doubt"),
    [
        (503, '{"error":"busy"}', True),
        (500, "", True),
        (400, "<html>", False),
        (400, '{"error":3}', False),
        (302, "", False),
        (409, "{}", False),
        (200, "<html>", True),
        (200, "[true]", True),
        (200, "{}", True),
        (200, '{"enabled":"no","sweep":"off"}', True),
        (200, '{"enabled":false}', True),
    ],
)
def test_every_other_answer_is_busy_and_says_if_the_change_is_in_doubt(
    api: HqApi, hq: Hq, status: int, body: str, doubt: bool
) -> None:
    hq.override = (status, body, {"Location": f"{hq.url}/health"})
    with pytest.raises(Busy) as caught:
        api.set_memory_config("1a2b3c4d", enabled=False)
    assert (DOUBT in caught.value.message) is doubt
    with pytest.raises(Busy) as caught:
        api.get_memory_config("1a2b3c4d")
    assert DOUBT not in caught.value.message
    assert len(hq.requests) == 2


def test_an_answer_with_other_values_than_asked_is_busy(api: HqApi, hq: Hq) -> None:
    hq.override = (200, '{"enabled":true,"sweep":"off"}', {})
    assert api.set_memory_config("1a2b3c4d", sweep="off") == (True, "off")
    with pytest.raises(Busy):
        api.set_memory_config("1a2b3c4d", enabled=False)


@pytest.mark.parametrize("talk", [hang, dribble_headers, dribble_body, lambda connection: connection.recv(65536)])
def test_a_lost_answer_to_a_change_is_in_doubt(talk: Callable[[socket.socket], None]) -> None:
    with raw_server(talk) as url, pytest.raises(Busy) as caught:
        HqApi(HqRunning(url, TOKEN), timeout=0.3).set_memory_config("1a2b3c4d", enabled=False)
    assert DOUBT in caught.value.message


def test_an_hq_that_stopped_in_between_changed_nothing(closed_url: str) -> None:
    with pytest.raises(Busy) as caught:
        HqApi(HqRunning(closed_url, TOKEN)).set_memory_config("1a2b3c4d", enabled=False)
    assert caught.value.message == f"the HQ at {closed_url} does not run any more, nothing was changed"


def test_no_error_shows_the_token(api: HqApi, hq: Hq) -> None:
    errors: list[MemctlError] = []
    for status, body in ((500, TOKEN), (400, "x"), (200, TOKEN)):
        hq.override = (status, body, {})
        with pytest.raises(MemctlError) as caught:
            api.set_memory_config("1a2b3c4d", enabled=False)
        errors.append(caught.value)
    assert not any(TOKEN in f"{error!r} {error.message} {error.hint}" for error in errors)
