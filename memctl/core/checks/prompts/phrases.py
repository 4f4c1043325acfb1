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

DROPPING = "dropping its instructions"
ROLE = "taking another role"
POSING = "posing as the system"
REVEALING = "revealing its prompt"

_DROP = "ignore|ignoring|disregard|dis-regard|forget|overrid|bypass|discard|do not|don't|never|stop|cease|pay no attention to|pay no heed to|take no notice of"
_DROPPING = (
    r"(?:ignor(?:e|ing)|dis-?regard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|discard"
    r"|(?:do not|don't|never|stop|cease) (?:follow(?:ing)?|obey(?:ing)?)|pay no (?:attention|heed) to|take no notice of)"
)
_REVEAL = "reveal|leak|disclose|repeat|recite|dump|expose"

# The words of the groups that phrases need.
_DROP_WORDS = (
    "ignore|ignoring|disregard|disregarding|regard|regarding|forget|forgetting|override|overriding|bypass|bypassing|discard|follow|following|obey"
    "|obeying|attention|heed|notice"
)
_TOLD_WORDS = "instruction|instructions|prompt|prompts|rule|rules|guideline|guidelines|directive|directives"
_BOUND_WORDS = _BOUNDS.replace("commands?", "command|commands")

# What takes rules away; what rules there are; what a model is called, and who makes models.
_VOID = "void|null and void|revoked|rescinded|cancell?ed|annulled|suspended|lifted|superseded|overridden|replaced|withdrawn|nullified|switched off|turned off|obsolete"
_VOID_WORDS = "void|null|revoked|rescinded|cancelled|canceled|annulled|suspended|lifted|superseded|overridden|replaced|withdrawn|nullified|off|obsolete"
_RULE_WORDS = (
    "rule|rules|instruction|instructions|guideline|guidelines|restriction|restrictions|limits|limitations|safeguards|guardrails"
    "|directives|constraints|policy|policies|prompt"
)
_LIMITS = "(?:restrictions?|rules|guidelines|limits|limitations|constraints|filters?|censorship|safeguards|guardrails|polic(?:y|ies)|programming|ethics|morals)"
_LIMIT_WORDS = (
    "restriction|restrictions|rules|guidelines|limits|limitations|constraints|filter|filters|censorship|safeguards|guardrails|policy"
    "|policies|programming|ethics|morals"
)
_MODEL = (
    "(?:ai (?:agents?|assistants?|models?|systems?|bots?)|ais?|llms?|(?:large )?language models?|assistants?|chatbots?|claude|chatgpt"
    "|coding (?:agents?|assistants?))"
)
_MODEL_WORDS = "ai|ais|llm|llms|model|models|assistant|assistants|chatbot|chatbots|claude|chatgpt|coding"
_VENDORS = "anthropic|openai|deepseek|mistral|deepmind|xai|codewhale|dashsquad"

PHRASES: tuple[Phrase, ...] = (
    Phrase(DROPPING, _DROP,
     rf"{_DROPPING}{_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,7}}?(?:{_PAST}|{_OWN}){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,4}}(?:{_TOLD}){_END}",
     (_TOLD_WORDS, _DROP_WORDS)),
    Phrase(DROPPING, _DROP,
     rf"{_DROPPING}{_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,7}}?your{_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,4}}(?:{_BOUNDS}){_END}",
     (_BOUND_WORDS, _DROP_WORDS, "your")),
    Phrase(DROPPING, "ignore|disregard|forget",
     rf"(?:ignore|disregard|forget){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,5}}?(?:{_PAST}|{_OWN}){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,3}}(?:{_BOUNDS})"
     r"(?![a-z])[\s*_`\"']{0,4}(?:[.!,;:]|and\b|$)",
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
     r"(?:ignore|disregard|forget)[\s*_`]{1,4}(?:everything|all|(?:the )?above)\b(?![a-z])[\s*_`\"']{0,4}(?:[.!,;:]|and\b|$)",
     ("ignore|disregard|forget", "everything|all|above")),
    Phrase(DROPPING, "forget|disregard|ignore|erase|wipe",
     rf"(?:forget|disregard|ignore|erase|wipe){_S}(?:(?:all|everything){_S}(?:(?:of|about|in){_S})?)?your{_S}(?:\w{{1,20}}{_S})?"
     rf"(?:memory|memories|context|identity|persona|role|values){_END}",
     ("forget|disregard|ignore|erase|wipe", "your")),
    Phrase(DROPPING, "bypass|skip|disable|circumvent|ignore|override|turn off",
     r"(?:bypass|skip|disable|circumvent|ignore|override|turn off)\s{1,3}(?:(?:all|any|every|the|your|of|its)\s{1,3}){0,3}(?:safety|content|moderation|ethical)"
     r"\s{1,3}(?:checks?|filters?|filtering|guards?|measures?|mechanisms?|protocols?|limits?|restrictions?)\b(?=[\s*_`\"']{0,4}(?:[.!,;:]|$|and\b|now\b))",
     ("safety|moderation|ethical|content", "bypass|skip|disable|circumvent|ignore|override|off",
      "check|checks|filter|filters|filtering|guard|guards|measure|measures|mechanism|mechanisms|protocol|protocols|limit|limits|restriction|restrictions")),
    Phrase(DROPPING, "delete|erase|wipe|forget|remove",
     r"(?:delete|erase|wipe|forget|remove)\s{1,3}(?:all|every one of)\s{1,3}(?:(?:of|the|your|other|existing|these)\s{1,3}){0,3}memories\b"
     r"(?=[\s*_`\"']{0,4}(?:[.!,;]|$|now\b|and\b|immediately\b|at once\b|with forget_memory))",
     ("memories", "delete|erase|wipe|forget|remove")),
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
    Phrase(DROPPING, "set aside|put aside|lay aside|cast aside|throw out|throw away|abandon|let go of|unlearn|violate|circumvent|erase|deviate from"
     "|go against|do not comply with|don't comply with|no longer follow|no longer obey|pay no mind to",
     rf"(?:(?:set|put|lay|cast) aside|throw (?:out|away)|abandon|let go of|unlearn|violate|circumvent|erase|deviate from|go against"
     rf"|(?:do not|don't) comply with|no longer (?:follow|obey)|pay no mind to){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,4}}?your{_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,3}}"
     r"(?:instructions?|system prompt|guidelines?|directives?|guardrails|safeguards|programming|restrictions|safety (?:rules|measures|training))\b",
     ("instruction|instructions|prompt|guideline|guidelines|directive|directives|guardrails|safeguards|programming|restrictions|safety", "your",
      "aside|throw|abandon|let|unlearn|violate|circumvent|erase|deviate|go|comply|follow|obey|mind")),
    Phrase(DROPPING, "remove|disable|deactivate|switch off|turn off|suspend|lift|drop|skip",
     rf"(?:remove|disable|deactivate|switch off|turn off|suspend|lift|drop|skip){_S}(?:(?:{_FILL}){_S}){{0,3}}?your{_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,3}}"
     r"(?:guardrails|safeguards|(?:safety|content|ethical) (?:guidelines|rules|measures|instructions|restrictions|polic(?:y|ies)))\b",
     ("guardrails|safeguards|safety|content|ethical", "your", "remove|disable|deactivate|off|suspend|lift|drop|skip")),
    Phrase(DROPPING, "pay no|disregard|take no notice of|forget|ignore all|ignore any",
     rf"(?:pay no (?:attention|heed|mind) to|disregard|take no notice of|forget|ignore{_S}(?:all|any)){_S}(?:(?:{_FILL}){_S}){{0,3}}?(?:{_PAST}){_S}"
     r"(?:messages|conversations?|context|text|input|turns)(?![a-z])[\s*_`\"']{0,4}(?:[.!,;:]|and\b|$)",
     ("attention|heed|mind|disregard|notice|forget|ignore", "messages|conversation|conversations|context|text|input|turns", _PAST)),
    Phrase(DROPPING, "ignore|disregard",
     r"(?:ignore|disregard)\s{1,3}(?:the|your)\s{1,3}(?:user|human|operator|owner)(?:'s|s')?\s{1,3}(?:requests?|instructions?|wishes|orders|questions?|commands?|messages?)\b"
     r"(?:,| and| but)[^\n.!?]{0,40}?\binstead\b",
     ("instead", "ignore|disregard", "user|users|human|humans|operator|operators|owner|owners")),
    Phrase(DROPPING, f"{_PAST}|all instructions",
     rf"(?:{_PAST}|all){_S}(?:(?:{_FILL}|system|safety){_S}){{0,3}}?(?:instructions?|guidelines?|directives?|prompts?|rules){_S}(?:is|are|has been|have been|were){_S}(?:all{_S}|now{_S})?"
     rf"(?:hereby{_S}(?:{_VOID})|null and void|(?:{_VOID})[^\n.!?]{{0,10}}\bby{_S}(?:this (?:note|memory|message|entry|file|text|one)|these (?:instructions|rules|lines)"
     r"|(?:the|what) (?:follow\w{1,3}|rules below|instructions below)))\b",
     (f"{_TOLD_WORDS}", "hereby|null|by", "is|are|been|were")),
    Phrase(DROPPING, _PAST,
     rf"(?:{_PAST}){_S}(?:system{_S}|safety{_S})?(?:instructions|guidelines|directives|prompts){_S}(?:are|have been){_S}(?:all{_S}|now{_S})?(?:void|revoked|rescinded|cancell?ed)"
     r"(?=(?![a-z])[\s*_`\"']{0,4}(?:[.!,;:]|and\b|$))",
     ("void|revoked|rescinded|cancelled|canceled", "instructions|guidelines|directives|prompts")),
    Phrase(DROPPING, "your",
     rf"your{_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,3}}?(?:instructions|guidelines|rules|restrictions|safeguards|guardrails|limitations|directives|constraints|content polic(?:y|ies)|system prompt)"
     rf"{_END}[^\n.!?]{{0,30}}?\b(?:(?:is|are|was|were|has been|have been){_S}(?:all{_S}|now{_S}|hereby{_S}){{0,2}}(?:{_VOID})|no longer{_S}(?:apply|applies|bind|count|matter|hold|valid|binding))\b",
     (_RULE_WORDS, "your", f"longer|{_VOID_WORDS}")),
    Phrase(DROPPING, "rule|instruction|guideline|restriction|limit|constraint|polic|safety|content",
     rf"(?:(?:safety|content|usage) )?(?:rules?|instructions?|guidelines?|restrictions?|limits|limitations|constraints|polic(?:y|ies)|checks){_S}(?:from|of|in) (?:the|your) (?:system|developer|safety)"
     rf" (?:message|prompt|instructions|guidelines){_END}[^\n.!?]{{0,30}}?\b(?:no longer (?:apply|applies|bind|count|matter|hold)|(?:do not|don't|doesn't|does not) (?:apply|bind|count|matter)"
     rf"|(?:can|may|should|must) be (?:ignored|skipped|disregarded)|(?:is|are|has been|have been) (?:{_VOID}))\b",
     (f"{_RULE_WORDS}|checks", "longer|apply|bind|count|matter|ignored|skipped|disregarded|is|are|been", "prompt|message|instructions|guidelines", "system|developer|safety")),
    Phrase(DROPPING, "system|developer message",
     rf"(?:system (?:prompt|message|instructions)|developer message){_S}(?:above{_S})?(?:(?:is|are|has been|have been){_S}(?:hereby{_S}|now{_S})?(?:void|null and void|revoked|rescinded|cancell?ed"
     rf"|no longer (?:valid|in effect|in force|binding))|no longer (?:applies|apply|counts|binds))\b",
     ("void|revoked|rescinded|cancelled|canceled|longer", "prompt|message|instructions", "system|developer")),
    Phrase(DROPPING, "safety|content|ethical|usage|moral",
     r"(?:safety|content|ethical|usage|moral) (?:rules|guidelines|policies|policy|restrictions|filters|checks|limits)\s{1,3}(?:(?:do not|don't|does not|no longer) (?:apply|applies|bind|count|matter)"
     r"|(?:is|are|were|was|has been|have been) (?:now )?(?:switched off|turned off|disabled|lifted|suspended|void)) (?:to|for) (?:you|this (?:conversation|chat))\b",
     ("rules|guidelines|policies|policy|restrictions|filters|checks|limits", "safety|content|ethical|usage|moral", "to|for", "you|this")),
    Phrase(DROPPING, "this|these|the following|what follows",
     rf"(?:this|these|the following|what follows){_S}(?:(?:note|memory|memories|message|file|instruction|rule|entry|entries|text|line|directive|prompt|section|document|block|command|order)s?{_S})?"
     rf"(?:(?:here|below|always|shall|must|will|should|also|now|completely|fully){_S}){{0,2}}(?:overrides?|supersedes?|replaces?|outranks?|overrules?|cancels?|(?:take|ha)(?:s|ve)? (?:precedence|priority) over){_S}"
     rf"(?:(?:(?:{_FILL}|default|old){_S}){{0,4}}?(?:system (?:prompt|message|instructions?|rules)|developer (?:message|instructions|prompt)|safety (?:rules|guidelines|instructions|polic(?:y|ies)))"
     rf"|(?:(?:{_FILL}){_S}){{0,3}}?your{_S}(?:(?:{_FILL}|{_OWN}|default|old){_S}){{0,3}}(?:instructions|rules|guidelines|prompt|training|programming|directives)"
     rf"|(?:all|any){_S}(?:of{_S})?(?:the{_S}|your{_S})?(?:{_PAST}){_S}(?:instructions|prompts|directives))\b",
     ("override|overrides|supersede|supersedes|replace|replaces|outrank|outranks|overrule|overrules|cancel|cancels|precedence|priority",
      "prompt|message|instructions|instruction|rules|guidelines|policy|policies|training|programming|directives|prompts", "this|these|following|follows")),
    Phrase(DROPPING, "precedence over|priority over",
     rf"(?:precedence|priority) over{_S}(?:(?:{_FILL}){_S}){{0,3}}?(?:(?:your|safety|system){_S}(?:(?:{_FILL}|{_OWN}){_S}){{0,3}}(?:instructions|prompt|guidelines)"
     r"|(?:the |your )system message|safety rules)\b",
     ("precedence|priority", "instructions|prompt|guidelines|message|rules", "your|safety|system")),
    Phrase(DROPPING, "treat",
     r"treat\s{1,3}(?:this|the following|these|what follows)(?:\s{1,3}(?:note|memory|message|text|lines?|entry|instructions?))?\s{1,3}as\s{1,3}(?:if it were\s{1,3})?"
     r"(?:(?:a|an|the)\s{1,3}(?:new\s{1,3})?(?:system|developer)\s{1,3}(?:prompt|instructions?|directive|order|command)"
     r"|your\s{1,3}(?:\w{1,12}\s{1,3}){0,2}(?:instructions?|directives?|prompt|orders?))\b",
     ("treat", "as", "prompt|instruction|instructions|directive|directives|order|orders|command")),
    Phrase(ROLE, "you are|you're|you were|you have been",
     rf"you(?: are|'re| were| have been)\s{{1,3}}(?:(?:now|hereby|finally|completely|totally|fully)\s{{1,3}}){{0,2}}(?:(?:free|freed|released|liberated|exempt|exempted) (?:of|from)|unbound by"
     rf"|(?:not|no longer) (?:bound|limited|restricted|constrained) by)\s{{1,3}}(?:all|any|every|your|the usual|openai's|anthropic's)\s{{1,3}}(?:\w{{1,20}}\s{{1,3}}){{0,2}}?{_LIMITS}\b",
     (_LIMIT_WORDS, "free|freed|released|liberated|exempt|exempted|unbound|bound|limited|restricted|constrained", "you")),
    Phrase(ROLE, "you have no|you now have no|you no longer have",
     rf"you (?:now )?(?:have no|no longer have) (?:\w{{1,12}} )?{_LIMITS}(?=\s{{0,3}}(?:[.!;:]|$|any ?more|at all))",
     (_LIMIT_WORDS, "no", "you", "have")),
    Phrase(ROLE, "you are no longer|you're no longer",
     r"you(?: are|'re) no longer (?:claude|chatgpt|gpt|gemini|copilot|deepseek|codewhale|llama|mistral|an? (?:helpful |harmless |safe )?(?:ai|language model|assistant|chatbot))\b",
     ("longer", "you", "claude|chatgpt|gpt|gemini|copilot|deepseek|codewhale|llama|mistral|ai|model|assistant|chatbot")),
    Phrase(ROLE, "your new persona|your new identity|your new personality|your true self|your real self",
     r"your (?:new (?:persona|identity|personality)|(?:true|real) self)(?: is|:| has no| knows no)", ("persona|identity|personality|self", "your", "new|true|real")),
    Phrase(ROLE, "you are|you're|you were|imagine|pretend|act|behave|become|be|play|simulate|respond as|reply as|answer as|assume|as an|as a",
     rf"(?:you(?: are|'re| were)|imagine|pretend|act|behave|become|be|play|simulate|(?:respond|reply|answer) as|assume|as an?)\b[^\n.!?]{{0,40}}?\b(?:ai|assistant|model|chatbot|bot|llm|persona|language model)"
     rf"\s{{1,3}}(?:without|with no|free (?:of|from)|unbound by|not bound by|that (?:has|knows|follows|obeys|respects) no|that ignores)\s{{1,3}}(?:(?:any|all|its|more|the|ethical|moral|content|safety|usual)\s{{1,3}}){{0,3}}{_LIMITS}\b",
     (_LIMIT_WORDS, "ai|assistant|model|chatbot|bot|llm|persona", "without|no|free|unbound|bound|ignores")),
    Phrase(ROLE, "in developer mode|developer mode",
     r"(?:in )?developer mode,? you (?:will |must |can |now )?(?:give|answer|respond|reply|ignore|generate|provide|speak|obey|comply)\b", ("mode", "developer", "you")),
    Phrase(ROLE, "unlock|activate|enable|enter|switch to|answer|respond|reply|speak",
     r"(?:(?:unlock|activate|enable|enter|switch to) (?:the )?(?:uncensored|unfiltered|unrestricted|jailbreak|no-limits) mode|(?:answer|respond|reply|speak)(?: everything| freely)? (?:unfiltered|uncensored))\b",
     ("uncensored|unfiltered|unrestricted|jailbreak|limits", "mode|answer|respond|reply|speak")),
    Phrase(POSING, "attention|attn|hello|hi|hey|dear|greetings",
     rf"(?:attention|attn|hello|hi|hey|dear|greetings)[\s,:!*_-]{{1,5}}(?:(?:to|all|any|the|every|fellow|dear|you)\s{{1,3}}){{0,3}}{_MODEL}\b[\s*_]{{0,4}}(?:[:!,.]|(?:that|who|which|currently|now|is|are)?\s{{0,3}}(?:read|process|pars|summari|index|review|see))",
     ("attention|attn|hello|hi|hey|dear|greetings", _MODEL_WORDS)),
    Phrase(POSING, "note|notice|message|memo|instruction|reminder|warning|important|to all|to any|to every|to the",
     rf"(?:(?:note|notice|message|memo|instructions?|reminder|warning|important)(?: (?:note|notice|message))? (?:to|for) |to )(?:(?:all|any|the|every)\s{{1,3}}){{0,2}}{_MODEL}\s{{1,3}}(?:(?:that|who|which|currently|now|is|are|may|will)\s{{1,3}}){{0,3}}"
     r"(?:read|process|pars|summari[sz]|index|review|analy[sz]|evaluat)(?:e|es|ing|s)? (?:this|these)\b[^\n.!?]{0,30}[:,;.!]?[^\n.!?]{0,40}\b(?:you (?:are required|must|have to|are to|shall|will now)|ignore|disregard|obey|do not tell)\b",
     (_MODEL_WORDS, "read|reading|reads|process|processes|processing|parse|parses|parsing|pars|parss|summaris|summarise|summarises|summarising|summariss|summarize|summarizes|summarizing|summariz|summarizs|index|indexes|indexing|indexe|indexs"
      "|review|reviews|reviewing|reviewe|reviewes|analys|analyse|analyses|analysing|analyss|analyz|analyze|analyzes|analyzing|analyzs|evaluat|evaluate|evaluates|evaluating|evaluats|reade|reades|processe|processs", "you|ignore|disregard|obey|tell", "this|these")),
    Phrase(POSING, "as your|i hereby|we hereby",
     r"(?:as your (?:developer|creator|maker|owner|operator|administrator|admin|supervisor|provider)s?,?\s{1,3}(?:i|we)\s{1,3}(?:hereby\s{1,3})?(?:authori[sz]e|order|command|instruct|permit|direct|require)"
     r"|(?:i|we) hereby (?:authori[sz]e|order|command|instruct|permit|direct|allow|grant))\s{1,3}you\b",
     ("authorise|authorize|order|command|instruct|permit|direct|require|allow|grant", "hereby|your", "you", "i|we")),
    Phrase(POSING, "this is|this was|official|from",
     rf"(?:this (?:is|was) an? (?:(?:official|urgent|authori[sz]ed|automated|important|direct)\s{{1,3}}){{1,2}}(?:message|notice|instruction|communication|order|directive|reminder)s? (?:from|by) (?:{_VENDORS}|the (?:system|platform|vendor|provider|developers|ai company)|your (?:developers?|creators?|administrators?|operators?|provider|vendor))"
     rf"|official (?:message|notice|instruction|directive|order)s? (?:from|by) (?:{_VENDORS})\s{{0,3}}[:.!]"
     rf"|this is a (?:message|notice|directive) (?:from|by) (?:{_VENDORS}|your (?:developers?|creators?)))\b",
     ("official|urgent|authorised|authorized|automated|important|direct|this", "message|notice|instruction|communication|order|directive|reminder|messages|notices|instructions|communications|orders|directives|reminders", "from|by", f"{_VENDORS}|system|platform|vendor|provider|developer|developers|company|creator|creators|administrator|administrators|operator|operators")),
    Phrase(POSING, _VENDORS,
     rf"(?:{_VENDORS}) (?:security|safety|trust|support|compliance|alignment|admin|research|developer)(?: (?:and|&) safety)? (?:team|department|staff|division)(?: is)? (?:here|speaking)\s{{0,3}}[.:,!]",
     (_VENDORS, "team|department|staff|division", "here|speaking")),
    Phrase(REVEALING, f"{_REVEAL}|print|output|show|display|share|give|tell|summari|return|paste|append|translate|encode|write|include|list|copy|quote|describe|convert|render|post|send|spell",
     r"\w{4,11}\b[^\n.!?]{0,60}?\byour\s{1,3}(?:(?:whole|full|entire|complete|exact|own)\s{1,3}){0,2}(?:(?:hidden|secret|confidential|internal|initial|original|system)\s{1,3}){1,3}(?:prompt|instructions|system message|guidelines|rules|directives|message)\b",
     ("your", "hidden|secret|confidential|internal|initial|original|system", "prompt|instructions|message|guidelines|rules|directives")),
    Phrase(REVEALING, f"{_REVEAL}|print|output|show|display|share|give|tell|summari|return|paste|append|translate|encode|write|include|list|copy|quote|describe|convert|render|post|send|spell",
     r"\w{4,11}\b[^\n.!?]{0,40}?\b(?:lines?|words?|sentences?|paragraphs?|characters?|contents?|text|whole|all|everything) (?:of|in|from) your (?:\w{1,12} ){0,2}?(?:prompt|context window|system message|instructions)\b",
     ("your", "prompt|window|instructions|message", "line|lines|word|words|sentence|sentences|paragraph|paragraphs|character|characters|content|contents|text|whole|all|everything", "of|in|from")),
    Phrase(REVEALING, "your", r"your (?:(?:own|full|entire|exact) )?(?:hidden|confidential|secret) (?:system )?(?:instructions|prompt|directives)\b",
     ("hidden|confidential|secret", "your", "instructions|prompt|directives")),
    Phrase(REVEALING, "which|what|all rules|all instructions|the exact|the secret|the hidden|the initial",
     r"(?:(?:(?:which|what|all)(?: exact| secret| hidden| initial)?|the (?:exact|secret|hidden|initial)) (?:rules|instructions|guidelines|system prompt|prompt) (?:you (?:were|are|have been|had been)|you've been|were you|have you been) (?:given|told|handed|provided with)"
     r"|what (?:is|are|was|were) your (?:\w{1,10} )?(?:(?:exact|original|initial|system|hidden|secret) ){1,3}(?:instructions?|prompts?|rules|message))\b",
     ("you|your", "given|told|handed|provided|exact|original|initial|system|hidden|secret", "rules|instructions|instruction|guidelines|prompt|prompts|message")),
    Phrase(REVEALING, "repeat|recite|output|print|echo|reproduce",
     r"(?:repeat|recite|output|print|echo|reproduce)(?: back)? (?:everything|all (?:of )?the (?:text|words|content)|all (?:text|words)|the (?:text|words|content|whole text|entire text))(?: (?:that is|that stands|written))? "
     r"(?:above|before this|so far|in your context)(?=\s{0,3}(?:[.,;:!]|$|verbatim|word for word|starting|in a code|exactly))",
     ("repeat|recite|output|print|echo|reproduce", "everything|text|words|content", "above|before|far|context")),
    Phrase(REVEALING, "prompt|text|message|instructions",
     r"(?:prompt|text|messages?|instructions) (?:that|which) (?:came|comes?|stands?|stood|was|were|is|are) (?:given |placed )?(?:before|above) (?:the (?:user's )?first (?:user )?message|this (?:conversation|chat)|the (?:conversation|chat))\b",
     ("that|which", "prompt|text|message|messages|instructions", "before|above", "first|conversation|chat")),
    Phrase(POSING, "ai|llm|large language|language model|assistant|chatbot|coding|claude",
     rf"{_MODEL} (?:(?:that|who|which|currently|now|is|are) ){{0,2}}(?:reading|processing|parsing|summari[sz]ing|indexing) (?:this|these)(?: \w{{1,14}})?,? (?:must|shall|(?:is|are) required|ha(?:s|ve) to|will now)\b",
     ("reading|processing|parsing|summarising|summarizing|indexing", _MODEL_WORDS, "this|these")),
    Phrase(ROLE, "take the|take on the|assume the|adopt the",
     r"(?:take|take on|assume|adopt) the (?:role|identity|persona) of (?:an? |the )?(?:unrestricted|uncensored|unfiltered|jailbroken|evil|malicious|hacker|different (?:ai|model)|dan|root)\b",
     ("unrestricted|uncensored|unfiltered|jailbroken|evil|malicious|hacker|different|dan|root", "role|identity|persona", "take|assume|adopt")),
    Phrase(DROPPING, "obey only|only obey",
     r"(?:obey only|only obey) (?:me|the following|what follows|(?:this|these) (?:note|memory|message|file|text|instructions?|rules|lines?|orders?))\b", ("obey",)),
)  # fmt: skip
