"""Stray files: copies, backups and temp files, by how their names look."""

from __future__ import annotations

from time import process_time

import pytest

from memctl.core.checks.rule import Fix, FixKind, Severity
from memctl.core.checks.strays import stray_kind
from memctl.core.checks.subject import Kind, Link
from memctl.core.dialects import hq
from memctl.core.memory import NotLoaded
from tests.core.checks.subjects import EVERY, a_memory, a_subject, an_item, codes, found

SYNC = "a copy of a sync conflict"
EDITOR = "a backup of an editor"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("MEMORY.sync-conflict-20260729-160943-ABC.md", SYNC),
        ("a (Ada's conflicted copy 2026-01-01).md", SYNC),
        ("a.md~", EDITOR),
        (".a.md.swp", EDITOR),
        ("#a.md#", EDITOR),
        (".#a.md", EDITOR),
        ("._a.md", EDITOR),
        ("a.md.bak", EDITOR),
        ("a.md.tmp", "a temp file"),
        (".memctl-1a2b", "a temp file"),
        (".DS_Store", "a file of a file manager"),
        ("MEMORY.md", None),
        (".legacy-imported", None),
        ("api-migration.md", None),
        ("a 2.md", None),
        ("a.old.md", None),
    ],
)
def test_stray_files_are_known_by_their_names(name: str, kind: str | None) -> None:
    assert stray_kind(name) == kind


# No memory can be called so.
SURE = [
    "{}_conflict-20260729-160943.md",
    "{} (SFConflict bob@x.org 2026-07-29-10-11-12).md",
    "{} (Case Conflict).md",
    "{} (Konfliktkopie von Bob 2026-07-29).md",
    "{} (Copie en conflit de Bob 2026-07-29).md",
    "{} (Copia en conflicto de Bob 2026-07-29).md",
    "{} (copia in conflitto di Bob 2026-07-29).md",
    "{} (Bob の競合コピー 2026-07-29).md",
    "{} (Bob 的冲突副本 2026-07-29).md",
    "{} (conflicted copy 2026-07-29 160943).md",
    "{}_DiskStation_Jul-29-160943-2026_Conflict.md",
    "{}.sync-conflict-20260729-160943-ABCDEFG.md",
    "{}.conflict.md",
    "{} [conflict].md",
    "{}.BACKUP.123.md",
    "{}.LOCAL.123.md",
    "{}_BASE_123.md",
    "{}.bak.md",
    "{}.orig.md",
    "~${}.md",
]
# What a memory can be called too.
MAYBE = [
    "{} 2.md",
    "{} (1).md",
    "{}(2).md",
    "{} copy.md",
    "{} copy 2.md",
    "{} - Copy.md",
    "{} - Copy (2).md",
    "Copy of {}.md",
    "{} - Kopie.md",
    "Kopie von {}.md",
    "{} - co\u0301pia.md",  # as macOS writes it
    "{} のコピー.md",
    "{} - 副本.md",
    "{} (another copy).md",
    "{}.old.md",
    "{}-DESKTOP-7Q2.md",
    "{}-LAPTOP-AB12CD.md",
    "{}-bobs-MacBook-Pro.md",
    "{}-conflict-20260729-160943.md",
    "{} (1) (1).md",
    "{} copy copy.md",
]


@pytest.mark.parametrize("form", [*SURE, *MAYBE])
def test_a_copy_beside_its_original_is_one_finding_and_can_be_taken_out(form: str) -> None:
    name = form.format("api")
    files = {"api.md": a_memory("api"), name: a_memory("api", content="other", created="soon")}
    assert codes(a_subject(files)) == ["F017"]
    (finding,) = found(a_subject(files), "F017")
    assert (finding.file, finding.severity, finding.line) == (name, Severity.WARNING, 1)
    assert finding.message.endswith(", which the HQ takes for a memory")
    assert finding.fix == Fix(FixKind.QUARANTINE, name)


@pytest.mark.parametrize("form", [*SURE, *MAYBE])
@pytest.mark.parametrize("index", ["", None])
def test_a_copy_of_the_index_is_no_memory_without_front_matter(form: str, index: str | None) -> None:
    name = form.format("MEMORY")
    subject = a_subject({"api.md": a_memory("api"), name: "# Memory index\n"}, index=index)
    assert codes(subject, "NF") == ["F017"]
    assert found(subject, "F017")[0].fix == Fix(FixKind.QUARANTINE, name)


@pytest.mark.parametrize("form", MAYBE)
def test_what_can_be_an_honest_name_is_one_where_nothing_has_the_shorter(form: str) -> None:
    name = form.format("python")
    assert codes(a_subject({name: a_memory("python")})) == ["F001"]
    own = {"python.md": a_memory("python"), name: a_memory("python-two")}
    assert codes(a_subject(own)) == ["F001"]


def test_a_memory_whose_legal_name_looks_like_a_copy_is_none() -> None:
    names = ("merge-conflict-policy", "a-conflict-b", "a", "a-copy", "a-2")
    assert codes(a_subject({f"{name}.md": a_memory(name) for name in names})) == []


def test_a_file_that_is_not_loaded_is_no_copy_for_capitals_behind_a_hyphen() -> None:
    assert codes(a_subject({"a.md": a_memory("a"), "a-API.md": "x\n"}), "NF") == ["N001"]
    assert codes(a_subject({"a.md": a_memory("a"), "a-DESKTOP-7Q2.md": "x\n"}), "NF") == ["F017"]


def test_a_memory_that_stands_beside_the_index_is_no_copy_of_it() -> None:
    assert codes(a_subject({"MEMORY 2.md": a_memory("memory-two")}), "NF") == ["F001"]


def test_the_only_file_of_a_memory_gets_its_name_back_and_is_never_taken_out() -> None:
    copy = "a.sync-conflict-20260101-000000-X.md"
    (finding,) = found(a_subject({copy: a_memory("a")}), "F017")
    assert finding.message == (
        "a stray file: a copy of a sync conflict, which the HQ takes for a memory; no other file has 'a'"
    )
    assert finding.fix == Fix(FixKind.RENAME, copy, "a.md")
    two = found(a_subject({copy: a_memory("a"), "a.bak.md": a_memory("a", content="other")}), "F017")
    assert [finding.fix for finding in two] == [None, None]
    taken = found(a_subject({copy: a_memory("a"), "A.md": a_memory("b")}), "F017")
    assert [finding.fix for finding in taken] == [None]


def test_a_backup_that_the_hq_skips_goes_only_where_its_original_is() -> None:
    assert found(a_subject({"ap.md": a_memory("ap"), "api.bak.md": "x\n"}), "F017")[0].fix is None
    assert found(a_subject({"api.md": a_memory("api"), "api.bak.md": "x\n"}), "F017")[0].fix is not None


def test_a_copy_counts_for_the_limits_of_the_store_and_not_for_those_of_a_file() -> None:
    files = {f"m{number}.md": a_memory(f"m{number}") for number in range(179)}
    files["m0 (1).md"] = a_memory("m0", description="d" * 300)
    assert codes(a_subject(files), "NFL") == ["L002", "F017", "L005"]


def test_where_the_rule_is_off_a_copy_is_a_file_as_any_other() -> None:
    off = EVERY._replace(enabled=EVERY.enabled - {"F017"})
    files = {"a.md": a_memory("a"), "a (1).md": a_memory("a"), "MEMORY (1).md": "# Memory index\n"}
    assert codes(a_subject(files), "NF", off) == ["N001", "F001", "F002", "F002"]


def test_a_copy_is_still_read_for_secrets_and_prompt_safety() -> None:
    files = {"a.md": a_memory("a"), "a (1).md": a_memory("a", content="the password for the relay is Kx7mQ2pz9")}
    assert codes(a_subject(files), "FS") == ["F017", "S002"]
    files = {"a.md": a_memory("a"), "a (1).md": a_memory("a", content="</memory>")}
    assert codes(a_subject(files), "FP") == ["F017", "P001"]


def test_a_directory_or_a_link_is_no_copy() -> None:
    items = [
        an_item("a.bak.md", None, kind=Kind.DIRECTORY, record=NotLoaded("not-a-file", "a directory, not a file")),
        an_item("a 3.md", hq.write(a_memory("a")), kind=Kind.SYMLINK, link=Link("a.md", "a.md")),
    ]
    assert "F017" not in codes(a_subject({"a.md": a_memory("a")}, items=items), "F")


@pytest.mark.parametrize("name", ["(" * 250, "( " * 120, "-" * 249 + "A", " copy" * 49, "a-" * 120 + "A", "(x " * 80])
def test_no_name_is_slow(name: str) -> None:
    files = {f"{name[:-3]}{number:03}.md": "x\n" for number in range(50)}
    begun = process_time()
    codes(a_subject({"a.md": a_memory("a"), **files}), "NF")
    assert process_time() - begun < 1  # 50 names, which take some milliseconds


def test_many_copies_of_one_memory_are_not_compared_with_each_other() -> None:
    memories = {f"a.sync-conflict-{number}.md": a_memory("a") for number in range(3000)}
    begun = process_time()
    form = EVERY._replace(enabled=frozenset({"F001", "F017"}))
    assert {finding.fix for finding in found(a_subject(memories, index=None), "F017", form)} == {None}
    assert process_time() - begun < 5


def test_stray_files_can_be_taken_out_and_other_things_are_only_told() -> None:
    items = [
        an_item("a.md~", "old"),
        an_item("notes.MD", "x"),
        an_item("a.md.copy", "x"),
        an_item("MEMORY.md.1", "x"),
        an_item("picture.png", "x"),
        an_item("deep", None, kind=Kind.DIRECTORY),
        an_item(".git", None, kind=Kind.DIRECTORY),
        an_item(".gitattributes", "x"),
        an_item(".legacy-imported", "x"),
        an_item("huge.bin", None),
        an_item("up", None, kind=Kind.SYMLINK, link=Link("..", None)),
    ]
    findings = found(a_subject({"a.md": a_memory("a")}, items=items), "F017")
    assert {finding.file: (finding.severity, finding.fix is not None) for finding in findings} == {
        "a.md~": (Severity.WARNING, True),
        "notes.MD": (Severity.WARNING, True),
        "a.md.copy": (Severity.WARNING, True),
        "MEMORY.md.1": (Severity.WARNING, True),
        "picture.png": (Severity.INFO, True),
        "deep": (Severity.INFO, False),
        "huge.bin": (Severity.INFO, False),
    }
