"""Tasks of 2025-11-25: the status of each."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

MAX_TASKS: Final = 100_000


class TaskStep(NamedTuple):
    """A status of a task: in which record, and the status before, if one was seen."""

    number: int
    task: str
    before: str | None
    after: str
    created: bool


class EndedTask(NamedTuple):
    """A task of the server that came to an end: in which record, when (µs), and how."""

    number: int
    t_us: int
    task: str
    status: str


class Tasks:
    """All tasks of a session."""

    def __init__(self) -> None:
        self.last_step: TaskStep | None = None
        """The last status that was told."""
        self.unfetched: dict[str, EndedTask] = {}
        """Tasks of the server that completed or failed, and whose result was not asked for."""
        self._statuses: dict[str, str] = {}
        self._fetched: set[str] = set()

    def fetch(self, params: dict[str, Any] | None) -> None:
        """The client asked for the result of a task."""
        key = (params or {}).get("taskId")
        if isinstance(key, str) and len(self._fetched) < MAX_TASKS:
            self._fetched.add(key)
            self.unfetched.pop(key, None)

    def take_end(self, number: int, t_us: int, task: dict[str, Any]) -> None:
        """The server told of one of its tasks in this record."""
        key, status = task.get("taskId"), task.get("status")
        if (
            isinstance(key, str)
            and status in ("completed", "failed")
            and key not in self._fetched
            and len(self.unfetched) < MAX_TASKS
        ):
            self.unfetched.setdefault(key, EndedTask(number, t_us, key, status))

    def take(self, number: int, task: dict[str, Any], *, created: bool = False) -> None:
        """A task was told of in this record."""
        key, status = task.get("taskId"), task.get("status")
        if not isinstance(key, str) or not isinstance(status, str):
            return
        before = self._statuses.get(key)
        if before is not None or len(self._statuses) < MAX_TASKS:
            self._statuses[key] = status
        self.last_step = TaskStep(number, key, before, status, created)
