"""The verb `import-legacy` for the user memory: the single file copied into CodeWhale's native tree."""

from __future__ import annotations

import os
from typing import NamedTuple

from memctl.core.dialects.notes import trim
from memctl.core.env import Env
from memctl.disk.directories import make_directory
from memctl.disk.locking import Locking
from memctl.disk.native_tree import LOCK, tree_root
from memctl.disk.reads import read_file
from memctl.disk.single_file import write_file
from memctl.disk.tree_lock import tree_lock
from memctl.disk.user_store import FileStore
from memctl.errors import InvalidInput, NotFound


class ImportedTree(NamedTuple):
    """Whether the file was copied (in a dry run: would be), from where to where, and why not."""

    imported: bool
    source: str
    target: str
    reason: str | None = None
    why: str = ""


def import_native(store: FileStore, env: Env, locking: Locking, *, dry_run: bool) -> ImportedTree:
    """Copy `memory.md` beside the native tree to its global file, byte for byte, under the tree's own lock.

    Only where that file does not exist, even an empty one, and the source says something in UTF-8; the source stays
    (spec/codewhale.md 2.13). Raises InvalidInput, Busy, Protected, IoFailure.
    """
    root = tree_root(store.facts.path, env)
    source = os.path.join(os.path.dirname(root), "memory.md")
    target = os.path.join(root, "global", "MEMORY.md")
    try:
        data = read_file(store._replace(path=source).readable_path())
    except NotFound:
        return ImportedTree(False, source, target, "missing", f"there is no file '{source}'")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"'{source}' is not UTF-8 (byte {error.start}), so CodeWhale does not import it") from None
    if not trim(text):
        return ImportedTree(False, source, target, "empty", f"'{source}' is blank")
    if os.path.lexists(target):
        return ImportedTree(False, source, target, "exists", f"'{target}' is there already")
    if not dry_run:
        locking.ready()
        make_directory(os.path.dirname(target))
        with tree_lock(os.path.join(root, LOCK), locking):
            if os.path.lexists(target):
                return ImportedTree(False, source, target, "exists", f"'{target}' is there already")
            write_file(target, None, data, locking)
    return ImportedTree(True, source, target)
