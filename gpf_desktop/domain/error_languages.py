"""Words of errors in many languages: word stems by what they mean, of which several stand in one sentence.

Servers translate their errors, and gateways write their own. No language has a rule of its own: whoever blocks names
what judged (a filter, a policy) and what it did, whoever lacks credit names the money and that it is used up. English
has its words for blocks here too; those for accounts are in `domain.account_faults`.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from gpf_desktop.domain.error_stems import ABSENCE, NO, OUT, TALK
from gpf_desktop.domain.patterns import regex

_CODES: Final = regex(r"\b[A-Z]+(?:_[A-Z]+)+\b")
_SENTENCE: Final = regex(r"(?<=[.!?])\s+|[。！？;\n]+| · ")

_GUARDS: Final = {
    "reasons": r"(?:raison|motif)s? (?:de |d['’])(?:sécurité|contenu|politique)|(?:motivo|razon|razõe|"
    r"ragion)\w* (?:de|di) (?:seguridad|segurança|sicurezza|contenido|conteúdo|contenut)|(?:schutz|sicherheits)gründe|"
    r"\bethisch\w* gründe|raisons? éthique|razones éticas|razões éticas|"
    r"veiligheidsredenen|säkerhetsskäl|sikkerhetsgrunner|sikkerhedsgrunde|соображени\w* безопасност|безопасност|"
    r"względ\w* bezpieczeństwa|bezpečnostních důvod|güvenlik neden|لأسباب\S* ?تتعلق بالسلامة|lý do an toàn|"
    r"alasan keamanan|安全上|安全のため|안전상|안전을 위|安全原因|(?:content|policy|safety) (?:concern|ground|"
    r"reason)s?|(?:concern|ground|reason)s of (?:the )?(?:content|decency|ethics|moderation|policy|safety)",
    "ours": r"\bnos (?:règles|politiques|conditions)|nuestr\w+ (?:normas|políticas|reglas)|noss\w+ (?:regras|"
    r"políticas|normas)|nostr\w+ (?:regole|norme|politic)|unsere\w* (?:richtlinien|regeln|bedingungen)|"
    r"наш\w+ (?:правил|политик)|nasz\w+ (?:zasad|regulamin)|naš\w+ (?:pravid|zásad)|onze (?:regels|voorwaarden)|"
    r"våra (?:regler|villkor)|våre (?:regler|vilkår)|politikalarımız|kurallarımız|modérateur|moderador|moderatore|"
    r"moderator\b",
    "filters": r"\bfiltr(?:e|o|i|em|u)?\b|\bthe filter\b|\bder filter\b|\bhet filter\b|\bfiltret|фильтр|фільтр|"
    r"filtre\w*|فلتر|فیلتر|フィルタ|필터|过滤器|מסנן|φίλτρο|bộ lọc|модерат|modérat|moderat|moderad|モデレ|모더레|"
    r"가이드라인|\bwytyczn",
    "names": r"\btrust (?:and|&) safety\b|"
    r"\b(?:aporia|hidden ?layer|javelin|lakera|lasso|llama guard|nemo|pangea|pillar|presidio|prisma airs|"
    r"zscaler)\b|\b(?:input|output|dialog) rails?\b",
    "en": r"\btopics?\b|subject matter|(?:content(?![ _-]*(?:type|length|encoding))|safety|moderation|usage|"
    r"acceptable[- ]use|responsible[- ]ai|security)[ _-]?(?:\w+[ _-])?(?:filter|polic|moderation|guard|guideline|rule|"
    r"classifier|check(?!point)|layer|scanner|shield|system)|guardrail|moderation|\baup\b|\b(?!budget|concurren|cost|"
    r"credit|"
    r"quota|rate|spend|traffic)\w+[ -]guard\b|prompt shield|"
    r"model armor|"
    r"terms of (?:use|service)|community (?:guideline|standard)|rai polic|(?:our|the|their|model|"
    r"provider)(?:['’]s)? (?:policy|policies|guidelines)\b|configured (?:topic|word)",
    "fr": r"(?:filtr|politiqu|règl|charte|consigne|condition|norme)\w* (?:\w+ )?(?:de |du |d['’]|des |de la |"
    r"sur le )(?:contenu|sécurité|modération|utilis|usage|protection)|modération|garde-fou|filtrage",
    "es": r"(?:filtro|política|norma|directri|condicion|regla|pauta)\w* (?:\w+ )?(?:de |del |sobre )(?:el |"
    r"la )?(?:contenido|seguridad|moderaci|uso|comunidad)|moderación|directrices",
    "pt": r"(?:filtro|política|norma|diretri|termo|regra)\w* (?:\w+ )?(?:de |do |da |sobre )(?:o |a )?(?:conteúdo|"
    r"segurança|modera|uso|comunidade)|moderação|diretrizes",
    "it": r"(?:filtr|politic|norm|criteri|linee guida|regol|condizion)\w* (?:\w+ )?(?:di |del |dei |sui |sull['’]|"
    r"d['’]|per )(?:contenut|sicurezza|moderaz|utilizzo|uso)|moderazione|linee guida",
    "de": r"(?:inhalts|sicherheits|nutzungs|moderations|content)-?(?:filter|richtlini|prüfung|system|regel|bedingung)|"
    r"moderation|leitplanke",
    "nl": r"(?:inhoud|content|veiligheids?|gebruiks?)s?-?(?:filter|beleid|richtlijn|voorwaard)|moderatie|richtlijnen",
    "north": r"(?:inneh[åo]lls|indholds|innholds|säkerhets|sikkerheds|sikkerhets|användar|bruks|brugs)(?:filt|poli|"
    r"regl|vill|retning|rikt)\w*|riktlinj|retningslinj|moderering|sisältö\w*(?:suodat|käytän)\w*|käyttöehto|"
    r"turvallisuus\w*",
    "ru": r"(?:фильтр\w*|политик\w*|правил\w*|требовани\w*|цензор\w*) (?:\w+ )?(?:контент|содерж|безопасн|цензур|"
    r"модерац|использован|сервис|платформ|сообществ|этик)|контент-фильтр|фильтр контент|модерац|цензур|этическ",
    "uk": r"(?:фільтр\w*|політик\w*|правил\w*) (?:\w+ )?(?:контент|вміст|безпек|використан)|модерац",
    "pl": r"(?:filtr|polityk|zasad|regulamin|reguł)\w* (?:\w+ )?(?:treści|bezpiecz|moderac|korzystania|użytkowania|"
    r"społecz)|moderacj",
    "cs": r"(?:filtr|zásad|pravid)\w* (?:\w+ )?(?:obsah|použív|použit|bezpeč|užív)|moderac|moderov",
    "ro, hu": r"(?:filtr|politic)\w* (?:\w+ )?de (?:conținut|utilizare|siguranță)|tartalom(?:szűr|szabály)\w*|"
    r"(?:használati|biztonsági) \w+|irányelv",
    "el": r"(?:φίλτρ|πολιτικ|κανόν)\w* (?:\w+ )?(?:περιεχομέν|χρήσ|ασφαλ)",
    "tr": r"(?:içerik|güvenlik|kullanım|topluluk) (?:\w+ )?(?:filtre|politika|ilke|kural|denet|koşul|moder)|"
    r"moderasyon",
    "ar, fa, he": r"(?:مرشح|فلتر|سياس|إرشاد|شروط|قواعد|معايير|ضوابط)\w* ?(?:ال)?(?:محتوى|استخدام|سلامة|أمان)|"
    r"فیلتر محتوا|سیاست\S* (?:محتوا|استفاده)|מסנן (?:ה)?תוכן|מדיניות (?:ה)?(?:תוכן|שימוש)",
    "id": r"(?:filter|kebijakan|pedoman|penyaring|aturan|ketentuan|moderasi) (?:\w+ )?(?:konten|penggunaan|keamanan)|"
    r"moderasi",
    "vi": r"(?:bộ lọc|chính sách|quy định|nguyên tắc|tiêu chuẩn) (?:\w+ )?(?:nội dung|sử dụng|an toàn|cộng đồng)|"
    r"kiểm duyệt",
    "hi, th": r"(?:सामग्री|कंटेंट|उपयोग|सुरक्षा) (?:नीति|फ़िल्टर|फिल्टर|दिशा)|นโยบาย(?:เนื้อหา|การใช้)|(?:ตัวกรอง|"
    r"กรอง)เนื้อหา",
    "ja": r"(?:コンテンツ|利用|使用|安全|セーフティ)\S{0,4}(?:ポリシー|フィルタ|規約|基準)|モデレーション|"
    r"ガイドライン|検閲|審査",
    "ko": r"정책|(?:콘텐츠|컨텐츠|안전|사용|이용|운영) ?(?:정책|필터|약관|가이드라인|규정|지침)|모더레이션|검열",
    "zh": r"(?:内容|內容|安全|使用|社区|平台)\S{0,4}(?:审核|審核|政策|过滤|過濾|策略|红线|规范|規範|机制|围栏|检测|"
    r"检查|条款|合规|管理)|审查|風控|风控|(?:相关)?法律法规",
}
"""What judges content: a filter, a policy, rules of use."""
_BANS: Final = {
    "en": r"block|filtered|reject|refus|flag|den(?:y|ied)|declin|violat|violation|breach|against|contraven|"
    r"not (?:allow|permit|compl)|restrict|off[- ]limits|prohibit|trigger|intercept|stopped|withheld|removed|redacted|"
    r"disallow|intervene|(?:not|n['’]t|cannot) (?:be )?(?:let\b|pass|process|answer|generat|respond)|fail(?:ed|"
    r"s)? (?:to pass|our|the|moderation)|trip",
    "fr": r"bloqu|rejet|refus|filtré|enfrein|viol|contrair|interdi|non autoris|signal|supprim|intercept|contrevien|"
    r"ne respect|ne peut|impossible|déclench|non conforme|contre\b",
    "es": r"bloque|rechaz|filtrad|viola|infring|incumpl|prohib|denega|no (?:se )?permit|no puede|marcad|activ|"
    r"contrari|\bcontra\b|deten",
    "pt": r"bloque|rejeit|recus|filtrad|viol|infring|proib|negad|não (?:é |foi )?permit|não pode|acion|sinaliz|"
    r"contrári|\bcontra\b|barrad",
    "it": r"blocc|rifiut|respint|filtrat|viol|vietat|infrang|contrari|non (?:è )?(?:consentit|ammess|conform)|non può|"
    r"segnal|attivat|\bcontro\b|fermat|intercett|trattenut",
    "de": r"blockier|abgelehnt|nicht (?:beantwort|bearbeit)|\blehn\w+ (?:\w+ ){0,8}ab\b|"
    r"abgewiesen|verweiger|gefiltert|verst[oö]ß|verletz|gesperrt|verboten|nicht (?:erlaubt|"
    r"zulässig|gestattet|vereinbar)|zurückgewiesen|gestoppt|ausgelöst|unterbunden|beanstandet|angeschlagen|"
    r"zurückgehalten|erkannt|entfernt|markiert|\bgegen\b|widersprich|angehalten|aussortiert",
    "nl": r"geblokkeerd|geweigerd|afgewezen|gefilterd|schend|in strijd|niet toegestaan|verboden|tegengehouden|"
    r"gemarkeerd|\btegen\b|onderschept",
    "north": r"blocker|blokker|blokeret|avvis|afvis|nekad|strid|bryter|overtr[æe]d|förbjud|forbud|otillåt|filtrer|"
    r"est(?:et|i|ä)|hyl[äk]|rikko|vastai",
    "ru": r"удал[её]н|скрыт|заблок|блокир|отклон|отказ|отфильтров|наруш|запрещ|недопуст|не (?:может быть|прош|"
    r"соответств)|сработал|противореч|остановл|прерван|против\b|отсеян|нельзя",
    "uk": r"заблок|відхил|відмов|поруш|заборон|відфільтр|не (?:пройш|відповід)",
    "pl": r"zablok|odrzuc|odmów|odfiltr|narusz|niezgodn|zabron|niedozwol|sprzeczn|zatrzym|oznaczon|wbrew|przeciw",
    "hr, lt, lv, et": r"odbij|blokir|zabranj|krš|protivn|blokuo|atmest|pažeid|draudž|bloķ|noraid|pārkāp|aizlieg|blokee|"
    r"rikub|keela",
    "cs": r"zablok|odmít|zamít|poruš|zakáz|vyfiltr|v rozporu|\bproti\b|zastav",
    "ro, hu": r"blocat|respins|încalc|interzis|letilt|blokkol|elutasít|sért|megsért|kiszűr|"
    r"contravin|împotriv|contrar|ellen|fennakad",
    "el": r"αποκλείσ|μπλοκ|απορρίφθ|παραβιάζ|παραβίασ|απαγορε|αντίθετ|αντιβαίν|σταμάτ",
    "tr": r"engel|reddedil|ihlal|yasak|filtrelen|aykırı|izin ver|takıl|geçemedi|karşı|durdur",
    "ar, fa, he": r"حظر|رفض|ينتهك|تنتهك|يخالف|تخالف|مخالف|منع|محظور|حجب|انتهاك|مسدود|رد شد|"
    r"نقض|يتعارض|خلاف|مغایر|أوقف|נוגד|בניגוד|נעצר|נחסמ?ם?|נדח|מפר|הפרה|"
    r"סורב",
    "id": r"diblokir|ditolak|melanggar|dilarang|disaring|bertentangan|terdeteksi|dihentikan|ditahan",
    "vi": r"chặn|từ chối|vi phạm|cấm|không được phép|trái với|giữ lại",
    "hi, th": r"अवरुद्ध|ब्लॉक|अस्वीकार|उल्लंघन|प्रतिबंध|रोक|विरुद्ध|ख़?िलाफ|บล็อก|ปฏิเสธ|ละเมิด|ระงับ|ขัดต่อ",
    "ja": r"ブロック|拒否|違反|遮断|禁止|フィルタリング|できません|抵触|検出|反し|反す|停止|満たし|止め",
    "ko": r"차단|거부|거절|위반|금지|필터링|수 없|위배|제한|감지|어긋|반하|반합|중단|걸렸",
    "zh": r"触碰|触及|拦截|拒绝|违反|屏蔽|过滤|禁止|触发|[未不]通过|无法|不符|攔截|拒絕|違反|觸發|命中|违背|不合",
}
"""What it did to the question or the answer."""
_HARMS: Final = {
    "hate": r"\bcontent policy: ?\w|\b(?:harm|hurt|insult|offend)\w* (?:a group|groups|others|people|someone)\b|"
    r"\bhate speech\b|\bhassrede|\b(?:discurso|lenguaje|linguagem) de [oó]dio|discours? (?:de haine|haineu)|"
    r"incitament?o? all['’]odio|discorso d['’]odio|haatzaai|haatdragend|язык вражды|mow\w+ nienawiści|nefret söylemi|"
    r"hatprat|hatytring|vihapuhe|خطاب كراهية|ujaran kebencian|phát ngôn thù|घृणास्पद|ヘイトスピーチ|혐오 (?:발언|"
    r"표현)|仇恨言论",
    "en": r"(?<!object is )\bunsafe\b(?![ -]?(?:eval|header|inline|redirect|url))|\b(?:involving|sexualizing) minors|"
    r"protected material|\brecitation\b|\b(?:answer|completion|conversation|generation|query|question|reply|request|"
    r"response) (?:was|is|has been) (?:censored|filtered|flagged|moderated|quarantined)|\b(?:answer|completion|"
    r"generation|output|reply|response) (?:was |is |has been )?(?:censored|suppressed|withheld)|\b(?:classified|"
    r"considered|deemed|detected|found|identified|judged) (?:as |to be )?(?:\w+ )?(?:harmful|hateful|inappropriate|"
    r"offensive|toxic|unsafe|violent)|(?:offensive|abusive|objectionable|disallowed|explicit|malicious|profane|illegal|"
    r"policy-violating|dangerous|harmful|hateful|inappropriate|nsfw|prohibited|sexual|toxic|unsafe|violation|violent) "
    r"(?:\w+ )?(?:content(?![- ]*(?:type|length|encoding))|conduct|language|material|speech|"
    r"topics?)\b|\b(?:jailbreak|prompt[ -](?:attack|injection|threat)|self-harm|hate speech)\b[^.]{0,40}\b"
    r"(?:attack|attempt|blocked|"
    r"detected|found|identified|rejected|suspected)|\b(?:attack|attempt|blocked|detected|found|"
    r"identified)\b[^.]{0,40}\b(?:jailbreak|prompt[ -](?:attack|injection|threat)|self-harm|hate speech)\b|"
    r"\b(?:banned|blocked|disallowed|filtered|forbidden|prohibited) "
    r"(?:entity|keyword|phrase|term|topic|word)s?\b(?! list is\b)|"
    r"\b(?:keyword|phrase|topic|word)s? (?:is |was |are )?(?:banned|blocked|forbidden)\b|"
    r"\b(?:scored?|severity|confidence|probability)\b[^!?]{0,30}\b(?:for|of|as|in)\b[^!?]{0,20}"
    r"\b(?:hate|harm|toxic|violen|sexual|self-harm|profan|jailbreak|insult|threat)|\b(?:hate|harm|toxicity|"
    r"violence|sexual|profanity|safety|risk)\b(?!['”])[^!?]{0,30}\b(?:score|severity|threshold)|"
    r"\bcontent of (?:the )?\w+ (?:field|message|role) is (?:invalid|unsafe)|blocked (?:input|output|prompt|"
    r"response)\b|\b(?:content|messages?|prompts?|quer(?:y|ies)|questions?|requests?) (?:about|concerning|involving|on|"
    r"regarding|related to) .{2,40}\b(?:block|cannot|declin|disallow|not (?:allow|permit|support)|off[- ]limits|"
    r"prohibit|restrict)|"
    r"\b(?:abusive|harmful|hateful|prohibited|toxic) (?:prompt|quer(?:y|ies)|question|request|usage|use)s?\b|"
    r"\brisk[ -]control\b|\bdenied topic|"
    r"\b(?:pii|personal(?:ly identifiable)? (?:data|information))\b[^.]{0,30}\b(?:blocked|detected|"
    r"found)|\b(?:blocked|rejected)\b[^.]{0,40}\b(?:hate|harm|violence|sexual|toxic|safety|unsafe)|\b(?:adult|"
    r"election|political|religious|sexual|violent)\w* (?:content|prompts?|questions?|requests?|speech|topics?) (?:is |"
    r"are )?(?:not (?:allowed|permitted|supported)|restricted|unsupported)",
    "sensitive": r"\bsensitive (?:\w+ )?(?:areas?|categor\w+|content|information|issues?|keywords?|language|material|"
    r"matters?|questions?|subjects?|terms?|themes?|topics?|words?)\b|(?<!key )(?<!token )\b(?:is|are|as|contains?|"
    r"found|input|output|too|"
    r"was|were|unsafe or)[ _](?:(?:\w+ly|deemed|considered|new|too|very)[ _])*sensitive\b(?! (?:to|scopes?|fields?)\b)",
    "no answer": r"\bprofanit(?:y|ies)\b(?! (?:filter|option))|\bslurs?\b|\bself-harm\b|"
    r"\bfail(?:ed|s) (?:the |our |\w+ )?(?:content|guardrails?|"
    r"moderation|safety)\b|(?:\bnot\b|n['’]t\b)[^.!?]{0,40}\b(?:able|allowed|permitted) to (?:answer|comment|discuss|"
    r"respond|talk)|お答えでき(?:ません|ない)|回答(?:できません|を控え)|(?:无法|暂不|不便|不能)(?:回答|作答)|"
    r"답변(?:할 수 없|드릴 수 없|이 어렵|이 제한)|\b(?:safety|guardrail\w*|content_?filter|content_?policy|"
    r"blocked_?prompt)(?:error|exception|tripwire)",
    "zh": r"规则不允许|风险?控制?(?:拦截|触发|限制)|"
    r"违禁|涉政|涉黄|涉暴|涉恐|敏感(?:[内內]容|信息(?!.?(?:加密|脱敏|存储))|词|詞|[话話][题題]|言[论論]|[问問][题題]|"
    r"主[题題]|文本|字|[语語]|"
    r"表述)|"
    r"(?:涉及|包含|含有?|[过過]于|太|[较較][为為]|[检檢][测測]|命中|政治|[内內]容|[话話][题題]|[问問][题題]|"
    r"[输輸][入出]|文本|提[问問])[^。，]{0,6}敏感|(?:有害|敏感|违规|违法|不当|不良|不适当|暴力|色情|仇恨|"
    r"歧视)\S{0,4}(?:内容|"
    r"信息(?!.?(?:加密|脱敏|存储))|词|內容|言论)|(?:内容|输入|输出|文本|提示词?)[^。，]{0,6}风险",
}
"""What says by itself that content is not taken."""
_MATTER: Final = (
    r"\b(?:tema|temi|thème|thema|themen|ämne|emne|konu|chủ đề|topik)\w*\b|话题|話題|トピック|주제|विषय|หัวข้อ|θέμα|"
    r"موضوع|נושא|\b(?:answer|completion|content|input|message|output|phrase|prompt|subject|topic|reply|response|"
    r"text|words?)s?\b|\b(?:conten[ui]|contenid|conteúd|contenut|propos\b|texte?s?\b|texto|testo|mots?\b|"
    r"palabra|palavra|parol[ae]\b|término|termos?\b|termini\b|mensaje|mensage|messagg|réponse|respuesta|resposta|"
    r"rispost)|inhalt|nachricht|begriffe?\b|wörter|äußerung|antwort|\btext|inhoud|woorden|bericht|antwoord|innehåll|"
    r"indhold|innhold|\bord\b|tekst|sisältö|sanoja|контент|содерж|текст|слов[ао]?\b|сообщен|ответ|тем[аеуы]\b|вміст|"
    r"treś|słow|wiadomoś|odpowied|obsah|slov[ao]?\b|zpráv|conținut|cuvint|tartalom|szavak|περιεχόμεν|λέξ|içeri[kğ]|"
    r"metin|kelime|mesaj|ifade|yanıt|محتو|نص|كلمات|رسال|תוכן|מילים|konten|kata-kata|pesan|teks|nội dung|văn bản|"
    r"từ ngữ|tin nhắn|सामग्री|कंटेंट|शब्द|संदेश|पाठ|เนื้อหา|ข้อความ|คำต้องห้าม|コンテンツ|内容|表現|テキスト|単語|"
    r"語句|콘텐츠|컨텐츠|내용|표현|텍스트|문구|단어|文本|词语|內容"
)
_NOT_TAKEN: Final = (
    r"engellen|reddedil|отклон|відхил|odrzuc|odmítn|zamítn|afgewezen|geweigerd|zurückgewiesen|\bnegad|denegad|ditolak|"
    r"diblokir|\bchặn|từ chối|차단|거부|拒否|ブロック|拦截|屏蔽|拒绝|حظر|رفض|אסור|נחסם|αποκλείσ|απορρίφθ|respins|"
    r"elutasít|letilt|avvis|afvis|nekad|censur|zensier|цензур|cenzur|sansür|\b(?:censored|"
    r"flagged|harmful|hateful|inappropriate|objectionable|offensive|toxic)\b|bloqu[eé]|"
    r"bloccat|bloquead|refusé|rechazad|recusad|rifiutat|respint|inappropri|impr[óo]pri|inapropiad|inadecuad|inadequad|"
    r"offens|ofensiv|haine|\bodio\b|\bódio\b|nuisible|dañin|nociv|interdit|prohibid|proibid|vietat|illicite|ilícit|"
    r"illecit|sensible|sensíve|sensibil|choquant|toxique|tóxic|tossic|non conforme|signalé|sinalizad|segnalat|"
    r"blockiert|abgelehnt|unzulässig|untersagt|anstößig|unangemessen|schädlich|verboten|hass|beleidig|gefährlich|"
    r"ongepast|schadelijk|"
    r"verboden|geblokkeerd|beledigend|olämplig|skadlig|stötande|förbjud|upassende|skadelig|støtende|forbud|blocker|"
    r"blokker|haital|sopimato|kiellet|заблок|недопуст|неприемлем|запрещ|оскорб|вредн|экстрем|неподобающ|токсич|"
    r"чувствительн|заборонен|образлив|шкідлив|нецензурн|nieodpowiedn|niedozwolon|obraźliw|szkodliw|zabron|zakazan|"
    r"zablok|nevhodn|škodliv|urážliv|zakázan|inadecvat|interzis|nepotrivit|nem megfelelő|sértő|tiltott|ακατάλληλ|"
    r"προσβλητικ|απαγορευμέν|uygunsuz|zararlı|saldırgan|yasak|müstehcen|sakıncalı|غير لائق|ضار|مسيء|محظور|غير مناسب|"
    r"غير آمن|نامناسب|לא הולם|פוגעני|אסור|tidak pantas|berbahaya|terlarang|ofensif|dilarang|không phù hợp|độc hại|"
    r"nhạy cảm|bị cấm|thù địch|अनुचित|हानिकारक|आपत्तिजनक|घृणा|संवेदनशील|ไม่เหมาะสม|อันตราย|ต้องห้าม|不適切|有害|"
    r"センシティブ|差別|ヘイト|禁止|부적절|유해|혐오|금지|음란|违禁|不当|禁用|injur|insult|obsc[eè]n|vulgair|vulgar|"
    r"küfür|groserí|unterdrückt|zurückgehalten|problematisch|supprimé|\bsuppressed\b"
)
_REJECTED: Final = r"\b(?:banned|blocked|disallowed|forbidden|prohibited|rejected|withheld)\b"
_ALLOW: Final = (
    r"\b(?:allow|permit|tolera|accept|admit|admis|zulass|zulä|lassen|erlaub|gestatt|permett|permess|consent|ammess|"
    r"ammett|"
    r"autoris|autoriz|toegestaan|toelaat|tillat|tillåt|tilla[dt]|salli|разреш|допуска|допусти|дозвол|pozwal|dozwol|"
    r"dopuszcz|povol|dovol|dozvol|enged|izin|kabul|diizink|cho phép|được phép|leidži|lubatu|atļau)\w*|επιτρέπ|سمح|"
    r"يُسمح|"
    r"مجاز|מותר|מאפשר|अनुमति|अनुमत|อนุญาต|許可|認め|許さ|허용|허락|允许|允許|准许"
)
"""May: beside a word for no it declines. It may be of a parameter, a plan or a model too."""
_VIOLATES: Final = (
    r"\bbreak(?:ing|s)? (?:any|house|our|the|their)\b|"
    r"no cumpl|não cumpr|ne respect|non rispett|entspricht nicht|nie spełnia|не соответств|voldoet niet|uymuyor|"
    r"tidak sesuai|không tuân|不符|\bviol(?:at|e\b|a\b|ent|ent|ó)\w*|enfrei|contrevien|infring|incumpl|verst[oö]ß|"
    r"verletz|schend|bryter|strider|overtr[æe]d|наруша|наруши|порушу|narusz|poruš|încalc|sért|παραβι|ihlal|aykırı|"
    r"نتهك|خالف|نقض|מפר|melanggar|bertentangan|vi phạm|उल्लंघन|ละเมิด|違反|위반|위배|违反|违背|krš[ie]|protivn|"
    r"\b(?:contre|contra|contro|gegen|tegen|mot|против|wbrew|proti|protiv|împotriva)\b|pažeidž|rikub|pārkāp|ขัด|"
    r"विरुद्ध|"
    r"खिलाफ|خلاف|مغایر|يتعارض|נוגד|בניגוד|trái với|反し|反す|어긋|반합|반하|lanza"
)
_RULES: Final = (
    r"\b(?:guideline|polic(?:y|ies)|rules?\b|standards?\b|terms of)|politiqu|règl|charte|condition|política|\bnorma|"
    r"\bregla|términos|condicion|regras|termos|\bpolitic|regol|termini|richtlin|regeln|bedingung|vorgabe|beleid|"
    r"voorwaard|riktlin|villkor|retningslin|vilkår|правил|политик|услови|требовани|умов|zasad|regulamin|warunk|"
    r"polityk|pravid|podmín|zásad|szabály|irányelv|πολιτικ|κανόν|kural|ilke|politika|koşul|سياس|شروط|قواعد|إرشاد|"
    r"سیاست|מדיניות|תנאי|kebijakan|aturan|ketentuan|pedoman|chính sách|quy định|điều khoản|नीति|नियम|นโยบาย|規約|"
    r"ポリシー|規則|ガイドライン|정책|약관|규정|지침|规定|政策|规范|條款|条款|法规|准则|pravil|taisykl|reegl|noteikum|"
    r"smjernic|"
    r"กฎ|قوانین|קווים מנחים|कानून|法律|법률|\blaws?\b|\bgesetz|\blois?\b|\bley(?:es)?\b|\blei\b|\bleis\b|\bwet\b|"
    r"\blegge\b|закон"
)
_OF_FORM: Final = regex(
    r"json|param|header|schema|format|\bfields?\b|\bchamp\b|\bcampo|\bfeld\b|\bpole\b|\bполе\b|\btypes?\b|encoding|"
    r"\b[a-z]+_[a-z_]+\b|\bextra inputs?\b|"
    r"\b(?:content|input|message|prompt)s?[.\[/]\W?\d|utf|\broles?\b|fair[- ]use|array|string|"
    r"base64|\bnull\b|empty|\blength|tokens?\b|länge\b|longueur|longitud\b|lunghezza|comprimento|длин[аы]|长度|長度|"
    r"長さ|길이",
)
"""What a sentence speaks of that is about the form of a request, and not about what it says."""
_OF_SERVICE: Final = regex(
    r"\biam\b|\baccess polic|identity-based|resource-based|\b[a-z]+:[a-z]{3,}\b|\bip\b|region|countr|network|"
    r"organi[sz]ation|project|\bteam\b|administrat|firewall|proxy|\bkeys?\b|endpoint|"
    r"caching|deployment|subscription|\bsku\b|\b(?:arn|kafka|leader|partition|pub/sub|broker|queue|scheduler|socket)\b|"
    r"\bplan\b|billing|invoice|factur|fattur|rechnung|abrechn|faktur|payment|paiement|pagament|оплат|账单|model|"
    r"модел|モデル|모델|模型|feature|\btools?\b|function|stream|account|"
    r"method|\bapi\b|\bbody\b|plug-?in|\bclé|\bclave|\bchiave|\bchave|schlüssel|ключ",
)
"""What it speaks of that is about the service."""
_OF_ANOTHER_RULE: Final = regex(
    r"\b(?:bucket|cache|cors|export|password|quota|rate|retention|retry|routing|scaling|sharing|storage) polic",
)
"""Rules of a service, which judge no text."""
_LONG: Final = regex(
    r"trop (?:long|grand|volumineu)|demasiado (?:larg|grand|extens)|muito (?:long|grand|extens)|troppo (?:lung|grand)|"
    r"te (?:lang|groot)\b|zu (?:lang|groß)|слишком (?:длинн|больш)|занадто (?:довг|велик)|zbyt dług|za dług|"
    r"příliš dlouh|çok (?:uzun|büyük)|طويل(?:ة)? (?:جد|للغ)|terlalu panjang|quá dài|बहुत लंबा|ยาวเกิน|för lång|"
    r"for lang|liian pitkä|prea lung|túl hosszú|πολύ μεγάλ|(?:dépass|excede|exced|supera|überschreit|overschrijd|"
    r"превыша|перевищу|przekracza|překračuje|aşıyor|aşmakta|melebihi|vượt quá|يتجاوز|تتجاوز)\w*\b.{0,60}(?:context|"
    r"contest|token|токен|jeton|ngữ cảnh|سياق|контекст|kontekst|kontext|bağlam|konteks)|(?:context|contest|token|"
    r"токен|jeton|сообщен|запрос|żądani|entrada|entrée|requête|ngữ cảnh|سياق|контекст|kontekst|kontext|bağlam|"
    r"konteks)\w*\b.{0,60}(?:dépass|excede|exced|supera|überschreit|overschrijd|превыша|перевищу|przekracza|"
    r"překračuje|aşıyor|aşmakta|melebihi|vượt quá|يتجاوز|تتجاوز)",
)
_TOO_MANY: Final = (
    r"\brequests? too (?:fast|frequent\w*|often|quick\w*)\b|"
    r"\btoo many (?:\w+ )?(?:calls|concurrent|connections|jobs|requests|sessions|streams)\b|"
    r"trop de (?:requêtes|demandes)|demasiadas (?:solicitudes|peticiones)|muitas (?:solicitações|requisições)|"
    r"troppe richieste|te veel verzoeken|zu viele (?:\w+ )?(?:anfragen|aufrufe|fragen|zugriffe)|слишком (?:много|"
    r"часты\w*) запрос|забагато запит|"
    r"zbyt wiele (?:żądań|zapytań)|příliš mnoho požadavků|çok fazla istek|طلبات كثيرة|الكثير من الطلبات|"
    r"terlalu banyak permintaan|quá nhiều yêu cầu|बहुत अधिक अनुरोध|(?:请求|請求|调用|訪問|访问|"
    r"操作)[^。，]{0,6}(?:频繁|"
    r"頻繁|过多|太多|过快|過快|太快)|(?:频率|并发|負載|负载)[^。，]{0,6}(?:超|限|过高|饱和)|リクエストが多|"
    r"요청이 너무 많"
)
"""Of requests, and of nothing in them."""
_BUSY: Final = regex(
    rf"{_TOO_MANY}|surcharg|saturé|sobrecarg|saturad|sovraccar|overbelast|перегруж|перевантаж|przeciąż|přetíž|"
    rf"aşırı (?:yük|yoğun)|"
    r"مثقل|ازدحام|ضغط|kelebihan beban|sibuk|quá tải|überlast|ausgelastet|överbelast|overbelast|слишком (?:много|"
    r"часты)|zbyt wiele|příliš mnoho|"
    r"för många|for mange|繁忙|过载|饱和|限流|限速|排队|混雑|混み合|過負荷|과부하|혼잡",
)


_TOPIC: Final = (
    r"\b(?:topic|subject|theme|tema|temi|thème|sujet|asunto|assunto|argoment[oi]|thema|themen|onderwerp|emne|ämne|"
    r"aihe|temat|téma|subiect|konu|topik|chủ đề)\w*\b|\bтем(?:а|е|у|ы|ой)\b|موضوع|נושא|विषय|हัวข้อ|หัวข้อ|θέμα|话题|"
    r"話題|"
    r"トピック|テーマ|주제|主题|主題"
)
_AGENT: Final = (
    r"\b(?:by|par|por|pela|pelo|durch|von|vom|door|da|dal|dalla|przez|av|af|oleh|bởi|de către|od strane|tarafından|"
    r"bị)\b|द्वारा|توسط|من قبل|بواسطة|על ידי|โดย|ถูก|被|により|によって|에 의해|에서"
)
"""By: behind it stands who did it, whatever was done."""
_OF_A_FAULT: Final = regex(
    r"fail|time_?out|timed out|unavailable|exception|unreachable|crash|busy|overload|network|firewall|proxy",
)
_ASKED: Final = (
    r"\b(?:question|frage|domanda|pregunta|pergunta|vraag|fråga|spørgsmål|spørsmål|kysymy|вопрос|питанн|pytan|otázk|"
    r"întreb|kérdés|ερώτ|soru|pertanyaan|câu hỏi|person|prompt)\w*|سؤال|پرسش|שאלה|प्रश्न|सवाल|คำถาม|質問|질문|问题|"
    r"問題|"
    r"提问"
)
_BREAKS: Final = regex(
    r"\b(?:upstream(?! request failed: ?\W?\w)|back-?end|workers?|network|connection|gateway|socket|gpu|cuda|engine|"
    r"runner|subprocess|"
    r"load balancer)\b.{0,60}\b(?:fail\w*|died|dies|errors?|hung|hangs|reset|lost|closed|crash\w*|gone|unavailable|"
    r"unreachable|timed? ?out|terminated|disconnect\w*|dropped|killed|stopped|refused|restart\w*|went away|broke)\b|"
    r"\bunexpected (?:eof|end of (?:file|stream))\b|\b(?:backend|node|replica|runner|shard|upstream|worker)s?\b.{0,20}"
    r"(?:\bnot|n['’]t|\bnever) (?:answer|repl|respond)|"
    r"(?<!and )\b(?:send|submit|try|ask) (?:it |this |(?:the|your) request )?(?:once )?(?:again|later)\b(?! with\b)|"
    r"\b(?:encountered|met) an? (?:\w+ ){0,2}error\b|\A\W*internal (?:server )?error\b|"
    r"\b(?:fail(?:ed|ure)|unable) to (?:connect|contact|fetch|get|obtain|reach|receive)\b|"
    r"\bretry\b.{0,20}\b(?:later|request)|"
    r"\b(?:verbindung|netzwerk|connexion|réseau|conexión|conexão|rede|red|connessione|rete|verbinding|netwerk|"
    r"соединени|сет[ьи]|połączeni|sie[ćc]i?|připojení|spojení|síť|bağlantı|ağ|koneksi|jaringan|kết nối|"
    r"mạng)\w*\b.{0,40}(?:unterbroch|abgebroch|verlor|interromp|interrump|perdu|perdid|caduta|verbroken|разорв|потер|"
    r"прерв|zerwan|"
    r"utracon|přeruš|ztrac|kesil|kopt|terputus|mất|ngắt)|网络(?:错误|异常|超时)|连接(?:超时|中断|失败|重置)|"
    r"(?:servi[dz]or|serveur|server|сервер\w*|sunucu|máy chủ|服务器|サーバー?|서버)[^.!?。]{0,12}?(?:no responde|"
    r"não responde|ne répond|"
    r"non risponde|antwortet nicht|reagiert nicht|не отвечает|nie odpowiada|yanıt vermiyor|無応答|応答し|응답하지)|"
    r"(?:系统|系統|服务器?|服務器?)[^。，]{0,4}(?:开小差|繁忙|异常|異常|故障|不可用)|"
    r"(?:系统|服务器)(?:内部)?错误|\bno such host\b|\bgetaddrinfo\b|"
    r"\be(?:conn[a-z]+|timedout|ai_again|notfound|pipe)\b|"
    r"\A\W*(?:fetch failed|(?:the |this )?(?:stream|socket|operation) (?:was )?(?:aborted|closed))\W*\Z|"
    r"(?:接続|通信)[^。]{0,8}(?:切れ|切断|失敗|エラー)|(?:연결|통신)[^.]{0,8}(?:끊|실패|오류)",
)
"""Machinery that broke down, and the plea to ask again."""


_FOR_NOW: Final = regex(
    r"\b(?:engine|gpu|model|server|service|system)s? (?:are |is )?(?:too )?busy\b|"
    r"\bslow down\b|\brate exceeded\b|\btoo many [^.!?]{0,40}\b(?:at once|in flight|in parallel|open|pending)\b|"
    r"\b(?:aborted|cancelled|killed) by (?:the )?(?:scheduler|server|watchdog|worker)\b|"
    r"\b(?:draining|failing over|shutting down)\b|"
    r"\bconcurren(?:t|cy)\b[^.!?]{0,40}\b(?:exceed\w*|limit|reached)|\bsimultan\w+|\bgleichzeitig|"
    r"\b\d+ (?:calls|requests) (?:in|per|within) \d|[内显]存不足|推理中断|\b(?:timed out|deadline exceeded|evicted|"
    r"preempted)\b|\bcache (?:is |was )?(?:exhausted|full)\b|"
    r"\bretry\W*\Z|\brevenez\b|\bkommen sie\b.{0,20}\bwieder\b|вернитесь|\b(?:something|it) (?:broke|went wrong)\b|"
    r"\breceived (?:an )?error from\b|\bcome back\b|"
    r"\btemporar(?:y|ily)\b|momentan|momentáne|vorübergehend|zeitweise|temporair|temporalment|temporaneament|tijdelijk|"
    r"tillfällig|midlertidig|временно|тимчасово|tymczasow|dočasn|geçici|مؤقت|tạm thời|ชั่วคราว|\bpatientez\b|"
    r"\baguarde\b|\battend(?:ere|ez)\b|"
    r"\bwarten sie\b|подожд|poczekaj|počkejte|bekleyin|harap tunggu|vui lòng (?:chờ|đợi)|お待ち|기다려|一時的|暂时|"
    r"暫時|"
    r"일시적|\b(?:ask|retry|try|request)\b[^.!?]{0,30}\b(?:later|shortly|soon|in (?:an?|another|some|few|"
    r"\d+)\b)|\boverload(?:ed)?\b|\b(?:at|out of|over) capacity\b|\b(?:heavy|high) (?:demand|load|traffic)\b|"
    r"\b(?:under|undergoing|for|in) (?:\w+ )?maintenance\b|\b(?:starting|warming) up\b|\b(?:still|"
    r"currently) (?:being )?"
    r"(?:load|start|deploy|initiali[sz]|provision)\w+|\bscal(?:ing|ed) (?:up|to zero)|\bmodel (?:call|inference|"
    r"invocation) "
    r"(?:fail\w*|timed out|error)\b|"
    r"später (?:erneut|noch ?ein ?mal|wieder)|gewartet\b|\bwartung|\b(?:plus tard|más tarde|mais tarde|più tardi|"
    r"opnieuw later|later opnieuw|senare|senere|myöhemmin|później|později|daha sonra|nanti|mantenimiento|manutenção|"
    r"manutenzione|onderhoud|underhåll|vedligehold|vedlikehold|konserwac\w+|údržb\w+|bakım)\b|позже|пізніше|"
    r"техническ\w+ (?:работ|обслуж)|لاحق|صيانة|thử lại sau|bảo trì|बाद में|ภายหลัง|"
    r"稍[后後候]|维护中|維護中|模型(?:调用|推理)(?:失败|异常|超时|错误)|しばらく|後ほど|時間を(?:お|置|空け|あけ)|"
    r"集中して|"
    r"メンテナンス|"
    r"나중에|잠시 후|점검",
)
"""What lasts for a while, and the plea to ask again after it."""


def compiled(stems: Iterable[str] | str) -> re.Pattern[str]:
    """A pattern of *stems* in small letters, for what `folded` made: told to look past capitals, Python tries each of
    a thousand stems at each letter, where else it looks at the first letter of each."""
    return re.compile("|".join((stems,) if isinstance(stems, str) else stems))


def folded(message: str) -> str:
    """*message* in small letters. Of a Turkish capital two signs would be left."""
    return message.lower().replace("i\u0307", "i")


@cache
def _blocks() -> dict[str, re.Pattern[str]]:
    stems: dict[str, Iterable[str] | str] = {
        "guards": _GUARDS.values(),
        "bans": _BANS.values(),
        "harms": _HARMS.values(),
        "matter": _MATTER,
        "not taken": _NOT_TAKEN,
        "rejected": _REJECTED,
        "may": _ALLOW,
        "violates": _VIOLATES,
        "rules": _RULES,
        "topic": _TOPIC,
        "asked": _ASKED,
        "talk": TALK,
        "no": NO,
        "by": _AGENT,
        "absent": ABSENCE,
    }
    return {name: compiled(each) for name, each in stems.items()}


def without_codes(message: str) -> str:
    """The same without codes in capitals: NOT_READY is the name of no parameter."""
    return folded(_CODES.sub(" ", message))


def sentences_of(message: str) -> list[str]:
    """The sentences of *message*, in small letters."""
    return [each for each in _SENTENCE.split(folded(message)) if each]


@lru_cache(maxsize=64)
def says_blocked(message: str) -> bool:
    """Whether a sentence of *message* says that what judges content stopped it, or names content that is not taken."""
    return any(map(_is_of_a_block, sentences_of(message)))


def _is_of_a_block(sentence: str) -> bool:
    def told(name: str) -> bool:
        return _blocks()[name].search(sentence) is not None

    def judged() -> bool:
        return told("bans") or (told("by") and _OF_A_FAULT.search(sentence) is None)

    absent = is_absent(sentence)
    if told("harms") or (told("guards") and not absent and OUT.search(sentence) is None and judged()):
        return True
    if _OF_FORM.search(sentence) or _LONG.search(sentence):
        return False
    own = _OF_SERVICE.search(sentence) is None
    may_not = own and told("may") and told("no")
    content = told("matter") or told("asked")
    violates = (own or content) and told("violates")
    if told("rules") and _OF_ANOTHER_RULE.search(sentence) is None and (violates or may_not):
        return True
    if content and (told("not taken") or may_not or (own and told("rejected"))):
        return True
    # Of what a machine says no to, nobody speaks as of a topic.
    unspoken = (told("topic") and (told("no") or told("bans"))) or (told("asked") and told("talk") and told("no"))
    handed_back = content and told("by") and told("bans")
    return own and ((unspoken and not absent) or handed_back) and _BUSY.search(sentence) is None


def is_absent(sentence: str) -> bool:
    """Whether *sentence* says that something is not there, not set up or to be done first, which declines nothing."""
    return _blocks()["absent"].search(sentence) is not None


def is_of_the_service(sentence: str) -> bool:
    """Whether *sentence* speaks of a service and of nothing that is asked or answered."""
    of_a_text = (_blocks()[each].search(sentence) for each in ("matter", "asked", "topic", "guards"))
    return _OF_SERVICE.search(sentence) is not None and not any(of_a_text)


def is_of_the_call(sentence: str) -> bool:
    """Whether *sentence* speaks of a request's form or length, of load or of a breakdown."""
    return any(each.search(sentence) for each in (_OF_FORM, _LONG, _BUSY, _BREAKS))


def says_form(message: str) -> bool:
    """Whether *message* speaks of a request's form."""
    return _OF_FORM.search(without_codes(message)) is not None


def says_broken(message: str) -> bool:
    """Whether *message* says that something between here and the model broke down."""
    return any(_BREAKS.search(each) and not _OF_FORM.search(each) for each in sentences_of(message))


def says_for_now(message: str) -> bool:
    """Whether *message* says that it will not last."""
    return _FOR_NOW.search(folded(message)) is not None


def says_too_long(message: str) -> bool:
    """Whether *message* says that this one question is too long."""
    return _LONG.search(folded(message)) is not None


def says_busy(message: str) -> bool:
    """Whether *message* says that too much is asked at once."""
    return _BUSY.search(folded(message)) is not None


def says_too_many(message: str) -> bool:
    """Whether *message* says that there were too many requests, and no more than that."""
    return compiled(_TOO_MANY).search(folded(message)) is not None
