"""The engine: order, selection, excerpts and fingerprints."""

from __future__ import annotations

from memctl.core.checks.engine import check_store, fingerprint, finished
from memctl.core.checks.rule import Finding, FixKind, Severity, at_least
from memctl.core.checks.table import BY_CODE, BY_SLUG, DEFAULT, FAMILIES, RULES
from tests.core.checks.subjects import EVERY, a_memory, a_subject, an_item, codes, user_memory

BAD = {"b.md": "", "a.md": "---\ntype: todo\ntype: nope\n---\n", "c.md": a_memory("d")}


def test_findings_come_in_the_order_of_files_lines_and_codes() -> None:
    subject = a_subject(BAD, index=None, mode=0o777)
    places = [(finding.file, finding.line, finding.rule) for finding in check_store(subject, EVERY).findings]
    assert places == [
        ("", None, "A001"),
        ("", None, "I001"),
        ("a.md", 3, "N004"),
        ("b.md", 1, "N001"),
        ("c.md", 2, "F001"),
    ]


def test_two_runs_over_one_store_give_the_same() -> None:
    subject = a_subject(BAD)
    assert check_store(subject, EVERY) == check_store(subject, EVERY)


def test_rules_that_are_off_give_nothing() -> None:
    only = EVERY._replace(enabled=frozenset({"N001"}))
    assert codes(a_subject(BAD), settings=only) == ["N001"]
    assert check_store(a_subject(BAD), EVERY._replace(enabled=frozenset())).findings == []


def test_the_memories_that_were_looked_at_are_counted_loaded_or_not() -> None:
    assert check_store(a_subject(BAD), EVERY).memories == 3
    assert check_store(user_memory("- note\n"), EVERY).memories == 0


def test_a_finding_says_where_it_is() -> None:
    (finding,) = [f for f in check_store(a_subject({"b.md": "text"}), EVERY).findings if f.rule == "N001"]
    assert (finding.store, finding.path, finding.excerpt) == ("1a2b3c4d", "/hq/memory/1a2b3c4d/b.md", "text")
    (store,) = [f for f in check_store(a_subject({}, mode=0o777), EVERY).findings if f.rule == "A001"]
    assert (store.path, store.excerpt) == ("/hq/memory/1a2b3c4d", "")
    (user,) = [f for f in check_store(user_memory(b"- \xff\n"), EVERY).findings if f.rule == "F015"]
    assert user.path == "/home/ada/.deepseek/memory.md"


def test_of_a_long_line_the_part_around_the_column_is_shown() -> None:
    text = "x" * 10_000_000
    finding = Finding("N001", Severity.ERROR, "a.md", "m", "e", 1, 5_000_000)
    (done,) = finished([finding], a_subject(items=[an_item("a.md", text)]), EVERY)
    assert (len(done.excerpt), done.excerpt_start) == (160, 5_000_000 - 1 - 40)
    (begin,) = finished([finding._replace(column=None)], a_subject(items=[an_item("a.md", text)]), EVERY)
    assert begin.excerpt_start == 0
    (end,) = finished([finding._replace(column=9_999_999)], a_subject(items=[an_item("a.md", text)]), EVERY)
    assert end.excerpt_start == 10_000_000 - 160


def test_a_line_that_is_not_there_has_no_excerpt() -> None:
    finding = Finding("N001", Severity.ERROR, "a.md", "m", "e", 7)
    (done,) = finished([finding], a_subject(items=[an_item("a.md", "one\ntwo")]), EVERY)
    assert done.excerpt == ""


def test_the_settings_can_give_a_rule_another_severity() -> None:
    settings = EVERY._replace(severities=(("N002", "info"), ("N001", "info")))
    (finding,) = [f for f in check_store(a_subject({"b.md": "text"}), settings).findings if f.rule == "N001"]
    assert finding.severity is Severity.INFO


FINDING = Finding("F001", Severity.WARNING, "a.md", "m", "some  evidence", 3, 4)


def test_a_fingerprint_does_not_hang_on_the_line_or_white_space() -> None:
    other = FINDING._replace(line=9, column=1, message="n", evidence="some evidence\n")
    assert fingerprint(FINDING, EVERY) == fingerprint(other, EVERY)
    assert len(fingerprint(FINDING, EVERY)) == 16


def test_a_fingerprint_tells_rules_files_and_evidence_apart() -> None:
    others = [FINDING._replace(rule="F002"), FINDING._replace(file="b.md"), FINDING._replace(evidence="x")]
    assert len({fingerprint(finding, EVERY) for finding in [FINDING, *others]}) == 4


def test_a_fingerprint_of_a_secret_needs_a_key_to_tell_values_apart() -> None:
    one, two = (FINDING._replace(rule="S001", evidence=value, length=8) for value in ("aaaaaaaa", "bbbbbbbb"))
    assert fingerprint(one, EVERY) == fingerprint(two, EVERY)
    assert fingerprint(one, EVERY) != fingerprint(one._replace(length=9), EVERY)
    keyed = EVERY._replace(key=b"salt")
    assert fingerprint(one, keyed) != fingerprint(two, keyed)
    assert fingerprint(one, keyed) != fingerprint(one, EVERY._replace(key=b"pepper"))


def test_a_lone_surrogate_in_evidence_has_a_fingerprint() -> None:
    assert fingerprint(FINDING._replace(evidence="\udcff"), EVERY)


def test_severities_are_ordered() -> None:
    assert at_least(Severity.ERROR, Severity.WARNING)
    assert at_least(Severity.WARNING, Severity.WARNING)
    assert not at_least(Severity.INFO, Severity.WARNING)


def test_the_table_names_each_rule_once_and_says_all_of_it() -> None:
    assert len(BY_CODE) == len(BY_SLUG) == len(RULES)
    for rule in RULES:
        assert rule.code[0] in FAMILIES
        assert len(rule.code) == 4
        assert rule.code[1:].isdigit()
        assert all(rule)
        assert rule.why.endswith(".")
        assert rule.mend.endswith(".")
        assert not rule.summary.endswith(".")
        assert rule.secret == (rule.code[0] == "S")


def test_hygiene_is_off_unless_selected_and_never_an_error() -> None:
    assert {rule.code for rule in RULES if rule.hygiene} == {rule.code for rule in RULES} - DEFAULT
    assert all(rule.severity is not Severity.ERROR for rule in RULES if rule.hygiene)


def test_what_changes_words_or_names_is_no_safe_fix() -> None:
    assert {kind.name for kind in FixKind if not kind.safe} == {"RENAME", "QUARANTINE", "REDACT"}
