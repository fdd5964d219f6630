"""Word stems of errors in many languages that several readers of errors share: no, to answer, to be absent.

Saying no has three kinds. Something is not taken, which may decline a question; something is not there or not set up;
or somebody has to do something first. Only the first is of what was asked.
"""

from typing import Final

from gpf_desktop.domain.patterns import regex

NO: Final = (
    r"\b(?:not?|cannot|never|nicht|kein\w*|nie|non|ne|pas|plus|não|niet|geen|ikke|ikkje|inte|ingen|inget|ei|eivät|nu|"
    r"nem|nincs|δεν|не|нет|нельзя|нема|немає|ні|brak|není|nelze|nejsou|nemůže\w*|değil|yok|لا|لم|لن|ليس|غير|نیست|"
    r"ندارد|לא|אין|नहीं|không|chưa|tidak|bukan|belum|ya no)\b|n['’](?:t|est|a|ont)\b|\bnem\w+tó|\bن?می|"
    r"\w(?:m[ıiuü]yor\w*|maz|mez|madı|medi|mıyor)\b|ไม่|ません|ない|なく|없|않|못|아닙|不|无|無|没|沒|未"
)
"""The few words that each language has for no."""
TALK: Final = (
    r"\b(?:answer|discuss|talk|comment|répon|trait|discut|parl|responde|contest|habla|trata|rispond|tratt|antwort|"
    r"beantwort|diskut|äußer|sprech|antwoord|beantwoord|bespr|svar|besvar|vasta|keskust|ответ|отвеч|обсужд|говор|"
    r"відпов|обговор|odpowi|odpowiad|rozmawia|dyskut|odpov|mluv|răspun|vorbi|válasz|beszél|απαντ|συζητ|cevap|yanıt|"
    r"konuş|jawab|menjawab|membahas|bicara|trả lời|thảo luận|bàn)\w*|إجابة|نجيب|مناقش|نناقش|پاسخ|גيב|לענות|לדון|"
    r"उत्तर|जवाब|चर्चा|ตอบ|พูดถึง|回答|答え|話せ|お話し|扱え|논의|답변|대답|다루|다룰|聊|谈论|談論|讨论|討論|回应|"
    r"回應|回复|答案|解答"
)
"""What whoever answers does."""
ABSENT: Final = (
    r"de baja|fuera de servicio|hors service|\bretra[sșg]|scos din|poistet|käytöstä|kivezet|αποσύρ|सेवा से हट|เลิกใช้|"
    r"dismess|ritirat|retirad|descontinuad|stopgezet|снят|выведен|wycofan|kaldırıl|dihentikan|ngừng|終了|종료|"
    r"pas accès|sin acceso|no tiene acceso|sem acesso|kein(?:en)? zugriff|geen toegang|нет доступа|brak dostępu|"
    r"non ha accesso|n['’]existe|introuvable|no está disponible|ya no |não está disponível|n['’]est (?:plus|"
    r"pas) disponible|abgekündigt|eingestellt|inconnu|indisponible|pas disponible|retiré|désactivé|no (?:existe|"
    r"encontrad|disponible|se (?:ha )?encontr)|desconocid|não (?:existe|encontrad|disponíve|foi encontrad)|"
    r"desconhecid|non (?:esiste|trovat|disponibil)|sconosciut|niet (?:gevonden|beschikbaar)|bestaat niet|onbekend|"
    r"existiert nicht|nicht (?:gefunden|verfügbar|bekannt|geladen)|unbekannt|abgeschaltet|не (?:существ|найден|доступ|"
    r"загружен|поддерж)|неизвестн|недоступ|не (?:існує|знайден)|nie (?:istnieje|znaleziono|jest dostępn)|nieznan|"
    r"niedostępn|neexistuj|nenalezen|bulunam|mevcut değil|bilinmeyen|غير (?:موجود|متاح|متوفر|معروف)|لا يوجد|"
    r"وجود ندارد|לא (?:נמצא|קיים)|tidak (?:ditemukan|tersedia|ada|dikenal)|không (?:tồn tại|tìm thấy|khả dụng)|"
    r"नहीं मिला|मौजूद नहीं|उपलब्ध नहीं|ไม่พบ|ไม่มี|finns inte|findes ikke|finnes ikke|hittades inte|ikke fundet|"
    r"見つかりません|存在しません|利用できません|찾을 수 없|존재하지 않|사용할 수 없|不存在|未找到|下线|nu există|"
    r"nem (?:található|létezik)|ei löydy|δεν (?:βρέθηκε|υπάρχει)"
)
"""Not there, or there no more; of whatever is spoken of."""
NOT_SERVED: Final = (
    r"pas (?:pris|disponible|autoris)|indisponible|no (?:está |es )?(?:disponible|compatible|admitid)|não (?:está |"
    r"é )?(?:disponíve|suportad)|non (?:è )?(?:disponibil|supportat)|niet (?:beschikbaar|ondersteund)|"
    r"nicht (?:verfügbar|unterstützt)|недоступ|не (?:поддерж|обслуж)|niedostępn|nieobsług|kullanılam|desteklenm|"
    r"sunulmuyor|غير (?:متاح|مدعوم|متوفر)|tidak (?:tersedia|didukung)|không (?:khả dụng|được hỗ trợ)|उपलब्ध नहीं|"
    r"ไม่รองรับ|サポートされて|利用でき|사용할 수 없|지원되지|不支持|不可用"
)
"""Not offered at this place."""
_NOT_SET_UP: Final = (
    r"(?:\bnot|n['’]t|\bnever|\bcannot be|\bno longer) (?:(?:been|be|yet|currently|correctly|properly) )*"
    r"(?:accessible|an? alternat\w*|assigned|associated|attached|complete|configured|connected|created|defined|"
    r"delivered|enough|exist|finish|found|indexed|published|deployed|initiali[sz]ed|installed|known|loaded|match\w*|"
    r"parsed|present|reachable|"
    r"ready|"
    r"recogni[sz]ed|registered|running|sent|set|specified|start\w*|subscribed|valid)\b|"
    r"\bno (?:[\w-]+ ){1,3}(?:(?:was|is|were|are|has been) )?(?:configured|defined|found|matched|set|specified)\b|"
    r"\b(?:is|are|was|were) (?:closed|deleted|empty|missing|required|stale|undefined|unknown)\b|\bmissing\b|"
    r"['\"][\w.-]+['\"] is (?:not |un)supported|"
    r"nicht (?:abonniert|zugestellt)|no (?:\w+ )?(?:\w+ )?entregad|n['’]a pas (?:pu être|été) (?:livré|remis)|"
    r"non consegnat|"
    r"не доставлен|"
    r"未送达|配信(?:でき|され)ません"
)
_TO_BE_DONE: Final = (
    r"\b(?:must|has to|have to|needs? to|please|required to) (?:first )?(?:be )?(?:accept|activat|agree|approv|complet|"
    r"configur|confirm|enabl|regist|review|sign|verif)"
)
OUT: Final = regex(
    r"timed? ?out|\bin time\b|unavailable|un ?reachable|unerreichbar|(?:nicht|pas|no|non|не|niet|nie) (?:\w+ )?"
    r"(?:erreichbar|joignable|alcanzable|raggiungibil|bereikbaar|reagi)|injoignable|antwortet nicht(?! auf)|"
    r"ne répond pas(?! (?:à|aux|sur))|no responde(?! (?:a|sobre))|não responde(?! (?:a|sobre))|non risponde(?! (?:a|"
    r"su))|"
    r"не отвечает(?! на)|nie odpowiada(?! na)|yanıt vermiyor|超时|逾時|无响应|无法连接|接続でき|연결할 수 없|"
    r"タイムアウト|応答(?:しません|なし|"
    r"がありません)|"
    r"시간 초과|응답(?:하지 않|이 없)"
)
"""Of a filter or a server that did not answer, and judged nothing."""
ABSENCE: Final = (_NOT_SET_UP, _TO_BE_DONE, ABSENT)
"""Of what is not there, not set up or to be done first."""
