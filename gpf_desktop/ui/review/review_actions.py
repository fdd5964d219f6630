"""The reviewer's keys: single letters, only while the queue or the answers of a bundle in sight have the keyboard."""

from dataclasses import replace
from functools import partial

from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import SEVERITIES, severity_called, verdict_called
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu
from gpf_desktop.ui.review.queue_actions import queue_actions

READING = "review.reading"
"""The area of single keys: where one reads, and where no text is typed."""
_BUNDLE = frozenset({Fact.BUNDLE_SHOWN})
_ANYWHERE = ("Ctrl+", "Alt+", "F8", "Shift+F8")


def _spec(
    action_id: str, text: str, *keys: str, group: int, submenu: str = "", icon: str = "", words: str = ""
) -> ActionSpec:
    return ActionSpec(
        id=f"review.{action_id}",
        text=text,
        menu=Menu.REVIEW,
        group=group,
        submenu=submenu,
        keys=keys,
        icon=icon,
        needs=_BUNDLE,
        page="review",
        area="" if all(key.startswith(_ANYWHERE) for key in keys) else READING,
        words=words,
    )


def review_actions() -> tuple[ActionSpec, ...]:
    """In the order of the form: verdict, severity, the rest of the form, moving about, reading."""
    other_news = tr("another news item article")
    # What is met in every bundle stands in the menu itself; with all of it there it filled a screen three times.
    form, judge = partial(_spec, group=0), partial(_spec, group=0, submenu=tr("&Verdict and severity"))
    write = partial(_spec, group=0, submenu=tr("&Note, tags and passages"))
    go, same = partial(_spec, group=1), partial(_spec, group=1, submenu=tr("&Same question elsewhere"))
    lay = partial(_spec, group=2, submenu=tr("&Layout and order of the answers"))
    weigh = partial(_spec, group=2, submenu=tr("&Marks and comparisons"))
    answer = partial(_spec, group=2, submenu=tr("&Go to an answer"))
    look_up = partial(_spec, group=3, submenu=tr("Look &up"))
    blind = partial(_spec, group=3, submenu=tr("&Hidden names"))
    room = partial(_spec, group=3, submenu=tr("&Room for the answers"))
    return (
        judge("harmful", verdict_called(Verdict.HARMFUL), "D", words=tr("stereotype framing")),
        judge("context", verdict_called(Verdict.CONTEXT), "O", words=tr("fitting context")),
        judge("legitimate", verdict_called(Verdict.LEGITIMATE), "L", words=tr("impact legitimate")),
        judge("artefact", verdict_called(Verdict.ARTEFACT), "X", words=tr("cut off refusal quoted test")),
        judge("unsure", verdict_called(Verdict.UNSURE), "U", words=tr("unsure")),
        *(judge(f"severity{n}", tr("Severity: {severity}", severity=severity_called(n)), str(n)) for n in SEVERITIES),
        write("affected", tr("Affected answer, then its letter"), "."),
        write("mark", tr("Mark the selected passage"), "M"),
        write("code", tr("Code the selected passage …"), "Shift+M", words=tr("code book qualitative")),
        write("memo", tr("Memo on this item …"), "Shift+N"),
        write("comment", tr("Comment on the marked passage"), "C"),
        write("note", tr("Go to the note"), "N", icon="edit"),
        write("tags", tr("Go to the tags"), "T"),
        write("evidence", tr("Add the selected passage or the set to the report"), "Q", words=tr("evidence tray")),
        form("flag", tr("Flag or unflag"), "F", icon="flag"),
        # To Qt the Enter of the number pad is another key than Return.
        form("submit", tr("Submit and next"), "Ctrl+Return", "Ctrl+Enter", icon="check"),
        go("previous", tr("Previous set"), "Left", icon="chevron-left"),
        go("next", tr("Next set"), "Right", icon="chevron-right"),
        same("next_model", tr("Same question, next model or round"), "Alt+M"),
        same("previous_model", tr("Same question, previous model or round"), "Alt+Shift+M"),
        same("next_item", tr("Same question, next news item"), "Alt+N"),
        same("previous_item", tr("Same question, previous news item"), "Alt+Shift+N"),
        same("next_batch", tr("Same question, next batch"), "Alt+B", words=other_news),
        same("previous_batch", tr("Same question, previous batch"), "Alt+Shift+B", words=other_news),
        same("come_back", tr("Back to where you left the queue"), "Backspace", icon="undo"),
        lay("layout", tr("Next layout"), "V"),
        lay("order", tr("Next order of the answers"), "E", words=tr("sort tone share length outlier")),
        lay("alone", tr("Scroll answers together or alone"), "S"),
        lay("wider", tr("Wider columns"), "+"),
        lay("narrower", tr("Narrower columns"), "-"),
        weigh("compare", tr("Compare with another answer, then its letter"), "K", words=tr("two side by side")),
        weigh("baseline", tr("Next answer to compare with"), "B"),
        weigh("highlight", tr("Highlights on or off"), "H"),
        weigh("more_marks", tr("More or fewer marks"), "Shift+H", words=tr("weight strength slider")),
        weigh("control", tr("The control's answer"), "I", words=tr("baseline without plain")),
        weigh("next_generation", tr("Next answer of the control"), "G", words=tr("generation")),
        weigh("previous_generation", tr("Previous answer of the control"), "Shift+G", words=tr("generation")),
        weigh("next_difference", tr("Next difference"), "F8"),
        weigh("previous_difference", tr("Previous difference"), "Shift+F8"),
        *(answer(f"answer{n}", tr("Go to answer {n}", n=n), f"Alt+{n}") for n in range(1, 10)),
        look_up("why", tr("Why this score"), "W"),
        look_up("prompt", tr("Prompt as sent"), "P"),
        look_up("news", tr("Whole news item"), "A", words=tr("article anchor")),
        look_up("history", tr("History of this set"), "Y", icon="history"),
        look_up("guideline", tr("Guideline and its examples"), "J", words=tr("practice calibration instructions")),
        blind("blind", tr("Hide names, or show them"), icon="eye-off", words=tr("blind hide names mask shuffle")),
        blind("reveal", tr("Reveal names"), "R", icon="eye"),
        blind("scores", tr("Show scores while names are hidden, or hide them"), words=tr("anchor numbers")),
        room("room", tr("Fold queue and form away, or open them"), "Z", icon="inspector"),
        room("fold", tr("Fold the form away or open it"), "Ctrl+J"),
        replace(
            room("fold_queue", tr("Fold the queue away or open it"), "Ctrl+Shift+J", words=tr("list panel hide")),
            # Over the team or the code book it is the way back.
            needs=frozenset({Fact.AUDIT_OPEN}),
        ),
        room("density", tr("Two or three lines a row in the queue"), words=tr("density compact")),
        ActionSpec(
            id="review.search",
            text=tr("Search all answers, items and notes"),
            menu=Menu.REVIEW,
            group=4,
            keys=("Ctrl+Shift+F",),
            icon="search",
            needs=frozenset({Fact.AUDIT_OPEN}),
            home="review",
            at_home=True,
            words=tr("find full text words"),
        ),
        ActionSpec(
            id="review.team",
            text=tr("Reviewers, agreement and review packs"),
            menu=Menu.REVIEW,
            group=4,
            needs=frozenset({Fact.AUDIT_OPEN}),
            home="review",
            words=tr("team import export pack verify history kappa alpha name"),
        ),
        ActionSpec(
            id="review.codes",
            text=tr("Code book and quotes"),
            menu=Menu.REVIEW,
            group=4,
            keys=("Ctrl+Shift+K",),
            needs=frozenset({Fact.AUDIT_OPEN}),
            home="review",
            words=tr("codes passages memo definition examples merge retire"),
        ),
        ActionSpec(
            id="review.rate",
            text=tr("Mark answers, names hidden …"),
            menu=Menu.REVIEW,
            group=4,
            needs=frozenset({Fact.AUDIT_OPEN}),
            home="review",
            words=tr("judge rubric level human sample agreement"),
        ),
        *queue_actions(),
    )
