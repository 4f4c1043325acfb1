"""A baseline: what it holds, what it lets pass, and what is no baseline."""

from __future__ import annotations

import json

import pytest

from memctl.core.checks.baseline import (
    Baseline,
    Entry,
    Scope,
    entry_of,
    place_of,
    read,
    renewed,
    sift,
    written,
)
from memctl.core.checks.rule import Finding, Severity
from memctl.errors import InvalidInput

SALT = "0123456789abcdef" * 2
A, B = Entry("memory/a", "x.md", "F001", "1111"), Entry("memory/b", "", "I001", "2222")


def finding(file: str = "x.md", fingerprint: str = "1111", line: int = 1, rule: str = "F001") -> Finding:
    return Finding(rule, Severity.WARNING, file, "message", "evidence", line, fingerprint=fingerprint)


@pytest.mark.parametrize(
    ("address", "path", "place"),
    [
        ("1a2b", "/repo/memory/1a2b", "memory/1a2b"),
        ("/repo/memory/1a2b", "/repo/memory/1a2b", "memory/1a2b"),
        ("1a2b", "/home/x/.dash/gateway/memory/1a2b", "1a2b"),
        ("@user", "/home/x/.deepseek/memory.md", "@user"),
        ("", "/elsewhere/agents.json", "/elsewhere/agents.json"),
        ("1a2b", "/repository/1a2b", "1a2b"),
    ],
)
def test_a_place_is_the_same_on_each_machine(address: str, path: str, place: str) -> None:
    assert place_of(address, path, "/repo") == place


def test_the_root_is_a_folder_as_others_are() -> None:
    assert place_of("1a2b", "/memory/1a2b", "/") == "memory/1a2b"


def test_what_is_written_can_be_read_and_has_a_line_for_each_finding() -> None:
    baseline = Baseline(SALT, (B, A, A))
    text = written(baseline).decode()
    assert text == (
        f'{{\n "baseline": 1,\n "salt": "{SALT}",\n "findings": [\n'
        '  {"store": "memory/a", "file": "x.md", "rule": "F001", "fingerprint": "1111"},\n'
        '  {"store": "memory/a", "file": "x.md", "rule": "F001", "fingerprint": "1111"},\n'
        '  {"store": "memory/b", "file": "", "rule": "I001", "fingerprint": "2222"}\n ]\n}\n'
    )
    assert read(text, "f") == Baseline(SALT, (A, A, B))


def test_an_empty_baseline_can_be_read() -> None:
    empty = Baseline(SALT, ())
    assert read(written(empty).decode(), "f") == empty


@pytest.mark.parametrize("name", ["line\nend.md", "\udcff.md", "grün 🎉.md", '"quoted".md'])
def test_any_name_comes_back(name: str) -> None:
    baseline = Baseline(SALT, (A._replace(file=name),))
    assert read(written(baseline).decode("ascii"), "f") == baseline


def test_the_key_is_the_salt() -> None:
    assert Baseline(SALT, ()).key == bytes.fromhex(SALT)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "no object with a key 'baseline'"),
        ('{"findings": []}', "no object with a key 'baseline'"),
        ('{"baseline": 1, "findings": []}', "its salt is no even number of hexadecimal digits, at least 32"),
        (
            '{"baseline": 1, "salt": "ab", "findings": []}',
            "its salt is no even number of hexadecimal digits, at least 32",
        ),
        (
            f'{{"baseline": 1, "salt": "{SALT}0", "findings": []}}',
            "its salt is no even number of hexadecimal digits, at least 32",
        ),
        (
            f'{{"baseline": 1, "salt": "{SALT}ZZ", "findings": []}}',
            "its salt is no even number of hexadecimal digits, at least 32",
        ),
        (f'{{"baseline": 1, "salt": "{SALT}"}}', "it has no list 'findings'"),
        (
            f'{{"baseline": 1, "salt": "{SALT}", "findings": [1]}}',
            "finding 1 has not the texts store, file, rule, fingerprint",
        ),
        (
            json.dumps({"baseline": 1, "salt": SALT, "findings": [A._asdict(), A._asdict() | {"rule": 1}]}),
            "finding 2 has not the texts store, file, rule, fingerprint",
        ),
    ],
)
def test_what_is_no_baseline_is_said_to_be_none(text: str, why: str) -> None:
    with pytest.raises(InvalidInput) as error:
        read(text, "/f")
    assert error.value.message == f"'/f' is no baseline: {why}"
    assert error.value.hint is not None
    assert "--write-baseline" in error.value.hint


def test_a_baseline_of_another_version_is_not_taken_for_one_of_this() -> None:
    with pytest.raises(InvalidInput, match="another version of memctl \\(2\\)"):
        read('{"baseline": 2}', "/f")


def test_what_is_in_the_baseline_is_not_new_wherever_it_moved() -> None:
    assert sifted([finding(line=9)], "memory/a", [A]) == ([], [])


@pytest.mark.parametrize(
    ("one", "place"),
    [
        (finding(fingerprint="9999"), "memory/a"),
        (finding(file="y.md"), "memory/a"),
        (finding(rule="F002"), "memory/a"),
        (finding(), "memory/b"),
    ],
)
def test_another_rule_file_store_or_fingerprint_is_new(one: Finding, place: str) -> None:
    assert sifted([one], place, [A]) == ([one], [A])


def test_an_entry_answers_for_one_finding() -> None:
    three = [finding(line=line) for line in (1, 2, 3)]
    assert sifted(three, "memory/a", [A, A]) == ([three[2]], [])
    assert sifted(three[:1], "memory/a", [A, A]) == ([], [A])


def test_the_fingerprints_are_those_of_the_baselines_key() -> None:
    assert sift([finding(fingerprint="9999")], "memory/a", [A], lambda _: "1111") == ([], [])


@pytest.mark.parametrize(
    ("files", "rules", "there"),
    [
        (None, {"F001"}, True),
        (frozenset({"x.md"}), {"F001"}, True),
        (frozenset({"y.md"}), {"F001"}, False),
        (None, {"F002"}, False),
    ],
)
def test_a_run_could_have_met_what_it_looked_at(files: frozenset[str] | None, rules: set[str], *, there: bool) -> None:
    assert Scope(files, frozenset(rules)).has(A) is there


@pytest.mark.parametrize(
    ("rules", "kept"), [({"F001", "I001"}, (B,)), ({"I001"}, (A, B))], ids=["looked at", "another rule"]
)
def test_a_new_baseline_keeps_what_the_run_did_not_look_at(rules: set[str], kept: tuple[Entry, ...]) -> None:
    new = entry_of(finding(), "memory/a", "3333")
    looked = {"memory/a": Scope(None, frozenset(rules))}
    assert renewed(Baseline(SALT, (A, B)), [new], looked) == Baseline(SALT, tuple(sorted([*kept, new])))


def sifted(findings: list[Finding], place: str, entries: list[Entry]) -> tuple[list[Finding], list[Entry]]:
    return sift(findings, place, entries, lambda one: one.fingerprint)
