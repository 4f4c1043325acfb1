"""What `check` reports as new: the options on a baseline and on another state, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from memctl.cli.context import Run
from memctl.cli.words import plural
from memctl.disk.checkable import Aim, Aims
from memctl.disk.stores import DataFolder
from memctl.errors import MemctlError, NotFound, UsageError
from memctl.ops.check import CheckedPlace, Totals
from memctl.ops.check_request import Comparison, KnownFindings

if TYPE_CHECKING:
    from memctl.core.checks.baseline import Entry, Scope
    from memctl.core.policy import MaxRemoved as Bound
    from memctl.ops.baseline import BaselineFile

_PANEL = "What is new"

Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline", metavar="FILE", help="Report only what is not in this file of findings.", rich_help_panel=_PANEL
    ),
]
WriteBaseline = Annotated[
    bool, typer.Option("--write-baseline", help="Write all that is found into that file.", rich_help_panel=_PANEL)
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="REF|DIR",
        help="Report only what is new since a commit of git or a copy, and memories that are gone.",
        rich_help_panel=_PANEL,
    ),
]
MaxRemoved = Annotated[
    str | None,
    typer.Option(
        "--max-removed",
        metavar="N",
        help="So many memories may be gone since: N, or N%, per agent and run.",
        rich_help_panel=_PANEL,
    ),
]


class Known(NamedTuple):
    """The baseline of a run, and whether it is written."""

    file: BaselineFile
    write: bool

    @property
    def findings(self) -> KnownFindings:
        """What places are checked by."""
        return KnownFindings(self.file.baseline.key, self.file.folder, self.file.entries(), self.write)


def known_findings(run: Run, name: str | None, *, write: bool, against: str | None) -> Known | None:
    """Return the baseline that options name. Raises UsageError, NotFound, InvalidInput, IoFailure."""
    if name is None:
        if write:
            raise UsageError("--write-baseline wants to know the file", hint="--baseline FILE names it")
        return None
    if write and against is not None:
        hint = "a baseline holds all findings, not those since another state"
        raise UsageError("give --write-baseline or --against, not both", hint=hint)
    from memctl.ops.baseline import load

    return Known(load(name, run.env, create=write), write)


def bound_of(word: str | None, against: str | None) -> Bound | None:
    """Return how many memories may be gone. Raises UsageError."""
    if word is None:
        return None
    if against is None:
        hint = "memctl check --against REF --max-removed N"
        raise UsageError("--max-removed wants to know since when: --against", hint=hint)
    from memctl.core.policy import parse_max_removed

    bound = parse_max_removed(word)
    if bound is None:
        raise UsageError(f"'{word}' is no bound", hint="--max-removed takes a number, or a percentage: 10%")
    return bound


def compare_with(run: Run, word: str | None, bound: Bound | None, aims: Aims) -> Comparison | None:
    """Return the state that --against names, and add the stores that it has and that are gone to what is checked.

    Raises UsageError, NotFound.
    """
    if word is None:
        return None
    from memctl.disk.states import find_state
    from memctl.ops.against import find_gone

    places = [aim.place for aim in aims.found]
    paths = [place.own_path if isinstance(place, DataFolder) else place.path for place in places]
    state = find_state(word, paths, aims.roots, run.env)
    gone = find_gone(state, aims.roots, aims.found, run.env)
    aims.found.extend(gone)
    # A directory whose stores are all gone is not one in which there is nothing to check.
    aims.errors[:] = [
        error
        for error in aims.errors
        if not (isinstance(error, NotFound) and error.path and any(_is_below(aim, error.path) for aim in gone))
    ]
    return Comparison(state, bound)


def _is_below(aim: Aim, path: str) -> bool:
    return not isinstance(aim.place, DataFolder) and f"{aim.place.path}/".startswith(f"{path}/")


class Since:
    """What a run gathers of the baseline and of the other state, and says at its end."""

    def __init__(self, run: Run, known: Known | None, comparison: Comparison | None) -> None:
        self._run = run
        self._known = known
        self._comparison = comparison
        self._held: list[CheckedPlace] = []
        self._entries: list[Entry] = []
        self._left = 0
        self._looked: dict[str, Scope] = {}

    def each(self, place: CheckedPlace) -> None:
        """Gather what one place came to."""
        if place.held is not None:
            self._held.append(place.held)
        self._entries += place.entries
        self._left += len(place.left)
        if place.looked is not None:
            self._looked[place.looked[0]] = place.looked[1]

    def too_many(self, totals: Totals) -> Iterator[CheckedPlace]:
        """Yield what was held back where the run as a whole has more memories gone than may be."""
        bound = self._comparison.bound if self._comparison else None
        if bound is not None and not bound.allows(totals.removed, totals.before):
            yield from self._held
            self._held = []

    def end(self, totals: Totals) -> None:
        """Write the baseline, and say what a person should know."""
        if self._known is not None:
            self._end_baseline(self._known)
        if self._comparison is not None:
            self._end_comparison(self._comparison, totals)

    def _end_baseline(self, known: Known) -> None:
        if known.write:
            from memctl.ops.baseline import save

            try:
                total = save(known.file, self._entries, self._looked)
            except MemctlError as error:
                self._run.fail(error)
            else:
                self._run.say(f"the baseline '{known.file.path}' holds {plural(total, 'finding')} now")
        elif self._left:
            entries = plural(self._left, "entry", "entries")
            verb = "matches" if self._left == 1 else "match"
            self._run.say(f"{entries} of the baseline {verb} nothing any more: --write-baseline drops what is mended")

    def _end_comparison(self, comparison: Comparison, totals: Totals) -> None:
        since = comparison.state.since
        if totals.unknown and totals.unknown == totals.stores:
            if comparison.state.partial:
                hint = "DIR is a copy of the directory that is checked, or of one agent's"
                self._run.fail(NotFound(f"'{since}' holds none of the stores that are checked", hint=hint))
            else:
                self._run.say(f"'{since}' has none of these stores: all that is found is new")
        if totals.line_ends:
            differ = "file differs" if totals.line_ends == 1 else "files differ"
            self._run.say(
                f"{totals.line_ends:,} {differ} from '{since}' in line ends only: "
                "a checkout may convert them (core.autocrlf, .gitattributes)"
            )
        if self._held:
            gone = f"{totals.removed:,} of {plural(totals.before, 'memory', 'memories')}"
            self._run.say(f"{gone} gone since '{since}', which --max-removed {comparison.bound} allows")
