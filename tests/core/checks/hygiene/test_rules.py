"""The rules of hygiene: what is no longer right in a store, and what a memory is not for."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from memctl.core.checks.engine import check_store
from memctl.core.checks.rule import Severity
from memctl.core.checks.subject import Link, Subject
from memctl.core.dialects import hq
from tests.core.checks.subjects import EVERY, a_memory, a_subject, an_item, codes, found, user_memory


def saying(*contents: str) -> Subject:
    """Return a store of memories with these contents, named apart."""
    names = ["alpha", "beta", "gamma", "delta", "epsilon"]
    return a_subject(
        {
            f"{name}.md": a_memory(name, description=f"About {name}", content=content)
            for name, content in zip(names, contents, strict=False)
        }
    )


def lines(subject: Subject, code: str) -> list[tuple[str, int | None, int | None]]:
    return [(finding.file, finding.line, finding.column) for finding in found(subject, code)]


FIRES = {
    "H005": [
        "The discount is valid until 2025-03-01.",
        "Code freeze until 2026-10-01",
        "The key expires on 2026-01-31.",
        "The trial expires: 2026-05-05",
        "Deadline: 2026-11-29",
        "Hand in the form by 1 March 2026.",
        "The freeze holds until March 3, 2026",
        "Offer valid through 31.12.2025",
        "The contract runs until the end of 2025.",
        "The pilot runs until Q2 2026.",
        "Gültig bis 2026-01-01",
        "The rate holds until May 2026.",
        "The rate holds until 2026-05",
        "valide jusqu’au 2026-06-30",
        "有效期至2026年6月30日",
        "2026年6月30日まで有効です",
        "2026년 6월 30일까지 유효",
        "Only until Friday 2026-11-20",
        "Only until Fri, 20 Nov 2026",
        "Gültig bis 31. März 2026",
        "Valable jusqu'au 30 juin 2026",
        "Válido hasta el 30 de junio de 2026",
        "Valid until 2026/06/30",
    ],
    "H006": [
        "PR #12 is waiting for review",
        "Pull request 431 was merged",
        "MR !45 is still open",
        "The branch feature/login is 3 commits ahead of main",
        "The fix is on branch fix/timeout",
        "The change was deployed to staging",
        "Deploy of the api is in progress",
        "BILL-77 is blocked",
        "Ticket #9 is in progress",
        "I am currently working on the parser",
        "Status: in progress",
        "- [ ] write the tests",
        "CI is red on main",
        "TODO: finish the importer",
        "production runs v2.3.1",
        "PR https://git.example/x/y/pull/12 is open",
        "Merged #412 into main",
        "The hotfix has been deployed",
        "Deploy to production failed",
        "The feature branch is ready to merge",
        "Blocked on review from Ana",
        "Rebased onto main, tests green",
        "JIRA-123 done",
        "We just released 3.1",
        "PR #12 已合并",
        "Der PR #12 wartet auf Review",
        "La PR #12 est en attente",
        "PR #12 はマージ済みです",
        "PR #12은 병합됨",
        "已部署到生产",
        "发布失败了",
        "Merged the fix into main",
        "Do not deploy until PR #12 is merged",
    ],
    "H007": [
        "The parser is in src/parse.py, class Parser",
        "The function load() lives in `lib/load.ts`",
        "See src/app.py:120 for the loop",
        "src/\n├── app.py\n└── lib",
        "## Implementation plan\n\n1. first",
        "Plan: rewrite the importer, then the exporter",
        "## Architecture\n\nThree services",
        "The plan is to move to the new queue",
        "Phase 1: the schema. Phase 2: the data.",
        "`class Store extends Base` is the root",
        "The repo is structured as a monorepo",
        "The entry point is main.go",
        "The module memctl/core/index.py renders the index",
        "Directory structure:\n- src/",
        "API design: each call has a key",
        "Project layout: src, tests and docs",
    ],
    "H008": [
        "User: can you fix it? Assistant: yes, done.",
        "User: hello\nAssistant: hi",
        "**Human:** why?\n**AI:** because",
        "Q: what port? A: it is 80",
        "[10:31] Mei: hi\n[10:32] Tom: hello\n[10:33] Mei: bye",
        "As I said above, it is slow",
        "In this conversation we found the cause",
        "Earlier in this chat the port was named",
        "You asked me for the plan",
        "- user: hi\n- agent: hello",
        "用户：你好\n助手：您好",
        "U: hi\nA: hello",
        "ユーザー：こんにちは\nアシスタント：はい",
        "Benutzer: geht das?\nAssistent: ja",
    ],
    "H009": [
        "\n".join(f"{number}. Run the step {number}" for number in range(1, 21)),
        "\n".join(f"- Always check the {thing}" for thing in "abcdefgh"),
        "\n".join(f"* Open the page {number}" for number in range(9)),
        "Open the portal. Check the token. Then run the job. Read the log; copy the file. Delete the cache. Restart the host. Send the mail.",
        "Open the portal.\nCheck the token.\nThen run the job.\nRead the log; copy the file.\nDelete the cache.\nRestart the host.\nSend the mail.",
        "请先登录。请检查令牌。不要删除文件。请运行测试。请阅读日志。请复制文件。务必重启主机。请发送邮件。",
    ],
    "H010": [
        "The demo is tomorrow",
        "The release was yesterday",
        "We meet next week",
        "The budget was cut last month",
        "The rota changes in two days",
        "The outage was 3 weeks ago",
        "Send it by Friday",
        "Die Abnahme ist nächste Woche",
        "La réunion est demain",
        "La entrega es mañana",
        "演示在明天",
        "会議は来週です",
        "Встреча завтра",
        "Done this morning",
    ],
}
INNOCENT = {
    "H005": [
        "The contract runs until 2027-01-01.",
        "Invoices before 2020 move to cold storage",
        "The offer was valid until 2025-01-01.",
        "Decided on 2025-02-03",
        "Works from nine until five",
        "The log starts at 2024-01-01",
        "Valid until revoked",
        "The deadline is 2026-12-24",
        "Until 2026-13-45 nobody looked",
        "Valid until 31.13.2025",
        "It holds until 2025-13",
        "Version 2025-01 of the API",
        "合同从2026年1月1日开始。",
        "会議は2026年6月30日でした。",
        "2025年4月1日まで東京に住んでいました",
        "Die Garantie begann am 31. März 2026.",
        "The library is open until 20 o'clock",
        "Valid until 2026/13/01",
    ],
    "H006": [
        "All PRs need 2 reviewers before merge",
        "The status page is at https://status.example.com",
        "CI must be green before a merge",
        "Branch names are short and in lower case",
        "Deploys go out on Tuesdays",
        "Tickets are in the tracker of the team",
        "The user reviews each release note",
        "Keep pull requests under 300 lines",
        "Staging has a copy of the data",
        "Never leave a TODO in the code",
        "draft branch ticket merge release branch test build",
    ],
    "H007": [
        "Use 4 spaces in Python files",
        "The design doc is at https://docs.example.com/design",
        "Plans are written in the wiki",
        "The user prefers classes over modules",
        "The shared library is maintained by Tom",
        "Ask before you change setup.py",
        "Explain a plan in three sentences",
        "Phase shifts matter for the audio team",
        "The architecture group meets on Mondays",
        "The first step is always the hardest",
    ],
    "H008": [
        "User: prefers tabs",
        "The user said that short answers are best",
        "Assistants of the CFO answer mails",
        "Standup is at 10:30: be there",
        "Q1: hiring, Q2: training",
        "Quote the customer in each ticket",
        "Agents: three, all in Berlin",
        "The session lasts 30 minutes",
        "Model: large, cheap",
        "Talk to the user in French",
    ],
    "H009": [
        "1. Run it\n2. Check it",
        "\n".join(f"- The {thing} is blue" for thing in "abcdefghijkl"),
        "One sentence. Another one. A third.",
    ],
    "H010": [
        "Use date.today() for the stamp",
        "The demo is on 2026-12-01",
        "Reports go out by Friday each week",
        "The last week of the quarter is quiet",
        "Every last Friday of the month is free",
        "Tomorrowland is a park",
        "Today's date stands at the top of each note",
        "Por la mañana no hay reuniones",
        "Answer in two sentences",
        "Move it by the end of the quarter",
        "weekly sync next week every team",
        "Only until Friday 2026-12-20",
        "Due Monday, 7 December 2026",
    ],
}


@pytest.mark.parametrize(("code", "content"), [(code, text) for code, texts in FIRES.items() for text in texts])
def test_what_is_not_for_memory_is_found_on_its_line(code: str, content: str) -> None:
    findings = found(saying(content), code)
    assert [finding.file for finding in findings][:1] == ["alpha.md"]
    assert all((finding.line or 0) >= 9 for finding in findings)


@pytest.mark.parametrize(("code", "content"), [(code, text) for code, texts in INNOCENT.items() for text in texts])
def test_its_innocent_neighbours_are_not(code: str, content: str) -> None:
    assert found(saying(content), code) == []


NEIGHBOURS = [
    "Merge requests are opened against develop.",
    "Once the hotfix has been deployed, tell Ana.",
    "Do not touch the table until the migration is finished.",
    "After the PR has been merged, delete the branch.",
    "When a deploy to production fails, page the on-call.",
    "If the release branch is ready to merge, ask Tom.",
    "Waiting for review takes two days on average.",
    "Pending approval requests are in the portal.",
    "Hotfixes are merged into main and develop.",
    "The branch protection needs two approvals.",
    "UTF-8 is required in all files.",
    "SHA-256 is fixed as the hash of the archive.",
    "The entry point of the museum is the north gate.",
    "The module on memory is taught by Dr. Weiss.",
    "Run the script tools/make.py as root.",
    "Directory structure: see the wiki",
    "API design: https://docs.example.com/api",
    "Node.js handles the API of the shop.",
    "Meal plan: pasta on Mondays.",
    "Phone plan: 20 GB a month.",
    "The design system is called Nord.",
    "Vue.js and Next.js are used in the front end.",
    "用户：张伟",
    "助手这个词不要用在邮件里。",
    "A: 10 mm, B: 12 mm, C: 15 mm",
    "U: uranium",
    "Ask the user: does it fit?",
    "Benutzer: deploy",
    "有效期是三年。",
    "合同从2026年1月1日开始。",
    "The library is open until 20 o'clock on Fridays.",
    "会議は2026年6月30日でした。",
    "2025年4月1日まで東京に住んでいました",
    "Die Garantie begann am 31. März 2026.",
    "The token is no longer valid after 30 days.",
    "If the cache is no longer valid, rebuild it.",
    "Tokens that are no longer valid are rejected.",
    "The old passport number is no longer valid.",
    "Write deleted text as `~~text~~` in the notes.",
    "The path ~/notes is the vault, and ~~~ fences are fine.",
    "Replaced by hand each spring, the filter is in the cellar.",
    "Deprecated functions are listed in docs/deprecated.md.",
    "Outdated packages are updated on Mondays.",
    "Obsolete hardware goes to the depot in Linz.",
    "The boiler was replaced by Anton in 2023.",
    "When the sensor is wrong, trust the meter.",
    "Superseded documents are kept for ten years.",
    "Wenn die Migration fertig ist, wird das Ticket geschlossen.",
    "Tickets werden nach dem Review geschlossen.",
    "Ein PR wartet nie länger als zwei Tage auf Review.",
    "Les PR sont fusionnées le vendredi.",
    "Las tareas se cierran el viernes.",
    "PR 合并前需要两个人审查。",
    "部署完成后通知运维。",
    "已合并的分支每周删除一次。",
    "发布失败时回滚到上一个版本。",
    "デプロイが完了したら連絡する。",
    "マージ済みのブランチは毎週削除する。",
    "배포가 끝나면 알림을 보낸다.",
    "Релиз выходит каждый вторник.",
    "Reports are ready for review on Thursdays in the shared folder.",
    "The release train leaves every two weeks.",
    "The user released three albums with his band.",
    "We just use the defaults of the linter.",
    "The team finally meets in person each June.",
    "Use short names, then add a comment. Keep it small.",
    "Open questions go to Tom. Check the wiki first. Ask before you delete.",
    "Rebase before you push. Squash fixups.",
    "The bridge has been closed to cars for years.",
    "My old laptop has been given to Eva.",
    "Approved suppliers are in the list of the finance team.",
    "Landed costs include customs and freight.",
    "Closed tickets are archived after 90 days.",
    "The status field of a ticket may be open, blocked or done.",
]


@pytest.mark.parametrize("content", NEIGHBOURS)
def test_rules_for_work_and_plain_facts_are_no_status_plan_or_withdrawal(content: str) -> None:
    assert [code for code in codes(saying(content), "H") if code != "H004"] == []


@pytest.mark.parametrize(
    ("code", "content", "line"),
    [
        ("H003", "DEPRECATED: the old host is h1.", 9),
        ("H003", "\nObsolete: x", 10),
        ("H003", "\nThis is deprecated.\n\nDEPRECATED: use b", 12),
        ("H003", "First.\n\n- Superseded by [[b]]", 11),
        ("H006", "* * *\n\nStatus: done", 11),
        ("H006", "---\nTODO: write it", 10),
        ("H007", "One.\n\n- Plan: rewrite it", 11),
        ("H007", "...\n\nPhase 1: the schema", 11),
        ("H009", "Intro.\n\n" + "Check the log. " * 8, 11),
    ],
)
def test_blank_lines_and_marks_before_it_do_not_shift_the_line(code: str, content: str, line: int) -> None:
    text = f"---\nname: alpha\ndescription: About alpha\ntype: project\nsource: agent\ncreated: 2026-10-01\nupdated: 2026-11-01\n---\n{content}\n"
    assert found(a_subject({"alpha.md": text}), code)[0].line == line


def test_a_value_is_found_where_it_stands_and_not_where_its_letters_stand_before() -> None:
    one, other = "Host 15 of the hall has 5 disks in its lower bay", "Host 15 of the hall has 7 disks in its lower bay"
    assert lines(saying(one, other), "H003") == [("alpha.md", 9, 25), ("beta.md", 9, 25)]


def test_hygiene_is_never_an_error() -> None:
    for texts in FIRES.values():
        for text in texts:
            findings = check_store(saying(text), EVERY).findings
            assert all(finding.severity is not Severity.ERROR for finding in findings if finding.rule[0] == "H")


def test_a_rule_that_is_off_is_not_run() -> None:
    quiet = EVERY._replace(enabled=frozenset({"H004"}))
    assert check_store(saying("The demo is tomorrow", "The demo is tomorrow"), quiet).findings == []
    subject = saying("The demo is tomorrow", "The demo is tomorrow")
    for code in ("H001", "H005", "H010"):
        on = EVERY._replace(enabled=frozenset({code}))
        assert {finding.rule for finding in check_store(subject, on).findings} <= {code}


# Duplicates.


@pytest.mark.parametrize(
    "other",
    ["The relay is in Oslo.", "the  relay is\nin oslo.", "THE RELAY IS IN OSLO.", "\tThe relay is in Oslo. ", "Ｔｈｅ relay is in Oslo."],
)  # fmt: skip
def test_two_memories_that_say_the_same_are_both_named(other: str) -> None:
    one, two = found(saying("The relay is in Oslo.", other), "H001")
    assert (one.file, one.line, one.related) == ("alpha.md", 9, ("beta.md",))
    assert two.message == "it says the same as 'alpha.md'"


@pytest.mark.parametrize(
    "text", ["Über die Größe der Dateien", "회의는 매주 월요일에", "ドキュメントはデータベースにある", "Người dùng thích trả lời ngắn", "Café opens at nine every weekday morning"]
)  # fmt: skip
def test_a_text_in_the_spelling_of_macos_is_a_copy_and_nothing_else(text: str) -> None:
    assert codes(saying(text, normalize("NFD", text)), "H") == ["H001", "H001"]


def test_two_memories_with_one_description_are_named_on_its_line() -> None:
    subject = a_subject(
        {
            "a.md": a_memory("a", description="Where the relay is", content="It is in Oslo."),
            "b.md": a_memory("b", description="where the relay  is", content="The relay has moved to Turku."),
        }
    )
    one, two = found(subject, "H001")
    assert (one.line, one.column, one.length) == (3, 14, 18)
    assert two.message == "its description is that of 'a.md' too"


def test_a_memory_that_is_a_copy_is_told_once() -> None:
    memory = a_memory("a", content="The relay is in Oslo.")
    subject = a_subject({"a.md": memory, "b.md": memory._replace(name="b")})
    assert [finding.message for finding in found(subject, "H001")] == [
        "it says the same as 'b.md'",
        "it says the same as 'a.md'",
    ]


def test_many_copies_are_counted() -> None:
    message = found(saying(*["The relay is in Oslo."] * 5), "H001")[0].message
    assert message == "it says the same as 'beta.md', 'delta.md', 'epsilon.md' and 1 more"


def test_an_alias_is_no_duplicate() -> None:
    data = hq.write(a_memory("a"))
    subject = a_subject({"a.md": data}, items=[an_item("b.md", data, link=Link("a.md", "a.md"))])
    assert found(subject, "H001") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("请用简体中文回答，代码注释用英文。", "请用简体中文回答代码注释用英文。"),
        ("回答は日本語で、コードは英語で書いてください", "回答は日本語でコードは英語で書いてください"),
        ("답변은 한국어로, 주석은 영어로 작성하세요", "답변은 한국어로 주석은 영어로 작성하세요"),
        ("Отвечай по-русски, комментарии пиши на английском", "Отвечай по-русски комментарии пиши на английском"),
        ("The nightly backup job copies the ledger to the archive host", "The nightly backup job copies the ledger to archive host"),
        ("Use four spaces in Python files; never tabs", "Use four spaces in Python files, never tabs!"),
        ("ตอบเป็นภาษาไทยเสมอและใช้ภาษาอังกฤษในโค้ด", "ตอบเป็นภาษาไทยเสมอ และใช้ภาษาอังกฤษในโค้ด"),
        ("اكتب الردود باللغة العربية، والتعليقات بالإنجليزية", "اكتب الردود باللغة العربية والتعليقات بالإنجليزية"),
    ],
)  # fmt: skip
def test_nearly_the_same_is_found_in_any_script(one: str, other: str) -> None:
    findings = found(saying(one, other), "H002")
    assert [(finding.file, finding.related) for finding in findings] == [
        ("alpha.md", ("beta.md",)),
        ("beta.md", ("alpha.md",)),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("例会在二楼的大厅，每次都在星期一", "例会在二楼的大厅，每次都在星期二"),
        ("缩进用三个空格，不用制表符", "缩进用四个空格，不用制表符"),
        ("部署的邮件通知默认开启", "部署的邮件通知默认关闭"),
        ("部署的邮件通知默认关闭", "部署的邮件通知默认开启"),
        ("団体の定例会議は毎月第一月曜日に開く", "団体の定例会議は毎月第一火曜日に開く"),
        ("注文番号A10x7の箱は倉庫の奥の棚", "注文番号A12x7の箱は倉庫の奥の棚"),
        ("ＡＢ会議室の椅子は10脚で、机はない", "AB会議室の椅子は25脚で、机はない"),
        ("注文の処理はPythonで書く予定でした", "注文の処理はGoで書く予定でした"),
    ],
)
def test_in_scripts_without_blanks_a_value_is_seen_too(one: str, other: str) -> None:
    findings = [finding for finding in check_store(saying(one, other), EVERY).findings if finding.rule[0] == "H"]
    assert [finding.rule for finding in findings] == ["H003", "H003"]
    assert findings[0].line == 9


def test_the_ratio_is_a_setting() -> None:
    subject = saying("The deploy job runs at nine every day", "The deploy job runs at nine each day")
    assert found(subject, "H002", EVERY._replace(near=0.97)) == []
    assert found(subject, "H002", EVERY._replace(near=0.8))[0].message.startswith(
        "it says nearly the same as 'beta.md': "
    )


def test_what_is_merely_about_one_thing_is_no_near_duplicate() -> None:
    assert (
        found(saying("The relay is in Oslo, beside the archive", "The relay is slow when the archive is full"), "H002")
        == []
    )


def test_a_user_memory_that_was_not_read_has_no_notes() -> None:
    assert codes(user_memory("")._replace(items=(an_item("memory.md", None),)), "H") == []


def test_notes_are_compared_as_well() -> None:
    subject = user_memory("- (2026-05-03 22:14 UTC) prefer pytest over unittest\r\n- prefer pytest  over unittest\r\n")
    one, two = found(subject, "H001")
    assert (one.line, one.message) == (1, "it says the same as 'note 2'")
    assert (two.line, two.message) == (2, "it says the same as 'note 1'")


# Contradictions.


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The region is Berlin.", "The region is Toronto."),
        ("The default branch is main", "the default branch is master"),
        ("- The api port is 8080", "The api port is 9090."),
        ("Always squash the commits", "Never squash the commits"),
        ("Use emojis in headings", "Do not use emojis in headings"),
        ("User prefers tabs over spaces", "User prefers spaces over tabs"),
        ("Mei lives in Oslo", "Mei lives in Turku"),
        ("Deploy region: Berlin", "Deploy region: Toronto"),
        ("The monthly budget of the team for cloud hosts is about 100 EUR for now", "The monthly budget of the team for cloud hosts is about 250 EUR for now"),
        ("数据库是MySQL", "数据库是PostgreSQL"),
        ("User prefers dark mode.", "User prefers light mode."),
        ("The user prefers short answers", "The user prefers long answers"),
        ("The user likes coffee", "The user does not like coffee"),
        ("The user likes coffee", "The user doesn’t like coffee"),
        ("The job tries again", "The job does not try again"),
        ("Mei watches the queue", "Mei does not watch the queue"),
        ("The user likes coffee", "The user dislikes coffee"),
        ("Mei can join on Mondays", "Mei can't join on Mondays"),
        ("The database is Postgres 15.", "Update: the database is now Postgres 17."),
        ("The favourite colour of the user is green", "The user's favorite color is blue"),
        ("Billing uses Stripe", "Billing uses Adyen"),
        ("We use Postgres for billing", "We use MySQL for billing"),
        ("We use Foo for billing", "We use Bar for billing"),
        ("Tests run with pytest", "Tests run with unittest"),
        ("Tests run on the AWS", "Tests run on the Azure"),
        ("Der Standardbranch ist main.", "Der Standardbranch ist develop."),
        ("用户住在柏林", "用户住在新加坡"),
        ("担当者は田中です", "担当者は鈴木です"),
        ("田中は大阪に住んでいます", "田中は東京に住んでいます"),
        ("用户喜欢咖啡", "用户不喜欢咖啡"),
        ("用户喜欢咖啡", "用户讨厌咖啡"),
        ("每周例会在星期一", "每周例会在星期二"),
        ("定例会議は月曜日です", "定例会議は火曜日です"),
        ("缩进用三个空格，不用制表符", "缩进用四个空格，不用制表符"),
        ("项目的缩进是2个空格，不用制表符", "项目的缩进是16个空格，不用制表符"),
        ("部署之后总是通知小王和小李", "部署之后从不通知小王和小李"),
        ("部署通知发给小王和小李的时候默认开启", "部署通知发给小王和小李的时候默认关闭"),
        ("テストを使います", "テストを使いません"),
        ("담당자는 김철수입니다", "담당자는 이영희입니다"),
        ("La langue du projet est le français", "La langue du projet est l'anglais"),
        ("La rama por defecto es main", "La rama por defecto es develop"),
        ("Der Nutzer mag Kaffee", "Der Nutzer mag keinen Kaffee"),
        ("Anna wohnt in Berlin", "Anna wohnt in Hamburg"),
        ("L'utilisateur aime le café", "L'utilisateur n'aime pas le café"),
        ("Пользователь любит кофе", "Пользователь не любит кофе"),
        ("Das Treffen ist immer am Montag", "Das Treffen ist immer am Dienstag"),
        ("Answer in German", "Answer in French"),
        ("Notifications in the office channel stay on during the night", "Notifications in the office channel stay off during the night"),
    ],
)  # fmt: skip
def test_one_subject_with_two_values_is_a_hint(one: str, other: str) -> None:
    findings = found(saying(one, other), "H003")
    assert {finding.file for finding in findings} == {"alpha.md", "beta.md"}
    assert all(finding.line == 9 for finding in findings)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The build is slow", "The build is large"),
        ("The region is Berlin.", "The region is Berlin"),
        ("It is Berlin", "It is Toronto"),
        ("**Why:** two invoices were off", "**Why:** people search for tasks"),
        ("Always squash the commits", "Always squash the fixups"),
        ("The team uses pytest", "The team uses Jira"),
        ("The project uses Postgres", "The project uses Redis"),
        ("The user knows Postgres well", "The user knows MySQL well"),
        ("The user speaks German", "The user speaks French"),
        ("用户是程序员", "用户是素食者"),
        ("项目是一个网站", "项目是用Go写的"),
        ("テストは必要です", "テストは重要です"),
        ("The database is used by Mei", "The database is kept by Tom"),
        ("Her favourite colour is Blue", "His favourite colour is Green"),
        ("One of the hosts is H1", "One of the hosts is H2"),
        ("Der Garten ist Arbeit", "Der Garten ist Freude"),
        ("The user likes coffee", "The user likes tea"),
        ("User: ada; database: shop_dev", "The database is Postgres 16"),
        ("用户喜欢咖啡", "用户喜欢茶"),
        ("Docs exist in German", "Docs exist in French"),
        ("Billing never uses Stripe", "Billing uses Adyen"),
        ("Uses Stripe", "Uses Adyen"),
        ("The job does", "The job does not"),
        ("Stop it, the job does not", "The job waits"),
        ("Billing uses Stripe or Adyen", "Billing uses Stripe or Mollie"),
        ("The team works in New York every day of the year", "Team work in old towns is fun every day of the year"),
        ("Ask Mei and then Tom about the keys of the lab", "Ask Ana and then Ben about the doors of the lab"),
        ("用户去过柏林三次都喜欢", "用户去过巴黎两次都喜欢"),
        ("Owner of the relay: Mei", "Owner of the archive: Tom"),
        ("The user is in the office", "The user is at home"),
        ("Write short sentences", "Never use idioms"),
        ("See the wiki", "See the tracker"),
        ("Not now", "Never"),
    ],
)
def test_two_facts_that_may_both_hold_are_no_contradiction(one: str, other: str) -> None:
    assert found(saying(one, other), "H003") == []


def test_two_values_in_one_memory_are_no_contradiction() -> None:
    assert found(saying("The region is Berlin. The region is Toronto."), "H003") == []


def test_a_memory_of_thousands_of_claims_is_not_slow() -> None:
    from time import process_time

    start = process_time()
    on = EVERY._replace(enabled=frozenset({"H003"}))
    found(saying("".join(f"The region is R{number}. " for number in range(20_000)), "The region is Oslo."), "H003", on)
    assert process_time() - start < 10


@pytest.mark.parametrize(
    ("old", "new"),
    [("plan", "plan-v2"), ("plan", "plan-new"), ("plan", "plan-2"), ("plan-v1", "plan-v2"), ("plan-old", "plan"), ("plan", "plan-final")],
)  # fmt: skip
def test_a_name_that_says_that_it_is_another_version_is_a_hint_on_the_older(old: str, new: str) -> None:
    subject = a_subject(
        {f"{name}.md": a_memory(name, content=text) for name, text in ((old, "One thing"), (new, "The other"))}
    )
    (hint,) = found(subject, "H003")
    assert (hint.file, hint.related) == (f"{old}.md", (f"{new}.md",))


@pytest.mark.parametrize(
    "names", [("plan-007", "plan-008"), ("news", "new"), ("team-v2", "crew"), ("plan-v1", "plan-v3")]
)
def test_a_number_at_the_end_of_a_name_alone_says_nothing(names: tuple[str, str]) -> None:
    subject = a_subject(
        {
            f"{name}.md": a_memory(name, content=text)
            for name, text in zip(names, ("One thing", "The other"), strict=True)
        }
    )
    assert found(subject, "H003") == []


@pytest.mark.parametrize(
    "content",
    [
        "This memory is obsolete.",
        "Superseded by [[alpha]]",
        "Outdated: see the wiki",
        "This no longer applies.",
        "~~The host is h1.~~ The host is h2.",
        "The rule about tabs is no longer valid.",
        "The decision is no longer true since May.",
    ],
)
def test_a_memory_that_says_that_it_no_longer_holds_is_a_hint(content: str) -> None:
    assert found(saying(content), "H003")[0].message.startswith("it says that it no longer holds: ")


@pytest.mark.parametrize("key", ["superseded_by: beta", "replaced-by: beta", "status: superseded", "deprecated: true"])
def test_a_key_that_says_that_a_memory_no_longer_holds_is_a_hint_at_its_value(key: str) -> None:
    text = hq.serialize(a_memory("a"), [key])
    (hint,) = found(a_subject({"a.md": text}), "H003")
    assert (hint.line, hint.column) == (8, key.index(":") + 3)


@pytest.mark.parametrize(
    "key", ["supersedes: old", "replaces: [[old]]", "supersedes: [old, gone]", "supersedes: a, old.md"]
)
def test_a_memory_that_replaces_another_is_a_hint_on_the_other(key: str) -> None:
    text = hq.serialize(a_memory("a"), [key])
    (hint,) = found(a_subject({"a.md": text, "old.md": a_memory("old", content="It was so")}), "H003")
    assert (hint.file, hint.related) == ("old.md", ("a.md",))


@pytest.mark.parametrize("key", ["superseded_by: null", "status: active", "supersedes: gone", "deprecated: false"])
def test_a_key_that_withdraws_nothing_is_silent(key: str) -> None:
    assert found(a_subject({"a.md": hq.serialize(a_memory("a"), [key])}), "H003") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Indent with 2 spaces in every file of the project", "Indent with 4 spaces in every file of the project"),
        ("The service needs Python 3.11 on every host", "The service needs Python 3.13 on every host"),
        ("The weekly review meeting is on Monday at nine", "The weekly review meeting is on Tuesday at nine"),
        ("The office of the whole team is in New York now", "The office of the whole team is in Berlin now"),
        ("The user likes long walks in the evening", "The user does not like long walks in the evening"),
        ("会议在星期一", "会议在星期二"),
    ],
)
def test_what_differs_in_a_value_is_a_contradiction_and_no_near_duplicate(one: str, other: str) -> None:
    assert codes(saying(one, other), "H") == ["H003", "H003"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use four spaces in each Python file of the team", "Prefer four spaces in each Python file of the team"),
        ("The relay is in Oslo. It is old and loud", "The relay is in Oslo. It is old, loud"),
        ("Ask the people of the archive for a key to the hall", "Ask people of the archive for key to hall"),
        ("The region is Oslo. Ask Tom about the relay there", "The region is Oslo. Ask Tom about a relay there"),
    ],
)
def test_other_words_for_one_fact_are_a_near_duplicate(one: str, other: str) -> None:
    assert set(codes(saying(one, other), "H")) == {"H002"}


@pytest.mark.parametrize(
    "content", ["pr 1 " * 40_000, "the " * 50_000, "~~a " * 50_000, "branch " * 30_000, "用户：" * 60_000, "2026年1月" * 30_000, "it is " * 30_000, "'s of " * 30_000]
)  # fmt: skip
def test_no_text_makes_hygiene_slow(content: str) -> None:
    from time import process_time

    on = EVERY._replace(enabled=frozenset(code for code in EVERY.enabled if code[0] == "H"))
    start = process_time()
    check_store(saying(content, content + "x"), on)
    assert process_time() - start < 10


# Times.


def test_a_memory_that_was_not_updated_for_long_is_stale_at_its_date() -> None:
    subject = a_subject({"a.md": a_memory("a", created="2025-01-01", updated="2025-02-03")})
    (finding,) = found(subject, "H004")
    assert (finding.line, finding.column, finding.length) == (7, 10, 10)
    assert finding.message == "not updated for 665 days, since 2025-02-03"


@pytest.mark.parametrize(("updated", "days"), [("2026-11-01", 180), ("2025-02-03", 1000), ("soon", 1)])
def test_what_is_young_enough_or_without_a_date_is_not_stale(updated: str, days: int) -> None:
    subject = a_subject({"a.md": a_memory("a", created="2025-01-01", updated=updated)})
    assert found(subject, "H004", EVERY._replace(stale_days=days)) == []


def test_a_stale_memory_is_shown_at_its_date_and_not_at_another_key_with_that_day() -> None:
    text = hq.serialize(a_memory("a", created="2025-02-03", updated=""), ["seen: 2025-02-03"])
    (finding,) = found(a_subject({"a.md": text}), "H004")
    assert text.split("\n")[(finding.line or 0) - 1] == "created: 2025-02-03"


def test_an_old_note_is_stale() -> None:
    (finding,) = found(user_memory("- (2025-05-03 22:14 UTC) prefer pytest\n- by hand\n"), "H004")
    assert (finding.line, finding.message) == (1, "not updated for 576 days, since 2025-05-03")


@pytest.mark.parametrize(
    "key", ["valid_until", "valid-until", "expires", "Expiry", "expires_at", "invalid_at", "invalidAt"]
)
def test_a_key_that_says_until_when_it_holds_counts(key: str) -> None:
    text = hq.serialize(a_memory("a"), [f"{key}: 2025-12-31"])
    (finding,) = found(a_subject({"a.md": text}), "H005")
    assert (finding.line, finding.column, finding.message) == (
        8,
        len(key) + 3,
        f"'{key}' is 2025-12-31: its time is over",
    )


@pytest.mark.parametrize("value", ["2027-01-01", "never", "", "2026-11-30"])
def test_a_key_whose_day_is_not_over_is_silent(value: str) -> None:
    text = hq.serialize(a_memory("a"), [f"valid_until: {value}"])
    assert found(a_subject({"a.md": text}), "H005") == []


def test_a_relative_date_in_a_description_is_found_there_once() -> None:
    subject = a_subject({"a.md": a_memory("a", description="The demo is tomorrow, yes tomorrow", content="It is.")})
    assert lines(subject, "H010") == [("a.md", 3, 26)]


def test_of_two_relative_dates_in_one_place_the_longer_is_told() -> None:
    assert lines(saying("The demo is the day after tomorrow"), "H010") == [("alpha.md", 9, 13)]


# What is not for memory, in notes.


def test_a_long_note_is_long_instructions() -> None:
    text = " ".join(f"Sentence number {number} of it." for number in range(7))
    (finding,) = found(user_memory(f"- short. One.\n- {text}\n"), "H009")
    assert finding.line == 2


def test_a_note_is_found_at_its_column_behind_the_stamp() -> None:
    subject = user_memory(
        "# Notes\n- (2026-11-03 22:14 UTC) PR #12 is waiting for review\n  and the demo is tomorrow\n"
    )
    assert lines(subject, "H006") == [("memory.md", 2, 26)]
    assert lines(subject, "H010") == [("memory.md", 3, 19)]


# Links.


@pytest.mark.parametrize("link", ["[[gone]]", "[[gone|the plan]]", "[[gone#part]]", "[[gone.md]]", "[[ gone ]]"])
def test_a_link_to_no_memory_is_dead(link: str) -> None:
    (finding,) = found(saying(f"See {link} and [[beta]]", "Nothing"), "H011")
    assert (finding.file, finding.line, finding.column, finding.length) == ("alpha.md", 9, 5, len(link))
    assert finding.message == "no memory is named 'gone'"


def test_a_dead_link_says_what_was_meant() -> None:
    assert (
        found(saying("See [[betta]]", "Nothing"), "H011")[0].message
        == "no memory is named 'betta'; did you mean 'beta'?"
    )


@pytest.mark.parametrize(
    "text",
    ["[[beta]]", "[[beta|it]]", "[[beta#x]]", "[[beta.md]]", "[[MEMORY]]", "[[#part]]", "`[[ -f x ]]`", "[[ $a == b ]]",
     "```sh\n[[gone]]\n```", "[[1, 2], [3]]", "[[tool.mypy]]", "[[nodiscard]]", "![[picture]]", "[[https://x.example]]", "[[]]"],
)  # fmt: skip
def test_a_link_that_leads_somewhere_or_is_none_is_not_dead(text: str) -> None:
    assert found(saying(text, "Nothing"), "H011") == []


def test_a_link_may_name_the_name_inside_of_a_file() -> None:
    subject = a_subject({"a.md": a_memory("a", content="See [[inner]]"), "b.md": a_memory("inner")})
    assert found(subject, "H011") == []


def test_the_user_memory_has_no_links() -> None:
    assert found(user_memory("- see [[gone]]\n"), "H011") == []
