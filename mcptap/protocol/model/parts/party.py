"""What a client or a server says of itself."""

from __future__ import annotations

from typing import Any


def declares(capabilities: dict[str, Any] | None, path: str) -> bool:
    """Whether a capability, such as `tools.listChanged`, is declared: its key is there, and it is not false.

    `{}` declares; `listChanged: false` is as good as absent; so is null.
    """
    at: Any = capabilities
    if type(at) is dict and path in at:
        at = at[path]
        return at is not False and at is not None
    for key in path.split("."):
        if not isinstance(at, dict) or key not in at:
            return False
        at = at[key]
    return at is not False and at is not None


class Party:
    """The client, or the server, of a session."""

    __slots__ = ("capabilities", "info")

    def __init__(self) -> None:
        self.capabilities: dict[str, Any] | None = None
        """What it declared in `initialize` or in the answer to `server/discover`; None until it did."""
        self.info: dict[str, Any] = {}
        """`clientInfo` or `serverInfo`; empty until it came."""

    def extends(self, method: str) -> bool:
        """Whether it declared an extension of this method's name: `…/tasks` brings back `tasks/get`."""
        declared = (self.capabilities or {}).get("extensions")
        subject = method.removeprefix("notifications/").partition("/")[0]
        return isinstance(declared, dict) and any(name.rpartition("/")[2] == subject for name in declared)

    @property
    def has_extensions(self) -> bool:
        """Whether it declared extensions or experiments, so that unknown names are no surprise."""
        declared = self.capabilities or {}
        return bool(declared.get("experimental") or declared.get("extensions"))
