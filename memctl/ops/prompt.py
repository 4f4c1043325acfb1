"""The verb `prompt`: the text that an agent gets."""

from __future__ import annotations

from typing import NamedTuple

from memctl.core.codewhale import Era, era_of, truncation_of
from memctl.core.dialects.native import prompt_block
from memctl.core.env import Env
from memctl.core.prompt import user_memory_block
from memctl.disk.native_tree import read_tree, tree_root, workspace_id
from memctl.disk.user_store import FileStore
from memctl.errors import InvalidInput


class Prompt(NamedTuple):
    """The exact block (None: there is none), and why there is none."""

    text: str | None
    why: str = ""


def prompt_of(store: FileStore, env: Env, *, rules: str | None, scope: str | None) -> Prompt:
    """Return the block of the user memory, or of the native tree where the rules or a scope name it.

    Whether CodeWhale's switch is on does not matter here. Raises MemctlError where a file cannot be read.
    """
    if scope is not None or (rules is not None and era_of(rules) is Era.V0_9_10):
        root = tree_root(store.facts.path, env)
        files = read_tree(root, scope or "all", workspace_id(env.cwd) if scope != "global" else None)
        text = prompt_block([(file.path, file.entries) for file in files])
        return Prompt(text, "" if text else f"there are no entries under '{root}'")
    snapshot = store.read()
    if snapshot.data is None:
        return Prompt(None, f"there is no file '{store.path}'")
    if (bad := snapshot.bad_byte) is not None:
        return Prompt(None, f"byte {bad} of '{store.path}' is not UTF-8, so CodeWhale loads nothing, without a word")
    try:
        text = user_memory_block(snapshot.data.decode("utf-8"), store.shown, truncation_of(rules))
    except ValueError as error:
        raise InvalidInput(str(error), path=store.path) from None
    return Prompt(text, "" if text else f"'{store.path}' is blank")
