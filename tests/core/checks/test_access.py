"""Modes, owners and links."""

from __future__ import annotations

from memctl.core.checks.access import secret_files
from memctl.core.checks.engine import check_folder
from memctl.core.checks.rule import Fix, FixKind, Severity
from memctl.core.checks.subject import Folder, Kind, Link
from memctl.core.memory import NotLoaded
from tests.core.checks.subjects import EVERY, a_memory, a_subject, an_item, codes, found, user_memory


def test_a_private_store_breaks_no_rule() -> None:
    assert codes(a_subject({"a.md": a_memory("a")}), "A") == []


def test_a_file_that_others_can_write_is_told_with_its_mode() -> None:
    subject = a_subject(items=[an_item("a.md", "x", mode=0o664), an_item("b.md", "x", mode=0o622)])
    findings = found(subject, "A001")
    assert [finding.message for finding in findings] == [
        "the file can be written by group (0664)",
        "the file can be written by group and others (0622)",
    ]
    assert findings[0].severity is Severity.WARNING
    assert findings[0].fix == Fix(FixKind.MODE, "a.md")


def test_a_directory_that_others_can_write_is_told() -> None:
    (finding,) = found(a_subject({}, mode=0o777), "A001")
    assert (finding.file, finding.message, finding.fix) == (
        "",
        "the directory can be written by group and others (0777): chmod go-w",
        None,
    )


def test_files_that_others_can_read_are_one_finding_of_the_store() -> None:
    items = [an_item("a.md", "x", mode=0o644), an_item("b.md", "x", mode=0o644)]
    (finding,) = found(a_subject(items=items, mode=0o755), "A002")
    assert (finding.severity, finding.file) == (Severity.INFO, "")
    assert finding.message == "'a.md' and 1 more file can be read by every user (0644)"
    (alone,) = found(a_subject(items=items[:1], mode=0o755), "A002")
    assert alone.message == "'a.md' can be read by every user (0644)"


def test_behind_a_closed_directory_nobody_reads() -> None:
    assert codes(a_subject(items=[an_item("a.md", "x", mode=0o644)], mode=0o750), "A") == []


def test_a_secret_that_others_can_read_is_a_warning_for_its_file() -> None:
    items = [an_item("a.md", "x", mode=0o644), an_item("b.md", "x", mode=0o600), an_item("c.md", "x", mode=0o644)]
    subject = a_subject(items=items, mode=0o755)
    asked: list[str] = []
    (finding,) = secret_files(subject, lambda item: not asked.append(item.name) and item.name in ("a.md", "b.md"))
    assert asked == ["a.md", "c.md"]  # nobody else can read the other
    assert (finding.rule, finding.severity, finding.file) == ("A003", Severity.WARNING, "a.md")
    assert finding.message == "the file holds a secret, and every user can read it (0644)"
    assert list(secret_files(subject._replace(mode=0o700), lambda _: True)) == []


def test_the_rule_looks_for_secrets_by_itself_where_the_rules_on_them_were_not_chosen() -> None:
    texts = ("the password for the relay is Kx7mQ2pz9", "no secret", "", f"AKIA{'QX7Z' * 4}")
    items = [an_item(f"{number}.md", text, mode=0o644) for number, text in enumerate(texts)]
    subject = a_subject(items=items, mode=0o755)
    alone = EVERY._replace(enabled=frozenset({"A003"}))
    assert codes(subject, "A", alone) == []
    both = alone._replace(reads_secrets=True)
    assert [finding.file for finding in found(subject, "A003", both)] == ["0.md", "3.md"]
    assert [finding.file for finding in found(subject, "A003")] == ["0.md", "3.md"]


def test_a_user_memory_that_others_can_read_is_told() -> None:
    subject = user_memory("- note\n")
    items = [item._replace(mode=0o644) for item in subject.items]
    assert codes(subject._replace(items=items), "A") == ["A002"]


def test_a_file_of_another_owner_is_told() -> None:
    (finding,) = found(a_subject(items=[an_item("a.md", "x", uid=0)]), "A004")
    assert finding.message == "the file belongs to uid 0, its directory to uid 1000"


def test_links_are_told_by_where_they_lead() -> None:
    def link(name: str, target: str, inside: str | None, text: str | None = "x") -> object:
        return an_item(name, text, kind=Kind.SYMLINK, mode=0o777, uid=0, link=Link(target, inside))

    items = [link("a.md", "/etc/hostname", None), link("b.md", "c.md", "c.md"), link("d.md", "MEMORY.md", "MEMORY.md")]
    subject = a_subject(items=items, mode=0o755)  # type: ignore[arg-type]
    findings = {finding.file: finding for finding in [*found(subject, "A005"), *found(subject, "A006")]}
    assert findings["a.md"].message == "a symlink to '/etc/hostname', out of the store"
    assert (findings["a.md"].severity, findings["a.md"].fix) == (Severity.ERROR, None)
    assert findings["d.md"].message == "a symlink to MEMORY.md"
    assert findings["d.md"].fix == Fix(FixKind.ALIAS, "d.md")
    (inside,) = found(subject, "A007")
    assert (inside.file, inside.severity) == ("b.md", Severity.WARNING)
    assert codes(subject, "A") == ["A005", "A007", "A006"]


def test_a_link_that_could_not_be_read_has_no_line() -> None:
    item = an_item("a.md", None, kind=Kind.SYMLINK, link=Link("/gone", None))
    (finding,) = found(a_subject(items=[item]), "A005")
    assert finding.line is None


def test_a_link_to_nothing_in_the_store_is_no_second_name() -> None:
    item = an_item("a.md", None, kind=Kind.SYMLINK, link=Link("gone.md", "gone.md"))
    assert codes(a_subject(items=[item]), "A") == []


def test_a_hard_link_to_the_index_is_a_second_name() -> None:
    item = an_item("notes.md", "# Memory index\n", link=Link("MEMORY.md", "MEMORY.md"))
    (finding,) = found(a_subject(items=[item]), "A006")
    assert finding.message == "a second name of MEMORY.md"


def test_a_directory_that_is_a_link_is_an_error() -> None:
    (finding,) = found(a_subject({}, link="/tmp/elsewhere"), "A005")
    assert (finding.file, finding.severity) == ("", Severity.ERROR)
    assert finding.message.startswith("the directory is a symlink to '/tmp/elsewhere'")


def test_what_cannot_be_read_is_an_error() -> None:
    (finding,) = found(a_subject({}, problem="permission denied"), "A008")
    assert (finding.file, finding.message) == ("", "unreadable: permission denied")
    unread = an_item("a.md", None, record=NotLoaded("unreadable", "unreadable: permission denied"))
    (finding,) = found(a_subject(items=[unread]), "A008")
    assert (finding.file, finding.severity) == ("a.md", Severity.ERROR)


def test_directories_have_no_access_of_their_own() -> None:
    assert codes(a_subject(items=[an_item("deep", None, kind=Kind.DIRECTORY, mode=0o777)]), "A") == []


def a_folder(**changes: object) -> Folder:
    return Folder("/hq/agents.json", "", None, ())._replace(**changes)  # type: ignore[arg-type]


def test_what_all_agents_share_is_told_where_others_can_write_it() -> None:
    shared = (("/hq", 0o755, "the data folder"), ("/hq/memory", 0o777, "the directory"))
    found = check_folder(a_folder(shared=(*shared, ("/hq/agents.json", 0o620, "the registry"))), EVERY)
    assert [(finding.rule, finding.path, finding.message) for finding in found] == [
        ("A001", "/hq/memory", "the directory can be written by group and others (0777): chmod go-w"),
        ("A001", "/hq/agents.json", "the registry can be written by group (0620): chmod go-w"),
    ]
    assert check_folder(a_folder(shared=shared[:1]), EVERY) == []


def test_a_directory_of_all_agents_that_leads_to_nothing_is_an_error() -> None:
    (finding,) = check_folder(a_folder(gone=("/hq/memory", "/mnt/disk")), EVERY)
    assert (finding.rule, finding.severity, finding.path) == ("A008", Severity.ERROR, "/hq/memory")
    assert finding.message == "a symlink to '/mnt/disk', where nothing is: no agent's memories are there"
