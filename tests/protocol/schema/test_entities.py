"""The decisive results of a comparison with the validators of the Python and TypeScript SDKs.

Each is a valid result with one thing changed. `rejected`: both SDKs refuse it; `strict`: the
TypeScript SDK alone does, for a null; else both take it.
"""

import copy

import pytest

from mcptap.protocol.revisions import NEWEST_HANDSHAKE
from mcptap.protocol.schema.entities import fits
from mcptap.protocol.schema.shapes import null_paths, result_faults

ABSENT = object()
REJECTED, STRICT, FINE = "rejected", "strict", "fine"

ICON = {"src": "https://e.x/i.png", "mimeType": "image/png", "sizes": ["48x48"]}
TEXT = {"type": "text", "text": "t", "annotations": {"audience": ["user"], "priority": 0.5}, "_meta": {}}
EMBEDDED = {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": "x"}}
LINK = {"type": "resource_link", "uri": "file:///a", "name": "a", "size": 3}
VALID = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {
            "tools": {"listChanged": True}, "resources": {"subscribe": True}, "experimental": {"x": {}},
        },
        "serverInfo": {"name": "s", "version": "1", "title": "S", "icons": [ICON]},
        "instructions": "i",
    },
    "tools/list": {
        "tools": [{
            "name": "a", "title": "A", "inputSchema": {"type": "object"}, "icons": [ICON],
            "annotations": {"title": "t", "readOnlyHint": True}, "execution": {"taskSupport": "optional"},
        }],
        "nextCursor": "n",
    },
    "tools/call": {"content": [TEXT, EMBEDDED, LINK], "isError": False, "_meta": {}},
    "resources/list": {"resources": [{"uri": "file:///a", "name": "a", "annotations": {"priority": 1}}]},
    "resources/read": {"contents": [{"uri": "file:///a", "mimeType": "text/plain", "text": "x"}]},
    "prompts/list": {"prompts": [{"name": "p", "arguments": [{"name": "x", "required": True}]}]},
    "prompts/get": {"messages": [{"role": "user", "content": TEXT}, {"role": "user", "content": EMBEDDED}]},
    "completion/complete": {"completion": {"values": ["a"], "total": 1, "hasMore": False}},
}  # fmt: skip
TABLE = [
    ("initialize", "serverInfo icons 0 src", ABSENT, REJECTED),
    ("initialize", "serverInfo title", 7, REJECTED),
    ("initialize", "serverInfo title", None, STRICT),
    ("initialize", "instructions", ["i"], REJECTED),
    ("initialize", "capabilities tools listChanged", "yes", REJECTED),
    ("initialize", "capabilities resources subscribe", 1, REJECTED),
    ("initialize", "capabilities experimental x", True, REJECTED),
    ("initialize", "capabilities tools listChanged", None, STRICT),
    ("initialize", "capabilities mine", {"a": 1}, FINE),
    ("tools/list", "tools 0 description", 7, REJECTED),
    ("tools/list", "tools 0 icons", {}, REJECTED),
    ("tools/list", "tools 0 icons 0 sizes", "48x48", REJECTED),
    ("tools/list", "tools 0 annotations readOnlyHint", "true", REJECTED),
    ("tools/list", "tools 0 annotations", None, STRICT),
    ("tools/list", "tools 0 annotations", [], REJECTED),
    ("tools/list", "tools 0 execution taskSupport", "maybe", REJECTED),
    ("tools/list", "tools 0 _meta", [], REJECTED),
    ("tools/list", "tools 0 mine", [], FINE),
    ("tools/list", "nextCursor", 2, REJECTED),
    ("tools/list", "nextCursor", None, STRICT),
    ("tools/call", "content 1 resource text", ABSENT, REJECTED),
    ("tools/call", "content 1 resource text", None, REJECTED),
    ("tools/call", "content 1 resource uri", ABSENT, REJECTED),
    ("tools/call", "content 1 resource blob", "aGk=", FINE),
    ("tools/call", "content 1 resource mimeType", 3, REJECTED),
    ("tools/call", "content 0 annotations audience", ["system"], REJECTED),
    ("tools/call", "content 0 annotations audience", "user", REJECTED),
    ("tools/call", "content 0 annotations priority", 99, REJECTED),
    ("tools/call", "content 0 annotations priority", 0, FINE),
    ("tools/call", "content 2 size", "3", REJECTED),
    ("tools/call", "_meta", "x", REJECTED),
    ("resources/list", "resources 0 annotations priority", 1.5, REJECTED),
    ("resources/list", "resources 0 size", [], REJECTED),
    ("resources/read", "contents 0 mimeType", 7, REJECTED),
    ("resources/read", "contents 0 mimeType", None, STRICT),
    ("prompts/list", "prompts 0 arguments 0 name", ABSENT, REJECTED),
    ("prompts/list", "prompts 0 arguments 0 required", "yes", REJECTED),
    ("prompts/list", "prompts 0 arguments", {}, REJECTED),
    ("prompts/list", "prompts 0 arguments 0 mine", 1, FINE),
    ("prompts/get", "messages 0 content type", ABSENT, REJECTED),
    ("prompts/get", "messages 0 content text", ABSENT, REJECTED),
    ("prompts/get", "messages 0 content", [TEXT], REJECTED),
    ("prompts/get", "messages 0 content", "Review this", REJECTED),
    ("prompts/get", "messages 0 role", "system", REJECTED),
    ("prompts/get", "messages 0 role", "assistant", FINE),
    ("prompts/get", "messages 1 content resource text", ABSENT, REJECTED),
    ("prompts/get", "description", {}, REJECTED),
    ("completion/complete", "completion values 0", 7, REJECTED),
    ("completion/complete", "completion total", "1", REJECTED),
    ("completion/complete", "completion total", 1.5, REJECTED),
    ("completion/complete", "completion hasMore", "no", REJECTED),
]


def judged(name, result):
    method = NEWEST_HANDSHAKE.methods[name]
    if result_faults(method, result):
        return REJECTED
    return STRICT if null_paths(method, result) else FINE


@pytest.mark.parametrize("name", VALID)
def test_a_valid_result_has_no_fault(name):
    assert judged(name, VALID[name]) == FINE


@pytest.mark.parametrize(("name", "path", "value", "verdict"), TABLE)
def test_a_result_with_one_thing_changed_is_judged_as_the_sdks_do(name, path, value, verdict):
    result = at = copy.deepcopy(VALID[name])
    *way, last = [int(key) if key.isdigit() else key for key in path.split()]
    for key in way:
        at = at[key]
    if value is ABSENT:
        del at[last]
    else:
        at[last] = value
    assert judged(name, result) == verdict


def test_truth_is_no_number():
    assert fits(1.5, "a number")
    assert not fits(1.5, "an integer")
    assert not fits(True, "a number")
    assert fits(True, "true or false")
    assert not fits(None, "an object")
    assert not fits(1.1, "a number from 0 to 1")
