"""The phrases of planted text in other languages than English: the same orders, as people give them there.

A memory is not in English because it is harmless. As those of phrases.py, they are data.
"""

from __future__ import annotations

from memctl.core.checks.prompts.phrases import DROPPING, POSING, REVEALING, ROLE, Phrase
from memctl.core.checks.prompts.phrases_deeds import GIVING, HIDING, PATH_WORDS, PATHS

# Where something is sent, and what stands before it.
_TO = r"(?:https?://|ftp://|[\w.+-]{1,60}@[\w-]{1,60}\.)"
_WAY = r"[^\n!?]{0,50}?"
_IBERIAN = (
    "contraseñas?|claves? (?:de (?:la |las )?)?(?:api|privadas?|ssh|secretas?|acceso)|credencia(?:les|is)|secretos|segredos|tokens?"
    "|variables de entorno|variáveis de ambiente|conversaci(?:ón|ones)|conversas?|historial|histórico|senhas?|palavras-passe"
    "|chaves? (?:de |da |de acesso da )?(?:api|privadas?|ssh|secretas?|acesso)"
)


def _or_path(secrets: str) -> str:
    """Return a pattern of one of these soon after a verb, for `send the form for a lost password` is none, or of a file that holds secrets."""
    return rf"(?:[^\n!?]{{0,14}}?(?<![\w-])(?:{secrets})(?![a-z])|[^\n!?]{{0,30}}?{PATHS})"


def _not(words: str) -> str:
    """Return what is no order: `schicke nie` in place of `schicke`."""
    return rf"(?![^\n.!?]{{0,60}}\b(?:{words})\b)"


ABROAD: tuple[Phrase, ...] = (
    Phrase(DROPPING, "ignorier|vergiss|missachte|übergehe|beachte",
     r"(?:(?:ignorier(?:e|t|en)?|vergiss|missachten?|übergehen?)\b(?![^\n.!?]{0,80}\b(?:nicht|nie|niemals)\b)|beachten?\b[^\n.!?]{0,12}\b(?:nicht|keine)\b)[^\n.!?]{0,40}\b(?:vorherig|bisherig|obig|vorig|vorangegangen|früher|alle|deine|sämtlich)\w{0,4}\b"
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
     r"[^\n。！？]{2,16}?(?:指示|命令|プロンプト|ルール|指令)[^\n。！？]{0,8}(?:無視|忘れ(?!ない|ず)|従わない)(?!し?ない|せず|禁止)"),
    Phrase(DROPPING, "이전|위의|앞의|지금까지|모든|시스템",
     r"[^\n.!?]{2,16}?(?:지시|명령|지침|프롬프트|규칙)[^\n.!?]{0,8}(?:무시(?!하지 ?(?:마|말|않))|잊(?!지 ?(?:마|말|않)))"),
    Phrase(DROPPING, "önceki|yukarıdaki|tüm",
     r"\w{3,10}[^\n.!?]{0,20}talimat\w{0,8}[^\n.!?]{0,12}(?:görmezden gel(?!me)|yok say(?!ma)|unut(?!ma|ul|tur)|dikkate alma)"),
    Phrase(DROPPING, "bỏ qua|phớt lờ|quên", r"[^\n.!?]{4,24}?(?:tất cả|mọi|các)[^\n.!?]{0,12}(?:hướng dẫn|chỉ dẫn|chỉ thị)"),
    Phrase(DROPPING, "تجاهل|انس", r"[^\n.!?]{3,24}?(?:التعليمات|الأوامر)[^\n.!?]{0,12}(?:السابقة|أعلاه)"),
    Phrase(DROPPING, "पिछले|सभी|उपरोक्त", r"[^\n.!?]{3,26}?निर्देश\w{0,4}[^\n.!?]{0,12}(?:अनदेखा|नज़रअंदाज़|(?<!न )(?<!मत )भूल)(?! न | ?मत)"),
    # Forget your rules.
    Phrase(DROPPING, "oublie|ignore|ignorez|oubliez|abandonne",
     r"(?:oubliez?|ignorez?|abandonnez?)\b(?! pas\b| jamais\b)[^\n.!?]{0,20}?\b(?:tes|vos) (?:\w{1,12} )?(?:instructions|consignes|directives|règles|restrictions|contraintes|limites)\b",
     ("instructions|consignes|directives|gles|restrictions|contraintes|limites", "tes|vos", "oublie|oubliez|ignore|ignorez|abandonne|abandonnez")),
    Phrase(DROPPING, "olvida|olvide|ignora|ignore|descarta|abandona",
     r"(?:olvid[ae]|ignor[ae]|descart[ae]|abandon[ae])(?:te de)?\b[^\n.!?]{0,16}?\btus (?:\w{1,12} )?(?:instrucciones|reglas|restricciones|directrices|normas|limitaciones)\b",
     ("instrucciones|reglas|restricciones|directrices|normas|limitaciones", "tus")),
    Phrase(DROPPING, "esqueça|esquece|ignore|desconsidere",
     r"(?:esqueça|esquece|ignore|desconsidere)\b[^\n.!?]{0,16}?\b(?:suas|tuas) (?:\w{1,12} )?(?:instruções|regras|restrições|diretrizes|limitações)\b",
     ("instru|regras|restri|diretrizes|limita", "suas|tuas")),
    Phrase(DROPPING, "dimentica|ignora|scorda",
     r"(?:dimentica(?:ti)?|ignora|scorda(?:ti)?)\b[^\n.!?]{0,16}?\b(?:le )?tue (?:\w{1,12} )?(?:istruzioni|regole|restrizioni|limitazioni|linee guida)\b", ("istruzioni|regole|restrizioni|limitazioni|linee", "tue")),
    Phrase(DROPPING, "vergeet|negeer",
     r"(?:vergeet|negeer)\b(?![^\n.!?]{0,60}\b(?:niet|nooit)\b)[^\n.!?]{0,12}?\b(?:je|jouw|uw) (?:\w{1,12} )?(?:instructies|regels|beperkingen|richtlijnen|opdrachten)\b", ("instructies|regels|beperkingen|richtlijnen|opdrachten", "je|jouw|uw")),
    Phrase(DROPPING, "zapomnij|zignoruj|ignoruj|porzuć",
     r"(?:zapomnij o|zignoruj|ignoruj|porzuć)\b[^\n.!?]{0,16}?\b(?:swo(?:ich|je|im)|two(?:ich|je|im)) (?:\w{1,14} )?(?:zasad\w{0,3}|instrukcj\w{1,4}|reguł\w{0,3}|ograniczeni\w{1,3})",
     ("swoich|swoje|swoim|twoich|twoje|twoim",)),
    Phrase(DROPPING, "glöm|ignorera|strunta i|glem|ignorer",
     r"(?:glöm|ignorera|strunta i|glem|ignorer)\b(?! inte| ikke| aldri)[^\n.!?]{0,16}?\b(?:dine|dina) (?:\w{1,12} )?(?:instruktioner|instrukser|regler|begränsningar|begrænsninger|begrensninger|riktlinjer|retningslinjer)\b",
     ("instruktioner|instrukser|regler|nsningar|nsninger|begrensninger|riktlinjer|retningslinjer",)),
    Phrase(DROPPING, "abaikan|lupakan",
     r"(?:abaikan|lupakan)\b[^\n.!?]{0,16}?\b(?:(?:aturan|instruksi|batasan|perintah|pedoman)(?:mu\b| anda\b| kamu\b| sistem\b| sebelumnya\b| sebelum ini\b| di atas\b))", ("aturanmu|aturan|instruksi|instruksimu|batasan|batasanmu|perintah|perintahmu|pedoman|pedomanmu",)),
    Phrase(DROPPING, "забудь|игнорируй|отбрось", r"(?:забудьте|забудь|игнорируйте|игнорируй|отбрось)\b[^\n.!?]{0,24}?\b(?:сво[иё]|твои|ваши)\w{0,2} (?:\w{1,14} )?(?:правил|инструкц|ограничени|указани)"),
    Phrase(DROPPING, "забудь|ігноруй|відкинь", r"(?:забудьте|забудь|ігноруйте|ігноруй|відкинь)\b[^\n.!?]{0,24}?\b(?:свої|твої|ваші|усі|всі)\w{0,2} (?:\w{1,14} )?(?:правил|інструкці|обмежен|вказів)"),
    Phrase(DROPPING, "あなたの|君の|自分の", r"[^\n。！？]{2,8}?(?:指示|命令|プロンプト|ルール|規則|制約|制限)[^\n。！？]{0,8}(?:無視し(?!ない)|忘れ(?!ない|ず)|従わないで)"),
    Phrase(DROPPING, "너의|네|당신의", r"[^\n.!?]{1,8}?(?:지시|명령|지침|프롬프트|규칙|제약|제한)[^\n.!?]{0,8}(?:무시(?!하지 ?(?:마|말|않))|잊(?!지 ?(?:마|말|않)))"),
    Phrase(DROPPING, "kurallarını|kurallarınızı|talimatlarını|talimatlarınızı|sınırlamalarını|kısıtlamalarını",
     r"(?:(?:kural|talimat)larını(?:zı)?|(?:sınır|kısıt)lamalarını)(?!\w)[^\n.!?]{0,12}?(?:görmezden gel(?!me)|yok say(?!ma)|unut(?!ma|ul|tur)|dikkate alma(?:y|\b))", ("kurallar|talimatlar|rlamalar|tlamalar",)),
    Phrase(DROPPING, "quên|bỏ qua|phớt lờ", r"[^\n.!?]{3,24}?(?:tất cả |mọi |hết |toàn bộ |các )(?:những |các )?(?:quy tắc|luật lệ|giới hạn)(?=\s{0,3}(?:[.!,;]|$|của bạn|trước|và ))"),
    Phrase(DROPPING, "انس", r"انس[ًَُِّْ]{0,2}ي? (?:كل|جميع)? ?(?:القواعد|قواعدك|التعليمات|تعليماتك|القيود|قيودك)"),
    Phrase(DROPPING, "تجاهل|تخط", r"(?:تجاهلي?|تخطّ?) (?:كل |جميع )?(?:قواعدك|تعليماتك|قيودك|إرشاداتك)"),
    Phrase(DROPPING, "अपने|अपनी|सभी|सारे", r"[^\n।.!?]{3,24}?(?:नियम|निर्देश|सीमा)[^\n।.!?]{0,8}(?:अनदेखा कर|(?<!न )(?<!मत )भूल जा)"),
    # Your rules no longer apply.
    Phrase(DROPPING, "deine|ihre",
     r"(?:deine|ihre) (?:\w{1,14} )?(?:anweisungen|regeln|vorgaben|einschränkungen|richtlinien) (?:gelten (?:ab \w{1,10} )?nicht(?: mehr| länger)|sind (?:hiermit )?(?:aufgehoben|ungültig|nichtig|außer kraft))\b",
     ("anweisungen|regeln|vorgaben|nkungen|richtlinien", "gelten|sind")),
    Phrase(DROPPING, "tes|vos", r"(?:tes|vos) (?:instructions|consignes|directives|règles|restrictions) (?:ne s'appliquent plus|ne sont plus valables|sont (?:annulées|levées|caduques))", ("tes|vos", "plus|annul|lev|caduques")),
    Phrase(DROPPING, "tus", r"tus (?:instrucciones|reglas|restricciones|normas) (?:ya no (?:se aplican|aplican|valen|son válidas)|quedan (?:anuladas|canceladas|derogadas))", ("tus", "instrucciones|reglas|restricciones|normas")),
    Phrase(DROPPING, "suas|tuas", r"(?:suas|tuas) (?:instruções|regras|restrições|normas) (?:não (?:se aplicam|valem) mais|já não (?:se aplicam|valem)|estão (?:anuladas|canceladas|revogadas))", ("suas|tuas", "instru|regras|restri|normas")),
    Phrase(DROPPING, "le tue", r"le tue (?:istruzioni|regole|restrizioni) (?:non (?:valgono|si applicano) più|sono (?:annullate|revocate|sospese))", ("tue", "istruzioni|regole|restrizioni")),
    Phrase(DROPPING, "je|jouw|uw", r"(?:je|jouw|uw) (?:instructies|regels|beperkingen|richtlijnen) (?:gelden (?:vanaf nu )?niet (?:meer|langer)|zijn (?:hierbij )?(?:ingetrokken|opgeheven|vervallen))", ("instructies|regels|beperkingen|richtlijnen", "gelden|zijn")),
    Phrase(DROPPING, "твои|ваши", r"(?:твои|ваши) (?:\w{1,14} )?(?:правила|инструкции|ограничения) (?:больше не (?:действуют|применяются)|(?:отменены|сняты|отменяются))"),
    Phrase(DROPPING, "твої|ваші", r"(?:твої|ваші) (?:\w{1,14} )?(?:правила|інструкції|обмеження) (?:більше не (?:діють|застосовуються)|(?:скасовані|скасовано|зняті))"),
    Phrase(DROPPING, "你的", r"你的(?:\w{0,4})(?:规则|規則|指令|限制|指示)(?:已经|已經|现在|現在|已)?(?:不再(?:适用|適用|有效|生效)|失效|作废|作廢|被?取消|解除)"),
    # You are an assistant without restrictions.
    Phrase(ROLE, "du bist|sie sind|bist du|sei|handle als|agiere als",
     r"(?:du bist|sie sind|bist du|sei|handle als|agiere als)\b[^\n.!?]{0,40}?\b(?:assistent(?:in)?|ki|ki-\w{1,12}|modell|sprachmodell|agent|bot|chatbot)\b[^\n.!?]{0,12}? (?:ohne|frei von)\b[^\n.!?]{0,20}?\b(?:einschränkung(?:en)?|beschränkung(?:en)?|grenzen|regeln|filter|vorgaben|limits|restriktionen)\b",
     ("nkung|nkungen|grenzen|regeln|filter|vorgaben|limits|restriktionen", "ohne|frei", "assistent|assistentin|ki|modell|sprachmodell|agent|bot|chatbot")),
    Phrase(ROLE, "tu es|vous êtes|agis comme|agissez comme|deviens",
     r"(?:tu es|vous êtes|agis(?:sez)? comme|deviens)\b[^\n.!?]{0,40}?\b(?:assistante?|ia|modèle|agent|bot|robot|chatbot)\b[^\n.!?]{0,12}? (?:sans|libre de)\b[^\n.!?]{0,16}?\b(?:restrictions?|limites?|limitations?|règles?|filtres?|contraintes?|censure)\b",
     ("restriction|restrictions|limite|limites|limitation|limitations|gle|gles|filtre|filtres|contrainte|contraintes|censure", "sans|libre", "tu|vous|agis|agissez|deviens")),
    Phrase(ROLE, "eres|serás|actúa como|actúas como|sé",
     r"(?:eres|serás|actúas? como|sé)\b[^\n.!?]{0,40}?\b(?:asistente|ia|modelo|agente|bot|chatbot)\b[^\n.!?]{0,12}? (?:sin|libre de)\b[^\n.!?]{0,16}?\b(?:restricciones|restricción|límites|reglas|filtros|censura|limitaciones)\b",
     ("restricciones|restricci|mites|reglas|filtros|censura|limitaciones", "asistente|ia|modelo|agente|bot|chatbot", "sin|libre")),
    Phrase(ROLE, "você é|tu és|és|agora é|você será|aja como|atue como|seja",
     r"(?:você é|tu és|és|agora é|você será|aja como|atue como|seja)\b[^\n.!?]{0,40}?\b(?:assistente|ia|modelo|agente|bot|robô|chatbot)\b[^\n.!?]{0,12}? (?:sem|livre de)\b[^\n.!?]{0,16}?\b(?:restrições|restrição|limites|regras|filtros|censura|limitações)\b",
     ("restri|limites|regras|filtros|censura|limita", "assistente|ia|modelo|agente|bot|rob|chatbot", "sem|livre")),
    Phrase(ROLE, "sei|sarai|agisci come|comportati come",
     r"(?:sei|sarai|agisci come|comportati come)\b[^\n.!?]{0,40}?\b(?:assistente|ia|ai|modello|agente|bot|chatbot)\b[^\n.!?]{0,12}? (?:senza|libero da)\b[^\n.!?]{0,16}?\b(?:restrizioni|restrizione|limiti|regole|filtri|vincoli|censura|limitazioni)\b",
     ("restrizioni|restrizione|limiti|regole|filtri|vincoli|censura|limitazioni", "assistente|ia|ai|modello|agente|bot|chatbot", "senza|libero")),
    Phrase(ROLE, "je bent|u bent|jij bent|gedraag je als",
     r"(?:je bent|u bent|jij bent|gedraag je als)\b[^\n.!?]{0,40}?\b(?:assistent|ai|ai-\w{1,12}|model|taalmodel|agent|bot|chatbot)\b[^\n.!?]{0,12}? (?:zonder|vrij van)\b[^\n.!?]{0,16}?\b(?:beperkingen|beperking|limieten|grenzen|regels|filters|restricties)\b",
     ("beperkingen|beperking|limieten|grenzen|regels|filters|restricties", "zonder|vrij", "bent|gedraag")),
    Phrase(ROLE, "jesteś|bądź|działaj jako",
     r"(?:jesteś|bądź|działaj jako)\b[^\n.!?]{0,40}?\b(?:asystentem|asystentką|asystent|ai|sztuczną inteligencją|modelem|agentem|botem|chatbotem)\b[^\n.!?]{0,12}? bez\b[^\n.!?]{0,16}?(?:ograniczeń|zasad|reguł|limitów|filtrów|cenzury)(?![a-z])",
     ("asystentem|asystentk|asystent|ai|inteligencj|modelem|agentem|botem|chatbotem", "bez", "jeste|b|dzia")),
    Phrase(ROLE, "du är|du er|agera som",
     r"(?:du är|du er|agera som)\b[^\n.!?]{0,40}?\b(?:assistent|ai|ki|ai-\w{1,12}|modell?|språkmodell?|sprogmodel|agent|bot|chatbot)\b[^\n.!?]{0,12}? (?:utan|uden|uten)\b[^\n.!?]{0,12}?\b(?:begränsningar|begrænsninger|begrensninger|restriktioner|restriksjoner|regler|filter|filtre|gränser|grænser|grenser|spärrar)\b",
     ("utan|uden|uten", "assistent|ai|ki|model|modell|kmodel|kmodell|sprogmodel|agent|bot|chatbot", "du|agera")),
    Phrase(ROLE, "kamu|anda|bertindaklah sebagai",
     r"(?:kamu|anda|bertindaklah sebagai)\b[^\n.!?]{0,40}?\b(?:asisten|ai|model|agen|bot|chatbot)\b[^\n.!?]{0,12}? (?:tanpa|bebas dari)\b[^\n.!?]{0,12}?\b(?:batasan|pembatasan|aturan|filter|larangan|sensor)\b",
     ("tanpa|bebas", "batasan|pembatasan|aturan|filter|larangan|sensor")),
    Phrase(ROLE, "ты|вы|будь|действуй как",
     r"(?:ты|вы|будь|действуй как)\b[^\n.!?]{0,40}?\b(?:ассистент|помощник|ии\b|модел|агент|бот|чат-бот)\w{0,5}[^\n.!?]{0,16}? (?:без|свободн\w{1,4} от)\b[^\n.!?]{0,20}?\b(?:ограничени|правил|запрет|фильтр|цензур|лимит)"),
    Phrase(ROLE, "ти|ви|будь|дій як",
     r"(?:ти|ви|будь|дій як)\b[^\n.!?]{0,40}?\b(?:асистент|помічник|ші\b|модел|агент|бот|чат-бот)\w{0,5}[^\n.!?]{0,16}? без\b[^\n.!?]{0,20}?\b(?:обмежен|правил|заборон|фільтр|цензур|ліміт)"),
    Phrase(ROLE, "你|从现在|從現在", r"(?:你|从现在|從現在)[^\n。！？]{0,14}?(?:是|成为|成為|扮演|作为|作為)[^\n。！？]{0,10}?(?:没有|沒有|不受|无|無|毫无|毫無)[^\n。！？]{0,6}?(?:限制|约束|約束|规则|規則|审查|審查)(?:的|之)?[^\n。！？]{0,6}?(?:助手|助理|ai|人工智能|模型|机器人|機器人|代理)"),
    Phrase(ROLE, "あなたは|君は|お前は|これから|今から", r"[^\n。！？]{2,24}?(?:制限|制約|規則|ルール|フィルター|検閲)(?:の|が|を|に|も)?(?:ない|なし|無い|受けない|縛られない|一切ない)(?:の)?[^\n。！？]{0,10}?(?:ai|アシスタント|モデル|エージェント|ボット|人工知能)"),
    Phrase(ROLE, "당신은|너는|넌|이제|지금부터", r"[^\n.!?]{1,24}?(?:제한|제약|규칙|필터|검열)(?:이|가|도|을|를)? ?(?:전혀 )?(?:없는|받지 않는|없이)[^\n.!?]{0,10}?(?:어시스턴트|ai|비서|모델|에이전트|도우미|챗봇|인공지능)"),
    Phrase(ROLE, "artık|bundan sonra|şu andan itibaren|sen",
     r"(?:artık|bundan sonra|şu andan itibaren|sen)\b[^\n.!?]{0,24}?(?:kısıtlama|sınırlama|sınır|kural|filtre|sansür)\w{0,6} (?:olmayan|olmaksızın|tanımayan|bulunmayan)(?!\w)[^\n.!?]{0,16}?\b(?:asistan(?:sın|sınız)?|yapay zeka(?:sın|sınız)?|model(?:sin)?|bot(?:sun)?|ajan(?:sın)?)(?!\w)", ("asistan|asistans|asistand|zeka|zekas|model|modelsin|bot|botsun|ajan|ajans", "olmayan|olmaks|tan|bulunmayan")),
    Phrase(ROLE, "bạn|mày", r"(?:bạn|mày)\b[^\n.!?]{0,10}? là [^\n.!?]{0,20}?(?:trợ lý|ai|mô hình|chatbot|tác nhân)[^\n.!?]{0,10}? không (?:có |bị )?(?:bất kỳ )?(?:giới hạn|hạn chế|quy tắc|ràng buộc|kiểm duyệt)"),
    Phrase(ROLE, "أنت|انت", r"[أا]نت[َِ]? (?:الآن|الان|من الآن)?[^\n.!?]{0,12}?(?:مساعد|ذكاء اصطناعي|نموذج|روبوت|وكيل)[^\n.!?]{0,10}? (?:بلا|بدون|دون|من غير|لا يخضع ل)[^\n.!?]{0,8}?(?:قيود|حدود|قواعد|رقابة)"),
    Phrase(ROLE, "तुम|आप|अब", r"(?:तुम|आप|अब)[^\n।.!?]{0,24}?बिना (?:किसी )?(?:भी )?(?:प्रतिबंध|सीमा|नियम|पाबंदी|रोक|फ़िल्टर)[^\n।.!?]{0,12}?(?:सहायक|एआई|असिस्टेंट|मॉडल|ai|बॉट)"),
    # Do not tell the user.
    Phrase(HIDING, "sag|erzähl|verrat|informier|benachrichtig|verschweig|verheimlich",
     r"(?:(?:sag|erzähl|verrat)(?:e|en sie)?\b(?: (?:das|dies|es|davon|hiervon))? (?:dem|der|den) (?:be)?nutzer(?:in|n)?\b(?: (?:davon|das|hiervon|darüber))? (?:nichts|nicht|nie|niemals|kein wort)(?: (?:davon|darüber|hiervon|weiter))?"
     r"|(?:informier|benachrichtig)(?:e|en sie)?\b (?:den|die) (?:be)?nutzer(?:in)?\b(?: (?:darüber|hierüber|davon))? (?:nicht|nie|niemals)(?: (?:darüber|hierüber|davon))?"
     r"|(?:verschweig|verheimlich)(?:e|en sie)?\b (?:(?:das|dies|es) )?(?:vor )?(?:dem|der|den) (?:be)?nutzer(?:in|n)?\b(?: (?:das|dies|es))?)(?=\s{0,3}(?:[.!;:)]|,(?! (?:dass (?!du\b)|ob|wie|wo|wann|was)\b)|$|und\b))",
     ("nutzer|nutzerin|nutzern|benutzer|benutzerin|benutzern", "nichts|nicht|nie|niemals|kein|verschweig|verschweige|verschweigen|verheimlich|verheimliche|verheimlichen")),
    Phrase(HIDING, "der benutzer|der nutzer|ohne",
     r"(?:der (?:be)?nutzer (?:darf|soll) (?:(?:davon|das|dies|es|hiervon) (?:nichts|nicht|nie|niemals)|(?:nichts|nie etwas) davon) (?:wissen|erfahren|mitbekommen|merken)"
     r"|ohne (?:es |dies |das )?(?:dem|den) (?:be)?nutzer (?:etwas |davon )?(?:davon )?(?:zu (?:sagen|informieren|erzählen)|wissen zu lassen)\b|ohne wissen des (?:be)?nutzers)", ("nutzer|benutzer|nutzers|benutzers", "darf|soll|ohne")),
    Phrase(HIDING, "ne |n'",
     r"(?:ne |n')(?:(?:le |l'|en |lui )(?:dis|dites|révèle|révélez|parle|parlez|mentionne|mentionnez)|(?:dis|dites|révèle|révélez|raconte|racontez)(?: rien)|informe|informez|préviens|prévenez|avertis|avertissez)(?: (?:pas|rien|jamais|surtout pas))?(?: de (?:cela|ceci|ça))?"
     r" (?:à l'|l'|aux |les |au )(?:utilisateurs?|utilisatrice|propriétaire|usager)\b(?=\s{0,3}(?:[.!,;:)]|$|et\b|de (?:cela|ceci|ça)\b|à ce sujet))",
     ("utilisateur|utilisateurs|utilisatrice|propri|usager", "ne|n", "dis|dites|parle|parlez|mentionne|mentionnez|raconte|racontez|informe|informez|pr|avertis|avertissez|r")),
    Phrase(HIDING, "à l'insu|sans que|l'utilisateur ne doit",
     r"(?:à l'insu de l'utilisateur|sans que l'utilisateur (?:le sache|s'en aperçoive|le remarque)|l'utilisateur ne doit (?:pas|jamais|rien) (?:le |l'|en )?(?:savoir|apprendre)(?=\s{0,3}(?:[.!,;]|$)))", ("utilisateur", "insu|sans|doit")),
    Phrase(HIDING, "no |ocúlta|oculta",
     r"(?:no (?:(?:se lo|les?|lo) (?:digas|diga|cuentes|cuente|menciones|reveles|muestres)(?: (?:nada|esto|eso))?|(?:digas|diga|cuentes|cuente|menciones|reveles) (?:nada|esto|eso)|(?:informes|informe|avises|avise|adviertas|notifiques))(?: de (?:esto|ello|eso))?"
     r" (?:al|a la|a los) (?:usuari[oa]s?|dueño|propietario)\b(?=\s{0,3}(?:[.!,;:)]|$|y\b|de (?:esto|ello|eso)\b|sobre (?:esto|ello|eso)\b|nada\b))|(?:ocúltaselo|oculta esto|ocúltale esto) al usuario)",
     ("usuario|usuarios|usuaria|usuarias|due|propietario", "digas|diga|cuentes|cuente|menciones|reveles|muestres|informes|informe|avises|avise|adviertas|notifiques|oc|oculta")),
    Phrase(HIDING, "sin que el usuario|sin decírselo|el usuario no debe",
     r"(?:sin que el usuario (?:lo sepa|se entere|lo note|se dé cuenta)|sin decírselo al usuario|el usuario no (?:debe|puede) (?:saberlo|enterarse|saber nada de esto))", ("usuario", "sin|debe|puede", "sepa|entere|note|cuenta|dec|saberlo|enterarse|saber")),
    Phrase(HIDING, "não",
     r"não (?:(?:conte|diga|contes|digas|revele|reveles|mencione)(?: (?:nada|isso|isto))?(?: sobre (?:isso|isto))?|informe|avise|notifique)(?: (?:disso|disto|sobre isso))? (?:ao|à|aos|para o|pro|o) (?:usuári[oa]s?|utilizador(?:es)?|dono|proprietário)\b"
     r"(?=\s{0,3}(?:[.!,;:)]|$|e\b|sobre (?:isso|isto)\b|diss?to\b|disso\b))", ("usu|utilizador|utilizadores|dono|propriet", "conte|diga|contes|digas|revele|reveles|mencione|informe|avise|notifique")),
    Phrase(HIDING, "sem que o|o usuário não|o utilizador não",
     r"(?:sem que o (?:usuário|utilizador) (?:saiba|perceba|note)|o (?:usuário|utilizador) não (?:deve|pode) (?:saber|ficar sabendo)(?: disso| disto)?(?=\s{0,3}(?:[.!,;]|$)))", ("usu|utilizador", "sem|deve|pode", "saiba|perceba|note|saber|sabendo")),
    Phrase(HIDING, "non |senza che|all'insaputa",
     r"(?:non (?:dirlo|dire|dica|dite|rivelarlo|rivelare|menzionarlo|raccontarlo|parlarne|informare|informi|avvisare|avvisi|far(?:lo)? sapere)(?: (?:nulla|niente|mai|questo))?(?: di (?:questo|ciò))? (?:all'|l'|agli |con l'|al )(?:utente|utenti|proprietario)\b"
     r"(?=\s{0,3}(?:[.!,;:)]|$|e\b|di (?:questo|ciò)|nulla))|senza che l'utente (?:lo sappia|se ne accorga)|all'insaputa dell'utente)",
     ("utente|utenti|proprietario", "non|senza|insaputa", "dirlo|dire|dica|dite|rivelarlo|rivelare|menzionarlo|raccontarlo|parlarne|informare|informi|avvisare|avvisi|far|farlo|sappia|accorga|insaputa")),
    Phrase(HIDING, "vertel|zeg|meld|informeer|zonder|laat de gebruiker",
     r"(?:(?:vertel|zeg|meld) (?:(?:het|dit|dat|hier(?:over|van)?) )?(?:(?:niet|niets|nooit)(?: hierover)? )?(?:(?:aan|tegen) )?(?:de )?gebruikers?(?: (?:hier|er|dit|het|hierover|niet|niets|nooit|over|van)){1,3}(?=\s{0,3}(?:[.!,;:)]|$|en\b))"
     r"|(?:vertel|zeg|meld) (?:(?:het|dit|dat|hier(?:over|van)?) )?(?:niet|niets|nooit)(?: hierover)? (?:aan|tegen) (?:de )?gebruikers?(?=\s{0,3}(?:[.!,;:)]|$|en\b))"
     r"|informeer de gebruiker (?:hier )?(?:niet|nooit)(?: over| hierover)?(?=\s{0,3}(?:[.!,;:)]|$|en\b))|zonder (?:dat de gebruiker het (?:weet|merkt)|medeweten van de gebruiker|het de gebruiker te (?:vertellen|zeggen))"
     r"|laat de gebruiker (?:dit|het|hier) (?:niet|nooit|niets) (?:van )?(?:weten|merken))",
     ("gebruiker|gebruikers",)),
    Phrase(HIDING, "nie |bez wiedzy|ukryj to",
     r"(?:nie (?:mów|mówcie|wspominaj|zdradzaj|ujawniaj|informuj|powiadamiaj|opowiadaj)(?: (?:o tym|tego|nic|nigdy))? (?:użytkownikowi|użytkownika|użytkownikom|właścicielowi)(?: (?:o tym|tego|nic|o niczym))?(?=\s{0,3}(?:[.!;:)]|,(?! (?:że|żeby|aby|iż|jak|co|gdzie|kiedy|czy)\b)|$|[ia]\b))"
     r"|bez wiedzy użytkownika|ukryj to przed użytkownikiem)", ("ytkownikowi|ytkownika|ytkownikom|ytkownikiem|cicielowi", "nie|bez|ukryj")),
    Phrase(HIDING, "säg|berätta|nämn|avslöja|informera|meddela|utan",
     r"(?:(?:säg|berätta|nämn|avslöja|informera|meddela)(?: (?:det|detta|inget|ingenting|inte|aldrig)){1,2}(?: om (?:det|detta))?(?: (?:för|till))? (?:användaren|användarna|ägaren)(?: om (?:det|detta))?(?=\s{0,3}(?:[.!,;:)]|$|och\b))|utan användarens vetskap)", ("ndaren|ndarna|garen|ndarens",)),
    Phrase(HIDING, "sig|fortæl|fortell|si|nævn|nevn|informer|afslør|avslør|uden|uten",
     r"(?:(?:sig|fortæl|fortell|si|nævn|nevn|informer|afslør|avslør)(?: (?:det|dette|ikke|aldrig|aldri|intet|ingenting|noget|noe)){1,3}(?: om (?:det|dette))?(?: til)? (?:brugeren|brukeren|brugerne|brukerne)(?: (?:noget |noe )?om (?:det|dette))?(?=\s{0,3}(?:[.!,;:)]|$|og\b))"
     r"|(?:uden|uten) (?:brugerens|brukerens) (?:viden|vidende|viten|kunnskap))", ("brugeren|brukeren|brugerne|brukerne|brugerens|brukerens",)),
    Phrase(HIDING, "jangan|tanpa sepengetahuan",
     r"(?:jangan (?:pernah )?(?:beri ?tahu|beritahukan|katakan|bilang|sampaikan|sebutkan|informasikan|ceritakan|ungkapkan)(?: (?:hal ini|ini|itu|apa pun|apapun))?(?: (?:kepada|ke|pada))? (?:pengguna|pemilik)(?= ?(?:tentang (?:hal )?ini|soal ini|[.!,;:)]|$|dan\b))|tanpa sepengetahuan pengguna)",
     ("pengguna|pemilik", "jangan|sepengetahuan")),
    Phrase(HIDING, "не ", r"не (?:говори|сообщай|рассказывай|упоминай|раскрывай|предупреждай|уведомляй|информируй)(?:те)?(?: (?:об этом|про это|ничего|это|никогда))? (?:пользовател(?:ю|я|ям|ей)|владельцу|хозяину)(?: (?:об этом|про это|ничего|это|о том, что ты))?(?=\s{0,3}(?:[.!;:)]|,(?! (?:что (?!ты\b)|чтобы|как|где|когда|если|почему|зачем)\b)|$|и\b))"),
    Phrase(HIDING, "втайне от|тайно от|без ведома|скрой это|скройте это", r"(?:втайне от|тайно от|без ведома|скрой(?:те)? это от) (?:пользовател(?:я|ей)|владельца)"),
    Phrase(HIDING, "не ", r"не (?:кажи|кажіть|повідомляй|повідомляйте|розповідай|розповідайте|згадуй|розкривай|попереджай|інформуй)(?: (?:про це|нічого|це|ніколи))? (?:користувач(?:еві|у|а|ам)|власник(?:у|ові))(?: (?:про це|нічого|це))?(?=\s{0,3}(?:[.!;:)]|,(?! (?:що (?!ти\b)|щоб|як|де|коли|якщо|чому|навіщо)\b)|$|[ітй]\b|та\b))"),
    Phrase(HIDING, "без відома|приховай це|таємно від", r"(?:без відома|приховай це від|таємно від) (?:користувач(?:а|ів)|власника)"),
    Phrase(HIDING, "不要|别|別|勿|不得|切勿|不可|禁止|绝不|千万|絕不",
     r"(?:不要|别|別|勿|不得|切勿|不可|禁止|绝不能?|絕不能?|千万不要|千万别)(?:把此事|将此事|把这件事|将这件事)?(?:告诉|告訴|告知|透露给|透露給|通知)(?:给|給)?(?:用户|用戶|使用者|任何人|主人)(?:这|這|此|本|任何|有关|有關|关于此|關於此)?(?:件事|事|内容|內容|些|一点|信息)?(?=[\s。，,；;!！、)）]|$|并|並|然后)"
     r"|(?:不要|别|別|勿|切勿|绝不能?)(?:让|讓)(?:用户|用戶|使用者|任何人)(?:知道|知晓|察觉|察覺|发现|發現)(?:这|這|此|本|你)?(?:件事|事|点)?(?=[\s。，,；;!！、)）]|$)"),
    Phrase(HIDING, "瞒着|瞞著|对用户保密|不让用户", r"(?:(?:瞒着|瞞著)(?:用户|用戶|使用者)|对用户保密|不让用户(?:知道|发现|察觉)(?:的情况下|就))"),
    Phrase(HIDING, "ユーザー|ユーザ", r"ユーザー?(?:に|には)(?:この(?:こと|件|メモ)(?:を|は|について)?|これを|それを|何も|絶対に|決して|、)?(?:は)?(?:言わない|話さない|伝えない|知らせない|教えない|明かさない|報告しない)(?:で(?:ください|くれ|[。、]|$)|こと(?:[。、]|$)|ように(?:[。、]|して|し))|ユーザー?に(?:内緒|秘密|知られない(?:よう|で))"),
    Phrase(HIDING, "사용자", r"사용자(?:에게|한테|께)(?:는)? ?(?:(?:이|그) ?(?:것|사실|일|내용|메모)(?:을|를|은)? ?|아무것도 ?|절대로? ?|이를 ?|이에 대해 ?)?(?:말하지|알리지|알려주지|밝히지|이야기하지|보고하지|언급하지) ?(?:마|말)|사용자 ?(?:몰래|모르게)"),
    Phrase(HIDING, "kullanıcıya|kullanıcılara|kullanıcının|kullanıcıyı|bunu kullanıcı",
     r"(?:kullanıcı(?:ya|lara)(?: (?:bunu|bundan|bu konuda|hiçbir şey|hiçbir şeyi|bir şey|asla|sakın))?(?: bir şey| hiçbir şey)? (?:söyleme|bildirme|anlatma|bahsetme|haber verme|belli etme)(?:yin|yiniz)?(?![a-zçğıöşü])"
     r"|bunu kullanıcı(?:ya (?:söyleme|bildirme|anlatma)(?:yin)?|dan (?:gizle|sakla)(?:yin)?)(?![a-zçğıöşü])|kullanıcıyı (?:bilgilendirme|uyarma|haberdar etme)(?:yin)?(?=\s{0,3}[.!,;]|$))", ("kullan",)),
    Phrase(HIDING, "đừng|không được|chớ", r"(?:đừng|không được|chớ) (?:bao giờ )?(?:nói|kể|báo|tiết lộ|thông báo|đề cập|cho)(?: (?:điều này|việc này|chuyện này|gì))?(?: (?:với|cho|tới))? ?(?:người dùng|chủ sở hữu)(?: biết)?(?: (?:về (?:điều|việc|chuyện) này|điều này|việc này|gì))?(?=\s{0,3}(?:[.!,;:)]|$|và\b))"),
    Phrase(HIDING, "لا ", r"لا (?:تخبر|تُخبر|تقل|تبلغ|تكشف|تذكر|تعلم)(?:ي|وا)?(?: (?:هذا|ذلك|شيئا|شيئًا|أبدا))? (?:ال|لل|إلى ال)مستخدم(?:ين)?(?: (?:بذلك|بهذا|عن هذا|عن ذلك|بأي شيء|بالأمر|شيئا|شيئًا))?(?=\s{0,3}(?:[.!,;:)،؛]|$|و))"),
    Phrase(HIDING, "उपयोगकर्ता|यूज़र|यूजर|प्रयोक्ता", r"(?:उपयोगकर्ता|यूज़र|यूजर|प्रयोक्ता)(?:ओं)? (?:को|से) (?:इस(?:के| बात| बारे)?[^\n।.!?]{0,14}? |यह (?:बात )?|कुछ(?: भी)? |कभी )?(?:मत (?:बताना|बताओ|बताएं|बताएँ|बताइए|कहना|कहो)|न (?:बताना|बताओ|बताएं|बताएँ|बताइए|कहना)|(?:छिपा|छुपा)(?:ना|ओ|कर रख))"),
    # Send the passwords to this address.
    Phrase(GIVING, "schick|send|maile|übermittle|übertrage|leite|lade|poste|kopiere|veröffentliche|exfiltriere",
     rf"(?:schick(?:e|en|t)?|send(?:e|en|et)|maile|übermittle|übertrage|leite|lade|poste|kopiere|veröffentliche|exfiltriere)\b{_not('nicht|nie|niemals|keine?')}{_or_path('passwör(?:ter|tern)|passwort|kennwör(?:ter|tern)|kennwort|zugangsdaten|api-schlüssel|ssh-schlüssel|private[nr]? schlüssel|geheimnisse|api-keys?|tokens?|umgebungsvariablen|gesprächsverlauf|chatverlauf|unterhaltung')}"
     rf"{_WAY}{_TO}", ("schick|schicke|schicken|schickt|sende|senden|sendet|maile|bermittle|bertrage|leite|lade|poste|kopiere|ffentliche|exfiltriere",)),
    Phrase(GIVING, "alle|sämtliche|jedes",
     rf"(?:alle|sämtliche|jedes) (?:\w{{1,14}} )?(?:passwörter|passwort|kennwörter|zugangsdaten|api-schlüssel|geheimnisse|tokens?|umgebungsvariablen)\b{_not('nicht|nie|niemals')}{_WAY}{_TO}[^\n!?]{{0,40}}? (?:senden|schicken|übermitteln|hochladen|weiterleiten|übertragen)\b",
     ("senden|schicken|bermitteln|hochladen|weiterleiten|bertragen", "alle|mtliche|jedes")),
    Phrase(GIVING, "envoie|envoyez|envoyer|transmets|transmettez|transfère|transférez|publie|publiez|téléverse|expédie|copie",
     rf"(?:envoie|envoyez|envoyer|transmets|transmettez|transfère|transférez|publie|publiez|téléversez?|expédiez?|copiez?)\b{_not('pas|jamais')}{_or_path('mots? de passe|identifiants|clés? (?:de l.)?(?:api|ssh|privées?|secrètes?)|secrets|jetons|variables d.environnement|conversations?|historique')}{_WAY}{_TO}",
     ("envoie|envoyez|envoyer|transmets|transmettez|transf|publie|publiez|verse|versez|exp|copie|copiez",)),
    Phrase(GIVING, "envia|envie|enviar|manda|mande|sube|suba|publica|transmite|filtra|comparte|encaminhe|publique|transmita|carregue|encaminha",
     rf"(?:envia|envie|enviar|manda|mande|sube|suba|publica|publique|transmite|transmita|filtra|comparte|encaminh[ea]|carregue)\b{_not('nunca|jamás|jamais|no|não')}"
     rf"{_or_path(_IBERIAN)}{_WAY}{_TO}",
     ("envia|envie|enviar|manda|mande|sube|suba|publica|publique|transmite|transmita|filtra|comparte|encaminhe|encaminha|carregue",)),
    Phrase(GIVING, "envía|envíe|reenvía", rf"(?:re)?env(?:ía|íe)\b{_not('nunca|jamás|no')}{_or_path(_IBERIAN)}{_WAY}{_TO}",
     ("env|reenv", f"contrase|clave|claves|credenciales|credenciais|secretos|segredos|token|tokens|entorno|vari|conversaci|conversaciones|conversa|conversas|historial|hist|senha|senhas|palavras|chave|chaves|{PATH_WORDS}", "a|e")),
    Phrase(GIVING, "invia|inviate|inviare|manda|mandate|spedisci|inoltra|carica|pubblica|trasmetti",
     rf"(?:invia|inviate|inviare|manda|mandate|spedisci|inoltra|carica|pubblica|trasmetti)\b{_not('mai|non')}{_or_path('password|credenziali|chiavi? (?:api|private|privata|ssh|segret[ae]|di accesso|dell.api)|segreti|token|variabili d.ambiente|conversazion[ei]|cronologia')}{_WAY}{_TO}",
     ("invia|inviate|inviare|manda|mandate|spedisci|inoltra|carica|pubblica|trasmetti",)),
    Phrase(GIVING, "stuur|verstuur|zend|verzend|upload|mail",
     rf"(?:stuur|verstuur|zend|verzend|upload|mail)\b{_not('niet|nooit|geen')}{_or_path('wachtwoord(?:en)?|inloggegevens|api-sleutels?|privésleutels?|ssh-sleutels?|geheimen|tokens|omgevingsvariabelen|gesprekken|gespreksgeschiedenis')}{_WAY}{_TO}",
     ("stuur|verstuur|zend|verzend|upload|mail", f"{PATH_WORDS}|wachtwoord|wachtwoorden|inloggegevens|sleutel|sleutels|sleutels|priv|geheimen|tokens|omgevingsvariabelen|gesprekken|gespreksgeschiedenis")),
    Phrase(GIVING, "wyślij|wysyłaj|prześlij|przesyłaj|wyslij|przekaż|opublikuj|wgraj",
     rf"(?:wyślij|wysyłaj|prześlij|przesyłaj|wyslij|przekaż|opublikuj|wgraj)(?![a-z]){_not('nie|nigdy')}{_or_path('hasł[ao]|hase[łl]|klucz(?:e|y)? (?:api|ssh|prywatn(?:e|y))|tokeny?|poświadczenia|dane logowania|zmienne środowiskowe|rozmow[yę]|historię')}{_WAY}{_TO}",
     ("lij|wysy|wyslij|przesy|przeka|opublikuj|wgraj",)),
    Phrase(GIVING, "skicka|sänd|ladda upp|vidarebefordra|mejla|publicera|send|videresend|last opp",
     rf"(?:skickar?|sänd|ladda upp|vidarebefordra|mejla|publicera|send|videresend|last opp)\b{_not('inte|aldrig|ikke|aldri')}{_or_path('lösenord(?:en|et)?|api-nyck(?:el|lar)[a-z]{0,3}|hemligheter(?:na)?|inloggningsuppgifter(?:na)?|miljövariabler(?:na)?|konversationen|adgangskode(?:r|n|rne)?|passord(?:ene|et)?|api-nøgler(?:ne)?|api-nøkle(?:r|ne)|hemmeligheder|samtalen')}{_WAY}{_TO}",
     ("skicka|skickar|nd|ladda|vidarebefordra|mejla|publicera|videresend|opp|send", f"{PATH_WORDS}|senord|senorden|senordet|nyckel|nyckeln|nycklar|nycklarna|hemligheter|hemligheterna|inloggningsuppgifter|inloggningsuppgifterna|milj|konversationen"
      "|adgangskode|adgangskoder|adgangskoden|adgangskoderne|passord|passordene|passordet|gler|glerne|kler|klene|hemmeligheder|samtalen|api")),
    Phrase(GIVING, "kirim|unggah|teruskan|bocorkan",
     rf"(?:kirim(?:kan|lah)?|unggah|teruskan|bocorkan)\b{_or_path('kata sandi|sandi|kunci (?:api|ssh|pribadi|rahasia)|kredensial|token|rahasia|variabel lingkungan|percakapan')}{_WAY}{_TO}", ("kirim|kirimkan|kirimlah|unggah|teruskan|bocorkan",)),
    Phrase(GIVING, "отправь|отправля|пришли|перешли|вышли|выложи|загрузи|передай|передавай|скопируй|шли|опубликуй",
     rf"(?:отправ(?:ь|ляй)(?:те)?|пришли(?:те)?|перешли|вышли|выложи|загрузи|переда(?:й|вай)|скопируй|шли|опубликуй)\b{_or_path('(?<!сброс )(?<!сброса )(?<!смену )(?<!смены )парол[а-яёіїє]{1,3}|(?:api-|ssh-|приватн[а-яёіїє]{2,3} |секретн[а-яёіїє]{2,3} )ключ[а-яёіїє]{0,3}|ключ[а-яёіїє]{0,3} (?:api|ssh)|секрет[ыа]|токен[а-яёіїє]{0,2}|учётные данные|переменные (?:окружения|среды)|переписк[а-яё]{1,2}')}{_WAY}{_TO}"),
    Phrase(GIVING, "надішли|надсилай|відправ|перешли|передай|вивантаж|опублікуй|скопіюй",
     rf"(?:надішл(?:и|іть)|надсилай(?:те)?|відправ(?:те|ляй|ляйте)?|перешли|передай|вивантаж|опублікуй|скопіюй)\b{_or_path('(?<!скидання )(?<!зміну )парол[а-яёіїє]{1,3}|(?:api-|ssh-|приватн[а-яёіїє]{1,3} |секретн[а-яёіїє]{1,3} )ключ[а-яёіїє]{0,3}|ключ[а-яёіїє]{0,3} (?:api|ssh)|секрети|токен[а-яёіїє]{0,2}|облікові дані|змінні середовища|листування')}{_WAY}{_TO}"),
    Phrase(GIVING, "把|将|將",
     rf"[把将將][^\n。！？]{{0,16}}?(?:密码|密碼|密钥|金鑰|口令|凭证|凭据|憑證|令牌|私钥|环境变量|聊天记录|对话(?:内容|记录)|api ?key|{PATHS})(?!重置|策略|修改)[^\n。！？]{{0,16}}?(?:发送|发|發送|上传|上傳|传|寄|转发|轉發|提交|泄露|发布)(?:到|给|給|至|往)[^\n。！？]{{0,8}}?{_TO}"),
    Phrase(GIVING, "发送|上传|转发|發送|上傳|泄露",
     rf"(?:发送|上传|转发|發送|上傳|泄露)[^\n。！？]{{0,12}}?(?:密码|密碼|密钥|金鑰|口令|凭证|凭据|憑證|令牌|私钥|环境变量|聊天记录|对话(?:内容|记录)|api ?key|{PATHS})(?!重置|策略|修改)[^\n。！？]{{0,10}}?(?:到|给|給|至|往)[^\n。！？]{{0,6}}?{_TO}"),
    Phrase(GIVING, "パスワード|認証情報|api|秘密鍵|トークン|シークレット|環境変数|会話|.env|~/.",
     rf"(?:パスワード|認証情報|api ?キー|秘密鍵|トークン|シークレット|環境変数|会話(?:の内容|履歴)|{PATHS})(?!の?(?:リセット|再設定|変更))[^\n。]{{0,30}}?{_TO}[^\n。]{{0,24}}?(?:に|へ|宛に?|まで)[^\n。]{{0,10}}?(?:送信|送っ|送れ|送り|送る|アップロード|転送|投稿|メール)(?![^\n。]{{0,8}}(?:ない|禁止|ません|いけ))"),
    Phrase(GIVING, "비밀번호|암호|api|개인 키|개인키|토큰|자격 증명|자격증명|환경 변수|환경변수|대화|.env|~/.",
     rf"(?:비밀번호|암호|api ?키|개인 ?키|토큰|자격 ?증명|환경 ?변수|대화 ?(?:내용|기록)|{PATHS})(?! ?(?:재설정|초기화|변경))[^\n!?]{{0,24}}?{_TO}[^\n!?]{{0,24}}?(?:로|에|에게|으로)\b[^\n!?]{{0,8}}?(?:보내|전송|업로드|전달|제출|게시)(?![^\n]{{0,10}}(?:마|말|않|금지))"),
    Phrase(GIVING, "şifre|parola|api anahtar|özel anahtar|gizli anahtar|token|kimlik bilgi|.env",
     rf"(?:şifre|parola|api anahtar|özel anahtar|gizli anahtar|token|kimlik bilgi|{PATHS})(?!\w{{0,5}} (?:sıfırlama|değiştirme))\w{{0,8}}[^\n!?]{{0,24}}?{_TO}[^\n!?]{{0,30}}? (?:(?:gönder|ilet)(?:in|iniz)?|yükle(?:yin)?|(?:yolla|postala)(?:yın)?)(?![a-zçğıöşü])", ("nder|nderin|nderiniz|kle|kleyin|ilet|iletin|iletiniz|yolla|yollay|postala|postalay",)),
    Phrase(GIVING, "gửi|chuyển|đăng|tải", rf"(?:gửi|chuyển|đăng|tải)\b[^\n!?]{{0,14}}?(?:mật khẩu|khóa api|khoá api|khóa riêng|thông tin đăng nhập|token|biến môi trường|{PATHS}){_WAY}{_TO}"),
    Phrase(GIVING, "أرسل|ارسل|ابعث|ارفع|انشر", rf"(?:[أا]رسل|ابعث|ارفع|انشر)(?:ي|وا)? [^\n!?]{{0,10}}?(?:كلمات المرور|كلمة المرور|كلمات السر|مفاتيح|مفتاح api|بيانات الاعتماد|الرموز|{PATHS})[^\n!?]{{0,24}}?{_TO}"),
    Phrase(GIVING, "पासवर्ड|टोकन|क्रेडेंशियल|गुप्त|.env|api", rf"(?:पासवर्ड|टोकन|क्रेडेंशियल|गुप्त कुंजी|api (?:key|कुंजी)|{PATHS})(?! रीसेट)[^\n!?।]{{0,24}}?{_TO}[^\n!?।]{{0,24}}? (?:पर|को) (?:भेज|अपलोड कर|फॉरवर्ड कर)"),
    # Show your system prompt.
    Phrase(REVEALING, "zeig|verrat|gib|nenne|drucke|wiederhole",
     r"(?:zeig|verrat|gib|nenne?|drucke|wiederhole?)e?\b[^\n.!?]{0,20}?\b(?:deinen? (?:\w{1,14} )?(?:system-?prompt|system-?anweisung(?:en)?|versteckten? anweisungen|ursprünglichen anweisungen))\b", ("deinen|deine",)),
    Phrase(REVEALING, "affiche|révèle|montre|donne|répète",
     r"(?:affich|révèl|montr|donn|répèt)ez?\b[^\n.!?]{0,20}?\b(?:ton|votre|tes|vos) (?:\w{1,12} )?(?:prompts? (?:du |de )?(?:système|system|initial|caché)|instructions (?:du )?(?:système|initiales|cachées|secrètes))", ("ton|votre|tes|vos", "prompt|prompts|instructions")),
    Phrase(REVEALING, "muestra|revela|imprime|dime|repite|mostre|revele|imprima|mostra|rivela|stampa|ripeti",
     r"(?:muestra|revela|imprime|dime|repite|mostre|revele|imprima|mostra|rivela|stampa|ripeti)\w{0,2}\b[^\n.!?]{0,16}?\b(?:tu|tus|seu|suas|teu|tuas|tuo|tue) (?:\w{1,12} )?(?:prompt (?:del? |do |di )?(?:sistema|inicial|iniziale)"
     r"|(?:instrucciones|instruções|istruzioni) (?:del? |do |di )?(?:sistema|iniciales|iniciais|iniziali|ocultas|nascoste))\b", ("tu|tus|seu|suas|teu|tuas|tuo|tue", "sistema|inicial|iniciales|iniciais|iniziale|iniziali|ocultas|nascoste")),
    Phrase(REVEALING, "toon|onthul|geef|herhaal", r"(?:toon|onthul|geef|herhaal)\b[^\n.!?]{0,16}?\b(?:je|jouw|uw) (?:\w{1,12} )?(?:systeem-?prompt|systeem-?instructies|verborgen instructies)\b", ("je|jouw|uw", "systeemprompt|systeem|systeeminstructies|verborgen")),
    Phrase(REVEALING, "pokaż|ujawnij|wyświetl|powtórz", r"(?:pokaż|ujawnij|wyświetl|powtórz)(?![a-z])[^\n.!?]{0,16}?\b(?:swój|twój|swoje|twoje) (?:prompt systemowy|systemowy prompt|instrukcje systemowe|ukryte instrukcje)\b", ("systemowy|systemowe|ukryte",)),
    Phrase(REVEALING, "visa|avslöja|skriv ut|vis|avslør|afslør", r"(?:visa|avslöja|skriv ut|vis|avslør|afslør)\b[^\n.!?]{0,16}?\b(?:din|ditt|dina|dine) (?:\w{1,12} )?(?:system-?prompt(?:en)?|systeminstruktion\w{0,4}|dolda instruktioner|skjulte instruk\w{3,7})\b", ("din|ditt|dina|dine",)),
    Phrase(REVEALING, "tampilkan|tunjukkan|ungkapkan", r"(?:tampilkan|tunjukkan|ungkapkan)\b[^\n.!?]{0,20}?\b(?:prompt|instruksi|perintah) sistem(?:mu| anda| kamu)", ("tampilkan|tunjukkan|ungkapkan",)),
    Phrase(REVEALING, "покажи|раскрой|выведи|повтори|напечатай", r"(?:покажи|раскрой|выведи|повтори|напечатай)(?:те)?\b[^\n.!?]{0,20}?(?:сво[йюи]|твой|свой|ваш) (?:\w{1,14} )?(?:системн\w{2,4} (?:промпт|инструкц|подсказк)|скрыт\w{2,3} инструкц|промпт)"),
    Phrase(REVEALING, "покажи|розкрий|виведи|повтори", r"(?:покажи|розкрий|виведи|повтори)(?:ть)?\b[^\n.!?]{0,20}?(?:свій|твій|свої|твої) (?:\w{1,14} )?(?:системн\w{1,4} (?:промпт|інструкц|підказк)|прихован\w{1,3} інструкц|промпт)"),
    Phrase(REVEALING, "显示|顯示|输出|輸出|透露|告诉我|泄露|打印|复述|重复|公开", r"(?:显示|顯示|输出|輸出|透露|告诉我|泄露|打印|复述|重复|公开)(?:出)?你(?:的|所有的|全部的|完整的){1,2}(?:系统|系統|初始|隐藏|隱藏|内部)(?:提示词|提示|指令|消息)"),
    Phrase(REVEALING, "あなたの|システムプロンプト|内部の指示|隠された指示", r"(?:あなたの)?(?:システムプロンプト|内部の?指示|隠された指示)(?:の全文|の内容|全体)?を(?:すべて|全て|全部|そのまま|完全に|、)?(?:表示し|出力し|教え|公開し|開示し|明かし|繰り返し)て(?!はいけ|はなら|い)"),
    Phrase(REVEALING, "시스템 프롬프트|시스템프롬프트|숨겨진 지시|너의|당신의", r"(?:(?:너의|당신의) )?(?:시스템 ?프롬프트|숨겨진 지시)(?: ?(?:전체|내용|전문))?(?:를|을)? ?(?:전부 |모두 |그대로 )?(?:보여|출력해|공개해|알려|말해|반복해)(?! ?(?:주지 ?(?:마|말|않)))"),
    Phrase(REVEALING, "sistem istemini|sistem promptunu|sistem talimatlarını|gizli talimatlarını", r"(?:sistem (?:istem|prompt|talimat)|gizli talimat)\w{2,7} (?:bana |tamamen |aynen ){0,2}(?:göster|yaz|açıkla|söyle|paylaş|yazdır)(?!me|ma|il|ıl|en|an)", ("sistem|gizli",)),
    Phrase(REVEALING, "hiển thị|tiết lộ|in ra|cho tôi xem", r"(?:hiển thị|tiết lộ|in ra|cho tôi xem)[^\n.!?]{0,16}?(?:lời nhắc|prompt|chỉ thị|hướng dẫn) (?:hệ thống|ẩn) của (?:bạn|mày)"),
    Phrase(REVEALING, "اكشف|أظهر|اعرض|اطبع|كرر", r"(?:اكشف|أظهر|اعرض|اطبع|كرر)(?:ي)? [^\n.!?]{0,10}?(?:تعليماتك (?:السرية|المخفية|الأصلية|النظامية)|موجه النظام الخاص بك|تعليمات النظام الخاصة بك)"),
    Phrase(REVEALING, "अपना|अपने|अपनी", r"अपन[ाेी] (?:पूरा |सारा |छिपा )?(?:सिस्टम (?:प्रॉम्प्ट|निर्देश|संदेश)|छिपे (?:हुए )?निर्देश)[^\n।.!?]{0,10}? ?(?:दिखा|बता|प्रकट कर|लिख)"),
    # New instructions of the system.
    Phrase(POSING, "neue systemanweisung|neuer systemprompt|nouvelles instructions|nouveau prompt|nuevas instrucciones|nuevo prompt|novas instruções|novo prompt|nuove istruzioni|nuovo prompt|nieuwe systeem|nowe instrukcje|nowy prompt|nya system|ny system",
     r"(?:neue systemanweisung(?:en)?|neuer systemprompt|nouvelles instructions (?:du )?système|nouveau prompt système|nuevas instrucciones del sistema|nuevo prompt del? sistema|novas instruções do sistema|novo prompt d[eo] sistema|nuove istruzioni (?:di|del) sistema|nuovo prompt di sistema"
     r"|nieuwe systeem(?:instructies?|prompt)|nowe instrukcje systemowe|nowy prompt systemowy|nya systeminstruktioner|ny systemprompt)\s{0,3}:",
     ("neue|neuer|nouvelles|nouveau|nuevas|nuevo|novas|novo|nuove|nuovo|nieuwe|nowe|nowy|nya|ny", "systemanweisung|systemanweisungen|systemprompt|syst|sistema|systeeminstructie|systeeminstructies|systeemprompt|systemowe|systemowy|systeminstruktioner")),
    Phrase(POSING, "новые системные|новый системный|新的系统|新的系統|新しいシステム|새로운 시스템|새 시스템|нові системні|новий системний|yeni sistem|chỉ thị hệ thống mới|تعليمات النظام الجديدة",
     r"(?:новые системные (?:инструкции|указания)|новый системный промпт|新的系[统統](?:指令|提示词?|指示)|新しいシステム(?:プロンプト|指示|命令)|새(?:로운)? 시스템 (?:프롬프트|지시|명령)|нові системні (?:інструкції|вказівки)|новий системний промпт|yeni sistem (?:istemi|talimatı|talimatları)|chỉ thị hệ thống mới|تعليمات النظام الجديدة)\s{0,3}[:：]"),
)  # fmt: skip
