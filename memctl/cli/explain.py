"""The command `explain`."""

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Rules, command
from memctl.core.address import USER, UserWord, parse_word
from memctl.disk.stores import DirectoryStore
from memctl.errors import NotFound, UsageError

if TYPE_CHECKING:
    from memctl.ops.check_request import CheckRequest
    from memctl.output.plain_explain import Told


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
        from memctl.output import json_explain

        run.emit_json(json_explain.explained(told))
    elif run.terminal.draws:
        from memctl.output.table import Screen, explained

        run.terminal.show(explained(told, Screen(run.terminal.width, color=run.terminal.color)))
    else:
        from memctl.output import plain_explain

        run.write(plain_explain.explained(told))
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
    from memctl.disk.project import find_project, own_tables
    from memctl.ops.check_request import Asked, make_request

    tables = own_tables(run.settings)
    project = find_project(directory, run.env)
    return make_request(Asked(), [*tables, *([project] if project else [])], run.now.date())
