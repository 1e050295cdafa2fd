"""What the client subscribed to: resources of the handshake revisions, and `subscriptions/listen`."""

from __future__ import annotations

from typing import Any, Final

from mcptap.protocol.model.ids import Id, as_id
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import Request
from mcptap.protocol.revisions.names import META_SUBSCRIPTION

MAX_URI: Final = 4096
"""A longer URI is not looked at for what it may lie below."""
MAX_RESOURCES: Final = 100_000
MAX_LISTENS: Final = 10_000


class Listen:
    """An open `subscriptions/listen` (2026-07-28)."""

    __slots__ = ("acknowledged", "closed_us", "early_notification", "filter", "request")

    def __init__(self, request: Request, wanted: dict[str, Any]) -> None:
        self.request = request
        self.filter = wanted
        self.acknowledged: int | None = None
        self.early_notification: int | None = None
        """Record of a notification that came before the acknowledgement."""
        self.closed_us: int | None = None


class ResourceSubscriptions(dict[str, int | None]):
    """Subscribed URIs of the handshake era; for one that was given up, when that was."""

    def covering(self, uri: str) -> str | None:
        """The subscribed URI that this one is or lies below."""
        if uri in self or len(uri) > MAX_URI:
            return uri if uri in self else None
        at = uri
        while True:
            for candidate in (at, at + "/"):
                if candidate in self:
                    return candidate
            cut = at.rstrip("/").rfind("/")
            if cut <= 0:
                return None
            at = at[:cut]


class Subscriptions:
    """All subscriptions of a session."""

    def __init__(self) -> None:
        self.listens: dict[Id, Listen] = {}
        """Each `subscriptions/listen` by the id of its request."""
        self.resources = ResourceSubscriptions()

    def take_listen(self, request: Request, params: dict[str, Any] | None) -> None:
        """The client sent `subscriptions/listen`."""
        if len(self.listens) < MAX_LISTENS:
            wanted = (params or {}).get("notifications")
            self.listens[request.id] = Listen(request, wanted if isinstance(wanted, dict) else {})

    def end_listen(self, key: Id, t_us: int) -> None:
        """The request with this id was answered or cancelled."""
        listen = self.listens.get(key)
        if listen is not None:
            listen.closed_us = t_us

    def take_notification(self, message: Message) -> None:
        """The server sent a notification: the first one of a subscription has to acknowledge it."""
        key = as_id(message.meta.get(META_SUBSCRIPTION))
        listen = None if key is None else self.listens.get(key)
        if listen is None or listen.acknowledged is not None:
            return
        if message.method == "notifications/subscriptions/acknowledged":
            listen.acknowledged = message.number
        elif listen.early_notification is None:
            listen.early_notification = message.number

    def subscribe(self, uri: object) -> None:
        """The client asked to subscribe to a resource."""
        if isinstance(uri, str) and len(self.resources) < MAX_RESOURCES:
            self.resources[uri] = None

    def unsubscribe(self, uri: object, t_us: int) -> None:
        """The server confirmed at this time that the client no longer subscribes to a resource."""
        if isinstance(uri, str) and uri in self.resources:
            self.resources[uri] = t_us
