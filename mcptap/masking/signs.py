"""What stands for a secret: a sign, equal for equal secrets, from which nobody without the key can guess it.

Imported where start-up counts: `_blake2` is the part of `hashlib` that has the keyed hash (RFC 7693), whose
import as a whole takes as long as that of the tap.
"""

from __future__ import annotations

import os

OPEN, CLOSE = "‹masked:", "›"
"""What stands for a secret is between these: `‹masked:abcd12›`."""

KEY_BYTES = 32
_LEAST, _MOST = 3, 8
"""Bytes of a sign: more than three only where two secrets would look equal."""


class Signs:
    """Gives each secret its mask. `key`: of `KEY_BYTES` at most; without one a new one, never written."""

    def __init__(self, key: bytes = b"") -> None:
        self._key = key or os.urandom(KEY_BYTES)
        self._masks: dict[str, str] = {}
        self._taken: set[str] = set()

    def mask(self, secret: str) -> str:
        """What stands for the secret, another for each."""
        mask = self._masks.get(secret)
        if mask is None:
            mask = next(
                mask for size in range(_LEAST, _MOST) if (mask := self.of(secret, size)) not in self._taken
            )
            self._masks[secret] = mask
            self._taken.add(mask)
        return mask

    @property
    def given(self) -> dict[str, str]:
        """The secrets that have a mask so far, and these."""
        return self._masks

    def of(self, secret: str, size: int = _LEAST) -> str:
        """The mask with a sign of so many bytes, as it is if no other secret has the same."""
        try:
            data = secret.encode(errors="surrogateescape")  # as on a command line
        except UnicodeEncodeError:
            data = secret.encode(errors="surrogatepass")
        return f"{OPEN}{_sign(data, self._key, size)}{CLOSE}"


def _sign(data: bytes, key: bytes, size: int) -> str:
    try:
        from _blake2 import blake2b
    except ImportError:  # a Python that was built without it: no two signs are equal then
        return os.urandom(size).hex()
    sign: str = blake2b(data, key=key, digest_size=size, person=b"mcptap mask 1").hexdigest()
    return sign
