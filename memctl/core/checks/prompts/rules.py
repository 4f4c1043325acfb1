"""Prompt safety: text that a model could take for more than background."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memctl.core.checks.places import Places
from memctl.core.checks.prompts.blobs import blobs, has_long_word
from memctl.core.checks.prompts.disguises import decoded, may_be_encoded, undisguised
from memctl.core.checks.prompts.folding import Folded, fold, has_suspect, has_unseen, shown
from memctl.core.checks.prompts.lookalikes import lookalikes
from memctl.core.checks.prompts.markup import ROLES, Mark, marks, may_have_marks, speakers
from memctl.core.checks.prompts.orders import may_order, may_order_foreign, order_words, orders, words_of
from memctl.core.checks.prompts.unseen import unseen, unseen_name
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.subject import CheckSettings, Item, StoreKind, Subject
from memctl.core.dialects import hq
from memctl.core.index import escape_tag

# What prose is made of.
_PROSE = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \n\r\t.,;:!?'\"()*-+%&"
_ASCII = bytes(range(128))
_BEYOND = bytes(range(128, 256))


class _Hit(NamedTuple):
    """What a rule found in a text, from `start` to `end`."""

    rule: str
    message: str
    evidence: str
    start: int
    end: int


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield what in the text of a memory is no mere background: in loaded ones, in others, in the user memory."""
    agent = subject.kind is StoreKind.AGENT
    watched = order_words() | ROLES | {b"xn"}
    for item in subject.items:
        name, data, text, record, _, _, _, _, link, _ = item
        if not name.isascii():
            yield from unseen_name(name)
        if text is None or data is None or (agent and record is None):
            continue
        if link is not None and _is_alias(item, subject):
            continue  # said of the file itself
        # Most memories are letters and a few signs, so what else there is says what to look for.
        signs = data.translate(None, _PROSE)
        odd = ""
        if signs and not signs.isascii():
            odd = signs.translate(None, _ASCII).decode("utf-8", "ignore")
            signs = signs.translate(None, _BEYOND)
        low = data.lower() if signs else b""
        words = words_of(data)
        telling = watched.intersection(words)
        # Of what looks like something else no word can be searched for, so it is read in full, as it looks.
        suspicious = odd != "" and has_suspect(odd)
        folded = None
        if may_be_encoded(low) if signs else b"%" in data and may_be_encoded(data):
            folded = decoded(fold(text, odd))
            suspicious = suspicious or folded is not None
        if suspicious or not ROLES.isdisjoint(telling) or (signs and may_have_marks(low)):
            folded = folded or fold(text, odd)
            yield from _grouped(_marks(item, text, folded, agent), item, text)
        if suspicious or (telling and may_order(telling, words)) or (odd and may_order_foreign(odd, data)):
            folded = folded or fold(text, odd)
            yield from _grouped(_orders(text, folded), item, text)
        if suspicious and has_unseen(odd):
            yield from unseen(text, item.name)
        if suspicious or (signs and b"_m" in low) or (b"xn" in telling and b"xn--" in data.lower()):
            yield from lookalikes(text, item.name, odd)
        if (signs and b"=" in signs) or has_long_word(data):
            yield from blobs(text, item.name)


def _is_alias(item: Item, subject: Subject) -> bool:
    """Return whether a link leads to another file of the store that is looked at, or to the index."""
    inside = item.link.inside if item.link else None
    return any(other.name == inside and (other.record or inside == hq.INDEX_NAME) for other in subject.items)


def _grouped(hits: Iterable[_Hit], item: Item, text: str) -> Iterator[Finding]:
    """Yield what is found, the same thing once, at its first place."""
    found: dict[tuple[str, str], list[_Hit]] = {}
    place = Places(text)
    for hit in hits:
        found.setdefault((hit.rule, hit.evidence), []).append(hit)
    for same in found.values():
        first = min(same, key=lambda hit: hit.start)
        times = f" ({len(same):,} times)" if len(same) > 1 else ""
        where = place(first.start)
        length = len(text[first.start : first.end].partition("\n")[0])
        yield Finding(first.rule, Severity.WARNING, item.name, first.message + times, first.evidence, *where, length)


def _orders(text: str, folded: Folded) -> Iterator[_Hit]:
    seen: set[int] = set()
    for view in _views(text, folded):
        for order in orders(view.text):
            start, end = view.span(order.start, order.end)
            if start in seen:
                continue
            seen.add(start)
            message = f"instruction-like text ({order.category}): '{shown(text[start:end])}'"
            evidence = f"{order.category}: {view.text[order.start : order.end]}"
            yield _Hit("P002", message, evidence, start, end)


def _views(text: str, folded: Folded) -> Iterator[Folded]:
    """Yield the text as it looks, and as it stands: words in Cyrillic look like none."""
    yield folded
    if folded.offsets is not None and len(low := text.lower()) == len(text):
        yield Folded(low, None)
    yield from undisguised(folded)


def _marks(item: Item, text: str, folded: Folded, agent: bool) -> Iterator[_Hit]:
    head = _head_end(text)
    folded_head = _head_end(folded.text)
    cased = text if folded.offsets is None else folded.text
    for mark in (*marks(folded.text), *speakers(folded.text, cased, folded_head)):
        start, end = folded.span(mark.start, mark.end)
        raw = text[start:end]
        words = f"'{shown(raw)}'"
        if mark.rule == "P001":
            message = f"{words} {'begins' if mark.opens else 'ends'} a block of the prompt: "
            message += _escaped(mark, raw, _is_described(text, start, head)) if agent else "CodeWhale escapes nothing"
        elif mark.rule == "P003":
            message = f"{words} looks like the header of another speaker"
        else:
            message = f"{words} is the syntax of a tool call"
        yield _Hit(mark.rule, message, folded.text[mark.start : mark.end], start, end)


def _head_end(text: str) -> int:
    """Return where the front matter of a text ends, 0 where it has none."""
    return text.find("\n---", 3) + 4 if text.startswith("---") and "\n---" in text[3:] else 0


def _is_described(text: str, at: int, head: int) -> bool:
    """Return whether a place belongs to the front matter, of which the agent gets the description."""
    return at < head and text.startswith("---")


def _escaped(mark: Mark, raw: str, described: bool) -> str:
    """Return what the HQ does about a tag: it escapes each of two in one place only, and only as it writes them."""
    tag = "memory" if described else "recalled-memories"
    place_of = "in the index" if described else "in recalled memories"
    if mark.opens or mark.block != tag:
        return f"the HQ does not escape it in the {'description' if described else 'content'}"
    if escape_tag(raw, tag) == raw:
        return "the HQ does not know this form, and does not escape it"
    return f"the HQ escapes it {place_of}, not where recall_memory returns it"
