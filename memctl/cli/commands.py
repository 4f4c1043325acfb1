"""The table of commands: what exists, where it is, and which command somebody meant."""

from __future__ import annotations

from typing import NamedTuple

LOOK = "Look"
CHANGE = "Change"
KEEP = "Keep in order"
AGENTS = "Agents"
SET_UP = "Set up"
GROUPS = (LOOK, CHANGE, KEEP, AGENTS, SET_UP)


class Command(NamedTuple):
    """A command, its group in the help, the module and function that carry it out, and its one-line help."""

    name: str
    group: str
    module: str
    function: str
    summary: str


COMMANDS = (
    Command("list", LOOK, "list", "list_", "List memories in groups by type."),
    Command("show", LOOK, "show", "show", "Show memories in full, or an agent's card."),
    Command("recall", LOOK, "recall", "recall", "Show the memories that fit a message."),
    Command("explain", LOOK, "explain", "explain", "Explain a rule, an exit code, a memory, or the user memory."),
    Command("edit", CHANGE, "edit", "edit", "Edit a memory, in your editor or by options."),
    Command("delete", CHANGE, "delete", "delete", "Delete memories."),
    Command("clear", CHANGE, "clear", "clear", "Remove all memories of an agent, or empty the user memory."),
    Command("remember", CHANGE, "remember", "remember", "Append notes to the user memory."),
    Command("path", CHANGE, "path", "path", "Print where memories are."),
    Command("undo", CHANGE, "undo", "undo", "Take back what memctl changed."),
    Command("redo", CHANGE, "undo", "redo", "Do again what the last undo took back."),
    Command("history", CHANGE, "history", "history", "Show what memctl changed, the newest first."),
    Command("check", KEEP, "check", "check", "Find what is wrong with memories: the linter for CI."),
    Command("reindex", KEEP, "reindex", "reindex", "Render MEMORY.md anew where it is stale."),
    Command("prune", KEEP, "prune", "prune", "Remove memories by a policy, with the reason for each."),
    Command("import-legacy", KEEP, "import_legacy", "import_legacy", "Import the old MEMORY.md of a workspace."),
    Command("sweep-mode", AGENTS, "agents", "sweep_mode", "Show or set the mode of the post-turn sweep."),
    Command("auto-memory", AGENTS, "agents", "auto_memory", "Show or set automatic memory."),
    Command("prompt", AGENTS, "prompt", "prompt", "Print the block that CodeWhale injects for the user memory."),
    Command("config", SET_UP, "config", "config", "Show or set memctl's own settings."),
    Command("completion", SET_UP, "completion", "completion", "Print the completion script of a shell."),
    Command("demo", SET_UP, "demo", "demo", "Write a small data folder to try memctl on."),
    Command("help", SET_UP, "help", "help_", "Show help on a command or a topic."),
)

BY_NAME = {command.name: command for command in COMMANDS}

# Hidden: they work, but no help shows them.
ALIASES = {"ls": "list", "cat": "show", "rm": "delete"}

# What people type elsewhere, and what they mean here.
SYNONYMS = {
    "add": "remember NOTE",
    "clean": "prune",
    "disable": "auto-memory AGENT off",
    "enable": "auto-memory AGENT on",
    "erase": "delete",
    "example": "demo",
    "find": "list --filter TEXT",
    "forget": "delete",
    "gc": "prune",
    "get": "show",
    "grep": "list --filter TEXT",
    "import": "import-legacy",
    "index": "reindex",
    "info": "show",
    "init": "demo",
    "lint": "check",
    "log": "history",
    "modify": "edit",
    "new": "remember NOTE",
    "note": "remember NOTE",
    "restore": "undo",
    "revert": "undo",
    "rebuild": "reindex",
    "remove": "delete",
    "search": "list --filter TEXT",
    "set": "config set",
    "settings": "config show",
    "stats": "show AGENT",
    "status": "list",
    "sweep": "sweep-mode",
    "update": "edit",
    "view": "show",
    "why": "explain",
}

# Options of the program that take a value, so that it is not taken for the command.
VALUE_OPTIONS = ("--root", "--user-memory", "--format", "--color")


def command_position(arguments: list[str]) -> int | None:
    """Return where the first word is that is neither an option nor the value of one; None where there is none."""
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if word in VALUE_OPTIONS:
            at += 1
        elif not word.startswith("-") or word == "-":
            return at
        elif word == "--":
            return at + 1 if at + 1 < len(arguments) else None
        at += 1
    return None


def command_word(arguments: list[str]) -> str | None:
    """Return the word at that place."""
    at = command_position(arguments)
    return None if at is None else arguments[at]


def suggestion(word: str) -> str:
    """Return the hint for a word that is no command."""
    if word.lower() in BY_NAME:
        return f"did you mean 'memctl {word.lower()}'?"
    if word.lower() in SYNONYMS:
        return f"did you mean 'memctl {SYNONYMS[word.lower()]}'?"
    from memctl.core.nearest import nearest

    near = nearest(word, [*BY_NAME, *ALIASES])
    return f"did you mean 'memctl {near}'?" if near else "memctl help shows the commands"
