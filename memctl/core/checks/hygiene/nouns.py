"""What has one value at a time, in some languages: two memories that name another one do not both hold."""

from __future__ import annotations

SINGLE = frozenset(
    "branch region port language name owner host timezone zone version database editor deadline budget limit colour"
    " format currency city country framework indent indentation shell os role team manager title model theme locale"
    " provider registry bucket cluster path directory folder url address email number width size timeout interval day time"
    " date frequency license licence runner package-manager manager bundler formatter linter birthday hometown employer"
    " boss".split()
)
# In these languages the noun stands first (`la branche par défaut`) or ends a longer word (`Standardbranch`).
_OTHERS = (
    "branche langue couleur ville pays port version monnaie devise délai budget fuseau éditeur région nom"
    " rama idioma color ciudad país puerto versión moneda plazo presupuesto región nombre huso base"
    " ramo lingua colore città porta versione valuta scadenza regione nome fuso"
    " língua cor cidade porta versão moeda prazo orçamento região"
    " taal kleur stad poort versie munt regio naam"
    " ветка язык цвет город страна порт версия валюта срок бюджет регион имя"
)
_OTHER_SINGLE = frozenset(_OTHERS.split())
_ENDINGS = (
    "branch", "sprache", "datenbank", "port", "region", "zeitzone", "währung", "farbe", "frist", "server", "ordner",
    "pfad", "version", "editor", "chef", "chefin", "leiter", "leiterin", "stadt", "adresse", "nummer", "datum",
    "uhrzeit", "titel", "name", "größe", "format", "lizenz", "budget", "limit", "thema", "besitzer", "wohnort",
)  # fmt: skip
HAN_SINGLE = (
    "担当者", "担当", "責任者", "上司", "名前", "部長", "課長", "社長", "リーダー", "マネージャー", "住所", "期限", "締め切り", "締切",
    "納期", "予算", "言語", "データベース", "ブランチ", "ポート", "リージョン", "バージョン", "色", "形式", "通貨", "都市", "国", "曜日",
    "時間", "場所", "エディタ", "タイムゾーン", "誕生日", "출생지", "담당자", "책임자", "데이터베이스", "포트", "언어", "지역", "버전", "색",
    "마감일", "예산", "도시", "이름", "브랜치", "생일",
)  # fmt: skip
# What a person is may be many things at once.
PERSONS = (
    "用户",
    "用戶",
    "他",
    "她",
    "我",
    "你",
    "团队",
    "團隊",
    "我们",
    "客户",
    "项目",
    "專案",
    "这",
    "那",
    "它",
    "这个",
    "问题",
    "目标",
)


def is_single(subject: list[str]) -> bool:
    """Return whether a subject, in words, has one value at a time."""
    if subject[-1] in SINGLE or "favourite" in subject:
        return True
    return not _OTHER_SINGLE.isdisjoint(subject) or subject[-1].endswith(_ENDINGS)
