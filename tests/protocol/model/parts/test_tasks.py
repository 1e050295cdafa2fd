"""Tasks: each status, and the one before it."""

import pytest

from mcptap.protocol.model.parts import tasks as module
from mcptap.protocol.model.parts.tasks import Tasks, TaskStep


def test_a_step_tells_the_status_before_it():
    tasks = Tasks()
    tasks.take(5, {"taskId": "a", "status": "working"}, created=True)
    assert tasks.last_step == TaskStep(5, "a", None, "working", True)
    tasks.take(6, {"taskId": "b", "status": "working"})
    tasks.take(7, {"taskId": "a", "status": "completed"})
    assert tasks.last_step == TaskStep(7, "a", "working", "completed", False)


@pytest.mark.parametrize("task", [{}, {"taskId": "a"}, {"status": "working"}, {"taskId": 1, "status": "x"}])
def test_what_names_no_task_or_no_status_is_no_step(task):
    tasks = Tasks()
    tasks.take(5, task)
    assert tasks.last_step is None


def test_beyond_the_bound_no_new_task_is_remembered(monkeypatch):
    monkeypatch.setattr(module, "MAX_TASKS", 1)
    tasks = Tasks()
    for number, (task, status) in enumerate(
        [("a", "working"), ("b", "working"), ("a", "failed"), ("b", "failed")]
    ):
        tasks.take(number, {"taskId": task, "status": status})
    assert tasks.last_step == TaskStep(3, "b", None, "failed", False)
    tasks.take(9, {"taskId": "a", "status": "completed"})
    assert tasks.last_step.before == "failed"
