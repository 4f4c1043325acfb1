"""What is let pass by its fingerprint."""

from __future__ import annotations

import pytest

from memctl.core.checks.allows import Allow, allows, is_fingerprint, without_allowed
from memctl.core.checks.rule import Finding, Severity

ONE, TWO = "0123456789abcdef", "fedcba9876543210"


def finding(fingerprint: str, file: str = "a.md") -> Finding:
    return Finding("N004", Severity.ERROR, file, "", "", fingerprint=fingerprint)


@pytest.mark.parametrize(
    ("word", "good"),
    [(ONE, True), (ONE[:8], True), (ONE[:7], False), (ONE + "0", False), ("0123456G", False), ("", False)],
)
def test_a_fingerprint_has_8_to_16_digits(word: str, good: bool) -> None:
    assert is_fingerprint(word) is good


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("allow me", []),
        (f"<!-- memctl: allow {ONE} -->", [Allow(ONE, 1, 20)]),
        (f"a\n\n<!-- memctl: allow {ONE}, {TWO[:8]} -->\n", [Allow(ONE, 3, 20), Allow(TWO[:8], 3, 38)]),
        (f"# memctl: allow {ONE}", [Allow(ONE, 1, 17)]),
        (f"memctl: allow {ONE}\nmemctl: allow {TWO}", [Allow(ONE, 1, 15), Allow(TWO, 2, 15)]),
        (f"memctl: allow {ONE} memctl: allow {TWO}\n", [Allow(ONE, 1, 15), Allow(TWO, 1, 46)]),
        (f"x\nx memctl: allow {ONE}\n\n memctl: allow {TWO}", [Allow(ONE, 2, 17), Allow(TWO, 4, 16)]),
        (f"memctl: allow\n{ONE}", []),
        (f"memctl: allow all {ONE}", []),
        (f"memctl: allow {ONE}ff", []),
        ("memctl: allow 012345", []),
        ("memctl: allow", []),
        (f"memctl: allow {ONE} because {TWO}", [Allow(ONE, 1, 15)]),
    ],
)
def test_a_comment_allows(text: str, found: list[Allow]) -> None:
    assert list(allows(text)) == found


@pytest.mark.parametrize("between", [" ", "\nmemctl: allow ", " memctl: allow "])
def test_many_comments_take_no_longer_than_they_are_long(between: str) -> None:
    assert sum(1 for _ in allows(f"memctl: allow {between.join([ONE] * 50_000)}")) == 50_000


def test_a_comment_counts_in_its_own_file_alone() -> None:
    texts = {"a.md": f"memctl: allow {ONE}", "b.md": "no"}
    passed = without_allowed([finding(ONE), finding(ONE, "b.md"), finding(ONE, "")], (), texts.get)
    assert ([one.file for one in passed.kept], passed.total, passed.used) == (["b.md", ""], 1, {ONE})


def test_the_settings_count_for_each_file() -> None:
    passed = without_allowed([finding(ONE), finding(ONE, ""), finding(TWO)], [ONE[:8]], None)
    assert ([one.fingerprint for one in passed.kept], passed.total, passed.used) == ([TWO], 2, {ONE[:8]})


def test_comments_do_not_count_without_texts() -> None:
    assert without_allowed([finding(ONE)], (), None).total == 0


def test_each_word_that_lets_pass_is_used() -> None:
    passed = without_allowed([finding(ONE)], [ONE, TWO], {"a.md": f"memctl: allow {ONE[:9]}"}.get)
    assert passed.used == {ONE, ONE[:9]}
