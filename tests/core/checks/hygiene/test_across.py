"""What is said twice across the stores of a run."""

from __future__ import annotations

import pickle

from memctl.core.checks.engine import check_across
from memctl.core.checks.hygiene.repeats import digest
from memctl.core.checks.rule import Finding
from memctl.core.checks.subject import Subject
from tests.core.checks.subjects import EVERY, a_memory, a_subject, user_memory

RELAY = "The relay of the office is in Oslo, beside the archive."


def store(address: str, **contents: str) -> Subject:
    files = {f"{name}.md": a_memory(name, content=content) for name, content in contents.items()}
    return a_subject(files)._replace(address=address, path=f"/hq/memory/{address}")


def across(*subjects: Subject, on: tuple[str, ...] = ("H001", "H002")) -> list[Finding]:
    digests = pickle.loads(pickle.dumps([digest(subject) for subject in subjects]))
    return check_across(digests, EVERY._replace(enabled=frozenset(on)))


def test_a_copy_in_another_store_is_told_on_both_sides_with_an_address() -> None:
    one, two = across(store("aaaa", a=RELAY), store("bbbb", b=RELAY.upper()))
    assert (one.rule, one.store, one.path, one.file, one.line) == ("H001", "aaaa", "/hq/memory/aaaa/a.md", "a.md", 9)
    assert (one.message, one.related) == ("it says the same as 'bbbb/b'", ("bbbb/b",))
    assert two.message == "it says the same as 'aaaa/a'"
    assert one.fingerprint != two.fingerprint != ""


def test_what_is_near_in_another_store_is_told() -> None:
    one, _ = across(store("aaaa", a=RELAY), store("bbbb", b=RELAY.replace("Oslo,", "Oslo now")))
    assert one.rule == "H002"
    assert one.message.startswith("it says nearly the same as 'bbbb/b': 9")


def test_copies_within_a_store_are_not_told_again() -> None:
    assert across(store("aaaa", a=RELAY, b=RELAY, c=RELAY.replace(",", ""))) == []


def test_a_note_that_an_agent_has_too_is_told_with_its_number() -> None:
    one, two = across(store("aaaa", a=RELAY), user_memory(f"- short\n- {RELAY}\n"))
    assert (one.related, two.related) == (("@user/2",), ("aaaa/a",))
    assert (two.path, two.line) == ("/home/ada/.deepseek/memory.md", 2)


def test_short_texts_are_alike_by_chance() -> None:
    assert across(store("aaaa", a="see above"), store("bbbb", b="see above")) == []


def test_a_short_text_without_blanks_says_more() -> None:
    assert len(across(store("aaaa", a="用简体中文"), store("bbbb", b="用简体中文"))) == 2


def test_only_rules_that_are_on_are_run() -> None:
    stores = store("aaaa", a=RELAY), store("bbbb", b=RELAY)
    assert across(*stores, on=("H002",)) == []
    assert across(*stores, on=("P001",)) == []


def test_a_severity_of_the_settings_holds() -> None:
    digests = [digest(store("aaaa", a=RELAY)), digest(store("bbbb", b=RELAY))]
    found = check_across(digests, EVERY._replace(severities=(("H001", "error"),)))
    assert {finding.severity for finding in found} == {"error"}


def test_what_differs_in_a_value_from_another_store_is_no_near_duplicate() -> None:
    one, other = RELAY.replace("Oslo", "hall 2"), RELAY.replace("Oslo", "hall 3")
    assert across(store("aaaa", a=one), store("bbbb", b=other)) == []
