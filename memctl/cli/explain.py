"""The command `explain`."""

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Rules, command
from memctl.core.address import USER, UserWord, parse_word
from memctl.disk.stores import DirectoryStore
from memctl.errors import NotFound, UsageError

if TYPE_CHECKING:
    from memctl.ops.check import CheckRequest
    from memctl.output.plain import Told


@command
def explain(
    run: Run,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="A rule of check, an exit code, AGENT/NAME, or @user.")],
    rules: Rules = None,
) -> int:
    """Explain a rule, an exit code, a memory, or the user memory.

    A rule by its code or slug: why, an example, what mends it. A memory: whether the HQ loads it, where it is in the
    index, what it is recalled for. @user: each thing that decides whether CodeWhale loads it, in order, and the verdict.
    """
    told = _told(run, what, rules)
    if run.json:
        run.emit_json(_data(told))
    elif run.terminal.draws:
        from memctl.output.table import Screen, explained

        run.terminal.show(explained(told, Screen(run.terminal.width, color=run.terminal.color)))
    else:
        from memctl.output import plain

        run.write(plain.explained(told))
    return run.code()


def _told(run: Run, what: str, rules: str | None) -> "Told":
    """Return what is to say of a thing. Raises UsageError, NotFound with the nearest."""
    if what == USER:
        from memctl.disk.user_store import FileStore, open_user_store
        from memctl.ops.explain_user import explain as explain_user

        facts = run.user_facts(rules)
        # An empty path is one of the things to explain: other commands stop there.
        store = open_user_store(facts, run.env) if facts.path else FileStore("", "", run.env.uid, facts)
        return explain_user(store, run.env, chosen=rules is not None)
    if rules is not None:
        raise UsageError("--rules is for @user", hint="memctl explain @user --rules VERSION")
    from memctl.ops.explain_code import explain_code
    from memctl.ops.explain_rule import explain_rule, find_rule

    if (code := explain_code(what)) is not None:
        return code
    if (rule := find_rule(what)) is not None:
        return explain_rule(rule, _request(run, run.env.cwd).settings)
    return _memory(run, what)


def _memory(run: Run, what: str) -> "Told":
    from memctl.ops.explain_memory import explain_memory

    if isinstance(parse_word(what), UserWord):
        raise UsageError(f"'{what}' is one note; explain takes {USER} whole", hint=f"memctl explain {USER}")
    try:
        target = run.target(what)
    except NotFound as error:
        if "/" in what:
            raise
        from memctl.ops.explain_rule import unknown

        raise unknown(what, error) from None
    if target.name is None or not isinstance(target.store, DirectoryStore):
        hint = f"memctl show {what} has its card, memctl check {what} what is wrong with it"
        raise UsageError(f"'{what}' is an agent; explain takes one memory: {what}/NAME", hint=hint)
    request = _request(run, target.store.folder.memory)
    told = explain_memory(target.store, target.name, request, today=f"{run.now:%Y-%m-%d}")
    run.fail_each(told.errors)
    return told


def _request(run: Run, directory: str) -> "CheckRequest":
    """Return what `check` goes by in a directory. Raises ConfigError."""
    from memctl.disk.project import CheckTable, find_project
    from memctl.ops.check import Asked, make_request

    settings = run.settings
    tables = [CheckTable(settings.check, settings.path)] if settings.check and settings.path else []
    project = find_project(directory, run.env)
    return make_request(Asked(), [*tables, *([project] if project else [])], run.now.date())


def _data(told: "Told") -> dict[str, object]:
    from memctl.ops.explain_code import ExplainedCode
    from memctl.ops.explain_memory import ExplainedMemory
    from memctl.ops.explain_rule import ExplainedRule
    from memctl.output import json

    if isinstance(told, ExplainedRule):
        return json.explained_rule(told)
    if isinstance(told, ExplainedCode):
        return json.explained_code(told)
    return json.explained_memory(told) if isinstance(told, ExplainedMemory) else json.explained(told)
