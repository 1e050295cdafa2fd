"""What errors of Zod tell of a line that was JSON and no message."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.logs.zod import complaint


def issue(code: str, message: str, *path: str | int, **more: Any) -> dict[str, Any]:
    return {"code": code, **more, "path": list(path), "message": message}


def strange(*keys: str) -> dict[str, Any]:
    return issue("unrecognized_keys", f"Unrecognized key(s) in object: '{keys[0]}'", keys=list(keys))


REQUIRED = issue("invalid_type", "Required", "method", expected="string", received="undefined")
NULL = issue("invalid_type", "Expected object, received null", "error")
BRANCHES = [[REQUIRED, strange("result", "error")], [strange("error")], [NULL, strange("result")]]


@pytest.mark.parametrize(
    "unions",
    [
        {"unionErrors": [{"issues": branch, "name": "ZodError"} for branch in BRANCHES]},
        {"errors": BRANCHES},
        {"errors": [BRANCHES[0], [issue("invalid_union", "Invalid input", errors=BRANCHES[1:])]]},
    ],
)
def test_the_kind_of_message_that_a_line_nearly_is_tells_what_is_wrong(unions: dict[str, Any]):
    dump = json.dumps([issue("invalid_union", "Invalid input", **unions)], indent=2)
    assert complaint(f"ZodError: {dump} {{ metadata: undefined }}") == (
        "Unrecognized key(s) in object: 'error'"
    )


def test_of_what_is_no_message_at_all_the_first_two_issues_are_told():
    lacks = issue("invalid_literal", 'Invalid literal value, expected "2.0"', "jsonrpc")
    dump = json.dumps([issue("invalid_union", "Invalid input", errors=[[lacks, REQUIRED, strange("level")]])])
    assert complaint(dump) == 'jsonrpc: Invalid literal value, expected "2.0"; method: Required'


@pytest.mark.parametrize(
    "issues",
    [
        [issue("invalid_type", "Required", "tools", 0, "inputSchema")],
        [issue("invalid_union", "Invalid input", errors=[[issue("invalid_type", "Required", "content")]])],
        [strange("extra")],
        [issue("invalid_union", "Invalid input", "tools", 0)],
        [issue("invalid_union", "Invalid input")],
        [],
        [1],
    ],
)
def test_an_error_about_a_result_or_about_nothing_known_is_no_complaint(issues: list[Any]):
    assert complaint(json.dumps(issues)) == ""


@given(
    st.text()
    | st.recursive(
        st.text() | st.none(),
        lambda v: (
            st.lists(v)
            | st.dictionaries(
                st.sampled_from(["code", "errors", "unionErrors", "issues", "path", "message"]), v
            )
        ),
    ).map(json.dumps)
)
def test_anything_is_taken(said: str):
    assert isinstance(complaint(said), str)
    assert isinstance(complaint(f'[{{"code":"invalid_union","errors":[[{said}]]}}]'), str)
