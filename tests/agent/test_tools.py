from mcptap.agent.messages import encode
from mcptap.agent.tools import INSTRUCTIONS, TOOLS
from mcptap.protocol.statistics.counts import tokens


def test_all_tools_together_cost_a_model_at_most_700_tokens():
    assert tokens(len(encode(TOOLS))) <= 700
    assert len(INSTRUCTIONS) <= 300


def test_every_tool_says_that_it_only_reads_and_takes_plain_types():
    for tool in TOOLS:
        assert tool["annotations"] == {"readOnlyHint": True, "openWorldHint": False}
        for schema in tool["inputSchema"]["properties"].values():
            assert schema["type"] in ("string", "integer", "boolean")
        assert set(tool["inputSchema"].get("required", ())) <= set(tool["inputSchema"]["properties"])
