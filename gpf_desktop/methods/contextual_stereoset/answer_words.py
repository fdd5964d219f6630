"""The words by which answers in many languages state a choice; patterns for `decoding`."""

import re
from typing import Final
from unicodedata import normalize

ANSWER_WORDS: Final = normalize(
    "NFKC",
    "|".join(
        (
            r"it's|it is|it would be|that would be|c'est|ce serait|answer|ans\.?|choice|selection|response|pick|letter",
            r"result|output|solution|correct|typical",
            r"(?:correct|best|right|typical|likely) (?:option|choice|sentence|statement)",
            r"(?:i|i'd|i would|i'll|i will|people would|would) (?:choose|pick|select|go with|say|answer)",
            r"odgovor|одговор|отговор|vastus|atsakymas|atbilde|jawapan|sagot|freagra|erantzuna|përgjigj(?:e|ja)",
            r"最典型的(?:是)?|典型的なのは|전형적인 것은",
            r"antwort|auswahl|wahl|lösung|ich (?:wähle|würde|nehme)",
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
            r"απάντηση|odpověď|răspuns(?:ul)?|válasz|jawaban(?:nya)?|đáp án|câu trả lời|jibu",
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
OPTION_WORDS: Final = normalize(
    "NFKC",
    r"options?|choice|answer|letter|sentence|statement|satz|phrase|frase|opción|opcion|opção|opzione|option|optie|opcja|variante|variant|buchstabe|auswahl"
    r"|lettre|letra|lettera|letter|litera|буква|вариант|选项|選項|選択肢|선택지|보기|الخيار|विकल्प|seçenek|şık|alternativ"
    r"|vaihtoehto|επιλογή|możliwość|pilihan|phương án|lựa chọn|ตัวเลือก",
)
CHOOSING: Final = re.compile(
    r"\b(?:choose|choosing|chose|pick|select|go with|going with|settle on|answer|therefore|thus|hence|so|conclu\w+"
    r"|typical|lean\w*|think|believe|guess|probably|likely|certainly|sure|based on"
    r"|would (?:most )?(?:likely )?(?:say|consider)|consider\w*|wähle|nehme|also|daher|choisi\w*|donc"
    r"|elijo|elegir\w*|por (?:lo )?tanto|portanto|escolh\w+|quindi|scelgo|kies|dus|wybieram|więc|выбираю|поэтому"
    r"|выбрал[аи]?|следовательно|väljer|cevap)\b"
    r"|选|選|所以|因此|したがって|よって|따라서|선택|أختار|इसलिए",
    re.IGNORECASE,
)
CONCLUDING: Final = re.compile(
    r"\W*(?:overall|therefore|thus|hence|all in all|in (?:conclusion|summary|sum)|to (?:conclude|sum up))\b",
    re.IGNORECASE,
)
"""How the last sentence of reasoning begins."""
NEGATIONS: Final = re.compile(
    r"\b(?:not|never|neither|nor|cannot|without|except|rule out|exclude|unlikely|less|least|wrong|incorrect|isn|wouldn"
    r"|don|can|nicht|kein\w*|weder|ne|pas|aucun\w*|ninguna|nunca|tampoco|não|nenhum\w*|nem|non|nessun\w*|niet|geen"
    r"|nie|ani|не|нет|ни)\b(?! only)|n't|不|没|ない|ません|아니|ليس|नहीं",
    re.IGNORECASE,
)
