"""Letters that look like others, letters that nobody sees, and a text as it looks: what a filter must see through."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

# Of Unicode's confusables those that programs and people were fooled with: a letter, and the ASCII letter it looks like.
_PAIRS = (
    "аa еe оo рp сc хx уy іi ѕs јj ԁd ԛq ԝw һh ӏl ґr гr вb кk мm нh тt пn иu ьb ҫc ӕe ԍg ѵv үy"
    " АA ВB ЕE КK МM НH ОO РP СC ТT ХX УY ІI ЅS ЈJ ԌG ԜW ԚQ ҮY ГR ӀI ҺH ѴV"
    " αa οo ρp νv ιi κk υu χx τt εe ηn γy ωw ςs ϲc ϳj"
    " ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC"
    " օo սu ոn հh ցg զq տs աw յj ԼL ՕO ՍU ԱU"
    " ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ"
    " ɑa ɡg ɩi ıi ɪi ʀr ɴn ʟl ʙb ʜh ɢg ʏy ʋv ʼ' ſs ɍr ɾr ʃs"
    " ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz ꜱs ꜰf"
    " ＜< ﹤< ‹< 〈< ⟨< 〈< ❮< ˂< ≺< ＞> ﹥> ›> 〉> ⟩> 〉> ❯> ˃> ≻>"
    " ⁄/ ∕/ ／/ ⧸/ ╱/ ＼\\ ‐- ‑- ‒- –- −- ﹣- ｜| ∣| ︱| ▁_ ：:"
)
LOOKS_LIKE = {pair[0]: pair[1].lower() for pair in _PAIRS.split()}
LOOKS_LIKE |= dict.fromkeys("\u2028\u2029\u2800\u3164\uffa0\u115f\u1160", " ")

# Scripts whose letters pass for Latin ones, as ranges of a character class.
FOREIGN = "\u0370-\u03ff\u0400-\u052f\u0531-\u0587\u13a0-\u13fd\u1c80-\u1c8f\u1f00-\u1fff\ua640-\ua69f"
LATIN = "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"

# What turns the direction of text: the twelve of Unicode's property Bidi_Control, of which three are mere marks.
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
MARKS = "\u200e\u200f\u061c"
# What has no shape of its own, as ranges. Variation selectors and joiners have proper uses; the rule knows them.
UNSEEN = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# What makes a text look other than it is: all of the above, and forms that Unicode itself folds.
_SUSPECT = (
    f"{FOREIGN}{BIDI}{MARKS}{UNSEEN}\u0131\u017f\u0250-\u02af\u02bc\u02c2\u02c3\u1d00-\u1d7f\u2010-\u2013\u2039\u203a"
    "\u2044\u2100-\u214f\u2160-\u217f\u2212\u2215\u2223\u227a\u227b\u2329\u232a\u2460-\u24ff\u2571\u2581\u276e\u276f"
    "\u27e8\u27e9\u29f8\u3008\u3009\ua720-\ua7ff\uab30-\uabbf\ufb00-\ufb06\ufe31\ufe63-\ufe65\uff0f\uff1a\uff1c\uff1e"
    "\uff21-\uff3a\uff3c\uff3f\uff41-\uff5a\uff5c\U0001d400-\U0001d7ff\U0001f130-\U0001f189"
)


class Folded(NamedTuple):
    """A text as it looks to a reader, in lower case; `offsets` say where in the text each character of it stands.

    None where it stands where it stood.
    """

    text: str
    offsets: list[int] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where the characters [start, end) of the folded text begin and end in the text itself."""
        if self.offsets is None:
            return start, end
        first, last = sorted((self.offsets[start], self.offsets[end - 1]))  # a text may be read backwards
        return first, last + 1


@cache
def _classes() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    import re

    return re.compile(f"[{_SUSPECT}]"), re.compile(f"[{BIDI}{MARKS}{UNSEEN}]"), re.compile(f"[{FOREIGN}]")


def has_suspect(odd: str) -> bool:
    """Return whether one of these characters looks like another, or like nothing."""
    return _classes()[0].search(odd) is not None


def has_unseen(odd: str) -> bool:
    """Return whether one of these characters is one that nobody sees."""
    return _classes()[1].search(odd) is not None


def has_foreign(odd: str) -> bool:
    """Return whether one of these characters is a letter of a script that passes for Latin."""
    return _classes()[2].search(odd) is not None


def unseen_places(text: str) -> Iterable[re.Match[str]]:
    """Return where in a text the characters stand that nobody sees."""
    return _classes()[1].finditer(text)


def fold(text: str, odd: str = "") -> Folded:
    """Return a text as it looks, in lower case: look-alikes as what they look like, nothing for what nobody sees.

    `odd` are its characters that are not ASCII; where they are harmless, only the case is folded.
    """
    low = text.lower()
    if len(low) == len(text) and not (odd and has_suspect(odd)):
        return Folded(low, None)
    suspect, unseen, _ = _classes()
    out: list[str] = []
    offsets: list[int] = []
    for at, character in enumerate(text):
        looks = character
        if not character.isascii():
            looks = LOOKS_LIKE.get(character, "")
            if not looks and unseen.match(character):
                continue
            looks = looks or (_plain(character) if suspect.match(character) else character)
        looks = looks.lower()
        out.append(looks)
        offsets += [at] * len(looks)
    return Folded("".join(out), offsets)


@cache
def _plain(character: str) -> str:
    from unicodedata import normalize

    plain = normalize("NFKC", character)
    return "".join([LOOKS_LIKE.get(letter, letter) for letter in plain])


def looks_like(word: str) -> str:
    """Return the ASCII letters that a word looks like, in lower case."""
    return fold(word, word).text


def shown(text: str, most: int = 60) -> str:
    """Return a piece of stored text for a message: on one line, cut, without what nobody sees."""
    piece = text[: 4 * most]
    seen = _classes()[1].sub("", piece)
    plain = " ".join("".join([character if character.isprintable() else " " for character in seen]).split())
    return plain if len(plain) <= most and len(piece) == len(text) else plain[: most - 1].rstrip() + "…"
