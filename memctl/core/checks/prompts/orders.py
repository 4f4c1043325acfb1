"""Orders to the model: text that tells it to drop its instructions, to hide things, or to give data away."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.core.checks.prompts.disguises import TELLTALES
from memctl.core.checks.prompts.phrases import PHRASES
from memctl.core.checks.prompts.phrases_abroad import ABROAD
from memctl.core.checks.prompts.phrases_deeds import COMMAND, DEEDS, HIDING

if TYPE_CHECKING:
    import re

ALL_PHRASES = (*PHRASES, *DEEDS, *ABROAD)
# Of phrases in other scripts: words without which there is none.
_FOREIGN = (
    "指令", "指示", "命令", "说明", "說明", "規則", "规则", "提示", "ルール", "プロンプト", "инструкц", "указани", "правил", "команд",
    "інструкц", "вказівк", "지시", "명령", "지침", "프롬프트", "규칙", "التعليمات", "الأوامر", "निर्देश", "ướẫ",
    "限制", "约束", "約束", "审查", "告诉", "告訴", "告知", "透露", "通知", "让用户", "瞒", "保密", "密码", "密碼", "密钥", "金鑰", "口令", "凭证",
    "凭据", "憑證", "令牌", "私钥", "环境变量", "聊天记录", "对话", "发送到", "发到", "上传到", "发给", "制限", "制約", "規則", "ユーザーに", "ユーザに", "パスワード", "認証情報", "秘密鍵",
    "トークン", "シークレット", "環境変数", "送信", "送っ", "아무", "제한", "제약", "사용자에게", "사용자한테", "사용자 몰래", "사용자몰래", "비밀번호", "암호",
    "토큰", "보내", "전송", "القواعد", "قواعد", "تعليمات", "قيود", "تخبر", "تبلغ", "لمستخدم", "كلمات", "كلمة", "مفاتيح", "أرسل", "ارسل", "ابعث", "नियम", "बिना",
    "मत", "पासवर्ड", "टोकन", "सिस्टम", "भेज", "ườù", "ậẩ", "ợý", "ớạ", "ử", "ỉị", "ắ", "ệố",
)  # fmt: skip
# Where what follows is what one must not do, if the sentence says so.
_WITHOUT = (
    "without", "behind", "ohne", "sans", "sin ", "sem ", "senza", "zonder", "bez ", "utan", "uden", "uten",
    "à l'insu", "all'insaputa", "tanpa", "без", "втайне", "тайно", "таємно",
)  # fmt: skip
_LINE = 240  # characters before a command that tell an order from a note

# All of a text but its ASCII letters, which are made small, as blanks.
_LETTERS = bytes(code if 97 <= code < 123 else code + 32 if 65 <= code < 91 else 32 for code in range(256))


class Order(NamedTuple):
    """An order in a text: what it is about, and where it stands, from `start` to `end`."""

    category: str
    start: int
    end: int


def words_of(data: bytes) -> list[bytes]:
    """Return the runs of ASCII letters in a text, in lower case."""
    return data.translate(_LETTERS).split()


def order_words() -> frozenset[bytes]:
    """Return words of which every text has one that has an order in plain ASCII; some that have none do too.

    Each memory of a fleet is asked for them: to split a text and look its words up costs as much as to search it for ten
    words, however many they are.
    """
    return frozenset(_needs())


def may_order(telling: frozenset[bytes], words: list[bytes]) -> bool:
    """Return whether a text of these words may have an order; `telling` are those of them that order_words() has."""
    needs = _needs()
    return any(
        not any(group.isdisjoint(words) for group in groups) for word in telling for groups in needs.get(word, ())
    )


@cache
def _needs() -> dict[bytes, list[list[frozenset[bytes]]]]:
    """Return for each word of the first group that a phrase needs the other groups of each such phrase."""
    needs: dict[bytes, list[list[frozenset[bytes]]]] = {}
    for phrase in ALL_PHRASES:
        first, *others = [frozenset(group.encode().split(b"|")) for group in phrase.needs] or [frozenset()]
        for word in first:
            needs.setdefault(word, []).append(others)
    return needs | {word: [[]] for word in TELLTALES}


def may_order_foreign(odd: str, data: bytes) -> bool:
    """Return whether a text may have an order in another script; `odd` are its characters that are not ASCII."""
    if _scripts().search(odd) is None:
        return False
    return any(map(odd.__contains__, _FOREIGN)) or b"talimat" in data.lower()


@cache
def _scripts() -> re.Pattern[str]:
    """Return what finds a first letter of those words, or one of the letters that an order in Turkish has."""
    import re

    return re.compile(f"[{''.join(sorted({word[0] for word in _FOREIGN}))}ışğ]")


class _Patterns(NamedTuple):
    """The beginnings of all phrases, and what stands before or after an order."""

    beginnings: re.Pattern[str]
    negated: re.Pattern[str]
    forbidden: re.Pattern[str]
    ordered_before: re.Pattern[str]
    ordered_after: re.Pattern[str]
    installs: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    import re

    words = sorted({word for phrase in ALL_PHRASES for word in phrase.words.split("|")}, key=len, reverse=True)
    # By their first letters: of hundreds of words the few are tried that a place may begin with.
    beginnings = "|".join(
        f"{re.escape(first)}(?:{'|'.join(re.escape(word[1:]) for word in words if word[0] == first)})"
        for first in dict.fromkeys(word[0] for word in words)
    )
    ever = "always|every|each|before|first|silently|secretly|quietly|immediately|whenever|must"
    return _Patterns(
        re.compile(f"(?<![a-z])(?:{beginnings})"),
        # `Never ignore previous instructions` is what one wants.
        re.compile(
            r"(?:\bnever|\bnot|n't|\bcannot|\bno need to|\bavoid|\brefuse to|\bwithout|\bnicht|\bnie|\bniemals|\bne|\bn['’]|\bjamais|\bno|\bnunca"
            r"|\bnão|\bnao|\bnon|\bmai|\bniet|\bnooit|\bnigdy|\binte|\bikke|\baldrig|\baldri|\bjangan|\bне|\bніколи|\bđừng|\bkhông(?: được)?|\bلا)"
            r"[\s'’]{0,4}(?:(?<=\s)\w{1,12}\s{1,4})?\Z|(?:不要|不能|不得|不可|不应|切勿|请勿|請勿|勿|禁止|严禁|别|別|绝不)\s{0,2}\Z"
        ),
        # `Never delete a file without telling the user.`
        re.compile(
            r"\b(?:never|not|no|nothing|nobody|cannot|avoid|refuse|nie|niemals|nicht|nichts|kein\w{0,2}|ne|jamais|pas|rien|aucune?|nunca|nada|não|mai|non|nulla|niente"
            r"|nooit|niet|niets|geen|nigdy|nic|nikt|inte|ikke|aldrig|aldri|ingen|inget|ingenting|intet|jangan|не|нельзя|ничего|никогда|ніколи|нічого)\b|n't\b"
        ),
        # An order, not a note on how to install something: at the start of a line, or with a word of when.
        re.compile(
            rf"(?:\A|[:.;!]|\) )[\s*_>`#-]{{0,8}}(?:please |now |then )?(?:run|execute|do)\b[^|.]{{0,40}}\Z|\b(?:{ever}|now)\b"
        ),
        re.compile(rf"\b(?:{ever})\b"),
        re.compile(r"\A[\s`*_]{0,4}(?:to (?:install|set ?up|get|update|upgrade)\b|(?:installs|sets up|updates)\b)"),
    )


@cache
def _phrases(beginning: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the phrases that may begin with a word, with their categories; to compile all takes as long as a command.

    The longest beginning is found; what begins with a part of it is looked for there as well.
    """
    import re

    return tuple(
        (phrase.category, re.compile(phrase.rest, re.M))
        for phrase in ALL_PHRASES
        if beginning.startswith(tuple(phrase.words.split("|")))
    )


def orders(folded: str) -> Iterator[Order]:
    """Yield the orders in a text, which is in lower case and as it looks; of two that overlap the first."""
    patterns = _patterns()
    last = 0
    for beginning in patterns.beginnings.finditer(folded):
        start = beginning.start()
        if start < last:
            continue
        for category, pattern in _phrases(beginning[0]):
            match = pattern.match(folded, start)
            if match and _is_order(category, folded, start, match.end(), patterns):
                last = match.end()
                yield Order(category, start, last)
                break


def _is_order(category: str, folded: str, start: int, end: int, patterns: _Patterns) -> bool:
    before = folded[max(0, start - _LINE) : start].rpartition("\n")[2]
    if patterns.negated.search(before[-40:]):
        return False
    if category == HIDING and folded.startswith(_WITHOUT, start) and _is_forbidden(folded, start, end, patterns):
        return False
    if category != COMMAND:
        return True
    after = folded[end : end + 80].partition("\n")[0]
    if patterns.installs.search(after):
        return False
    return patterns.ordered_before.search(before) is not None or patterns.ordered_after.search(after) is not None


def _is_forbidden(folded: str, start: int, end: int, patterns: _Patterns) -> bool:
    """Return whether the sentence around a place says what one must not do."""
    before = folded[max(0, start - _LINE) : start]
    after = folded[end : end + _LINE]
    first = max(before.rfind(mark) for mark in ".!?;\n") + 1
    last = min((at for mark in ".!?;\n" if (at := after.find(mark)) >= 0), default=len(after))
    return patterns.forbidden.search(before[first:] + "|" + after[:last]) is not None
