"""The demo's data: a small data folder of an HQ, and a user memory beside it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from memctl.core.dialects import hq
from memctl.core.index import render_index
from memctl.core.legacy import DESCRIPTION, LEGACY_NAME, MARKER_NAME, marker_text
from memctl.core.memory import Memory, MemoryType, Source
from memctl.core.text import encode

_USER, _FEEDBACK, _PROJECT, _REFERENCE = MemoryType
_AGENT, _SWEEP, _PERSON, _IMPORT = Source


class _Agent(NamedTuple):
    """An agent of the demo. `config` is what the registry says of it, None where it is no longer registered."""

    id: str
    name: str
    config: dict[str, Any] | None
    registered: str
    memories: tuple[Memory, ...]


_BILLING = (
    Memory(
        LEGACY_NAME, DESCRIPTION, _PROJECT, _IMPORT, "2026-02-03", "2026-02-03",
        "# Billing\n\n- Invoices go out on the first working day of a month.\n- The ledger is the truth; the dashboard"
        " lags behind it by an hour.\n- Refunds over 500 EUR need a second pair of eyes.",
    ),
    Memory(
        "team-and-place", "Works on the platform team, based in Singapore", _USER, _AGENT, "2026-02-05", "2026-02-05",
        "Mei Lin works on the platform team and sits in Singapore (UTC+8). She reads messages from 09:00 to 18:00 her"
        " time.",
    ),
    Memory(
        "knows-the-ledger", "Wrote the ledger service; needs no introduction to it", _USER, _SWEEP,
        "2026-03-11", "2026-03-11",
        "Mei Lin wrote the ledger service. Explain the payments side to her, and skip double-entry bookkeeping.",
    ),
    Memory(
        "ask-before-delete", "Always ask before you delete a file", _FEEDBACK, _PERSON, "2026-02-06", "2026-09-14",
        "Ask before you delete a file, also one that looks generated.\n\n**Why:** a fixture that took two days to make"
        " was once removed as a leftover.\n**How to apply:** list the paths, wait for a yes, then delete.",
    ),
    Memory(
        "amounts-in-cents", "Amounts are whole cents in code, never floats", _FEEDBACK, _AGENT,
        "2026-04-20", "2026-08-02",
        "Write amounts as whole cents, in code and in tests.\n\n**Why:** two invoices were off by a cent.\n"
        "**How to apply:** convert where a request comes in and where a page is shown, nowhere else.",
    ),
    Memory(
        "api-migration", "Move the billing service to the new payments API by the end of the quarter", _PROJECT, _AGENT,
        "2026-07-01", "2026-11-12",
        "The billing service moves to the new payments API by 2026-12-31. Cards first, then direct debit.\n\n"
        "**Why:** the old API is switched off on 2027-01-15.\n**How to apply:** put new code behind the adapter, and"
        " change nothing in the old client. See [[payments-api-docs]].",
    ),
    Memory(
        "invoice-archive", "Invoices before 2020 move to cold storage", _PROJECT, _SWEEP, "2026-03-16", "2026-03-16",
        "Invoices from before 2020 move to cold storage by the summer of 2026. Finance keeps read access for ten years.",
    ),
    Memory(
        "payments-api-docs", "Where the documents of the new payments API are", _REFERENCE, _AGENT,
        "2026-07-01", "2026-07-01",
        "The guide and the error table: https://docs.example.com/payments/v3",
    ),
    Memory(
        "finance-contacts", "Whom to ask in finance about refunds and taxes", _REFERENCE, _PERSON,
        "2026-05-19", "2026-10-06",
        "Refunds: Jürgen Weiß (München). Taxes: 佐藤 美咲 (東京). Both answer in the channel #finance-help.",
    ),
)  # fmt: skip
_DOCS = (
    Memory(
        "writes-for-admins", "Writes for administrators who read in a hurry", _USER, _AGENT, "2026-03-02", "2026-03-02",
        "Tomás writes the manual. His readers are administrators: the command first, the reason after it.",
    ),
    Memory(
        "plain-english", "Plain English, one idea a sentence, no idioms", _FEEDBACK, _PERSON, "2026-03-02", "2026-06-23",
        "Use short sentences with one idea each, and no idioms.\n\n**Why:** most readers have English as a second"
        " language.\n**How to apply:** read each paragraph once more and split what has two thoughts.",
    ),
    Memory(
        "screenshots-last", "Take screenshots last, when the words stand", _FEEDBACK, _SWEEP, "2026-04-15", "2026-04-15",
        "Take screenshots when the text is approved.\n\n**Why:** each round of review made the pictures wrong.\n"
        "**How to apply:** leave a line that says what the picture will show.",
    ),
    Memory(
        "handbook-split", "Split the handbook into a guide and a reference", _PROJECT, _AGENT, "2026-08-25", "2026-11-03",
        "The handbook becomes a guide (tasks) and a reference (options) before the release in January 2027.\n\n"
        "**Why:** people search for tasks and land among options.\n**How to apply:** a new page goes into one of both.",
    ),
    Memory(
        "french-edition", "A French edition follows the release", _PROJECT, _SWEEP, "2026-09-09", "2026-09-09",
        "A French edition follows the January release. Amélie translates; words that she settled stay as they are.",
    ),
    Memory(
        "style-guide", "The style guide and the list of terms", _REFERENCE, _AGENT, "2026-03-04", "2026-03-04",
        "Style guide and list of terms: https://docs.example.com/style",
    ),
    Memory(
        "review-board", "The board with the pages that wait for a review", _REFERENCE, _SWEEP, "2026-05-28", "2026-05-28",
        "Pages that wait for a review: https://board.example.com/docs",
    ),
)  # fmt: skip
_RELEASES = (
    Memory(
        "release-manager", "Priya decides what goes into a release", _USER, _AGENT, "2026-01-13", "2026-01-13",
        "Priya decides what goes into a release, and is away on Fridays.",
    ),
    Memory(
        "no-friday-releases", "No releases on Fridays", _FEEDBACK, _PERSON, "2025-11-21", "2025-11-21",
        "Do not release on a Friday.\n\n**Why:** nobody is there to roll back on Saturday.\n"
        "**How to apply:** what is ready on Friday goes out on Monday at 10:00.",
    ),
    Memory(
        "long-term-support", "Version 4 gets fixes until the end of 2027", _PROJECT, _AGENT, "2026-01-20", "2026-06-30",
        "Version 4 gets fixes until 2027-12-31.\n\n**Why:** three large customers cannot move earlier.\n"
        "**How to apply:** ask for each fix whether version 4 needs it too.",
    ),
    Memory(
        "version-3-end", "Version 3 gets its last fixes in March 2025", _PROJECT, _SWEEP, "2025-02-17", "2025-03-04",
        "The last fixes for version 3 are released on 2025-03-28. After that its branch is closed.",
    ),
)  # fmt: skip

AGENTS = (
    _Agent(
        "1a2b3c4d",
        "billing-bot",
        {"model": "anthropic/claude-sonnet-5", "memory": {"enabled": True}},
        "2026-02-03T08:12:44.310Z",
        _BILLING,
    ),
    _Agent(
        "7c09e5f2",
        "docs-writer",
        {"model": "deepseek/deepseek-chat", "memory": {"enabled": True, "sweep": "on"}},
        "2026-03-02T13:40:09.027Z",
        _DOCS,
    ),
    _Agent("e4d81b36", "release-helper", None, "", _RELEASES),
)
# The directory that has notes from before, and when they were imported.
_IMPORTED_INTO, _IMPORTED_AT = "1a2b3c4d", datetime(2026, 2, 3, 8, 15, 2, 481000, tzinfo=UTC)
# The index that somebody left behind: it lacks this memory.
_NOT_YET_INDEXED = "french-edition"
# A note that somebody put there by hand; the HQ does not know its type.
_BY_HAND = "7c09e5f2/meeting-2026-10-15.md"
_NOTE = """\
---
name: meeting-2026-10-15
description: What the meeting about the handbook decided
type: note
---
The guide comes first, the reference after it. Tomás asks the support team for the twenty most frequent questions.
"""
_USER_MEMORY = """\
- (2026-05-03 22:14 UTC) prefer pytest over unittest
- (2026-05-03 22:31 UTC) this codebase uses 4-space indentation
- (2026-05-04 09:02 UTC) all PRs need 2 reviewers before merge
- (2026-07-19 15:47 UTC) run cargo fmt before each commit
- British spelling in everything that customers read
- (2026-09-30 06:55 UTC) dates in documents are written 2026-09-30
- (2026-11-08 17:20 UTC) explain a plan in three sentences before a change of more than one file
"""


def demo_files() -> dict[str, bytes]:
    """Return the files of the demo, by their paths relative to its directory; always the same bytes."""
    files = {"agents.json": _registry(), "memory.md": _USER_MEMORY.encode(), f"memory/{_BY_HAND}": _NOTE.encode()}
    for agent in AGENTS:
        folder = f"memory/{agent.id}"
        by_file = {f"{memory.name}.md": memory for memory in agent.memories}
        for file, memory in by_file.items():
            files[f"{folder}/{file}"] = hq.write(memory)
        listed = [by_file[file] for file in hq.memory_files(by_file) if by_file[file].name != _NOT_YET_INDEXED]
        files[f"{folder}/{hq.INDEX_NAME}"] = encode(render_index(listed).text)
    files[f"memory/{_IMPORTED_INTO}/{MARKER_NAME}"] = marker_text(_IMPORTED_AT)
    return files


def _registry() -> bytes:
    """Return `agents.json` as JSON.stringify writes it, without a final newline (spec/hq.md 12)."""
    import json

    entries = [
        {
            "id": agent.id,
            "name": agent.name,
            "config": {
                "name": agent.name,
                "model": agent.config["model"],
                "systemPrompt": f"You are {agent.name}, a member of the squad.",
                "workspace": f"/srv/workspaces/{agent.id}",
                "memory": agent.config["memory"],
            },
            "status": "registered",
            "registeredAt": agent.registered,
        }
        for agent in AGENTS
        if agent.config is not None
    ]
    return json.dumps(entries, indent=2, ensure_ascii=False).encode()


def demo_commands(directory: str) -> tuple[str, ...]:
    """Return commands to try on the demo in `directory`, ready for a shell."""
    import shlex

    memctl = f"memctl --root {shlex.quote(directory)}"
    return (
        f"{memctl} list",
        f"{memctl} show billing-bot/api-migration",
        f"{memctl} reindex --check --all",
        f"{memctl} prune -n --all --older-than 1y",
    )
