"""Which rules are on: words for rules, and the layers of settings and options that choose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memctl.core.checks.table import BY_SLUG, DEFAULT, FAMILIES, RULES
from memctl.core.nearest import nearest
from memctl.errors import UsageError

ALL = "ALL"
_CODES = tuple(rule.code for rule in RULES)
_SECRETS = frozenset(rule.code for rule in RULES if rule.secret)
_FAMILY_NAMES = {name.casefold(): letter for letter, name in FAMILIES.items()}


class Selected(NamedTuple):
    """What a word means: the codes of its rules, and how narrow it is (0 for ALL, the most for one rule)."""

    codes: frozenset[str]
    narrow: int


class Layer(NamedTuple):
    """What one place says of the rules: the settings, or the options. `select` None: nothing, the rest stays on."""

    select: Sequence[str] | None = None
    ignore: Sequence[str] = ()


def selected(word: str) -> Selected:
    """Return the rules that a word means: a code, the beginning of codes, a slug, a family's name, ALL.

    Case does not count. Raises UsageError, which names the nearest word.
    """
    code = word.strip().upper()
    if code == ALL:
        return Selected(frozenset(_CODES), 0)
    slug = code.lower().replace("_", "-")
    if slug in BY_SLUG:
        return Selected(frozenset((BY_SLUG[slug].code,)), 4)
    prefix = _FAMILY_NAMES.get(word.strip().casefold(), code)
    found = frozenset(known for known in _CODES if prefix and known.startswith(prefix))
    if found:
        return Selected(found, len(prefix))
    near = nearest(word, [*_CODES, *BY_SLUG, *FAMILIES.values(), ALL])
    hint = f"did you mean '{near}'?" if near else "memctl check --list-rules shows them"
    raise UsageError(f"no rule '{word}'", hint=hint)


def enabled(layers: Iterable[Layer]) -> frozenset[str]:
    """Return the codes of the rules that are on after all layers, the last one the strongest.

    A layer that selects forgets what the layers before it said. Within one the narrower word wins, and of two that are
    as narrow the one that ignores. Raises UsageError for a word that means no rule.
    """
    on = dict.fromkeys(DEFAULT, -1)
    for layer in layers:
        if layer.select is not None:
            on = _narrowness(layer.select)
        for code, narrow in _narrowness(layer.ignore).items():
            if on.get(code, narrow + 1) <= narrow:
                del on[code]
        on = dict.fromkeys(on, -1)
    return frozenset(on)


def reads_secrets(layers: Iterable[Layer]) -> bool:
    """Return whether A003 has to look for secrets by itself: somebody chose it, and nobody said no to those rules."""
    chosen = False
    for layer in layers:
        if layer.select is not None:
            chosen = "A003" in _narrowness(layer.select)
        if not _SECRETS.isdisjoint(_narrowness(layer.ignore)):
            chosen = False
    return chosen


def _narrowness(words: Iterable[str]) -> dict[str, int]:
    """Return for each rule that some of the words mean how narrow the narrowest of these is."""
    found: dict[str, int] = {}
    for word in split_words(words):
        meant = selected(word)
        for code in meant.codes:
            found[code] = max(meant.narrow, found.get(code, 0))
    return found


def split_words(words: Iterable[str]) -> Iterator[str]:
    """Yield the words of a list in which commas part words as well."""
    for given in words:
        yield from (word for part in given.split(",") if (word := part.strip()))


def severities(given: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return (code, severity) for each rule that the words of a table mean, the narrower word winning."""
    found: dict[str, tuple[int, str]] = {}
    for word, severity in given.items():
        meant = selected(word)
        for code in meant.codes:
            if meant.narrow >= found.get(code, (-1, ""))[0]:
                found[code] = (meant.narrow, severity)
    return tuple((code, severity) for code, (_, severity) in sorted(found.items()))


class PathIgnore(NamedTuple):
    """Rules that are off for the files that a pattern fits; `base` is the directory that it is relative to ('': none)."""

    pattern: str
    codes: frozenset[str]
    base: str = ""


def ignored(rule: str, names: Iterable[str], ignores: Iterable[PathIgnore]) -> bool:
    """Return whether a rule is off for a file that goes by these names: paths, addresses, its bare name.

    A pattern is the shell's; `*` takes slashes as well, and a directory means what is in it.
    """
    concerned = [ignore for ignore in ignores if rule in ignore.codes]
    if not concerned:
        return False
    import fnmatch

    names = list(names)
    for ignore in concerned:
        patterns = [ignore.pattern]
        if ignore.base and not ignore.pattern.startswith("/"):
            patterns.append(f"{ignore.base}/{ignore.pattern}")
        for pattern in patterns:
            bare = pattern.rstrip("/")
            if any(fnmatch.fnmatchcase(name, bare) or fnmatch.fnmatchcase(name, f"{bare}/*") for name in names):
                return True
    return False
