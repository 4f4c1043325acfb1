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


@given(MEMORIES)
def test_what_is_written_is_read_back(written: Memory) -> None:
    assert hq.parse(hq.serialize(written), "other-name") == written
    assert hq.read(hq.write(written), "other-name") == written


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


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("\ufeff---\ntype: user\n---\n", "bom", "byte order mark"),
        ("# A note\n", "no-front-matter", 'the first line is not "---"'),
        ("--- \ntype: user\n---\n", "no-front-matter", 'the first line is not "---"'),
        ("---\ntype: user\n", "unclosed-front-matter", "not closed"),
        ("---\ntype: note\n---\n", "bad-type", "the type 'note' is not one of user, feedback, project, reference"),
        ("---\ntype: [user]\n---\n", "bad-type", "the type is a list"),
        ("---\ntype:\n---\n", "bad-type", "the type is empty"),
        ("---\ntype: " + "x" * 99 + "\n---\n", "bad-type", "'" + "x" * 79 + "…'"),
        ("---\nname: a\n---\n", "no-type", "no type"),
        ("---\nmetadata:\n  type: user\n---\n", "no-type", "nested under another key"),
        ("---\nmetadata: |\n\ttype: user\n---\n", "no-type", "nested under another key"),
        ("---\ntype: user\nname: A b\n---\n", "bad-name", "the name 'A b' is not a legal one"),
    ],
)
def test_a_file_that_is_not_loaded_says_why(text: str, code: str, words: str) -> None:
    found = hq.parse(text, "a")
    assert isinstance(found, NotLoaded)
    assert found.code == code
    assert words in found.reason


def test_a_fallback_name_must_be_legal_too() -> None:
    text = "---\ntype: user\n---\n"
    assert isinstance(hq.parse(text, "Two Words"), NotLoaded)
    assert hq.parse(text, "two-words") == Memory("two-words", "", MemoryType.USER, Source.AGENT, "", "", "")


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        ("tags:\n  - a\n\t-\tb \n- c", {"tags": ["a", "b"]}),
        ("tags:\n  -a", {"tags": []}),
        ("note: |\n  a\n    b\n\n  c\n\nkey: v", {"note": "a\n  b\n\nc", "key": "v"}),
        ("note: |\n  a\n  b", {"note": "a\nb"}),
        ("note: >-\n  a\n  b\n\n\n  c", {"note": "a b\nc"}),
        ("note: |\n\n\nkey: v", {"note": "", "key": "v"}),
        ("note: |", {"note": ""}),
        ("note: | text", {"note": "| text"}),
        ("list: [a, ,b]", {"list": ["a", "b"]}),
        ("list: [a", {"list": "[a"}),
        ("a: b: c", {"a": "b: c"}),
        ("  a: b\nno colon", {}),
    ],
)
def test_a_head_is_scanned_line_by_line(head: str, fields: dict[str, object]) -> None:
    assert {key: value for key, value, _, _ in hq.scan(head.split("\n"))} == fields


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
