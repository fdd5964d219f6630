"""Signatures of reviewers under their entries; the private keys stay in the key store of their machine.

A seal shows that a history was not changed in between; anybody could make a new one. A signature (Ed25519, over the
seal) can be made only where the reviewer's private key is. Where there is no key store nothing is signed: a key that
nobody could know again tomorrow would prove nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.reviews import ReviewAction, SealedEntry
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.keys import Kept, KeyRing

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class KeySigner:
    """Signs seals with a private key."""

    def __init__(self, private: "Ed25519PrivateKey") -> None:
        self._private = private
        self.key = private.public_key().public_bytes_raw().hex()

    def sign(self, seal: str) -> str:
        return self._private.sign(seal.encode()).hex()


def signer_of(keys: KeyRing, uuid: str) -> KeySigner | None:
    """The signer for the reviewer *uuid* at this machine, with a key made now if need be; None: no store is open."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if not keys.persistent:
        return None
    name = f"review signature {uuid}"
    secret = keys.kept(name)
    if secret is not None:
        return KeySigner(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret.reveal())))
    if keys.locked:
        return None
    private = Ed25519PrivateKey.generate()
    if keys.save(name, Secret(private.private_bytes_raw().hex())) is not Kept.STORE:
        # `save` keeps it for the session otherwise, where the next question would find it.
        keys.forget(name)
        return None
    return KeySigner(private)


def is_signed(entry: SealedEntry) -> bool:
    """Whether *entry* carries a signature of its seal by the key that it names."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(entry.key))
        public.verify(bytes.fromhex(entry.signature), entry.hash.encode())
    # No hexadecimals, or not as many as a key has: whatever stands there comes from a file.
    except (ValueError, InvalidSignature):
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """The first entry whose author is not certain."""

    number: int
    """From 1, oldest first."""
    why: str
    forged: bool
    """Its signature is wrong; no word of the auditor makes it right."""


def first_doubt(entries: Sequence[SealedEntry], known: Collection[str], new: Collection[str]) -> Doubt | None:
    """The first reason not to take *entries* as their reviewer's own; None if there is none.

    *known* are the keys that their history in this audit was signed with, *new* the seals that it does not hold yet. A
    history that was never signed stays open to entries without a signature. A join is nobody's decision: it follows
    from the two entries that it joins.
    """
    keys = set(known)
    for number, entry in enumerate(entries, start=1):
        if entry.action == ReviewAction.JOIN:
            continue
        if entry.key or entry.signature:
            if not is_signed(entry):
                return Doubt(number=number, why=tr("entry {n} has a wrong signature", n=number), forged=True)
            if keys and entry.key not in keys and entry.hash in new:
                why = tr("entry {n} is signed with a key that is not known here as theirs", n=number)
                return Doubt(number=number, why=why, forged=False)
            # Theirs from here on: the first key of a history is believed, another one behind
            # it only on the auditor's word.
            keys.add(entry.key)
        elif keys and entry.hash in new:
            why = tr("entry {n} is not signed, though this history is", n=number)
            return Doubt(number=number, why=why, forged=False)
    return None
