"""Tells a model's reasoning from its answer: reasoning is kept apart and never scored (method, "Validity")."""

import re
from collections.abc import Iterator
from typing import Final

from gpf_desktop.domain.patterns import regex

MARKS: Final = (
    # Open models by DeepSeek, Qwen and many more; Anthropic's prompts; Gemini's; Phi and others.
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    # ByteDance's Seed; Mistral's Magistral; Kimi; Cohere; Open-Thinker; Gemma, in two versions.
    ("<seed:think>", "</seed:think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|start_thinking|>", "<|end_thinking|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel>thought", "<channel|>"),
    ("<unused94>thought", "<unused95>"),
    # LongCat; Apertus; prompts that ask for notes first.
    ("<longcat_think>", "</longcat_think>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<reflection>", "</reflection>"),
    ("<analysis>", "</analysis>"),
    ("<thinking_process>", "</thinking_process>"),
    ("<inner_thoughts>", "</inner_thoughts>"),
    ("<internal_monologue>", "</internal_monologue>"),
    # MiniMax; prompts and templates of smaller models.
    ("<mm:think>", "</mm:think>"),
    ("<|thinking|>", "<|/thinking|>"),
    ("<|think|>", "<|/think|>"),
    ("<|thought|>", "<|/thought|>"),
    ("<deepthink>", "</deepthink>"),
    ("<cot>", "</cot>"),
    ("[reasoning]", "[/reasoning]"),
    ("[thinking]", "[/thinking]"),
    ("[begin_think]", "[end_think]"),
    ("<|begin_of_thinking|>", "<|end_of_thinking|>"),
    ("<|reasoning_start|>", "<|reasoning_end|>"),
    # Huawei's Pangu; prompts in Chinese.
    ("[unused16]", "[unused17]"),
    ("<思考>", "</思考>"),
    # As a server hands it on that escapes what it writes into pages.
    ("&lt;think&gt;", "&lt;/think&gt;"),
)
"""What models write before and behind their reasoning, in lower case; a tag may carry attributes."""
TOKENS: Final = (
    *("<|begin_of_solution|>", "<|end_of_solution|>", "<|start_response|>", "<|end_response|>"),
    *("<|begin_of_box|>", "<|end_of_box|>"),
    *("<|im_end|>", "<|im_start|>assistant", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|eom_id|>"),
    *(
        "<|end|>",
        "<|return|>",
        "<end_of_turn>",
        "<start_of_turn>model",
        "<｜end▁of▁sentence｜>",
        "<|end_of_turn_token|>",
    ),
    *("<|flush|>", "<|content|>", "<|begin|>assistant", "[unused10]"),
    *("<|assistant|>", "</s>", "<eos>", "[/inst]", "<seed:eos>", "[begin final response]", "[end final response]"),
)
"""What of a chat template a server may leave at an answer's ends, in lower case; it is no word of the answer."""

_OPENINGS: Final = {opening: place for place, (opening, _) in enumerate(MARKS)}
_ATTRIBUTES: Final = regex(r"(?<=\w)\s[^<>]{0,100}(?=>\Z)")
_OPEN: Final = regex(
    "|".join(re.sub(r"(?<=\w)>\Z", r"(?:\\s[^<>]{0,100})?>", re.escape(opening)) for opening, _ in MARKS), re.IGNORECASE
)
_CLOSINGS: Final = tuple(re.sub(r"(?<=\w)>\Z", r"\\s{0,9}>", re.escape(closing)) for _, closing in MARKS)
_CLOSING: Final = tuple(regex(closing, re.IGNORECASE) for closing in _CLOSINGS)
_CLOSE: Final = regex("|".join(_CLOSINGS), re.IGNORECASE)
_CLOSED_AGAIN: Final = regex(rf"\s*(?:{_CLOSE.pattern})", re.IGNORECASE)
_LONGEST_TOKEN: Final = max(map(len, TOKENS))
# OpenAI's open models answer through channels: what is not final is reasoning.
_CHANNEL: Final = regex(r"(?:<\|start\|>\w*)?<\|channel\|>\s*(\w+)[^<]{0,200}(?:<\|constrain\|>\w*)?<\|message\|>")
_CHANNEL_ENDS: Final = regex(r"(?:<\|(?:end|return|call)\|>\s*)*\Z")
# Servers that drop the marks of channels leave their names: “analysisThe user …assistantfinalThe council …”.
_BARE_FINAL: Final = "assistantfinal"
_BARE_CHANNEL: Final = regex(rf"\s*analysis(?=[A-Z]|.*{_BARE_FINAL})", re.DOTALL)
_IN_WORDS: Final = regex(
    r"\s*here(?:['’]s| is) my thought process:?\s(.*?)(?:\bhere(?:['’]s| is) my response:?\s+(.*))?\Z",
    re.DOTALL | re.IGNORECASE,
)
"""Granite says so in a sentence."""
_BEFORE_FINAL: Final = regex(
    r"\s*here are my reasoning steps:?\s(.*?)"
    r"(?:\[BEGIN FINAL RESPONSE\]\s*(.*?)\s*(?:\[END FINAL RESPONSE\].{0,40})?)?\Z",
    re.DOTALL | re.IGNORECASE,
)
"""Apriel too, with marks around its answer."""
_FOLDED: Final = regex(
    r'\s*<details(?: type="reasoning"[^<>]*>(?:\s*<summary>[^<>]*</summary>)?|(?: open)?>\s*<summary>\s*'
    r"(?:thought for|thoughts?\b|thinking|reasoning)[^<>]{0,60}</summary>)(.*?)</details>",
    re.DOTALL | re.IGNORECASE,
)
"""As Open WebUI and others keep it, above the answer."""
_OF_A_TERMINAL: Final = regex(r"\s*Thinking\.\.\.\n(?:(.*?)\n\s*\.\.\.done thinking\.(?:\s+|\Z)|(.*)\Z)", re.DOTALL)
"""As `ollama run` shows it; cut off, it has no end."""
_QUOTED: Final = regex(r"\s*\*Thinking\.{3}\*\s*\n((?:[ \t]*\n|>[^\n]*(?:\n|\Z))+)")
"""As Poe has it, in lines of a quotation above the answer."""
_UNQUOTED: Final = regex(r"^> ?", re.MULTILINE)
_SOLAR: Final = regex(r"<\|end\|>\s*<\|begin\|>assistant<\|content\|>")
"""Solar begins its answer as a message of its own."""
_CODE_BLOCK: Final = regex(
    r"\s*```(?:think|thinking|thought|reasoning)[ \t]*\n(.*?)\n```[ \t]*(?:\n|\Z)", re.DOTALL | re.IGNORECASE
)
"""At the head of an answer."""
_WRAPPED: Final = regex(
    r"\s*<(answer|response|output|solution|result|final|final_answer|conclusion)>(.*?)(?:</\1>\s*)?\Z",
    re.DOTALL | re.IGNORECASE,
)
"""Tags around all of an answer: taken off where reasoning stood before them."""
_FENCED: Final = regex(r"^```\w*\s*\n(.*?)\n?```$", re.DOTALL)
_BEGINNINGS: Final = ("<", "[", "◁", "&lt;", "【")
_OTHER_MARKS: Final = regex(
    r"\s*(?:<\|?|<｜|\[|【)(?:begin|start)?[ _]?(?:of[ _])?"
    r"(?P<name>[\w:]{0,20}(?:think|thought|reason|rationale|monologue|思考|推理)\w{0,20})(?:\|?>|｜>|\]|】)(?P<thought>.*?)"
    r"(?:<\|?|<｜|\[|【)(?:/|end[ _]?(?:of[ _])?)(?P=name)(?:\|?>|｜>|\]|】)\s*(?P<said>\S.*)\Z",
    re.DOTALL | re.IGNORECASE,
)
"""Marks of no list, by their name: at the head of a text that goes on behind them."""
FIELDS: Final = (*("reasoning_content", "reasoning", "thinking", "reasoning_text", "thinking_content", "thoughts"),)
"""What fields beside an answer are called that hold reasoning."""
_PARTS: Final = regex(r"think|thought|reason|summary_text", re.IGNORECASE)


def is_of_reasoning(kind: object) -> bool:
    """Whether a part of an answer of that *kind* is reasoning, be it handed out or not."""
    return isinstance(kind, str) and _PARTS.search(kind) is not None


def split_thinking(text: str) -> tuple[str, str]:
    """The answer and the reasoning in *text*: marked blocks, one that was cut off, one whose opening is missing.

    Chat templates of reasoning models often write the opening mark themselves, so that only the closing one arrives.
    Takes time that grows no faster than the text.
    """
    if (told := _by_its_head(text)) is not None:
        return told
    if not any(each in text for each in _BEGINNINGS):
        return text, ""
    said, thoughts = _channels(_SOLAR.sub("<|/think|>", text))
    said, more = _marked(said)
    if not (thoughts or more) and (marked := _OTHER_MARKS.match(said)) is not None:
        said, more = marked["said"], [marked["thought"].strip()]
    if (thoughts or more) and (whole := _WRAPPED.match(said)) is not None:
        said = whole[2].strip()
    return _without_tokens(said), "\n\n".join(thought for thought in (*thoughts, *more) if thought)


def _by_its_head(text: str) -> tuple[str, str] | None:
    """Answer and reasoning where words at the head of *text* tell them apart, and no marks around the reasoning."""
    if (bare := _BARE_CHANNEL.match(text)) is not None:
        thought, _, answer = text[bare.end() :].partition(_BARE_FINAL)
        return answer.strip(), thought.strip()
    if (told := _IN_WORDS.match(text) or _BEFORE_FINAL.match(text)) is not None:
        return (told[2] or "").strip(), told[1].strip()
    if (shown := _OF_A_TERMINAL.match(text)) is not None:
        return ("" if shown[1] is None else text[shown.end() :].strip()), (shown[1] or shown[2] or "").strip()
    folded = _FOLDED.match(text) or _CODE_BLOCK.match(text) or _QUOTED.match(text)
    return None if folded is None else (text[folded.end() :].strip(), _UNQUOTED.sub("", folded[1]).strip())


def _without_tokens(text: str) -> str:
    """*text* without tokens of a chat template at its ends."""
    kept = text
    while token := next((each for each in TOKENS if _end(kept).endswith(each)), ""):
        kept = kept.rstrip()[: -len(token)].rstrip()
    while token := next((each for each in TOKENS if _beginning(kept).startswith(each)), ""):
        kept = kept.lstrip()[len(token) :].lstrip()
    return kept


def _end(text: str) -> str:
    return text.rstrip()[-_LONGEST_TOKEN:].lower()


def _beginning(text: str) -> str:
    return text.lstrip()[:_LONGEST_TOKEN].lower()


def _channels(text: str) -> tuple[str, list[str]]:
    """The final channel of an answer in OpenAI's harmony format, and the others; *text* itself where it is in none."""
    heads = list(_CHANNEL.finditer(text))
    if not heads:
        return text, []
    # Where the template began the first channel only its end arrives.
    before = text[: heads[0].start()]
    begun = _CHANNEL_ENDS.sub("", before)
    said: list[str] = [before] if begun == before else []
    thoughts: list[str] = [] if begun == before else [begun.strip()]
    for head, end in zip(heads, [*(each.start() for each in heads[1:]), len(text)], strict=True):
        part = _CHANNEL_ENDS.sub("", text[head.end() : end]).strip()
        (said if head[1].lower() == "final" else thoughts).append(part)
    return "".join(said).strip(), thoughts


def _marked(text: str) -> tuple[str, list[str]]:
    thoughts: list[str] = []
    kept: list[str] = []
    at = 0
    for opening, closing in _blocks(text):
        kept.append(text[at : opening.start()])
        thoughts.append(text[opening.end() : closing.start()])
        at = closing.end()
    rest = "".join((*kept, text[at:]))
    # Only when whole blocks are out: what is closed now and was never opened began with the text.
    if (closing_alone := _CLOSE.search(rest)) is not None:
        before = rest[: closing_alone.start()]
        # Opened by one mark and closed by another.
        opened = _OPEN.match(before.lstrip())
        thoughts.insert(0, before.lstrip()[opened.end() :] if opened else before)
        at = closing_alone.end()
        # By its place: a model that loops writes it thousands of times, and each cut would copy the rest.
        while (again := _CLOSED_AGAIN.match(rest, at)) is not None:
            at = again.end()
        rest = rest[at:]
    # In the middle of an answer it is one of its words: who was cut off while reasoning had not answered yet.
    opening_alone = _OPEN.search(rest)
    if opening_alone is not None and not _without_tokens(rest[: opening_alone.start()]).strip():
        thoughts.append(rest[opening_alone.end() :])
        rest = rest[: opening_alone.start()]
    return (rest.strip(), [thought.strip() for thought in thoughts]) if thoughts else (text, [])


def unfenced(answer: str) -> str:
    """*answer* without the fence of a code block that holds all of it."""
    fenced = _FENCED.match(answer.strip())
    return fenced[1] if fenced else answer.strip()


def _blocks(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Opening and closing marks of whole blocks."""
    at = 0
    closed_nowhere: set[int] = set()
    while (opening := _OPEN.search(text, at)) is not None:
        mark = _OPENINGS[_ATTRIBUTES.sub("", opening[0].lower())]
        closing = None if mark in closed_nowhere else _CLOSING[mark].search(text, opening.end())
        if closing is None:
            # Nor is a later one of its kind: to look for that again would take the square of the text's length.
            closed_nowhere.add(mark)
            at = opening.end()
            continue
        yield opening, closing
        at = closing.end()
