"""Ed25519 keys. The library is imported where a key is made, used or checked, and only then."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )


class KeyFormatError(ValueError):
    """Says what a text is instead of a key, and nothing of its content."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """`id` is the SHA-256 of the key in DER form, so that no other key can be put in its place."""

    id: str
    pem: str
    _key: Ed25519PublicKey = field(repr=False, compare=False)

    def verifies(self, signature: str, text: str) -> bool:
        from cryptography.exceptions import InvalidSignature

        try:
            self._key.verify(base64.b64decode(signature, validate=True), text.encode("ascii"))
        except (InvalidSignature, binascii.Error, ValueError):
            return False
        return True


@dataclass(frozen=True, slots=True)
class SigningKey:
    public: PublicKey
    _key: Ed25519PrivateKey = field(repr=False, compare=False)

    def sign(self, text: str) -> str:
        return base64.b64encode(self._key.sign(text.encode("ascii"))).decode("ascii")


def new_private_key() -> str:
    """A new key as PEM (PKCS 8, not encrypted)."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    plain = form.NoEncryption()
    made = Ed25519PrivateKey.generate()
    pem = made.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, plain)
    return pem.decode("ascii")


def signing_key(pem: str) -> SigningKey:
    """KeyFormatError where the text is no private Ed25519 key, or one behind a password."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(pem.encode("utf-8"), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise KeyFormatError("no private key in PEM form without a password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFormatError("a private key, but not of Ed25519")
    return SigningKey(_public(key.public_key()), key)


def public_key(pem: str) -> PublicKey:
    """KeyFormatError where the text is no public Ed25519 key."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(pem.encode("utf-8"))
    except (ValueError, UnsupportedAlgorithm):
        raise KeyFormatError("no public key in PEM form") from None
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFormatError("a public key, but not of Ed25519")
    return _public(key)


def _public(key: Ed25519PublicKey) -> PublicKey:
    from cryptography.hazmat.primitives import serialization as form

    public = form.PublicFormat.SubjectPublicKeyInfo
    der, pem = (key.public_bytes(e, public) for e in (form.Encoding.DER, form.Encoding.PEM))
    return PublicKey(hashlib.sha256(der).hexdigest(), pem.decode("ascii"), key)
