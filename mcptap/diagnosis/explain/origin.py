"""Which program printed a line on stdout that is no message, and why a server ended."""

from __future__ import annotations

import re

_BANNERS = (
    (re.compile(r"content-length:\s*\d", re.I), "the server frames its output with Content-Length headers, "
     "as language servers do; MCP is one message a line, without headers"),
    (re.compile(r"^> \S+@\S+"), "npm or yarn printed the name of its script: start the server's file directly, or use `npm run --silent`"),
    (re.compile(r"^\[?dotenv|dotenv@|injecting env|injected env", re.I), "dotenv printed its banner: pass `quiet: true` or set DOTENV_CONFIG_QUIET=true"),
    (re.compile(r"^(info|warn|fail|dbug|trce|crit): \w+(\.\w+)"), "the .NET console logger writes to stdout: set LogToStandardErrorThreshold"),
    (re.compile(r"^\s*Traceback \(most recent call last\)"), "a Python traceback went to stdout"),
    (re.compile(r"^\s*at .+\(.+:\d+:\d+\)"), "a JavaScript stack trace went to stdout"),
    (re.compile(r"(added|installed|resolved|packages?) .*\d+ packages?|\d+ packages? (put|in|are|were|have|looking)|audited \d+ packages?|Collecting \S|Successfully installed|Requirement already satisfied", re.I),
     "a package installer talks on stdout: install before the client starts the server"),
    (re.compile(r"(running|listening|started|ready|serving).*\b(stdio|stdin|port|http)|server (is )?(running|started|ready)", re.I),
     "a start-up message: print it to stderr"),
    (re.compile(r"\x1b\[|\\x1b\["), "it is coloured for a terminal: a logger writes to stdout"),
    (re.compile(r"^\s*(DEBUG|INFO|WARN(ING)?|ERROR|TRACE|FATAL)\b|^\d{4}-\d\d-\d\d[ T]\d\d:\d\d"), "a logger writes to stdout"),
    (re.compile(r"^(Active code page|Aktive Codepage)", re.I), "chcp printed the code page: redirect it with `>nul`"),
)  # fmt: skip

_STOPPED = (
    (re.compile(r"Cannot find module '?([^'\s]+)"), "Node cannot find the module {0}: install it, or correct the path"),
    (re.compile(r"(?:ModuleNotFoundError|No module named)[^'\"]*['\"]?([\w.]+)"),
     "Python cannot import {0}: install it in the environment that this command uses"),
    (re.compile(r"ERR! (?:code )?(E\w+)"), "npm failed with {0}"),
    (re.compile(r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b.*\b(?:required|not set|missing|undefined|must be set)", re.I),
     "the variable {0} is wanted: put it in the client's env block"),
    (re.compile(r"(?:No such file or directory|ENOENT|FileNotFoundError|cannot find the (?:file|path))"),
     "a file is missing from where the server looks for it"),
    (re.compile(r"(?:EACCES|Permission denied)"), "permission was denied"),
    (re.compile(r"(?:EADDRINUSE|address already in use)", re.I), "its port is taken: another instance is running"),
    (re.compile(r"(?:SyntaxError|Unsupported engine|requires Node|requires Python)"),
     "the program does not suit this version of its interpreter"),
)  # fmt: skip

_CODES = {
    127: "127 means that a command was not found",
    126: "126 means that the file cannot be executed",
    9009: "9009 means that Windows did not find the command",
    137: "137 means killed (SIGKILL), often for want of memory",
    139: "139 means a crash (SIGSEGV)",
}


def origin_of(text: str) -> str:
    """What printed a line on stdout that is no message, in words for people; empty if that is not known."""
    for pattern, words in _BANNERS:
        if pattern.search(text[:400]):
            return words
    return ""


def reason_of_end(stderr: list[str], code: int | None) -> str:
    """Why a server ended, by its last lines on stderr and its exit status; empty if that is not known."""
    for pattern, words in _STOPPED:
        for text in reversed(stderr):
            match = pattern.search(text)
            if match is not None:
                return words.format(*match.groups())
    return _CODES.get(code, "") if code is not None else ""
