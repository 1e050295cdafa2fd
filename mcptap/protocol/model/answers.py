"""What the answers to requests tell about a session: eras, capabilities, lists, tasks."""

from __future__ import annotations

from typing import Any

from mcptap.protocol.model.facts import Facts
from mcptap.protocol.model.flow import InputWait, TaskStep
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import Request
from mcptap.protocol.revisions.methods import (
    INPUT_REQUIRED,
    KNOWN,
    LISTS,
    META_SERVER_INFO,
    UNSUPPORTED_VERSION,
)
from mcptap.protocol.revisions.revisions import HANDSHAKE_REVISIONS, looks_stateless
from mcptap.wire import CLIENT_TO_SERVER


class Answers(Facts):
    """Facts that are drawn from results and errors."""

    def _facts(self, message: Message, request: Request) -> None:
        result = message.result
        if request.channel != CLIENT_TO_SERVER:
            return
        if self.first_answer is None:
            self.first_answer = message.number
        if type(result) is not dict:
            if request is self.discover and isinstance(message.error, dict):
                self._refused(message.error)
            return
        method = request.method
        if method in KNOWN:
            self.served.add(method)
        if method == "initialize":
            self._initialize_result(request, result)
            return
        if request.era_meta or method == "server/discover":
            self._stateless_result(request, result, message.number)
        if method in LISTS:
            cursor = request.params.get("cursor") if request.params is not None else None
            self.listings.take(method, cursor if isinstance(cursor, str) else None, result, message.number)
            walk = self.listings.of[method].walk
            if walk is not None:
                walk.page_us, walk.page_requests = message.t_us, self.requests
        elif method == "logging/setLevel":
            level = (request.params or {}).get("level")
            self.flow.log_level = level if isinstance(level, str) else None
            self.flow.log_level_us = message.t_us
        elif method == "resources/unsubscribe":
            uri = (request.params or {}).get("uri")
            if isinstance(uri, str) and uri in self.flow.subscribed:
                self.flow.subscribed[uri] = message.t_us

    def _refused(self, error: dict[str, Any]) -> None:
        """The probe was refused, perhaps with the versions that the server speaks."""
        data = error.get("data")
        versions = data.get("supported") if isinstance(data, dict) else None
        if error.get("code") == UNSUPPORTED_VERSION and isinstance(versions, list):
            self.supported = tuple(v for v in versions if isinstance(v, str))

    def _initialize_result(self, request: Request, result: dict[str, Any]) -> None:
        if self.handshake and request is not self.initialize:
            return
        self.handshake = True
        self.answered = result.get("protocolVersion")
        if self.answered in HANDSHAKE_REVISIONS:
            self.revision = str(self.answered)
        elif not looks_stateless(self.answered):
            self.revision = ""
        request.revision = self.revision
        capabilities = result.get("capabilities")
        self.server_capabilities = capabilities if isinstance(capabilities, dict) else None
        info = result.get("serverInfo")
        self.server_info = info if isinstance(info, dict) else {}

    def _stateless_result(self, request: Request, result: dict[str, Any], number: int) -> None:
        self.modern = True
        if not self.server_info:
            meta = result.get("_meta")
            info = meta.get(META_SERVER_INFO) if isinstance(meta, dict) else None
            self.server_info = info if isinstance(info, dict) else {}
        if request.method != "server/discover" and isinstance(result.get("resultType"), str):
            self.enveloped_results += 1
        if request.method == "server/discover":
            self.discovered = result
            versions = result.get("supportedVersions")
            if isinstance(versions, list):
                self.supported = tuple(v for v in versions if isinstance(v, str))
            capabilities = result.get("capabilities")
            if isinstance(capabilities, dict) and not self.handshake:
                self.server_capabilities = capabilities
        if result.get("resultType") == INPUT_REQUIRED:
            wanted = result.get("inputRequests")
            asks = wanted.values() if isinstance(wanted, dict) else ()
            kinds = tuple(str(ask.get("method")) for ask in asks if isinstance(ask, dict))
            self.flow.waits.append(InputWait(request, number, result.get("requestState"), kinds))

    def _task_result(self, message: Message, request: Request, result: dict[str, Any]) -> None:
        created = result.get("task")
        if isinstance(created, dict):
            if request.token is not None:
                self.flow.tokens[request.channel].keep(request.token)
            self._task_status(message, created, created=True)
        elif request.method in ("tasks/get", "tasks/cancel"):
            self._task_status(message, result)

    def _task_status(self, message: Message, task: dict[str, Any], *, created: bool = False) -> None:
        key, status = task.get("taskId"), task.get("status")
        if not isinstance(key, str) or not isinstance(status, str):
            return
        before = self.flow.tasks.get(key)
        if before is not None or len(self.flow.tasks) < 100_000:
            self.flow.tasks[key] = status
        self.task_step = TaskStep(message.number, key, before, status, created)
