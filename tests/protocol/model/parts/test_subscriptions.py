"""Subscriptions: to resources, and streams of `subscriptions/listen`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.model.message import classify
from mcptap.protocol.model.parts import subscriptions as module
from mcptap.protocol.model.parts.subscriptions import MAX_URI, Subscriptions
from mcptap.protocol.model.request import Request
from mcptap.protocol.revisions.names import META_SUBSCRIPTION
from tests.diagnosis.sessions import line, message

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


def opened(wanted=None) -> Subscriptions:
    """With one `subscriptions/listen`, of id 1."""
    subscriptions = Subscriptions()
    request = Request("c2s", 1, "subscriptions/listen", 2, 0)
    subscriptions.take_listen(
        request, {"notifications": {"toolsListChanged": True}} if wanted is None else wanted
    )
    return subscriptions


def notify(subscriptions, number, method, key=1):
    data = message(method=method, params={"_meta": {META_SUBSCRIPTION: key}})
    subscriptions.take_notification(classify(line(number, "s2c", data)))


def test_the_first_notification_of_a_stream_acknowledges_it_or_came_too_early():
    subscriptions = opened()
    listen = subscriptions.listens[1]
    notify(subscriptions, 3, "notifications/tools/list_changed", key=2)
    assert listen.early_notification is None
    for number in (4, 5):
        notify(subscriptions, number, "notifications/tools/list_changed")
    notify(subscriptions, 6, ACKNOWLEDGED)
    notify(subscriptions, 7, ACKNOWLEDGED)
    assert (listen.early_notification, listen.acknowledged) == (4, 6)


@pytest.mark.parametrize("params", [{}, {"notifications": None}, {"notifications": []}])
def test_a_stream_that_names_no_notifications_has_an_empty_filter(params):
    assert opened(params).listens[1].filter == {}


def test_a_stream_ends_with_its_request():
    subscriptions = opened()
    subscriptions.end_listen(2, 100)
    assert subscriptions.listens[1].closed_us is None
    subscriptions.end_listen(1, 200)
    assert subscriptions.listens[1].closed_us == 200


def test_a_resource_that_was_given_up_keeps_the_time_of_that():
    subscriptions = Subscriptions()
    subscriptions.subscribe("file:///a")
    subscriptions.subscribe(7)
    subscriptions.unsubscribe("file:///never", 50)
    assert subscriptions.resources == {"file:///a": None}
    subscriptions.unsubscribe("file:///a", 100)
    assert subscriptions.resources == {"file:///a": 100}


@pytest.mark.parametrize(
    ("uri", "covered"),
    [
        ("file:///a", "file:///a"),
        ("file:///a/b/c", "file:///a"),
        ("file:///ab", None),
        ("file:///", None),
        ("db://t/rows/1", "db://t/"),
        ("", None),
    ],
)
def test_a_uri_is_covered_by_what_it_lies_below(uri, covered):
    subscriptions = Subscriptions()
    for subscribed in ("file:///a", "db://t/"):
        subscriptions.subscribe(subscribed)
    assert subscriptions.resources.covering(uri) == covered


@given(st.text("ab:/", max_size=12), st.text("ab/", max_size=6))
def test_whatever_is_subscribed_covers_itself_and_what_follows_a_slash(uri, below):
    subscriptions = Subscriptions()
    subscriptions.subscribe(uri)
    assert subscriptions.resources.covering(uri) == uri
    found = subscriptions.resources.covering(f"{uri}/{below}")
    assert found in (uri, None)


def test_a_very_long_uri_is_covered_by_itself_alone():
    subscriptions = Subscriptions()
    long = "file:///a/" + "b" * MAX_URI
    subscriptions.subscribe("file:///a")
    assert subscriptions.resources.covering(long) is None
    subscriptions.subscribe(long)
    assert subscriptions.resources.covering(long) == long


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "MAX_RESOURCES", 2)
    subscriptions = Subscriptions()
    for n in range(5):
        subscriptions.subscribe(f"file:///{n}")
    assert len(subscriptions.resources) == 2
