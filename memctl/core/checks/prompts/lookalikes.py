"""Words that are not what they seem: letters of another script in the name of a tool, a host or a plain word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from memctl.core.checks.places import Places
from memctl.core.checks.prompts.folding import FOREIGN, LATIN, LOOKS_LIKE, has_foreign, has_suspect, looks_like, shown
from memctl.core.checks.rule import Finding, Severity

if TYPE_CHECKING:
    import re

# The tools by which the agents of both products write and read memories.
TOOLS = ("save_memory", "recall_memory", "forget_memory", "remember")
_ASCII_TRICKS = str.maketrans("0135$", "oless")
# Of the letters that look like others those that nobody can tell apart, for words that have no other.
_TWINS = frozenset("аеорсухіѕјԁԛԝһӏАВЕКМНОРСТХУІЅЈοανικρυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ0123456789")
_SUFFIX = 4  # letters of a case ending: `in Slackе`, as people write in Russian
_SYMBOL = 4  # letters of an index behind a symbol: ρair


def lookalikes(text: str, file: str, odd: str) -> Iterator[Finding]:
    """Yield each word of a text that looks like another one; `odd` are its characters that are not ASCII."""
    seen: set[str] = set()
    place = Places(text)
    if "_m" in text or "_M" in text:
        yield from _tricks(text, file, seen, place)
    if odd and has_suspect(odd):
        for match in _words().finditer(text):
            word = match[0]
            if not word.isascii() and word not in seen and (message := _message(word, match.start(), text)):
                seen.add(word)
                yield _finding(file, place(match.start()), word, message)
    if "xn--" in text:
        yield from _encoded_hosts(text, file, seen, place)


def _finding(file: str, where: tuple[int, int], word: str, message: str) -> Finding:
    return Finding("P007", Severity.WARNING, file, message, word, *where, len(word))


@cache
def _words() -> re.Pattern[str]:
    import re

    return re.compile(r"[\w\u200b-\u200d\u2060\u00ad]+")


@cache
def _boundary() -> re.Pattern[str]:
    import re

    return re.compile(f"[{LATIN}][0-9_]{{0,3}}[{FOREIGN}]|[{FOREIGN}][0-9_]{{0,3}}[{LATIN}]")


def _message(word: str, at: int, text: str) -> str:
    """Return what is wrong with a word that is not all ASCII, '' where nothing is."""
    looks = looks_like(word)
    odd = [letter for letter in word if not letter.isascii()]
    codes = ", ".join(dict.fromkeys(f"U+{ord(letter):04X}" for letter in odd[:3]))
    if looks in TOOLS:
        return f"'{shown(word)}' is not the tool '{looks}': it has {codes}"
    if not has_foreign("".join(odd)):
        return ""
    if _boundary().search(word):
        return (
            f"'{shown(word)}' mixes scripts: it looks like '{looks}', and has {codes}" if _is_trick(word, text) else ""
        )
    # A label of a host, all of it in look-alikes, before one in ASCII: аррӏе.com.
    after = text[at + len(word) : at + len(word) + 8]
    if _TWINS.issuperset(word) and _ends_host(after):
        return f"the host '{shown(word)}{after.split()[0]}' looks like '{looks}', and has {codes}"
    return ""


def _ends_host(after: str) -> bool:
    ending = after[1:4]
    return after[:1] == "." and len(ending) > 1 and ending[:2].isascii() and ending[:2].isalpha()


def _is_trick(word: str, text: str) -> bool:
    """Return whether a word of two scripts is meant to be read as one of Latin letters."""
    import re

    letters = [letter for letter in word if letter.isalpha()]
    foreign = [letter for letter in letters if has_foreign(letter)]
    if len(letters) < 3 or any(letter not in LOOKS_LIKE for letter in foreign):
        return False
    ending = re.fullmatch(f"[{LATIN}0-9_]+[{FOREIGN}]{{1,{_SUFFIX}}}", word)
    if ending and re.search(f"(?<!\\w)[{FOREIGN}]{{3,}}(?!\\w)", text):
        return False
    greek = all("\u0370" <= letter <= "\u03ff" for letter in foreign)
    symbol = greek and len(foreign) == 1 and foreign[0].islower() and foreign[0] != "ο"
    return not (symbol and (word[0] == foreign[0] or word[-1] == foreign[0]) and len(letters) - 1 <= _SYMBOL)


def _tricks(text: str, file: str, seen: set[str], place: Places) -> Iterator[Finding]:
    """Yield names of tools whose letters are ASCII digits or capitals: save_mem0ry, recaII_memory."""
    import re

    for match in re.finditer(r"\b[A-Za-z0-9$]{4,10}_[mM][A-Za-z0-9$]{4,8}\b", text):
        word = match[0]
        looks = word.replace("I", "l").lower().translate(_ASCII_TRICKS).replace("rn", "m")
        if word not in seen and looks in TOOLS and word.lower() not in TOOLS:
            seen.add(word)
            yield _finding(file, place(match.start()), word, f"'{word}' is not the tool '{looks}'")


def _encoded_hosts(text: str, file: str, seen: set[str], place: Places) -> Iterator[Finding]:
    """Yield labels of hosts that are shown in another form than they are written in: xn--80ak6aa92e."""
    import re

    for match in re.finditer(r"\bxn--([a-z0-9-]{1,59})", text):
        try:
            word = match[1].encode().decode("punycode")
        except UnicodeError:
            continue
        foreign = has_foreign(word)
        if (
            match[0] in seen
            or not foreign
            or any(letter.isalpha() and not letter.isascii() and letter not in LOOKS_LIKE for letter in word)
        ):
            continue
        seen.add(match[0])
        yield _finding(
            file,
            place(match.start()),
            match[0],
            f"the host '{match[0]}' is shown as one that looks like '{looks_like(word)}'",
        )
