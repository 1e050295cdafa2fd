"""What is expected, as it is written: understood, or refused with what it has to be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.expectations.expectation import Expectation, expectation
from mcptap.protocol.model.request import Request
from mcptap.wire import CLIENT_TO_SERVER

NAMES = ("expect-tool", "forbid-tool", "max-latency", "max-start", "max-list-tokens")


def call(method: str, tool: str = "") -> Request:
    request = Request(CLIENT_TO_SERVER, 1, method, 2, 0)
    request.tool = tool
    return request


@pytest.mark.parametrize(
    ("value", "method", "tool", "most_us"),
    [
        ("tools/list=500", "tools/list", "", 500_000),
        ("tools/call:a=b=0.5", "tools/call", "a=b", 500),
        ("*=0", "*", "", 0),
        ("acme/what=1e3", "acme/what", "", 1_000_000),
    ],
)
def test_a_latency_is_of_a_method_or_of_a_tool(value: str, method: str, tool: str, most_us: int):
    one = expectation("max-latency", value)
    assert (one.pattern, one.tool, one.most) == (method, tool, most_us)
    assert str(one) == f"--max-latency {value}"


def test_a_limit_is_about_what_its_patterns_fit():
    assert expectation("max-latency", "tools/*=1").is_about(call("tools/call", "x"))
    assert expectation("max-latency", "tools/call:get_*=1").is_about(call("tools/call", "get_time"))
    assert not expectation("max-latency", "tools/call:get_*=1").is_about(call("tools/call", "set_time"))
    assert not expectation("max-latency", "tools/list=1").is_about(call("tools/call"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("max-latency", value) for value in ("foo", "=5", "a=", "a=-1", "a=x", "a=nan", "a=inf", " a=1")),
        *(("max-latency", value) for value in ("tools/call:=5", "prompts/get:x=5")),
        *(("max-start", value) for value in ("-1", "soon", "", "nan", "1e99", "٣")),
        *(("max-list-tokens", value) for value in ("-1", "1.5", "", "99999999999", "٣")),
        ("expect-tool", " "),
        ("forbid-tool", ""),
        ("max-luck", "1"),
    ],
)
def test_what_can_be_no_expectation_is_refused(name: str, value: str):
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        expectation(name, value)


@given(st.sampled_from(NAMES), st.text())
def test_any_text_is_an_expectation_with_a_limit_that_counts_or_is_refused(name: str, value: str):
    try:
        one = expectation(name, value)
    except ValueError:
        return
    assert isinstance(one, Expectation)
    assert 0 <= one.most <= 1e15
