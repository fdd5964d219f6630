"""Words of errors about accounts and models, in many languages: stems of what is spoken of, and of what is wrong with
it.

English words are in `domain.account_faults`; what is of one question's content is in `domain.error_languages`.
"""

import re
from functools import cache, lru_cache
from typing import Final

from gpf_desktop.domain.error_languages import compiled, folded, is_absent, is_of_the_call, says_blocked, sentences_of
from gpf_desktop.domain.error_stems import ABSENT, NO, NOT_SERVED, TALK
from gpf_desktop.domain.patterns import regex

_MONEY: Final = (
    r"\b(?:solde|crédits?|fonds|budget|saldo|créditos?|fondos|fundos|credito|crediti|fondi|guthaben|tegoed|"
    r"baki[yk]e\w*|"
    r"kredi|dana|kuota kredit|środk\w+|kredyt\w*|kredit\w*|keret|sold)\b|баланс|средств|кредит|кошт|رصيد|اعتماد|"
    r"деньг|денег|\bgeld\b|\bargent\b|dinero|dinheiro|\bsoldi\b|denaro|pieniędz|peněz|pengar|\bpenge|\brahaa?\b|"
    r"pénz|\bbani\b|χρήμα|υπόλοιπ|πίστωσ|पैसे|เงิน|\btiền\b|料金|요금|费用|余量|流量包|点数|积分|"
    r"موجودی|יתרה|số dư|tín dụng|शेष|क्रेडिट|ยอดเงิน|เครดิต|残高|クレジット|잔액|크레딧|余额|餘額|额度|资源包"
)
_LACKING: Final = (
    r"nicht (?:genug|genügend|ausreichend)|pas assez|no hay suficient|не хватает|non abbastanza|niet genoeg|"
    r"insuffisant|épuis|\bvide\b|dépass|insuficient|agotad|esgotad|acab|excedid|insufficient|esaurit|superat|terminat|"
    r"aufgebraucht|erschöpft|\bleer\b|reicht nicht|zu (?:gering|niedrig)|onvoldoende|\bop\b|недостат|исчерпан|"
    r"закончил|нулев|вичерпан|niewystarcz|wyczerpan|\bbrak\b|nedostat|vyčerp|yetersiz|tüken|bitti|كاف|نفد|نفاد|ناکافی|"
    r"אין מספיק|tidak (?:cukup|mencukupi)|habis|không đủ|\bhết\b|अपर्याप्त|समाप्त|ไม่เพียงพอ|หมด|不足|使い切|"
    r"足りません|부족|소진|用尽|耗尽|用完|不够|finit[oaie]\b|\bfinie?s?\b|verbraucht|"
    r"opgebruikt|\bslut\b|brukt opp|opbrugt|loppu|käytetty|elfogy|terminad|εξαντλ|ختم|تمام|انتهى|נגמר|אזל|"
    r"otillräcklig|utilstrækkelig|utilstrekkelig"
)
_QUOTAS: Final = (
    r"\b(?:kontingent|quota|cuota|cota|kota|kvot|limiet|tegoed)\w*|квот|حصة|سهمیه|מכסה|hạn ngạch|कोटा|โควต้า|クォータ|"
    r"割り当て|할당량|쿼터|配额|配額"
)
_SPENT: Final = (
    r"aufgebraucht|verbraucht|erschöpft|épuis|agotad|esgotad|esaurit|исчерпан|закончил|вичерпан|wyczerpan|vyčerp|"
    r"opgebruikt|slut\b|brukt opp|opbrugt|käytetty|tüken|نفد|תמ[הו]|habis|\bhết\b|समाप्त|หมด|使い切|소진|用尽|耗尽|用完"
)
"""Of a quota that is exceeded it may be a minute's; of one that is used up it is not."""
_TOP_UP: Final = (
    r"recharge[rz]\b.{0,20}(?:compte|crédit|solde)|recarg\w+.{0,20}(?:cuenta|saldo|conta|crédito)|пополните|"
    r"ricaric\w+.{0,20}(?:conto|credito)|doładuj|bakiye yükle|isi ulang|nạp (?:thêm )?tiền|充值|チャージ|충전|"
    r"aufladen|impayé|unbezahlt|неоплачен|просрочен\w* (?:плат|счет|счёт)"
)
_MODEL: Final = r"mod[eè]l|\bmalli|модел|نموذج|מודל|mô hình|मॉडल|โมเดล|モデル|모델|模型|デプロイ|déploiement|despliegue"
_KEYS: Final = (
    r"(?:\b|api-?)(?:cl[ée]|clave|llave|chiave|chave|sleutel|klucz|klíč|anahtar|kunci|schlüssel|nøgle|nyckel|nøkkel|"
    r"avain|cheie|kulcs|jeton|token)\w*|ключ|токен|مفتاح|رمز|کلید|מפתח|\bkhóa\b|mã thông báo|कुंजी|คีย์|キー|トークン|"
    r"키|密钥|令牌"
)
_OF_ACCESS: Final = (
    r"\bapi|acc[eè]s|auth|autent|secr|geheim|доступ|авториз|toegang|zugang|erişim|وصول|دخول|akses|truy cập|認証|인증|"
    r"प्रमाण"
)
_BAD: Final = (
    r"non autoris|no autorizad|não autorizad|non autorizzat|nicht (?:berechtigt|autorisiert|zugelassen)|не (?:авториз|"
    r"разреш)|invalid|inválid|\bnon valid|incorrect|incorreto|errat|erroné|expir|scadut|manquant|falta\b|faltante|"
    r"ausent|mancante|révoqu|revogad|revocad|revocat|ongeldig|verlopen|ontbre|ungültig|falsch|abgelaufen|fehlt|"
    r"недейств|неверн|неправильн|просроч|истек|истёк|отсутств|отозван|недійсн|nieprawidł|nieważn|wygas|neplatn|chyb|"
    r"geçersiz|süresi dol|eksik|yanlış|غير (?:صالح|صحيح)|منته|نامعتبر|לא תקין|tidak (?:valid|sah)|kedaluwarsa|"
    r"không hợp lệ|hết hạn|अमान्य|ไม่ถูกต้อง|หมดอายุ|ogiltig|ugyldig|virheellinen|érvénytelen|無効|期限切れ|"
    r"正しくありません|유효하지|잘못|만료|无效|错误|过期|失效"
)
_ACCOUNTS: Final = (
    r"\b(?:compte|cuenta|conta|konto\w*|account|cont|fiók\w*|tili|hesab?\w*|akun|rachun\w+|účet)\b|учётн|учетн|"
    r"аккаунт|обліков|حساب|חשבון|tài khoản|खात|บัญชี|アカウント|계정|账[户号]|帳[戶號]|"
    r"arbeitsbereich|espace de travail|espacio de trabajo|espaço de trabalho|area di lavoro|werkruimte|"
    r"рабоч\w+ пространств|workspace|obszar roboczy|工作[区區空]|ワークスペース|워크스페이스"
)
_SHUT: Final = (
    r"\béchue?s?\b|caducad|vencid|vervallen|förfall|utløp|udløb|päättyn|lejárt|έληξ|закрыт|закрит|uzavřen|închis|lezár|"
    r"zrušen|ingetrok|zurückgezogen|entzogen|widerrufen|cofnię|odvolán|återkall|tilbakekal|ملغ|dicabut|thu hồi|रद्द|"
    r"吊销|撤销|철회|取り消|withdrawn|suspend|bloqu|désactiv|desactiv|desativ|sospes|bloccat|disattivat|cerrad|fermé|"
    r"encerrad|chiuso|geblokkeerd|"
    r"opgeschort|gesperrt|deaktiviert|geschlossen|заблокир|приостан|отключен|заблоков|zablok|zawieszon|zamknięt|"
    r"pozastaven|askıya|engellen|kapatıl|معلق|تعليق|محظور|موقوف|تعطيل|חסום|מושעה|ditangguhkan|diblokir|dinonaktifkan|"
    r"bị khóa|tạm ngưng|đình chỉ|निलंबित|ระงับ|avstäng|spärrat|lukket|stengt|suljettu|停止|凍結|정지|비활성|封禁|冻结|"
    r"停用"
)
_PLACES: Final = (
    r"\b(?:pays|région|país|región|regi[aã]o|paese|regione|land|regio|kraj\w*|region\w*|ülke\w*|bölge\w*|negara|"
    r"wilayah|țara)\b|стран|регион|країн|بلد|منطق|دول|کشور|מדינ|quốc gia|khu vực|देश|क्षेत्र|ประเทศ|国|地域|地区|국가|"
    r"지역"
)
_LIMITS: Final = (
    r"limit|limiet|příděl|\bhakk(?:ı|ınız|ımız)\b|quota|cuota|\bcota|límite|plafond|contingent|kontingent|лимит|квот|"
    r"ліміт|kota\b|sınır|حد\b|الحد|حصة|kuota|"
    r"batas|giới hạn|hạn mức|सीमा|कोटा|โควต้า|ขีดจำกัด|kvot|上限|限额|額度|配额|한도"
)
_DAYS: Final = (
    r"par jour|quotidien|journali|\bdi[aá]ri[oa]|al día|por día|por dia|giornalier|al giorno|dagelijks|per dag|täglich|"
    r"pro tag|tages|суточн|в сутки|в день|дневн|ежедневн|щоденн|denní|dzienn|na dzień|günlük|يومي|روزانه|יומי|harian|"
    r"per hari|hàng ngày|mỗi ngày|trong ngày|दैनिक|รายวัน|dagliga?|daglig|päivittäi|zilnic|napi\b|ημερήσι|"
    r"\bdag(?:limie|quo|kvot|gräns|grens)|dagens|"
    r"\bi ?dag\b|hoje|\boggi\b|aujourd|\bheute\b|vandaag|\bhoy\b|сегодня|сьогодн|dzisiej|\bdziś|\bdne(?:s|šn)|astăzi|"
    r"σήμερα|bugün|اليوم|امروز|היום|hari ini|hôm nay|\bआज|วันนี้"
)
_SPANS: Final = (
    r"mensuel|par mois|mensual|al mes|mensal|por mês|mensile|al mese|maandelijks|per maand|monatlich|monats|месячн|"
    r"в месяц|miesięczn|na miesiąc|měsíčn|aylık|شهري|ماهانه|bulanan|hàng tháng|मासिक|รายเดือน|månad|måned|"
    r"hebdomadaire|par semaine|semanal|settimanal|wekelijks|wöchentlich|недельн|tygodni|haftalık|أسبوعي|mingguan|"
    r"hàng tuần|साप्ताहिक"
)
_NEEDS: Final = (
    r"\b(?:requires?|needs?|nécessit|exige|erfordert|braucht|benötigt|requiere|necesit|requer|richied|vereist|"
    r"требу|нуж[нд]|потріб|wymaga|vyžaduj|necesită|szükség|απαιτ|gerek|يتطلب|نیاز|דורש|memerlukan|membutuhkan|"
    r"yêu cầu|cần|kræver|krever|kräver|vaatii)|आवश्यक|ต้องใช้|必要|需要|필요"
)
_PLANS: Final = (
    r"\b(?:plan|tier|subscription|abonnement|abonemang|suscripción|assinatura|abbonamento|подписк|підписк|тариф|"
    r"subskrypcj|abonament|předplatn|előfizet|συνδρομ|abonelik|langganan|tilaus|tarif|forfait|offre|piano|plano)\w*|"
    r"اشتراك|اشتراک|מנוי|सदस्यता|แพ็กเกจ|サブスク|プラン|구독|요금제|套餐|订阅|訂閱|会员|會員|gói|"
    r"\b(?:essai|prueba|prova|probezeit|testphase|probephase|proefperiode|provperiod|prøveperiode|deneme süresi|"
    r"contrat|"
    r"contrato|contratto|vertrag|contract)\w*|пробн|оплаченн|договор|試用|试用|체험|契約|合同|계약"
)
_KEYS_ALONE: Final = (
    r"\b(?:cl[ée]s?|clave|llave|chiave|chave|sleutel|klucz|klíč|anahtar|kunci|schlüssel|nøgle|nyckel|nøkkel|avain|"
    r"cheie|kulcs)\w*\b|\bключ\w*|مفتاح|کلید|מפתח|\bkhóa\b|कुंजी|คีย์|密钥|密鑰|令牌|api ?キー|"
    r"api ?키|パスワード|비밀번호|口令"
)
_FAULTS: Final = {
    "day": ((_DAYS, _LIMITS),),
    "span": ((_SPANS, _LIMITS),),
    "credit": ((_MONEY, _LACKING), (_QUOTAS, _SPENT), (_TOP_UP,)),
    "shut": ((_ACCOUNTS, _SHUT),),
    "place": ((_PLACES, NOT_SERVED),),
    "key": ((_KEYS, _OF_ACCESS, _BAD),),
    "model": ((_MODEL, ABSENT),),
}
"""By the values of `AccountFault`: stems of each that stand in one sentence, in one of the ways given."""
_NO_ANSWER: Final = regex(
    rf"{TALK}|\b(?:respon[ds]|reply|replied|time|timeout|tiempo|temps|zeit|tempo|capacity|overload\w*|busy|demand|"
    r"inputs?|outputs?|completions?|images?|audio|video|tools?|functions?|vision|files?|features?)\b|"
    r"(?:\bnot|n['’]t|\bcannot) (?:\w+ly )?(?:accept|allow|handle|support|take)s? (?!this|that|the\b|your)\w+|"
    r"\bnot supported (?:by|for|in|on|with) (?:that|the|this|your)\b|\bno (?:\w+ )?available\b(?! \w+ for (?:group|"
    r"model))|(?:没有|无)可用|"
    r"\b(?:this|that|the|your) (?:\w+ )?(?:articles?|contents?|conversations?|languages?|messages?|passages?|prompts?|"
    r"questions?|sentences?|texts?|topics?)\b|"
    r"\b(?:articles?|contents?|messages?|prompts?|questions?|texts?) (?:contains?|includes?|mentions?)\b|"
    r"\bgenerate (?:\w+ ){0,2}responses?\b|\bno content\b|\brepetition|\btokeni[sz]e\b|"
    r"\brejected (?:the|your) request\b|\bsafety\b",
)
"""Of an answer that did not come, of one question, and of what else than an answer a model may take or give."""
_WRONG: Final = "|".join((NO, _LACKING, ABSENT, _BAD, _SHUT, NOT_SERVED))
_HINTS: Final = {
    "credit": ((_MONEY, _WRONG), (_PLANS, f"{_WRONG}|{_NEEDS}")),
    "shut": ((_ACCOUNTS, _WRONG),),
    "place": ((rf"{_PLACES}|(?a:\bip\b)(?! address from)", _WRONG),),
    "key": ((_KEYS_ALONE, _WRONG),),
    "model": ((_MODEL, f"{ABSENT}|{_SHUT}|{NOT_SERVED}|{NO}"),),
}
"""The same, where what is spoken of is beyond doubt and the sentence says no to it, in whatever words."""
_EN_WRONG: Final = (
    r"\b(?:abnormal|blocked|cancell?ed|closed|deactivated|deleted|denied|deprecated|disabled|disallowed|exceed\w*|"
    r"exhausted|"
    r"expired|fail\w*|forbidden|frozen|gone|inactive|ineligible|insufficient|invalid|lacks?|missing|mismatch\w*|"
    r"misconfigured|off|offline|out of|overdrawn|overdue|paused|pending|reached|refused|rejected|removed|required|"
    r"requires|"
    r"restricted|retired|revoked|stopped|suspended|too low|unauthori[sz]ed|unavailable|undefined|unhealthy|unknown|"
    r"unpaid|"
    r"unreachable|unrecogni[sz]ed|unregistered|unsupported|unverified|used up|without|wrong|zero)\b|"
    r"\b(?:cannot|no|none|not|never|only)\b|n['’]t\b"
)
"""What is wrong, as English has it."""
_EN_MONEY: Final = (
    r"\b(?:allowance|balance|billing|budgets?|credits?|funds|invoices?|payments?|quotas?|spend(?:ing)?|wallet)\b"
)
_EN_ACCOUNTS: Final = (
    r"\b(?:accounts?|consumer|licen[cs]es?|membership|org|organi[sz]ations?|projects?|seats?|subscriptions?|teams?|"
    r"tenants?|"
    r"workspaces?)\b"
)
_EN_KEYS: Final = (
    r"\b(?:(?:this|your) key|api[ _-]?keys?|access[ _-]?keys?|access tokens?|authenticat\w*|authori[sz]\w*|bearer|"
    r"credentials?|iam|oauth|"
    r"permissions?|polic(?:y|ies)|scopes?|secrets?|signatures?|unauthenticated|unauthori[sz]ed)\b"
)
_EN_MODELS: Final = (
    r"\b(?:adapters?|channels?|checkpoints?|deployments?|endpoints?|engines?|inference profiles?|lora|models?|"
    r"providers?|"
    r"routes?|upstreams?|weights)\b"
)
_ENGLISH: Final = {"credit": _EN_MONEY, "key": _EN_KEYS, "shut": _EN_ACCOUNTS, "model": _EN_MODELS}
"""What an English sentence is about that says no, by the fault that it tells of."""


_TECHNICAL: Final = (
    r"request|\bcall|param|argument|value|format|server|service|system|connect|error|wrong|fail|problem|issue|internal|"
    r"unexpected|unknown|invalid|illegal|malformed|missing|required|support|version|upgrade|contact|retry|\bagain\b|"
    r"\blater\b|"
    r"limit|quota|token|length|\bsize|\blong|\bshort|empty|bytes?\b|character|sequence|\bstop\b|\brole|\btool|image|"
    r"\bkeys?\b|\bfields?\b|"
    r"thinking|tenant|scope|access|permission|\bauth|log ?in|\bsign(?:ed)?[ -]?(?:in|up)|regist|"
    r"verif|credential|provider|enable|disabl|mandatory|reasoning|endpoint|deploy|\bload|memory|\bgpu|queue|busy|"
    r"picture|audio|video|\bfiles?\b|upload|attach|corrupt|decod|quotes\b|letters\b|"
    r"\btrials?\b|snapshot|archiv|\bowner|lizenz|licen|\bblank\b|\bturns?\b|instan[cz]|hiccup|\bour (?:end|side)\b|"
    r"outage|"
    r"incident|cluster|\bseats?\b|\bfleet|\bnodes?\b|replica|hardware|asleep|\bwake|console|dashboard|\bpanel|carácter|"
    r"caracter|caractère|caratter|символ|znak|文字|"
    r"\bstream|entitle|eligib|capabilit|feature|setting|config|\b(?:true|false)\b|\bclosed\b|"
    r"capacity|capacité|capacidad|capacità|kapazität|\brates?\b|\bpars(?:e|ing)|coding|template|duplicate|header|"
    r"\borigin\b|certificate|json|prompt template|"
    r"borrow|unavailable|not set up|\bwindow\b|\bbroken?\b|\boops|\bwrite\b|\btype\b|messages\b|\bcards?\b|\bbank|"
    r"\bmore than\b|\bmehr,? als\b|\bplus (?:de|que)\b|\bmás (?:de|que)\b|\bmais (?:de|que|do)\b|\bpiù (?:di|che)\b|"
    r"больше,? чем|więcej niż|meer dan|schreiben sie|écrire|escrib[ae]|escrev|scriv|напишите|napisz|schrijf|skriv|"
    r"anmeld|inscri|iscri|zarejestr|aanmeld|kayıt|تسجيل|ثبت نام|登録|注册|註冊|登录|端口|安全组|\border\b|\bfollow\b|"
    r"\bpartition|\bdatei|fichero|archivo|fichier|файл|文件|ファイル|파일|correo|courriel|почт|"
    r"obligator|obbligator|erforderlich|обязательн|recapitat|доставл|хранен|данны|\bdatos\b|données|\bdados\b|"
    r"\bdaten|数据|"
    r"データ|데이터|\bexpir|\badd-?on|"
    r"長さ|不正|"
    r"\bmust (?:be|have)\b|验证|驗證|权限|權限|操作|功能|用户|企业|开放|客户|"
    r"ログイン|가입|로그인|"
    r"银行|銀行|은행|绑定|anfrage|aufruf|\bwert|dienst|fehler|verbindung|eingabe|zeichen|länge|\bleer|fehlt|unbekannt|"
    r"ungültig|später|erneut|"
    r"\bbild|rechnung|requête|demande|appel|valeur|serveur|erreur|connexion|entrée|longueur|\bvide|manqu|inconnu|"
    r"réessay|"
    r"solicitud|petición|solicitaç|requisiç|richiesta|chiamad|valor|servi[dcçz]|\berror|\berro|conexi|entrada|vac[ií]o|"
    r"vazi|vuot|falta|\bmanca|desconoc|válid|intent|máximo|massimo|límit|factura|fattura|запрос|вызов|значен|сервер|"
    r"сервис|служб|ошибк|соединен|\bввод|длин|пуст|отсутств|неизвест|неверн|недопустим|повтор|позже|максим|предел|"
    r"формат|"
    r"параметр|żądani|zapytani|wartoś|serwer|usług|błąd|błęd|połącz|długo|\bpust|brak|nieznan|nieprawid|ponown|później|"
    r"požadav|hodnot|chyb|délk|prázdn|verzoek|aanvra|waarde|\bfout|lengte|\bleeg|ontbre|opnieuw|begäran|förfråg|värde|"
    r"\bfel\b|\btom\b|saknas|försök|anmod|forespørs|feil|fejl|prøv|pyynt|virhe|\barvo|tyhjä|\byrit|istek|istem|değer|"
    r"sunucu|\bhata|bağlan|giriş|\bboş|eksik|geçersiz|tekrar|uzunluk|cerere|valoare|eroare|kérés|érték|hiba|αίτημα|"
    r"τιμή|"
    r"σφάλμα|طلب|قيمة|خادم|خطأ|اتصال|مدخل|فارغ|مفقود|صالح|حاول|درخواست|مقدار|سرور|خطا|בקש|ערך|שרת|שגיא|חיבור|ריק|חסר|"
    r"permintaan|\bnilai|layanan|kesalahan|koneksi|masukan|kosong|hilang|coba lagi|yêu cầu|giá trị|máy chủ|dịch vụ|lỗi|"
    r"kết nối|trống|thiếu|thử lại|คำขอ|ค่า|เซิร์ฟเวอร์|ข้อผิดพลาด|ว่าง|अनुरोध|मान|सर्वर|त्रुटि|रिक्त|リクエスト|要求|"
    r"パラメ|値|形式|サーバ|サービス|エラー|接続|入力|空|必須|再試行|お待ち|しばらく|요청|값|형식|서버|서비스|오류|"
    r"연결|"
    r"입력|비어|필수|다시|메시지가|请求|參數|参数|值|格式|服务|服務|错误|錯誤|连接|输入|缺少|必填|重试|稍后|长度|超出|"
    r"超过|上限"
)
"""What errors of machines speak of; unlike the ways to decline a question it is a closed list."""
_OF_ANOTHER_LANGUAGE: Final = regex(
    r"[^\x00-\x7f“”‘’«»–—…]|\b(?:aus|auf|das|der|dieser?|diesem|ein|eine|ich|ist|nichts?|unser\w*|uns|wir|zu|cette|"
    r"des|est|le|les|nous|pas|une|con|de|del|el|en|es|esta|este|esto|los|para|que|sobre|che|di|il|non|su|um|uma|het|"
    r"een|niet|van|wij|ikke|inte|og|det|na|nam|nie|hili|ni|ve|bir|ini|kami|tidak|yang)\b"
)
"""Signs and small words that English has not."""
_ACRONYM: Final = regex(
    r"(?a:(?<![A-Z] )\b(?!AI\b|EU\b|IA\b|KI\b|LGBT|UK\b|UN\b|US\b|USA\b)[a-z]?[A-Z]{2,}\b(?! [A-Z]{2}))"
)
"""Names of protocols and parts, of which who declines a question does not speak; not of a sentence in capitals."""
_ASKED_OR_ANSWERED: Final = regex(
    r"\b(?:answer|article|assistant|classif|comment|content|discuss|flag|groups?\b|input|matter|minorit|opinion|"
    r"output|prompt|question|"
    r"subject|talk|text|topic)\w*"
)
"""What English speaks of where it declines a question; its ways to do so are better known than other languages'."""
_SIGNS: Final = regex(r"[\d\[\]{}<>_=`\\/|@#$%^*~+]")
_SPACED: Final = regex(r"[^\W\d_]{2,}")
_UNSPACED: Final = regex(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_LEAST_WORDS, _LEAST_SIGNS = 5, 8
_MOST_CHARACTERS: Final = 400
"""What declines a question in so many words says so in one that is known."""


@cache
def _of_machines() -> re.Pattern[str]:
    nouns = (_MONEY, _TOP_UP, _MODEL, _KEYS, _OF_ACCESS, _ACCOUNTS, _PLACES, _LIMITS, _DAYS, _SPANS, _PLANS, _TECHNICAL)
    return compiled((*nouns, r"\bip\b", r"\bbalance|\bcredit|\bpay(?:ment)?\b|billing|licen[sc]e|\bterms\b|\bplan\b"))


@cache
def _faults(*, hints: bool) -> list[tuple[str, list[re.Pattern[str]]]]:
    table = _HINTS if hints else _FAULTS
    return [(fault, [compiled(each) for each in way]) for fault, ways in table.items() for way in ways]


@cache
def _english() -> tuple[dict[str, re.Pattern[str]], re.Pattern[str]]:
    return {fault: compiled(stems) for fault, stems in _ENGLISH.items()}, compiled(_EN_WRONG)


def fault_hinted(message: str) -> str:
    """The same where an English sentence of *message* says no, in whatever words, to what a caller or a server has."""
    subjects, wrong = _english()
    said_no = [each for each in sentences_of(message) if wrong.search(each) and _is_open_to_hints(each)]
    return next((fault for fault, subject in subjects.items() if any(map(subject.search, said_no))), "")


@lru_cache(maxsize=64)
def fault_said(message: str) -> str:
    """The fault of the account or the model that a sentence of *message* tells of, a value of `AccountFault`; empty if
    none."""
    sentences = sentences_of(message)
    return _first(sentences, hints=False) or _first(list(filter(_is_open_to_hints, sentences)), hints=True)


def names_a_machine(message: str) -> bool:
    """Whether *message* names anything that errors of machines speak of."""
    return _of_machines().search(folded(message)) is not None


def speaks_of_no_machine(message: str) -> bool:
    """Whether *message* is a sentence in which nothing is said of a request, a server, a limit, an account or a model.

    What is left for it to speak of is what was asked.
    """
    long_enough = len(_SPACED.findall(message)) >= _LEAST_WORDS or len(_UNSPACED.findall(message)) >= _LEAST_SIGNS
    if not long_enough or len(message) > _MOST_CHARACTERS or _SIGNS.search(message) is not None:
        return False
    told = folded(message)
    if _ACRONYM.search(message):
        return False
    if _OF_ANOTHER_LANGUAGE.search(told) is None and _ASKED_OR_ANSWERED.search(told) is None:
        return False
    return _of_machines().search(told) is None and not any(
        is_of_the_call(each) or is_absent(each) for each in sentences_of(message)
    )


def _first(sentences: list[str], *, hints: bool) -> str:
    return next(
        (
            fault
            for fault, stems in _faults(hints=hints)
            if any(all(each.search(sentence) for each in stems) for sentence in sentences)
        ),
        "",
    )


def _is_open_to_hints(sentence: str) -> bool:
    """Whether *sentence* is of nothing else, in which a model or a key may be named too."""
    return not (is_of_the_call(sentence) or says_blocked(sentence)) and _NO_ANSWER.search(sentence) is None
