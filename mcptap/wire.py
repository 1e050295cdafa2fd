"""The wire: channel names and lines with their terminators.

MCP over stdio is one message a line (2025-11-25, basic/transports#stdio); a line ends at
LF (0x0A) and nothing else. A CR before the LF is kept apart as part of the terminator, so
that content and terminator together are the exact bytes again.
"""

CLIENT_TO_SERVER = "c2s"
SERVER_TO_CLIENT = "s2c"
STDERR = "stderr"
CHANNELS = (CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR)


def other_side(channel: str) -> str:
    """The channel of the answers to what is asked on this one."""
    return SERVER_TO_CLIENT if channel == CLIENT_TO_SERVER else CLIENT_TO_SERVER


def split_terminator(line: bytes) -> tuple[bytes, bytes]:
    r"""Split a line, given with its terminator if it has one, into content and terminator.

    The terminator is `b"\n"`, `b"\r\n"` or, for a last line that was never ended, `b""`.
    """
    if line.endswith(b"\r\n"):
        return line[:-2], b"\r\n"
    if line.endswith(b"\n"):
        return line[:-1], b"\n"
    return line, b""


def cut_lines(data: bytes) -> list[bytes]:
    """Cut bytes at each LF; every line keeps its terminator, a last one may have none."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    rest = lines.pop()[:-1]
    if rest:
        lines.append(rest)
    return lines
