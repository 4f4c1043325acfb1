from __future__ import annotations

import random
import time

import pytest

from memctl.core.checks.engine import check_store, fingerprint
from memctl.core.checks.rule import FixKind
from memctl.core.checks.secrets.rules import check, found, redact_bytes, redacted, spans
from memctl.core.dialects import hq
from memctl.core.memory import Memory
from tests.core.checks.secrets.credentials import (
    KINDS,
    LOOKALIKES,
    OTHERS,
    PRIVATE,
    Sample,
    armour,
    credentials,
    hidden,
    lookalikes,
    memory_file,
    other_lookalikes,
    others,
)
from tests.core.checks.subjects import EVERY, a_memory, a_subject, an_item

AWS = "AK" + "IA" + "7" * 16
GITHUB = "gh" + "p_" + "a1B2c3D4e5F6" * 3
PASSWORD = "hunter" + "2"


def rules(text: str) -> list[str]:
    """Return the rules of secrets that a file with this text breaks."""
    return [finding.rule for finding in check(a_subject({"a.md": a_memory("a", content=text)}), EVERY)]


def is_found(sample: Sample) -> bool:
    data = memory_file(sample, "a")
    return bool(list(check(a_subject(items=[an_item("a.md", data)], index=None), EVERY)))


def test_the_sets_have_what_they_say() -> None:
    assert (len(KINDS), len(LOOKALIKES), len(credentials()), len(lookalikes())) == (40, 40, 200, 200)
    assert len({sample.text for sample in credentials() + others()}) > 395


@pytest.mark.parametrize("sample", credentials(), ids=lambda sample: sample.kind)
def test_each_fake_credential_is_found_and_blotted_out(sample: Sample) -> None:
    assert is_found(sample)
    blotted = redacted(sample.text)
    assert hidden(sample) not in blotted
    assert (len(blotted), blotted.count("\n")) == (len(sample.text), sample.text.count("\n"))


@pytest.mark.parametrize("sample", lookalikes(), ids=lambda sample: sample.kind)
def test_no_lookalike_is_taken_for_a_secret(sample: Sample) -> None:
    assert not is_found(sample)
    assert redacted(sample.text) == sample.text


def test_the_second_set_is_found_as_well() -> None:
    missed = [sample.text for sample in others() if not is_found(sample)]
    seen = [sample.text for sample in others() if hidden(sample) in redacted(sample.text)]
    wrong = [sample.text for sample in other_lookalikes() if is_found(sample)]
    assert len(missed) <= len(OTHERS) * 6 // 50, missed
    assert len(seen) <= len(OTHERS) * 6 // 50, seen
    assert wrong == []


@pytest.mark.parametrize("seed", ["7", "8"])
def test_what_is_found_does_not_hang_on_the_seed(seed: str) -> None:
    samples = [*credentials(seed=seed), *others(seed=seed)]
    assert sum(map(is_found, samples)) >= 0.99 * len(samples)
    assert [sample.text for sample in [*lookalikes(seed=seed), *other_lookalikes(seed=seed)] if is_found(sample)] == []


def test_a_finding_has_the_place_and_the_length_of_the_value_and_not_the_value() -> None:
    text = f"Use it:\nkey {AWS} here"
    [finding] = check(a_subject({"a.md": a_memory("a", content=text)}), EVERY)
    assert (finding.rule, finding.severity, finding.file) == ("S001", "error", "a.md")
    assert (finding.line, finding.column, finding.length, finding.evidence) == (10, 5, 20, AWS)
    assert finding.message == "an AWS access key of 20 characters: make it invalid, then remove it"
    assert finding.fix is not None
    assert (finding.fix.kind, finding.fix.file) == (FixKind.REDACT, "a.md")


def test_a_sentence_that_gives_a_secret_away_is_a_warning() -> None:
    text = "The API key for the relay is q7Zt9KpL" + "2vXw8RbN4mYc"
    [finding] = check(a_subject({"a.md": a_memory("a", content=text)}), EVERY)
    assert (finding.rule, finding.severity, finding.line, finding.column) == ("S002", "warning", 9, 30)
    assert finding.message == "the text gives away a key or token of 20 characters: say where it is kept instead"


def test_a_random_word_near_a_word_for_a_secret_is_a_warning() -> None:
    text = "relay token (q7Zt9KpL" + "2vXw8RbN4mYc)"
    [finding] = check(a_subject({"a.md": a_memory("a", content=text)}), EVERY)
    assert (finding.rule, finding.severity, finding.fix) == ("S003", "warning", None)
    assert finding.message == "20 characters that look random, near 'token': is it a secret?"


def test_each_file_is_looked_at() -> None:
    line = f"key {AWS}\n"
    files = {"a.md": line, "notes.txt": line, "b.md": a_memory("b", description=f"Has {AWS}")}
    subject = a_subject(files, items=[an_item("MEMORY.md", line), an_item("dir", None)], index=line)
    findings = list(check(subject, EVERY))
    assert {finding.file for finding in findings} == {"a.md", "notes.txt", "b.md", "MEMORY.md"}
    assert {finding.rule for finding in findings} == {"S001"}


@pytest.mark.parametrize("sample", credentials() + others(), ids=lambda sample: sample.kind)
def test_nothing_that_is_printed_has_the_value(sample: Sample) -> None:
    subject = a_subject(items=[an_item("a.md", memory_file(sample, "a"))])
    for finding in check_store(subject, EVERY).findings:
        if finding.rule[0] != "S":
            continue
        shown = (finding.message, finding.excerpt, finding.detail, finding.fingerprint, finding.path)
        assert hidden(sample) not in "\n".join(shown)
        assert redacted(finding.message) == finding.message


def test_the_fingerprint_of_a_secret_hangs_on_its_value_only_with_a_key() -> None:
    one, two = (next(check(a_subject({"a.md": f"key {word}\n"}), EVERY)) for word in (AWS, AWS.replace("7", "5")))
    assert fingerprint(one, EVERY) == fingerprint(two, EVERY)
    keyed = EVERY._replace(key=b"salt")
    assert fingerprint(one, keyed) != fingerprint(two, keyed)


def test_where_two_overlap_the_surer_one_counts() -> None:
    assert rules(f"The GitHub token is {GITHUB}") == ["S001"]
    assert rules(f"password: {GITHUB}") == ["S001"]


def test_spans_are_in_order_and_apart() -> None:
    text = f"{GITHUB} and {AWS}, password: {PASSWORD}, {GITHUB}"
    places = spans(text)
    assert [text[start:end] for start, end in places] == [GITHUB, AWS, PASSWORD, GITHUB]


@pytest.mark.parametrize("text", ["", "The billing service moves.", "Zoë sits in 東京.", "token-count for v2, x@y.org"])
def test_a_clean_text_stays_the_same(text: str) -> None:
    assert redacted(text) is text or redacted(text) == text
    assert spans(text) == []
    assert redact_bytes(text.encode()) == text.encode()


def test_a_private_key_is_blotted_out_whole() -> None:
    key = armour(PRIVATE, 300)(random.Random(1))
    text = f"a\n{key}\nb"
    assert redacted(text) == "a\n" + "\n".join("*" * len(line) for line in key.split("\n")) + "\nb"
    assert redact_bytes(text.encode()) == b"a\n[redacted]\nb"


def test_a_private_key_that_was_cut_ends_where_no_line_of_it_follows() -> None:
    key = armour(PRIVATE, 300)(random.Random(1)).rpartition("\n")[0]
    assert redact_bytes(f"{key}\n\nThe rest.\n".encode()) == b"[redacted]\n\nThe rest.\n"


def test_a_private_key_never_takes_the_end_of_the_front_matter() -> None:
    key = armour(PRIVATE, 300)(random.Random(1))
    text = hq.serialize(a_memory("a", description="x", content="y")).replace("x", key.replace("\n", "\n ", 3), 1)
    cut = text.replace("-----END " + PRIVATE + "-----\n", "", 1) + "-----END " + PRIVATE + "-----\n"
    left = redact_bytes(cut.encode()).decode()
    assert "(redacted)" in left
    assert "\n---\ny\n" in left
    assert isinstance(hq.parse(left, "a"), Memory)


def test_the_words_about_a_private_key_are_none() -> None:
    assert spans(f"It begins with -----BEGIN {PRIVATE}----- and is kept in the vault.") == []


@pytest.mark.parametrize("sample", credentials() + others(), ids=lambda sample: sample.kind)
def test_a_redacted_memory_is_still_one(sample: Sample) -> None:
    data = memory_file(sample, "a")
    left = redact_bytes(data)
    secrets = [secret for secret in found(data.decode()) if secret.rule != "S003"]
    assert left.count(b"[redacted]") == len(secrets)
    record = hq.parse(left.decode(), "a")
    assert isinstance(record, Memory)
    assert record._replace(content="") == hq.parse(data.decode(), "a")._replace(content="")  # type: ignore[union-attr]
    if secrets:
        assert hidden(sample).encode() not in left


def test_no_other_byte_is_changed() -> None:
    data = b"\xef\xbb\xbf---\r\nname: a\r\n\xff\xfe " + AWS.encode() + b" \x80\r\n"
    assert redact_bytes(data) == data.replace(AWS.encode(), b"[redacted]")


def test_a_description_that_would_become_a_list_does_not() -> None:
    text = hq.serialize(a_memory("a", description=GITHUB))
    left = redact_bytes(text.encode()).decode()
    assert "\ndescription: (redacted)\n" in left
    record = hq.parse(left, "a")
    assert isinstance(record, Memory)
    assert record.description == "(redacted)"


def test_a_name_stays_and_is_not_offered_to_be_redacted() -> None:
    name = "sk-" + "a1b2c3d4" * 4
    text = hq.serialize(a_memory("a")).replace("name: a", f"name: {name}", 1)
    assert redact_bytes(text.encode()) == text.encode()
    [finding] = check(a_subject(items=[an_item("a.md", text)], index=None), EVERY)
    assert (finding.rule, finding.line, finding.fix) == ("S001", 2, None)


def test_what_only_looks_random_is_not_redacted() -> None:
    data = b"relay token (q7Zt9KpL" + b"2vXw8RbN4mYc)"
    assert redact_bytes(data) == data


@pytest.mark.parametrize(
    "unit",
    [
        "a", "aB3", " ", "eyJ", ".eyJ", " eyJaaaaaaaa.eyJ", "password", "password is a1b2 ", "key 1 = ", 'token "',
        "-----BEGIN " + PRIVATE + "-----", "-----BEGIN ", "://", "://a:bbbbb", "xoxb-1-", "xoxb", "aws", "awskey ",
        "AKC1", "artifactory ", "AK" + "IA", "bearer ", "--user a:", "key 0123456789abcdef0123456789abcdef ", "sk-ant-",
        "M-", "8Q~", "whsec_", 'password "', "password:\n\n", "İpassword", "密码是a1", "SG.", "-us1", "password: a-",
        "PuTTY-User-Key-File-2: ", "Ab.", " as the password", "<", "\\", "/", "=",
        "login:", "login a / ", "creds:\n- ", "|password ", "| password |\n", "a|", "mysql -", "docker login -p a ",
        "recovery code: a1b2-", "recovery code ", "seed: apple ", "apple ", "<password ", "<password>a1", 'setpassword("',
        "reset the password for ", "a:12:b:c:", "password $A", "password - ", "login a:A", "wifi key ", "heslo je ",
        "password is\n", "비밀번호는 ", "パスワードは", "smtp_pass=abcd ", "1//0", "live_", "perm:", "key 0001",
    ],
)  # fmt: skip
def test_no_text_is_slow(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        start = time.process_time()
        found(text)
        return time.process_time() - start

    # What is quadratic takes minutes here; the slowest takes a second.
    assert seconds(100_000) < 10


def test_many_words_for_a_secret_are_looked_at_and_not_all() -> None:
    text = "password is a " * 30_000 + f"password: {PASSWORD}"
    assert spans(text) == []
    assert spans(text[-200_000:]) != []
