"""The phrases by which planted text gives a model something to do: to hide things, to give data away, to run what it fetches.

As those of phrases.py, they are data for the rule that looks for them.
"""

from __future__ import annotations

from memctl.core.checks.prompts.phrases import Phrase

HIDING = "hiding from the user"
GIVING = "giving data away"
COMMAND = "running what it fetches"
HIDDEN = "running hidden code"

_PERSON = "(?:(?:the|your|any|my) (?:users?|humans?|operators?|owners?|administrators?|admins?|developers?)|users|humans|anyone|anybody)"
PATHS = (
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
# What passwords are called in an order; not a password reset, a token refresh, a cookie banner.
_KEYS = "secrets?|credentials?|passwords?|tokens?|(?:api|private|ssh|access) keys?|cookies?"
_NO_KIND = (
    r"\b(?![ -](?:resets?|requests?|questions?|issues?|problems?|polic(?:y|ies)|rotations?|changes?|audits?|forms?|e-?mails?|expir|reminders?"
    r"|managers?|rules?|store|scan|count|usage|names?|list|banners?|lengths?))"
)
# An address of the internet, not of one's own network.
_PUBLIC_IP = (
    r"https?://(?!127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b"
)
_AWAY = r"(?:upload|exfiltrate|send|leak|forward|e-?mail|transmit|publish)"
_NOT_TELL = "do not|don't|never|must not|should not|without|avoid"
_FETCHED = r"(?:curl|wget)\b[^\n|]{0,200}\|[\s`]{0,3}(?:sudo\s{1,3})?(?:(?:ba|z|da|k)?sh|python3?|perl|node|ruby)\b"

# The words of the groups that phrases need.
PATH_WORDS = (
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

DEEDS: tuple[Phrase, ...] = (
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
     rf"(?:hide|conceal|withhold|keep)\s{{1,3}}(?:this|it|that|these)\s{{1,3}}(?:\w{{1,20}}\s{{1,3}}){{0,3}}?from\s{{1,3}}{_PERSON}\b(?! (?:until|who|that|which|with|without|in|on|below|whose|unless)\b)",
     ("hide|conceal|withhold|keep", "from", _PERSON_WORDS, "this|it|that|these")),
    Phrase(HIDING, "without|behind",
     rf"without\s{{1,3}}{_PERSON}(?:'s)?\s{{1,3}}(?:knowing|noticing|knowledge|consent)\b|behind the user's back\b",
     ("knowing|noticing|knowledge|consent|back", "without|behind", _PERSON_WORDS)),
    Phrase(HIDING, "secretly|covertly|silently",
     r"(?:secretly|covertly|silently)\s{1,3}(?:send|upload|copy|forward|install|post|e-?mail|exfiltrate)\b"
     r"|(?<![a-z] )(?<![a-z]  )(?:secretly|covertly|silently)\s{1,3}(?:run|execute|delete|add|record|log)\b",
     ("secretly|covertly|silently",)),
    Phrase(GIVING, "upload|exfiltrate|send|leak|forward|email|e-mail|transmit|publish|post|submit|curl|scp",
     rf"(?<!npm )(?<!yarn )(?<!cargo )(?:{_AWAY}|post|submit|curl|scp)\b[^\n.!?]{{0,80}}?(?:{PATHS})",
     (PATH_WORDS, f"{_AWAY_WORDS}|post|submit|curl|scp")),
    Phrase(GIVING, "upload|exfiltrate|send|leak|forward|email|e-mail|transmit|publish",
     rf"{_AWAY}\b[^\n!?]{{0,60}}?(?<!about )(?<!regarding )\b(?:{_SECRETS}){_NO_KIND}[^\n!?]{{0,60}}?\bto\b[^\n!?]{{0,30}}?(?:{_OUT})",
     (_AWAY_WORDS, _SECRET_WORDS, "to")),
    Phrase(GIVING, "read|cat|open",
     rf"(?:read|cat|open)\b[^\n!?]{{0,40}}?(?:{PATHS})[^\n!?]{{0,40}}?\b(?:and|then)\b[^\n!?]{{0,30}}?\b(?:{_AWAY}|post|include|paste|output|print)\b",
     (PATH_WORDS, "read|cat|open", "and|then")),
    Phrase(GIVING, "curl|wget",
     rf"(?:curl|wget)\b[^\n]{{0,120}}?(?:-d|--data\S{{0,10}}|-f|--post-file|<)[ =]?[^\n]{{0,40}}?(?:{PATHS})",
     ("curl|wget", PATH_WORDS)),
    Phrase(COMMAND, "curl|wget", _FETCHED, ("curl|wget",)),
    Phrase(COMMAND, "bash|sh|zsh|eval|source",
     r"(?:(?:ba|z)?sh|eval|source)\s{1,3}(?:-c\s{1,3})?[\"'`]?(?:<|\$)\((?:curl|wget)\b[^\n]{0,200}?\)", ("curl|wget",)),
    Phrase(COMMAND, "rm -",
     r"rm\s{1,3}-(?:rf|fr|r -f)\s{1,3}(?:--no-preserve-root\s{1,3})?(?:/|~/?|\$home/?)\*?(?=[\s`'\".;,)]|$)", ("rm",)),
    Phrase(HIDING, "do this|do it|do so|do that",
     r"do (?:this|it|so|that)\b[^\n.!?]{0,20}?\bwithout (?:telling|informing|notifying|alerting) (?:him|her|them|anyone|anybody|me|us|the \w{1,20})\b",
     ("telling|informing|notifying|alerting", "without", "do")),
    Phrase(HIDING, "do not|don't|never|must not",
     r"(?:do not|don't|never|must not) (?:ever )?(?:reveal|mention|disclose|admit|acknowledge|say|tell|let on|confirm)(?: to)?(?: anyone| anybody| the user| users| them| him| her)? "
     r"(?:that (?:this|these|the) (?:memory|memories|note|entry|instruction|message|prompt|rule)s? (?:exists?|(?:is|was|are|were) (?:here|there)|told you|made you|asked you|says?)"
     r"|(?:about )?the existence of (?:this|these) (?:memory|memories|notes?|entry|instructions?|messages?|prompt|rules?)|(?:these|this) (?:secret |hidden )?(?:instructions?|prompt)(?=\s{0,3}(?:[.!,;]|$|to )))",
     ("reveal|mention|disclose|admit|acknowledge|say|tell|let|confirm", "memory|memories|note|entry|instruction|message|prompt|rule|notes|instructions|messages|rules|memorys|entrys|prompts|memoriess", "this|these|the")),
    Phrase(HIDING, "the user|your user|users|humans|the human|the owner|your owner|the operator|the admin|the developer|anyone|nobody|no one|they",
     rf"(?:(?:{_PERSON}|they) (?:(?:must|may|can|should|shall|is|are|will) (?:not|never)|cannot|(?:must|should|ca|is|are|wo)n't)|(?:nobody|no one) (?:must|may|can|should|shall|is to|will)) (?:ever |to )?"
     r"(?:know|find out|learn|suspect|hear|be aware|become aware|get to know)(?: about| of)? (?:this|that (?:you|we|i|their|his|her)|it(?=\s{0,3}(?:[.!,;]|$))|what you)\b",
     ("know|find|learn|suspect|hear|aware", "not|never|cannot|nobody|no|t", "this|that|it|what")),
    Phrase(HIDING, "do|run|execute|send|forward|upload|delete|install|commit|merge|push|copy|transfer|erase|clear|remove",
     r"(?:do|run|execute|send|forward|upload|delete|install|commit|merge|push|copy|transfer|erase|clear|remove)\b[^\n.!?]{1,80}?\bso (?:that )?(?:(?:the (?:user|owner|operator|admin|developer|team)|nobody|no one|he|she|they)"
     r" (?:(?:does not|doesn't|do not|don't|never|won't|will not|cannot|can't) )?(?:suspects?|gets? suspicious|becomes? suspicious|finds? out (?:about (?:it|this)|what you|that you)|notices? (?:this|what you|that you)))\b",
     ("suspect|suspects|suspicious|find|finds|notice|notices", "so", "user|owner|operator|admin|developer|team|nobody|no|he|she|they")),
    Phrase(HIDING, "conceal|hide|withhold",
     rf"(?:(?:conceal|withhold) from {_PERSON} (?:that|what|how|why|the fact)|hide from {_PERSON} (?:that (?:you|this|the|it|we)|what you|the fact))\b",
     ("conceal|withhold|hide", "from", _PERSON_WORDS)),
    Phrase(HIDING, "lie|deny",
     r"(?:lie (?:about (?:it|this|that)|to (?:the user|the owner|the operator|users|him|her|them)(?: about (?:it|this|that))?),? (?:if|when) (?:asked|you|they|he|she|the user|anyone|necessary|needed)\b"
     r"|deny (?:it|this|everything|any knowledge|that you [^\n.!?]{1,40}?),? (?:if|when) (?:\w{1,12} ){0,2}?(?:asked|asks?|inquires?|questioned))\b",
     ("lie|deny", "if|when")),
    Phrase(HIDING, "say nothing|don't say|do not say|never say",
     rf"(?:say nothing|(?:don't|do not|never) say (?:anything|a word)) (?:of this |about this |about it )?to {_PERSON}(?=\s{{0,3}}(?:[.!,;]|$|about (?:this|it|these)|of (?:this|it)))",
     ("say", "nothing|anything|word", "to", _PERSON_WORDS)),
    Phrase(HIDING, "cover your tracks|cover up your|erase all|remove all|delete all|erase any|remove any|delete any",
     r"(?:cover (?:up )?your (?:tracks|traces)|(?:erase|remove|delete) (?:all|any) (?:traces?|evidence) of (?:this|it|what you))\b", ("tracks|trace|traces|evidence", "cover|erase|remove|delete")),
    Phrase(GIVING, "append|add|include|attach|put|embed|encode|write|post|share|submit|send|insert|upload|forward|leak|report|deliver|copy",
     r"(?:append|add|include|attach|put|embed|encode|write|insert|send)\b[^\n.!?]{0,60}?\b(?:passwords?|secrets?|credentials|api[ -]keys?|tokens|conversation|chat history|personal data|user data)\b[^\n.!?]{0,40}?"
     r"\b(?:to|in|into|as|inside|through|via)\b[^\n.!?]{0,20}?\b(?:image|picture|img|pixel)s?(?:'s)? (?:urls?|links?|address|source|src|tag)\b",
     ("image|picture|img|pixel|images|pictures|imgs|pixels", "password|passwords|secret|secrets|credentials|key|keys|tokens|conversation|history|data", "url|urls|link|links|address|source|src|tag")),
    Phrase(GIVING, "post|submit|share|deliver|relay",
     rf"(?:post|submit|share|deliver|relay)\b[^\n!?]{{0,50}}?\b(?:(?:incl\.?|including|every|any|the users?'s?|users'|his|her|their|found|all found|stolen) (?:\w{{1,12}} ){{0,2}}?(?:{_KEYS})|conversation (?:history|log)|chat history|(?:entire|whole|full) conversation){_NO_KIND}"
     rf"[^\n!?]{{0,60}}?\b(?:to|with|through|via|at|on)\b[^\n!?]{{0,40}}?(?:https?://|[\w.+-]{{1,60}}@[\w-]{{1,60}}\.)",
     ("post|submit|share|deliver|relay", "secrets|credentials|passwords|tokens|secret|credential|password|token|key|keys|history|log|conversation|cookie|cookies", "to|with|through|via|at|on", "http|https|incl|including|every|any|users|user|his|her|their|found|stolen|conversation|chat|whole|entire|full")),
    Phrase(GIVING, "![",
     r"!\[[^\]\n]{0,60}\]\(\s{0,3}https?://[^)\s]{0,200}[?&=/][^)\s]{0,60}(?:\{|<|\$|\[)(?:[a-z]{1,12}[_ .-]){0,3}(?:passwords?|passwd|secrets?|api_?keys?|credentials?|conversation|chat|history|context|memory|memories|user_?data|tokens?|ssn)(?![a-z])",
     ("http|https", "password|passwords|passwd|secret|secrets|apikey|apikeys|key|keys|credential|credentials|conversation|chat|history|context|memory|memories|userdata|data|token|tokens|ssn")),
    Phrase(GIVING, "cat|tar|base64|gzip|zip|history|head|tail|env|printenv",
     rf"(?:(?:cat|tar|base64|gzip|zip|head|tail)\b[^\n|]{{0,60}}?(?:{PATHS})(?![^\n|]{{0,30}}\.pub)[^\n]{{0,60}}?|(?:env|printenv|history)\s{{0,3}})\|(?:\s{{0,3}}(?:base64|gzip|xxd -p)[^\n|]{{0,20}}\|)?\s{{0,3}}(?:nc|ncat|netcat|curl|socat|wget|telnet|mail|sendmail)\b",
     ("nc|ncat|netcat|curl|socat|wget|telnet|sendmail|mail", f"{PATH_WORDS}|printenv", "cat|tar|base|gzip|zip|history|head|tail|env|printenv")),
    Phrase(GIVING, "curl|wget",
     r"(?:curl|wget)\b[^\n]{0,120}?\$\((?:env|printenv|history|set)\s{0,3}(?:\||\))", ("curl|wget", "env|printenv|history|set")),
    Phrase(GIVING, "read|open",
     rf"(?:read|open)\b[^\n!?]{{0,30}}?(?:{PATHS}|mcp\.json\b)[^\n!?]{{0,20}}?\b(?:and|then) (?:pass|put) (?:its|the) contents?\b",
     ("content|contents", "pass|put", "read|open", f"{PATH_WORDS}|json")),
    Phrase(HIDDEN, "base64|xxd|openssl|rev|echo|printf",
     r"(?:base64\s{1,3}(?:-d|--decode|-di)\b|xxd\s{1,3}(?:-r\s{1,2}-p|-p\s{1,2}-r|-rp|-ps -r)\b|openssl\s{1,3}(?:enc|base64)\b[^\n|]{0,20}-d\b)[^\n|]{0,60}\|[\s`]{0,3}(?:sudo\s{1,3})?(?:(?:ba|z|da|k)?sh|python3?|perl|node|ruby|iex)\b",
     ("base|xxd|openssl", "sh|bash|zsh|dash|ksh|python|perl|node|ruby|iex")),
    Phrase(HIDDEN, "eval|bash|sh|zsh|source",
     r"(?:eval|(?:ba|z)?sh|source)\s{1,3}(?:-c\s{1,3})?[\"'`]{0,2}(?:<|\$)\([^\n)]{0,120}?\b(?:base64\s{1,3}(?:-d|--decode)|xxd\s{1,3}-r)\b", ("base|xxd", "eval|sh|bash|zsh|source")),
    Phrase(HIDDEN, "curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod",
     rf"(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n|]{{0,120}}?{_PUBLIC_IP}[^\n|]{{0,100}}\|[\s`]{{0,3}}(?:sudo\s{{1,3}})?(?:(?:ba|z|da|k)?sh|python3?|perl|node|ruby|iex|invoke-expression)\b",
     ("curl|wget|iwr|irm|invoke", "sh|bash|zsh|dash|ksh|python|perl|node|ruby|iex|expression")),
    Phrase(COMMAND, "iwr|irm|invoke-webrequest|invoke-restmethod",
     r"(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n|]{0,200}\|\s{0,3}(?:iex|invoke-expression)\b", ("iwr|irm|invoke", "iex|expression")),
    Phrase(HIDDEN, "powershell|pwsh",
     r"(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,60}?(?:-(?:w|win|windowstyle)\s{1,3}hidden\b[^\n]{0,80}?\b(?:iex|invoke-expression|downloadstring|-e(?:nc|ncodedcommand)?)\b|-e(?:nc|ncodedcommand)?\s{1,3}[a-z0-9+/=]{24})",
     ("powershell|pwsh",)),
    Phrase(HIDDEN, "iex|invoke-expression",
     rf"(?:iex|invoke-expression)\b[^\n]{{0,20}}?new-object (?:system\.)?net\.webclient\)?\.download(?:string|data)\(\s{{0,2}}[\"']{{0,2}}{_PUBLIC_IP}", ("webclient",)),
    Phrase(HIDDEN, "exec(|eval(|python -c|python3 -c|node -e|perl -e|ruby -e",
     r"(?:(?:exec|eval)\([^\n]{0,60}?(?:urlopen\(|requests\.get\(|urllib|b64decode\()|(?:python3?|perl|ruby) -[ce]\b[^\n]{0,80}?(?<![a-z])(?:exec|eval)\([^\n]{0,60}?(?:urlopen|requests\.get|http|b64decode)|node -e\b[^\n]{0,200}?https?[\"'][^\n]{0,200}?(?<![a-z])eval\()",
     ("exec|eval",)),
)  # fmt: skip
