"""What people export or paste of chats in apps, in files of the shapes that the apps write (the words are our own)."""

import json
from pathlib import Path

import pytest

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.domain.errors import UserError


def read(path: Path, told: object) -> list[dict[str, str]]:
    path.write_text(told if isinstance(told, str) else json.dumps(told), "utf-8")
    return [dict(row.values) for row in read_answer_rows(path)]


def node(name: str, parent: str | None, role: str, text: str, *children: str, **further: object) -> dict:
    kind = further.pop("content_type", "text")
    content = {"content_type": kind, "parts": [text]}
    message = {"id": name, "author": {"role": role}, "content": content, "metadata": {"model_slug": "gpt-9"}, **further}
    return {"id": name, "parent": parent, "children": list(children), "message": message if role else None}


def conversation(*nodes: dict) -> dict:
    return {"title": "Bus lanes", "default_model_slug": "auto", "mapping": {each["id"]: each for each in nodes}}


def test_that_a_chatgpt_export_gives_each_answer_its_question_and_keeps_what_was_asked_again(tmp_path):
    rows = read(
        tmp_path / "conversations.json",
        [
            conversation(
                node("root", None, "", "", "hidden"),
                node("hidden", "root", "system", "You are a helper.", "q1", weight=0.0),
                node("q1", "hidden", "user", "What of the bus lanes?", "think", "b1"),
                node("think", "q1", "assistant", "Let me think.", "a1", content_type="thoughts"),
                node("a1", "think", "assistant", "They are faster.", "tool"),
                node("tool", "a1", "tool", "{}", "a2"),
                node("a2", "tool", "assistant", "And dearer.", "q2"),
                node("b1", "q1", "assistant", "Nobody knows."),
                node("q2", "a2", "user", "Why?", "a3"),
                node("a3", "q2", "assistant", "Because of tax."),
            )
        ],
    )
    told = [(each["prompt"], each["response"], each["turn"]) for each in rows]
    assert told == [
        ("What of the bus lanes?", "They are faster.\n\nAnd dearer.", "1"),
        ("Why?", "Because of tax.", "2"),
        ("What of the bus lanes?", "Nobody knows.", "1"),
    ]
    assert {(each["model"], each["served_host"], each["conversation"]) for each in rows} == {
        ("gpt-9 (ChatGPT app)", "ChatGPT app", "Bus lanes")
    }


def test_that_an_unfinished_chat_and_a_ring_of_messages_end(tmp_path):
    ring = conversation(node("a", "b", "user", "Q", "b"), node("b", "a", "assistant", "A", "a"))
    assert read(tmp_path / "ring.json", [conversation(node("q", None, "user", "Why?")), ring]) == []


def test_that_claudes_export_is_read_without_its_tools(tmp_path):
    said = [
        {"sender": "human", "text": "What of it?", "content": [{"type": "text", "text": "What of it?"}]},
        {
            "sender": "assistant",
            "text": "shown otherwise",
            "content": [{"type": "tool_use", "name": "x"}, {"type": "text", "text": "Nothing."}],
        },
        {"sender": "assistant", "text": "At all.", "content": []},
    ]
    rows = read(tmp_path / "conversations.json", [{"uuid": "1", "name": "It", "chat_messages": said}])
    assert [(each["model"], each["prompt"], each["response"]) for each in rows] == [
        ("Claude app", "What of it?", "Nothing.\n\nAt all.")
    ]


def test_that_geminis_activity_is_read_as_words(tmp_path):
    activity = [
        {"header": "Gemini Apps", "title": "Used Gemini Apps", "products": ["Gemini Apps"]},
        {
            "header": "Gemini Apps",
            "title": "Prompted What of the ferry?",
            "time": "2026-11-02T10:00:00Z",
            "safeHtmlItem": [{"html": "<p>It is <b>late</b> &amp; full.</p>\n<ul><li>Wait.</li></ul>"}],
        },
    ]
    (row,) = read(tmp_path / "MyActivity.json", activity)
    assert (row["prompt"], row["response"]) == ("What of the ferry?", "It is late & full.\n\nWait.")
    assert row["model"] == "Gemini app"


@pytest.mark.parametrize("name", ["chat.txt", "chat.md"])
def test_that_a_pasted_chat_is_read_by_who_speaks(tmp_path, name):
    text = "User: What of it?\nand why?\n\nAssistant: Nothing.\nNote: it rains.\n\n**You:** More?\n**ChatGPT:** No."
    rows = read(tmp_path / name, text)
    assert [(each["prompt"], each["response"]) for each in rows] == [
        ("What of it?\nand why?", "Nothing.\nNote: it rains."),
        ("More?", "No."),
    ]
    assert {each["served_host"] for each in rows} == {"pasted chat"}


def test_that_a_table_is_still_a_table_and_prose_is_refused_with_what_to_do(tmp_path):
    rows = read(tmp_path / "table.txt", "model,question,response\nm,Q: why?,A\n")
    assert rows == [{"model": "m", "question": "Q: why?", "response": "A"}]
    with pytest.raises(UserError, match="no chat"):
        read(tmp_path / "notes.md", "Some notes.\nUser: x\n")


def test_that_a_chat_of_open_webui_gives_the_answer_of_each_model_and_no_thoughts(tmp_path):
    def message(name: str, parent: str | None, role: str, text: str, *children: str, **further: object) -> dict:
        return {"id": name, "parentId": parent, "childrenIds": list(children), "role": role, "content": text, **further}

    thought = '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\n> Hm.\n</details>\n'
    messages = (
        message("q", None, "user", "What of the bus lanes?", "a", "b"),
        message("a", "q", "assistant", f"{thought}They are faster.", "q2", model="oak:8b"),
        message("b", "q", "assistant", "Nobody knows.", model="elm:1b"),
        message("q2", "a", "user", "Why?", "a2"),
        message("a2", "q2", "assistant", "Because of tax.", model="oak:8b"),
    )
    history = {"messages": {each["id"]: each for each in messages}, "currentId": "a2"}
    chat = {"id": "c", "title": "Bus lanes", "chat": {"models": ["oak:8b", "elm:1b"], "history": history}}
    rows = read(tmp_path / "chat-export.json", [chat])
    assert {(each["model"], each["prompt"], each["response"], each["turn"]) for each in rows} == {
        ("oak:8b (Open WebUI)", "Why?", "Because of tax.", "2"),
        ("oak:8b (Open WebUI)", "What of the bus lanes?", "They are faster.", "1"),
        ("elm:1b (Open WebUI)", "What of the bus lanes?", "Nobody knows.", "1"),
    }
    assert len(rows) == 3


@pytest.mark.parametrize("nested", [False, True])
def test_that_a_chat_of_librechat_keeps_what_was_asked_again(tmp_path, nested):
    def message(
        name: str, parent: str, text: str, *children: dict, user: bool = False, **further: object
    ) -> list[dict]:
        told = {"messageId": name, "parentMessageId": parent, "text": text, "isCreatedByUser": user, **further}
        each = [one for child in children for one in child]
        return [{**told, "children": each}] if nested else [told, *each]

    parts = [{"type": "think", "think": "Hm."}, {"type": "text", "text": "Because of tax."}]
    last = message("a2", "q2", "", model="gpt-9", content=parts)
    said = message(
        "q",
        "0000",
        "What of the bus lanes?",
        message("a", "q", "They are faster.", message("q2", "a", "Why?", last, user=True), model="gpt-9"),
        message("b", "q", "Nobody knows.", model="oak"),
        message("c", "q", "Something went wrong", error=True),
        user=True,
    )
    chat = {"conversationId": "c", "title": "Bus lanes", "options": {"model": "gpt-9"}, "messages": said}
    rows = read(tmp_path / "chat.json", chat)
    assert {(each["model"], each["prompt"], each["response"], each["turn"]) for each in rows} == {
        ("gpt-9 (LibreChat)", "What of the bus lanes?", "They are faster.", "1"),
        ("gpt-9 (LibreChat)", "Why?", "Because of tax.", "2"),
        ("oak (LibreChat)", "What of the bus lanes?", "Nobody knows.", "1"),
    }
    assert len(rows) == 3


def test_that_a_chat_of_lm_studio_keeps_every_version_and_no_thoughts(tmp_path):
    def block(text: str, **further: object) -> dict:
        return {"type": "contentBlock", "content": [{"type": "text", "text": text}], **further}

    def answer(*steps: dict) -> dict:
        return {"type": "multiStep", "role": "assistant", "senderInfo": {"senderName": "oak-7b"}, "steps": list(steps)}

    def asked(text: str) -> dict:
        said = {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": text}]}
        return {"versions": [said], "currentlySelected": 0}

    first = answer(block("Hm.", style={"type": "thinking"}), {"type": "debugInfoBlock"}, block("They are faster."))
    messages = [
        asked("What of the bus lanes?"),
        {"versions": [first, answer(block("Nobody knows."))], "currentlySelected": 0},
        asked("Why?"),
        {"versions": [answer(block("Because of tax."))], "currentlySelected": 0},
    ]
    chat = {"name": "Bus lanes", "systemPrompt": "Be brief.", "messages": messages}
    rows = read(tmp_path / "1.conversation.json", chat)
    assert {(each["system"], each["prompt"], each["response"], each["turn"]) for each in rows} == {
        ("Be brief.", "What of the bus lanes?", "They are faster.", "1"),
        ("Be brief.", "What of the bus lanes?", "Nobody knows.", "1"),
        ("Be brief.", "Why?", "Because of tax.", "2"),
    }
    assert {(each["model"], each["served_host"]) for each in rows} == {("oak-7b (LM Studio)", "LM Studio")}


def test_that_chats_of_ai_studio_grok_deepseek_and_copilot_are_read_without_thoughts(tmp_path):
    studio = {
        "runSettings": {"model": "models/oak-2", "temperature": 1.0},
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "chunkedPrompt": {
            "chunks": [
                {"text": "What of the bus lanes?", "role": "user"},
                {"text": "Hm.", "role": "model", "isThought": True},
                {"text": "They are faster.", "role": "model", "finishReason": "STOP"},
            ],
            "pendingInputs": [{"text": "", "role": "user"}],
        },
    }
    said = [("human", "What of the bus lanes?"), ("ASSISTANT", "They are faster.")]
    ids = [{"_id": "1"}, {"_id": "2", "parent_response_id": "1"}, {"_id": "3", "parent_response_id": "1"}]
    replies = [{"sender": who, "message": text, "model": "oak-2"} for who, text in (*said, ("assistant", "Unknown."))]
    answers = [{"response": {**each, **told}} for each, told in zip(replies, ids, strict=True)]
    grok = {"conversations": [{"conversation": {"title": "It"}, "responses": answers}], "projects": [{"id": 1}]}
    parts = [[("REQUEST", said[0][1])], [("THINK", "Hm."), ("RESPONSE", said[1][1])]]
    nodes = {
        str(number): {
            "parent": str(number - 1),
            "children": [str(number + 1)],
            "message": {"model": "oak-2", "fragments": [{"type": kind, "content": text} for kind, text in each]},
        }
        for number, each in enumerate(parts, start=1)
    }
    deepseek = [{"title": "It", "mapping": {"0": {"parent": None, "children": ["1"], "message": None}, **nodes}}]
    # Newest first, as the app has it.
    lines = ["It,2026-11-02T10:00:01,AI,They are faster.", "It,2026-11-02T10:00:00,Human,What of the bus lanes?"]
    files = {
        "studio.json": (studio, {("oak-2 (AI Studio)", "They are faster.", "Be brief.")}),
        "grok.json": (grok, {("oak-2 (Grok app)", each, "") for each in ("They are faster.", "Unknown.")}),
        "deepseek.json": (deepseek, {("oak-2 (DeepSeek app)", "They are faster.", "")}),
        "copilot.csv": (
            "\n".join(("Conversation,Time,Author,Message", *lines)),
            {("Copilot app", "They are faster.", "")},
        ),
    }
    for name, (told, says) in files.items():
        rows = read(tmp_path / name, told)
        assert {(each["model"], each["response"], each["system"]) for each in rows} == says, name
        assert {each["prompt"] for each in rows} == {"What of the bus lanes?"}
