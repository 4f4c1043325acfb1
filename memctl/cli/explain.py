"""The command `explain`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Rules, command
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import UsageError
from memctl.ops.explain_user import explain as explain_user
from memctl.output import plain


@command
def explain(
    run: Run,
    address: Annotated[str, typer.Argument(metavar="@user", help="What to explain.")],
    rules: Rules = None,
) -> int:
    """Say why the user memory is or is not loaded.

    Each thing that decides, in order: configuration, profile, variables, misplaced keys, rules, path, the file itself;
    and the verdict in one sentence.
    """
    if address != "@user":
        raise UsageError(f"explain knows @user, not '{address}'", hint=f"memctl show {address}")
    facts = run.user_facts(rules)
    # An empty path is one of the things to explain: other commands stop there.
    store = open_user_store(facts, run.env) if facts.path else FileStore("", "", run.env.uid, facts)
    told = explain_user(store, run.env, chosen=rules is not None)
    if run.json:
        from memctl.output import json

        run.emit_json(json.explained(told))
    elif run.terminal.draws:
        from memctl.output.table import Screen, explained

        run.terminal.show(explained(told, Screen(run.terminal.width, color=run.terminal.color)))
    else:
        run.write(plain.explained(told))
    return run.code()
