"""The keys of JSON are a contract: they are only ever added to."""

from __future__ import annotations

import json as standard

import pytest

from memctl.core.memory import MemoryType
from memctl.errors import Busy, ConfigError, NotFound, SeveralErrors
from memctl.output import json


def test_the_head() -> None:
    assert json.head("1.2", "here", "list") == {"schema": 1, "memctl": "1.2", "host": "here", "command": "list"}


def test_errors_are_code_message_path_and_hint() -> None:
    assert json.error_list([NotFound("no agent 'x'", path="/p", hint="memctl list")]) == [
        {"code": "not-found", "message": "no agent 'x'", "path": "/p", "hint": "memctl list"}
    ]


def test_several_errors_in_one_are_each_of_them() -> None:
    both = SeveralErrors([Busy("one"), ConfigError("two")])
    assert [error["code"] for error in json.error_list([both, NotFound("three")])] == ["busy", "config", "not-found"]


def test_characters_stay_as_they_are() -> None:
    assert json.dumps({"a": "größe 東京"}) == '{"a": "größe 東京"}'


@pytest.mark.parametrize("text", ["bad\udcff", "half\ud83d"])
def test_what_utf_8_does_not_have_is_escaped(text: str) -> None:
    written = json.dumps({"a": text})
    assert (written.isascii(), standard.loads(written)) == (True, {"a": text})


def test_types_and_sources_are_texts() -> None:
    assert json.dumps([MemoryType.USER]) == '["user"]'
