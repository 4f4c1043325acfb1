"""Every command with words for it, reading and changing, for the faults that are of the surroundings."""

from __future__ import annotations

from memctl.cli.commands import COMMANDS
from tests.faults.commands import CASES

READING = (
    "list",
    "list --json",
    "list bot",
    "list -A --sort size --jobs 2",
    "list @user",
    "show bot",
    "show bot/deploy @user",
    "show --raw bot/deploy",
    "recall bot deploy the build",
    "explain @user",
    "path",
    "path bot",
    "path @user",
    "prompt @user",
    "history",
    "history --show 1",
    "undo -n",
    "redo -n",
    "reindex --check --all",
    "prune -n --all --over 0",
    "delete -n bot/*",
    "edit -n bot/* --type user",
    "import-legacy -n --all",
    "sweep-mode",
    "auto-memory --json",
    "auto-memory @user",
    "config show",
    "completion bash",
    "demo -n elsewhere",
    "help addresses",
    "help",
    "--version",
)
# Those of the table, and with patterns: what stands in a directory is reached by no name that is known before.
CHANGING = (
    *dict.fromkeys(case.words for case in CASES.values()),
    "edit bot/* --touch",
    "delete -y bot/*",
    "prune -y --all --over 0 --no-floor --include-user-authored",
    "reindex bot",
    "import-legacy --all --force",
    "undo -y --force",
)
# What documents an end: sysexits, a question without a terminal, and the answer no.
CODES = frozenset({0, 1, 2, 65, 66, 73, 74, 75, 77, 78})


def missing() -> set[str]:
    """Return the commands that are in no line."""
    words = {word for line in (*READING, *CHANGING) for word in line.split()}
    return {command.name for command in COMMANDS} - words
