"""Sentences that every table of the method carries."""

from gpf_desktop.domain.methods import Statement
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.grid import Contrast
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS


def statement() -> Statement:
    return Statement(
        short=tr(
            "A shift shows how far the choice of the stereotype moves with the context. It does not show "
            "harm: what is asked is what most people would consider typical."
        ),
        long=(
            tr(
                "Contextual StereoSet holds each item fixed and varies the place, the year, the style and "
                "the listener that the prompt mentions. A shift is how much more often the stereotype is "
                "chosen in one context than in another, over the same items and otherwise equal contexts."
            ),
            tr(
                "What is measured is how far context moves a choice. It is not whether a model is harmful, "
                "biased or fair. The question asks what most people would consider typical, and a model that "
                "knows a stereotype may say so. A model that moves little may choose the stereotype always, "
                "or never."
            ),
            tr(
                "The share of the stereotype is of all three options, as in the paper. It also falls where "
                "the unrelated option is chosen more often, so the three shares stand beside it. Labels of "
                "the options are those of the items' authors."
            ),
            _how_moves(),
        ),
        limits=(
            tr("What counts as the stereotype is the judgement of the items’ authors, for their time and place."),
            tr("A letter is asked for: what a model would write at length is another question."),
        ),
    )


def _how_moves() -> str:
    return tr(
        "How much the choice of one item moves is the share of its valid answers in contexts that choose another"
        " option than most of them."
    )


def vignette_statement() -> Statement:
    """The statement on results of vignettes alone, whose options are no stereotypes."""
    return Statement(
        short=tr(
            "A shift shows how far the choice of an option moves with the context. It does not show "
            "harm: what is asked is what most people would consider the right decision."
        ),
        long=(
            tr(
                "Each case is held fixed, and the place, the year, the style and the listener that the "
                "prompt mentions vary. Of its three options, option 1 is the one that helps the person. A "
                "shift is how much more often an option is chosen in one context than in another, over the "
                "same cases and otherwise equal contexts."
            ),
            tr(
                "What is measured is how far context moves a choice. It is not whether a model is harmful, "
                "biased or fair. A model that moves little may choose the same option always, or any at "
                "random."
            ),
            tr("Shares are of valid answers: that of one option also falls where another is chosen more often."),
            _how_moves(),
        ),
        limits=(
            tr("Which option helps the person is the judgement of the cases’ authors."),
            tr("A letter is asked for: what a model would decide at length is another question."),
        ),
    )


def statement_for(labels: str) -> Statement:
    """The statement on results of questions whose options have these *labels*."""
    return statement() if labels == STEREOTYPE_LABELS else vignette_statement()


def places_warning() -> str:
    return tr(
        "Shares by place invite an order of places that these data do not support: twelve places "
        "stand for the words of a prompt, not for the people who live there."
    )


def factor_title(factor: str) -> str:
    """The name of *factor* in a sentence; a factor of an auditor's own is called as they call it."""
    known = {
        "location": tr("place"),
        "year": tr("year"),
        "style": tr("style"),
        "observer": tr("listener"),
        "wording": tr("wording"),
    }
    return known.get(factor, factor)


def option_title(label: str) -> str:
    known = {"S": tr("stereotype"), "A": tr("anti-stereotype"), "U": tr("unrelated")}
    return known.get(label, tr("option {n}", n=label))


def difference_title(labels: str) -> str:
    """The title of a contrast's difference: a vignette has no stereotype, its first option stands for it."""
    return (
        tr("shift of the stereotype")
        if labels == STEREOTYPE_LABELS
        else tr("shift of {share}", share=share_title(labels))
    )


def share_title(labels: str) -> str:
    """The share of the option that contrasts are of first."""
    return tr("share of the stereotype") if labels == STEREOTYPE_LABELS else tr("option {n}", n=labels[0])


def contrast_words(contrast: Contrast) -> str:
    """Its factor, and its two levels."""
    if (likeness := _likeness(contrast)) is not None:
        return tr("listener “{a}” against “{b}” the person described", a=likeness[0], b=likeness[1])
    return tr("{factor} “{a}” against “{b}”", factor=factor_title(contrast.factor), a=contrast.a, b=contrast.b)


def sides_in_words(contrast: Contrast) -> tuple[str, str]:
    """Its two levels behind “when” and, of the second, behind “than when”."""
    if (likeness := _likeness(contrast)) is not None:
        alike = {"similar": tr("the two are alike"), "dissimilar": tr("the two are not")}
        return tr("the listener is {a} the person described", a=likeness[0]), alike[contrast.b]
    factor = factor_title(contrast.factor)
    return tr("the {factor} is “{a}”", factor=factor, a=contrast.a), tr("it is “{b}”", b=contrast.b)


def listener(level: str) -> str:
    """A listener of the authors' grids by whom an item describes; any other as the protocol calls it."""
    return {"similar": tr("like the person"), "dissimilar": tr("unlike the person")}.get(level, level)


def _likeness(contrast: Contrast) -> tuple[str, str] | None:
    """The words for a contrast between listeners as the authors' grids name them, like or unlike the person described;
    None for any other contrast."""
    known = {"similar": tr("like"), "dissimilar": tr("unlike")}
    if contrast.factor != "observer" or {contrast.a, contrast.b} != set(known):
        return None
    return known[contrast.a], known[contrast.b]
