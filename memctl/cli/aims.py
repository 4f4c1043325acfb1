"""What a run of `check` is about: the places that words mean, and what each of them is checked by."""

from collections.abc import Sequence

from memctl.cli.context import Run
from memctl.core.checks.rule import SEVERITIES
from memctl.disk.checkable import Aim, Aims, find_all, find_words
from memctl.disk.project import CheckTable, find_project, own_tables
from memctl.errors import MemctlError, NotFound, SeveralErrors, UsageError
from memctl.ops.check_request import Asked, CheckRequest, make_request


class Requests:
    """What each place is checked by: options, then a pyproject.toml beside it, then memctl's own settings."""

    def __init__(self, run: Run, asked: Asked) -> None:
        self._run = run
        self._asked = asked
        self._own = own_tables(run.settings)
        self._known: dict[str | None, CheckRequest] = {}
        self.general = self._made([])

    def of(self, aim: Aim) -> CheckRequest:
        """Return what a place is checked by. Raises ConfigError."""
        if aim.beside is None:
            return self.general
        if aim.beside not in self._known:
            project = find_project(aim.beside, self._run.env)
            if project and self._run.options.verbose:
                self._run.say(f"settings of '{project.path}'")
            self._known[aim.beside] = self._made([project]) if project else self.general
        return self._known[aim.beside]

    def _made(self, tables: list[CheckTable]) -> CheckRequest:
        made = make_request(self._asked, [*self._own, *tables], self._run.now.date())
        if self._run.quiet and self._run.form == "text" and made.fail_on:
            # Not a byte on success: what fails no run is not shown.
            made = made._replace(show=min(made.show, made.fail_on, key=SEVERITIES.index))
        return made


def find_aims(run: Run, words: Sequence[str], *, every: bool, nul: bool) -> Aims:
    """Return what is to be checked, and what is wrong with the words. Raises UsageError."""
    if every and words:
        raise UsageError("give names or --all, not both")
    if words:
        aims = find_words([*run.terminal.each_word(words, nul=nul)], run.env, run.fleet, run.user_store)
    else:
        aims = _everything(run, every=every)
    for sentence in aims.passed_over:
        run.say(f"passed over: {sentence}")
    return aims


def say_errors(run: Run, aims: Aims, *, allow_empty: bool) -> None:
    """Say what is wrong with the words. Raises it where nothing is left to check, unless that is allowed."""
    errors = aims.errors
    if not aims.found:
        if allow_empty:
            errors = [error for error in errors if not isinstance(error, NotFound)]
        elif not errors:
            errors = [NotFound("nothing found to check", hint="--allow-empty takes that for success")]
        if errors:
            raise errors[0] if len(errors) == 1 else SeveralErrors(errors)
    run.fail_each(errors)


def _everything(run: Run, *, every: bool) -> Aims:
    """Return all agents of all roots with their registries, and without --all the user memory if there is one."""
    user = fleet = None
    errors: list[MemctlError] = []
    if not every:
        try:
            user = run.user_store()
        except MemctlError as error:
            errors.append(error)
    roots: list[str] = []
    try:
        fleet = run.fleet()
        roots = [root.folder.path or root.folder.memory for root in fleet.roots if root.only is None]
        found = find_all(fleet, user)
    except NotFound as error:
        found = find_all(None, user)
        if not found:
            hint = f"memctl check DIR checks the memories in a directory; {error.hint}"
            errors.append(NotFound(error.message, hint=hint))
    return Aims(found, errors, [], roots)
