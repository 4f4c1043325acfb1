"""Whether an HQ runs for a data folder, and the memory settings of its HTTP API."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from memctl.core.env import Env
from memctl.core.text import trim
from memctl.disk.hq_process import other_process, process_of, serves
from memctl.disk.registry import sweep_text
from memctl.errors import Busy, ConfigError, InvalidInput, NotFound

if TYPE_CHECKING:
    from http.client import HTTPConnection

DEFAULT_URL = "http://127.0.0.1:9300"  # spec/hq.md 14
TOKEN_VARIABLE = "MEMCTL_HQ_TOKEN"
_MOST_BYTES = 1 << 20  # of an answer; an HQ's are far smaller


class HqAddress(NamedTuple):
    """What the settings say in `[hq."DIR"]` about the HQ of a data folder."""

    url: str | None
    token_file: str | None


class HqStopped(NamedTuple):
    """No HQ runs for the data folder, so its registry file may be changed."""

    why: str


class HqRunning(NamedTuple):
    """The HQ of the data folder answers at `url`; `token` is None if none is set."""

    url: str
    token: str | None

    def __repr__(self) -> str:
        return f"HqRunning(url={self.url!r}, token={'set' if self.token else None})"


class HqUnknown(NamedTuple):
    """It cannot be told whether an HQ runs for the data folder, so nothing may be changed."""

    why: str
    hint: str | None = None


HqState: TypeAlias = HqStopped | HqRunning | HqUnknown


def find_hq(data_folder: str, address: HqAddress | None, env: Env, *, timeout: float = 2.0) -> HqState:
    """Return whether an HQ runs for a data folder (DESIGN 4.8); `timeout` is in seconds, for the whole question.

    An HQ runs for it if the process that `/health` names was started with that `--data-dir`, or if the
    settings give its address and it answers there. Raises ConfigError for an address that is no http URL and,
    where the HQ runs, for a token file that cannot be used.
    """
    given = address.url if address else None
    url = (given or DEFAULT_URL).rstrip("/")
    target = _target(url)
    hint = f'give the address of its HQ in the settings: [hq."{data_folder}"] url = "http://127.0.0.1:PORT"'
    try:
        answer = _exchange(target, "GET", "/health", {}, None, timeout)
    except ConnectionRefusedError:
        if not given and (pid := other_process(data_folder, env)):
            return HqUnknown(
                f"process {pid} was started with this --data-dir, but does not answer at {url}",
                hint,
            )
        return HqStopped(f"nothing listens at {url}")
    except _NoAnswerError as error:
        return HqUnknown(f"what listens at {url} {error}")
    health = _json_object(answer) if answer.status == 200 else None
    if health is None:
        return HqUnknown(f"what listens at {url} does not answer as an HQ does", hint)
    if given:
        return HqRunning(url, _token(address, env))
    pid = health.get("pid")
    if type(pid) is not int or pid <= 0:
        return HqUnknown(f"the HQ at {url} does not name its process", hint)
    process = process_of(pid, timeout)
    known = None if process is None else serves(process, data_folder, env)
    if known is None:
        return HqUnknown(f"the data folder of process {pid}, which the HQ at {url} names, cannot be told", hint)
    if known:
        return HqRunning(url, _token(address, env))
    if other := other_process(data_folder, env):
        return HqUnknown(
            f"process {other} was started with this --data-dir, but at {url} another HQ answers",
            hint,
        )
    return HqStopped(f"the HQ at {url} (process {pid}) has another data folder")


class HqApi:
    """The memory settings of the agents of a running HQ; `timeout` is in seconds, for each request as a whole."""

    def __init__(self, hq: HqRunning, *, timeout: float = 10.0) -> None:
        self.url = hq.url
        self._token = hq.token
        self._timeout = timeout

    def __repr__(self) -> str:
        return f"HqApi({self.url!r})"

    def get_memory_config(self, agent_id: str) -> tuple[bool, str]:
        """Return whether automatic memory is on, and the sweep mode as the HQ has it (odd values too).

        Raises ConfigError without a token or with a wrong one, NotFound for an agent that the HQ does not
        know, Busy for everything else that is no answer.
        """
        return self._config(agent_id, "GET", {})

    def set_memory_config(
        self, agent_id: str, *, enabled: bool | None = None, sweep: str | None = None
    ) -> tuple[bool, str]:
        """Change what is given, and return both values as the HQ has them then.

        Raises as `get_memory_config`, and InvalidInput with the HQ's own sentence for a value that it
        refuses. Busy says so where it is not known whether the HQ made the change.
        """
        wanted: dict[str, bool | str] = {}
        if enabled is not None:
            wanted["enabled"] = enabled
        if sweep is not None:
            wanted["sweep"] = sweep
        if not wanted:
            return self.get_memory_config(agent_id)
        result = self._config(agent_id, "PATCH", wanted)
        if any(wanted[key] != now for key, now in zip(("enabled", "sweep"), result, strict=True) if key in wanted):
            raise Busy(f"the HQ at {self.url} answers with other values than asked for agent '{agent_id}'")
        return result

    def _config(self, agent_id: str, method: str, wanted: Mapping[str, bool | str]) -> tuple[bool, str]:
        import json

        if not self._token:
            raise ConfigError(
                f"an HQ runs at {self.url}, and there is no token for it",
                hint=f"set {TOKEN_VARIABLE}, or token_file in the settings, to the --token that it was started with",
            )
        headers = {"Authorization": f"Bearer {self._token}"}
        body = None
        if method == "PATCH":
            headers["Content-Type"] = "application/json"
            body = json.dumps(wanted).encode()
        path = self._path(agent_id)
        doubt = f"; it is not known whether agent '{agent_id}' was changed" if body else ""
        try:
            answer = _exchange(_target(self.url), method, path, headers, body, self._timeout)
        except ConnectionRefusedError:
            raise Busy(f"the HQ at {self.url} does not run any more, nothing was changed") from None
        except _NoAnswerError as error:
            raise Busy(f"the HQ at {self.url} {error}{doubt}") from None
        result = _json_object(answer)
        if answer.status != 200:
            raise self._refusal(agent_id, answer.status, result, doubt)
        enabled = result.get("enabled") if result else None
        if not result or not isinstance(enabled, bool) or "sweep" not in result:
            raise Busy(f"the HQ at {self.url} gave an answer that is not to be understood{doubt}")
        return enabled, sweep_text(result["sweep"])

    def _path(self, agent_id: str) -> str:
        from urllib.parse import quote

        try:
            quoted = quote(agent_id, safe="")
        except UnicodeEncodeError:
            quoted = ""
        if quoted in ("", ".", ".."):  # servers take these out of a path
            raise self._unknown_agent(agent_id)
        return f"/agents/{quoted}/memory/config"

    def _unknown_agent(self, agent_id: str) -> NotFound:
        return NotFound(
            f"the HQ at {self.url} knows no agent '{agent_id}'",
            hint="an HQ reads agents.json once, at its start",
        )

    def _refusal(
        self, agent_id: str, status: int, body: Mapping[str, Any] | None, doubt: str
    ) -> ConfigError | NotFound | InvalidInput | Busy:
        if status == 401:
            return ConfigError(
                f"the HQ at {self.url} refused the token",
                hint=f"{TOKEN_VARIABLE}, or token_file in the settings, is to be the --token that it was started with",
            )
        if status == 404:
            return self._unknown_agent(agent_id)
        sentence = body.get("error") if body else None
        if status == 400 and isinstance(sentence, str) and sentence:
            return InvalidInput(sentence)
        return Busy(f"the HQ at {self.url} answers with status {status}{doubt if status >= 500 else ''}")


class _NoAnswerError(Exception):
    """There was no whole answer; the text continues a sentence that begins with who was asked."""


class _Target(NamedTuple):
    secure: bool
    host: str
    port: int | None
    prefix: str


class _Answer(NamedTuple):
    status: int
    body: bytes


def _target(url: str) -> _Target:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = None, None, None
    # A URL with a user in it could hold a password, so no sentence repeats a URL that is refused.
    if parts is None or not host or parts.scheme not in ("http", "https") or not url.isprintable() or " " in url:
        raise ConfigError("the url of an HQ in the settings is not an http URL", hint=f"like {DEFAULT_URL}")
    if parts.username is not None or parts.query or parts.fragment or not parts.path.isascii():
        raise ConfigError("the url of an HQ in the settings has more than host, port and path")
    return _Target(parts.scheme == "https", host, port, parts.path)


def _exchange(
    target: _Target, method: str, path: str, headers: Mapping[str, str], body: bytes | None, timeout: float
) -> _Answer:
    """Return the HQ's answer; no proxy is used, no redirect followed.

    Raises ConnectionRefusedError if nothing listens, _NoAnswerError for everything else. A socket's own
    time-out starts anew with each byte, so the exchange runs in a thread that is waited for only so long.
    """
    import threading
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    connection_class = HTTPSConnection if target.secure else HTTPConnection
    connection = connection_class(target.host, target.port, timeout=timeout)
    outcome: list[_Answer | Exception] = []
    sockets: list[Any] = []
    given_up = threading.Event()

    def ask() -> None:
        try:
            connection.connect()
            sockets.append(connection.sock)
            if given_up.is_set():
                raise TimeoutError  # a change must not be asked for behind the caller's back
            outcome.append(_ask(connection, method, target.prefix + path, headers, body))
        except (OSError, HTTPException, ValueError) as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(timeout)
    given_up.set()
    result = outcome[0] if outcome else TimeoutError()
    if isinstance(result, _Answer):
        return result
    for sock in sockets:
        _hang_up(sock)
    if isinstance(result, TimeoutError):
        raise _NoAnswerError(f"did not answer within {timeout:g} seconds")
    if isinstance(result, ConnectionRefusedError):
        raise result
    raise _NoAnswerError("did not give a whole answer")


def _ask(connection: HTTPConnection, method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> _Answer:
    from http.client import IncompleteRead

    connection.request(method, path, body, {"Accept": "application/json", "Connection": "close", **headers})
    with connection.getresponse() as response:
        data = response.read(_MOST_BYTES + 1)
        if response.length and len(data) <= _MOST_BYTES:  # read() with a size is silent about it
            raise IncompleteRead(b"")
        return _Answer(response.status, data)


def _hang_up(sock: Any) -> None:
    import socket

    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # the other side was faster


def _json_object(answer: _Answer) -> dict[str, Any] | None:
    import json

    if len(answer.body) > _MOST_BYTES:
        return None
    try:
        value = json.loads(answer.body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _token(address: HqAddress | None, env: Env) -> str | None:
    """Return the token; the file that the settings name wins over the environment."""
    if address is None or not address.token_file:
        return _checked_token(env.vars.get(TOKEN_VARIABLE, ""), f"the token in {TOKEN_VARIABLE}")
    path = address.token_file
    if path.startswith("~/") and env.home:
        path = os.path.join(env.home, path[2:])
    if not os.path.isabs(path):
        raise ConfigError(f"the token file '{path}' is not an absolute path", path=path)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(f"cannot read the token file '{path}': {reason}", path=path) from None
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise ConfigError(f"the token file '{path}' is not a regular file", path=path)
        if mode & 0o066:
            raise ConfigError(f"others can read the token file '{path}'", path=path, hint=f"chmod 600 '{path}'")
        data = os.read(descriptor, 1 << 16)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(f"cannot read the token file '{path}': {reason}", path=path) from None
    finally:
        os.close(descriptor)
    token = _checked_token(data.decode("utf-8", "replace"), f"the token in '{path}'")
    if token is None:
        raise ConfigError(f"the token file '{path}' is empty", path=path)
    return token


def _checked_token(raw: str, name: str) -> str | None:
    token = trim(raw)
    if not all("!" <= char <= "~" for char in token):
        raise ConfigError(f"{name} has a character that no token has")
    return token or None
