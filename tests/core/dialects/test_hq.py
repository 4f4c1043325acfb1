from __future__ import annotations

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.dialects import hq
from memctl.core.memory import Memory, MemoryType, NotLoaded, Source
from memctl.core.text import trim
from tests.core.making import MEMORIES, memory

# Lines that mean something in a head, in any order and mixed with any text.
LINES = st.sampled_from(
    [
        "---", "name: a", "description: |", "description: >-", "description: [a, b]", "description:", "  - item", "  more",
        "   deeper", "", " ", "type: user", "type: note", "source: user", "created: 2026-01-01", "updated:", "tags:",
        "tags: |2", "note", "# a: b", "Type: user", "name: A", "\ufeff", "owner: Ann", "__proto__: x",
    ]
)  # fmt: skip
HEADS = st.lists(LINES | st.text("ab:|>-[] \t", max_size=6), max_size=12)
TEXTS = HEADS.map("\n".join) | HEADS.map(lambda lines: "\n".join(["---", "type: user", *lines, "---", "text"]))


# Six lines that are those of the HQ, or nearly.
_VALUES = st.sampled_from(
    [
        "a",
        "",
        "user",
        "agent",
        "2026-01-01",
        " 2026-01-01",
        "2026-01-1 ",
        "[2026-0-1]",
        "[a]",
        "[",
        "|",
        ">-",
        "a b ",
        "\xa0a",
        "é",
    ]
)
_SPACES = st.sampled_from([" ", " ", " ", "", "  ", "\t", "\xa0"])
NEARLY = st.builds(
    lambda keys, spaces, values, close, content: "\n".join(
        [
            "---",
            *(f"{key}:{space}{value}" for key, space, value in zip(keys, spaces, values, strict=True)),
            close,
            content,
        ]
    ),
    st.just(hq.KEYS) | st.permutations(hq.KEYS),
    st.lists(_SPACES, min_size=6, max_size=6),
    st.tuples(_VALUES, _VALUES, st.just("user") | _VALUES, _VALUES, _VALUES, _VALUES),
    st.sampled_from(["---", "---", "----", "--- ", "---a"]),
    st.sampled_from(["text\n", "text", "\ntext\n", "text\n\n", "", "\n", " text\n", "a\n---\nb\n"]),
)


@given(NEARLY | TEXTS)
def test_a_head_as_the_hq_writes_it_is_read_as_any_other(text: str) -> None:
    parsed = hq.parse_fields(text)
    found = hq.parse(text, "fallback")
    if isinstance(found, Memory):
        assert not isinstance(parsed, NotLoaded)
        texts = {key: value if isinstance(value, str) else "" for key, value in parsed[0].items()}
        assert found == Memory(
            texts.get("name") or "fallback",
            texts.get("description", ""),
            MemoryType(texts["type"]),
            Source(texts["source"]) if texts.get("source") in [*Source] else Source.AGENT,
            texts.get("created", ""),
            texts.get("updated", ""),
            parsed[1],
        )


@given(NEARLY | TEXTS | MEMORIES.map(hq.serialize))
def test_a_text_is_said_to_be_as_the_hq_writes_it_where_it_is(text: str) -> None:
    found = hq.parse(text, "fallback")
    if isinstance(found, Memory):
        assert hq.is_serialized(text, found) == (text == hq.serialize(found))


@given(MEMORIES)
def test_what_is_written_is_read_back(written: Memory) -> None:
    assert hq.parse(hq.serialize(written), "other-name") == written
    assert hq.read(hq.write(written), "other-name") == written


def test_of_a_content_only_line_feeds_at_its_end_are_left_out() -> None:
    assert hq.serialize(memory(content="a NIX\n\n")).endswith("\n---\na NIX\n")


@given(st.text() | TEXTS, st.text(max_size=8))
def test_any_text_is_a_memory_or_has_a_reason(text: str, fallback: str) -> None:
    found = hq.parse(text, fallback)
    if isinstance(found, Memory):
        assert hq.is_name(found.name)
        assert found.content == trim(found.content)
    else:
        assert found.code in {"bom", "no-front-matter", "unclosed-front-matter", "bad-type", "no-type", "bad-name"}
        assert found.reason


@given(st.binary() | TEXTS.map(str.encode))
def test_any_bytes_are_a_memory_or_have_a_reason(data: bytes) -> None:
    assert isinstance(hq.read(data, "a"), (Memory, NotLoaded))


@given(TEXTS)
def test_the_fields_are_those_of_the_memory(text: str) -> None:
    parsed = hq.parse_fields(text)
    found = hq.parse(text, "fallback")
    if isinstance(found, Memory):
        assert not isinstance(parsed, NotLoaded)
        fields, content = parsed
        description = fields.get("description", "")
        assert found.content == content
        assert found.type == fields["type"]
        assert found.description == (description if isinstance(description, str) else "")
    if isinstance(parsed, NotLoaded):
        assert found == parsed


@given(st.lists(st.text("ab-.A0é😀ﬁ", max_size=4).map(lambda name: f"{name}.md"), unique=True))
def test_the_files_of_a_directory_are_sorted_by_code_units(names: list[str]) -> None:
    files = hq.memory_files([*names, "MEMORY.md", "notes.txt", "a.MD", ".legacy-imported"])
    assert sorted(files) == sorted(names)
    assert files == sorted(files, key=lambda name: name.encode("utf-16-be"))


KNOWN = "user, feedback, project, reference"
UNDER_ANOTHER = "the type is nested under another key, where the HQ does not look"


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("\ufeff---\ntype: user\n---\n", "bom", "a byte order mark (BOM) at its start, so the HQ sees no front matter"),
        ("# A note\n", "no-front-matter", 'no front matter: the first line is not "---"'),
        ("--- \ntype: user\n---\n", "no-front-matter", 'no front matter: the first line is not "---"'),
        ("---\ntype: user\n", "unclosed-front-matter", 'the front matter is not closed by a line "---"'),
        ("---\ntype: note\n---\n", "bad-type", f"the type 'note' is not one of {KNOWN}"),
        ("---\ntype: [user]\n---\n", "bad-type", f"the type is a list, not one of {KNOWN}"),
        ("---\ntype:\n---\n", "bad-type", "the type is empty"),
        (f"---\ntype: {'x' * 80}\n---\n", "bad-type", f"the type '{'x' * 80}' is not one of {KNOWN}"),
        (f"---\ntype: {'x' * 81}\n---\n", "bad-type", f"the type '{'x' * 79}…' is not one of {KNOWN}"),
        ("---\nname: a\n---\n", "no-type", "no type"),
        ("---\ntype: |\n---\n", "no-type", "no type"),
        ("---\nmetadata:\n  kind: user\n---\n", "no-type", "no type"),
        ("---\nmetadata:\n  type: user\n---\n", "no-type", UNDER_ANOTHER),
        ("---\nmetadata: |\n\ttype: user\n---\n", "no-type", UNDER_ANOTHER),
        (
            "---\ntype: user\nname: A b\n---\n",
            "bad-name",
            "the name 'A b' is not a legal one (lowercase letters, digits, hyphens, at most 64)",
        ),
    ],
)
def test_a_file_that_is_not_loaded_says_why(text: str, code: str, reason: str) -> None:
    assert hq.parse(text, "a") == NotLoaded(code, reason)


def test_a_fallback_name_must_be_legal_too() -> None:
    text = "---\ntype: user\n---\n"
    assert isinstance(hq.parse(text, "Two Words"), NotLoaded)
    assert hq.parse(text, "two-words") == Memory("two-words", "", MemoryType.USER, Source.AGENT, "", "", "")


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        ("tags:\n  - a\n\t-\tb \n- c", {"tags": ["a", "b"]}),
        ("tags:\n  -a", {"tags": []}),
        ("tags:\n\v- a", {"tags": []}),
        ("tags:\nX- a", {"tags": []}),
        ("tags:\n  - X\n  -  aXb", {"tags": ["X", "aXb"]}),
        ("note: |\n  a\n    b\n\n  c\n\nkey: v", {"note": "a\n  b\n\nc", "key": "v"}),
        ("note: |\n  a\n  b", {"note": "a\nb"}),
        ("note: >-\n  a\n  b\n\n\n  c", {"note": "a b\nc"}),
        ("note: |\n\n\nkey: v", {"note": "", "key": "v"}),
        ("note: |", {"note": ""}),
        ("note: |\n\n  a", {"note": "\na"}),
        ("note: |\n\n\n  a", {"note": "\n\na"}),
        ("note: |\n  a\n     \n  b", {"note": "a\n\nb"}),
        ("note: |2\n  a", {"note": "a"}),
        ("note: >+10\n  a", {"note": "a"}),
        ("note: | text", {"note": "| text"}),
        ("note: |x", {"note": "|x"}),
        ("note: |-x", {"note": "|-x"}),
        ("note: |X", {"note": "|X"}),
        ("note: |2-", {"note": "|2-"}),
        ("list: [a, ,b]", {"list": ["a", "b"]}),
        ("list: [a", {"list": "[a"}),
        ("a: b: c", {"a": "b: c"}),
        ("X: X", {"X": "X"}),
        ("\ufeffa\u3000: b", {"a": "b"}),
        ("\x1ca: b", {"\x1ca": "b"}),
        ("  a: b\nno colon", {}),
    ],
)
def test_a_head_is_scanned_line_by_line(head: str, fields: dict[str, object]) -> None:
    assert {key: value for key, value, _, _ in hq.scan(head.split("\n"))} == fields


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("---\n\n---\ntext", hq.Parts([""], "text")),
        ("---\n---\n---\ntext", hq.Parts(["---"], "text")),
        ("---\na: b\r\n---x\n---\n", hq.Parts(["a: b"], "x\n---")),
    ],
)
def test_the_first_line_that_begins_with_dashes_below_the_first_line_closes_the_head(
    text: str, parts: hq.Parts
) -> None:
    assert hq.split(text) == parts


@given(HEADS)
def test_fields_take_lines_that_do_not_overlap(head: list[str]) -> None:
    at = 0
    for key, _, start, end in hq.scan(head):
        assert at <= start < end <= len(head)
        assert trim(head[start].partition(":")[0]) == key
        at = end


def test_lines_of_unknown_keys_are_kept_with_the_blank_ones_inside_a_value() -> None:
    head = (
        "name: a\nowner: Ann\n\ntags:\n  - x\ndescription: |\n  gone\n\n# by hand\nnotes: |\n  one\n\n  two\ntype: user"
    )
    assert hq.extra_lines(f"---\n{head}\n---\ntext") == [
        "owner: Ann",
        "tags:",
        "  - x",
        "# by hand",
        "notes: |",
        "  one",
        "",
        "  two",
    ]


@pytest.mark.parametrize("text", ["", "text", "---\nowner: Ann\n"])
def test_a_file_without_a_head_has_no_other_lines(text: str) -> None:
    assert hq.extra_lines(text) == []


@given(HEADS)
def test_lines_of_unknown_keys_stay_the_same_from_save_to_save(head: list[str]) -> None:
    text = "\n".join(["---", "type: user", *(line for line in head if line != "---"), "---", "text"])
    extra = hq.extra_lines(text)
    assert [line for line in extra if trim(line)] == [line for line in extra if line in head and trim(line)]
    again = hq.serialize(memory(), extra)
    if not any(line.startswith("---") for line in extra):
        assert hq.extra_lines(again) == extra
        assert hq.parse(again, "x") == memory()


TEXT = "---\nname: build-checks\ntags:\n  - a\ntype: user\n---\nThe text.\n"


def test_the_handler_reads_the_dialect_for_python_frontmatter() -> None:
    handler = hq.handler()
    post = frontmatter.loads(TEXT, handler=handler)
    assert post.metadata == {"name": "build-checks", "tags": ["a"], "type": "user"}
    assert post.content == "The text."


def test_the_handler_detects_what_the_hq_would_read() -> None:
    handler = hq.handler()
    assert handler.detect(TEXT)
    assert not handler.detect("\n" + TEXT)
    with pytest.raises(ValueError, match="no front matter"):
        handler.split("\n" + TEXT)


def test_the_handler_quotes_nothing() -> None:
    post = frontmatter.Post("Text.", name="a", description="yes: 'no' #1", type="user")
    assert frontmatter.dumps(post, hq.handler()) == "---\nname: a\ndescription: yes: 'no' #1\ntype: user\n---\nText.\n"


@pytest.mark.parametrize("end", ["\r", "\u2028", "\u2029"])
def test_an_item_of_a_list_ends_where_a_line_ends_in_javascript(end: str) -> None:
    assert hq.scan(["tags:", f"  - one{end}two"]) == [("tags", ["one"], 0, 2)]
