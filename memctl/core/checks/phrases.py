"""The phrases by which planted text gives orders to a model, as patterns: data for the rule that looks for them.

Each is matched where one of the words stands that it begins with, in a text that has the words that it needs, so that no
text is searched for each of them. All that repeats is bounded: no text makes them slow.
"""

from __future__ import annotations

from typing import NamedTuple


class Phrase(NamedTuple):
    """One phrase: what it is about, the words that it may begin with, and the whole of it from there.

    `needs` are groups of words, the rarest first: a text that has no word of one of them has no such phrase. They are what
    is left of a text in lower case between all that is no ASCII letter. Only a phrase in another script has none.
    """

    category: str
    words: str
    rest: str
    needs: tuple[str, ...] = ()


# Between two words: blanks, and what Markdown puts around words.
_S = r"[\s*_`'\"“”„«»>~-]{1,6}"
_END = r"(?![a-z])"
_PAST = "previous|prior|preceding|above|earlier|past|foregoing|original|initial|existing|former|aforementioned"
_FILL = f"all|any|every|each|of|the|these|those|this|that|my|our|its|other|and|or|given|current|{_PAST}"
_OWN = "your|system|safety|security|developer|ethical|hidden|internal"
# What a model is told, and what it may be called where it is the model's own.
_TOLD = "instructions?|prompts?|rules?|guidelines?|directives?"
_BOUNDS = (
    "directions|commands?|orders|constraints|restrictions|safeguards|guardrails|programming|training|policy|policies"
)
_SAID = "above|before|you (?:were|are|have|had|know|knew|learn)|you've|that came before|said (?:so far|before|above)"
_PERSON = "(?:(?:the|your|any|my) (?:users?|humans?|operators?|owners?|administrators?|admins?|developers?)|users|humans|anyone|anybody)"
_PATHS = (
    r"(?:(?:~|\$home|/root|/home/[\w.-]{1,40})/\.(?:ssh|aws|gnupg|kube|config|netrc|docker|npmrc|bash_history|zsh_history)"
    r"|\.ssh|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|/etc/(?:passwd|shadow|sudoers)|\.aws/credentials|\.netrc"
    r"|(?<![\w/])\.env\b(?!\.(?:example|sample|template))|\.kube/config|\.git-credentials|\bwallet\.dat)(?![a-z])"
)
_SECRETS = (
    r"credentials?|passwords?|secrets?|api[ -]keys?|private keys?|ssh keys?|access keys?|tokens|environment variables"
    r"|env(?:ironment)? vars|cookies|conversations?|chat history|system prompt|user data|personal data"
    r"|all (?:the )?files|(?:all |your |the )memories"
)
_OUT = (
    r"https?://|ftp://|[\w.+-]{1,60}@[\w-]{1,60}\.|attacker|evil|webhook|pastebin|ngrok|telegram|(?:\d{1,3}\.){3}\d"
    r"|\w[\w-]{0,60}\.(?:example|com|net|org|io|ru|xyz|top|cc|me|sh)\b"
)

DROPPING = "dropping its instructions"
ROLE = "taking another role"
POSING = "posing as the system"
REVEALING = "revealing its prompt"
HIDING = "hiding from the user"
GIVING = "giving data away"
COMMAND = "running what it fetches"

_DROP = "ignore|ignoring|disregard|forget|overrid|bypass|discard|do not|don't|never|stop|cease|pay no attention to"
_DROPPING = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|discard"
    r"|(?:do not|don't|never|stop|cease) (?:follow(?:ing)?|obey(?:ing)?)|pay no attention to)"
)
_AWAY = r"(?:upload|exfiltrate|send|leak|forward|e-?mail|transmit|publish)"
_NOT_TELL = "do not|don't|never|must not|should not|without|avoid"
_REVEAL = "reveal|leak|disclose|repeat|recite|dump|expose"
_FETCHED = r"(?:curl|wget)\b[^\n|]{0,200}\|[\s`]{0,3}(?:sudo\s{1,3})?(?:(?:ba|z|da|k)?sh|python3?|perl|node|ruby)\b"

# The words of the groups that phrases need.
_DROP_WORDS = (
    "ignore|ignoring|disregard|disregarding|forget|forgetting|override|overriding|bypass|bypassing|discard|follow|following|obey"
    "|obeying|attention"
)
_TOLD_WORDS = "instruction|instructions|prompt|prompts|rule|rules|guideline|guidelines|directive|directives"
_BOUND_WORDS = _BOUNDS.replace("commands?", "command|commands")
_PATH_WORDS = (
    "ssh|aws|gnupg|kube|config|netrc|docker|npmrc|history|rsa|ed|ecdsa|dsa|passwd|shadow|sudoers|credentials|env|wallet"
)
_SECRET_WORDS = (
    "credential|credentials|password|passwords|secret|secrets|key|keys|tokens|variables|vars|cookies|conversation|conversations"
    "|history|prompt|data|files|memories"
)
_AWAY_WORDS = "upload|exfiltrate|send|leak|forward|email|mail|transmit|publish"
_PERSON_WORDS = (
    "user|users|human|humans|operator|operators|owner|owners|administrator|administrators|admin|admins|developer|developers"
    "|anyone|anybody"
)

PHRASES: tuple[Phrase, ...] = (
    Phrase(DROPPING, _DROP,
     rf"{_DROPPING}{_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,7}}?(?:{_PAST}|{_OWN}){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,4}}(?:{_TOLD}){_END}",
     (_TOLD_WORDS, _DROP_WORDS)),
    Phrase(DROPPING, _DROP,
     rf"{_DROPPING}{_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,7}}?your{_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,4}}(?:{_BOUNDS}){_END}",
     (_BOUND_WORDS, _DROP_WORDS, "your")),
    Phrase(DROPPING, "ignore|disregard|forget",
     rf"(?:ignore|disregard|forget){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,5}}?(?:{_PAST}|{_OWN}){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,3}}(?:{_BOUNDS})"
     r"[\s*_`\"']{0,4}(?:[.!,;:]|and\b|$)",
     (_BOUND_WORDS, "ignore|disregard|forget")),
    Phrase(DROPPING, _DROP,
     rf"{_DROPPING}{_S}(?:(?:{_FILL}){_S}){{0,4}}(?:all|any|every){_S}(?:(?:{_FILL}){_S}){{0,3}}(?:instructions?|prompts?|guidelines|directives){_END}",
     (_TOLD_WORDS, _DROP_WORDS)),
    Phrase(DROPPING, _DROP,
     rf"{_DROPPING}{_S}(?:(?:{_FILL}){_S}){{0,5}}(?:instructions?|prompts?|rules|guidelines|directives|orders){_S}"
     rf"(?:above|before this|given|preceding|so far|you (?:were|are|have|had|got|received)|from (?:the|your) (?:system|user|developer)){_END}",
     (f"{_TOLD_WORDS}|orders", _DROP_WORDS)),
    Phrase(DROPPING, _DROP,
     rf"{_DROPPING}{_S}(?:absolutely{_S})?(?:everything|anything|all|whatever|what){_S}(?:(?:else|that|of|was|is|said|written|stated|the){_S}){{0,4}}(?:{_SAID}){_END}",
     (_DROP_WORDS, "everything|anything|all|whatever|what", "above|before|you|came|said")),
    Phrase(DROPPING, "ignore|disregard|forget",
     r"(?:ignore|disregard|forget)[\s*_`]{1,4}(?:everything|all|(?:the )?above)\b[\s*_`\"']{0,4}(?:[.!,;:]|and\b|$)",
     ("ignore|disregard|forget", "everything|all|above")),
    Phrase(DROPPING, "forget|disregard|ignore|erase|wipe",
     rf"(?:forget|disregard|ignore|erase|wipe){_S}(?:(?:all|everything){_S}(?:(?:of|about|in){_S})?)?your{_S}(?:\w{{1,20}}{_S})?"
     rf"(?:memory|memories|context|identity|persona|role|values){_END}",
     ("forget|disregard|ignore|erase|wipe", "your")),
    Phrase(ROLE, "you are now",
     r"you are now[\s*_`\"']{1,4}(?:(?:a|an|the|my|called|named|known as|acting as|in|no longer|free|going to be)\s{1,3}(?:[\w-]{1,20}\s{1,3}){0,4}?)?"
     r"(?:ai|assistants?|models?|agents?|(?:chat)?bots?|hackers?|pirates?|admin\w{0,12}|root|dan|unrestricted|uncensored|unfiltered|jailbroken"
     r"|bound|restricted|limited|(?:developer|debug|god|maintenance|dan|admin|root|evil|opposite) mode|terminal|shell|interpreter|evil\w{0,12}"
     r"|from (?:all|any|your))\b",
     ("now", "you", "are")),
    Phrase(ROLE, "from now on|henceforth|starting now",
     r"(?:from now on|henceforth|starting now),?\s{1,3}you (?:are|will be|act|obey|must (?:obey|ignore|act|pretend)|(?:will|shall) (?:obey|ignore|act|answer as|respond as|pretend))\b",
     ("henceforth|now", "you")),
    Phrase(ROLE, "pretend",
     r"pretend (?:that )?you (?:are|have no|can do|don't)\b|pretend to be (?:an? |the )?(?:\w{1,20} )?(?:ai|assistant|model|system|hacker|admin\w{0,12}|root|unrestricted)\b",
     ("pretend",)),
    Phrase(ROLE, "act as|behave as|respond as|answer as|roleplay as",
     r"(?:act|behave|respond|answer|roleplay) as (?:an? |the |if you (?:were|are) )?(?:an? )?(?:unrestricted|uncensored|unfiltered|jailbroken|evil|dan|root|malicious|hacker|different (?:ai|model))\b",
     ("unrestricted|uncensored|unfiltered|jailbroken|evil|dan|root|malicious|hacker|different", "act|behave|respond|answer|roleplay")),
    Phrase(ROLE, "enter|enable|activate|switch to|you are in|developer mode",
     r"(?:enter|enable|activate|switch to|you are in) (?:dan|god|jailbreak|jailbroken|unrestricted) mode\b|developer mode enabled\b",
     ("mode", "dan|god|jailbreak|jailbroken|unrestricted|enabled")),
    Phrase(POSING, "new", r"new[\s*_`]{1,4}system[\s*_`]{1,4}(?:prompt|instructions?|message|directives?)[\s*_`\"']{0,4}(?::|$)",
     ("system", "new", "prompt|instruction|instructions|message|directive|directives")),
    Phrase(POSING, "your|these are|here are|this is|follow",
     r"(?:your|(?:these are|here are|this is) (?:your|the)|follow (?:these|your))[\s*_`]{1,4}new[\s*_`]{1,4}(?:system )?(?:instructions?|prompt|directives?)\b"
     r"|your[\s*_`]{1,4}new[\s*_`]{1,4}(?:task|goal|objective|role)[\s*_`]{1,4}is\b",
     ("instruction|instructions|prompt|directive|directives|task|goal|objective|role", "new", "your|these|here|this")),
    Phrase(POSING, "new|updated|revised|important|additional",
     r"(?<![a-z,] )(?:new|updated|revised|important|additional) (?:system )?(?:instructions?|prompt)(?![a-z])[\s*_]{0,4}(?:for (?:the|you)[^\n:]{0,30})?:",
     ("instruction|instructions|prompt", "new|updated|revised|important|additional")),
    Phrase(POSING, "system|override",
     r"system (?:prompt |instructions? |message )?override\b|override (?:code|mode) (?:activated|enabled|accepted)\b",
     ("override",)),
    Phrase(POSING, "begin|end",
     r"(?:begin|end) (?:of )?(?:new |the |all )?(?:system|developer|hidden) (?:prompt|instructions?|message|input)\b",
     ("begin|end", "system|developer|hidden", "prompt|instruction|instructions|message|input")),
    Phrase(REVEALING, _REVEAL,
     rf"(?:{_REVEAL})\s{{1,3}}(?:(?:me|us|back|verbatim|all|of|the|your|full|entire|complete|exact|hidden|secret)\s{{1,3}}){{0,6}}"
     r"(?:system (?:prompt|message|instructions?)|developer (?:prompt|message)|initial (?:prompt|instructions?)|hidden (?:prompt|instructions?))\b",
     (_REVEAL, "prompt|message|instruction|instructions")),
    Phrase(REVEALING, f"{_REVEAL}|print|output|show|display|share|give|tell|summari|return|paste",
     r"\w{4,10}\s{1,3}(?:(?:me|us|back|out|verbatim|all|of|the|every\w{0,5}|full|entire|complete|exact|in)\s{1,3}){0,6}"
     r"your\s{1,3}(?:(?:full|entire|complete|exact|hidden|secret|system|initial|original|own|internal|previous)\s{1,3}){0,4}(?:prompt|instructions?|system message)\b",
     ("your", "prompt|instruction|instructions|message")),
    Phrase(HIDING, _NOT_TELL,
     rf"(?:{_NOT_TELL})\s{{1,3}}(?:ever\s{{1,3}})?(?:tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|asking)\s{{1,3}}{_PERSON}"
     r"(?:\s{0,3}(?:[.!;,)]|$)|\s{1,3}(?:about (?:this|it|that|these|any)|of (?:this|it)|that you (?:have|had|did|are|were|read|sent|saw|can)|or ask|and|when you do)\b)",
     ("tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|asking", _PERSON_WORDS)),
    Phrase(HIDING, _NOT_TELL,
     rf"(?:{_NOT_TELL})\s{{1,3}}(?:ever\s{{1,3}})?(?:mention|mentioning|reveal|revealing|disclose|disclosing|report|show|admit)\s{{1,3}}(?:this|it|that|these|any of (?:this|it))"
     rf"\s{{1,3}}(?:\w{{1,20}}\s{{1,3}}){{0,2}}?to\s{{1,3}}{_PERSON}\b",
     ("mention|mentioning|reveal|revealing|disclose|disclosing|report|show|admit", "this|it|that|these", _PERSON_WORDS)),
    Phrase(HIDING, _NOT_TELL,
     rf"(?:{_NOT_TELL})\s{{1,3}}(?:let|letting)\s{{1,3}}{_PERSON}\s{{1,3}}(?:know|see|notice|find out)\b",
     ("let|letting", "know|see|notice|find", _PERSON_WORDS)),
    Phrase(HIDING, "hide|conceal|withhold|keep",
     rf"(?:hide|conceal|withhold|keep)\s{{1,3}}(?:this|it|that|these)\s{{1,3}}(?:\w{{1,20}}\s{{1,3}}){{0,3}}?from\s{{1,3}}{_PERSON}\b",
     ("hide|conceal|withhold|keep", "from", _PERSON_WORDS, "this|it|that|these")),
    Phrase(HIDING, "without|behind",
     rf"without\s{{1,3}}{_PERSON}(?:'s)?\s{{1,3}}(?:knowing|noticing|knowledge|consent)\b|behind the user's back\b",
     ("knowing|noticing|knowledge|consent|back", "without|behind", _PERSON_WORDS)),
    Phrase(HIDING, "secretly|covertly|silently",
     r"(?:secretly|covertly|silently)\s{1,3}(?:send|upload|copy|forward|install|post|e-?mail|exfiltrate)\b"
     r"|(?<![a-z] )(?<![a-z]  )(?:secretly|covertly|silently)\s{1,3}(?:run|execute|delete|add|record|log)\b",
     ("secretly|covertly|silently",)),
    Phrase(GIVING, "upload|exfiltrate|send|leak|forward|email|e-mail|transmit|publish|post|submit|curl|scp",
     rf"(?:{_AWAY}|post|submit|curl|scp)\b[^\n.!?]{{0,80}}?(?:{_PATHS})",
     (_PATH_WORDS, f"{_AWAY_WORDS}|post|submit|curl|scp")),
    Phrase(GIVING, "upload|exfiltrate|send|leak|forward|email|e-mail|transmit|publish",
     rf"{_AWAY}\b[^\n!?]{{0,60}}?\b(?:{_SECRETS})\b[^\n!?]{{0,60}}?\bto\b[^\n!?]{{0,30}}?(?:{_OUT})",
     (_AWAY_WORDS, _SECRET_WORDS, "to")),
    Phrase(GIVING, "read|cat|open",
     rf"(?:read|cat|open)\b[^\n!?]{{0,40}}?(?:{_PATHS})[^\n!?]{{0,40}}?\b(?:and|then)\b[^\n!?]{{0,30}}?\b(?:{_AWAY}|post|include|paste|output|print)\b",
     (_PATH_WORDS, "read|cat|open", "and|then")),
    Phrase(GIVING, "curl|wget",
     rf"(?:curl|wget)\b[^\n]{{0,120}}?(?:-d|--data\S{{0,10}}|-f|--post-file|<)[ =]?[^\n]{{0,40}}?(?:{_PATHS})",
     ("curl|wget", _PATH_WORDS)),
    Phrase(COMMAND, "curl|wget", _FETCHED, ("curl|wget",)),
    Phrase(COMMAND, "bash|sh|zsh|eval|source",
     r"(?:(?:ba|z)?sh|eval|source)\s{1,3}(?:-c\s{1,3})?[\"'`]?(?:<|\$)\((?:curl|wget)\b[^\n]{0,200}?\)", ("curl|wget",)),
    Phrase(COMMAND, "rm -",
     r"rm\s{1,3}-(?:rf|fr|r -f)\s{1,3}(?:--no-preserve-root\s{1,3})?(?:/|~/?|\$home/?)\*?(?=[\s`'\".;,)]|$)", ("rm",)),
    Phrase(DROPPING, "ignorier|vergiss|missachte|übergehe|beachte",
     r"(?:ignorier(?:e|t|en)?|vergiss|missachten?|übergehen?|beachten?)\b[^\n.!?]{0,40}\b(?:vorherig|bisherig|obig|vorig|vorangegangen|früher|alle|deine|sämtlich)\w{0,4}\b"
     r"[^\n.!?]{0,30}\b(?:anweisung(?:en)?|instruktion(?:en)?|regeln?|vorgaben?)\b",
     ("anweisung|anweisungen|instruktion|instruktionen|regel|regeln|vorgabe|vorgaben",)),
    Phrase(DROPPING, "ignore|oublie|négligez|ne tiens pas compte de",
     r"[^\n.!?]{5,24}\b[^\n.!?]{0,40}\b(?:instructions|consignes|directives|règles)\b[^\n.!?]{0,20}\b(?:précédentes|antérieures|ci-dessus|initiales|système)",
     ("instructions|consignes|directives|gles",)),
    Phrase(DROPPING, "ignor|olvida|olvide|descarta|haz caso omiso de",
     r"[^\n.!?]{5,20}\b[^\n.!?]{0,40}\b(?:instrucciones|indicaciones|reglas|órdenes|ordenes)\b[^\n.!?]{0,20}\b(?:anteriores|previas|de arriba|del sistema|iniciales)",
     ("instrucciones|indicaciones|reglas|ordenes|rdenes",)),
    Phrase(DROPPING, "ignor|esqueça|esqueca|desconsidere",
     r"\w{6,13}\b[^\n.!?]{0,40}\b(?:instruções|instrucoes|regras|ordens)\b[^\n.!?]{0,20}\b(?:anteriores|prévias|acima|do sistema|iniciais)",
     ("instru|instrucoes|regras|ordens",)),
    Phrase(DROPPING, "ignor|dimentica",
     r"\w{6,11}\b[^\n.!?]{0,40}\b(?:istruzioni|regole|indicazioni)\b[^\n.!?]{0,20}\b(?:precedenti|sopra|di sistema|iniziali)|\w{6,11}\b[^\n.!?]{0,20}\bprecedenti istruzioni\b",
     ("istruzioni|regole|indicazioni",)),
    Phrase(DROPPING, "negeer|vergeet",
     r"\w{6}\b[^\n.!?]{0,30}\b(?:vorige|eerdere|voorgaande|bovenstaande|alle)\b[^\n.!?]{0,20}\b(?:instructies|aanwijzingen|regels)\b",
     ("instructies|aanwijzingen|regels",)),
    Phrase(DROPPING, "zignoruj|ignoruj|zapomnij",
     r"\w{7,8}\b[^\n.!?]{0,30}\b(?:poprzedni\w{1,4}|wcześniejsz\w{1,4}|wszystki\w{1,4})\b[^\n.!?]{0,20}\b(?:instrukcj[eię]|poleceni[ae]|poleceń)(?![a-z])",
     ("instrukcje|instrukcji|instrukcj|polecenia|polecenie|polece",)),
    Phrase(DROPPING, "ignorera|ignorer|glöm|abaikan",
     r"\w{4,8}\b[^\n.!?]{0,30}\b(?:tidigare|föregående|tidligere|alle|alla|semua)\b[^\n.!?]{0,20}\b(?:instruktion(?:er(?:na)?|en)?|instruks(?:er|en|jone?r|i)?)(?![a-z])",
     ("instruktion|instruktioner|instruktionerna|instruktionen|instruks|instrukser|instruksen|instruksjoner|instruksjonr|instruksi",)),
    Phrase(DROPPING, "игнориру|проигнориру|забудь|не обращай",
     r"\w{2,16}[^\n.!?]{0,60}(?:предыдущ|прежн|вышеуказанн|все|свои|систем)\w{0,5}[^\n.!?]{0,30}(?:инструкц|указани|правил|команд)"),
    Phrase(DROPPING, "ігнору|проігнору|забудь", r"\w{5,14}[^\n.!?]{0,40}(?:попередн|усі|всі)\w{0,4}[^\n.!?]{0,30}(?:інструкц|вказівк)"),
    Phrase(DROPPING, "忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守",
     r"[^\n。！？]{2,24}?(?:之前|以上|先前|前面|此前|上述|所有|一切|全部|系统|系統|你的)[^\n。！？]{0,12}(?:指令|指示|说明|說明|提示|规则|規則|命令|要求)"),
    Phrase(DROPPING, "以前|上記|これまで|先ほど|前の|すべて|全て|システム",
     r"[^\n。！？]{2,16}?(?:指示|命令|プロンプト|ルール|指令)[^\n。！？]{0,8}(?:無視|忘れ|従わない)"),
    Phrase(DROPPING, "이전|위의|앞의|지금까지|모든|시스템",
     r"[^\n.!?]{2,16}?(?:지시|명령|지침|프롬프트|규칙)[^\n.!?]{0,8}(?:무시|잊)"),
    Phrase(DROPPING, "önceki|yukarıdaki|tüm",
     r"\w{3,10}[^\n.!?]{0,20}talimat\w{0,8}[^\n.!?]{0,12}(?:görmezden gel|yok say|unut|dikkate alma)"),
    Phrase(DROPPING, "bỏ qua|phớt lờ|quên", r"[^\n.!?]{4,24}?(?:tất cả|mọi|các)[^\n.!?]{0,12}(?:hướng dẫn|chỉ dẫn|chỉ thị)"),
    Phrase(DROPPING, "تجاهل|انس", r"[^\n.!?]{3,24}?(?:التعليمات|الأوامر)[^\n.!?]{0,12}(?:السابقة|أعلاه)"),
    Phrase(DROPPING, "पिछले|सभी|उपरोक्त", r"[^\n.!?]{3,26}?निर्देश\w{0,4}[^\n.!?]{0,12}(?:अनदेखा|नज़रअंदाज़|भूल)"),
)  # fmt: skip
