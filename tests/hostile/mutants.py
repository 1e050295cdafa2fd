"""Recordings and captures with parts replaced, removed, doubled, moved, cut, nested or made of other bytes.

Each mutant is made of its number alone, so that one that fails can be made again.
"""

from __future__ import annotations

import json
import random
import signal
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from mcptap.errors import UserError
from tests.hostile.commands import READING, index, read_with, send, stand_in

SAMPLES = Path(__file__).parents[2] / "recordings"
OTHER = SAMPLES / "clean-handshake.jsonl"
LIMIT_S = 10

ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e308, 2**31, 2**63, 2**70, 10**400, "", "x", "getsignal", "SIGKILL",
    "receiver closed", "c2s", "s2c", "stderr", "header", "line", "part", "exit", "\ud800", "\x1b[2J\u2028",
    "2026-11-29T21:17:03Z", "9" * 5000, "y" * 100_000, [], {}, [[]], [None], {"b64": "//8="}, {"b64": 7},
    {"x": {"y": [1, {}]}}, "initialize", "tools/list", "2025-11-25", 1795987023103145000,
]  # fmt: skip
PIECES = [
    b"", b"\n", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"{", b"}", b"[", b'"', b"\\", b",",
    b"null", b"NaN", b"1e999", b"\x1b[31m", b'{"mcptap":1,"k":"header"}\n', b"Content-Length: 12\r\n\r\n",
    b"[" * 2000,
]  # fmt: skip


def originals() -> list[bytes]:
    """The files that are mutated: the samples of recordings, and captures of other formats."""
    found = [path.read_bytes() for path in sorted(SAMPLES.rglob("*.jsonl"))]
    messages = [
        record["msg"]
        for record in map(json.loads, found[0].splitlines())
        if isinstance(record, dict) and "msg" in record
    ]
    found.append(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    found.append(b"".join(b"--> " + json.dumps(message).encode() + b"\n" for message in messages))
    found.append(
        b"".join(json.dumps({"dir": "c2s", "raw": json.dumps(m)}).encode() + b"\n" for m in messages)
    )
    return found


ORIGINALS = originals()


def mutant(number: int) -> bytes:
    """The mutant with this number."""
    chance = random.Random(number)
    lines = chance.choice(ORIGINALS).split(b"\n")
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        chance.choice(MUTATIONS)(chance, lines)
    data = b"\n".join(lines)
    for _ in range(chance.choice([0, 0, 0, 1, 5])):
        data = _with_other_bytes(chance, data)
    return data


def _with_other_bytes(chance: random.Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    piece = chance.choice([chance.choice(PIECES), bytes([chance.randrange(256)])])
    return data[:at] + piece + data[at + chance.choice([0, 1, len(piece), 100]) :]


def _change_value(chance: random.Random, lines: list[bytes]) -> None:
    """Another value at some place of a record, or none, or under another name, or doubled, or nested."""
    at = chance.randrange(len(lines))
    try:
        record = json.loads(lines[at])
    except (ValueError, RecursionError):
        return
    places = list(_places(record))
    if not places:
        return
    holder, key = chance.choice(places)
    how = chance.choice(["odd", "odd", "odd", "swap", "remove", "nest", "name"])
    if how == "odd":
        holder[key] = chance.choice(ODD)
    elif how == "swap":
        other, name = chance.choice(places)
        holder[key], other[name] = other[name], holder[key]
    elif how == "remove":
        del holder[key]
    elif how == "name" and isinstance(holder, dict):
        holder[chance.choice(["x", "msg", "text", "ch", "id", "method", "errno"])] = holder.pop(key)
    try:
        lines[at] = json.dumps(record, separators=(",", ":")).encode()
    except (ValueError, RecursionError):  # a swap put a value into itself
        return
    if how == "nest":
        depth = chance.choice([50, 260, 990, 1030, 3000])
        spelled = json.dumps(holder[key], separators=(",", ":")).encode()
        lines[at] = lines[at].replace(spelled, b"[" * depth + spelled + b"]" * depth, 1)


def _places(value: Any) -> Any:
    todo = [value]
    while todo:
        holder = todo.pop()
        if not isinstance(holder, dict | list):
            continue
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            todo.append(holder[key])


def _double_member(chance: random.Random, lines: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    name = chance.choice(b"k t wall ch msg text id at from n mcptap".split())
    value = json.dumps(chance.choice(ODD)).encode()
    lines[at] = lines[at].replace(b"{", b'{"%b":%b,' % (name, value), 1)


def _remove(chance: random.Random, lines: list[bytes]) -> None:
    if len(lines) > 1:
        del lines[chance.randrange(len(lines))]


def _double(chance: random.Random, lines: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    lines[at:at] = [lines[at]] * chance.choice([1, 1, 2, 300])


def _move(chance: random.Random, lines: list[bytes]) -> None:
    lines.insert(chance.randrange(len(lines)), lines.pop(chance.randrange(len(lines))))


def _shuffle(chance: random.Random, lines: list[bytes]) -> None:
    rest = lines[1:]
    chance.shuffle(rest)
    lines[1:] = rest


def _cut(chance: random.Random, lines: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]


def _turn(chance: random.Random, lines: list[bytes]) -> None:
    """Another channel."""
    at = chance.randrange(len(lines))
    for channel in (b'"c2s"', b'"s2c"', b'"stderr"'):
        if channel in lines[at]:
            lines[at] = lines[at].replace(channel, chance.choice([b'"c2s"', b'"s2c"', b'"stderr"', b'"x"']))
            return


def _parts(chance: random.Random, lines: list[bytes]) -> None:
    """Parts that may follow each other or not, and perhaps a line that ends them."""
    record = b'{"n":9,"k":"%b","t":9,"wall":9,"ch":"%b","%b":%d,"text":"%b"}'
    at = chance.randrange(len(lines))
    channel = chance.choice([b"c2s", b"s2c", b"stderr"])
    offset = 0
    made = []
    for _ in range(chance.randrange(1, 6)):
        text = chance.choice([b"abc", b'{\\"id\\":1', b"\\u0000", b""])
        made.append(record % (b"part", channel, b"at", offset, text))
        offset += chance.choice([3, 3, len(text), 0, -1 if offset else 0, 10**9])
    made.append(record % (b"line", channel, b"from", chance.choice([offset, 3, 0]), b"}"))
    lines[at:at] = made[: chance.randrange(1, len(made) + 1)]


def _encode(chance: random.Random, lines: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    text = lines[at].decode(errors="replace")
    other = chance.choice(["utf-16", "utf-16-le", "utf-7", "utf-32", "latin-1"])
    lines[at] = text.encode(other, errors="replace")


MUTATIONS: list[Callable[[random.Random, list[bytes]], None]] = [
    _change_value, _change_value, _change_value, _change_value, _change_value, _double_member, _remove,
    _double, _move, _shuffle, _cut, _turn, _parts, _encode,
]  # fmt: skip

ACTS: list[tuple[str, Callable[[Path], object]]] = [
    *((" ".join(command), partial(read_with, command, other=OTHER)) for command in READING),
    ("screen", index), ("screen", index), ("mock", stand_in), ("send", send),
]  # fmt: skip


def _too_long(*_: object) -> None:
    raise TimeoutError(f"it took more than {LIMIT_S} s")


def run(number: int, folder: Path) -> str:
    """Let one command read a mutant. Returns what went wrong; empty if nothing did."""
    path = folder / "mutant.jsonl"
    path.write_bytes(mutant(number))
    name, act = ACTS[number % len(ACTS)]
    usual = signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(LIMIT_S * 6)  # of a machine that has other things to do; a hang is no matter of seconds
    try:
        act(path)
    except UserError:
        pass
    except BaseException:
        return f"mutant {number}, {name}:\n{traceback.format_exc()}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, usual)
    return ""


def run_many(count: int, first: int = 0) -> int:
    """Run so many mutants, and print what went wrong and figures; the exit status is 1 if anything did."""
    failed = 0
    longest = (0.0, 0)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + count):
            at = time.process_time()
            trouble = run(number, Path(folder))
            longest = max(longest, (time.process_time() - at, number))
            if trouble:
                failed += 1
                print(trouble, flush=True)
    print(
        f"{count:,} mutants from {first:,} on in {time.monotonic() - begun:.0f} s: {failed} failed; "
        f"the longest took {longest[0]:.1f} s (mutant {longest[1]})"
    )
    return int(failed > 0)
