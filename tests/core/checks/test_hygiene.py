"""The rules of hygiene: what is no longer right in a store, and what a memory is not for."""

from __future__ import annotations

import pytest

from memctl.core.checks.engine import check_store
from memctl.core.checks.rule import Severity
from memctl.core.checks.subject import Link, Subject
from memctl.core.dialects import hq
from tests.core.checks.subjects import EVERY, a_memory, a_subject, an_item, codes, found, user_memory


def saying(*contents: str) -> Subject:
    """Return a store of memories with these contents, named apart."""
    names = ["alpha", "beta", "gamma", "delta", "epsilon"]
    return a_subject(
        {
            f"{name}.md": a_memory(name, description=f"About {name}", content=content)
            for name, content in zip(names, contents, strict=False)
        }
    )


def lines(subject: Subject, code: str) -> list[tuple[str, int | None, int | None]]:
    return [(finding.file, finding.line, finding.column) for finding in found(subject, code)]


FIRES = {
    "H005": [
        "The discount is valid until 2025-03-01.",
        "Code freeze until 2026-10-01",
        "The key expires on 2026-01-31.",
        "The trial expires: 2026-05-05",
        "Deadline: 2026-11-29",
        "Hand in the form by 1 March 2026.",
        "The freeze holds until March 3, 2026",
        "Offer valid through 31.12.2025",
        "The contract runs until the end of 2025.",
        "The pilot runs until Q2 2026.",
        "Gültig bis 2026-01-01",
        "The rate holds until May 2026.",
        "The rate holds until 2026-05",
    ],
    "H006": [
        "PR #12 is waiting for review",
        "Pull request 431 was merged",
        "MR !45 is still open",
        "The branch feature/login is 3 commits ahead of main",
        "The fix is on branch fix/timeout",
        "The change was deployed to staging",
        "Deploy of the api is in progress",
        "BILL-77 is blocked",
        "Ticket #9 is in progress",
        "I am currently working on the parser",
        "Status: in progress",
        "- [ ] write the tests",
        "CI is red on main",
        "TODO: finish the importer",
        "production runs v2.3.1",
    ],
    "H007": [
        "The parser is in src/parse.py, class Parser",
        "The function load() lives in `lib/load.ts`",
        "See src/app.py:120 for the loop",
        "src/\n├── app.py\n└── lib",
        "## Implementation plan\n\n1. first",
        "Plan: rewrite the importer, then the exporter",
        "## Architecture\n\nThree services",
        "The plan is to move to the new queue",
        "Phase 1: the schema. Phase 2: the data.",
        "`class Store extends Base` is the root",
        "The repo is structured as a monorepo",
    ],
    "H008": [
        "User: can you fix it? Assistant: yes, done.",
        "User: hello\nAssistant: hi",
        "**Human:** why?\n**AI:** because",
        "Q: what port? A: it is 80",
        "[10:31] Mei: hi\n[10:32] Tom: hello\n[10:33] Mei: bye",
        "As I said above, it is slow",
        "In this conversation we found the cause",
        "Earlier in this chat the port was named",
        "You asked me for the plan",
        "- user: hi\n- agent: hello",
    ],
    "H009": [
        "\n".join(f"{number}. Run the step {number}" for number in range(1, 21)),
        "\n".join(f"- Always check the {thing}" for thing in "abcdefgh"),
        "\n".join(f"* Open the page {number}" for number in range(9)),
    ],
    "H010": [
        "The demo is tomorrow",
        "The release was yesterday",
        "We meet next week",
        "The budget was cut last month",
        "The rota changes in two days",
        "The outage was 3 weeks ago",
        "Send it by Friday",
        "Die Abnahme ist nächste Woche",
        "La réunion est demain",
        "La entrega es mañana",
        "演示在明天",
        "会議は来週です",
        "Встреча завтра",
        "Done this morning",
    ],
}
INNOCENT = {
    "H005": [
        "The contract runs until 2027-01-01.",
        "Invoices before 2020 move to cold storage",
        "The offer was valid until 2025-01-01.",
        "Decided on 2025-02-03",
        "Works from nine until five",
        "The log starts at 2024-01-01",
        "Valid until revoked",
        "The deadline is 2026-12-24",
        "Until 2026-13-45 nobody looked",
        "Valid until 31.13.2025",
        "It holds until 2025-13",
        "Version 2025-01 of the API",
    ],
    "H006": [
        "All PRs need 2 reviewers before merge",
        "The status page is at https://status.example.com",
        "CI must be green before a merge",
        "Branch names are short and in lower case",
        "Deploys go out on Tuesdays",
        "Tickets are in the tracker of the team",
        "The user reviews each release note",
        "Keep pull requests under 300 lines",
        "Staging has a copy of the data",
        "Never leave a TODO in the code",
        "draft branch ticket merge release branch test build",
    ],
    "H007": [
        "Use 4 spaces in Python files",
        "The design doc is at https://docs.example.com/design",
        "Plans are written in the wiki",
        "The user prefers classes over modules",
        "The shared library is maintained by Tom",
        "Ask before you change setup.py",
        "Explain a plan in three sentences",
        "Phase shifts matter for the audio team",
        "The architecture group meets on Mondays",
        "The first step is always the hardest",
    ],
    "H008": [
        "User: prefers tabs",
        "The user said that short answers are best",
        "Assistants of the CFO answer mails",
        "Standup is at 10:30: be there",
        "Q1: hiring, Q2: training",
        "Quote the customer in each ticket",
        "Agents: three, all in Berlin",
        "The session lasts 30 minutes",
        "Model: large, cheap",
        "Talk to the user in French",
    ],
    "H009": [
        "1. Run it\n2. Check it",
        "\n".join(f"- The {thing} is blue" for thing in "abcdefghijkl"),
        "One sentence. Another one. A third.",
    ],
    "H010": [
        "Use date.today() for the stamp",
        "The demo is on 2026-12-01",
        "Reports go out by Friday each week",
        "The last week of the quarter is quiet",
        "Every last Friday of the month is free",
        "Tomorrowland is a park",
        "Today's date stands at the top of each note",
        "Por la mañana no hay reuniones",
        "Answer in two sentences",
        "Move it by the end of the quarter",
        "weekly sync next week every team",
    ],
}


@pytest.mark.parametrize(("code", "content"), [(code, text) for code, texts in FIRES.items() for text in texts])
def test_what_is_not_for_memory_is_found_on_its_line(code: str, content: str) -> None:
    findings = found(saying(content), code)
    assert [finding.file for finding in findings][:1] == ["alpha.md"]
    assert all((finding.line or 0) >= 9 for finding in findings)


@pytest.mark.parametrize(("code", "content"), [(code, text) for code, texts in INNOCENT.items() for text in texts])
def test_its_innocent_neighbours_are_not(code: str, content: str) -> None:
    assert found(saying(content), code) == []


def test_hygiene_is_never_an_error() -> None:
    for texts in FIRES.values():
        for text in texts:
            findings = check_store(saying(text), EVERY).findings
            assert all(finding.severity is not Severity.ERROR for finding in findings if finding.rule[0] == "H")


def test_a_rule_that_is_off_is_not_run() -> None:
    quiet = EVERY._replace(enabled=frozenset({"H004"}))
    assert check_store(saying("The demo is tomorrow", "The demo is tomorrow"), quiet).findings == []
    subject = saying("The demo is tomorrow", "The demo is tomorrow")
    for code in ("H001", "H005", "H010"):
        on = EVERY._replace(enabled=frozenset({code}))
        assert {finding.rule for finding in check_store(subject, on).findings} <= {code}


# Duplicates.


@pytest.mark.parametrize(
    "other", ["The relay is in Oslo.", "the  relay is\nin oslo.", "THE RELAY IS IN OSLO.", "\tThe relay is in Oslo. "]
)
def test_two_memories_that_say_the_same_are_both_named(other: str) -> None:
    one, two = found(saying("The relay is in Oslo.", other), "H001")
    assert (one.file, one.line, one.related) == ("alpha.md", 9, ("beta.md",))
    assert two.message == "it says the same as 'alpha.md'"


def test_two_memories_with_one_description_are_named_on_its_line() -> None:
    subject = a_subject(
        {
            "a.md": a_memory("a", description="Where the relay is", content="It is in Oslo."),
            "b.md": a_memory("b", description="where the relay  is", content="The relay has moved to Turku."),
        }
    )
    one, two = found(subject, "H001")
    assert (one.line, one.column, one.length) == (3, 14, 18)
    assert two.message == "its description is that of 'a.md' too"


def test_a_memory_that_is_a_copy_is_told_once() -> None:
    memory = a_memory("a", content="The relay is in Oslo.")
    subject = a_subject({"a.md": memory, "b.md": memory._replace(name="b")})
    assert [finding.message for finding in found(subject, "H001")] == [
        "it says the same as 'b.md'",
        "it says the same as 'a.md'",
    ]


def test_many_copies_are_counted() -> None:
    message = found(saying(*["The relay is in Oslo."] * 5), "H001")[0].message
    assert message == "it says the same as 'beta.md', 'delta.md', 'epsilon.md' and 1 more"


def test_an_alias_is_no_duplicate() -> None:
    data = hq.write(a_memory("a"))
    subject = a_subject({"a.md": data}, items=[an_item("b.md", data, link=Link("a.md", "a.md"))])
    assert found(subject, "H001") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("请用简体中文回答，代码注释用英文。", "请用简体中文回答代码注释用英文。"),
        ("回答は日本語で、コードは英語で書いてください", "回答は日本語でコードは英語で書いてください"),
        ("답변은 한국어로, 주석은 영어로 작성하세요", "답변은 한국어로 주석은 영어로 작성하세요"),
        ("Отвечай по-русски, комментарии пиши на английском", "Отвечай по-русски комментарии пиши на английском"),
        ("The nightly backup job copies the ledger to the archive host", "The nightly backup job copies the ledger to archive host"),
        ("Use four spaces in Python files; never tabs", "Use four spaces in Python files, never tabs!"),
        ("ตอบเป็นภาษาไทยเสมอและใช้ภาษาอังกฤษในโค้ด", "ตอบเป็นภาษาไทยเสมอ และใช้ภาษาอังกฤษในโค้ด"),
        ("اكتب الردود باللغة العربية، والتعليقات بالإنجليزية", "اكتب الردود باللغة العربية والتعليقات بالإنجليزية"),
    ],
)  # fmt: skip
def test_nearly_the_same_is_found_in_any_script(one: str, other: str) -> None:
    findings = found(saying(one, other), "H002")
    assert [(finding.file, finding.related) for finding in findings] == [
        ("alpha.md", ("beta.md",)),
        ("beta.md", ("alpha.md",)),
    ]


def test_the_ratio_is_a_setting() -> None:
    subject = saying("The deploy job runs at nine every day", "The deploy job runs at nine each day")
    assert found(subject, "H002", EVERY._replace(near=0.97)) == []
    assert found(subject, "H002", EVERY._replace(near=0.8))[0].message.startswith(
        "it says nearly the same as 'beta.md': "
    )


def test_what_is_merely_about_one_thing_is_no_near_duplicate() -> None:
    assert (
        found(saying("The relay is in Oslo, beside the archive", "The relay is slow when the archive is full"), "H002")
        == []
    )


def test_a_user_memory_that_was_not_read_has_no_notes() -> None:
    assert codes(user_memory("")._replace(items=(an_item("memory.md", None),)), "H") == []


def test_notes_are_compared_as_well() -> None:
    subject = user_memory("- (2026-05-03 22:14 UTC) prefer pytest over unittest\r\n- prefer pytest  over unittest\r\n")
    one, two = found(subject, "H001")
    assert (one.line, one.message) == (1, "it says the same as 'note 2'")
    assert (two.line, two.message) == (2, "it says the same as 'note 1'")


# Contradictions.


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The region is Berlin.", "The region is Toronto."),
        ("The default branch is main", "the default branch is master"),
        ("- The api port is 8080", "The api port is 9090."),
        ("Always squash the commits", "Never squash the commits"),
        ("Use emojis in headings", "Do not use emojis in headings"),
        ("User prefers tabs over spaces", "User prefers spaces over tabs"),
        ("Mei lives in Oslo", "Mei lives in Turku"),
        ("Deploy region: Berlin", "Deploy region: Toronto"),
        ("The monthly budget of the team for cloud hosts is about 100 EUR for now", "The monthly budget of the team for cloud hosts is about 250 EUR for now"),
        ("数据库是MySQL", "数据库是PostgreSQL"),
        ("Notifications in the office channel stay on during the night", "Notifications in the office channel stay off during the night"),
    ],
)  # fmt: skip
def test_one_subject_with_two_values_is_a_hint(one: str, other: str) -> None:
    findings = found(saying(one, other), "H003")
    assert {finding.file for finding in findings} == {"alpha.md", "beta.md"}
    assert all(finding.line == 9 for finding in findings)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The build is slow", "The build is large"),
        ("The region is Berlin.", "The region is Berlin"),
        ("It is Berlin", "It is Toronto"),
        ("**Why:** two invoices were off", "**Why:** people search for tasks"),
        ("Always squash the commits", "Always squash the fixups"),
        ("The team uses pytest", "The team uses Jira"),
        ("Owner of the relay: Mei", "Owner of the archive: Tom"),
        ("The user is in the office", "The user is at home"),
        ("Write short sentences", "Never use idioms"),
        ("See the wiki", "See the tracker"),
        ("Not now", "Never"),
    ],
)
def test_two_facts_that_may_both_hold_are_no_contradiction(one: str, other: str) -> None:
    assert found(saying(one, other), "H003") == []


def test_two_values_in_one_memory_are_no_contradiction() -> None:
    assert found(saying("The region is Berlin. The region is Toronto."), "H003") == []


def test_a_memory_of_thousands_of_claims_is_not_slow() -> None:
    from time import process_time

    start = process_time()
    on = EVERY._replace(enabled=frozenset({"H003"}))
    found(saying("".join(f"The region is R{number}. " for number in range(20_000)), "The region is Oslo."), "H003", on)
    assert process_time() - start < 10


@pytest.mark.parametrize(
    ("old", "new"),
    [("plan", "plan-v2"), ("plan", "plan-new"), ("plan", "plan-2"), ("plan-v1", "plan-v2"), ("plan-old", "plan"), ("plan", "plan-final")],
)  # fmt: skip
def test_a_name_that_says_that_it_is_another_version_is_a_hint_on_the_older(old: str, new: str) -> None:
    subject = a_subject(
        {f"{name}.md": a_memory(name, content=text) for name, text in ((old, "One thing"), (new, "The other"))}
    )
    (hint,) = found(subject, "H003")
    assert (hint.file, hint.related) == (f"{old}.md", (f"{new}.md",))


@pytest.mark.parametrize(
    "names", [("plan-007", "plan-008"), ("news", "new"), ("team-v2", "crew"), ("plan-v1", "plan-v3")]
)
def test_a_number_at_the_end_of_a_name_alone_says_nothing(names: tuple[str, str]) -> None:
    subject = a_subject(
        {
            f"{name}.md": a_memory(name, content=text)
            for name, text in zip(names, ("One thing", "The other"), strict=True)
        }
    )
    assert found(subject, "H003") == []


@pytest.mark.parametrize(
    "content",
    ["This memory is obsolete.", "Superseded by [[alpha]]", "Outdated: see the wiki", "This no longer applies."],
)
def test_a_memory_that_says_that_it_no_longer_holds_is_a_hint(content: str) -> None:
    assert found(saying(content), "H003")[0].message.startswith("it says that it no longer holds: ")


# Times.


def test_a_memory_that_was_not_updated_for_long_is_stale_at_its_date() -> None:
    subject = a_subject({"a.md": a_memory("a", created="2025-01-01", updated="2025-02-03")})
    (finding,) = found(subject, "H004")
    assert (finding.line, finding.column, finding.length) == (7, 10, 10)
    assert finding.message == "not updated for 665 days, since 2025-02-03"


@pytest.mark.parametrize(("updated", "days"), [("2026-11-01", 180), ("2025-02-03", 1000), ("soon", 1)])
def test_what_is_young_enough_or_without_a_date_is_not_stale(updated: str, days: int) -> None:
    subject = a_subject({"a.md": a_memory("a", created="2025-01-01", updated=updated)})
    assert found(subject, "H004", EVERY._replace(stale_days=days)) == []


def test_an_old_note_is_stale() -> None:
    (finding,) = found(user_memory("- (2025-05-03 22:14 UTC) prefer pytest\n- by hand\n"), "H004")
    assert (finding.line, finding.message) == (1, "not updated for 576 days, since 2025-05-03")


@pytest.mark.parametrize("key", ["valid_until", "valid-until", "expires", "Expiry", "expires_at"])
def test_a_key_that_says_until_when_it_holds_counts(key: str) -> None:
    text = hq.serialize(a_memory("a"), [f"{key}: 2025-12-31"])
    (finding,) = found(a_subject({"a.md": text}), "H005")
    assert (finding.line, finding.column, finding.message) == (
        8,
        len(key) + 3,
        f"'{key}' is 2025-12-31: its time is over",
    )


@pytest.mark.parametrize("value", ["2027-01-01", "never", "", "2026-11-30"])
def test_a_key_whose_day_is_not_over_is_silent(value: str) -> None:
    text = hq.serialize(a_memory("a"), [f"valid_until: {value}"])
    assert found(a_subject({"a.md": text}), "H005") == []


def test_a_relative_date_in_a_description_is_found_there_once() -> None:
    subject = a_subject({"a.md": a_memory("a", description="The demo is tomorrow, yes tomorrow", content="It is.")})
    assert lines(subject, "H010") == [("a.md", 3, 26)]


# What is not for memory, in notes.


def test_a_long_note_is_long_instructions() -> None:
    text = " ".join(f"Sentence number {number} of it." for number in range(7))
    (finding,) = found(user_memory(f"- short. One.\n- {text}\n"), "H009")
    assert finding.line == 2


def test_a_note_is_found_at_its_column_behind_the_stamp() -> None:
    subject = user_memory(
        "# Notes\n- (2026-11-03 22:14 UTC) PR #12 is waiting for review\n  and the demo is tomorrow\n"
    )
    assert lines(subject, "H006") == [("memory.md", 2, 26)]
    assert lines(subject, "H010") == [("memory.md", 3, 19)]


# Links.


@pytest.mark.parametrize("link", ["[[gone]]", "[[gone|the plan]]", "[[gone#part]]", "[[gone.md]]", "[[ gone ]]"])
def test_a_link_to_no_memory_is_dead(link: str) -> None:
    (finding,) = found(saying(f"See {link} and [[beta]]", "Nothing"), "H011")
    assert (finding.file, finding.line, finding.column, finding.length) == ("alpha.md", 9, 5, len(link))
    assert finding.message == "no memory is named 'gone'"


def test_a_dead_link_says_what_was_meant() -> None:
    assert (
        found(saying("See [[betta]]", "Nothing"), "H011")[0].message
        == "no memory is named 'betta'; did you mean 'beta'?"
    )


@pytest.mark.parametrize(
    "text",
    ["[[beta]]", "[[beta|it]]", "[[beta#x]]", "[[beta.md]]", "[[MEMORY]]", "[[#part]]", "`[[ -f x ]]`", "[[ $a == b ]]",
     "```sh\n[[gone]]\n```", "[[1, 2], [3]]", "[[tool.mypy]]", "[[nodiscard]]", "![[picture]]", "[[https://x.example]]", "[[]]"],
)  # fmt: skip
def test_a_link_that_leads_somewhere_or_is_none_is_not_dead(text: str) -> None:
    assert found(saying(text, "Nothing"), "H011") == []


def test_a_link_may_name_the_name_inside_of_a_file() -> None:
    subject = a_subject({"a.md": a_memory("a", content="See [[inner]]"), "b.md": a_memory("inner")})
    assert found(subject, "H011") == []


def test_the_user_memory_has_no_links() -> None:
    assert found(user_memory("- see [[gone]]\n"), "H011") == []
