"""Which program printed a line on stdout that is no message, and what the last words of a server mean."""

from __future__ import annotations

import re

LENGTH_HEADER = re.compile(r"content-length:\s*\d", re.I)

_BANNERS = (
    (LENGTH_HEADER, "the server frames its output with Content-Length headers, "
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

_TAKEN_BY_A_SHELL = re.compile(
    r"\bjsonrpc\b.*: (?:command )?not found|command not found: \{|syntax error near unexpected token"
)
TAKEN_BY_A_SHELL = (
    "a shell was started, and takes the client's messages for commands: start the server itself"
)

_STOPPED = (
    (_TAKEN_BY_A_SHELL, TAKEN_BY_A_SHELL),
    (re.compile(r"input device is not a TTY|cannot attach stdin to a TTY"),
     "`-t` asks for a terminal, and a client gives none: leave it out, and keep `-i`"),
    (re.compile(r"Cannot connect to the Docker daemon|docker daemon (?:is )?not running|cannot connect to Podman", re.I),
     "the container engine does not run: start it"),
    (re.compile(r"Cannot find (?:module|package) ['\"]?([^'\"\s]+)"), "{0} is not found: install or build it, or correct the path"),
    (re.compile(r"No module named ['\"]?([\w.]+)"),
     "Python cannot import {0}: install it in the environment that this command uses"),
    (re.compile(r"npm (?:ERR!|error) code E404.*?'?((?:@[\w.-]+/)?[\w.-]+)(?:@\S*)?' (?:is not in|could not be found)"),
     "there is no package {0}: look at its spelling"),
    (re.compile(r"Because (\S+) was not found in the package registry"), "there is no package {0}: look at its spelling"),
    (re.compile(r"coroutine '([^']+)' was never awaited"),
     "{0}() was called as if it were no coroutine: start it by asyncio.run or anyio.run"),
    (re.compile(r"npm (?:ERR!|error) code (E\w+)"), "npm failed with {0}"),
    (re.compile(r"(?:Unexpected (?:end of|token|non-whitespace|number|string).* JSON|in JSON at position|JSONDecodeError)"),
     "what it read as JSON is none: a file or a variable that is empty, cut off, or has a comment"),
    (re.compile(r"\benv: ['‘]?([^'’:]+?)\\r['’]?: No such file"),
     "the first line of the script ends with CR LF: save it with LF alone"),
    (re.compile(r"\benv: ['‘\"]?([^'’\":]+)['’\"]?: No such file"), "env finds no command {0} on the PATH"),
    (re.compile(r"EADDRINUSE|address already in use", re.I), "its port is taken: another instance is running"),
    (re.compile(r"Host key verification failed|Permission denied \(publickey"),
     "ssh cannot ask anybody here: set up a key and a known host, and try with -o BatchMode=yes"),
    (re.compile(r"EACCES|Permission denied", re.I), "permission was denied"),
    (re.compile(r"No such file or directory|ENOENT|FileNotFoundError|cannot find the (?:file|path)", re.I),
     "a file is missing from where the server looks for it"),
    (re.compile(r"Unsupported engine|EBADENGINE|requires Node|requires Python|UnsupportedClassVersionError|GLIBC_\S+. not found|"
                r"must install or update \.NET|No interpreter found for Python"),
     "the program does not suit the version that is installed here"),
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


def reason_of_end(telling: str, code: int | None) -> str:
    """Why a server ended, by the telling line of its last words and its exit status; empty if not known."""
    for pattern, words in _STOPPED:
        match = pattern.search(telling)
        if match is not None:
            return words.format(*match.groups())
    return _CODES.get(code, "") if code is not None else ""
