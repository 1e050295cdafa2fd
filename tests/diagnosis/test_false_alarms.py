"""False alarms that real sessions showed once: what was said wrongly must not be said again."""

import json
from pathlib import Path
from typing import Any

from tests.diagnosis.played import META, judge
from tests.helpers import error, notification, request


def rules(tmp_path: Path, *lines: str) -> set[str]:
    return {found.rule for found in judge(lines, tmp_path / "x.jsonl")}


def sent(message: dict[str, Any]) -> str:
    return f"--> {json.dumps(message)}"


def came(message: dict[str, Any]) -> str:
    return f"<-- {json.dumps(message)}"


def test_a_method_that_the_revision_lacks_is_rightly_refused(tmp_path: Path):
    found = rules(
        tmp_path,
        '@discover {"resources":{"subscribe":true}}',
        sent(request(1, "resources/subscribe", {"uri": "a://b", "_meta": META})),
        came(error(1, -32601, "Method not found")),
    )
    assert "capability-unimplemented-resources" not in found
    assert "method-not-in-revision" in found


def test_a_call_that_was_cancelled_has_not_failed(tmp_path: Path):
    found = rules(
        tmp_path,
        "@handshake",
        "@tools read",
        sent(request(2, "tools/call", {"name": "read"})),
        sent(notification("notifications/cancelled", {"requestId": 2})),
        came(error(2, 0, "Request cancelled")),
    )
    assert "tool-error-as-rpc" not in found


def test_a_server_may_end_a_subscription_by_the_clients_id(tmp_path: Path):
    wanted = {"toolsListChanged": True}
    of = {"io.modelcontextprotocol/subscriptionId": 1}
    found = rules(
        tmp_path,
        '@discover {"tools":{"listChanged":true}}',
        sent(request(1, "subscriptions/listen", {"notifications": wanted, "_meta": META})),
        came(
            notification("notifications/subscriptions/acknowledged", {"notifications": wanted, "_meta": of})
        ),
        came(notification("notifications/cancelled", {"requestId": 1})),
    )
    assert found.isdisjoint({"cancel-unknown", "server-cancel"})
