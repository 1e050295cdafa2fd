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


class Tasks:
    """All tasks of a session."""

    def __init__(self) -> None:
        self.last_step: TaskStep | None = None
        """The last status that was told."""
        self._statuses: dict[str, str] = {}

    def take(self, number: int, task: dict[str, Any], *, created: bool = False) -> None:
        """A task was told of in this record."""
        key, status = task.get("taskId"), task.get("status")
        if not isinstance(key, str) or not isinstance(status, str):
            return
        before = self._statuses.get(key)
        if before is not None or len(self._statuses) < MAX_TASKS:
            self._statuses[key] = status
        self.last_step = TaskStep(number, key, before, status, created)
