"""What a process said last: of the end of its stderr, the line that tells why it ended.

The last line is seldom it. Node prints its version there, Rust a note, npm the place of a log,
uv the last word of a sentence, Go the status of the child. So the lines are read from the end,
and the nearest one that speaks of a failure is taken, with what belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

SHOWN = 5
"""How many lines are shown at most."""
LONGEST = 400
"""How many characters the telling line has at most when it was put together from several."""
JOINED = 12
"""How many lines are put together at most."""


class LastWords(NamedTuple):
    """The line that tells most, and the last few lines that are more than noise; both may be empty."""

    telling: str
    shown: tuple[str, ...]


_COLOUR = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_GROUP = re.compile(r"^\s*(?:[|+]\s?)+(?:-[-+]*(?: \d+ )?-*)?")
"""The margin of Python's exception groups."""
_BOX = re.compile(
    r"^\s*[│┃║]\s?|\s*[│┃║]\s*$|^\s*[╭╰┌└┏┗├╞][─━═╌]*[▶►>]?\s*|[─━═]+[╮╯┐┘┓┛┤]\s*$|^\s*[×✖✗❌]\s+"
)
"""Frames and marks that rich, miette and other printers of errors draw."""

_NOISE = re.compile(
    r"""
    \s*$ | [\W_]+$                                             # nothing but signs
    | Node\.js\ v\d | Bun\ v\d
    | \(?Use\ `?node\ --trace
    | note:\ | stack\ backtrace: | Stack\ trace: | goroutine\ \d | \[signal\ SIG | exit\ status\ \d+$
    | (?:\w+[./])*[\w*().]+\([^)]*\)$ | created\ by\             # Go's frames
    | (?:sys:1:\ )?RuntimeWarning:\ Enable\ tracemalloc
    | (?:Exception\ Group\ )?Traceback\ \(most\ recent\ call\ last\) | During\ handling\ of\ the\ above
    | The\ above\ exception\ was\ the\ direct
    | future:\ <
    | \d+\ \|\ | \#\d+\ | thrown\ in\ | at\ \S+.*[:(] | from\ \S+:\d+ | \.\.\.\ \d+\ more
    | node:internal/ | file://\S+:\d+$ | (?:/|[A-Za-z]:\\)[^\s:]*:\d+(?::\d+)?$ | throw\ | \^+$
    | npm\ (?:ERR!|error|warn|WARN|notice)(?:\ \d+)?\s*$
    | npm\ (?:ERR!|error)\ (?:A\ complete\ log|\ {2,}/|Log\ files\ were|For\ a\ full\ report)
    | npm\ (?:ERR!|error)\ (?:\d+\ )?(?:Note\ that\ you|tarball,|path\ |command\ |cwd\ |dest\ |errno\ |syscall\ |stack\ )
    | npm\ (?:notice|warn|WARN)\b
    | (?:See\ '(?:docker|podman)|Run\ '(?:docker|podman)|For\ more\ (?:help|information))
    | (?:Try\ ['"`].*(?:help|-h)|For\ (?:more\ )?help,|[Uu]sage:|See\ (?:also:?\ )?https?://|https?://\S+$|Learn\ more:?)
    | Debugger\ (?:listening|attached) | Waiting\ for\ the\ debugger
    | BEGIN\ failed | \(?core\ dumped\)?$ | Hint:\ | hint:\ | help:\
    | Killed\ by\ signal | Pseudo-terminal\ will\ not\ be
    | \w*\ ?Caused\ by:\s*$
    """,
    re.VERBOSE,
)
"""Lines that say nothing of why, looked at without their indentation."""

_FAILURE = re.compile(
    r"""
    ^(?:Uncaught\ )?[\[(]?(?:[\w$]+(?:\.|::))*\w*(?:Error|Exception|Panic|Exit|Interrupt|Warning|Fault|Rejection)\b[^.]{0,80}?(?::|\]|$)
    | ^(?:\S+:\ )?(?:fatal|error|panic|critical|emerg\w*)\b
    | \b(?:FATAL|CRITICAL|ERROR|PANIC|EMERGENCY|ERR|FTL|CRIT)\b
    | "(?:level|severity|lvl)"\s*:\s*(?:"(?:fatal|error|panic|critical)"|[56]0\b)
    | panicked\ at | ^Unhandled\ exception | \bUncaught\b | ^Caused\ by:\ \S | ^npm\ (?:ERR!|error)\ code\
    | ^\*\*\ \( | ^terminate\ called | ^Fatal\ | ^PHP\ (?:Fatal|Parse)
    | \bcommand\ not\ found\b | :\ not\ found$ | is\ not\ recognized\ as
    | No\ such\ file | [Pp]ermission\ denied | \bdenied\b | Cannot\ connect | \brefused\b
    | \b(?:[Cc]annot|[Cc]ould\ not|[Cc]an't|[Cc]an\ not|[Uu]nable\ to|[Ff]ailed|[Ff]ailure|[Rr]efus|[Ii]nvalid|[Mm]issing|[Ee]xpired)
    | \b(?:is|are|was|were)\ (?:not|never|required|missing|invalid|unset|undefined)\b | \bmust\ (?:be|not|have|specify)\b
    | \bnot\ (?:set|found|defined|supported|installed|allowed|a\ TTY|available|running|permitted)\b | \brequired?\b
    | \bSegmentation\ fault\b | ^Killed$ | \bAborted\b | \b[Oo]ut\ of\ memory\b | \bheap\ limit\b
    | [Nn]o\ space\ left | \b(?:timed?\ out|[Tt]imeout)\b | verification\ failed | \bunsatisfiable\b | [Yy]ou\ must\ install
    | \b[Aa]uthori[sz]|\b[Ll]og\ ?in\b|\b[Ss]ign\ in\b|\b[Ww]aiting\ for\b|\b[Pp]lease\b|\b[Pp]assword|\b[Pp]assphrase
    | [Ll]icen[cs]e | [Cc]onnection\ closed\ by | no\ longer | does\ not\ exist | [Uu]nknown\ (?:option|argument|command)
    """,
    re.VERBOSE,
)
_RECOVERED = re.compile(
    r"\bWARN(?:ING)?\b|\bwarn(?:ing)?\b\W|\b(?:[Uu]sing|[Ff]all(?:ing)? ?back|[Ii]gnor(?:ed|ing)|[Ss]kipp(?:ed|ing)|[Rr]etry(?:ing)?|"
    r"[Cc]ontinuing|[Dd]isabl(?:ed|ing)|[Dd]efaults? to|by default|optional)\b"
)
_GROUP_ITSELF = re.compile(r"^(?:\w+\.)*(?:Base)?ExceptionGroup: ")
_UNFINISHED = re.compile(r"[\[{(:,]$")
_FRAME = re.compile(
    r"^\s*(?:at |from |File \"|\.\.\. \d+ more|\d+: +0x|#\d+ )|^\s*\S+:\d+(?::\d+)?$|^\s*[\^~]+\s*$"
)
_NPM = re.compile(r"^npm (?:ERR!|error)(?: \d+(?= ))? ")
_NPM_CODE = re.compile(r"^npm (?:ERR!|error) code \w")
_CAUSE = re.compile(r"^\s*(?:Caused by: ?|--->|\d+: |(?:because|caused by)\b)", re.I)


def last_words(lines: Sequence[str]) -> LastWords:
    """The telling line of these lines of stderr, and the last few that are worth a look."""
    clean = [_plain(line) for line in lines]
    worth = [index for index, line in enumerate(clean) if not _NOISE.match(line.strip())]
    if not worth:
        rest = [line.strip() for line in clean if any(map(str.isalnum, line))]
        return LastWords(rest[-1] if rest else "", ())
    at = _telling(clean, worth)
    telling, used = _joined(clean, at)
    shown = [index for index in worth if index >= at or index in used][: SHOWN - 1]
    shown = sorted({*shown, *[index for index in worth if index < at][-(SHOWN - len(shown)) :], worth[-1]})
    return LastWords(telling, tuple(clean[index].rstrip() for index in shown[-SHOWN:]))


def _plain(line: str) -> str:
    """A line without colours, and without the frame that a printer of errors drew around it."""
    text = _COLOUR.sub("", line).rstrip()
    if text.lstrip()[:1] in ("|", "+"):
        return _GROUP.sub("", text)
    return _BOX.sub("", text)


def _telling(clean: list[str], worth: list[int]) -> int:
    """Which line tells why."""
    block = _start_of_block(clean)
    for index in reversed(worth):
        line = clean[index]
        if line[:1].isspace() and index > block and not _CAUSE.match(line):
            continue
        text = line.strip()
        if _FAILURE.search(text) and not _GROUP_ITSELF.match(text) and not _is_aside(text):
            return _head(clean, index)
    outer = [index for index in worth if not clean[index][:1].isspace()]
    at = (outer or worth)[-1]
    # A trace that breaks off before its error says more than the banner before it.
    trace = [index for index in worth if index > at and _FRAME.match(clean[index])]
    return trace[-1] if trace else at


def _is_aside(text: str) -> bool:
    return _RECOVERED.search(text) is not None and not re.search(r"\bFATAL\b|never awaited|^\w*Error\b", text)


def _start_of_block(clean: list[str]) -> int:
    """Where the last lines begin that are not indented: if all are, none is a continuation."""
    return next((index for index, line in enumerate(clean) if line and not line[:1].isspace()), len(clean))


def _head(clean: list[str], index: int) -> int:
    """The line that begins what this line goes on with: of npm's lines its code, of a cause its error."""
    if _NPM.match(clean[index]):
        for before in range(index, -1, -1):
            if not _NPM.match(clean[before]):
                break
            if _NPM_CODE.match(clean[before]):
                return before
    elif index and _UNFINISHED.search(clean[index - 1]) and _FAILURE.search(clean[index - 1].strip()):
        return index - 1
    elif _CAUSE.match(clean[index]) and clean[index][:1].isspace():
        for before in range(index - 1, -1, -1):
            if not clean[before][:1].isspace() and not _NOISE.match(clean[before]):
                return before
    return index


def _joined(clean: list[str], at: int) -> tuple[str, set[int]]:
    """The line with the lines behind it that end its sentence, and which lines these are."""
    if _NPM_CODE.match(clean[at]):
        return _npm_code(clean, at)
    parts, used = [clean[at].strip()], {at}
    depth = _open_brackets(parts[0])
    for index in range(at + 1, min(len(clean), at + JOINED)):
        line = clean[index]
        if _FRAME.match(line):
            break
        goes_on = depth > 0 or line[:1].isspace() or _UNFINISHED.search(parts[-1]) or _CAUSE.match(line)
        if not goes_on:
            break
        parts.append(line.strip())
        used.add(index)
        depth += _open_brackets(line)
    return " ".join(parts)[:LONGEST], used


def _npm_code(clean: list[str], at: int) -> tuple[str, set[int]]:
    """npm's code, and the first two of its lines that say more."""
    details: list[str] = []
    used = {at}
    for index in range(at + 1, min(len(clean), at + JOINED)):
        line = clean[index]
        if not _NPM.match(line) or len(details) == 2:
            break
        if not _NOISE.match(line):
            details.append(_NPM.sub("", line).strip())
            used.add(index)
    return ": ".join(filter(None, (clean[at].strip(), "; ".join(details))))[:LONGEST], used


def _open_brackets(text: str) -> int:
    return sum(map(text.count, "[{")) - sum(map(text.count, "]}"))
