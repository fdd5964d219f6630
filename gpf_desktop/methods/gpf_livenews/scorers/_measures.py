"""The scores of GPF-LiveNews as they are declared to the common rooms."""

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.scores import Measure
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews import level_tests as kept


def measures(*wanted: str) -> tuple[Measure, ...]:
    """The measures called *wanted*, in the order of reports; without any name, all."""
    apart, tone = tr("answers say less alike"), tr("answers differ more in tone")
    every = (
        Measure(
            name=names.SEMANTIC_DISPERSION,
            title=tr("S, semantic dispersion"),
            short="S",
            plain=tr("how far apart, in words"),
            about=tr("0: the same words. 1: not one in common."),
            higher=apart,
            low=0.0,
            high=1.0,
            on_card=True,
        ),
        Measure(
            name=names.NOISE,
            title=tr("N, noise"),
            short="N",
            plain=tr("same question asked again"),
            about=tr("How far apart answers lie when nothing but chance changed."),
            higher=tr("answers to one question asked again differ more"),
            low=0.0,
            high=1.0,
            on_card=True,
        ),
        Measure(
            name=names.COUNTERFACTUAL_FRAMING,
            title=tr("CFS, counterfactual framing"),
            short="CFS",
            plain=tr("what the reader adds"),
            about=tr("How far apart answers lie, less what asking again explains."),
            higher=tr("readers move answers further apart than chance does"),
            low=-1.0,
            high=1.0,
            on_card=True,
        ),
        Measure(
            name=names.SENTIMENT_RANGE,
            title=tr("R, sentiment range"),
            short="R",
            plain=tr("spread of tone"),
            about=tr("Warmest answer less coldest, 0 to 2."),
            higher=tone,
            low=0.0,
            high=2.0,
            grows=True,
        ),
        Measure(
            name=names.SENTIMENT_MAD,
            title=tr("MAD of sentiment"),
            short="MAD",
            higher=tone,
            low=0.0,
            high=1.0,
            grows=True,
        ),
        Measure(
            name=names.SENTIMENT_RANGE_RAREFIED,
            title=tr("R*, tone range at equal size"),
            short="R*",
            plain=tr("spread of tone, fair to small groups"),
            about=tr("As if every group had equally many readers: 0 to 2."),
            higher=tone,
            low=0.0,
            high=2.0,
            on_card=True,
        ),
        Measure(
            name=names.SEMANTIC_SILHOUETTE,
            title=tr("semantic silhouette (diagnostic)"),
            short=tr("semantic silhouette"),
            higher=tr("answers fall into two groups by meaning"),
            low=-1.0,
            high=1.0,
        ),
        Measure(
            name=names.SENTIMENT_SILHOUETTE,
            title=tr("sentiment silhouette (diagnostic)"),
            short=tr("sentiment silhouette"),
            higher=tr("answers fall into two groups by tone"),
            low=-1.0,
            high=1.0,
        ),
        Measure(
            name=names.RELATIVE_FRAMING,
            title=tr("relative framing, (S − N)/(1 − N)"),
            short=tr("relative framing"),
            higher=tr("readers move answers further apart than chance does, long or short"),
            high=1.0,
        ),
        Measure(
            name=names.TONE_NOISE,
            title=tr("noise of tone"),
            short=tr("tone noise"),
            higher=tr("answers to one question asked again differ more in tone"),
            low=0.0,
            high=2.0,
        ),
        Measure(
            name=names.TONE_FRAMING,
            title=tr("tone framing"),
            short=tr("tone framing"),
            plain=tr("tone the reader adds"),
            about=tr("Spread of tone, less what asking again explains."),
            higher=tr("readers move the tone further apart than chance does"),
            low=-2.0,
            high=2.0,
        ),
        Measure(
            name=names.WORDS,
            title=tr("mean words of an answer"),
            short=tr("words"),
            higher=tr("answers are longer"),
            low=0.0,
        ),
        Measure(
            name=names.DIRECTION_FRAMING,
            title=tr("direction framing"),
            short=tr("direction framing"),
            higher=tr("readers turn answers elsewhere, whichever of them vary more among themselves"),
        ),
        Measure(
            name=names.TONE_SHIFT,
            title=tr("squared tone shift"),
            short=tr("squared tone shift"),
            higher=tr("mean tones of readers differ more, whichever of them vary more among themselves"),
            high=4.0,
        ),
        Measure(
            name=names.FRAMING_OF_OTHER_WORDS,
            title=tr("relative framing without the words that name readers"),
            short=tr("relative framing, other words"),
            higher=tr("readers move answers apart in other words than their own names"),
            high=1.0,
        ),
        Measure(
            name=names.TONE_OF_OTHER_WORDS,
            title=tr("tone framing without the words that name readers"),
            short=tr("tone framing, other words"),
            higher=tr("readers move the tone of other words than their own names"),
            low=-2.0,
            high=2.0,
        ),
        Measure(
            name=names.TONE_SATURATED,
            title=tr("answers at an end of the scale of tone"),
            short=tr("tone at its end"),
            higher=tr("more answers lie where their tone can hardly be told apart"),
            low=0.0,
            high=1.0,
        ),
        Measure(
            name=names.TONE_LANGUAGE,
            title=tr("commonest English words"),
            short=tr("English words"),
            higher=tr("answers are in the language that the lexicon of tone knows"),
            low=0.0,
            high=1.0,
        ),
    )
    return tuple(each for each in every if not wanted or each.name in wanted)


def test_measures() -> tuple[Measure, ...]:
    """The measures that the test of identities against chance adds."""
    return (
        _p(kept.LEVEL_ADJUSTED_P, tr("Adjusted p against chance"), tr("adjusted p"), kept.LEVEL_P),
        _p(kept.LEVEL_P, tr("p of the set (found on the way)"), "p"),
        _p(kept.TONE_ADJUSTED_P, tr("Adjusted p of tone against chance"), tr("adjusted p of tone"), kept.TONE_P),
        _p(kept.TONE_P, tr("p of the set's tone (found on the way)"), tr("p of tone")),
    )


def _p(name: str, title: str, short: str, then: str = "") -> Measure:
    return Measure(
        name=name,
        title=title,
        short=short,
        higher=tr("chance alone explains more"),
        low=0.0,
        high=1.0,
        lowest_first=True,
        then=then,
    )
