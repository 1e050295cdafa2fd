"""Whether this installation made a recording: a check value in its header, keyed by a secret of the user's.

Commands run what a header says. The value tells a header that the user's own mcptap wrote from one that
came from elsewhere, or was changed: only the former is run without a question. It covers the command, the
directory, and the names and values of the environment: all that is taken from a header for a start. It does
not cover the lines.

The key is made on first use, with mode 0600, in the user's folder for state; without one there is no value.
The tap makes the value while its server starts, and without `hashlib`, whose import takes as long as that of
the rest of the tap: `_blake2` is the part of it that has the keyed hash (RFC 7693).
"""

from __future__ import annotations

import os

from mcptap.recording.format.header import encode_launch
from mcptap.recording.paths import default_folders, is_mine, make_private_folder, refuse_if_foreign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcptap.masking.masker import Masker
    from mcptap.recording.format.header import Header, Mask

KEY_BYTES = 32
CHECK_BYTES = 32
KEY_NAME = "key"

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_REGULAR, _KIND, _OTHERS = 0o100000, 0o170000, 0o077


def check_value(
    argv: Sequence[bytes], cwd: bytes, environment: bytes, masked: Sequence[Mask] = ()
) -> str | None:
    """The value for a header that is written now; None if there is no key. Never raises OSError.

    `environment` is as `encode_environment` gives it.
    """
    key = installation_key()
    return _keyed(key, encode_launch(argv, cwd, environment, masked)) if key else None


def installation_key() -> bytes:
    """The key of this installation, made if there is none yet; empty if none can be. Never raises OSError.

    It is that of the masks as well (under another personalisation): equal secrets look equal in all
    recordings and outputs of a user, so that these can be compared, and tell nothing to anybody else.
    """
    for path in _key_paths():
        key = _read_key(path) or _make_key(path)
        if key:
            return key
    return b""


def masker() -> Masker:
    """A masker that gives equal secrets the masks that they have in the recordings made here."""
    from mcptap.masking.masker import Masker

    return Masker(next(filter(None, map(_read_key, _key_paths())), b""))


def was_made_here(header: Header) -> bool:
    """Whether a key of this user gives the check value of the header, for the launch that is read from it."""
    if not header.check or not header.check.isascii() or "export" in header.fields:
        return False
    from hmac import compare_digest

    try:
        launch = header.encoded_launch()
    except (UnicodeError, ValueError):
        return False
    keys = filter(None, map(_read_key, _key_paths()))
    return any(compare_digest(_keyed(key, launch) or "", header.check) for key in keys)


def _keyed(key: bytes, data: bytes) -> str | None:
    try:
        from _blake2 import blake2b
    except ImportError:  # a Python that was built without it
        return None
    value: str = blake2b(data, key=key, digest_size=CHECK_BYTES, person=b"mcptap launch 1").hexdigest()
    return value


def _key_paths() -> list[str]:
    """Where the key may lie: beside each of the default folders for recordings, best first."""
    return [os.path.join(os.path.dirname(folder), KEY_NAME) for folder in default_folders(os.environ)]


def _read_key(path: str) -> bytes | None:
    """The key in a file that is the user's alone, in a folder that is the user's."""
    try:
        refuse_if_foreign(os.path.dirname(path))
        if not is_mine(os.stat(os.path.dirname(path))):
            return None
        fd = os.open(path, _READ)
        try:
            status = os.fstat(fd)
            key = os.read(fd, KEY_BYTES + 1)
        finally:
            os.close(fd)
    except OSError:
        return None
    private = os.name == "nt" or not status.st_mode & _OTHERS
    if is_mine(status) and private and status.st_mode & _KIND == _REGULAR and len(key) == KEY_BYTES:
        return key
    return None


def _make_key(path: str) -> bytes | None:
    """Make a key, or read the one that another process made in the meantime."""
    draft = f"{path}.{os.getpid()}"
    try:
        make_private_folder(os.path.dirname(path))
        fd = os.open(draft, _MAKE, 0o600)
        try:
            if hasattr(os, "fchmod"):
                os.fchmod(fd, 0o600)  # whatever the umask took
            os.write(fd, os.urandom(KEY_BYTES))
        finally:
            os.close(fd)
        try:
            os.link(draft, path)  # at once whole, and never in place of another
        except FileExistsError:
            pass
        finally:
            os.unlink(draft)
    except OSError:
        return None
    return _read_key(path)
