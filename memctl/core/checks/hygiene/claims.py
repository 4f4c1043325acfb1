"""What a text says of something, so that two of its kind can be compared: its subject as a key, and a value."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.core import similar
from memctl.core.checks.hygiene.nouns import HAN_SINGLE, PERSONS, is_single
from memctl.core.checks.hygiene.rivals import KINDS, POLES, RUNS, TAKEN, WRITING

if TYPE_CHECKING:
    import re

_VAGUE = frozenset(
    "it this that there he she they we i you what which who here one these those everything nothing all some if when"
    " where because why how so and but or his her their another other both each every many most half part".split()
)
_VERBS = (
    r"is now|are now|is|are|was moved to|moved to|lives in|works in|sits in|is based in|based in|is located in|reports to"
    r"|is owned by|is called|is named|runs on|runs at|listens on|starts on|starts at|ends on|expires on|defaults to|="
    r"|ist jetzt|ist|heißt|lautet|wohnt in|lebt in|arbeitet in|est|s'appelle|habite à|vit à|es|se llama|vive en|è|si chiama"
    r"|vive a|abita a|é|mora em|vive em|heet|woont in|живёт в|живет в|—"
)
_BE = frozenset(
    "is are = heißt lautet ist est es è é — heet s'appelle is_now are_now ist_jetzt defaults_to is_called is_named"
    " se_llama si_chiama".split()
)
_STATING = frozenset(
    "is are moved lives works sits based located reports owned called named runs listens starts ends expires defaults"
    " ist heißt lautet wohnt lebt arbeitet est appelle habite vit es llama vive è chiama abita é mora heet woont живёт"
    " живет".split()
)
# Of German, whose nouns are all written with a capital, a capital says nothing.
_GERMAN = frozenset(["ist", "ist jetzt", "heißt", "lautet"])
# What comes after `is` and is no value: `is not …`, `is in …`, `is used by …`.
_NO_VALUE = frozenset(
    "not also in for a an by only always never written used kept made done built run found sent held given taken known"
    " shown stored nicht kein keine ein eine einer auch im pas un une una um uma no non não niet een не".split()
)
_NEGATIONS = frozenset(
    "never not no dont avoid without cannot cant stop nicht kein keine keinen keinem nie niemals ne n pas jamais nunca non"
    " mai não niet geen nooit не никогда 不 别 別 勿 没 沒".split()
)
_PLAIN = frozenset(
    "always do does must should please the a an to immer bitte der die das den ein eine einen toujours siempre sempre"
    " altijd всегда 请 請 总 總 要 是".split()
)
_SPECIAL = _NEGATIONS | _PLAIN | POLES.keys()
_CONTRACTED = {"doesnt": ("does", "not"), "isnt": ("is", "not"), "arent": ("are", "not"), "wont": ("will", "not"),
    "shouldnt": ("should", "not"), "mustnt": ("must", "not"), "didnt": ("did", "not"), "cant": ("can", "not"),
    "cannot": ("can", "not"), "wasnt": ("was", "not")}  # fmt: skip
_OPEN = frozenset("or and also both either besides sometimes exist exists available mostly".split())
_NO_WORTH = "一个個用不很在要由为為需最非因"
_LEADS = frozenset("uUcCnNeEaA")
_PREFERRING = frozenset("over instead rather not".split())
_KINDS = frozenset(KINDS)
_CONTRACTIONS = frozenset(_CONTRACTED)
_SPELLED = {"favorite": "favourite", "color": "colour", "center": "centre"}


class Claim(NamedTuple):
    """A statement: what it is about (`key`), what it says of it, its words, and at which offset of the text they stand."""

    key: tuple[str, ...]
    value: str
    words: str
    offset: int


@cache
def _sentence() -> re.Pattern[str]:
    import re

    return re.compile(r"[^.!?;\n。！？；]{4,200}(?:[.][^\s.!?;\n]{1,100}){0,4}")


@cache
def _lead() -> re.Pattern[str]:
    import re

    return re.compile(
        r"(?:update[sd]?|correction|corrected|changed?|note|edit|new|now|actually)(?: \(?[\d-]{4,10}\)?)?(?:[:,]| [-–—]) ",
        re.I,
    )


@cache
def _statement() -> re.Pattern[str]:
    import re

    determiner = (
        "the|our|my|your|a|an|this|der|die|das|unser|unsere|le|la|les|notre|el|los|nuestra|nuestro|il|lo|o|de|het|onze"
    )
    return re.compile(
        rf"(?:(?:{determiner}) |l')?(?P<subject>[^,:=()]{{2,60}}?) ?(?: (?P<verb>{_VERBS}) |:(?= ))"
        r" ?(?P<value>[^,;:]{1,60})$",
        re.I,
    )


@cache
def _han() -> re.Pattern[str]:
    import re

    place = r"(?:住在|位于|位於|居住在|搬到了?)"
    return re.compile(
        rf"(?P<who>[^，。：、\s]{{1,12}}?)(?P<verb>现在住在|{place})(?P<where>[^，。：、]{{1,20}})$"
        r"|(?P<topic>[^，。：、は\s]{1,20})(?:は|은 |는 )(?P<answer>[^，。：、はがをにと\s][^，。：、はがを]{0,19}?)"
        r"(?:です|だ|である|입니다|이다|예요|이에요)$"
        r"|(?P<resident>[^，。：、は\s]{1,20})は(?P<home>[^，。：、はがを]{1,20})に住んで(?:いる|います)$"
        r"|(?P<han>[^，。：、是为為は\s]{2,12}?)(?:现在是|現在是|改为|改為|是|为|為|：)(?P<worth>[^，。：、是]{1,20})$"
    )


@cache
def _preference() -> re.Pattern[str]:
    import re

    return re.compile(
        r"\b(?:prefer|prefers|use|uses|choose|want|wants|likes?) (?P<one>[^,.;]{2,40}?) (?:over|instead of|rather than|not|and not)"
        r" (?P<other>[^,.;]{2,40})$",
        re.I,
    )


@cache
def _purpose() -> re.Pattern[str]:
    import re

    return re.compile(
        r"(?P<subject>[^,:;()]{2,40}?) uses? (?P<value>[A-Z][\w.+#-]{0,30}(?: [A-Z0-9][\w.+#-]{0,30}){0,2}) (?:for|as) (?P<purpose>[^,:;()]{2,60})$"
    )


def claims(text: str) -> Iterator[Claim]:
    """Yield the statements of a text that another can contradict."""
    for match in _sentence().finditer(text):
        raw = match[0]
        said = raw.strip(" \t\r*_-+>#`\"'")
        if not said:
            continue
        offset = match.start() + raw.find(said)
        plain = said if said.isascii() else similar.normal(said).replace("’", "'")
        if plain[0] in _LEADS and (lead := _lead().match(plain)):
            plain = plain[lead.end() :]
        if not plain.isascii():
            for key, value in _in_han(plain):
                yield Claim(key, value, said, offset)
        words = similar.words_of(plain.replace("'t", "t") if "'" in plain else plain)
        for key, value in _of_words(
            plain, words, code="`" in raw[: raw.find(said)] or text[match.start() - 1 : match.start()] == ";"
        ):
            yield Claim(key, value, said, offset)


def opposed(one: str, other: str) -> bool:
    """Return whether two texts are one but for sentences that contradict each other."""
    first, second = list(claims(one)), list(claims(other))
    rest = {similar.plain(claim.words) for claim in first} ^ {similar.plain(claim.words) for claim in second}
    if not rest:
        return False
    values = {claim.key: claim.value for claim in first}
    against = {similar.plain(claim.words) for claim in second if values.get(claim.key, claim.value) != claim.value}
    return bool(against) and {similar.plain(claim.words) for claim in second} & rest <= against


def _of_words(text: str, words: list[str], *, code: bool) -> Iterator[tuple[tuple[str, ...], str]]:
    stating = ": " in text or "=" in text or "—" in text or not _STATING.isdisjoint(words)
    if stating and (stated := _statement().match(text)) and (said := _stated(stated, code=code)):
        yield said
    if not _PREFERRING.isdisjoint(words) and (preferred := _preference().search(text)):
        pair = (preferred["one"].casefold().strip(), preferred["other"].casefold().strip())
        yield ("prefer", *sorted(pair)), pair[0]
    if " use" in text and (used := _purpose().match(text)):
        subject, purpose = _subject(used["subject"]), similar.words_of(used["purpose"])
        yield ("uses", *subject, "for", *purpose), used["value"].casefold()
    if not _KINDS.isdisjoint(words):
        yield from _taken(words)
    yield from _done(words)


def _stated(stated: re.Match[str], *, code: bool) -> tuple[tuple[str, ...], str] | None:
    """Return a statement of what something is; None where two of its kind may both hold.

    `code` says that `key: value` is a setting in a list of them, of whatever it belongs to.
    """
    subject = similar.words_of(stated["subject"])
    value = stated["value"].strip(" *_`\"'")
    words = similar.words_of(value)
    if not subject or not words or len(subject) > 6 or len(words) > 6 or not _VAGUE.isdisjoint(subject):
        return None
    subject = _subject(stated["subject"])
    if stated["verb"] is None and (code or (len(subject) < 2 and not is_single(subject))):
        return None
    verb = (stated["verb"] or "is").casefold()
    capital = verb not in _GERMAN and any(letter.isupper() for letter in value)
    if not (capital or is_single(subject) or any(letter.isdigit() for letter in value)):
        return None
    if words[0] in _NO_VALUE or (words[0].endswith("ed") and len(words) > 1):
        return None
    return ("is" if verb.replace(" ", "_") in _BE else verb, *subject), " ".join(words)


def _subject(text: str) -> list[str]:
    """Return the words of a subject in one order: `the colour of the user` is `the user's colour`."""
    thing, of, owner = text.partition(" of ")
    if of:
        text = f"{owner}'s {thing}"
    words = [_SPELLED.get(word, word) for word in similar.words_of(text.replace("'s ", " "))]
    words = [word for word in words if word not in ("the", "a", "an", "our", "my", "your")] or words
    return words[1:] if len(words) > 1 and words[0] == "user" and "'s " in text else words


def _taken(words: list[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield which of its kind a task takes: `billing uses stripe`."""
    places = [at for at, word in enumerate(words) if word in KINDS]
    if len(places) != 1 or not _OPEN.isdisjoint(words) or not _NEGATIONS.isdisjoint(words):
        return
    at = places[0]
    kind, name = KINDS[words[at]]
    before = words[:at]
    if before and before[-1] == "the":
        before.pop()
    if len(before) < 2:
        return
    writing = before[-1] == "in" and not WRITING.isdisjoint(before)
    if before[-1] in TAKEN if kind >= 0 else writing:
        yield ("takes", str(kind), *before, "", *words[at + 1 :]), name


def _done(words: list[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what is done, and whether: yes or no, on or off."""
    if _SPECIAL.isdisjoint(words) and _CONTRACTIONS.isdisjoint(words):
        if len(words) >= 2:
            yield ("does", *words), "0"
        return
    if not _CONTRACTIONS.isdisjoint(words):
        words = [part for word in words for part in _CONTRACTED.get(word, (word,))]
    rest: list[str] = []
    sides = 0
    for word in words:
        if word in _NEGATIONS or word in _PLAIN:
            continue
        pole = POLES.get(word)
        rest.append(pole[0] if pole else word)
        sides += pole[1] if pole else 0
    if len(rest) < 2:
        return
    against = not _NEGATIONS.isdisjoint(words)
    value = str((sides + against) % 2)
    yield ("does", *rest), value
    if against and "does" in words:
        yield from _third_person(words, rest, value)


def _third_person(words: list[str], rest: list[str], value: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield `likes` for `does not like`."""
    at = words.index("does")
    verb = next((word for word in words[at + 1 :] if word not in _NEGATIONS), "")
    if not verb:
        return
    ending = "ies" if verb[-1] == "y" and verb[-2:-1] not in tuple("aeou") else "s"
    stem = verb[:-1] if ending == "ies" else verb
    third = f"{stem}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{stem}{ending}"
    plain, pole = POLES.get(verb, (verb, 0))[0], POLES.get(third, (third, 0))[0]
    yield ("does", *[pole if word == plain else word for word in rest]), value


def _in_han(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what a sentence of Chinese, Japanese or Korean says."""
    for one, other in RUNS:
        if other in text:
            yield ("run", text.replace(other, one)), other
        elif one in text:
            yield ("run", text), one
    match = _han().match(text)
    if match is None:
        return
    if match["who"] or match["resident"]:
        yield ("lives", match["who"] or match["resident"]), match["where"] or match["home"]
    elif match["topic"]:
        if match["topic"].endswith(HAN_SINGLE):
            yield ("is", match["topic"]), match["answer"]
    elif not match["han"].endswith(PERSONS) and match["worth"][0] not in _NO_WORTH and match["worth"][-1] != "的":
        yield ("is", match["han"]), match["worth"]
