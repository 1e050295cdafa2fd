"""Tasks: each status, and the one before it."""

import pytest

from mcptap.protocol.model.parts import tasks as module
from mcptap.protocol.model.parts.tasks import EndedTask, Tasks, TaskStep


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


def test_a_task_that_ended_is_unfetched_until_its_result_is_asked_for():
    tasks = Tasks()
    tasks.take_end(5, 100, {"taskId": "a", "status": "working"})
    tasks.take_end(6, 200, {"taskId": "a", "status": "failed"})
    tasks.take_end(7, 300, {"taskId": "a", "status": "failed"})
    tasks.take_end(8, 400, {"taskId": "b", "status": "cancelled"})
    assert tasks.unfetched == {"a": EndedTask(6, 200, "a", "failed")}
    tasks.fetch({"taskId": "a"})
    tasks.fetch({"taskId": "c"})
    tasks.fetch(None)
    tasks.take_end(9, 500, {"taskId": "c", "status": "completed"})
    assert tasks.unfetched == {}
