"""Tasks, as 2025-11-25 has them."""

from __future__ import annotations

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import only
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import quote
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.party import declares
from mcptap.protocol.model.session import Session
from mcptap.wire import CLIENT_TO_SERVER

TASKS = "2025-11-25 basic/utilities/tasks"
UNFETCHED_US = 5_000_000
"""After how long (µs) the result of a task that ended should have been asked for."""
DONE = frozenset({"completed", "failed", "cancelled"})


@rule(
    "task-undeclared",
    only("2025-11-25", Level.ERROR),
    side=CLIENT,
    on="request tools/call, request sampling/createMessage, request elicitation/create",
    stage=Stage.CAPABILITY,
    source=TASKS,
    says="{method} (record {n}) asks for a task, but the {receiver} does not declare tasks.requests.{path}",
    leads_to="a peer without tasks ignores or refuses it",
    remedy="Ask without task.",
    needs_start=True,
    odd_only=True,
)
def task_undeclared(session: Session, message: Message) -> Hits:
    if message.params is None or "task" not in message.params:
        return None
    to_server = message.channel == CLIENT_TO_SERVER
    declared = session.server.capabilities if to_server else session.client.capabilities
    path = message.method.replace("/", ".")
    if declared is None or declares(declared, f"tasks.requests.{path}"):
        return None
    side, receiver = (CLIENT, "server") if to_server else (SERVER, "client")
    return hit(message.number, message.method, side=side, method=message.method, receiver=receiver, path=path)


@rule(
    "task-support",
    only("2025-11-25", Level.ERROR),
    side=CLIENT,
    on="c2s request tools/call",
    stage=Stage.CONTENT,
    source=f"{TASKS}: execution.taskSupport of a tool",
    says="{tool} {rule} be called as a task, but was called {how} one (record {n})",
    remedy="Follow the tool's execution.taskSupport.",
    yields_to="task-undeclared",
    needs_start=True,
)
def task_support(session: Session, message: Message) -> Hits:
    capabilities = session.server.capabilities
    if (
        not capabilities
        or "tasks" not in capabilities
        or not declares(capabilities, "tasks.requests.tools.call")
    ):
        return None
    params, request = message.params, message.request
    tool = session.listings.tools.get(request.tool) if request is not None else None
    if params is None or tool is None:
        return None
    support, as_task = tool.task_support, "task" in params
    if support == "required" and not as_task:
        return hit(message.number, tool.name, tool=quote(tool.name, 60), rule="must", how="without")
    if support == "forbidden" and as_task:
        return hit(message.number, tool.name, tool=quote(tool.name, 60), rule="must not", how="as")
    return None


@rule(
    "task-status",
    only("2025-11-25", Level.ERROR),
    side=SERVER,
    on="result tools/call, result sampling/createMessage, result elicitation/create, result tasks/*, notification notifications/tasks/status",
    stage=Stage.FLOW,
    source=f"{TASKS}: a task begins as working and never leaves completed, failed or cancelled",
    says="Task {task} {why} (record {n})",
    remedy="Begin with working; change nothing once a task is completed, failed or cancelled.",
    requires="whole",
    odd_only=True,
)
def task_status(session: Session, message: Message) -> Hits:
    step = session.tasks.last_step
    if step is None or step.number != message.number:
        return None
    if step.before in DONE and step.after != step.before:
        why = f"went from {step.before} to {step.after}"
    elif step.created and step.before is None and step.after != "working":
        why = f"began as {quote(step.after, 30)}, not as working"
    else:
        return None
    return hit(message.number, step.task, task=quote(step.task, 60), why=why)


@rule(
    "task-result-unfetched",
    only("2025-11-25", Level.WARNING),
    side=CLIENT,
    on="state",
    stage=Stage.FLOW,
    source=f"{TASKS}: the result of a task, also of one that failed, is what tasks/result returns",
    says="The task {task} {how} (record {n}), and the client did not ask for its result (tasks/result) in {time}",
    leads_to="what the result says never reached the agent",
    remedy="Ask for tasks/result once a task has completed or failed.",
    requires="times whole",
    needs_start=True,
)
def task_result_unfetched(session: Session) -> Hits:
    if not session.ended:
        return None
    hits = []
    for task in session.tasks.unfetched.values():
        stayed = session.end_us - task.t_us
        if stayed > UNFETCHED_US:
            name = quote(task.task, 60)
            hits.append(hit(task.number, task.task, task=name, how=task.status, time=session.lasting(stayed)))
    return hits
