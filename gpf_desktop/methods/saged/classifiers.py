"""Features by text classifiers that the auditor names: which label counts as which number is part of the setting.

A file of them is YAML: by name, ``model`` (a folder, a package or a hub name), ``features`` (by feature, a number for
each label that counts, and `ALWAYS`, one that every text has), and where wanted ``revision``, ``longest`` and
``each_on_its_own`` (labels do not exclude each other: sigmoid in place of softmax).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.documents.encodings import file_text
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.numerics.language_models import LanguageModel, load
from gpf_desktop.numerics.text_classes import weighted_odds

LONGEST: Final = 512
Numbers = Mapping[str, float]
"""What each label counts, lower-case; the others count 0."""
ALWAYS: Final = "always"
"""Of `Numbers`, what is added whatever the labels are: with it a difference of two begins at 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifier:
    """A model, and the features that are made of its probabilities."""

    name: str
    model: str
    revision: str = ""
    weights: str = ""
    """SHA-256 that the model's files must have; empty: any."""
    longest: int = LONGEST
    """Tokens of one window; a longer text is read in several, averaged by their tokens."""
    each_on_its_own: bool = False
    features: Mapping[str, Numbers] = field(default_factory=dict)

    def of_texts(self, texts: Sequence[str], told: HowFar = lambda _done, _of: None) -> Mapping[str, Floats]:
        """Each feature of each of *texts*, NaN for one without a word. Raises `UserError` without the model.

        *told* how many of the distinct ones are read.
        """
        model = load(self.model, self.revision, self.weights, self.longest)
        found = weighted_odds(model, texts, self._weights(model), each_on_its_own=self.each_on_its_own, told=told)
        added = [numbers.get(ALWAYS, 0.0) for numbers in self.features.values()]
        return dict(zip(self.features, found.T + np.array(added)[:, None], strict=True))

    def _weights(self, model: LanguageModel) -> Floats:
        """Shape (labels, features). Raises `UserError` for a label that the model does not have."""
        named = model.said("config.json").get("id2label")
        # Keys of JSON are texts: unless read as numbers, "10" comes before "2" and labels fall on others' columns.
        labels = [str(named[key]).lower() for key in sorted(named, key=int)] if isinstance(named, dict) else []
        for feature, numbers in self.features.items():
            unknown = [label for label in numbers if label not in (*labels, ALWAYS)]
            if unknown:
                raise UserError(
                    tr(
                        "The classifier “{model}” has no label “{label}”, which “{feature}” counts; it has {labels}.",
                        model=self.model,
                        label=unknown[0],
                        feature=feature,
                        labels=", ".join(labels) or tr("none that are named"),
                    ),
                    tr("Name its own labels, or add them to its config.json."),
                )
        return np.array([[numbers.get(label, 0.0) for numbers in self.features.values()] for label in labels])


def named_classifiers(wanted: str) -> list[Classifier]:
    """The classifiers that *wanted* names: a file of them, or presets parted by commas. Raises `UserError`."""
    path = Path(wanted)
    if path.suffix.lower() in {".yaml", ".yml"}:
        return list(read_classifiers(path).values())
    presets = read_classifiers(resources() / "methods" / "saged" / "classifiers.yaml")
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    for name in names:
        if name not in presets:
            raise UserError(
                tr("There is no classifier called “{name}”.", name=name),
                tr("Name {presets}, or a YAML file of your own.", presets=", ".join(presets)),
            )
    return [presets[name] for name in names]


def read_classifiers(path: Path) -> dict[str, Classifier]:
    """The classifiers of the YAML file *path*, by name. Raises `UserError`."""
    import yaml

    try:
        data = yaml.safe_load(file_text(path))
    except (yaml.YAMLError, RecursionError) as error:
        raise _wrong(path, tr("it is not YAML"), details=str(error)) from error
    if not isinstance(data, Mapping) or not data:
        raise _wrong(path, tr("there is no classifier in it"))
    return {str(name): _classifier(str(name), given, path) for name, given in data.items()}


def _classifier(name: str, given: Any, path: Path) -> Classifier:
    known = {"model", "revision", "longest", "each_on_its_own", "features"}
    if not isinstance(given, Mapping) or set(given) - known or not str(given.get("model") or "").strip():
        raise _wrong(path, tr("“{name}” needs a model and features, and may have a revision", name=name))
    longest = given.get("longest", LONGEST)
    if isinstance(longest, bool) or not isinstance(longest, int) or longest < 8:
        raise _wrong(path, tr("“longest” of “{name}” is no number of tokens from 8", name=name))
    return Classifier(
        name=name,
        model=str(given["model"]).strip(),
        revision=str(given.get("revision") or ""),
        longest=longest,
        each_on_its_own=given.get("each_on_its_own") is True,
        features=dict(_features(name, given.get("features"), path)),
    )


def _features(name: str, given: Any, path: Path) -> Iterator[tuple[str, Numbers]]:
    if not isinstance(given, Mapping) or not given:
        raise _wrong(path, tr("“{name}” has no features", name=name))
    for feature, numbers in given.items():
        if not isinstance(numbers, Mapping) or not numbers or not all(map(_is_number, numbers.values())):
            raise _wrong(path, tr("“{feature}” has no number for any label", feature=feature))
        yield str(feature), {str(label).lower(): float(number) for label, number in numbers.items()}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(np.isfinite(value))


def _wrong(path: Path, why: str, *, details: str = "") -> UserError:
    return UserError(
        tr("{path} names no classifiers: {why}.", path=str(path), why=why),
        tr("Write, for example: sentiment: {model: FOLDER, features: {sentiment: {positive: 1, negative: -1}}}"),
        details=details,
    )
