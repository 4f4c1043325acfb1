from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.limits import Draft, content_limit, is_name, problems, validate
from memctl.errors import ExitCode, InvalidInput

GOOD = Draft("build-checks", "How the build is checked", "project", "agent", "Run the checks.")


@given(st.text() | st.text("abz09-A_ \n\u0660", max_size=70))
def test_a_name_is_what_the_expression_of_the_hq_matches(text: str) -> None:
    assert is_name(text) == bool(re.fullmatch("[a-z0-9][a-z0-9-]{0,63}", text))


@pytest.mark.parametrize(("source", "limit"), [("import", 8192), ("user", 2048), ("agent", 2048), ("other", 2048)])
def test_only_an_import_may_be_long(source: str, limit: int) -> None:
    assert content_limit(source) == limit


def test_a_good_draft_has_no_problems() -> None:
    assert problems(GOOD) == []
    validate(GOOD)


def test_all_problems_are_told_in_the_order_of_the_hq() -> None:
    found = problems(Draft("Bad Name", "two\nlines", "note", "robot", " \n"))
    assert [problem.message for problem in found] == [
        'Memory name "Bad Name" must be lowercase letters, digits and hyphens (max 64 chars)',
        "Memory description must be a single line of 1–200 chars",
        "Memory type must be one of user, feedback, project, reference",
        "Memory source must be one of agent, sweep, user, import",
        "Memory content must be 1–2048 chars",
    ]


def test_the_first_problem_is_raised() -> None:
    with pytest.raises(InvalidInput, match=r"^Memory description must be") as raised:
        validate(GOOD._replace(description="", content=""))
    assert raised.value.exit_code == ExitCode.INVALID


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"description": " " * 9 + "😀" * 100 + "\n"}, False),
        ({"description": "😀" * 100 + "a"}, True),
        ({"content": "x" * 2048}, False),
        ({"content": "x" * 2048 + "\n"}, True),
        ({"content": "x" * 8192, "source": "import"}, False),
        ({"content": "😀" * 4096 + "x", "source": "import"}, True),
    ],
)
def test_a_description_is_counted_trimmed_and_a_content_as_it_is(change: dict[str, str], wrong: bool) -> None:
    assert bool(problems(GOOD._replace(**change))) is wrong
