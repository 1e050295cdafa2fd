"""The stderr of servers on the Python SDK, beside the samples."""

from tests.captures.reading import lines, read

LOG = "INFO:mcp.server.lowlevel.server:Processing request of type ListToolsRequest"
ANSWER = '{"jsonrpc":"2.0","id":1,"result":{}}'


def test_a_log_alone_is_stderr():
    source, items = read(f"{LOG}\nloaded\n")
    assert [item.channel for item in items] == ["stderr", "stderr"]
    assert (source.evidence.stderr, source.evidence.messages) == (True, False)


def test_of_a_plain_line_beside_answers_nobody_knows_the_channel():
    text = f"{LOG}\n{ANSWER}\nloaded\nloaded {ANSWER}\n"
    assert lines(text) == [
        (1, "stderr", LOG.encode()),
        (2, "s2c", ANSWER.encode()),
        (4, "s2c", f"loaded {ANSWER}".encode()),
    ]
    assert not read(text)[0].evidence.stderr
