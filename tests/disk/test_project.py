"""What a pyproject.toml beside the memories says."""

from __future__ import annotations

from pathlib import Path

import pytest

from memctl.disk.project import find_project
from memctl.errors import ConfigError, MemctlError
from tests.stores import env_of, fill


def values(tmp_path: Path, directory: Path) -> dict[str, object] | None:
    found = find_project(str(directory), env_of(tmp_path))
    return None if found is None else dict(found.values)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b'[tool.memctl]\nselect = ["N"]\n', {"select": ["N"]}),
        (b'[tool.memctl.check]\nselect = ["N"]\n', {"select": ["N"]}),
        (
            b'[tool.memctl]\nselect = ["N"]\nnear = 1\n[tool.memctl.check]\nselect = ["F"]\n',
            {"select": ["F"], "near": 1},
        ),
        (b'tool.memctl.check.severities = {N = "info"}\n', {"severities": {"N": "info"}}),
        (b"[tool.memctl]\n", {}),
        (b"[tool.other]\n# memctl\n", None),
        (b"# memctl\n", None),
        (b"tool = 3\n# memctl\n", None),
        (b"broken [\n", None),
        (b"", None),
    ],
)
def test_the_table_is_that_of_memctl(tmp_path: Path, text: bytes, found: dict[str, object] | None) -> None:
    fill(tmp_path / "x", {"pyproject.toml": text})
    assert values(tmp_path, tmp_path / "x") == found


def test_the_nearest_one_with_a_table_counts(tmp_path: Path) -> None:
    fill(tmp_path / "a", {"pyproject.toml": b"[tool.memctl]\nnear = 1\n"})
    fill(tmp_path / "a/b", {"pyproject.toml": b"[tool.other]\n"})
    fill(tmp_path / "a/b/c", {})
    assert values(tmp_path, tmp_path / "a/b/c") == {"near": 1}


@pytest.mark.parametrize("top", ["a/b", "a/b/c"])
def test_the_top_of_a_checkout_is_the_last_one(tmp_path: Path, top: str) -> None:
    fill(tmp_path / "a", {"pyproject.toml": b"[tool.memctl]\nnear = 1\n"})
    (tmp_path / top / ".git").mkdir(parents=True)
    fill(tmp_path / "a/b/c", {})
    assert values(tmp_path, tmp_path / "a/b/c") is None


def test_the_home_directory_is_the_last_one(tmp_path: Path) -> None:
    fill(tmp_path, {"pyproject.toml": b"[tool.memctl]\nnear = 1\n"})
    fill(tmp_path / "home/x", {})
    assert values(tmp_path, tmp_path / "home/x") is None
    fill(tmp_path / "home", {"pyproject.toml": b"[tool.memctl]\nnear = 0.5\n"})
    assert values(tmp_path, tmp_path / "home/x") == {"near": 0.5}


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            b"[tool.memctl]\nselct = []\n",
            "unknown setting 'tool.memctl.selct' in '{path}'",
            "did you mean 'select'?",
        ),
        (
            b'[tool.memctl.check]\nfail_on = "eror"\n',
            "'tool.memctl.check.fail_on' in '{path}' must be 'error' or 'warning' or 'info' or 'never', not 'eror'",
            "did you mean 'error'?",
        ),
        (b"[tool]\nmemctl = 1\n", "'tool.memctl' in '{path}' must be a table", "[tool.memctl.check]"),
        (b"[tool.memctl]\ncheck = 1\n", "'tool.memctl.check' in '{path}' must be a table", "[tool.memctl.check]"),
        (
            b"memctl [\n",
            "'{path}' is not valid TOML: line 1, column 8: expected '=' after a key in a key/value pair",
            None,
        ),
    ],
)
def test_what_is_wrong_with_it_is_said(tmp_path: Path, text: bytes, message: str, hint: str | None) -> None:
    fill(tmp_path / "x", {"pyproject.toml": text})
    with pytest.raises(MemctlError) as caught:
        find_project(str(tmp_path / "x"), env_of(tmp_path))
    assert isinstance(caught.value, ConfigError)
    assert caught.value.message == message.format(path=tmp_path / "x/pyproject.toml")
    assert caught.value.hint == hint
