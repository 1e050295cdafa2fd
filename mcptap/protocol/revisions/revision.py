"""What a revision of MCP is: its methods, and what sets it apart from others, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mcptap.protocol.revisions.names import RESOURCE_NOT_FOUND
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

INPUT: Final = "input"
"""Direction of what is no request of its own but an entry of `inputRequests`."""

TO_SERVER: Final = (CLIENT_TO_SERVER,)
TO_CLIENT: Final = (SERVER_TO_CLIENT,)
BOTH_WAYS: Final = (CLIENT_TO_SERVER, SERVER_TO_CLIENT)
IN_RESULT: Final = (INPUT,)


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """One method or notification in one revision; a key that costs nothing, since it is equal only to itself.

    `requires` are the capabilities, as `side.path`, that the receiver of a request or the sender
    of a notification has to declare (with several: each side its own). `params` and `result` are
    the required keys; `result_keys` are all the keys that the schema names.
    """

    name: str
    is_request: bool
    directions: tuple[str, ...]
    requires: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    result: tuple[str, ...] = ()
    result_keys: tuple[str, ...] = ()


def request(
    name: str,
    directions: tuple[str, ...],
    *,
    requires: str = "",
    params: str = "",
    result: str = "",
    optional: str = "",
) -> Method:
    """A request; keys have spaces between, `optional` are keys of the result that may be absent."""
    required = tuple(result.split())
    keys = (*required, *optional.split(), "_meta")
    return Method(name, True, directions, tuple(requires.split()), tuple(params.split()), required, keys)


def notification(name: str, directions: tuple[str, ...], *, requires: str = "", params: str = "") -> Method:
    """A notification; keys have spaces between."""
    return Method(name, False, directions, tuple(requires.split()), tuple(params.split()))


class Revision(str):
    """A revision of MCP, equal to its date (`2025-11-25`); an empty one is unknown and has no features."""

    methods: Mapping[str, Method]
    """Its methods and notifications by name."""
    content_types: frozenset[str]
    """Types of content blocks in a tool result or a prompt message."""
    resource_not_found: int
    """The code of the error for a resource that there is not."""
    is_stateless: bool
    """Whether requests carry what they need in their `_meta`; else a session begins with `initialize`."""
    splits_client_capabilities: bool
    """Whether a client declares parts of sampling and elicitation (`elicitation.url`)."""
    allows_any_structured_content: bool
    """Whether structured output may be any JSON value; else it is an object."""
    allows_ids_again: bool
    """Whether an id may be used again once it was answered."""
    request_meta: tuple[str, ...]
    """Keys that `_meta` of each request has to have."""
    result_types: frozenset[str]
    """Values of `resultType`, which each result has to have (empty: none has to)."""
    cacheable: frozenset[str]
    """Methods whose complete result has to have `ttlMs` and `cacheScope`."""
    may_ask_for_input: frozenset[str]
    """Methods that may be answered `input_required`."""
    subscription_filters: Mapping[str, str]
    """Notifications that belong to a subscription, and the key of the filter that asks for each."""

    def __new__(
        cls,
        date: str,
        methods: Iterable[Method] = (),
        *,
        content_types: Iterable[str] = (),
        resource_not_found: int = RESOURCE_NOT_FOUND,
        is_stateless: bool = False,
        splits_client_capabilities: bool = False,
        allows_any_structured_content: bool = False,
        allows_ids_again: bool = False,
        request_meta: tuple[str, ...] = (),
        result_types: Iterable[str] = (),
        cacheable: Iterable[str] = (),
        may_ask_for_input: Iterable[str] = (),
        subscription_filters: Mapping[str, str] | None = None,
    ) -> Revision:
        """A revision of this date; one that has a predecessor is made by its `successor`."""
        self = super().__new__(cls, date)
        self.methods = {method.name: method for method in methods}
        self.content_types = frozenset(content_types)
        self.resource_not_found = resource_not_found
        self.is_stateless = is_stateless
        self.splits_client_capabilities = splits_client_capabilities
        self.allows_any_structured_content = allows_any_structured_content
        self.allows_ids_again = allows_ids_again
        self.request_meta = request_meta
        self.result_types = frozenset(result_types)
        self.cacheable = frozenset(cacheable)
        self.may_ask_for_input = frozenset(may_ask_for_input)
        self.subscription_filters = subscription_filters or {}
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process it travels as its date."""
        return str, (str(self),)

    def successor(
        self, date: str, *methods: Method, without: tuple[str, ...] = (), **features: Any
    ) -> Revision:
        """The next revision: all of this one but for the methods `without`, and what is given anew.

        `features` are keyword arguments of the class.
        """
        replaced = {*without, *(method.name for method in methods)}
        kept = (method for name, method in self.methods.items() if name not in replaced)
        same = {name: value for name, value in vars(self).items() if name != "methods"}
        return Revision(date, (*kept, *methods), **(same | features))

    @property
    def input_methods(self) -> frozenset[str]:
        """What an entry of `inputRequests` may ask for."""
        return frozenset(name for name, method in self.methods.items() if method.directions == IN_RESULT)

    @property
    def cancels_without_id(self) -> bool:
        """Whether `notifications/cancelled` may leave out its `requestId`."""
        cancelled = self.methods.get("notifications/cancelled")
        return cancelled is not None and "requestId" not in cancelled.params
