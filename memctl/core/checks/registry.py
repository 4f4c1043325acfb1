"""Registry and configuration: stores that nobody reads, and switches that mean something else than they say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from memctl.core.ages import read_date
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.subject import CheckSettings, Folder, StoreKind, Subject
from memctl.core.memory import Memory
from memctl.core.nearest import nearest
from memctl.core.sweep import SweepMode

_HOUR = 3600.0


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield what the registry, or CodeWhale's configuration, says against a store. Silent where none can be read."""
    if subject.kind is StoreKind.USER:
        yield from _user(subject)
        return
    if subject.registered is False:
        total = sum(type(item.record) is Memory for item in subject.items)
        many = "1 memory" if total == 1 else f"{total:,} memories"
        what = f"nobody reads its {many}" if total else "its directory holds no memory"
        message = f"the registry has no such agent: {what}"
        yield Finding("R001", Severity.WARNING, "", message, "unknown")
    if subject.agent and not subject.agent.enabled and subject.switched is not None:
        yield from _grows(subject, subject.switched)


def _grows(subject: Subject, switched: float) -> Iterator[Finding]:
    """Yield whether memories were written since the registry said that the agent gets none."""
    day = datetime.fromtimestamp(switched, UTC).date()
    new = []
    for item in subject.items:
        # The registry is written at each change of an agent, and a checkout writes all files within minutes.
        if type(item.record) is Memory and item.mtime > switched + _HOUR:
            updated = read_date(item.record.last_update)
            if updated is not None and updated >= day:
                new.append(item.record.name)
    if new:
        many = f"{len(new):,} memories were" if len(new) > 1 else f"'{new[0]}' was"
        message = f"automatic memory is off, and {many} written since {day}"
        yield Finding("R002", Severity.WARNING, "", message, "grows")


def _user(subject: Subject) -> Iterator[Finding]:
    facts = subject.user
    if facts is None:
        return
    for key, counts, path, line in facts.misplaced:
        message = f"'{key}' is ignored by CodeWhale; {counts}"
        yield Finding("R005", Severity.WARNING, "", message, key, line, path=path)
    if any(item.data for item in subject.items):
        for what, message in (("unread", facts.unread), ("newer", facts.newer)):
            if message:
                yield Finding("R006", Severity.WARNING, "", message, what)
    if facts.shadowed:
        message = f"CodeWhale does not load the file since '{subject.path}' is there: move its notes into that"
        yield Finding("R006", Severity.WARNING, "", message, "shadowed", path=facts.shadowed)


def check_folder(folder: Folder) -> Iterator[Finding]:
    """Yield what is wrong with a registry itself."""
    if folder.problem:
        yield Finding("R004", Severity.ERROR, "", folder.problem, "unreadable", folder.line, path=folder.registry)
    if folder.odd:
        number, what, line = folder.odd[0]
        others = f" ({len(folder.odd):,} such entries)" if len(folder.odd) > 1 else ""
        message = (
            f"entry {number} is no agent but {what}{others}: no directory is said to be nobody's until that is mended"
        )
        yield Finding("R004", Severity.ERROR, "", message, f"entries:{len(folder.odd)}", line, path=folder.registry)
    for agent_id, line in folder.twice:
        message = f"the id '{agent_id}' stands in two entries: the HQ takes the last one"
        yield Finding("R004", Severity.WARNING, "", message, f"twice:{agent_id}", line, path=folder.registry)
    for agent_id, agent, line in folder.agents:
        if agent.sweep not in [*SweepMode]:
            meant = nearest(agent.sweep, [*SweepMode])
            hint = f"; did you mean '{meant}'?" if meant else ""
            message = f"the sweep mode '{agent.sweep}' of agent '{agent.name}' is not auto, on or off{hint}"
            yield Finding(
                "R003", Severity.WARNING, "", message, f"{agent_id}:{agent.sweep}", line, path=folder.registry
            )
