"""Configurations in all spellings: what hypothesis makes of a few servers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

WORDS = st.text(st.sampled_from("ab-/.$ {}[]:,#'\"\\é\u2028~%=&*!?"), max_size=6)
PROGRAMS = st.sampled_from(
    ["npx", "C:\\a\\b.exe", "/opt/x y", "${HOME}/é", "~/run", "a'b", 'a"b', "--", "yes", "1", "@s/x", ".5"]
)
ARGUMENTS = st.none() | st.lists(
    WORDS | st.sampled_from(["--", "run", "mcptap", "", "true", "- x"]), max_size=4
)


@dataclass(frozen=True)
class Generated:
    """A file, the client whose it is, and what each server's command line is."""

    client: str
    data: bytes
    servers: dict[str, list[str]]


def _draw_json_string(draw: Callable[..., Any], text: str) -> str:
    spelled = json.dumps(text, ensure_ascii=draw(st.booleans()))
    return spelled.replace("/", "\\/") if draw(st.booleans()) else spelled


@st.composite
def json_configs(draw: Callable[..., Any]) -> Generated:
    """Strict JSON of Claude Code, or JSONC of Zed; compact, in lines, or with comments anywhere."""
    comments = draw(st.booleans())
    end = draw(st.sampled_from(["\n", "\r\n"]))
    spaces = ["", "", " ", end, f"{end}\t", f"{end}    "]
    if comments:
        spaces += [' /* ,]}"args" */ ', f' // "command": "x" ]{end}  ']
    space = lambda: draw(st.sampled_from(spaces))  # noqa: E731

    def many(opening: str, items: list[str], closing: str) -> str:
        inside = ",".join(f"{space()}{item}{space()}" for item in items)
        last = "," if comments and items and draw(st.booleans()) else ""
        return f"{opening}{inside}{last}{space()}{closing}"

    def members(pairs: list[tuple[str, str]]) -> str:
        return many("{", [f"{json.dumps(key)}{space()}:{space()}{value}" for key, value in pairs], "}")

    servers: dict[str, list[str]] = {}
    entries = []
    for name in draw(
        st.lists(st.sampled_from(["a", "b c", "é", "args", "command"]), min_size=1, max_size=3, unique=True)
    ):
        program, arguments = draw(PROGRAMS), draw(ARGUMENTS)
        servers[name] = [program, *(arguments or [])]
        pairs = [
            ("command", _draw_json_string(draw, program)),
            ("timeout", "1E+2"),
            ("x", '{"command": [1]}'),
        ]
        if arguments is not None:
            pairs.append(("args", many("[", [_draw_json_string(draw, word) for word in arguments], "]")))
        entries.append((name, members(draw(st.permutations(pairs)))))
    key = "context_servers" if comments else "mcpServers"
    top = [("tips", f'{{"{key}": 9}}'), (key, members(entries)), ("n", "12345678901234567890")]
    text = f"{space()}{members(draw(st.permutations(top)))}{space()}"
    mark = b"\xef\xbb\xbf" if draw(st.booleans()) else b""
    return Generated("zed" if comments else "claude-code", mark + text.encode(), servers)


def _draw_toml_string(draw: Callable[..., Any], text: str) -> str:
    if "'" not in text and draw(st.booleans()):
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)


@st.composite
def toml_configs(draw: Callable[..., Any]) -> Generated:
    """Codex: tables, inline tables and dotted keys, with comments."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    comment = lambda: draw(st.sampled_from(["", "", " ", '  # "args" = [']))  # noqa: E731
    equals = lambda: draw(st.sampled_from(["=", " = ", "\t= "]))  # noqa: E731

    def array(words: list[str]) -> str:
        spelled = [_draw_toml_string(draw, word) for word in words]
        if draw(st.booleans()):
            return "[" + draw(st.sampled_from([", ", ","])).join(spelled) + "]"
        rows = "".join(f"{end}  {word},{comment()}" for word in spelled)
        return f"[{comment()}{rows}{end}]"

    servers: dict[str, list[str]] = {}
    text = f"# codex{end}model{equals()}'x'{comment()}{end}"
    late = ""
    for name in draw(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=3, unique=True)):
        program, arguments = draw(PROGRAMS), draw(ARGUMENTS)
        servers[name] = [program, *(arguments or [])]
        pairs = [("command", _draw_toml_string(draw, program)), ("timeout", "1e3")]
        form = draw(st.sampled_from(["table", "inline", "dotted"]))
        if arguments is not None:
            spelled = [_draw_toml_string(draw, word) for word in arguments]
            value = "[" + ",".join(spelled) + "]" if form == "inline" else array(arguments)
            pairs.append(("args", value))
        pairs = draw(st.permutations(pairs))
        if form == "table":
            indent = draw(st.sampled_from(["", "  ", "\t"]))
            rows = "".join(f"{indent}{key}{equals()}{value}{comment()}{end}" for key, value in pairs)
            late += f"[mcp_servers.{name}]{comment()}{end}{rows}{draw(st.sampled_from(['', end]))}"
            late += f"[mcp_servers.{name}.env]{end}command = 'no'{end}" if draw(st.booleans()) else ""
        elif form == "inline":
            inside = ", ".join(f"{key}{equals()}{value}" for key, value in pairs)
            text += f"mcp_servers.{name}{equals()}{{ {inside} }}{comment()}{end}"
        else:
            text += "".join(
                f"mcp_servers.{name}.{key}{equals()}{value}{comment()}{end}" for key, value in pairs
            )
    whole = text + late
    if draw(st.booleans()):
        whole = whole.removesuffix(end)
    mark = b"\xef\xbb\xbf" if draw(st.booleans()) else b""
    return Generated("codex", mark + whole.encode(), servers)


def _draw_yaml_string(draw: Callable[..., Any], text: str) -> str:
    if "\u2028" in text:  # a line break, for some
        return json.dumps(text)
    single = "'" + text.replace("'", "''") + "'"
    plain = text.isalpha() and text.isascii() and text not in ("yes", "true")
    return draw(st.sampled_from([json.dumps(text), single, *([text] if plain else [])]))


@st.composite
def yaml_configs(draw: Callable[..., Any]) -> Generated:
    """Goose: blocks and flows, with comments."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    comment = lambda: draw(st.sampled_from(["", "", "  # args: [x]"]))  # noqa: E731
    servers: dict[str, list[str]] = {}
    text = f"# goose{end}extensions:{comment()}{end}"
    for name in draw(st.lists(st.sampled_from(["a", "b", "cmd"]), min_size=1, max_size=3, unique=True)):
        program, arguments = draw(PROGRAMS), draw(ARGUMENTS)
        servers[name] = [program, *(arguments or [])]
        spelled = [_draw_yaml_string(draw, word) for word in arguments or []]
        flow = f"[{', '.join(spelled)}]"
        if draw(st.booleans()):
            inside = f"type: stdio, cmd: {_draw_yaml_string(draw, program)}"
            text += (
                f"  {name}: {{{inside}{f', args: {flow}' if arguments is not None else ''}}}{comment()}{end}"
            )
            continue
        spelled_program = f"{_draw_yaml_string(draw, program)}{comment()}"
        if draw(st.booleans()):
            spelled_program = f">-{end}      {program}"
        rows = [f"cmd: {spelled_program}{end}", f"type: stdio{comment()}{end}"]
        if arguments is not None and spelled and draw(st.booleans()):
            indent = draw(st.sampled_from(["    ", "      "]))
            block = "".join(f"{indent}- {word}{comment()}{end}" for word in spelled)
            rows.append(f"args:{comment()}{end}{block}")
        elif arguments is not None:
            rows.append(f"args: {flow}{comment()}{end}")
        text += f"  {name}:{comment()}{end}" + "".join(f"    {row}" for row in draw(st.permutations(rows)))
    text += draw(st.sampled_from(["", f"last: 1{end}"]))
    if draw(st.booleans()):
        text = text.removesuffix(end)
    return Generated("goose", text.encode(), servers)
