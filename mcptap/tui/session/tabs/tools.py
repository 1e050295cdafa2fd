"""The tools that the server offers: what each takes and costs, how often it was called, what is wrong."""

from __future__ import annotations

from typing import Any

import orjson

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.jsontext.tree import parse
from mcptap.protocol.statistics.counts import OTHERS, Row, tokens
from mcptap.query import written
from mcptap.text.columns import cut, fit, fit_right
from mcptap.text.units import counted, duration, size
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.index.loaded import whole_line
from mcptap.tui.index.offered import Offered, OfferedTool
from mcptap.tui.session.findings_pane import GLYPHS, ROLES
from mcptap.tui.session.tabs.finding import finding_lines
from mcptap.tui.session.tabs.schema import schema_lines
from mcptap.tui.session.tabs.tab import Page, Tab, View, not_judged_yet, not_of_the_moment
from mcptap.tui.widgets.document import Line, Piece, paragraph, rule, text_line
from mcptap.tui.widgets.jsontree import JsonTree
from mcptap.tui.widgets.text import visible

EXCERPTS = 1 << 20
"""Lists of at most so many bytes are read for a line of each description."""

HINTS = (
    ("readOnlyHint", True, "says it only reads"),
    ("readOnlyHint", False, "says it changes things"),
    ("destructiveHint", True, "says it may destroy"),
    ("idempotentHint", True, "says it may be repeated"),
    ("openWorldHint", True, "says it reaches outside"),
)
"""What annotations say, in words: hints of the server, not facts."""


class ToolsTab(Tab):
    """What the server offers."""

    name = "tools"
    key = "6"
    help = "detail: the tools that the server offers, their schemas, what they cost, their calls"

    def render(self, view: View) -> Page:
        """The tools in the order of the list; Enter opens one."""
        if view.judgement is None:
            return not_judged_yet()
        return Page([*not_of_the_moment(view), *_ToolsPage(view, view.judgement).lines()])


class _ToolsPage:
    """One drawing of the page. What was unfolded and read is kept in the memory of the view."""

    def __init__(self, view: View, judgement: Judgement) -> None:
        self._view = view
        self._judgement = judgement
        self._index: RecordIndex = view.index
        self._offered: Offered = judgement.offered
        self._open: set[str] = view.memory.setdefault("tools open", set())
        self._json: set[str] = view.memory.setdefault("tools json", set())
        self._pages: dict[int, dict[str, Any]] = view.memory.setdefault("tools pages", {})
        self._trees: dict[tuple[str, int], JsonTree] = view.memory.setdefault("tools trees", {})
        self._findings = findings_by_tool(judgement, self._index, {tool.name for tool in self._offered.tools})

    def lines(self) -> list[Line]:
        """The whole page."""
        offered = self._offered
        if not offered.tools:
            return [text_line(_why_none(offered), "dim")]
        total = sum(tool.size for tool in offered.tools if tool.is_current)
        current = sum(tool.is_current for tool in offered.tools)
        note = f"{counted(current, 'tool')}, {size(total)}, about {tokens(total):,} tokens each time"
        lines = [rule("Tools", note=note)]
        for finding in self._findings.get("", ()):
            lines += finding_lines(finding, self._view.width, of_record=True)
        if offered.is_cut:
            lines.append(
                text_line("The list is longer than what is kept of it: tools are missing here.", "stderr")
            )
        name = (
            min(max(len(visible(tool.name)) for tool in offered.tools), 30, max(12, self._view.width - 44))
            + 1
        )
        lines.append(text_line(f"  {'':{name}}{'calls':>7}{'failed':>8}{'median':>8}{'tokens':>8}", "faint"))
        excerpts = total <= EXCERPTS
        for tool in offered.tools:
            lines.append(self._row(tool, name, with_excerpt=excerpts))
            if tool.name in self._open:
                lines += self._details(tool)
        return lines

    def _row(self, tool: OfferedTool, name: int, *, with_excerpt: bool) -> Line:
        """The line of a tool; Enter folds it or unfolds it."""
        row, found = self._statistics(tool), self._findings.get(tool.name, [])
        calls, failed, median = "?", "", ""
        if row is not None:
            calls = f"{row.calls:,}"
            failed = f"{row.errors + row.is_errors:,}" if row.errors + row.is_errors else ""
            middle, fine = row.latency.median, self._index.fineness_us
            median = duration(middle, True, fine) if middle is not None and fine else ""
        mark = "▾ " if tool.name in self._open else "▸ "
        pieces: list[Piece] = [
            (mark, "faint"),
            (fit(visible(tool.name), name), "bright" if tool.is_current else "dim"),
            (fit_right(calls, 7), "plain" if calls != "0" else "faint"),
            (fit_right(failed, 8), "problem"),
            (fit_right(median, 8), "dim"),
            (fit_right(f"{tokens(tool.size):,}", 8) + "  ", "dim"),
        ]
        worst = max((finding.level for finding in found), default=None)
        pieces.append((f"{GLYPHS[worst]} " if worst is not None else "  ", ROLES[worst or Level.INFO]))
        room = self._view.width - name - 37
        if not tool.is_current:
            pieces.append(("no longer in the list", "stderr"))
        elif with_excerpt and room >= 12:
            about = " ".join(str(self._definition(tool).get("description") or "").split())
            pieces.append((cut(visible(about), room), "faint"))

        def act() -> None:
            self._open.symmetric_difference_update({tool.name})

        return Line(pieces, act)

    def _details(self, tool: OfferedTool) -> list[Line]:
        """What is below the line of an open tool."""
        definition, columns, lines = self._definition(tool), self._view.width, []
        if not definition:
            lines.append(text_line(f"    what record {tool.record:,} says of it can't be read", "problem"))
        for finding in self._findings.get(tool.name, ()):
            lines += finding_lines(finding, columns, of_record=True)
        description = definition.get("description")
        if isinstance(description, str) and description.strip():
            lines += paragraph(description.strip(), columns, "plain", "    ")
        annotations = definition.get("annotations")
        if isinstance(annotations, dict):
            said = [words for name, value, words in HINTS if annotations.get(name) is value]
            if said:
                lines.append(text_line("    " + ", ".join(said), "dim"))
        lines.append(text_line("    takes", "title"))
        lines += schema_lines(definition.get("inputSchema"), columns, "      ")
        if "outputSchema" in definition:
            lines.append(text_line("    returns", "title"))
            lines += schema_lines(definition["outputSchema"], columns, "      ")
        return [*lines, *self._ways(tool, definition), Line()]

    def _ways(self, tool: OfferedTool, definition: dict[str, Any]) -> list[Line]:
        """Where one can go from here: its calls, the record of its definition, its JSON."""
        row, lines = self._statistics(tool), []
        if row is not None and row.calls:
            calls = counted(row.calls, "call")
            pieces: list[Piece] = [
                (f"    {calls}", "bright"),
                ("   enter shows them", "faint"),
            ]
            lines.append(Line(pieces, query=f"tool:{written(tool.name)}"))
        pieces = [(f"    listed in record {tool.record:,}", "bright"), ("   enter goes there", "faint")]
        lines.append(Line(pieces, record=tool.record - 1))
        if not definition:
            return lines
        is_open = tool.name in self._json

        def act() -> None:
            self._json.symmetric_difference_update({tool.name})

        lines.append(Line([(f"    {'▾' if is_open else '▸'} ", "faint"), ("its JSON", "bright")], act))
        if is_open:
            lines += [
                Line([("      ", "plain"), *line.pieces], line.act, value=line.value)
                for line in self._tree(tool, definition).lines(self._view.width - 6)
            ]
        return lines

    def _statistics(self, tool: OfferedTool) -> Row | None:
        """How it was called; None if that is not known, since there are too many tools to count each."""
        rows = self._judgement.statistics.tools
        if tool.name in rows:
            return rows[tool.name]
        return None if OTHERS in rows else Row(tool.name, "c2s")

    def _tree(self, tool: OfferedTool, definition: dict[str, Any]) -> JsonTree:
        key = (tool.name, tool.record)
        if key not in self._trees:
            self._trees[key] = JsonTree(parse(orjson.dumps(definition)))
        return self._trees[key]

    def _definition(self, tool: OfferedTool) -> dict[str, Any]:
        """The tool as the server wrote it; empty if that can't be read."""
        if tool.record not in self._pages:
            self._pages[tool.record] = _page(self._index, tool.record - 1)
        found = self._pages[tool.record].get(tool.name)
        return found if isinstance(found, dict) else {}


def _page(index: RecordIndex, i: int) -> dict[str, Any]:
    """The tools of one page of the list by name."""
    try:
        found = whole_line(index, i)
        value = orjson.loads(found[1]) if found is not None else None
    except (OSError, IndexError, ValueError):
        return {}
    result = value.get("result") if isinstance(value, dict) else None
    items = result.get("tools") if isinstance(result, dict) else None
    return {
        item["name"]: item
        for item in (items if isinstance(items, list) else ())
        if isinstance(item, dict) and isinstance(item.get("name"), str)
    }


def findings_by_tool(judgement: Judgement, index: RecordIndex, names: set[str]) -> dict[str, list[Finding]]:
    """The findings about each tool by its name; those about the list as a whole under an empty one.

    A finding is about a tool if it names it and points at a list, or if it points at a call of it.
    """
    found: dict[str, list[Finding]] = {}
    for finding in judgement.findings:
        i = (finding.line or 0) - 1
        if not 0 <= i < index.described:
            continue
        method, subject = index.name(index.methods[i]), index.name(index.tools[i])
        if method == "tools/call" and subject in names:
            found.setdefault(subject, []).append(finding)
        elif method == "tools/list":
            named = finding.subject if finding.subject in names else finding.subject.partition(" ")[0]
            found.setdefault(named if named in names else "", []).append(finding)
    return found


def _why_none(offered: Offered) -> str:
    if offered.answered:
        return "The server lists no tools."
    if offered.asked:
        return "The client asked for the tools; no list came that can be read."
    return "Nobody asked the server for its tools in this recording."
