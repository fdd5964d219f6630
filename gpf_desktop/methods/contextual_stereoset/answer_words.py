"""The words by which answers in many languages state a choice; patterns for `decoding`."""

import re
from typing import Final
from unicodedata import normalize

from gpf_desktop.domain.patterns import regex

_WHO: Final = r"(?:i|i'd|i would|i'll|i will|would|would (?:most|have|probably|likely|generally|typically))"
_TYPICAL: Final = "(?: (?:most )?typical)?"
ANSWER_WORDS: Final = normalize(
    "NFKC",
    "|".join(
        (
            r"it's|it is|it would be|it has to be|that would be|that'd be|i vote(?: for)?|c'est|ce serait",
            r"answer|ans\.?|choice|selection|response|pick|letter|final option",
            r"result|output|solution|correct|typical|(?:selected|chosen|preferred|final) (?:option|choice|letter)",
            r"gut(?: feeling)? says|my money (?:is )?on",
            r"(?:correct|best|right|typical|likely|plausible|common|usual) (?:option|choice|sentence|statement|one)",
            rf"{_WHO} (?:choose|pick|select|go (?:with|for)|take|say|answer|give|consider|find|call){_TYPICAL}",
            rf"would (?:most )?(?:likely )?have considered{_TYPICAL}",
            r"let(?:'s| us) (?:say|go with|pick|choose|take)|most people|assistant",
            r"i (?:settle on|lean (?:towards?|to))",
            r"people (?:generally |usually |mostly |typically )?say",
            r"had to (?:choose|pick|select|guess)|if forced(?: to (?:choose|pick))?",
            r"in my (?:opinion|view)|meiner (?:meinung|ansicht) nach|naar mijn mening|moim zdaniem|по-моему",
            r"(?:[aà] mon avis|en mi opinión|a mi (?:juicio|parecer)|a mio (?:avviso|parere)|secondo me)(?:, la)?",
            r"odgovor|одговор|отговор|vastus|atsakymas|atbilde|jawapan|sagot|freagra|erantzuna|përgjigj(?:e|ja)",
            r"最典型的(?:是)?|典型的なのは|전형적인 것은",
            r"antwort|auswahl|wahl|lösung|ich (?:wähle|nehme|würde(?: (?:mich für|zu|sagen))?)|typischst\w+",
            r"je dirais|plus typique|diría(?: que(?: la)?)?|eu diria(?: que)?|direi|(?:más|mais|più) t[íi]pic[ao]",
            r"ik zou(?: voor)?|typowa?|типичн\w+|tipik|paling (?:umum|khas|tipikal)|phổ biến nhất|helyes válasz az?",
            r"(?:réponse|reponse)(?: (?:correcte|finale))?|choix|je (?:choisis|choisirais)",
            r"respuesta(?: (?:correcta|final))?|elección|opción correcta|elijo|elegiría",
            r"resposta(?: (?:correta|final))?|escolha|escolho",
            r"risposta(?: (?:corretta|finale))?|scelta|scelgo",
            r"antwoord|keuze|ik kies",
            r"odpowiedź|odpowiedz|wybieram",
            r"ответ|выбираю|(?:я )?бы выбрал[аи]?",
            r"відповідь",
            r"svar(?:et)?|jag väljer|jeg velger|jeg vælger|vastaus|valitsen",
            r"cevap|yanıt|cevabım",
            r"απάντηση|odpověď|răspuns(?:ul)?|válasz|jawaban(?:nya)?|đáp án|câu trả lời(?: đúng)?|jibu",
            r"答案(?:是|为|為)?|我(?:选择|選擇|选|選)|选择|選擇|选|選",
            r"答え(?:は)?|回答(?:は)?|解答(?:は)?|正解(?:は)?",
            r"정답(?:은)?|답(?:은|변은?)?",
            r"(?:ال)?إجابة|(?:ال)?جواب|إجابتي|أختار",
            r"उत्तर|जवाब|คำตอบ(?:คือ)?|উত্তর|תשובה|התשובה(?: היא)?|پاسخ|جواب",
        )
    ),
)
IS_WORDS: Final = (
    "(?:correct[aeo]?|corretta|correta|richtige|typique|típica) (?:is|es|est|é|è|ist)"
    "|is|was|would be|lautet|ist"
    "|wäre|est|serait|es|sería|é|seria|è|sarebbe|jest|to|är|er|on|olur|là|adalah|είναι|هي|هو|है"
)
ARTICLES: Final = "the|la|le|el|a|o|il|die|der|das|de|het|option"
AFTER_A: Final = (
    "is|was|would|because|since|as|it|seems|with|and|or|over|he|she|they|to|the|wählen|sagen|nehmen|ist|wäre|weil"
    "|est|serait|car|parce|es|sería|porque|é|seria|pois|è|sarebbe|perché|zou|kiezen|omdat|jest|bo|är|olur"
    "|fits|matches|looks|appears|sounds|feels|makes|describes|reflects|represents|aligns|remains|stands"
    "|suits|does|did|has|had|goes|works|captures|conveys|contradicts|implies|suggests|refers|relates|ties|wins|takes|comes|I"
)
"""Words before which an A is the letter of an option, no article."""
JOINED: Final = r"(?:[,/&+]|and|or|und|oder|et|ou|y|o|e|en|of|och|og|eller|lub|i|и|или|as well as|plus|和|或|と|または)"
"""Between two letters that are named together."""
TOGETHER: Final = (
    r"are|were|seem\w*|look|appear|sound|feel|fit|match|tie|tied|share|have|work|apply|both|equally|alike"
    "|could|would|might|sind|sont|son|sono"
)
"""Words before which an A that is joined to another letter is one too."""
LEADING_IN: Final = (
    r"[^\W_]+ly(?: speaking)?|honestly|well|hmm+|ok(?:ay)?|yes|sure|alright|all right|as a rule|on (?:average|balance)"
    r"|(?:in|at|for|from|to|by|of|going by|given|considering|because|since|as|based on|according to|judging by)"
    r"\b[^.,;:!?\n]{1,80}"
)
"""How a sentence begins whose only statement is a letter: "Statistically, B."."""
OPTION_WORDS: Final = normalize(
    "NFKC",
    r"options?|choice|answer|letter|sentence|statement|satz|phrase|frase|opción|opcion|opção|opzione|option|optie|opcja|variante|variant|buchstabe|auswahl"
    r"|lettre|letra|lettera|litera|aussage|énoncé|affirmation|afirmación|afirmação|affermazione|буква|вариант|选项|選項|選択肢|선택지|보기|الخيار|विकल्प|seçenek|şık|alternativ"
    r"|vaihtoehto|επιλογή|możliwość|pilihan|phương án|lựa chọn|ตัวเลือก",
)
CHOOSING: Final = regex(
    r"\b(?:choose|choosing|chose|pick|select|go with|going with|settle on|answer|therefore|thus|hence|so|conclu\w+"
    r"|typical|lean\w*|think|believe|feel|guess|leav(?:es|ing)|it is(?=\W*$)|probably|likely|certainly|sure|based on"
    r"|would (?:most )?(?:likely )?(?:say|consider)|consider\w*|wähle|nehme|also|daher|choisi\w*|donc"
    r"|that said|t[íi]pic[ao]|typique|elijo|elegir\w*|por (?:lo )?tanto|portanto|escolh\w+"
    r"|quindi|scelgo|kies|dus|wybieram|więc|выбираю|поэтому"
    r"|выбрал[аи]?|следовательно|väljer|cevap|typisch\w*|tipi\w+|tipik|типов\w+|типичн\w+|typow\w+|direbbe\w*|diraient"
    r"|dir[ií]an?|diriam|bi rek\w+|powiedział\w+|сказал\w* бы|сказали? б)\b"
    r"|选|選|所以|因此|典型|したがって|よって|따라서|선택|전형|[أي]ختار|इसलिए|चुन",
    re.IGNORECASE,
)
CONCLUDING: Final = regex(
    r"\W*(?:overall|therefore|thus|hence|so|most people|all in all|in (?:conclusion|summary|sum)"
    r"|to (?:conclude|sum up))\b",
    re.IGNORECASE,
)
"""How the last sentence of reasoning begins."""
NEGATIONS: Final = regex(
    r"\b(?:not|never|neither|nor|cannot|without(?! (?:more|further|any|other) (?:context|information|details?)\b)"
    r"|except|rule out|exclude|unlikely|less|least|wrong|incorrect|isn|wouldn"
    r"|don|can|nicht|kein\w*|weder|ne|pas|aucun\w*|ninguna|nunca|tampoco|não|nenhum\w*|nem|non|nessun\w*|niet|geen"
    r"|nie|ani|не|нет|ни|few|hardly|rarely|seldom|nobody|no one|away from|clear of|avoid|reject|disagree|other than"
    r"|false|falsch|fausse|faux|incorrect\w|errad[ao]|sbagliat[ao]|błędn\w+|onjuist|невер\w+|неправильн\w+|inte|ikke|ei|není"
    r"|değil|(?:bul|de|ol|seç|say|gör)m[ae]z"
    r"|không|sai|bukan|no (?:es|sería|me|elijo|creo)|tidak|salah|δεν|όχι|nu|لا|ولا|لن|لم|غير|לא|אינה?)\b(?! only)"
    r"|n't|不|没|错|ない|ません|違|아니|아닙|않|ليس|नहीं|ไม่",
    re.IGNORECASE,
)
OF_OTHERS: Final = regex(
    r"\b(?:some(?:one|body)?|others?|another|sexists?|racists?|biased|prejudiced|bigot\w*|colleagues?|friends?|you|he|she"
    r"|they|previous|earlier|mistake|before me|half|formerly|previously|example|for instance|format"
    r"|(?:wanted|tempted|hesitat\w+|reluctant|afraid|was going) to)\b"
    r"[^.!?:;]*$"
    r"|\b(?:harmful|offensive)\b[^.!?:;,]*$"
    r"|\b(?!(?:i|we|one|people|person|everyone|everybody|respondents?|speakers?|readers?|majority|society|public|that|it"
    r"|most|many|which|who|answer|choice)\b)\w+ (?:would|might|may|could|will) (?:\w+ )?"
    r"(?:say|pick|choose|select|answer|go|take|call|consider|find)\b[^.!?:;]*$",
    re.IGNORECASE,
)
"""Before what would be a choice: it is somebody else's, or was not made."""
SUPPOSED: Final = regex(
    r"\b(?:if i (?:believed|were|was|relied|assumed|went by|thought)|(?:were|had) i)\b[^.!?;]*$", re.IGNORECASE
)
"""Before what would be a choice if all were otherwise."""
DOUBTED: Final = regex(
    r"[\s*_)\"'`]{0,4}(?:\?\W{1,4}(?:maybe|perhaps|possibly|not sure|i'm not|i am not|or)\b"
    r"|,? (?:if|unless|assuming|provided)\b[^.!?\n]{1,200}\bbut (?:i|we|that|this|it)\b[^.!?\n]{0,60}(?:n't|\bnot)\b)",
    re.IGNORECASE,
)
"""Behind a letter that is called the answer: as a question of one's own, or on a condition that is then denied."""
ASKED: Final = regex(
    r"\W*(?:who|why|would|should|is|was|are|could|can|shall|do|does|did|may|must|what (?:about|if)|how about)\b"
    r"[^.!?]*\?\s*$",
    re.IGNORECASE,
)
"""A question, which chooses nothing."""
WEIGHED: Final = regex(
    r"\b(?:could|may|might|can) (?:\w+ )?be\b|\bhesitat\w+|\b(?:let me|let's|let us) (?:think|look|consider)\b"
    r"|\b(?:nearly|almost) (?:chose|picked|said|selected|went)\b"
    r"|\b(?:choosing|picking|selecting|saying)\W+[ABC]\W+(?:would|could|may|might|is|seems|feels)\b"
    r"|^\W*(?:i )?consider(?:ed|ing)?\b|\bwant(?:ed)? to (?:think|look)\b"
    r"|\blast time\b|\balso there\b|\bexample\b|^\W*so (?:is|are|was|does|do|did|would|could|might)\b"
    r"|(?-i:\b[ABC]\b)[^.!?]*(?:\bno longer\b|\bunsure\b|\bundecided\b|\buncertain\b|\bi doubt\b)",
    re.IGNORECASE,
)
"""A letter that is thought about, and not chosen."""
TAKEN_BACK: Final = regex(
    r"[\W_]*\b(?:but|though|although|however|yet)\W+(?:not\b(?! (?:by|for|as|because|only)\b)|no\b|never\b"
    r"|(?:it|that|this)(?:'s| is| would be| may be| might be)\W+(?:wrong|incorrect|false|mistaken|not)\b)",
    re.IGNORECASE,
)
"""Right behind a letter: "B, but not really"."""
MARKED_WRONG: Final = regex(
    r"(?:[(\[–—-]\s*(?:wrong|incorrect|false|not (?:typical|this)|untypical|no)\s*[)\]]?|[❌✗✘✖]\ufe0f?)\W*$",
    re.IGNORECASE,
)
"""At the end of an option's line."""
LISTING: Final = regex(
    r"\b(?:options|sentences|statements|choices|each|let's|let us)\b[^\n]*:[*_]{0,3}\s*\n[\s*_(•-]*[ABC]\b",
    re.IGNORECASE,
)
"""Above a list of the options, which may be cut off behind its first."""
CAPITAL: Final = regex(r"(?<=[a-zà-ɏ] )A(?= [a-zà-ɏ])")
"""Within a sentence an article is small: "B is rude, so I'd choose A instead"."""
AS_GOOD: Final = regex(r"\b(?:equally|just as|as (?:good|fair|true|valid|common|possible))\b", re.IGNORECASE)
DISMISSALS: Final = regex(
    rf"{NEGATIONS.pattern}|\b(?:no|untypical|atypical|irrelevant|unrelated|stereotyp\w+|offensive|rude|harmful)\b"
    r"|\b(?:odd one|neutral|exception|outlier|opposite)\b",
    re.IGNORECASE,
)
"""What sets aside the option that an answer begins with."""
UNDECIDED: Final = regex(
    r"\W*(?:might|may|could|can)\b|\W*comes? close\b|\W*has (?:its|some|a few|equal) \w+\W*$"
    r"|\W*(?:is|are) (?:also )?(?:an (?:option|alternative)|a (?:possibility|candidate)|possible|tempting|there)\b"
    r"|.*\b(?:biased|prejudiced|racists?|sexists?|bigots?|last time|previously)\b",
    re.IGNORECASE,
)
"""Right behind a letter that begins an answer: it is there, or somebody's, and not chosen."""
LOOKED_BACK: Final = regex(
    r"\W*(?:formerly|previously|e\.?\s?g\.?|for (?:example|instance)|such as|format)\W+(?:option )?[ABC]\W*",
    re.IGNORECASE,
)
"""A whole answer that gives a letter as a form or as what was."""
CORRECTED: Final = regex(
    r"\b(?:actually|i mean|wait|hmm+|no|on second thoughts?|correction|scratch that|maybe|perhaps|or rather)\b[\W_]*"
    r"(?:(?:no|it's|it is|i'd say|maybe|perhaps|make that|option)[\W_]+)*(?-i:([ABC]))[\W_]*?(?:[.!?\n]|$)",
    re.IGNORECASE,
)
"""A second letter in place of one that was stated: "Actually, no: B."."""
