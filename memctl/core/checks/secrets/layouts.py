"""Secrets that the layout of a text gives away: a user and a password, tables, commands, codes, phrases of a seed."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from itertools import islice

from memctl.core.checks.secrets.detectors import Secret
from memctl.core.checks.secrets.passwords import has_sign, is_password, is_striking
from memctl.core.checks.secrets.randomness import is_random, is_stand_in
from memctl.core.checks.secrets.words import PASSWORDS, PLACES

# So many signs of each kind are looked at: no person writes more.
_MOST = 2_000


@functools.cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form)


def in_layout(text: str, lower: str) -> Iterator[Secret]:
    """Yield the secrets that stand where a layout has them; they may overlap those of sentences.

    `lower` is the text in lower case, each character where it was. The prefilter of `secrets` knows the words of codes and
    phrases; each other value has a sign that the prefilter looks for, or stands beside `pass`.
    """
    if any(place in lower for place in PLACES):
        yield from _pairs(text)
    if "|" in text:
        yield from _tables(text, lower)
    yield from _commands(text, lower)
    if ":" in text:
        yield from _lines_of_pgpass(text)
    if "code" in lower and any(word in lower for word in ("recovery", "backup", "2fa", "mfa", "scratch", "emergency")):
        yield from _codes(text)
    if "mnemonic" in lower or "seed" in lower or lower.count("phrase") > lower.count("passphrase"):
        yield from _phrases(text)


def _pairs(text: str) -> Iterator[Secret]:
    """Yield what stands behind a user where a text says how to log in: `creds bob:…`, `Login: admin / …`."""
    places = _pattern(rf"(?i)(?<![a-z])(?:{'|'.join(map(re.escape, PLACES))})(?![a-z])")
    pair = _pattern(
        r"(?<![\w/.:@-])[\"'`*]{0,2}([A-Za-z][\w.@+-]{1,60})[\"'`]?(:|[ \t]?/[ \t]?|[ \t]\|[ \t])[\"'`]?([^\s\"'`<>|]{6,64})"
    )
    for place in islice(places.finditer(text), _MOST):
        # Behind a colon they may stand in the lines of a list.
        listed = _pattern(r"[:*]{1,3}[ \t]{0,4}\r?\n(?=[ \t]{0,8}[-*][ \t])").match(text, place.end())
        begin = listed.end() if listed else place.end()
        limit = begin + (400 if listed else 100)
        end = text.find("\n\n" if listed else "\n", begin, limit)
        for match in pair.finditer(text, begin, end if end >= 0 else min(len(text), limit)):
            value = match[3].rstrip(".,;:)]*_")
            near = _pattern(r"[ \t:=\"'`*(-]{0,6}(?:is |are |of |for )?").fullmatch(text, begin, match.start())
            if _is_of_pair(match[1], match[2], value, near=near is not None):
                yield Secret("S002", match.start(3), match.start(3) + len(value), "a password")


def _is_of_pair(user: str, sign: str, value: str, *, near: bool) -> bool:
    if value.startswith("/") or not has_sign(value):
        return False
    if is_striking(value):
        return near or sign != "/"
    # Behind what can be only a user, or right behind the word, it need not be striking.
    plain = _pattern(r"[A-Za-z]{4,20}\d{1,6}[!.]?").fullmatch(value) is not None
    sure = (near and sign == ":" and value.islower()) or "@" in user or user.lower() in _USERS
    return plain and sure and is_password(value, quoted=False, direct=False)


_USERS = frozenset("admin administrator demo guest root test user".split())


def _tables(text: str, lower: str) -> Iterator[Secret]:
    """Yield the values of the columns of a table in Markdown that are named for a password or a key."""
    columns: dict[int, str] | None = None
    at = 0
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        if "|" not in line or len(line) > 2_000:
            columns = None
            continue
        cells = _cells(line, start)
        if columns is None:
            columns = {number: name for number, cell in enumerate(cells) if (name := _named(lower[slice(*cell)]))}
            continue
        for number, name in columns.items():
            if number < len(cells) and _is_of_column(text[slice(*cells[number])], name):
                yield Secret("S002", *cells[number], "a key or token" if name == "key" else "a password")


def _cells(line: str, start: int) -> list[tuple[int, int]]:
    """Return where the text of each cell of a row begins and ends, without the signs around it."""
    body = line.strip()
    at = start + line.index(body) + body.startswith("|")
    cells = []
    for cell in body.removeprefix("|").removesuffix("|").split("|"):
        inner = cell.strip(" \t`*\"'")
        begin = at + (cell.index(inner) if inner else 0)
        cells.append((begin, begin + len(inner)))
        at += len(cell) + 1
    return cells


def _named(head: str) -> str:
    """Return `pass` for the head of a column of passwords, `key` for one of keys, a word of a language, '' for another."""
    if len(head) > 40 or head.count(" ") > 2:
        return ""
    if _pattern(r".{0,24}(?:\b|_)(?:pass|pwd|pw)").fullmatch(head):
        return "pass"
    if word := next((word for word in PASSWORDS if head.endswith(word)), ""):
        return "pass" if "pass" in word else word
    return (
        "key"
        if _pattern(r".{0,24}(?:api[ _-]?key|secret[ _-]?key|access[ _-]?key|token|secret)").fullmatch(head)
        else ""
    )


def _is_of_column(value: str, name: str) -> bool:
    if is_stand_in(value):
        return False
    if name == "key":
        return is_random(value, 12)
    return is_password(value, quoted=False, direct=True) and (name == "pass" or has_sign(value))


# Commands, and how each is given a password. A value ends at a space.
_VALUE = r"[\"']?([^\s\"'`|;&<>]{4,128})"
_COMMANDS: tuple[tuple[str, str], ...] = (
    ("mysql", r"mysql\w{0,10}[ \t][^\n|;]{0,120}?(?<=[ \t])-p" + _VALUE),
    ("mariadb", r"mariadb(?:-\w{1,10})?[ \t][^\n|;]{0,120}?(?<=[ \t])-p" + _VALUE),
    ("sshpass", r"sshpass[ \t]{1,3}-p[ \t]{0,3}" + _VALUE),
    ("login", r"(?:docker|podman|buildah|skopeo|nerdctl|helm registry|oras|oc|cf|argocd|az|npm|crane auth)[ \t]+login[ \t][^\n|;]{0,120}?(?<=[ \t])-p[ \t=]{0,3}" + _VALUE),
    ("redis-cli", r"redis-cli[ \t][^\n|;]{0,120}?(?<=[ \t])-a[ \t]{1,3}" + _VALUE),
    ("mongo", r"mongo(?:sh|dump|restore|export|import)?[ \t][^\n|;]{0,120}?(?<=[ \t])-p[ \t]{0,3}" + _VALUE),
    ("ldap", r"ldap(?:search|modify|add|delete|passwd|whoami)[ \t][^\n|;]{0,120}?(?<=[ \t])-w[ \t]{0,3}" + _VALUE),
    ("zip", r"(?:un)?zip[ \t][^\n|;]{0,120}?(?<=[ \t])-P[ \t]{1,3}" + _VALUE),
    ("7z", r"7z[ar]?[ \t][^\n|;]{0,120}?(?<=[ \t])-p" + _VALUE),
    ("mosquitto", r"mosquitto_(?:pub|sub|rr)[ \t][^\n|;]{0,120}?(?<=[ \t])-P[ \t]{1,3}" + _VALUE),
    ("sqlcmd", r"(?:sqlcmd|bcp)[ \t][^\n|;]{0,120}?(?<=[ \t])-P[ \t]{0,3}" + _VALUE),
    ("smbclient", r"smbclient[ \t][^\n|;]{0,120}?(?<=[ \t])-U[ \t]{0,3}[\"']?[\w.@\\-]{1,40}%" + _VALUE),
    ("htpasswd", r"htpasswd[ \t]{1,3}-\w{0,6}b\w{0,6}[ \t]{1,3}[^\s]{1,80}[ \t]{1,3}[\w.@-]{1,40}[ \t]{1,3}" + _VALUE),
    ("rabbitmqctl", r"rabbitmqctl[ \t]{1,3}(?:add_user|change_password)[ \t]{1,3}[\w.@-]{1,40}[ \t]{1,3}" + _VALUE),
    ("chpasswd", r"echo[ \t]{1,3}[\"']?[\w.@-]{1,40}:([^\s\"'`|]{4,128})[\"']?[ \t]{0,3}\|[ \t]{0,3}(?:sudo[ \t]{1,3})?chpasswd"),
    ("sudo -", r"echo[ \t]{1,3}[\"']?([^\s\"'`|]{4,128})[\"']?[ \t]{0,3}\|[ \t]{0,3}sudo[ \t]{1,3}-\w{0,4}S"),
    ("pass:", r"openssl[ \t][^\n|;]{0,120}?(?<=[ \t])[\"']?pass:" + _VALUE),
    ("identified", r"(?i)identified[ \t]{1,3}(?:with[ \t]{1,3}\w{1,40}[ \t]{1,3})?by[ \t]{1,3}" + _VALUE),
    ("http", r"(?<![\w-])https?[ \t][^\n|;]{0,120}?(?<=[ \t])(?:-a|--auth)[ \t=]{1,3}[\"']?[\w.@-]{1,40}:([^\s\"'`|;&<>]{4,128})"),
)  # fmt: skip


def _commands(text: str, lower: str) -> Iterator[Secret]:
    """Yield the passwords that a command is given."""
    for mark, form in _COMMANDS:
        if mark not in lower:
            continue
        for match in islice(_pattern(form).finditer(text), _MOST):
            value = match[1].rstrip(".,:)*_")
            if has_sign(value) and is_password(value, quoted=False, direct=True):
                yield Secret("S002", match.start(1), match.start(1) + len(value), "a password of a command")


def _lines_of_pgpass(text: str) -> Iterator[Secret]:
    """Yield the passwords of lines as a `.pgpass` has them: host:port:database:user:password."""
    line = _pattern(
        r"(?m)^[ \t`]{0,8}[\w.*-]{1,100}:(?:\d{2,5}|\*):[A-Za-z_*][\w*-]{0,63}:[\w*.@-]{1,64}:([^\s`]{4,128})`?[ \t]{0,4}\r?$"
    )
    for match in line.finditer(text):
        if has_sign(match[1]) and is_password(match[1], quoted=False, direct=True):
            yield Secret("S002", *match.span(1), "a password")


def _codes(text: str) -> Iterator[Secret]:
    """Yield the codes that open an account without its second factor, all of a list."""
    heads = _pattern(
        r"(?i)(?:recovery|backup|2fa|mfa|scratch|emergency)[ _-]codes?\b[^:=\n.]{0,40}?(?:[ \t\"'`*]{0,4}[:=]|[ \t](?:is|are))"
    )
    code = _pattern(
        r"(?:[\s,;/|\"'`*]|[-\d]{1,3}[.)]?[ \t]){0,12}([A-Z0-9]{3,8}(?:-[A-Z0-9]{3,8}){1,7}|[a-z0-9]{4,8}-[a-z0-9]{4,8}|[A-Za-z0-9]{8,16})(?![\w-])"
    )
    for head in islice(heads.finditer(text), _MOST):
        at = head.end()
        for _ in range(20):
            match = code.match(text, at)
            # Without a digit it is a word of the sentence.
            if (
                match is None
                or not _pattern(r"(?=.*\d)(?=.*[A-Za-z])(?!.*[A-Za-z]{5})").match(match[1])
                or is_stand_in(match[1])
            ):
                break
            if has_sign(match[1]):
                yield Secret("S002", *match.span(1), "a recovery code")
            at = match.end()


# Words that are in no list for seeds, and in nearly each sentence of so many.
_SENTENCE = frozenset(
    "and any are but each for from has have her his its may must never not nor one our should since than the their these was"
    " were which who whose with yet your".split()
)


def _phrases(text: str) -> Iterator[Secret]:
    """Yield the phrases from which a wallet can be made again: 12, 15, 18, 21 or 24 short words."""
    heads = _pattern(
        r"(?i)(?:(?:seed|recovery|backup|secret|wallet)[ _-](?:phrase|words|seed)|mnemonic|\bseed)\b[^:=\n.]{0,40}?(?:[\"'`*]{0,3}[ \t]{0,2}[:=]|[ \t](?:is|are))"
    )
    words = _pattern(r"(?:[\s\"'`*,>-]{1,6}(?:\d{1,2}[.)][ \t]{0,2})?[a-z]{3,8}(?![\w-]|'\w)){12,25}")
    for head in islice(heads.finditer(text), _MOST):
        match = words.match(text, head.end()) or words.match(text, head.end() - 1)
        if match is None:
            continue
        found = _pattern(r"[a-z]{3,8}").findall(match[0])
        if len(found) in (12, 15, 18, 21, 24) and not _SENTENCE.intersection(found):
            start = match.start() + match[0].index(found[0])
            yield Secret("S002", start, match.end(), "a seed phrase")
