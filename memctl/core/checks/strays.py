"""Stray files: what file syncs, file managers, editors and merges leave beside memories, known by how a name looks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from memctl.core.checks.subject import Item, Kind, Stray, Subject
from memctl.core.dialects import hq
from memctl.core.legacy import MARKER_NAME
from memctl.core.memory import Memory, NotLoaded

_INDEX = hq.INDEX_NAME.removesuffix(".md")
_SYNC = "a copy of a sync conflict"
_EDITOR = "a backup of an editor"
_TEMP = "a temp file"

_ENDS = (
    (("~", ".bak", ".orig", ".rej", ".old", ".swp", ".swo", ".swx", ".save", ".backup"), _EDITOR),
    ((".tmp", ".temp", ".part", ".partial", ".crdownload", ".lock"), _TEMP),
)
_STARTS = (((".#", "._"), _EDITOR), ((".memctl-", ".goutputstream", ".~", "~$"), _TEMP))
_MANAGERS = (".ds_store", "thumbs.db", "desktop.ini", ".directory")

# The word for a conflict, or for a copy, in the languages of the programs that put it into names.
_CONFLICT_WORDS = r"confli[ck]t|konflikt|conflit|ristiriita|motstrid|modstrid|çakış|конфликт|конфлікт|競合|コンフリクト|衝突|冲突|충돌|xung đột"
_COPY_WORDS = r"copy|copie|copia|cópia|kopie|kopia|kopi|kópia|kopio|копия|копія|コピー|副本|複本|拷贝|복사본"

# What no memory is called: its name has no blank, dot, bracket or capital.
_SURE = (
    # Syncthing; Dropbox, Nextcloud, Seafile and their like in brackets; ownCloud, Synology; what people call by hand.
    (
        r"\.sync-conflict-|\bconflicted copy\b|_conf\("
        rf"|[(\[（【][^()\[\]（）【】]*(?:{_CONFLICT_WORDS})"
        r"|[._ ]conflict(?:ed|s)?(?:[-._ ]\d[-\d]*)?(?:\.md)?$"
        r"|的冲突副本|的衝突副本",
        _SYNC,
    ),
    # git mergetool, whose words are in capitals.
    (r"[._](?-i:BACKUP|LOCAL|BASE|REMOTE)[._]\d+(?:\.md)?$", "a file that git mergetool left"),
    (r"\.(?:bak|orig|rej|backup|swp)\d*\.md$|^#.*#$", _EDITOR),
    (r"\.tmp\.", _TEMP),
)

# What an honest memory's file can be called too, each with the place of the name that it copies.
_NUMBER = r"(?: ?\(?\d{1,3}\)?)?"
_MAYBE = (
    (r"(.+?)(?: ?\(\d{1,3}\)| \d{1,3})", "a copy of '{}'"),
    (rf"(.+?)(?: [-–—])?(?: |の| の| 的)?(?:{_COPY_WORDS}){_NUMBER}", "a copy of '{}'"),
    (rf"(.+?) ?[(（](?:[^()（）]* )?(?:{_COPY_WORDS}){_NUMBER}[)）]", "a copy of '{}'"),
    (rf"(?:{_COPY_WORDS})(?: \(\d+\))?(?: (?:of|von|van|de|di|da|av|af))?(?: [~～-])? (.+)", "a copy of '{}'"),
    (r"(.+?)[._ ](?:old|prev|previous|save|saved|backup|bak|copy|orig)\d*", _EDITOR),
    (r"(.+?)-conflict-?\d[-\d]*", _SYNC),
)
# OneDrive and its like put the name of the computer behind that of the file.
_HOST = r"(?=[a-z0-9-]*[A-Z])[A-Za-z0-9][A-Za-z0-9-]*"
_PLAIN_HOST = (
    r"(?:DESKTOP|LAPTOP|WIN|PC|SURFACE|MACBOOK|IMAC|SERVER|NAS)(?:-[A-Z0-9-]+)?|[A-Za-z0-9-]*MacBook[A-Za-z0-9-]*"
)

# So many bases of copies of copies are looked for.
_LAYERS = 8


def stray_kind(name: str) -> str | None:
    """Return what kind of stray file a name in a store is by itself; None for a memory's, the index, the import's marker."""
    if name in (hq.INDEX_NAME, MARKER_NAME):
        return None
    low = _plain(name).lower()
    for pattern, kind in _sure():
        if pattern.search(_plain(name)):
            return kind
    for ends, kind in _ENDS:
        if low.endswith(ends):
            return kind
    for starts, kind in _STARTS:
        if low.startswith(starts):
            return kind
    return "a file of a file manager" if low in _MANAGERS else None


def strays(subject: Subject) -> dict[str, Stray]:
    """Return the names in an agent's directory that are stray files, each with its kind; in most there is none."""
    # A legal name is a memory's, however it looks: `merge-conflict-policy`.
    odd = subject.misnamed
    return dict(_found(odd, {item.name: item for item in subject.items})) if odd else {}


def _found(odd: list[Item], items: Mapping[str, Item]) -> Iterator[tuple[str, Stray]]:
    for item in odd:
        if item.kind is Kind.DIRECTORY and item.record is not None:
            continue  # N007 says it
        if (kind := stray_kind(item.name)) is not None:
            yield item.name, Stray(kind)
        elif item.record is not None and item.kind is Kind.FILE and item.link is None:
            for base, kind in _bases(item, items):
                if _copies(item, base, items):
                    yield item.name, Stray(kind.format(base), base)
                    break


def _bases(item: Item, items: Mapping[str, Item]) -> Iterator[tuple[str, str]]:
    """Yield the files that a name can be a copy of, each with what kind of copy it would be; of a copy's copy too."""
    stems = [_plain(item.stem)]
    host = _host(isinstance(item.record, NotLoaded))
    for stem in stems:
        found = [(match[1], kind) for pattern, kind in _maybe() if (match := pattern.fullmatch(stem))]
        stems += [base for base, _ in found][: _LAYERS - len(stems)]
        at = stem.find("-")
        while at > 0:
            # A hostile name is all hyphens, so what costs more comes last.
            if (stem[:at] == _INDEX or f"{stem[:at]}.md" in items) and host.fullmatch(stem, at + 1):
                found.append((stem[:at], _SYNC))
            at = stem.find("-", at + 1)
        yield from ((f"{base}.md", kind) for base, kind in found)


def _copies(item: Item, base: str, items: Mapping[str, Item]) -> bool:
    """Return whether a file can be a copy of another: that is there, and the copy has no name of its own."""
    other = items.get(base)
    if type(item.record) is not Memory:
        return other is not None or base == hq.INDEX_NAME
    if other is None or base == hq.INDEX_NAME:
        return False
    return item.record.name in (base[:-3], other.record.name if isinstance(other.record, Memory) else "")


def _plain(name: str) -> str:
    """Return a name with its accents as programs compare them: macOS keeps them apart from their letters."""
    if name.isascii():
        return name
    import unicodedata

    return unicodedata.normalize("NFC", name)


@cache
def _sure() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in _SURE]


@cache
def _maybe() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern, re.IGNORECASE), kind) for pattern, kind in _MAYBE]


@cache
def _host(plain: bool) -> re.Pattern[str]:
    return re.compile(_PLAIN_HOST if plain else _HOST)
