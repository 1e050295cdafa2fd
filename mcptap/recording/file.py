"""The file of a running recording: exclusive creation, its lock, and trouble with the disk.

Nothing here raises once the object is made. What can't be written is told once, in a
sentence, and the caller learns how much went in; traffic never waits for a repair.
"""

from __future__ import annotations

import errno
import os
import time

from mcptap.recording.format.header import MAGIC
from mcptap.recording.paths import close_to_others, make_private_folder, numbered

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WINDOWS_LOCK_AT = 1 << 62
MAX_TAIL = 8 << 20
"""Bytes in which the last record of a file begins: the largest that is written has some 7 MiB."""

MAX_SIBLINGS = 10_000
LOCK_TRIES = 5


class RecordingFile:
    """An append-only file that readers can tell to be alive.

    `candidates` are the paths to try, best first (a path that exists is never touched: a
    numbered sibling is used); `header(locked)` gives the header record; `tell(sentence)`
    is called once for each trouble.
    """

    def __init__(
        self, candidates: Sequence[str], header: Callable[[bool], bytes], tell: Callable[[str], None]
    ) -> None:
        self._candidates = list(candidates)
        self._header = header
        self._tell = tell
        self._told: set[str] = set()
        self._fd = -1
        self._good = 0  # how many bytes of the file are whole records
        self._header_size = 0
        self.path: str | None = None
        self.trouble = ""

    def was_cut(self) -> bool:
        """Whether another program took bytes away that stood in the file."""
        if self._fd < 0:
            return False
        try:
            size = os.lseek(self._fd, 0, os.SEEK_END)
        except OSError:
            return False
        if size < self._good:
            return True
        self._good = size
        return False

    def restore(self, given: int) -> int:
        """See that the file is there and begins with a header, whatever others did to it.

        `given` is how many records were numbered so far, the header among them; returns how many
        of them the file lacks if it was made anew or cut, else 0.
        """
        if self._fd < 0:
            return given - 1 if self._open() else 0
        if not self._still_there():
            deleted = self.path
            self.close()
            if not self._open():
                return 0
            where = "a new file" if self.path == deleted else f"{self.path}"
            self._note_trouble(f"the recording {deleted} was deleted; recording goes on in {where}")
            return given - 1
        return self._restore_cut(given) if self.was_cut() else 0

    def append(self, records: bytes) -> int:
        """Write records; return how many of their bytes went in, as whole records."""
        if self._fd < 0:
            return 0
        try:
            done = os.write(self._fd, records)
            while done < len(records):
                done += os.write(self._fd, records[done:])
        except OSError as error:
            self._note_trouble(f"cannot write to {self.path}: {error.strerror}; traffic goes on unrecorded")
            done = self._keep_whole_records()
        self._good += done
        return done

    def close(self) -> None:
        """Close the file, and so release the lock: the recording is no longer live."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _open(self) -> bool:
        first: OSError | None = None
        for candidate in self._candidates:
            try:
                make_private_folder(os.path.dirname(candidate) or ".")
                self._create(candidate)
            except OSError as error:
                first = first or error
            else:
                # From now on the file is made anew where it was, not where it was once wanted.
                self._candidates = [candidate]
                exposed = close_to_others(candidate)
                if exposed:
                    self._tell(exposed)
                return True
        if first is not None:
            self._note_trouble(
                f"cannot record to {self._candidates[0]}: {first.strerror}; traffic goes on unrecorded"
            )
        return False

    def _create(self, wanted: str) -> None:
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0)
        for number in range(MAX_SIBLINGS):
            path = numbered(wanted, number)
            try:
                fd = os.open(path, flags, 0o600)
            except FileExistsError:
                continue
            header = self._header(_lock(fd))
            try:
                if hasattr(os, "fchmod"):
                    os.fchmod(fd, 0o600)  # whatever the umask took
                if os.write(fd, header) != len(header):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            except OSError:
                os.close(fd)
                os.unlink(path)
                raise
            self._fd, self.path = fd, path
            self._good = self._header_size = len(header)
            return
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), wanted)

    def _restore_cut(self, given: int) -> int:
        """Take away the piece of a record at a cut, or give the file its header again."""
        try:
            size = os.lseek(self._fd, 0, os.SEEK_END)
            if size >= self._header_size and self._read(0, len(MAGIC)) == MAGIC:
                begin = max(0, size - MAX_TAIL)
                tail = self._read(begin, size - begin)
                self._good = begin + tail.rfind(b"\n") + 1
                os.ftruncate(self._fd, self._good)
                lost = given - _number(tail[: self._good - begin])
            else:
                # What stands there, if anything, came after it was emptied.
                rest = self._read(0, min(size, MAX_TAIL))
                os.ftruncate(self._fd, 0)
                header = self._header(_lock(self._fd))
                if os.write(self._fd, header + rest) != len(header) + len(rest):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                self._good, self._header_size = len(header) + len(rest), len(header)
                lost = given - 1 - rest.count(b"\n")
        except (OSError, AttributeError, ValueError) as error:
            self._note_trouble(
                f"cannot go on in {self.path}, which was cut: {error}; traffic goes on unrecorded"
            )
            self.close()  # the next try is a file of its own
            return 0
        self._note_trouble(f"the recording {self.path} was cut by another program; recording goes on in it")
        return lost

    def _read(self, start: int, size: int) -> bytes:
        os.lseek(self._fd, start, os.SEEK_SET)
        return os.read(self._fd, size)

    def _still_there(self) -> bool:
        try:
            return os.fstat(self._fd).st_nlink > 0
        except OSError:
            return False

    def _keep_whole_records(self) -> int:
        """After a write that failed half-way: cut off the piece of a record it left."""
        try:
            end = os.fstat(self._fd).st_size
            tail = os.pread(self._fd, end - self._good, self._good)
            whole = tail.rfind(b"\n") + 1
            os.ftruncate(self._fd, self._good + whole)
        except (OSError, AttributeError):  # Windows has no pread; the reader bears a piece
            return 0
        return whole

    def _note_trouble(self, sentence: str) -> None:
        self.trouble = sentence
        if sentence not in self._told:
            self._told.add(sentence)
            self._tell(sentence)


def _number(records: bytes) -> int:
    """The sequence number of the last of some records. Raises ValueError if it has none."""
    last = records[:-1].rpartition(b"\n")[2]
    return int(last.partition(b'"n":')[2].partition(b",")[0])


def _lock(fd: int) -> bool:
    """Take the lock that says the tap lives; the kernel drops it however the tap dies."""
    try:
        if fcntl is not None:
            _flock(fd)
        else:
            import msvcrt

            os.lseek(fd, WINDOWS_LOCK_AT, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            os.lseek(fd, 0, os.SEEK_END)
    except OSError:
        return False
    return True


def _flock(fd: int) -> None:
    """Lock a file, even if a reader has found it already and looks whether it is locked."""
    for _ in range(LOCK_TRIES):
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.001)
        else:
            return
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
