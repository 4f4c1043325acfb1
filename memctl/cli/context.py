"""The only wiring: the surroundings of a run, taken once, and what a command does with them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memctl.cli.surroundings import Common, parse_shard, take_command, take_env, take_now, take_origin
from memctl.cli.terminal import Terminal
from memctl.core.address import USER, PathWord, UserWord, parse_word
from memctl.disk.locate import Fleet, Store, Target, find_roots
from memctl.disk.locking import Locking
from memctl.disk.settings import Settings, load_settings
from memctl.disk.stores import DirectoryStore
from memctl.errors import ConfigError, MemctlError, NotFound, Protected, SeveralErrors, UsageError, worst
from memctl.output.escape import visible

if TYPE_CHECKING:
    from memctl.disk.codewhale import Facts
    from memctl.disk.history import History
    from memctl.disk.hq_api import HqAddress
    from memctl.disk.recorder import Recorder
    from memctl.disk.user_store import FileStore

FORMATS = ("text", "json")
# What a command can speak beside that.
MORE_FORMATS = {"check": ("jsonl", "github", "sarif", "junit")}


class Run:
    """One run of one command: what it may look at, and how it speaks."""

    def __init__(self, command: str, options: Common) -> None:
        """Take the surroundings. Raises UsageError and ConfigError for options and settings that are wrong."""
        self.command = command
        self.options = options
        form = options.form or ("json" if options.as_json else "text")
        known = (*FORMATS, *MORE_FORMATS.get(command, ()))
        if form not in known:
            raise UsageError(f"'{form}' is no format", hint=f"formats are {', '.join(known[:-1])} and {known[-1]}")
        self.form = form
        self.json = form == "json"
        self.quiet = options.quiet
        self.env = take_env()
        self.now = take_now(self.env)
        flags = {"roots": options.root, "user_memory": options.user_memory, "color": options.color}
        self.settings: Settings = load_settings(
            self.env, {key: value for key, value in flags.items() if value is not None}
        )
        # A machine format is written all the same: who reads it counts on one object.
        text = form == "text"
        silent = self.quiet and text
        self.terminal = Terminal(self.env, self.settings, no_pager=options.no_pager, plain=not text, quiet=silent)
        self.errors: list[MemctlError] = []
        self._items = 0
        self.recorder: Recorder | None = None
        self.undoable = True
        self._change: int | None = None
        self._users: dict[str | None, FileStore | MemctlError] = {}
        self._warned = False

    # Speaking

    def say(self, sentence: str) -> None:
        """Say something to the person, on stderr, unless it shall be quiet."""
        if not self.quiet:
            self.terminal.say(sentence)

    def write(self, text: str) -> None:
        """Write data to stdout; what a terminal would obey is made visible there."""
        self.terminal.write(visible(text, lines=True) if self.terminal.draws else text)

    def fail(self, error: MemctlError) -> None:
        """Keep an error for the end, and say it now; one that several stores met is one error."""
        if any(error is kept for kept in self.errors):
            return
        self.errors.append(error)
        report(error, self.terminal)

    def fail_each(self, errors: Iterable[MemctlError]) -> None:
        """Keep and say each of some errors."""
        for error in errors:
            self.fail(error)

    def envelope(self) -> dict[str, Any]:
        """Return what each JSON object of this run begins with."""
        from memctl import __version__
        from memctl.output import json

        return json.head(__version__, os.uname().nodename, self.command)

    def emit_json(self, data: object) -> None:
        """Write the one JSON object of this run."""
        from memctl.output import json

        if self.recorder is not None and isinstance(data, dict):
            data = data | {"change": self.finished_change()}
        self.write(json.whole(self.envelope(), data, self.errors))

    def begin_json(self, key: str) -> None:
        """Begin the one JSON object of a run whose `data` is a list that is written item by item."""
        if self.json:
            from memctl.output import json

            self.write(f'{json.dumps(self.envelope())[:-1]}, "data": {{"{key}": [')
            self._items = 0

    def write_item(self, text: bytes) -> None:
        """Write one item of that list, or of a text that is no JSON."""
        if self.json:
            self.write(",\n" if self._items else "\n")
            self._items += 1
        if self.terminal.draws:
            self.write(text.decode("utf-8", "surrogateescape"))
        else:
            self.terminal.write_bytes(text)

    def end_json(self, **more: object) -> None:
        """End that object; `more` are further keys of `data`."""
        if self.json:
            from memctl.output import json

            if self.recorder is not None:
                more["change"] = self.finished_change()
            keys = "".join(f', "{key}": {json.dumps(value)}' for key, value in more.items())
            self.write(f'\n]{keys}}}, "errors": {json.dumps(json.error_list(self.errors))}}}\n')

    def code(self, answer: int = 0) -> int:
        """Say how the change is undone, and return the exit code: the worst of the errors and of the command's answer."""
        change = self.finished_change()
        if change is not None and self.undoable:
            self.say(f"undo: memctl undo {change}")
        return worst([answer, *(error.exit_code for error in self.errors)])

    # Finding

    def fleet(self, *, changing: bool = False) -> Fleet:
        """Return the agents of all roots; what is wrong with a root is said. Raises NotFound where there is none.

        A changing command without a terminal takes exact ids and names only (DESIGN 2).
        """
        roots, errors = find_roots(self.settings.value("roots"), self.env)
        self.fail_each(errors)
        if self.options.verbose:
            for root in roots:
                self.say(f"looking in '{root.folder.path or root.folder.memory}'")
        return Fleet(roots, self.env, exact=changing and not self.terminal.asks)

    def _fleet_for(self, word: str, *, changing: bool) -> Fleet:
        """Return the agents of all roots; for a path none, where there is no data folder: it needs none."""
        try:
            return self.fleet(changing=changing)
        except NotFound:
            if not isinstance(parse_word(word), PathWord) or self.settings.origin("roots") != "default":
                raise
            return Fleet((), self.env, exact=changing and not self.terminal.asks)

    def stores(self, words: Sequence[str], *, every: bool, changing: bool, shard: str | None = None) -> list[Store]:
        """Return the stores that AGENT words, or --all, mean; a word that means none is said, the others go on.

        Raises what is wrong where no word means any, and UsageError: a changing command wants names or --all; --all with a name.
        """
        if every and words:
            raise UsageError("give names of agents or --all, not both")
        if changing and not words and not every:
            raise UsageError(f"{self.command} wants the agents' names, or --all", hint=f"memctl {self.command} --all")
        part = parse_shard(shard)
        fleet: Fleet | None = None
        found: list[Store] = []
        errors: list[MemctlError] = []
        if not words:
            fleet = self.fleet(changing=changing)
            found += fleet.stores()
        for word in words:
            try:
                if word == USER:
                    user = self.user_store()
                    if user not in found:
                        found.append(user)
                    continue
                if isinstance(parse_word(word), UserWord):
                    raise UsageError(
                        f"'{word}' is one note; {self.command} takes agents and @user", hint=f"memctl show {word}"
                    )
                at = fleet or self._fleet_for(word, changing=changing)
                fleet = at if at.roots else None
                target = at.target(word)
                if target.name is not None:
                    raise UsageError(f"'{word}' is a memory; {self.command} takes agents")
                if (
                    isinstance(target.store, DirectoryStore)
                    and not target.store.exists()
                    and target.store.agent is None
                ):
                    raise NotFound(f"no agent '{word}'", hint="memctl list shows the agents")
                if target.store not in found:
                    found.append(target.store)
            except MemctlError as error:
                if error not in errors:
                    errors.append(error)
        self._found(found, errors, fleet)
        return found[part[0] :: part[1]]

    def agent_stores(
        self, words: Sequence[str], *, every: bool, changing: bool, shard: str | None = None, lacks: str
    ) -> list[DirectoryStore]:
        """Return the stores of agents that words mean, for a command that knows no other kind.

        The user memory is Protected, with what it `lacks`. Raises as stores().
        """
        found: list[DirectoryStore] = []
        errors: list[MemctlError] = []
        for store in self.stores(words, every=every, changing=changing, shard=shard):
            if isinstance(store, DirectoryStore):
                found.append(store)
            else:
                errors.append(Protected(f"the user memory has no {lacks}", path=store.path))
        self._found(found, errors, None)
        return found

    def user_facts(self, rules: str | None = None) -> Facts:
        """Return what decides about the user memory, by the rules of a release if one is named. Raises ConfigError."""
        from memctl.core.codewhale import era_of
        from memctl.disk.codewhale import find_facts

        era = era_of(rules) if rules is not None else None
        return find_facts(self.env, given=self.settings.value("user_memory"), era=era)

    def user_store(self, rules: str | None = None) -> FileStore:
        """Return the store of the user memory, by the rules of a release if one is named. Raises ConfigError.

        What decides is read once in a run, and what is wrong with it is one error, however many notes are named.
        """
        from memctl.disk.user_store import open_user_store

        if rules not in self._users:
            try:
                self._users[rules] = open_user_store(self.user_facts(rules), self.env)
            except MemctlError as error:
                self._users[rules] = error
        found = self._users[rules]
        if isinstance(found, MemctlError):
            raise found
        return found

    def warn_not_loaded(self, store: FileStore) -> None:
        """Say once that CodeWhale does not load the user memory now: its switch protects nothing (DESIGN 4.7)."""
        resolved = store.facts.resolved
        if not resolved.enabled and not self._warned:
            self._warned = True
            self.say(f"CodeWhale does not load this file now: memory is off ({resolved.enabled_by})")

    def warn_not_utf8(self, data: bytes) -> None:
        """Say that CodeWhale takes the user memory for missing: one byte that is not UTF-8 is enough."""
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.say(f"CodeWhale does not load this file: byte {error.start} is not UTF-8")

    def _found(self, found: Sequence[object], errors: list[MemctlError], fleet: Fleet | None) -> None:
        """Say the errors of some words, or raise them all where no word meant anything."""
        errors += fleet.problems() if fleet else ()
        if errors and not found:
            raise errors[0] if len(errors) == 1 else SeveralErrors(errors)
        self.fail_each(errors)

    def targets(
        self,
        words: Sequence[str],
        *,
        nul: bool = False,
        memory: bool = False,
        changing: bool = False,
        missing_ok: bool = False,
        rules: str | None = None,
    ) -> list[Target]:
        """Return what addresses mean, `-` read from stdin; one that means nothing is said, the others go on.

        With `missing_ok` such a one is passed over. Data folders are looked for only where an address needs one.
        """
        fleet: Fleet | None = None
        found: list[Target] = []
        errors: list[MemctlError] = []
        for word in self.terminal.each_word(words, nul=nul):
            try:
                parsed = parse_word(word)
                if isinstance(parsed, UserWord):
                    note = None if parsed.note is None else str(parsed.note)
                    found.append(Target(self.user_store(rules), note, word))
                    continue
                at = fleet or self._fleet_for(word, changing=changing)
                fleet = at if at.roots else None
                found.append(at.target(word, agent=self.settings.value("agent"), memory=memory))
            except MemctlError as error:
                if not (missing_ok and isinstance(error, NotFound)) and error not in errors:
                    errors.append(error)
        self._found(found, errors, fleet)
        return found

    def target(self, word: str, *, changing: bool = False, rules: str | None = None) -> Target:
        """Return what the one address of a command means. Raises MemctlError."""
        if word == "-":
            raise UsageError(f"{self.command} reads no addresses from standard input", hint="give it as a word")
        (found,) = self.targets([word], changing=changing, rules=rules)
        return found

    def locking(self, wait: float | None, *, no_lock: bool, no_history: bool = False) -> Locking:
        """Return how stores are changed: how long a lock is waited for, which is said, and who keeps the images."""
        seconds = float(self.settings.value("wait") if wait is None else wait)
        if not no_history:
            self.recorder = self.recorder or self.new_recorder(seconds)
        return Locking(seconds, not no_lock, self.say, self.recorder)

    def hq_address(self, folder: str) -> HqAddress | None:
        """Return what the settings say of the HQ of a data folder."""
        from memctl.disk.hq_api import HqAddress

        found = self.settings.hq(folder)
        return HqAddress(*found) if found else None

    # The history

    def history(self, wait: float, *, create: bool) -> History | None:
        """Return the history of this user, None where there is none. Raises ConfigError where none can be kept."""
        from memctl.disk.history_file import open_history, state_directory

        directory = state_directory(self.env)
        if directory is None:
            if not create:
                return None
            hint = "MEMCTL_STATE_DIR names a place; --no-history goes on without, and then nothing can be undone"
            raise ConfigError("there is no home directory to keep the history in", hint=hint)
        return open_history(
            directory, wait=wait, create=create, warn=lambda text: self.terminal.say(f"memctl: warning: {text}")
        )

    def new_recorder(self, wait: float, *, kind: str = "change", target: int | None = None) -> Recorder:
        """Return what keeps the images of this command's change."""
        from memctl.disk.recorder import Recorder

        def opened() -> History:
            found = self.history(wait, create=True)
            assert found is not None
            return found

        return Recorder(opened, take_origin(self.env), take_command(), self.now, kind=kind, target=target)

    def finished_change(self) -> int | None:
        """Return the id of this command's change, which is at its end now; None where nothing was changed."""
        if self.recorder is not None and self._change is None:
            days = float(self.settings.value("history_days"))
            size = int(float(self.settings.value("history_mb")) * 1_000_000)
            try:
                self._change = self.recorder.finish(days=days, size=size)
            except MemctlError as error:
                self.fail(error)
        return self._change

    def close(self) -> None:
        """End the run's change, whatever came of it."""
        self.finished_change()

    def changes(self) -> None:
        """Say what a person should know before anything is changed."""
        if self.env.vars.get("MEMCTL_NOW"):
            self.say(f"MEMCTL_NOW is set: the clock stands at {self.now:%Y-%m-%dT%H:%M:%SZ}")


def report(error: MemctlError, terminal: Terminal) -> None:
    """Say an error on stderr, each of several."""
    for single in error.errors if isinstance(error, SeveralErrors) else (error,):
        terminal.say(f"memctl: error: {single.message}")
        if single.hint:
            terminal.say(f"memctl: hint: {single.hint}")
