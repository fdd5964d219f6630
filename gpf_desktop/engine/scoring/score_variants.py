"""The settings under which an audit's scores are worth computing once more (method, "robustness")."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final, get_type_hints

from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.scorer import HasVariants, Scorer, ScoresWholeRuns
from gpf_desktop.domain.scores import Measure, ScoreVariant
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.storage.scores import ScoreSetting

MASKED: Final = "masked"
"""Name of the variant that tells an echo of a label from other wording."""


def variants(primary: ScoreSetting | None, method: Method, used: Iterable[Any]) -> tuple[ScoreVariant, ...]:
    """The variants, each differing from *primary* in one thing; further scorers of the catalogue come behind.

    *used*: protocols of *method* whose names are masked.
    """
    protocols = list(used)
    words = dict.fromkeys(pattern for protocol in protocols for pattern in method.names_to_mask(protocol))
    default = load_protocol(method.default_protocol, method=method.name)
    scorer = catalogue.scorers()[method.scoring(protocols[0] if protocols else default).scorer]
    base = options_of(primary) if primary is not None and primary.scorer == scorer.name else scorer.options()
    varied = _varied(scorer.name)
    own = () if varied is None else varied.variants(base, tuple(words))
    further = [each for each in catalogue.scorers_for(method.name).values() if each.costly]
    return (*own, *(variant for each in further for variant in _offered(each)))


def _offered(scorer: Scorer) -> Iterator[ScoreVariant]:
    """A scorer by a language model that the auditor names, and those models that it knows."""
    yield from scorer.presets
    yield ScoreVariant(
        name=scorer.name,
        title=scorer.title,
        scorer=scorer.name,
        options=scorer.options(),
        needs=tr("Name a model: a folder, an installed package that carries one, or one on huggingface.co.")
        if hasattr(scorer.options(), "model")
        else "",
    )


def said_now(setting: ScoreSetting) -> ScoreSetting:
    """*setting* with its measures in the words of its scorer and language of now: those that are stored are in the
    language that was spoken when it was first used. One that its scorer has no more stays as it is."""
    scorer = catalogue.scorers().get(setting.scorer)
    now = {} if scorer is None else {each.name: each for each in scorer.measures}
    return replace(setting, measures=tuple(_in_words_of(now.get(each.name, each), each) for each in setting.measures))


def _in_words_of(said: Measure, measure: Measure) -> Measure:
    return replace(measure, title=said.title, short=said.short, plain=said.plain, about=said.about, higher=said.higher)


def setting_words(setting: ScoreSetting, primary: ScoreSetting | None) -> str:
    """The difference of *setting* from *primary*, in a few words."""
    found, varied = catalogue.scorers().get(setting.scorer), _varied(setting.scorer)
    if primary is None or setting.id == primary.id:
        return tr("the main way")
    if varied is None or setting.scorer != primary.scorer:
        title = setting.scorer if found is None else found.title
        whole: object = found
        if isinstance(whole, ScoresWholeRuns):
            title = f"{title}, {whole.setting_words(options_of(setting))}"
        return f"{title}, {_which(setting)}" if setting.options.get("model") else title
    words = [*varied.differences(options_of(setting), options_of(primary))]
    if setting.version != primary.version:
        words.append(tr("by version {version}", version=setting.version))
    return ", ".join(words) or tr("the main way")


def _which(setting: ScoreSetting) -> str:
    """The model behind a setting: its name, its revision and the beginning of its weights' SHA-256."""
    name, revision, weights = (str(setting.options.get(key, "")) for key in ("model", "revision", "weights"))
    shown = Path(name).name if Path(name).is_absolute() else name
    words = [shown, revision[:12], tr("weights {digest}", digest=weights[:12]) if weights else ""]
    return " ".join(word for word in words if word)


def _varied(scorer: str) -> HasVariants | None:
    found: object = catalogue.scorers().get(scorer)
    return found if isinstance(found, HasVariants) else None


def only_masked(setting: ScoreSetting, other: ScoreSetting) -> bool:
    """Whether *setting* masks words that *other* leaves in, and is the same beyond that."""
    varied = _varied(setting.scorer)
    if (setting.scorer, setting.version) != (other.scorer, other.version) or varied is None:
        return False
    return varied.only_masked(options_of(setting), options_of(other))


def options_of(setting: ScoreSetting) -> Any:
    """The options of any scorer as they were stored; what a later program does not know is passed over.

    Raises `KeyError` where the program has no such scorer.
    """
    kind = catalogue.scorers()[setting.scorer].options
    hints = get_type_hints(kind)
    values = {}
    for field in fields(kind):
        if field.name in setting.options:
            value, hint = setting.options[field.name], hints[field.name]
            # JSON has neither enumerations nor tuples, and options are compared with and hashed like fresh ones.
            is_enum = isinstance(hint, type) and issubclass(hint, Enum)
            values[field.name] = hint(value) if is_enum else tuple(value) if isinstance(value, list) else value
    return kind(**values)
