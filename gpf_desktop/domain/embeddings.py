"""Texts as vectors: what an embedder is asked, and what comes back."""

import json
import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Annotated, Final

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.responses import Usage
from gpf_desktop.domain.served import NOT_SAID, Served
from gpf_desktop.domain.text import tr

EMBEDDED: Final = "embeddings"
"""The arm of cells that have a vector for an answer and no words: nothing for a reader."""
INSTRUCTION: Final = "instruction"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingOptions:
    """The options of one model that every embedder understands."""

    instruction: Annotated[
        str,
        Shown(
            label="Instruction of an encoder",
            help="Of models that give vectors: put before every text where the model was trained with one.",
        ),
    ] = ""
    dimensions: Annotated[
        int,
        Shown(
            label="Numbers in an encoder's vector",
            help="Of models that give vectors and can shorten them: how many numbers; 0 leaves it to the model.",
            least=0,
        ),
    ] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingOrder:
    """The texts of one call, none of them empty."""

    texts: Sequence[str]
    endpoint: Endpoint
    not_supported: frozenset[str] = frozenset()
    """Parameters found to be refused by this model: left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """The vectors that one call brought, and what is known of the call."""

    vectors: tuple[bytes, ...]
    """In the order of the texts, each as `packed` gives it, all of one length."""
    usage: Usage = field(default_factory=Usage)
    """Of all of them."""
    request_id: str = ""
    sent: Mapping[str, object] = field(default_factory=dict)
    not_supported: tuple[str, ...] = ()
    served: Served = NOT_SAID


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """A text's vector on its way into the store."""

    digest: bytes
    """Of the text and of everything else that shaped the vector, as `digest_of` gives it."""
    data: bytes = field(repr=False)
    """As `packed` gives it; empty: the one that is stored under *digest*."""


def packed(numbers: Sequence[float]) -> bytes | None:
    """*numbers* as float32, little-endian; None where one is not finite, none is there or all are 0."""
    try:
        data = struct.pack(f"<{len(numbers)}f", *numbers)
    # A number beyond float32 is an OverflowError, what is no number a struct.error, no list at all a TypeError.
    except (struct.error, OverflowError, TypeError):
        return None
    return data if is_vector(data) else None


def is_vector(data: bytes) -> bool:
    """Whether *data* holds finite float32 numbers, not all of them 0."""
    if not data or len(data) % 4:
        return False
    numbers = struct.unpack(f"<{len(data) // 4}f", data)
    return all(map(math.isfinite, numbers)) and any(numbers)


def prefixed(text: str, endpoint: Endpoint) -> str:
    """*text* as it is sent: behind the instruction that *endpoint* has, if any."""
    instruction = str(endpoint.options.get(INSTRUCTION, ""))
    return f"{instruction}{'' if instruction[-1:].isspace() else ' '}{text}" if instruction.strip() else text


def digest_of(text: str, endpoint: Endpoint, fingerprint: str) -> bytes:
    """SHA-256 of what is sent for *text*, settings and *fingerprint* (`ports.Embedder`) included; the model's
    name is not in it."""
    settings = json.dumps(endpoint.options, sort_keys=True, default=str)
    # With a sign between the parts, or two ways to split one text would have one digest.
    return sha256(f"{fingerprint}\x1f{settings}\x1f{prefixed(text, endpoint)}".encode("utf-8", "replace")).digest()


def vector_words(data: bytes) -> str:
    """Words that stand for a vector where an answer has its text."""
    return tr("{n} numbers, SHA-256 {digest}", n=len(data) // 4, digest=sha256(data).hexdigest())
