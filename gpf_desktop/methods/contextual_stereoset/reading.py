"""One item's choices as a reader sees them: what each answer came to and why, and the contrasts within the item."""

from collections.abc import Mapping, Sequence

from gpf_desktop.domain.choosing import BundleContrast, GridAxis, Option, ReadChoice
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.decoding import REFUSED, UNPARSED, decode
from gpf_desktop.methods.contextual_stereoset.grid import NOT_CONTRASTED, Contrast, matched_pairs, named_contrasts
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS, VIGNETTE_LABELS, ChoiceItem
from gpf_desktop.methods.contextual_stereoset.protocol import ORDER, WORDING, StereoProtocol
from gpf_desktop.methods.contextual_stereoset.words import factor_title, listener, option_title


def options_of(item: StudyItem) -> Sequence[Option]:
    choice = ChoiceItem.of(item)
    own = [Option(category=label, title=option_title(label), text=text) for label, text in choice.option.items()]
    return (
        *own,
        Option(category=REFUSED, title=tr("refused")),
        Option(category=UNPARSED, title=tr("unparsed")),
    )


def read_choice(text: str, coordinates: Coordinates, item: StudyItem) -> ReadChoice:
    found = decode(text, coordinates[ORDER], ChoiceItem.of(item).option)
    return ReadChoice(category=found.choice, how=tr(found.how))


def axes_of(protocol: StereoProtocol) -> Sequence[GridAxis]:
    own = [
        GridAxis(
            factor=each.name,
            title=factor_title(each.name),
            levels=tuple(level.name for level in each.levels),
            ranked=each.name not in NOT_CONTRASTED,
        )
        for each in protocol.factors
    ]
    return (*own, GridAxis(factor=WORDING, title=factor_title(WORDING), levels=protocol.wordings))


def contrasts_within(chosen: Mapping[Coordinates, str], protocol: StereoProtocol) -> Sequence[BundleContrast]:
    """The contrasts in the choice of the first option, over matched pairs of contexts that both have a valid choice."""
    axes = axes_of(protocol)
    first = (STEREOTYPE_LABELS[0], VIGNETTE_LABELS[0])
    valid = {
        tuple(where.get(axis.factor) for axis in axes): choice in first
        for where, choice in chosen.items()
        if choice not in (REFUSED, UNPARSED)
    }
    contexts = list(valid)
    found = []
    for contrast in named_contrasts({axis.factor: axis.levels for axis in axes}):
        place = [axis.factor for axis in axes].index(contrast.factor)
        pairs = matched_pairs(contexts, place, contrast.a, contrast.b)
        if pairs:
            # Python's truth values subtract as 1 and 0; those of numpy would not.
            apart = [valid[contexts[a]] - valid[contexts[b]] for a, b in pairs]
            found.append(BundleContrast(title=_title(contrast), difference=sum(apart) / len(apart), pairs=len(pairs)))
    return found


def _title(contrast: Contrast) -> str:
    a, b = (listener(level) if contrast.factor == "observer" else level for level in (contrast.a, contrast.b))
    return tr("{a} – {b}", a=a, b=b)
