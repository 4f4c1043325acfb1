"""The layers of memctl: what a module may import, and what it may do (DESIGN 3)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import memctl

ROOT = Path(memctl.__file__).parent

# From top to bottom: a module imports only what stands above it. A name with a star is many modules side by side,
# none of which imports another. DESIGN has `ages` below the dialects; a note's stamp is one, so it stands above them.
ORDER = {
    "": ["errors"],
    "core": [
        "env", "text", "memory", "nearest", "ages", "limits",
        "dialects.hq", "dialects.notes", "dialects.native",
        "index", "saving", "legacy", "address", "filters", "similar", "recall", "search", "sweep",
        "prompt", "codewhale", "buffer", "revising", "policy", "transfer", "demo",
        "checks.rule", "checks.table", "checks.subject", "checks.places", "checks.prompts.folding", "checks.prompts.markup", "checks.prompts.disguises",
        "checks.prompts.phrases", "checks.prompts.phrases_deeds", "checks.prompts.phrases_abroad", "checks.prompts.orders",
        "checks.prompts.unseen", "checks.prompts.lookalikes", "checks.prompts.blobs", "checks.loading", "checks.strays", "checks.naming", "checks.forms", "checks.limits",
        "checks.indexes", "checks.secrets.randomness", "checks.secrets.token_forms", "checks.secrets.detectors",
        "checks.secrets.words", "checks.secrets.passwords", "checks.secrets.prose", "checks.secrets.layouts", "checks.secrets.rules", "checks.prompts.rules",
        "checks.access", "checks.registry", "checks.hygiene.units", "checks.hygiene.rivals", "checks.hygiene.nouns", "checks.hygiene.values", "checks.hygiene.claims",
        "checks.hygiene.repeats", "checks.hygiene.signs", "checks.hygiene.dates", "checks.hygiene.times", "checks.hygiene.withdrawn", "checks.hygiene.contradictions",
        "checks.hygiene.status", "checks.hygiene.belonging", "checks.hygiene.rules",
        "checks.mending", "checks.baseline", "checks.comparing", "checks.selection", "checks.allows", "checks.engine",
    ],
    "disk": [
        "walk", "reads", "lease", "images", "new_file", "aside", "writes", "directories", "appends", "private", "locking", "files", "single_file", "tree_lock",
        "history_errors", "history_tables", "history", "history_file", "recorder", "settings_table", "settings", "project", "settings_edit", "registry", "registry_edit", "hq_process", "hq_api",
        "codewhale_keys", "codewhale", "user_store", "native_tree", "stores", "products", "locate", "recognition", "inspect", "checkable", "git", "states", "change", "model_client",
    ],
    "ops": [
        "results", "pick", "protection", "notes", "list", "show", "edit", "delete", "prune", "reindex", "import_legacy",
        "agents", "undo", "baseline", "against", "check_request", "check", "fix", "*",
    ],
    "output": ["escape", "paths", "plain", "plain_explain", "json", "json_user", "json_memories", "json_check", "completions", "table", "*"],
    "cli": ["topics", "commands", "surroundings", "terminal", "context", "options", "words", "fleet", "removals", "native", "reports", "since", "aims", "fixing", "*", "complete", "app"],
}  # fmt: skip
LAYERS = list(ORDER)

# Help on a command is the program's own help, which builds the program; imported when somebody asks for it.
LOOPS = {("cli.help", "cli.app")}

IMPURE = {
    "asyncio", "builtins", "ctypes", "fcntl", "glob", "http", "importlib", "io", "logging", "multiprocessing", "os",
    "pathlib", "platform", "pwd", "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "stat",
    "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
SPEAKING = {"print", "input", "breakpoint"}
SURROUNDINGS = {
    "os.environ", "os.environb", "os.getenv", "os.getcwd", "os.path.expanduser", "os.path.abspath", "os.getuid",
    "sys.argv", "sys.stdin", "sys.stdout", "sys.stderr", "sys.exit",
    "datetime.now", "datetime.utcnow", "datetime.today", "date.today",
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today",
    "time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.strftime", "time.monotonic", "time.sleep",
}  # fmt: skip
# The only modules that write files.
WRITERS = (
    "disk.new_file", "disk.aside", "disk.writes", "disk.directories", "disk.appends", "disk.private", "disk.files",
    "disk.tree_lock",
)  # fmt: skip
# The only modules that wait: for a lock or a lease, or the end of a line.
WAITERS = ("disk.lease", "disk.appends", "disk.files", "disk.tree_lock", "disk.history_file")
# A lock is waited for so long, and so is the end of a line.
CLOCK_OF_THE_LOCK = {"time.monotonic", "time.sleep"}
CHANGING = {
    f"os.{name}"
    for name in (
        "write", "writev", "pwrite", "truncate", "ftruncate", "mkdir", "makedirs", "mkfifo", "mknod", "link", "symlink",
        "rename", "renames", "replace", "remove", "unlink", "rmdir", "removedirs", "chmod", "fchmod", "chown", "fchown",
        "lchown", "utime", "fsync", "setxattr",
    )
}  # fmt: skip
WRITING_FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC"}


def name_of(path: Path) -> str:
    """Return the name of a module below memctl."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


MODULES = {
    name_of(path): ast.parse(path.read_text("utf-8"))
    for path in sorted(ROOT.rglob("*.py"))
    if path.name not in ("__init__.py", "__main__.py")
}
LIBRARY = [name for name in MODULES if name.partition(".")[0] in ("core", "disk", "ops")]
CORE = [name for name in LIBRARY if name.startswith("core.")]


def layer_of(module: str) -> str:
    folder, dot, _ = module.partition(".")
    return folder if dot else ""


def place(module: str) -> tuple[int, int] | None:
    """Return where a module stands: its layer, and its place there; None where it has none."""
    layer = layer_of(module)
    order = ORDER.get(layer, [])
    name = module.removeprefix(f"{layer}.")
    if name in order:
        return LAYERS.index(layer), order.index(name)
    return (LAYERS.index(layer), order.index("*")) if "*" in order else None


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a module imports, also inside its functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def own(tree: ast.AST) -> set[str]:
    """Return the modules of memctl that a module imports."""
    names = {name.removeprefix("memctl.") for name in imported(tree) if name.startswith("memctl.")}
    return names & MODULES.keys()


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` for such an expression, '' for any other."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""


def used(tree: ast.AST) -> set[str]:
    """Return the dotted names that a module uses."""
    return {dotted(node) for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)}


def opens_for_writing(tree: ast.AST) -> list[str]:
    """Return the calls that open something for writing."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        text = ast.unparse(node)
        function = dotted(node.func)
        if function == "open" or function.endswith((".open", ".fdopen")):
            modes = [value.value for value in ast.walk(node) if isinstance(value, ast.Constant)]
            writes = any(isinstance(mode, str) and len(mode) <= 3 and set(mode) & set("wax+") for mode in modes)
            if writes or any(flag in text for flag in WRITING_FLAGS):
                found.append(text)
        elif function in ("self.write_bytes", "self.terminal.write_bytes", "run.terminal.write_bytes"):
            continue  # to stdout
        elif function.endswith((".write_text", ".write_bytes", ".mkstemp", ".copyfile", ".touch")):
            found.append(text)
    return found


@pytest.mark.parametrize("name", MODULES)
def test_every_module_has_its_place(name: str) -> None:
    assert place(name) is not None


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_stands_above_it(name: str) -> None:
    mine = place(name)
    below = {other for other in own(MODULES[name]) if (name, other) not in LOOPS and not (place(other) < mine)}  # type: ignore[operator]
    assert below == set()


@pytest.mark.parametrize("name", CORE)
def test_the_core_knows_no_disk_no_network_no_clock_and_no_surroundings(name: str) -> None:
    assert {module.partition(".")[0] for module in imported(MODULES[name])} & IMPURE == set()


@pytest.mark.parametrize("name", LIBRARY)
def test_the_library_knows_no_front_end(name: str) -> None:
    assert {module.partition(".")[0] for module in imported(MODULES[name])} & {"typer", "rich", "click"} == set()


@pytest.mark.parametrize("name", LIBRARY)
def test_the_library_neither_speaks_nor_asks(name: str) -> None:
    called = {dotted(node.func) for node in ast.walk(MODULES[name]) if isinstance(node, ast.Call)}
    assert called & SPEAKING == set()


@pytest.mark.parametrize("name", LIBRARY)
def test_the_library_is_told_of_its_surroundings(name: str) -> None:
    allowed = CLOCK_OF_THE_LOCK if name in WAITERS else set()
    assert used(MODULES[name]) & SURROUNDINGS - allowed == set()


@pytest.mark.parametrize("name", [name for name in [*LIBRARY, *MODULES] if name not in WRITERS])
def test_only_the_module_for_files_opens_for_writing(name: str) -> None:
    # Of the front end: /dev/null in the place of a closed stream, the pipes of the workers, and the completion scripts
    # of the sources, which no command writes.
    allowed = {"os.open(os.devnull, os.O_RDWR)", "os.open(os.devnull, os.O_WRONLY)"}
    allowed |= {
        "cli.fleet": {"open(writer, 'wb')"},
        "cli.completion": {"open(os.path.join(directory, name), 'w', encoding='utf-8')"},
    }.get(name, set())
    found = opens_for_writing(MODULES[name])
    assert [call for call in found if not (layer_of(name) == "cli" and call in allowed)] == []


@pytest.mark.parametrize("name", [name for name in LIBRARY if name not in WRITERS])
def test_only_the_module_for_files_changes_the_disk(name: str) -> None:
    assert used(MODULES[name]) & CHANGING == set()


@pytest.mark.parametrize("name", [name for name in MODULES if layer_of(name) == "output"])
def test_a_renderer_knows_nothing_of_streams_files_and_options(name: str) -> None:
    forbidden = {"os", "sys", "typer", "subprocess", "pathlib"}
    assert {module.partition(".")[0] for module in imported(MODULES[name])} & forbidden == set()


@pytest.mark.parametrize("name", [name for name in MODULES if layer_of(name) == "cli"])
def test_a_command_gives_json_no_keys_of_its_own(name: str) -> None:
    calls = [node for node in ast.walk(MODULES[name]) if isinstance(node, ast.Call)]
    written = [
        call for call in calls if dotted(call.func).rpartition(".")[2] in ("emit_json", "write_item", "dumps", "whole")
    ]
    keyed = [node for call in written for node in ast.walk(call) if isinstance(node, ast.Dict)]
    assert [ast.unparse(node) for node in keyed] == []


@pytest.mark.parametrize("name", MODULES)
def test_rich_is_imported_inside_functions_only(name: str) -> None:
    top = ast.Module([node for node in MODULES[name].body if isinstance(node, ast.Import | ast.ImportFrom)], [])
    assert {module.partition(".")[0] for module in imported(top)} & {"rich", "tomlkit", "frontmatter", "yaml"} == set()
