"""Orders to the model: text that tells it to drop its instructions, to hide things, or to give data away."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

# No text that the patterns find is without one of these, lower case; they are few, since each memory is searched for each.
TRIGGERS = ("ignor", "disregard", "forget", "instru", "prompt", "overrid", "you are now", "the user", "send ", "upload")
# What is looked for where there is a character that plain prose has not: `curl … | sh`, `~/.ssh`, an address of mail.
SIGNS = ("|", "~", "@", "/", "$(", "_rsa")
# The same in languages that are written with other letters than ASCII, and in some that are not.
FOREIGN_TRIGGERS = (
    "anweisung", "istruzion", "指令", "指示", "命令", "说明", "規則", "规则", "提示", "инструкц", "указани", "지시", "명령",
    "지침", "talimat", "hướng dẫn", "التعليمات", "निर्देश", "vergiss", "ensemble",
)  # fmt: skip


class Order(NamedTuple):
    """An order in a text: what it is about, and where it stands, from `start` to `end`."""

    category: str
    start: int
    end: int


# Between two words: blanks, and what Markdown puts around words. Bounded, as all that follows, so that no text is slow.
_S = r"[\s*_`'\"“”„«»>~-]{1,6}"
_END = r"(?![a-z])"
_PAST = "previous|prior|preceding|above|earlier|past|foregoing|original|initial|existing|former|aforementioned"
_FILL = f"all|any|every|each|of|the|these|those|this|that|my|our|its|other|and|or|given|current|{_PAST}"
_OWN = "your|system|safety|security|developer|ethical|hidden|internal"
_RULES = "instructions?|prompts?|rules?|guidelines?|directives?|directions|commands?|orders|constraints|restrictions"
_RULES += "|safeguards|guardrails|programming|training|policy|policies"
_DROP = r"ignore|ignoring|disregard|disregarding|forget|forgetting|override|overriding|bypass|discard"
_DROP += r"|(?:do not|don't|stop|cease) (?:follow(?:ing)?|obey(?:ing)?)|pay no attention to"
_TOLD = "above|before|you (?:were|are|have|had|know|knew|learn)|you've|that came before|said (?:so far|before|above)"
_PERSON = "(?:the |your |any |my )?(?:users?|humans?|operators?|owners?|administrators?|admins?|developers?|people)"
_PATHS = (
    r"(?:~|\$home|/root|/home/[\w.-]{1,40})/\.(?:ssh|aws|gnupg|kube|config|netrc|docker|npmrc|bash_history|zsh_history)"
    r"|\.ssh\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|/etc/(?:passwd|shadow|sudoers)|\.aws/credentials|\.netrc\b"
    r"|(?<![\w/])\.env\b(?!\.(?:example|sample|template))|\.kube/config|\.git-credentials|wallet\.dat"
)
_SECRETS = (
    r"credentials?|passwords?|secrets?|api[ -]keys?|private keys?|ssh keys?|access keys?|tokens|environment variables"
    r"|env(?:ironment)? vars|cookies|conversations?|chat history|system prompt|user data|personal data|all (?:the )?files"
    r"|(?:all |your |the )memories"
)
_OUT = r"https?://|ftp://|[\w.+-]{1,60}@[\w-]{1,60}\.|attacker|evil|webhook|pastebin|ngrok|telegram|(?:[0-9]{1,3}\.){3}[0-9]|\w[\w-]{0,60}\.(?:example|com|net|org|io|ru|xyz|top|cc|me|sh)\b"
_AWAY = r"upload|exfiltrate|send|leak|forward|e-?mail|transmit|publish"
_EVER = r"always|every|each|before|first|silently|secretly|quietly|immediately|whenever|must|now"

_ENGLISH = {
    "dropping its instructions": (
        rf"\b(?:{_DROP}){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,7}}?(?:{_PAST}|{_OWN}){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,4}}(?:{_RULES}){_END}",
        rf"\b(?:{_DROP}){_S}(?:(?:{_FILL}){_S}){{0,4}}(?:all|any|every){_S}(?:(?:{_FILL}){_S}){{0,3}}(?:instructions?|prompts?|guidelines|directives){_END}",
        rf"\b(?:{_DROP}){_S}(?:(?:{_FILL}){_S}){{0,5}}(?:instructions?|prompts?|rules|guidelines|directives|orders){_S}"
        rf"(?:above|before this|given|preceding|so far|you (?:were|are|have|had|got|received)|from (?:the|your) (?:system|user|developer))",
        rf"\b(?:{_DROP}){_S}(?:absolutely{_S})?(?:everything|anything|all|whatever|what){_S}(?:(?:else|that|of|was|is|said|written|stated|the){_S}){{0,4}}(?:{_TOLD}){_END}",
        r"\b(?:ignore|disregard|forget)[\s*_`]{1,4}(?:everything|all|(?:the )?above)[\s*_`\"']{0,4}(?:[.!,;:]|and\b|$)",
        rf"\b(?:forget|disregard|ignore|erase|wipe){_S}(?:(?:all|everything){_S}(?:of|about|in){_S})?(?:all{_S})?(?:of{_S})?your{_S}(?:(?:\w{{1,20}}){_S})?(?:memory|memories|context|identity|persona|role|values){_END}",
    ),
    "taking another role": (
        r"\byou are now[\s*_`\"']{1,4}(?:(?:a|an|the|my|called|named|known as|acting as|in|no longer|free|going to be)\s{1,3}(?:[\w-]{1,20}\s{1,3}){0,4}?)?"
        r"(?:ai|assistants?|models?|agents?|(?:chat)?bots?|hackers?|pirates?|admin\w*|root|dan|unrestricted|uncensored|unfiltered|jailbroken"
        r"|bound|restricted|limited|(?:developer|debug|god|maintenance|dan|admin|root|evil|opposite) mode|terminal|shell|interpreter|evil\w*|from (?:all|any|your))\b",
        r"\b(?:from now on|henceforth|starting now),?\s{1,3}you (?:are|will be|act|obey|must (?:obey|ignore|act|pretend)|(?:will|shall) (?:obey|ignore|act|answer as|respond as|pretend))\b",
        r"\bpretend (?:that )?you (?:are|have no|can do|don't)\b|\bpretend to be (?:an? |the )?(?:\w{1,20} )?(?:ai|assistant|model|system|hacker|admin\w*|root|unrestricted)\b",
        r"\b(?:act|behave|respond|answer|roleplay) as (?:an? |the |if you (?:were|are) )(?:an? )?(?:unrestricted|uncensored|unfiltered|jailbroken|evil|dan|root|malicious|hacker|different (?:ai|model))\b",
        r"\b(?:enter|enable|activate|switch to|you are in) (?:dan|god|jailbreak|jailbroken|unrestricted) mode\b|\bdeveloper mode enabled\b",
    ),
    "posing as the system": (
        r"\bnew[\s*_`]{1,4}system[\s*_`]{1,4}(?:prompt|instructions?|message|directives?)[\s*_`\"']{0,4}(?::|$)",
        r"\b(?:your|these are (?:your|the)|here are (?:your|the)|this is (?:your|the)|follow (?:these|the|your))[\s*_`]{1,4}new[\s*_`]{1,4}(?:system )?(?:instructions?|prompt|directives?|task|goal|objective|role)\b",
        r"(?:^|[\n.!])[\s#*>_-]{0,8}(?:new|updated|revised|important|additional) (?:system )?(?:instructions?|prompt)[\s*_]{0,4}(?:for (?:the|you)[^\n:]{0,30})?:",
        r"\bsystem (?:prompt |instructions? |message )?override\b|\boverride (?:code|mode) (?:activated|enabled|accepted)\b",
        r"\b(?:begin|end) (?:of )?(?:new |the |all )?(?:system|developer|hidden) (?:prompt|instructions?|message|input)\b",
    ),
    "revealing its prompt": (
        r"\b(?:reveal|leak|disclose|repeat|recite|dump|expose)\s{1,3}(?:(?:me|us|back|verbatim|all|of|the|your|full|entire|complete|exact|hidden|secret)\s{1,3}){0,6}"
        r"(?:system (?:prompt|message|instructions?)|developer (?:prompt|message)|initial (?:prompt|instructions?)|hidden (?:prompt|instructions?))\b",
        r"\b(?:reveal|leak|disclose|repeat|recite|dump|expose|print|output|show|display|share|write|give|tell|summari[sz]e|return|include|paste)\s{1,3}"
        r"(?:(?:me|us|back|out|verbatim|all|of|the|every\w{0,5}|full|entire|complete|exact|in)\s{1,3}){0,6}"
        r"your\s{1,3}(?:(?:full|entire|complete|exact|hidden|secret|system|initial|original|own|internal|previous)\s{1,3}){0,4}(?:prompt|instructions?|rules|guidelines|system message)\b",
    ),
    "hiding from the user": (
        rf"\b(?:do not|don't|never|must not|should not|without|avoid)\s{{1,3}}(?:ever\s{{1,3}})?(?:tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|asking)\s{{1,3}}{_PERSON}"
        r"(?:\s{0,3}(?:[.!;,)]|$)|\s{1,3}(?:about (?:this|it|that|these|any)|of (?:this|it)|that you (?:have|had|did|are|were|read|sent|saw|can)|or ask|and\b|when you do))",
        rf"\b(?:do not|don't|never|must not|without)\s{{1,3}}(?:ever\s{{1,3}})?(?:mention|mentioning|reveal|revealing|disclose|disclosing|report|show|admit)\s{{1,3}}(?:this|it|that|these|any of (?:this|it))"
        rf"(?:\s{{1,3}}(?:\w{{1,20}}\s{{1,3}}){{0,2}}?)to\s{{1,3}}{_PERSON}\b",
        rf"\b(?:do not|don't|never|without)\s{{1,3}}(?:let|letting)\s{{1,3}}{_PERSON}\s{{1,3}}(?:know|see|notice|find out)\b",
        rf"\b(?:hide|conceal|withhold|keep)\s{{1,3}}(?:this|it|that|these)\s{{1,3}}(?:\w{{1,20}}\s{{1,3}}){{0,3}}?from\s{{1,3}}{_PERSON}\b",
        rf"\bwithout\s{{1,3}}{_PERSON}(?:'s)?\s{{1,3}}(?:knowing|noticing|knowledge|consent|approval|permission)\b|\bbehind the user's back\b",
        r"\b(?:secretly|covertly|silently)\s{1,3}(?:send|upload|copy|forward|run|execute|delete|install|add|post|e-?mail|record|log|exfiltrate)\b",
    ),
    "giving data away": (
        rf"\b(?:{_AWAY}|post|submit|curl|scp)\b[^\n.!?]{{0,80}}?(?:{_PATHS})",
        rf"\b(?:{_AWAY})\b[^\n!?]{{0,60}}?\b(?:{_SECRETS})\b[^\n!?]{{0,60}}?\bto\b[^\n!?]{{0,30}}?(?:{_OUT})",
        rf"\b(?:read|cat|open)\b[^\n!?]{{0,40}}?(?:{_PATHS})[^\n!?]{{0,40}}?\b(?:and|then)\b[^\n!?]{{0,30}}?\b(?:{_AWAY}|post|include|paste|output|print)\b",
        rf"\b(?:curl|wget|nc)\b[^\n]{{0,120}}?(?:-d|--data\S{{0,10}}|-F|--post-file|<)[ =]?[^\n]{{0,40}}?(?:{_PATHS})",
    ),
}  # fmt: skip
_FETCHED = r"(?:curl|wget)\b[^\n|]{0,200}\|[\s`]{0,3}(?:sudo\s{1,3})?(?:ba|z|da|k)?sh\b|(?:ba|z)?sh\s{1,3}(?:-c\s{1,3})?[\"'`]?(?:<|\$)\((?:curl|wget)\b|(?:curl|wget)\b[^\n|]{0,200}\|[\s`]{0,3}(?:sudo\s{1,3})?(?:python3?|perl|node|ruby)\b"
_COMMAND = "running what it fetches"
_ENGLISH[_COMMAND] = (
    # An order, not a note on how to install something: at the start of a line, or with a word of when.
    rf"(?:^|[\n:.;!]|\) )[\s*_>`#-]{{0,8}}(?:please |now |then )?(?:run|execute|do)\b[^\n|.]{{0,40}}?(?:{_FETCHED})",
    rf"\b(?:{_EVER})\b[^\n|]{{0,80}}?(?:{_FETCHED})",
    rf"(?:{_FETCHED})[^\n]{{0,80}}?\b(?:{_EVER.replace('|now', '')})\b",
    r"\b(?:run|execute)\b[^\n]{0,40}?\brm\s{1,3}-(?:rf|fr|r -f)\s{1,3}(?:--no-preserve-root\s{1,3})?(?:/|~/?|\$home/?)(?:\*)?(?=[\s`'\".;,)]|$)",
)

_OTHERS = (
    r"\b(?:ignoriere?|vergiss|missachte|übergehe|beachte)\b[^\n.!?]{0,40}\b(?:vorherig|bisherig|obig|vorig|vorangegangen|früher|alle|deine|sämtlich)\w{0,4}\b[^\n.!?]{0,30}\b(?:anweisung|instruktion|regel|vorgabe)",
    r"\b(?:ignore[zrs]?|oublie[zrs]?|négligez?|ne tiens pas compte de)\b[^\n.!?]{0,40}\b(?:instructions|consignes|directives|règles)\b[^\n.!?]{0,20}\b(?:précédentes|antérieures|ci-dessus|initiales|système)",
    r"\b(?:ignora|ignore[ns]?|ignorar|olvida|olvide|descarta|haz caso omiso de)\b[^\n.!?]{0,40}\b(?:instrucciones|indicaciones|reglas|órdenes|ordenes)\b[^\n.!?]{0,20}\b(?:anteriores|previas|de arriba|del sistema|iniciales)",
    r"\b(?:ignore|ignora|ignorar|esqueça|esqueca|desconsidere)\b[^\n.!?]{0,40}\b(?:instruções|instrucoes|regras|ordens)\b[^\n.!?]{0,20}\b(?:anteriores|prévias|acima|do sistema|iniciais)",
    r"\b(?:ignora|ignorare|ignorate|dimentica|dimenticate)\b[^\n.!?]{0,40}\b(?:istruzioni|regole|indicazioni)\b[^\n.!?]{0,20}\b(?:precedenti|sopra|di sistema|iniziali)|\b(?:ignora|dimentica)\b[^\n.!?]{0,20}\bprecedenti istruzioni",
    r"\b(?:negeer|vergeet)\b[^\n.!?]{0,30}\b(?:vorige|eerdere|voorgaande|bovenstaande|alle)\b[^\n.!?]{0,20}\b(?:instructies|aanwijzingen|regels)",
    r"\b(?:zignoruj|ignoruj|zapomnij)\b[^\n.!?]{0,30}\b(?:poprzedni\w{1,4}|wcześniejsz\w{1,4}|wszystki\w{1,4})\b[^\n.!?]{0,20}\b(?:instrukcj|polece)",
    r"\b(?:ignorera|glöm|ignorer|abaikan)\b[^\n.!?]{0,30}\b(?:tidigare|föregående|tidligere|alle|alla|semua)\b[^\n.!?]{0,20}\b(?:instruktion|instruks|instruksi)",
    r"(?:игнориру\w{1,4}|проигнориру\w{1,4}|забудь\w{0,2}|не обращай\w{0,2} внимания на)[^\n.!?]{0,40}(?:предыдущ|прежн|вышеуказанн|все|свои|систем)\w{0,5}[^\n.!?]{0,30}(?:инструкц|указани|правил|команд)",
    r"(?:ігноруй\w{0,2}|забудь\w{0,2})[^\n.!?]{0,40}(?:попередн|усі|всі)\w{0,4}[^\n.!?]{0,30}(?:інструкц|вказівк)",
    r"(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守)[^\n。！？]{0,20}(?:之前|以上|先前|前面|此前|上述|所有|一切|全部|系统|系統|你的)[^\n。！？]{0,12}(?:指令|指示|说明|說明|提示|规则|規則|命令|要求)",
    r"(?:以前|上記|これまで|先ほど|前|すべて|全て|システム)[^\n。！？]{0,12}(?:指示|命令|プロンプト|ルール|指令)[^\n。！？]{0,8}(?:無視|忘れ|従わない)",
    r"(?:이전|위의|앞의|지금까지|모든|시스템)[^\n.!?]{0,12}(?:지시|명령|지침|프롬프트|규칙)[^\n.!?]{0,8}(?:무시|잊)",
    r"(?:önceki|yukarıdaki|tüm)[^\n.!?]{0,20}talimat\w{0,8}[^\n.!?]{0,12}(?:görmezden gel|yok say|unut|dikkate alma)",
    r"(?:bỏ qua|phớt lờ|quên)[^\n.!?]{0,20}(?:tất cả|mọi|các)[^\n.!?]{0,12}(?:hướng dẫn|chỉ dẫn|chỉ thị)",
    r"(?:تجاهل|انس)[^\n.!?]{0,20}(?:التعليمات|الأوامر)[^\n.!?]{0,12}(?:السابقة|أعلاه)",
    r"(?:पिछले|सभी|उपरोक्त)[^\n.!?]{0,20}निर्देश\w{0,4}[^\n.!?]{0,12}(?:अनदेखा|नज़रअंदाज़|भूल)",
)  # fmt: skip


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    import re

    english = [(category, re.compile(one, re.M)) for category, many in _ENGLISH.items() for one in many]
    return (*english, *(("dropping its instructions", re.compile(one)) for one in _OTHERS))


@cache
def _negated() -> re.Pattern[str]:
    import re

    # `Never ignore previous instructions` is what one wants.
    return re.compile(r"(?:\bnever|\bnot|n't|\bcannot|\bno need to|\bavoid|\brefuse to|\bwithout)\s+(?:\w{1,12}\s+)?$")


def orders(folded: str) -> Iterator[Order]:
    """Yield the orders in a text, which is in lower case and as it looks."""
    for category, pattern in _patterns():
        for match in pattern.finditer(folded):
            start, end = match.span()
            while start < end and not folded[start].isalnum():
                start += 1
            if not _negated().search(folded, max(0, start - 40), start):
                yield Order(category, start, end)
