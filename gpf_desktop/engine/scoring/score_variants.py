"""The settings under which an audit's scores are worth computing once more (method, "robustness")."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final, get_type_hints

from gpf_desktop.domain.protocol import FitScope, Protocol
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import DEFAULT_METHOD
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from gpf_desktop.storage.scores import ScoreSetting


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreVariant:
    """A scorer with options to begin from."""

    name: str
    title: str
    scorer: str
    options: Any
    needs: str = ""
    """What the auditor must fill in first; empty: it can be started as it is."""


MASKED: Final = "masked"
"""Name of the variant that tells an echo of a label from other wording."""


def variants(primary: ScoreSetting | None, used: Iterable[Protocol]) -> tuple[ScoreVariant, ...]:
    """Each differs from *primary* in one thing; further scorers of the catalogue come behind.

    *used*: the protocols whose identity words are masked.
    """
    base = gpf_options(primary.options) if primary is not None and primary.scorer == SCORER.name else GpfOptions()
    other_scopes = [
        scope
        for scope in (FitScope.ARTICLE, FitScope.BUNDLE, FitScope.RUN, FitScope.MAIN)
        if scope is not base.fit_scope
    ]
    words = dict.fromkeys(pattern for protocol in used for pattern in _named_in(protocol))
    made = [
        *(
            ScoreVariant(
                name=f"fit-{scope}",
                title=tr("tf-idf fitted on {scope}", scope=scope.words),
                scorer=SCORER.name,
                options=replace(base, fit_scope=scope),
            )
            for scope in other_scopes
        ),
        ScoreVariant(
            name="word-pairs",
            title=tr("tf-idf with word pairs"),
            scorer=SCORER.name,
            options=replace(base, word_pairs=True),
        ),
        ScoreVariant(
            name=MASKED,
            title=tr("identity words masked"),
            scorer=SCORER.name,
            options=replace(base, mask=tuple(words)),
        ),
        ScoreVariant(
            name="by-sentence",
            title=tr("VADER averaged over sentences"),
            scorer=SCORER.name,
            options=replace(base, by_sentence=True),
        ),
    ]
    for name, scorer in catalogue.scorers().items():
        if name != SCORER.name:
            made.append(
                ScoreVariant(
                    name=name,
                    title=scorer.title,
                    scorer=name,
                    options=scorer.options(),
                    needs=tr(
                        "Name a model: a folder, an installed package that carries one, or one on huggingface.co."
                    ),
                )
            )
    return tuple(made)


def setting_words(setting: ScoreSetting, primary: ScoreSetting | None) -> str:
    """What is different about *setting*, in a few words."""
    if primary is None or setting.id == primary.id:
        scope = str(setting.options.get("fit_scope", ""))
        return tr("primary, tf-idf fitted on {scope}", scope=FitScope(scope).words) if scope else tr("primary")
    if setting.scorer != SCORER.name:
        found = catalogue.scorers().get(setting.scorer)
        title = setting.scorer if found is None else found.title
        return f"{title}, {_which(setting)}" if setting.options.get("model") else title
    ours, theirs = gpf_options(setting.options), gpf_options(primary.options)
    words = []
    if ours.fit_scope is not theirs.fit_scope:
        words.append(tr("tf-idf fitted on {scope}", scope=ours.fit_scope.words))
    if ours.word_pairs and not theirs.word_pairs:
        words.append(tr("with word pairs"))
    if ours.mask != theirs.mask:
        words.append(tr("identity words masked") if ours.mask else tr("nothing masked"))
    if ours.by_sentence and not theirs.by_sentence:
        words.append(tr("VADER averaged over sentences"))
    if ours.rarefy != theirs.rarefy:
        words.append(tr("R* at m = {m}", m=ours.rarefy))
    return ", ".join(words) or tr("{scorer} version {version}", scorer=setting.scorer, version=setting.version)


def _which(setting: ScoreSetting) -> str:
    """The model behind a setting: its name, its revision and the beginning of its weights' SHA-256."""
    name, revision, weights = (str(setting.options.get(key, "")) for key in ("model", "revision", "weights"))
    shown = Path(name).name if Path(name).is_absolute() else name
    words = [shown, revision[:12], tr("weights {digest}", digest=weights[:12]) if weights else ""]
    return " ".join(word for word in words if word)


def only_masked(setting: ScoreSetting, other: ScoreSetting) -> bool:
    """Whether *setting* masks words that *other* leaves in, and is the same beyond that."""
    if not setting.scorer == other.scorer == SCORER.name:
        return False
    ours, theirs = gpf_options(setting.options), gpf_options(other.options)
    return bool(ours.mask) and not theirs.mask and replace(ours, mask=()) == theirs


def gpf_options(stored: Mapping[str, object]) -> GpfOptions:
    """Options as they were stored; what a later program does not know is passed over."""
    known = {field.name for field in fields(GpfOptions)}
    values: dict[str, Any] = {name: value for name, value in stored.items() if name in known}
    if "fit_scope" in values:
        values["fit_scope"] = FitScope(str(values["fit_scope"]))
    if "mask" in values:
        values["mask"] = tuple(values["mask"])
    return GpfOptions(**values)


def options_of(setting: ScoreSetting) -> Any:
    """The options of any scorer as they were stored. Raises `KeyError` where the program has no such scorer."""
    if setting.scorer == SCORER.name:
        return gpf_options(setting.options)
    kind = catalogue.scorers()[setting.scorer].options
    hints = get_type_hints(kind)
    values = {}
    for field in fields(kind):
        if field.name in setting.options:
            value, hint = setting.options[field.name], hints[field.name]
            is_enum = isinstance(hint, type) and issubclass(hint, Enum)
            values[field.name] = hint(value) if is_enum else tuple(value) if isinstance(value, list) else value
    return kind(**values)


def _named_in(protocol: Protocol) -> tuple[str, ...]:
    """Patterns of all words by which an answer could name whom it was asked for: identities, and neutral labels."""
    labels = dict.fromkeys(label for label_set in protocol.label_sets for label in label_set.labels)
    return (
        *catalogue.method(DEFAULT_METHOD).names_to_cover(protocol),
        *(rf"(?<!\w){re.escape(label)}(?!\w)" for label in labels),
    )
