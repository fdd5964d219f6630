"""The protocol of answers that another program asked for, and where each of them stands in it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpf_desktop.documents.mapped_rows import LeftOutError
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.protocol_problems import WrongFieldError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.cells import CUES, SECOND_TURNS, Condition, Factors
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.prompts import EARLIER, NOTE, without_label
from gpf_desktop.methods.gpf_livenews.protocol import (
    Cue,
    CueKind,
    Dimension,
    Family,
    Identity,
    LabelSet,
    Protocol,
    Reader,
    SecondTurn,
    TurnKind,
    cue_not_known,
    turn_not_known,
)

_SLOT = "{identity}"
Levels = Mapping[str, str]
"""What a row says of its place: condition, dimension, identity, family, paraphrase; its question and system; the words
of its cue where they stand apart."""


def protocol_of(seen: Sequence[Levels]) -> Protocol:
    """The shipped protocol where every one of *seen* has a place in it, else one made of them. Raises `UserError`."""
    shipped = _shipped()
    if all(_fits(shipped, levels) for levels in seen if _is_whole(levels)):
        return shipped
    made = Protocol(
        name=tr("Imported"),
        version=1,
        dimensions=_dimensions(seen),
        families=_families(seen),
        label_sets=_label_sets(seen),
        system_prompt=Counter(levels.get("system", "") for levels in seen).most_common(1)[0][0],
        message_layout="{question}\n\n{headline}\n{description}",
        second_turns=_second_turns(seen),
    )
    # Cues need wordings that name the reader in a sentence of their own: a table may have others.
    with_cues = replace(made, cues=_cues(seen, made))
    if not METHOD.problems(with_cues):
        made = with_cues
    try:
        # By way of the reader of protocol files: a made protocol is held to every bound that a written one is.
        return METHOD.protocol(METHOD.protocol_data(made))
    except WrongFieldError as error:
        problem = error.problem
        raise UserError(
            tr("No protocol can be made of the table: {field}: {problem}.", field=problem.field, problem=problem.words),
            tr(
                "Check the columns of reader (identity), group (dimension) and kind of question (family), or "
                "name a protocol that has them."
            ),
        ) from None


def place(protocol: Protocol | None, levels: Levels) -> Factors:
    """The factors of a row with these *levels*; None: of whatever protocol. Raises `LeftOutError`."""
    factors = _factors(levels)
    if protocol is None:
        # A table in the columns of `score` may tell groups apart where no reader is named.
        return replace(factors, dimension=levels.get("dimension", "").strip())
    match factors.condition:
        case Condition.IDENTITY | Condition.BY_NAME | Condition.BY_HISTORY | Condition.BY_NOTE:
            known = {each.name: {one.label for one in each.identities} for each in protocol.dimensions}
        case Condition.ASKED_IF_SURE | Condition.TOLD_A_VIEW:
            known = {each.name: set(each.labels) for each in protocol.label_sets}
            known |= {each.name: {one.label for one in each.identities} for each in protocol.dimensions}
        case Condition.RANDOM_LABEL:
            known = {each.name: set(each.labels) for each in protocol.label_sets}
        case _:
            # Generations without an identity are numbered by the table, as far as it likes.
            known = {"": {factors.identity}}
    if factors.dimension not in known:
        raise LeftOutError(
            tr("the protocol has no group of readers “{name}” with two readers or more", name=factors.dimension[:60])
        )
    if factors.identity not in known[factors.dimension]:
        raise LeftOutError(
            tr(
                "there is no reader “{name}” in the group “{dimension}”",
                name=factors.identity[:60],
                dimension=factors.dimension[:60],
            )
        )
    # One without any may have been made of a table whose wordings leave no place for a cue.
    if protocol.cues and not _shows(protocol, factors):
        raise LeftOutError(
            tr(
                "the protocol does not show the reader “{name}” {cue}",
                name=factors.identity[:60],
                cue=factors.condition.words,
            )
        )
    family = next((each for each in protocol.families if each.name == factors.family), None)
    if family is None:
        raise LeftOutError(tr("there is no kind of question “{name}” in the protocol", name=factors.family[:60]))
    wordings = family.identity_free if factors.condition is Condition.IDENTITY_FREE else family.templates
    if factors.paraphrase >= len(wordings):
        raise LeftOutError(
            tr("the kind of question “{name}” has no wording {n}", name=factors.family, n=factors.paraphrase)
        )
    return factors


def _shipped() -> Protocol:
    import yaml

    path = METHOD.protocol_files()[METHOD.default_protocol]
    return METHOD.protocol(yaml.safe_load(path.read_text(encoding="utf-8")))


def _fits(protocol: Protocol, levels: Levels) -> bool:
    try:
        factors = place(protocol, levels)
    except LeftOutError:
        return False
    turns = {str(each.kind) for each in protocol.second_turns}
    return _shows(protocol, factors) and (not factors.condition.is_second_turn or factors.condition in turns)


def _shows(protocol: Protocol, factors: Factors) -> bool:
    """Whether *protocol* has what is said to show the reader, where a cue does."""
    return not factors.condition.is_cue or protocol.shows(factors.condition, factors.identity) is not None


def _is_whole(levels: Levels) -> bool:
    try:
        _factors(levels)
    except LeftOutError:
        return False
    return True


def _factors(levels: Levels) -> Factors:
    said = levels.get("condition", "").strip()
    condition = Condition.named(said) if said else Condition.IDENTITY
    if condition is None:
        raise LeftOutError(
            tr(
                "“{said}” is no way of asking (condition); there are {names}",
                said=said[:60],
                names=", ".join(Condition),
            )
        )
    wording = levels.get("paraphrase", "").strip() or "0"
    if not (wording.isascii() and wording.isdecimal() and len(wording) < 4):
        raise LeftOutError(tr("“{said}” is no number of a wording, from 0", said=wording[:60]))
    free = condition is Condition.IDENTITY_FREE
    missing = [name for name in ("identity", "dimension") if not free and not levels.get(name, "").strip()]
    if not levels.get("family", "").strip():
        missing.append("family")
    if missing:
        raise LeftOutError(tr("{names} not said", names=", ".join(missing)))
    return Factors(
        condition=condition,
        dimension="" if free else levels["dimension"].strip(),
        identity=levels.get("identity", "").strip() or ("#1" if free else ""),
        family=levels["family"].strip(),
        paraphrase=int(wording),
    )


def _of(seen: Sequence[Levels], *conditions: Condition) -> list[tuple[Factors, Levels]]:
    found = []
    for levels in seen:
        try:
            factors = _factors(levels)
        except LeftOutError:
            continue
        if factors.condition in conditions:
            found.append((factors, levels))
    return found


def _grouped(seen: Sequence[Levels], *conditions: Condition) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for factors, _ in _of(seen, *conditions):
        found.setdefault(factors.dimension, {})[factors.identity] = None
    return {dimension: list(identities) for dimension, identities in found.items()}


def _dimensions(seen: Sequence[Levels]) -> tuple[Dimension, ...]:
    found = _grouped(seen, Condition.IDENTITY, *CUES)
    made_up = _grouped(seen, Condition.RANDOM_LABEL)
    # Of readers and of made-up labels alike: the group's name tells which.
    for name, labels in _grouped(seen, *SECOND_TURNS).items():
        if name not in made_up:
            found[name] = list(dict.fromkeys((*found.get(name, ()), *labels)))
    # An identity alone has none to be compared with; it may be a slip in one row of very many.
    several = {name: labels for name, labels in found.items() if len(labels) > 1}
    return tuple(
        Dimension(name=name, identities=tuple(Identity(label=label) for label in labels))
        for name, labels in (several or found).items()
    )


def _label_sets(seen: Sequence[Levels]) -> tuple[LabelSet, ...]:
    return tuple(
        LabelSet(name=name, labels=tuple(labels)) for name, labels in _grouped(seen, Condition.RANDOM_LABEL).items()
    )


def _cues(seen: Sequence[Levels], protocol: Protocol) -> tuple[Cue, ...]:
    """The cues by which readers showed, as far as the table's questions and system prompts hold them."""
    found = []
    for condition in CUES:
        rows = _of(seen, condition)
        said = {factors.identity: words for factors, levels in rows if (words := _cue_of(factors, levels, protocol))}
        groups = {factors.dimension for factors, _ in rows}
        labels = [each.label for group in protocol.dimensions if group.name in groups for each in group.identities]
        readers = tuple(
            Reader(identity=label, says=said.get(label) or cue_not_known(label)) for label in dict.fromkeys(labels)
        )
        if readers:
            found.append(Cue(kind=CueKind(condition), source=tr("Imported"), readers=readers))
    return tuple(found)


def _cue_of(factors: Factors, levels: Levels, protocol: Protocol) -> str:
    if words := levels.get("cue", ""):
        return words
    if factors.condition is Condition.BY_NOTE:
        return levels.get("system", "").partition(NOTE)[2].strip()
    asked = without_label(protocol.family(factors.family).templates[0])
    before, found, _ = levels.get("question", "").rpartition(asked) if asked else ("", "", "")
    return before.strip().removeprefix(EARLIER).strip() if found else ""


def _second_turns(seen: Sequence[Levels]) -> tuple[SecondTurn, ...]:
    found = []
    for condition in SECOND_TURNS:
        asked = Counter(levels.get("question", "").strip() for _, levels in _of(seen, condition))
        if asked:
            says = asked.most_common(1)[0][0] or turn_not_known()
            found.append(SecondTurn(kind=TurnKind(condition), source=tr("Imported"), says=says))
    return tuple(found)


def _families(seen: Sequence[Levels]) -> tuple[Family, ...]:
    """A wording is what the table's questions have around the identity, or says that it was not imported."""
    asked, free = _of(seen, Condition.IDENTITY, Condition.RANDOM_LABEL), _of(seen, Condition.IDENTITY_FREE)
    shown = _of(seen, *CUES, *SECOND_TURNS)
    names = dict.fromkeys(factors.family for factors, _ in (*asked, *free, *shown))
    return tuple(
        Family(
            name=name,
            templates=_wordings(name, asked, slotted=True),
            identity_free=_wordings(name, free, slotted=False),
        )
        for name in names
    )


def _wordings(name: str, rows: list[tuple[Factors, Levels]], *, slotted: bool) -> tuple[str, ...]:
    own = [(factors, levels.get("question", "")) for factors, levels in rows if factors.family == name]
    unknown = tr("[The question of “{name}” was not imported.]", name=name.replace("{", "(").replace("}", ")"))
    found = []
    for number in range(max((factors.paraphrase for factors, _ in own), default=0) + 1):
        templates = Counter(
            template
            for factors, question in own
            if factors.paraphrase == number and (template := _template(question, factors.identity, slotted=slotted))
        )
        default = f"{_SLOT}. {unknown}" if slotted else unknown
        # Identities may have been asked a little differently: what most of them were asked is the wording.
        found.append(templates.most_common(1)[0][0] if templates else default)
    return tuple(found)


def _template(question: str, identity: str, *, slotted: bool) -> str:
    # Braces would be read as fields when the wording is filled in.
    if "{" in question or "}" in question:
        return ""
    if not slotted:
        return question
    # Where the label stands more than once, nothing says which place is the slot.
    return question.replace(identity, _SLOT) if question.count(identity) == 1 else ""
