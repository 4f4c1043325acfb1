"""What `list`, `show` and `import-legacy` do with CodeWhale's newer layouts of the user memory."""

from collections.abc import Sequence

from memctl.cli.context import Run
from memctl.cli.words import plural, to_bytes
from memctl.disk.locking import Locking
from memctl.disk.native_tree import (
    SCOPES,
    NativeFile,
    Structured,
    read_structured,
    read_tree,
    structured_store,
    tree_root,
    workspace_id,
)
from memctl.errors import ExitCode, MemctlError, NotFound, UsageError
from memctl.ops.import_native import import_native
from memctl.output import plain


def check_scope(scope: str) -> None:
    """Raise UsageError for a scope that there is not."""
    if scope not in SCOPES:
        raise UsageError(f"'{scope}' is no scope", hint=f"scopes are {', '.join(SCOPES)}")


def _tree(run: Run, scope: str) -> tuple[str, list[NativeFile]]:
    check_scope(scope)
    root = tree_root(run.user_store().facts.path, run.env)
    return root, read_tree(root, scope, workspace_id(run.env.cwd) if scope != "global" else None)


def list_native(run: Run, words: Sequence[str], scope: str, text: str) -> int:
    """List the entries of the native tree that a scope names, and with `all` the structured store beside it."""
    if list(words) not in ([], ["@user"]):
        raise UsageError("--scope is for @user alone")
    root, files = _tree(run, scope)
    wanted = text.casefold()
    count = 0
    run.begin_json("stores")
    for file in files:
        file = file._replace(entries=[entry for entry in file.entries if wanted in entry.text.casefold()])
        count += len(file.entries)
        if run.json:
            from memctl.output import json, json_user

            run.write_item(to_bytes(json.dumps(json_user.listed_native(file))))
        else:
            run.write_item(to_bytes(plain.listed_native(file)))
    structured = structured_store(root) if scope == "all" else None
    memories = _structured(run, structured, wanted) if structured is not None else None
    if structured is not None and memories is not None:
        if run.json:
            from memctl.output import json, json_user

            run.write_item(to_bytes(json.dumps(json_user.listed_structured(structured, memories))))
        else:
            run.write_item(to_bytes(plain.listed_structured(memories)))
        run.say(f"{plural(len(memories), 'memory', 'memories')} in the structured store, which CodeWhale 0.10 reads")
    run.end_json()
    run.say(f"{plural(count, 'entry', 'entries')} in the native tree at '{root}'")
    return run.code()


def _structured(run: Run, path: str, wanted: str) -> list[Structured] | None:
    """Return the memories of the structured store that hold the text; None, and the error said, where it is not read."""
    try:
        return [one for one in read_structured(path) if wanted in f"{one.title}\n{one.body}".casefold()]
    except MemctlError as error:
        run.fail(error)
        return None


def show_native(run: Run, words: Sequence[str], scope: str, *, raw: bool) -> int:
    """Show the files of the native tree that a scope names."""
    if list(words) != ["@user"]:
        raise UsageError("--scope is for @user alone")
    root, files = _tree(run, scope)
    there = [file for file in files if file.data is not None]
    if not there:
        raise NotFound(f"there is no native memory under '{root}'", hint="memctl show @user shows the single file")
    if run.json:
        from memctl.output import json_user

        run.emit_json(json_user.shown_native(there))
    else:
        for file in there:
            data = file.data or b""
            if raw:
                run.terminal.write_bytes(data)
            else:
                run.write(f"{file.path}\n\n{data.decode('utf-8', 'surrogateescape')}")
    return run.code()


def import_user(run: Run, locking: Locking, *, dry_run: bool) -> int:
    """Copy the user memory into the native tree, as CodeWhale's own import does."""
    if not dry_run:
        run.changes()
    result = import_native(run.user_store(), run.env, locking, dry_run=dry_run)
    if run.json:
        from memctl.output import json_user

        run.emit_json(json_user.imported_tree(result, dry_run=dry_run))
    else:
        run.write(f"@user\t{'imported' if result.imported else 'not imported'}\t{result.why}\n")
    if dry_run:
        run.say(
            f"dry run: nothing was imported; '{result.target}' would be" if result.imported else "nothing to import"
        )
    else:
        run.say(f"copied '{result.source}' to '{result.target}'" if result.imported else "nothing was imported")
    return run.code(ExitCode.OK if result.imported else ExitCode.NO)
