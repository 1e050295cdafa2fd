"""Examples of each command, for its help and its page: a command line, and what it does.

Those of `run` stand in its own help, which imports nothing. A test parses each with its command's parser, so
none can be out of date.
"""

from __future__ import annotations

import re

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "setup": (
        ("mcptap setup", "ask which servers, put mcptap in front, wait for a session"),
        ("mcptap setup --client cursor", "only in the configurations of Cursor"),
    ),
    "wrap": (
        ("mcptap wrap weather --dry-run", "show what would change for this server"),
        ("mcptap wrap --all --yes", "all of your own servers, without a question"),
        ("mcptap wrap --config .mcp.json weather", "in a file that others share"),
    ),
    "unwrap": (
        ("mcptap unwrap weather", "give this server's entry its bytes back"),
        ("mcptap unwrap --all", "leave no entry behind mcptap"),
    ),
    "clients": (
        ("mcptap clients", "all configurations that count in this folder"),
        ("mcptap clients --client claude-code --json", "those of Claude Code, for a program"),
    ),
    "doctor": (
        ("mcptap doctor", "all that is here"),
        ("mcptap doctor --client codex", "one client (its id, as for mcptap probe --as)"),
        ("mcptap doctor --config .mcp.json --json", "one file, for a program"),
        ("mcptap doctor --fix", "repair what has one certain repair"),
        ("mcptap doctor --start", "and whether the servers answer"),
    ),
    "ls": (
        ("mcptap ls", "the newest sessions"),
        ("mcptap ls weather -n 0", "all sessions of this server"),
        ("mcptap ls ./logs", "the recordings in a folder"),
    ),
    "logs": (
        ("mcptap logs", "the newest logs of all clients, and what each shows"),
        ("mcptap logs --client claude-desktop -n 0", "all that Claude Desktop keeps"),
    ),
    "export": (
        ("mcptap export latest -o weather.html", "the newest session as a page"),
        ("mcptap export weather > issue.md", "the newest one of a server, as Markdown"),
        ("mcptap export latest -o masked.jsonl", "a recording without its secrets"),
        ("mcptap export recordings/ --format jsonl -o out/", "all of a folder, into another"),
    ),
    "report": (
        ("mcptap report", "the newest session, on the clipboard"),
        ("mcptap report weather -o issue.md", "the newest one of a server, in a file"),
    ),
    "convert": (
        ("mcptap convert mcp-server-weather.log -o weather.jsonl", "the last session in a log"),
        ("mcptap convert mcp.log#2 -o second.jsonl", "the second one"),
        ("mcptap convert mcp.log -o recordings/", "each session, in an existing folder"),
    ),
    "prune": (
        ("mcptap prune --older-than 30d", "what is older than 30 days"),
        (
            "mcptap prune --server weather --keep 10 --yes",
            "delete all of weather's but the newest 10, and 10 probes",
        ),
        ("mcptap prune --max-size 500MB --keep-findings", "the oldest, but for those with findings"),
        ("mcptap prune --probes --yes", "delete what mcptap probe recorded"),
        ("mcptap prune --older-than 30d --save", "the limit of mcptap prune alone from now on"),
    ),
    "mcp": (
        ("mcptap mcp", "what a client's configuration names as a server"),
        ("mcptap mcp --all --server weather", "this server's sessions, wherever they were started"),
        ("mcptap mcp --print-config --client codex", "the entry for Codex (of all clients without --client)"),
        ("mcptap mcp --print-skill > .claude/skills/mcptap/SKILL.md", "the page for agents"),
    ),
    "lock": (
        ("mcptap lock -- npx -y some-weather-server", "start it, and approve what it offers"),
        ("mcptap lock latest --name weather", "what was listed in the newest session, under this name"),
        ("mcptap lock latest --update get_forecast", "approve what differs in this tool"),
    ),
    "show": (
        ("mcptap show latest", "the newest session"),
        ("mcptap show latest -f", "follow it while it runs"),
        ("mcptap show latest~1 --filter 'method:tools/call latency:>1s'", "slow calls of the one before"),
        ("mcptap show x.jsonl --raw s2c", "the exact bytes that the server wrote"),
    ),
    "check": (
        ("mcptap check latest", "what went wrong in the newest session"),
        ("mcptap check logs/ --github --fail-on error", "in a workflow: all recordings of a folder"),
        ("mcptap check latest --only 'stdout-*' --json", "some rules, for a program"),
        (
            "mcptap check latest --expect-tool forecast --max-latency tools/call=500",
            "and whether the tool is listed, and each call answered within 500 ms",
        ),
        ("mcptap check --channel s2c out.txt --with c2s=in.txt", "what tee wrote of both sides"),
    ),
    "rules": (
        ("mcptap rules", "all rules"),
        ("mcptap rules 'stdout-*'", "some; of a single one all there is"),
    ),
    "replay": (
        ("mcptap replay latest", "the newest session on the screen"),
        ("mcptap replay", "the list of all sessions, to choose from"),
        ("mcptap replay --run", "all servers of the newest run on one timeline; follows the next one"),
        ("mcptap replay weather", "the list of those of one server"),
        ("mcptap replay x.jsonl --light", "in light colours"),
    ),
    "send": (
        ("mcptap send latest", "the same requests to a fresh start of the same server"),
        ("mcptap send latest --compare -- python server.py", "to a new version: what is different?"),
        ("mcptap send requests.jsonl -- npx -y some-server", "lines written by hand"),
    ),
    "diff": (
        ("mcptap diff latest~1 latest", "the last two sessions"),
        ("mcptap diff old.jsonl new.jsonl --json", "for a program"),
    ),
    "mock": (
        ("mcptap mock latest", "stand in for the server of the newest session"),
        ("mcptap mock x.jsonl --fault delayed-answer --delay 70", "answering too late"),
    ),
    "probe": (
        ("mcptap probe -- python server.py", "question a server"),
        ("mcptap probe --as claude-desktop -- npx -y some-server", "started as Claude Desktop would"),
        (
            "mcptap probe --expect-tool forecast --max-start 5 -- python server.py",
            "and what it has to be like",
        ),
        ("mcptap probe --like latest", "as it was started in the newest recording"),
        ("mcptap probe --as all -- python server.py", "as each client would, in a table"),
        ("mcptap probe --config .mcp.json --yes --junit > x.xml", "all servers of a configuration, for CI"),
        ("mcptap probe --watch src -- python src/server.py", "again on each change, and what it changed"),
    ),
    "demo": (("mcptap demo", "nothing else is needed"),),
    "completion": (
        ("mcptap completion bash > ~/.local/share/bash-completion/completions/mcptap", "for bash"),
        ('mcptap completion zsh > "${fpath[1]}/_mcptap"', "for zsh: a folder of fpath"),
        ("mcptap completion fish > ~/.config/fish/completions/mcptap.fish", "for fish"),
    ),
    "man": (
        ("mcptap man show", "the page of a command"),
        ("mcptap man --to ~/.local/share/man/man1", "write all pages, for man mcptap-show"),
    ),
}

MOST_COLUMNS = 78
"""Where a command line and what it does are wider, they stand on lines of their own."""

Examples = tuple[tuple[str, str], ...]

_BLOCK = re.compile(r"\nexamples:\n((?:  .*\n)+)")


def taken_out(text: str) -> tuple[str, Examples]:
    """A help without the examples that are its end, and these: a line each, with what it does below it."""
    found = _BLOCK.search(text)
    if found is None:
        return text, ()
    lines = [line.strip() for line in found[1].splitlines()]
    return text[: found.start()], tuple(zip(lines[::2], lines[1::2], strict=True))


def example_lines(examples: Examples) -> list[str]:
    """Examples as lines of a help."""
    width = max((len(line) for line, _ in examples), default=0)
    if all(width + len(what) + 4 <= MOST_COLUMNS for _, what in examples):
        return [f"  {line:{width}}  {what}" for line, what in examples]
    return [text for line, what in examples for text in (f"  {line}", f"      {what}")]
