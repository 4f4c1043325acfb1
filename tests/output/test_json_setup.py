"""The keys of JSON are a contract: they are only ever added to."""

from __future__ import annotations

from memctl.disk.settings import Value
from memctl.output import json_setup


def test_settings() -> None:
    assert json_setup.settings([("roots", Value(("/a",), "flag"))]) == {
        "settings": [{"key": "roots", "value": ("/a",), "origin": "flag"}]
    }
