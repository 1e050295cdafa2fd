"""A session as one HTML file: it loads nothing, runs nothing, and needs nothing but a browser.

What is folded is found by the browser's own search, which opens it. All recorded text is escaped.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from mcptap import __version__
from mcptap.captures.evidence import Evidence
from mcptap.diagnosis.engine.finding import Finding
from mcptap.export.entry import CLIENT, DAMAGED, EVENT, LOG, SERVER, Entry, left_out_words
from mcptap.export.safe import in_html, names_in
from mcptap.export.session import Choice, Shown
from mcptap.export.told import became, launch_facts, masked_words, name_of, place, scope_words, versions
from mcptap.masking.masker import Masker
from mcptap.masking.signs import CLOSE, OPEN
from mcptap.protocol.model.request import ANSWERED, Request
from mcptap.report.headings import asked
from mcptap.text.escape import visible
from mcptap.text.units import clock, counted

CHOICE = Choice(records=1_500, characters=8_000, calls=150)
PREVIEW = 300
"""Characters of a record's content that stand in its line."""
SHORT = 110
"""A content of so many characters is all in its line: there is nothing to unfold."""

_LANES = {CLIENT: "client →", SERVER: "← server", LOG: "stderr", EVENT: "event", DAMAGED: "damaged"}
_WIDTH = 1000
"""Units of the waterfall."""
_LEAST = 4
_MASK = re.compile(f"{re.escape(OPEN)}[0-9a-f]+{CLOSE}")
_KEY = re.compile(r"^(\s*)(&quot;(?:[^&\\]|&(?!quot;)|\\.)*&quot;)(?=:)", re.MULTILINE)


@cache
def _style() -> str:
    return Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def page(sessions: list[Shown], masker: Masker | None) -> str:
    """The sessions as a page."""
    style = f"\n{_style()}"
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    title = ", ".join(dict.fromkeys(name_of(shown.checked) for shown in sessions))
    body = "\n".join(
        line for at, shown in enumerate(sessions) for line in _session(shown, f"s{at}" if at else "")
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{hashed}'; \
base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="mcptap {__version__}">
<title>{in_html(title)}: an MCP session</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
<footer><p>{_text(masked_words(masker))}</p></footer>
</main>
</body>
</html>
"""


def _session(shown: Shown, prefix: str) -> Iterator[str]:
    checked = shown.checked
    outcome = checked.outcome.value
    yield f'<article class="session" id="{prefix}top">'
    yield (
        f"<header><h1>{_text(name_of(checked))} "
        f'<span class="badge {outcome}">{outcome.replace("-", " ")}</span></h1>'
    )
    yield f'<p class="verdict">{_prose(checked.verdict)}</p>'
    if checked.limits:
        yield f'<p class="soft">{_text(checked.limits)}</p>'
    parts = {
        "findings": checked.findings,
        "launch": True,
        "requests": shown.calls,
        "transcript": shown.entries,
    }
    links = (f'<a href="#{prefix}{part}">{part}</a>' for part, there in parts.items() if there)
    yield f"<nav>{' '.join(links)}</nav></header>"
    listed = {entry.number: entry for entry in shown.entries}
    yield from _findings(shown, listed, prefix)
    yield f'<h2 id="{prefix}launch">How it was started</h2>'
    facts = [*launch_facts(checked), ("versions", versions(checked))]
    yield (
        "<dl>" + "".join(f"<dt>{name}</dt><dd>{_text(visible(text))}</dd>" for name, text in facts) + "</dl>"
    )
    yield from _calls(shown, listed, prefix)
    yield from _transcript(shown, prefix)
    yield "</article>"


def _text(text: str) -> str:
    """A text in HTML, its masks marked."""
    return _MASK.sub(r'<span class="mask">\g<0></span>', in_html(visible(text)))


def _prose(text: str) -> str:
    """Words of our own in HTML: the names between backticks in them are code."""
    return "".join(
        f"<code>{_text(piece)}</code>" if is_name else _text(piece) for piece, is_name in names_in(text)
    )


def _findings(shown: Shown, listed: dict[int, Entry], prefix: str) -> Iterator[str]:
    if not shown.checked.findings:
        return
    yield f'<h2 id="{prefix}findings">{counted(len(shown.checked.findings), "finding")}</h2>'
    for at, finding in enumerate(shown.checked.findings):
        around = shown.around[at] if at < len(shown.around) else []
        yield from _finding(finding, [listed[n] for n in around if n in listed], shown, prefix)


def _finding(finding: Finding, around: list[Entry], shown: Shown, prefix: str) -> Iterator[str]:
    level = finding.level.word
    is_there = any(entry.number == finding.line for entry in around)
    where = _text(place(finding))
    if is_there:
        where = f'<a href="#{prefix}r{finding.line}">{where}</a>'
    yield f'<section class="card {level}"><h3><span class="level">{level}</span>'
    yield f'<code>{_text(finding.rule)}</code> <span class="where">{where}</span></h3>'
    yield f"<p>{_prose(finding.message)}</p>"
    quoted = [line for line in finding.quoted if line not in finding.message]
    if quoted:
        yield f"<pre>{_text('')}{chr(10).join(_text(line) for line in quoted)}</pre>"
    if finding.consequence:
        yield f'<p><span class="label">Effect</span> {_prose(finding.consequence)}</p>'
    if finding.remedy:
        yield f'<p class="remedy"><span class="label">Remedy</span> {_prose(finding.remedy)}</p>'
    if around:
        yield '<details class="fold"><summary>The records there</summary><div class="records">'
        yield from (_row(entry, shown, prefix) for entry in around)
        yield "</div></details>"
    yield "</section>"


def _row(entry: Entry, shown: Shown, prefix: str) -> str:
    """A record without what can be unfolded, and with a link to where it can."""
    cells = _cells(entry, shown, f"#{prefix}r{entry.number}")
    return f'<div class="{_classes(entry)}"><div class="row">{cells}</div></div>'


def _classes(entry: Entry) -> str:
    return f"record {entry.gist.lane}" + (" bad" if entry.gist.is_bad else "")


def _cells(entry: Entry, shown: Shown, link: str) -> str:
    time = clock(entry.gist.t_us) if shown.checked.evidence.times else ""
    head = f"<b>{_text(entry.head)}</b> " if entry.head else ""
    mark = f"<mark>{_text(entry.mark)}</mark> " if entry.mark else ""
    return (
        f'<a class="n" href="{link}">{entry.number}</a><time>{time}</time>'
        f'<span class="lane">{_LANES[entry.gist.lane]}</span>'
        f'<span class="said">{head}{mark}<span class="preview">{_text(entry.line[:PREVIEW])}</span></span>'
    )


def _calls(shown: Shown, listed: dict[int, Entry], prefix: str) -> Iterator[str]:
    """The waterfall: when each request was asked, and for how long it waited."""
    if not shown.calls:
        return
    checked = shown.checked
    yield f'<h2 id="{prefix}requests">{counted(shown.calls_total, "request")}</h2>'
    if len(shown.calls) < shown.calls_total:
        yield (
            f'<p class="soft">{len(shown.calls):,} of them: the first, the slowest, and those without an '
            "answer.</p>"
        )
    yield '<div class="calls">'
    for call in shown.calls:
        yield _call(call, checked.last_us, checked.evidence, listed, prefix)
    yield "</div>"


def _call(call: Request, end_us: int, evidence: Evidence, listed: dict[int, Entry], prefix: str) -> str:
    bad = "" if call.state is ANSWERED else " bad"
    number = f"{call.number}"
    number = (
        f'<a class="n" href="#{prefix}r{number}">{number}</a>'
        if call.number in listed
        else f'<span class="n">{number}</span>'
    )
    came = _text(became(call, evidence))
    bar = _bar(call, end_us, came) if evidence.times else "<span></span>"
    took = f'<span class="took{bad}">{came}</span>'
    return f'<div class="call">{number}<b>{_text(asked(call))}</b>{bar}{took}</div>'


def _bar(call: Request, end_us: int, came: str) -> str:
    until = end_us if call.answer is None else call.answered_us
    whole = max(end_us, until, 1)
    start = min(call.t_us * _WIDTH // whole, _WIDTH - _LEAST)
    width = max(_LEAST, min((until - call.t_us) * _WIDTH // whole, _WIDTH - start))
    kind = "open" if call.answer is None else "" if call.state is ANSWERED else "bad"
    return (
        f'<svg class="bar" viewBox="0 0 {_WIDTH} 10" preserveAspectRatio="none" role="img">'
        f"<title>asked at {clock(call.t_us)} s: {came}</title>"
        f'<rect class="{kind}" x="{start}" width="{width}" height="10"/></svg>'
    )


def _transcript(shown: Shown, prefix: str) -> Iterator[str]:
    yield f'<h2 id="{prefix}transcript">Transcript</h2>'
    scope = scope_words(shown, len(shown.entries))
    yield f'<p class="soft">{_text(scope)}</p>' if scope else ""
    if shown.entries:
        yield '<div class="records">'
        yield from _records(shown.entries, shown, prefix)
        yield "</div>"


def _records(entries: Iterable[Entry], shown: Shown, prefix: str) -> Iterator[str]:
    before = None
    for entry in entries:
        missing = entry.number - before - 1 if before is not None else 0
        if missing > 0:
            yield f'<div class="gap">{counted(missing, "record")} left out</div>'
        before = entry.number
        cells = _cells(entry, shown, f"#{prefix}r{entry.number}")
        name = f'class="{_classes(entry)}" id="{prefix}r{entry.number}"'
        if len(entry.body) <= SHORT and "\n" not in entry.body and not entry.left_out:
            yield f'<div {name}><div class="row">{cells}</div></div>'
            continue
        body = _KEY.sub(r"\1<i>\2</i>", _text(entry.body) if not entry.is_json else _json(entry.body))
        if entry.left_out:
            body += f'\n<span class="soft">{left_out_words(entry)}</span>'
        yield f"<details {name}><summary>{cells}</summary><pre>{body}</pre></details>"


def _json(text: str) -> str:
    """Lines of JSON that are visible already: line breaks stay."""
    return _MASK.sub(r'<span class="mask">\g<0></span>', in_html(text))
