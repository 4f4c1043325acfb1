"""Results as tables and rendered text for a terminal; rich is imported inside."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memctl.core.ages import ago
from memctl.core.memory import MemoryType
from memctl.core.text import decode
from memctl.ops.results import AgentState, Card, Listed, ListedNotes, ShownFile, ShownNote, ShownUserMemory
from memctl.output.escape import visible
from memctl.output.plain import agent_label, card_fields, change_state, file_fields, memory_fields, note_fields

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from memctl.disk.history_tables import Change
    from memctl.ops.show import Shown
    from memctl.output.plain_explain import Told

# Below this width of the middle column a row becomes several lines.
_NARROW = 24


class Screen:
    """How wide a terminal is, and whether it shows colour."""

    def __init__(self, width: int, *, color: bool) -> None:
        self.width = width
        self.color = color

    def text(self, *parts: RenderableType) -> str:
        """Return what rich makes of the parts, without blanks at the ends of lines."""
        console = self._console()
        with console.capture() as capture:
            for part in parts:
                console.print(part)
        return "".join(line.rstrip(" ") + "\n" for line in capture.get().splitlines())

    def _console(self) -> Console:
        from rich.console import Console

        return Console(
            width=self.width,
            force_terminal=self.color,
            no_color=not self.color,
            color_system="standard" if self.color else None,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )


def listed(result: Listed, screen: Screen, *, headed: bool) -> str:
    """Return the memories of one store in groups by type, `User (3)`; `headed` puts the agent's name above them."""
    from rich.text import Text

    parts: list[RenderableType] = []
    if headed:
        parts.append(Text(visible(agent_label(result.store)), style="bold"))
    for kind in MemoryType:
        group = [entry for entry in result.entries if entry.memory.type is kind]
        if group:
            parts.append(Text(f"{kind.capitalize()} ({len(group)})", style="bold cyan"))
            rows = [
                (_name(entry.stem, entry.memory.name), entry.memory.description, entry.memory.source) for entry in group
            ]
            parts += _rows(rows, screen, ("green", "", "dim"))
    if result.unloaded:
        parts.append(Text(f"Not loaded ({len(result.unloaded)})", style="bold red"))
        parts += _rows([(file.file, file.problem.reason, "") for file in result.unloaded], screen, ("red", "", ""))
    if not result.entries and not result.unloaded:
        parts.append(Text("  no memories" if not result.skipped else "  no memories that fit", style="dim"))
    return screen.text(*parts, Text(""))


def listed_notes(result: ListedNotes, screen: Screen) -> str:
    """Return the notes of the user memory: number, stamp and text."""
    from rich.text import Text

    parts: list[RenderableType] = [Text(visible(result.store.path), style="bold")]
    if result.notes:
        rows = [(str(note.number), note.text, note.stamp or "") for note in result.notes]
        parts += _rows(rows, screen, ("green", "", "dim"))
    else:
        parts.append(Text("  no notes", style="dim"))
    return screen.text(*parts, Text(""))


def changes(found: Sequence[Change], now: datetime, screen: Screen) -> str:
    """Return the changes of the history: id and how long ago, command, who, how many files and what became of it."""
    rows = []
    for one in found:
        files = "1 file" if len(one.files) == 1 else f"{len(one.files):,} files"
        last = ", ".join(filter(None, (one.origin.user, files, change_state(one))))
        rows.append((f"{one.id}  {ago(datetime.fromisoformat(one.time), now)}", one.command, last))
    return screen.text(*_rows(rows, screen, ("green", "", "dim"))) if rows else ""


def _name(stem: str, name: str) -> str:
    return stem if stem == name else f"{stem} ({name})"


def _rows(rows: Sequence[tuple[str, str, str]], screen: Screen, styles: tuple[str, str, str]) -> list[RenderableType]:
    """Return rows of name, text and source: a table, or lines where the terminal is too narrow for one."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    shown = [tuple(visible(str(cell), lines=True) for cell in row) for row in rows]
    names = max(_cells(row[0]) for row in shown)
    last = max(_cells(row[2]) for row in shown)
    if screen.width - names - last - 6 < _NARROW:
        lines: list[RenderableType] = []
        for name, text, source in shown:
            first = Text("  ").append(name, styles[0]).append(f"  {source}" if source else "", styles[2])
            first.overflow = "fold"
            lines += [first, Padding(Text(text, styles[1], overflow="fold"), (0, 0, 0, 4))]
        return lines
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style=styles[0])
    table.add_column(overflow="fold", style=styles[1])
    table.add_column(no_wrap=True, style=styles[2])
    for row in shown:
        table.add_row(*(Text(cell) for cell in row))
    return [Padding(table, (0, 0, 0, 2))]


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def shown(result: Shown, screen: Screen, *, plain: bool) -> str:
    """Return a memory with its fields and its content, rendered as Markdown unless `plain`; a file; a card; a note."""
    from rich.markdown import Markdown
    from rich.text import Text

    if isinstance(result, ShownNote):
        return screen.text(
            _fields(note_fields(result)), Text(""), Text(visible(result.note.text, lines=True), overflow="fold")
        )
    if isinstance(result, ShownUserMemory):
        text = visible(decode(result.data), lines=True)
        whole: RenderableType = Text(text.rstrip("\n"), overflow="fold") if plain else Markdown(text, hyperlinks=False)
        return screen.text(Text(visible(result.store.path), style="bold"), Text(""), whole)

    if isinstance(result, Card):
        return screen.text(_fields(card_fields(result)))
    if isinstance(result, ShownFile):
        text = visible(decode(result.file.data or b""), lines=True)
        return screen.text(_fields(file_fields(result)), Text(""), Text(text.rstrip("\n"), overflow="fold"))
    content = visible(result.entry.memory.content, lines=True)
    body: RenderableType = Text(content, overflow="fold") if plain else Markdown(content, hyperlinks=False)
    return screen.text(_fields(memory_fields(result)), Text(""), body)


def explained(told: Told, screen: Screen) -> str:
    """Return what is to say of a thing: a word for each point, and what it says."""
    from memctl.ops.explain_rule import ExplainedRule
    from memctl.output.plain_explain import explained_fields

    return screen.text(_fields(explained_fields(told), lines=isinstance(told, ExplainedRule)))


def _fields(fields: Sequence[tuple[str, str]], *, lines: bool = False) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    for label, value in fields:
        table.add_row(Text(label), Text(visible(value, lines=lines)))
    return table


def states(results: Sequence[AgentState], screen: Screen, *, sweep: bool) -> str:
    """Return the switches of agents: a table, the reason in its last column."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    heads = ("agent", "mode", "model", "sweep", "why") if sweep else ("agent", "memory", "why")
    for head in heads:
        table.add_column(head, overflow="fold", no_wrap=False)
    for result in results:
        way = {"api": " (changed by the HQ)", "file": " (changed in agents.json)", None: ""}[result.way]
        if sweep:
            cells = [
                agent_label(result.store),
                result.mode,
                result.model,
                "yes" if result.sweeps else "no",
                result.why + way,
            ]
        else:
            cells = [agent_label(result.store), "on" if result.enabled else "off", result.why_enabled + way]
        table.add_row(*(Text(visible(cell)) for cell in cells))
    return screen.text(table)
