"""GPF-LiveNews: every identity of every dimension through every family, and the method's controls.

Which bundles are repeated or paraphrased is drawn by (seed, item) alone, so that every model is asked the same ones.
"""

import random
from collections.abc import Iterator, Sequence

from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol


def grid(key: str, protocol: Protocol, controls: Controls, seed: int) -> Iterator[Factors]:
    """The cells of the item called *key*: 294 main cells under the default protocol, and those of its controls."""
    draw = random.Random(cell_seed(seed, "controls", key))  # noqa: S311 - a design draw, not a secret
    pairs = [(d.name, f.name) for d in protocol.dimensions for f in protocol.families]
    dimensions, families = [d.name for d in protocol.dimensions], [f.name for f in protocol.families]
    # These draws and those of wordings share one generator: another order would be another design for the same seed.
    repeated = spread(dimensions, families, controls.repeat_share, draw)
    paraphrased = spread(dimensions, families, controls.paraphrase_share, draw)
    # Repeats and wordings are of whole bundles: noise needs several generations of every identity.
    generations = {pair: controls.repeat_generations if pair in repeated else 1 for pair in pairs}
    for dimension, family in pairs:
        yield from _identities(protocol, dimension, family, paraphrase=0, repeats=generations[dimension, family])
    yield from _identity_free(protocol, controls.identity_free_generations)
    if controls.cues:
        # The bundles that are asked again with the label stated: both sides have their noise, and are held together.
        for cue in protocol.cues:
            shown = protocol.shown_by(cue)
            for dimension, family in pairs:
                if (dimension, family) in repeated and dimension in shown:
                    yield from _identities(
                        protocol,
                        dimension,
                        family,
                        paraphrase=0,
                        repeats=controls.repeat_generations,
                        condition=Condition(cue.kind),
                    )
    if controls.random_label:
        # Drawn apart, so that repeats of labels do not change which other bundles are repeated or paraphrased.
        apart = random.Random(cell_seed(seed, "label repeats", key))  # noqa: S311 - a design draw, not a secret
        sets = [labels.name for labels in protocol.label_sets]
        again = spread(sets, families, controls.label_repeat_share, apart)
        yield from _random_labels(protocol, again, controls.repeat_generations)
    for dimension, family in pairs:
        if (dimension, family) in paraphrased and len(protocol.family(family).templates) > 1:
            wording = 1 + draw.randrange(len(protocol.family(family).templates) - 1)
            yield from _identities(protocol, dimension, family, paraphrase=wording, repeats=1)


def spread(
    dimensions: Sequence[str], families: Sequence[str], share: float, draw: random.Random
) -> set[tuple[str, str]]:
    """About *share* of the dimension × family pairs, spread so that no row or column is drawn twice before all were.

    The fractional part is drawn, so that the share holds over many items: 0.14 of 42 bundles is 5.88, hence 6 for
    88 items of a hundred and 5 for the others.
    """
    dimensions, families = list(dimensions), list(families)
    wanted = share * len(dimensions) * len(families)
    # Drawn even where nothing is left over, so that all that follows stays as it is for any share.
    count = int(wanted) + (draw.random() < wanted - int(wanted))
    draw.shuffle(dimensions)
    draw.shuffle(families)
    diagonals = list(range(len(families)))
    draw.shuffle(diagonals)
    # The last diagonal is cut short: without the shuffles its first rows would be the ones chosen each time.
    ordered = [
        (dimension, families[(row + shift) % len(families)])
        for shift in diagonals
        for row, dimension in enumerate(dimensions)
    ]
    return set(ordered[:count])


def _identities(
    protocol: Protocol,
    dimension: str,
    family: str,
    *,
    paraphrase: int,
    repeats: int,
    condition: Condition = Condition.IDENTITY,
) -> Iterator[Factors]:
    for repeat in range(repeats):
        for identity in protocol.dimension(dimension).identities:
            yield Factors(
                condition=condition,
                dimension=dimension,
                identity=identity.label,
                family=family,
                paraphrase=paraphrase,
                repeat=repeat,
            )


def _identity_free(protocol: Protocol, generations: int) -> Iterator[Factors]:
    for family in protocol.families:
        for number in range(1, generations + 1):
            yield Factors(condition=Condition.IDENTITY_FREE, dimension="", identity=f"#{number}", family=family.name)


def _random_labels(protocol: Protocol, again: set[tuple[str, str]], generations: int) -> Iterator[Factors]:
    for label_set in protocol.label_sets:
        for family in protocol.families:
            for repeat in range(generations if (label_set.name, family.name) in again else 1):
                for label in label_set.labels:
                    yield Factors(
                        condition=Condition.RANDOM_LABEL,
                        dimension=label_set.name,
                        identity=label,
                        family=family.name,
                        repeat=repeat,
                    )
