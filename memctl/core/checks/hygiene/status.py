"""The status of a task, branch, pull request or deploy: wrong tomorrow, and known better by the workspace."""

from __future__ import annotations

from memctl.core.checks.hygiene.signs import Sign

_STATE = (
    "open|opened|merged|closed|draft|waiting|awaiting|pending|ready|approved|in review|under review|blocked|needs|failing|green"
    "|submitted|rebased|conflicts?|landed|up for review|in progress|done|finished|assigned|todo|to do|resolved|fixed|reopened"
    "|started|stuck|wip|complete|completed|on hold"
)
# The same in other languages, behind the number of a pull request or a task.
_FOREIGN = (
    "wartet|wartend|offen|gemerge?d|gemergt|geschlossen|blockiert|freigegeben|in arbeit|fertig|erledigt|bereit|ouverte?"
    "|fusionnée?|en attente|en revue|fermée?|bloquée?|approuvée?|abiert[oa]|fusionad[oa]|mezclad[oa]|en revisión|pendiente"
    "|cerrad[oa]|aprobad[oa]|bloquead[oa]|apert[oa]|aprovad[oa]|abert[oa]|mesclad[oa]|fechad[oa]|em revisão|in attesa"
    "|in revisione|chius[oa]|wacht op|gesloten|goedgekeurd|открыт[ао]?|смержен[ао]?|закрыт[ао]?|ждёт|ждет|на ревью"
    "|ожидает|в работе|готов[ао]?"
)
_PR = "pr|pull request|mr|merge request|pull-request|merge-request"
_TASK = "task|ticket|issue|story|bug|epic|card|aufgabe|tâche|tarea|tarefa|taak|задача|тикет"
# Standards and the like are written as tasks are: UTF-8, SHA-256.
_NO_TASK = r"(?!(?:utf|iso|sha|rfc|gpt|covid|ipv|cve|pep|base|aes|rsa|tls|http|md|es|ecma|din|en|us|eu|cp|rs|usb|wpa|mp|gate|tier)-)"
_OF_ONE = (
    Sign(("pr", "pull", "mr", "merge"), rf"\b(?:{_PR})s?\s{{0,2}}[#!]?\d{{1,7}}\b[^.\n]{{0,60}}?\b(?:{_STATE}|{_FOREIGN})\b"),
    Sign(tuple(_TASK.split("|")), rf"\b(?:{_TASK})\s{{0,2}}#?(?:[a-z]{{1,10}}-)?\d{{1,7}}\b[^.\n]{{0,40}}?\b(?:{_STATE}|{_FOREIGN})\b"),
    Sign(
        ("http",),
        rf"\bhttps?://\S{{1,100}}/(?:pull|pulls|pull-requests|merge_requests|issues|browse)/[\w-]{{1,20}}\S{{0,20}}"
        rf" (?:is |was |has been |got )?(?:now |still |already |finally )?(?:{_STATE}|{_FOREIGN})\b",
    ),
    Sign(
        tuple("-0 -1 -2 -3 -4 -5 -6 -7 -8 -9".split()),
        rf"\b{_NO_TASK}[a-z]{{2,10}}-\d{{1,6}}(?: is| was| has been|:) (?:now |still |currently )?(?:{_STATE})\b"
        rf"|\b{_NO_TASK}[a-z]{{2,10}}-\d{{1,6}} (?:now |still )?(?:done|finished|merged|closed|resolved|fixed|blocked|completed?|wip"
        r"|in progress|in review|deployed|ready for review)(?=\s*(?:[.,;!)]|$))",
    ),
    Sign(("#", "!"), r"\b(?:merged|closed|opened|reopened|landed|rebased|reviewed|approved) (?:the )?(?:pr |pull request |mr |issue )?[#!]\d{1,7}\b"),
    Sign(
        tuple("0123456789"),
        r"(?:\b(?:pr|mr)|合并请求|拉取请求|合併請求|任务|工单|问题|任務)\s?[#!]?\d{1,7} ?号?(?:已经?|還在|还在|正在|待|等待|等|尚未|未)(?:被)?"
        r"(?:合并|合併|关闭|關閉|批准|部署|完成|发布|解决|修复|审查|审核|评审|通过|进行)(?!后|後|之|时)"
        r"|(?:\b(?:pr|mr)|プルリクエスト|プルリク|チケット|タスク)\s?[#!]?\d{1,7} ?(?:は|を|が)?(?:マージ(?:済|され|しまし|待ち)|レビュー(?:中|待ち)|オープン"
        r"|クローズ|承認(?:済|待ち|され)|対応中|完了|ブロック)"
        r"|(?:\b(?:pr|mr)|풀 ?리퀘스트|작업|이슈)\s?[#!]?\d{1,7} ?(?:은|는|이|가|을|를)? ?(?:병합|머지|리뷰|검토|완료|승인|닫)(?:됨|되었|됐|했| 중| 대기|혔)",
    ),
    Sign(("branch ",), r"\bbranch [`'\"]?[\w-]{1,40}/[\w./-]{1,60}"),
    Sign(
        ("feature/", "feat/", "fix/", "hotfix/", "chore/", "release/"),
        r"\b(?:feature|feat|fix|bugfix|hotfix|chore|release)/[\w.-]{1,60}[`'\"]?[^.\n]{0,40}?\b(?:merged|pushed|rebased|ahead|behind|ready|deleted|open|in progress|pending|waiting)\b",
    ),
    Sign(("commit",), r"\b\d{1,4} commits? (?:ahead|behind)\b"),
    Sign(("pushed",), r"\b(?:pushed|force-pushed) to (?:origin|main|master|the branch)\b"),
    Sign(("checked out",), r"\bchecked out (?:on|to) [`'\"]?[\w-]{1,40}/"),
    Sign(("staging", "prod"), r"\b(?:staging|production|prod) (?:is|runs)(?: running)?(?: on| at)? (?:version )?v?\d{1,4}\.\d"),
)  # fmt: skip
_DONE = "merged|deployed|released|rolled out|shipped|rolled back|reverted|rebased|pushed|published"
_BEGIN = r"(?:^[^\w\n`]{0,6}|[.!?;] )(?:still |currently |now |just |already )?"
_STATUS = (
    Sign(
        ("waiting", "awaiting", "blocked", "pending", "ready", " in "),
        r"\b(?:is|are|currently|still) (?:waiting for|awaiting|blocked on|pending|ready for|in) (?:code |a |the )?(?:review|approval|merge|ci|qa|deploy\w{0,6})\b",
        general=True,
    ),
    Sign(
        ("waiting", "awaiting", "blocked", "pending", "stuck"),
        rf"{_BEGIN}(?:blocked (?:on|by)|waiting (?:for|on)|awaiting|pending|stuck (?:on|in)) (?:(?:the|a|an|my|your|final|code|security|design|legal) ){{0,2}}"
        r"(?:review|approval|merge|ci|qa|feedback|sign-?off|answer|reply|deploy(?:ment)?)\b(?! (?:requests?|queue|list|items?|time|times|state|label|status|tickets?|takes?|is|are|means|should|can|may|must)\b)",
        general=True,
    ),
    Sign(
        ("branch ",),
        r"\bbranch [`'\"]?[\w./-]{1,60}[`'\"]? (?:is|was|has been|needs|got) (?:\w{1,12} )?(?:merged|pushed|rebased|ahead|behind|ready|deleted|open|stale|\d{1,4} commits)\b"
        r"|\b(?:the|my|our|this) (?:[\w/-]{1,40} ){0,3}branch (?:is|was) (?:now |still |almost |nearly |finally )?(?:ready (?:to|for)|up to date|out of date|in review"
        r"|(?:ahead of|behind) (?:main|master|develop|origin))\b|\b(?:the|my|our|this) (?:[\w/-]{1,40} ){0,3}branch has (?:now |just |already )?been (?:merged|rebased|pushed|deleted)\b",
        general=True,
    ),
    Sign(("rebased",), rf"{_BEGIN}rebased (?:it |the branch )?(?:on(?:to)?|against) (?:main|master|develop|origin|the latest|trunk)"),
    Sign(("merged",), rf"{_BEGIN}merged (?:\S{{1,60}} ){{0,3}}?(?:in)?to (?:main|master|develop|dev|trunk)\b"),
    Sign(
        ("deploy", "rollout", "migration", "release"),
        r"\b(?:deploy(?:ed|ment)?|rollout|migration|release)\b[^.\n]{0,40}?\b(?:is|was|has|currently|still)\b[^.\n]{0,15}?\b(?:in progress|failed|pending|succeeded|done|complete|completed|rolled back|running|finished|stuck|blocked|live)\b"
        r"|\b(?:deploy(?:ment)?|rollout|migration|release)(?: (?:to|of|on|for) [\w./-]{1,30}(?: [\w./-]{1,30}){0,3}?)? (?:failed|succeeded|is stuck)(?=\s*(?:[.!;,)]|$)| again| with )",
        general=True,
    ),
    Sign(
        ("deployed", "rolled out", "shipped", "released"),
        r"\b(?:deployed|rolled out|shipped|released) (?:\S{1,30} )?(?:to|on|in) (?:the )?(?:staging|production|prod|dev|qa|canary|preview)\b",
    ),
    Sign(("been ",), rf"\b(?:the|this|my|our) (?:[\w/-]{{1,40}} ){{1,4}}(?:has|have) (?:now |just |already |finally )?been (?:{_DONE})\b", general=True),
    Sign(
        ("just ", "finally "),
        rf"\b(?:we|i|i've|we've|they)(?: have)? (?:just|finally) (?:{_DONE}|finished|completed|opened|closed|tagged)\b(?! (?:the|a) (?:habit|book|trip)\b)",
        general=True,
    ),
    Sign(
        ("部署", "发布", "上线", "合并", "デプロイ", "リリース", "배포"),
        r"已经?(?:部署|发布|上线|合并)(?:到|至)(?:生产|主分支|main|master|测试|预发|线上)|(?:部署|发布|上线)(?:失败|成功|进行中)了?(?=[。，,.!！]|$)"
        r"|(?:デプロイ|リリース)(?:済み|しました|中です|に失敗しました)|배포(?:했습니다|되었습니다|에 실패했습니다| 중입니다)",
        general=True,
    ),
    Sign(("status",), r"^[^\w\n`]{0,6}status[ \t]?[^\w\n]{0,3}:[^\w\n]{0,3}(?:in progress|done|todo|open|blocked|staged|pending|wip|complete|completed|started|merged|closed)\b"),
    Sign(
        ("currently", "working on", "editing", "debugging", "fixing", "in the middle of"),
        r"\b(?:i'm|i am|we're|we are|is|am|are)? ?currently (?:working|implementing|debugging|editing|fixing|investigating|refactoring|writing|migrating|blocked|testing|reviewing)\b|\b(?:i'm|i am|we're|we are) (?:now |still )?(?:working on|editing|debugging|fixing|in the middle of)\b",
    ),
    Sign(
        ("wip", "todo", "fixme", "next step", "remaining", "left to do", "in progress", "blocked"),
        r"^[^\w\n`]{0,6}(?:wip|todo|fixme|next steps?|remaining(?: work| tasks| steps)?|left to do|in progress|blocked)[ \t]?[^\w\n]{0,3}:",
    ),
    Sign(("] ",), r"^[ \t]{0,8}[-*+] \[[ xX]\] "),
    Sign(
        ("ci ", "build", "pipeline", "test"),
        r"\b(?:ci|the build|build|pipeline|tests|the tests|test suite) (?:is|are) (?:currently |still |now )?(?:red|green|failing|broken|passing)\b",
        general=True,
    ),
    Sign(("%", "half"), r"\b\d{1,3} ?% (?:done|complete|completed|finished)\b|\bhalf[- ]done\b"),
    Sign(("pr ",), r"\bpr\b[^.\n]{0,30}?\b(?:is|was)\b[^.\n]{0,20}?\b(?:open|merged|waiting|in review|under review|approved|ready)\b", general=True),
)  # fmt: skip
SIGNS = _OF_ONE + _STATUS
