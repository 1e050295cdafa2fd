"""Pages about the whole session: how it was launched, what was declared, its numbers."""

from __future__ import annotations

from typing import Any

from mcptap.clients.startup import LIMITS, OPENED, exceeded
from mcptap.protocol.revisions.methods import METHODS
from mcptap.protocol.revisions.revisions import D
from mcptap.protocol.statistics.statistics import Row, Startup, Statistics, tokens
from mcptap.recording.format.model import Event, Header, as_list, as_object
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.index.rows import event_words
from mcptap.tui.session.record_view import wall_clock
from mcptap.tui.widgets.document import Line, bar, pairs, paragraph, rule, text_line
from mcptap.tui.widgets.text import clock, duration, fit, fit_right, size, visible
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT


def launch_lines(header: Header, ends: list[Event], columns: int) -> list[Line]:
    """How the server was started, and how it ended."""
    argv = [visible(word) for word in header.argv]
    lines = [rule("Launch")]
    rows = [
        ("command", " ".join(_quoted(word) for word in argv) or "unknown"),
        ("program", header.program or "not found"),
        ("directory", header.cwd or "unknown"),
        ("started", wall_clock(header.start_wall_us) if header.start_wall_us else "unknown"),
    ]
    parent = header.parent
    if parent:
        command = " ".join(str(word) for word in as_list(parent.get("argv"))) or str(parent.get("name", ""))
        rows.append(("by", f"{parent.get('name', '?')} (pid {parent.get('pid', '?')}): {command}"))
    rows.append(("tap", _tap(header)))
    lines += pairs(rows, columns)
    lines += [text_line(""), rule("Arguments")]
    lines += pairs([(str(k), word) for k, word in enumerate(argv)], columns)
    lines += [text_line(""), rule("Events")]
    lines += pairs([(clock(event.t_us), event_words(event)) for event in ends], columns)
    if not ends:
        lines.append(text_line("none was recorded", "dim"))
    lines += [text_line(""), *_environment(header, columns)]
    return lines


def _tap(header: Header) -> str:
    fields = header.fields
    stdio = as_object(fields.get("stdio"))
    said = f"mcptap {fields.get('version', '?')}, pid {fields.get('pid', '?')}, {fields.get('platform', '?')}"
    return said + "".join(f", {name} {kind}" for name, kind in stdio.items())


def _quoted(word: str) -> str:
    return f'"{word}"' if not word or " " in word else word


def _environment(header: Header, columns: int) -> list[Line]:
    environment = header.environment
    names = [str(name) for name in as_list(environment.get("names"))]
    values, holes = as_object(environment.get("values")), as_object(environment.get("placeholders"))
    lines = [rule("Environment", note=f"{len(names)} names; values only of harmless ones")]
    if holes:
        lines += pairs(
            [(name, f"▒ was never filled in: {text}") for name, text in holes.items()], columns, "problem"
        )
    lines += pairs([(name, str(value)) for name, value in sorted(values.items())], columns)
    others = [name for name in sorted(names) if name not in values and name not in holes]
    if others:
        lines += paragraph(", ".join(others), columns, "dim")
    return lines


# -- capabilities --


def capability_lines(judgement: Judgement, statistics: Statistics, columns: int) -> list[Line]:
    """What each side declared and what was used, side by side, with the gaps."""
    lines = [rule("Session")]
    lines += pairs(
        [
            ("client", _who(judgement.client_info) or judgement.client or "said no name"),
            ("server", _who(judgement.server_info) or "said no name"),
            ("revision", _revision(judgement)),
        ],
        columns,
    )
    revision = judgement.revision
    lines += [text_line(""), rule("The server's capabilities", note="● declared · messages that need it")]
    lines += _matrix(judgement.server_capabilities, "server", revision, statistics)
    lines += [text_line(""), rule("The client's capabilities", note="● declared · messages that need it")]
    lines += _matrix(judgement.client_capabilities, "client", revision, statistics)
    lines += [text_line(""), rule("Methods", note="requests and notifications that passed")]
    for (channel, method), row in sorted(statistics.methods.items(), key=lambda item: -item[1].calls):
        glyph, role = ("→", "client") if channel == "c2s" else ("←", "server")
        lines.append(
            Line([(f"{glyph} ", role), (fit(visible(method), 36), "plain"), (f"{row.calls:>9,}", "dim")])
        )
    return lines


def _revision(judgement: Judgement) -> str:
    if not judgement.revision:
        return f"asked for {judgement.requested}, never agreed" if judgement.requested else "none was agreed"
    asked = judgement.requested
    return judgement.revision + (
        f" (the client asked for {asked})" if asked and asked != judgement.revision else ""
    )


def _who(info: dict[str, Any]) -> str:
    title = f" ({info['title']})" if isinstance(info.get("title"), str) else ""
    return f"{info.get('name', '')} {info.get('version', '')}".strip() + title


def _matrix(declared: dict[str, Any] | None, side: str, revision: str, statistics: Statistics) -> list[Line]:
    """One line a capability of one side: ● declared, ○ not; what it was used for; and the gap in words."""
    if declared is None:
        return [text_line("nothing was declared: the opening of the session was never answered", "problem")]
    used = _used(side, revision, statistics)
    lines = []
    for name in dict.fromkeys((*used, *declared)):
        has = declared.get(name) not in (None, False)
        calls = used.get(name, 0)
        options = as_object(declared.get(name)) if has else {}
        more = ", ".join(key for key, value in options.items() if value not in (False, None))
        mark = ("● ", "server") if has else ("○ ", "faint")
        pieces = [mark, (fit(visible(name), 14), "bright" if has else "dim")]
        pieces.append((fit_right(f"{calls:,}×" if calls else "", 10) + "  ", "plain"))
        if calls and not has:
            pieces.append(("▒ used, but not declared", "problem"))
        elif has and not calls and side == "server" and name in ("tools", "resources", "prompts"):
            pieces.append(("declared, never used", "stderr"))
        elif more:
            pieces.append((visible(more), "dim"))
        lines.append(Line(pieces))
    if not declared:
        lines.append(text_line("It declared nothing at all.", "stderr"))
    return lines


def _used(side: str, revision: str, statistics: Statistics) -> dict[str, int]:
    """The capabilities of a side that the revision knows, and how many messages needed each."""
    used: dict[str, int] = {}
    for method in METHODS.get(revision, METHODS[D]).values():
        for need in method.needs:
            needed_of, _, path = need.partition(".")
            if needed_of != side:
                continue
            name = path.partition(".")[0]
            used.setdefault(name, 0)
            # A request needs a capability of its receiver, a notification one of its sender.
            server_speaks = (side == "server") != method.is_request
            row = statistics.methods.get(
                (SERVER_TO_CLIENT if server_speaks else CLIENT_TO_SERVER, method.name)
            )
            used[name] += row.calls if row is not None else 0
    return used


# -- statistics --


def statistics_lines(statistics: Statistics, now_us: int, columns: int) -> list[Line]:
    """Latency and size by tool and method with bars, the start-up, and what lists cost."""
    lines = [rule("Start-up", note="from the start of the server")]
    lines += _startup(statistics.startup, now_us, columns)
    if statistics.tools:
        lines += [text_line(""), rule("Tools", note="calls, failed, median, 95 %, worst, bytes out")]
        lines += _table(list(statistics.tools.values()), columns)
    rows = [row for row in statistics.methods.values() if not row.name.startswith("notifications/")]
    if rows:
        lines += [text_line(""), rule("Methods", note="the same by method")]
        lines += _table(rows, columns)
    if statistics.listed:
        total = sum(statistics.listed.values())
        note = (
            f"{len(statistics.listed)} tools, {size(total)} bytes, about {tokens(total):,} tokens each time"
        )
        lines += [text_line(""), rule("Tool list", note=note)]
        unused = statistics.never_called
        if unused:
            lines += paragraph("never called: " + ", ".join(unused[:200]), columns, "dim")
    lines += [text_line(""), rule("Traffic")]
    for channel, name in (("c2s", "client → server"), ("s2c", "server → client"), ("stderr", "stderr")):
        role = {"c2s": "client", "s2c": "server"}.get(channel, "stderr")
        lines.append(
            Line(
                [
                    (fit(name, 18), role),
                    (f"{statistics.lines[channel]:>10,} lines", "plain"),
                    (f"{size(statistics.bytes[channel]):>8} bytes", "dim"),
                ]
            )
        )
    return lines


def _startup(startup: Startup, now_us: int, columns: int) -> list[Line]:
    steps = startup.steps()
    if not steps:
        return [text_line("the server was never started", "problem")]
    first, last = steps[0][1], steps[-1][1]
    lines = []
    before = first
    room = max(10, min(50, columns - 44))
    for name, t in steps:
        share = (t - first) / (last - first) if last > first else 0
        took = duration(t - before) if t > before else ""
        lead = (before - first) / (last - first) if last > first else 0
        start = int(lead * room)
        lines.append(
            Line(
                [
                    (fit(visible(name), 24), "plain"),
                    (fit_right(clock(t - first), 9) + fit_right(took, 9) + "  ", "dim"),
                    (" " * start + (bar(share - lead, room) or "▏"), "client"),
                ]
            )
        )
        before = t
    broken = exceeded(startup, now_us)
    for limit, took_us in broken:
        lines.append(
            text_line(f"too slow for {limit.client}: {duration(took_us)} of {limit.seconds:g} s", "problem")
        )
    if not broken and startup.answered_us is not None:
        keenest = min((limit for limit in LIMITS if limit.until == OPENED), key=lambda each: each.seconds)
        lines.append(
            text_line(
                f"quick enough for all known clients ({keenest.client} waits {keenest.seconds:g} s)", "dim"
            )
        )
    return lines


def _table(rows: list[Row], columns: int) -> list[Line]:
    """Rows by the time that was waited for them, with a bar of the median on a scale to the worst."""
    rows = sorted(rows, key=lambda row: -row.calls)[:200]
    medians = {id(row): row.latency.at(0.5) for row in rows}
    top = max((value for value in medians.values() if value), default=0) or 1
    some_open = any(row.open for row in rows)
    name = min(max((len(row.name) for row in rows), default=8), 28) + 1
    lines = []
    for row in rows:
        failed = row.errors + row.is_errors
        pieces = [
            (fit(visible(row.name), name), "bright"),
            (f"{row.calls:>8,}", "plain"),
            (fit_right(f"{failed:,}" if failed else "", 7), "problem"),
        ]
        median = medians[id(row)]
        if median is not None:
            for q in (0.5, 0.95, 1.0):
                value = row.latency.at(q)
                pieces.append(
                    (
                        fit_right(duration(int(value)) if value is not None else "", 8),
                        "plain" if q == 0.5 else "dim",
                    )
                )
        else:
            pieces.append((" " * 24, "dim"))
        pieces.append((fit_right(size(row.bytes_out), 7) + "  ", "dim"))
        room = columns - name - 8 - 7 - 24 - 9 - (12 if some_open else 0)
        if median and room >= 8:
            pieces.append((bar(median / top, min(room, 40)) or "▏", "client"))
        if row.open:
            pieces.append((f"  {row.open:,} open", "stderr"))
        lines.append(Line(pieces))
    return lines
