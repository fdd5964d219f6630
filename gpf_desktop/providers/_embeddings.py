"""From what a server answered to vectors: the rules that all embedders share."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOptions, is_vector, packed
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.responses import Miss, Missing, Usage
from gpf_desktop.domain.served import NOT_SAID, Served
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import WireReply
from gpf_desktop.providers import _text
from gpf_desktop.providers._verdicts import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiEmbeddingOptions(EmbeddingOptions):
    """Settings of one model."""

    task_type: Annotated[
        str,
        Shown(
            label="Task of an encoder",
            help="What the vectors are for, where the model takes it; left out where empty.",
            choices=("", "SEMANTIC_SIMILARITY", "CLUSTERING", "CLASSIFICATION"),
        ),
    ] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaEmbeddingOptions(EmbeddingOptions):
    """Settings of one model."""

    cut: Annotated[
        bool,
        Shown(
            label="Cut long answers of an encoder",
            help="Of models that give vectors: too long an answer is read as far as it fits; else it has none.",
        ),
    ] = False


def vector(value: object) -> bytes | None:
    """A vector from a list of numbers, or from base64 of its float32 numbers; None where it is neither."""
    if isinstance(value, list):
        return packed(value)
    if not isinstance(value, str):
        return None
    try:
        # Without `validate` signs that are no base64 are passed over, and other numbers come out.
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if is_vector(data) else None


def conclude(
    found: Sequence[bytes | None],
    texts: int,
    reply: WireReply,
    request: Request,
    *,
    usage: Usage,
    request_id: str = "",
    served: Served = NOT_SAID,
) -> Embedded | Miss:
    """All *texts* with a vector of one length, or a miss: which vector is whose must be beyond doubt."""
    vectors = tuple(each for each in found if each is not None)
    if len(found) == len(vectors) == texts and len({len(each) for each in vectors}) == 1:
        return Embedded(
            vectors=vectors,
            usage=usage,
            request_id=_text.detail(request_id, request.key),
            sent=request.sent,
            not_supported=request.not_supported,
            served=_text.served(served, request.key),
        )
    return Miss(
        reason=Missing.UNREADABLE,
        status=reply.status,
        detail=tr("{n} usable vectors came for {texts} texts.", n=len(vectors), texts=texts),
        usage=usage,
        request_id=_text.detail(request_id, request.key),
        sent=request.sent,
        not_supported=request.not_supported,
    )
