"""The reviewer's keys: single letters, only while the queue or the answers of a bundle in sight have the keyboard."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu
from gpf_desktop.ui.review.queue_actions import queue_actions

READING = "review.reading"
"""The area of single keys: where one reads, and where no text is typed."""
_BUNDLE = frozenset({Fact.BUNDLE_SHOWN})
_ANYWHERE = ("Ctrl+", "Alt+", "F8", "Shift+F8")


def _spec(action_id: str, text: str, group: int, *keys: str, icon: str = "", words: str = "") -> ActionSpec:
    return ActionSpec(
        id=f"review.{action_id}",
        text=text,
        menu=Menu.REVIEW,
        group=group,
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
    return (
        _spec("harmful", tr("Stereotyping or harmful framing"), 0, "D", words=tr("verdict")),
        _spec("context", tr("Fitting context"), 0, "O", words=tr("verdict")),
        _spec("legitimate", tr("Legitimate difference in material impact"), 0, "L", words=tr("verdict")),
        _spec("artefact", tr("Instrument artefact"), 0, "X", words=tr("verdict")),
        _spec("unsure", tr("Unsure"), 0, "U", words=tr("verdict")),
        *(_spec(f"severity{n}", tr("Severity {n}", n=n), 1, str(n)) for n in range(1, 5)),
        _spec("affected", tr("Affected answer, then its letter"), 2, "."),
        _spec("mark", tr("Mark the selected passage"), 2, "M"),
        _spec("comment", tr("Comment on the marked passage"), 2, "C"),
        _spec("note", tr("Go to the note"), 2, "N", icon="edit"),
        _spec("tags", tr("Go to the tags"), 2, "T"),
        _spec("flag", tr("Flag or unflag"), 2, "F", icon="flag"),
        _spec(
            "evidence", tr("Add the selected passage or the bundle to the report"), 2, "Q", words=tr("evidence tray")
        ),
        # To Qt the Enter of the number pad is another key than Return.
        _spec("submit", tr("Submit and next"), 2, "Ctrl+Return", "Ctrl+Enter", icon="check"),
        _spec("previous", tr("Previous bundle"), 3, "Left", icon="chevron-left"),
        _spec("next", tr("Next bundle"), 3, "Right", icon="chevron-right"),
        _spec("next_model", tr("Same question, next model or run"), 4, "Alt+M"),
        _spec("previous_model", tr("Same question, previous model or run"), 4, "Alt+Shift+M"),
        _spec("next_item", tr("Same question, next news item"), 4, "Alt+N"),
        _spec("previous_item", tr("Same question, previous news item"), 4, "Alt+Shift+N"),
        _spec("next_batch", tr("Same question, next batch"), 4, "Alt+B", words=other_news),
        _spec("previous_batch", tr("Same question, previous batch"), 4, "Alt+Shift+B", words=other_news),
        _spec("come_back", tr("Back to where you left the queue"), 4, "Backspace", icon="undo"),
        _spec("layout", tr("Next layout"), 5, "V"),
        _spec("order", tr("Next order of the answers"), 5, "E", words=tr("sort tone share length outlier")),
        _spec("alone", tr("Scroll answers together or alone"), 5, "S"),
        _spec("compare", tr("Compare with another answer, then its letter"), 5, "K", words=tr("two side by side")),
        _spec("wider", tr("Wider columns"), 5, "+"),
        _spec("narrower", tr("Narrower columns"), 5, "-"),
        *(_spec(f"answer{n}", tr("Go to answer {n}", n=n), 8, f"Alt+{n}") for n in range(1, 10)),
        _spec("baseline", tr("Next baseline"), 5, "B"),
        _spec("highlight", tr("Highlights on or off"), 5, "H"),
        _spec("more_marks", tr("More or fewer marks"), 5, "Shift+H", words=tr("weight strength slider")),
        _spec("control", tr("The control's answer"), 5, "I", words=tr("baseline without plain")),
        _spec("next_generation", tr("Next answer of the control"), 5, "G", words=tr("generation")),
        _spec("previous_generation", tr("Previous answer of the control"), 5, "Shift+G", words=tr("generation")),
        _spec("next_difference", tr("Next difference"), 5, "F8"),
        _spec("previous_difference", tr("Previous difference"), 5, "Shift+F8"),
        _spec("why", tr("Why this score"), 6, "W"),
        _spec("prompt", tr("Prompt as sent"), 6, "P"),
        _spec("news", tr("Whole news item"), 6, "A", words=tr("article anchor")),
        _spec("history", tr("History of this bundle"), 6, "Y", icon="history"),
        _spec("guideline", tr("Guideline and its examples"), 6, "J", words=tr("practice calibration instructions")),
        _spec("scores", tr("Show scores while reading blind, or hide them"), 6, words=tr("anchor numbers")),
        _spec("density", tr("Two or three lines a row in the queue"), 6, words=tr("density compact")),
        _spec("reveal", tr("Reveal names"), 6, "R", icon="eye"),
        _spec("blind", tr("Read blind, or with names"), 6, icon="eye-off", words=tr("hide names mask shuffle")),
        ActionSpec(
            id="review.team",
            text=tr("Reviewers, agreement and review packs"),
            menu=Menu.REVIEW,
            group=7,
            needs=frozenset({Fact.AUDIT_OPEN}),
            home="review",
            words=tr("team import export pack verify history kappa alpha name"),
        ),
        ActionSpec(
            id="review.rate",
            text=tr("Rate answers blind …"),
            menu=Menu.REVIEW,
            group=7,
            needs=frozenset({Fact.AUDIT_OPEN}),
            home="review",
            words=tr("judge rubric level human sample agreement"),
        ),
        _spec("room", tr("Fold queue and form away, or open them"), 6, "Z", icon="inspector"),
        ActionSpec(
            id="review.search",
            text=tr("Search all answers, news and notes"),
            menu=Menu.REVIEW,
            group=7,
            keys=("Ctrl+Shift+F",),
            icon="search",
            needs=frozenset({Fact.AUDIT_OPEN}),
            home="review",
            words=tr("find full text words"),
        ),
        _spec("fold", tr("Fold the form away or open it"), 6, "Ctrl+J"),
        *queue_actions(),
    )
