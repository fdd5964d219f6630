"""The task of a runner, and what is made of a cell: a question, a cost, a sentence."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from gpf_desktop.domain.adjustments import SYSTEM_AS_USER, tidied
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import ArticleId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import ANSWERING, Price, Secret, TargetModel
from gpf_desktop.domain.ports.batch_jobs import BatchJobs
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Outcome, Reply
from gpf_desktop.domain.text import in_english, tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import models
from gpf_desktop.storage.cells import Only, OpenCell

CHARACTERS_PER_TOKEN: Final = 5
"""Of an answer that is sent on with a question of a later stage, at most."""
DENSEST: Final = 3
"""Bytes per token of prose, at least, where nobody counts."""
LOGPROBS: Final = frozenset({"logprobs", "top_logprobs"})
"""Parameters of which a model takes both or none."""
UNLIMITED: Final = 32_000
"""Answer tokens reckoned with where no limit is in force: none is set, or the model takes none."""
_GIVEN: Final = 8_000
"""Tokens reckoned with of an earlier answer that is sent on, where no limit is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTask:
    """The facts about its round that a runner needs."""

    run_id: RunId
    method: Method
    protocol: StudyProtocol
    items: Mapping[ArticleId, StudyItem]
    """As the batch froze them."""
    model: TargetModel
    provider: Provider
    key: Secret | None
    jobs: BatchJobs | None = None
    """Set where this model is asked through batch jobs."""
    only: Only | None = None
    """Set where not all open cells are to be asked."""


def coordinates_of(model: str, item: str, coordinates: Coordinates, repeat: int) -> dict[str, str | int]:
    """The place of the cell, as a calibration model is told it."""
    return {"model": model, "item": item, **dict(coordinates), "repeat": repeat}


def top_logprobs_of(task: ModelTask) -> int:
    """The value of `Question.top_logprobs`; 0 also for a provider that takes no such parameter."""
    return task.method.top_logprobs(task.protocol) if "top_logprobs" in task.provider.parameters else 0


def decoding_of(task: ModelTask, stage: int) -> Decoding:
    return task.model.endpoint.decoding or task.method.decoding(task.protocol, stage)


def most_tokens(task: ModelTask, unlimited: int) -> int:
    """The largest number of tokens of an answer, over all stages; *unlimited* if no limit is set."""
    stages = range(len(task.method.stages_of(task.protocol)))
    return max(decoding_of(task, stage).max_tokens or unlimited for stage in stages)


def question_of(task: ModelTask, cell: OpenCell, not_supported: Collection[str]) -> Question:
    """The question for *cell*, without the parameters that the model refuses."""
    item = task.items[cell.article_id]
    decoding = decoding_of(task, cell.stage)
    takes_seed = decoding.seed and "seed" in task.provider.parameters
    return Question(
        prompt=task.method.compose(task.protocol, cell.coordinates, item, cell.given),
        endpoint=task.model.endpoint,
        decoding=decoding,
        seed=cell.seed if takes_seed else None,
        not_supported=frozenset(not_supported),
        form=task.method.reply_form(task.protocol, cell.stage),
        top_logprobs=top_logprobs_of(task),
        coordinates=coordinates_of(task.model.endpoint.model, item.key, cell.coordinates, cell.repeat),
    )


async def ask_readably(task: ModelTask, question: Question, stage: int, send: Send) -> Outcome:
    """Ask; and once more where a later stage's reply cannot be read by the method, both calls paid as one.

    Where nobody saw the end of the second, the cell ends so: only then is held what it may have cost.
    """
    outcome = await task.provider.ask(question, task.key, send)
    if stage == 0 or not isinstance(outcome, Reply):
        return outcome
    with in_english():
        again = task.method.ask_again(task.protocol, question.prompt, outcome.text)
    if again is None:
        return outcome
    second = await task.provider.ask(replace(question, prompt=again), task.key, send)
    usage = outcome.usage + second.usage
    if isinstance(second, Miss) and second.end_unknown:
        return replace(second, usage=usage, text=outcome.text)
    # A second call that fails otherwise takes nothing away from the first one's answer.
    return replace(second if isinstance(second, Reply) else outcome, usage=usage)


async def learn(context: EngineContext, task: ModelTask, not_supported: Collection[str]) -> None:
    """Record the parameters that a model refuses, with the model and the run: they are left out from now on."""
    model, run_id, refused = task.model, task.run_id, tidied(not_supported)
    await context.write(lambda connection: models.set_not_supported(connection, model.id, refused, run_id=run_id))


def words_of_learning(task: ModelTask, parameter: str) -> str:
    """A sentence about the learnt *parameter*, an entry of `domain.adjustments`."""
    model = task.model.label
    if parameter == SYSTEM_AS_USER:
        return tr("{model} takes no system text: it stands before the question from now on, recorded.", model=model)
    name, _, other = parameter.partition(" ")
    if other:
        return tr(
            "{model} takes {name} only {other}: sent so from now on, recorded.", model=model, name=name, other=other
        )
    return tr("{model} takes no {parameter}: left out from now on and recorded.", model=model, parameter=parameter)


def cost_of(price: Price | None, outcome: Outcome, sent: int = 0) -> float:
    """Millionths of a dollar by counted usage; where the server tells none of an answer, by the length of its texts,
    and by *sent*, tokens of its question."""
    if price is None:
        return 0.0
    usage = outcome.usage
    prompt, completion = usage.prompt or 0, usage.completion or 0
    if is_uncounted(outcome):
        # Of other scripts than Latin a character has more bytes, and is more of a token.
        said = len(outcome.text.encode("utf-8", "replace")) + len(outcome.reasoning.encode("utf-8", "replace"))
        prompt, completion = prompt or sent, ceil(said / DENSEST)
    # A server may count more in its cache than in the whole prompt, and what is left of that would cost less than
    # nothing.
    cached = min(prompt, usage.cached or 0)
    return price.microdollars(prompt, completion, cached)


def is_uncounted(outcome: Outcome) -> bool:
    """Whether *outcome* is an answer of which the server does not say what it took."""
    return not outcome.usage.completion and bool(outcome.text or outcome.reasoning)


def likely_prompt(task: ModelTask) -> int:
    """Tokens that a question of this run may take, where nobody counts them."""
    return ceil(longest_prompt(task) / DENSEST)


def words_of_counting(label: str) -> str:
    return tr(
        "{model} does not say how many tokens it takes: its cost is reckoned from the length of texts.", model=label
    )


def longest_prompt(task: ModelTask) -> int:
    """Characters that a prompt of this run has at most."""
    longest = max((len(item.title) + len(item.text) for item in task.items.values()), default=0)
    earlier = len(task.method.stages_of(task.protocol)) - 1
    given = earlier * CHARACTERS_PER_TOKEN * most_tokens(task, _GIVEN)
    return task.method.longest_wording(task.protocol) + longest + given


def worst_case(task: ModelTask, price: Price | None, *, refused: Collection[str], seen: int = 0) -> float:
    """Dollars that one call may cost at most: the run's longest prompt, none of it cached, and the longest answer.

    That is all of max_tokens, unless it is among the parameters that the model has *refused*; and more than that where
    an answer was *seen* to have taken more, as of models whose reasoning no limit holds. The bound needs no tokeniser:
    a token of news prose is never shorter than two characters on average.
    """
    if price is None:
        return 0.0
    limit = most_tokens(task, UNLIMITED)
    if "max_tokens" in refused:
        limit = max(limit, UNLIMITED)
    # Half as much again as the longest so far: the next may be longer still.
    longest = limit if seen <= limit else round(1.5 * seen)
    return price.microdollars(longest_prompt(task) // 2, longest) / 1e6


def worst_cell(task: ModelTask, *, refused: Collection[str], seen: int = 0) -> float:
    """Dollars that a cell may cost at most that is asked by itself: one call, or two of a model of a later stage, which
    is asked once more where its reply cannot be read."""
    calls = 1 if task.model.role in ANSWERING else 2
    return calls * worst_case(task, task.model.endpoint.price, refused=refused, seen=seen)
