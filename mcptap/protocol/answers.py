"""What the answers to requests tell about a session: eras, capabilities, lists, tasks."""

from __future__ import annotations

from typing import Any

from mcptap.protocol.facts import Facts
from mcptap.protocol.flow import InputWait, TaskStep
from mcptap.protocol.message import Message
from mcptap.protocol.methods import INPUT_REQUIRED, KNOWN, LISTS, META_SERVER_INFO, UNSUPPORTED_VERSION
from mcptap.protocol.pairs import Pair
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS, looks_stateless
from mcptap.wire import CLIENT_TO_SERVER


class Answers(Facts):
    """Facts that are drawn from results and errors."""

    def _facts(self, message: Message, pair: Pair) -> None:
        result = message.result
        if pair.channel != CLIENT_TO_SERVER:
            return
        if self.first_answer is None:
            self.first_answer = message.number
        if type(result) is not dict:
            if pair is self.discover and isinstance(message.error, dict):
                self._refused(message.error)
            return
        method = pair.method
        if method in KNOWN:
            self.served.add(method)
        if method == "initialize":
            self._initialize_result(pair, result)
            return
        if pair.era_meta or method == "server/discover":
            self._stateless_result(pair, result, message.number)
        if method in LISTS:
            cursor = pair.params.get("cursor") if pair.params is not None else None
            self.listings.take(method, cursor if isinstance(cursor, str) else None, result, message.number)
            walk = self.listings.of[method].walk
            if walk is not None:
                walk.page_us, walk.page_requests = message.t_us, self.requests
        elif method == "logging/setLevel":
            level = (pair.params or {}).get("level")
            self.flow.log_level = level if isinstance(level, str) else None
            self.flow.log_level_us = message.t_us
        elif method == "resources/unsubscribe":
            uri = (pair.params or {}).get("uri")
            if isinstance(uri, str) and uri in self.flow.subscribed:
                self.flow.subscribed[uri] = message.t_us

    def _refused(self, error: dict[str, Any]) -> None:
        """The probe was refused, perhaps with the versions that the server speaks."""
        data = error.get("data")
        versions = data.get("supported") if isinstance(data, dict) else None
        if error.get("code") == UNSUPPORTED_VERSION and isinstance(versions, list):
            self.supported = tuple(v for v in versions if isinstance(v, str))

    def _initialize_result(self, pair: Pair, result: dict[str, Any]) -> None:
        if self.handshake and pair is not self.initialize:
            return
        self.handshake = True
        self.answered = result.get("protocolVersion")
        if self.answered in HANDSHAKE_REVISIONS:
            self.revision = str(self.answered)
        elif not looks_stateless(self.answered):
            self.revision = ""
        pair.revision = self.revision
        capabilities = result.get("capabilities")
        self.server_capabilities = capabilities if isinstance(capabilities, dict) else None
        info = result.get("serverInfo")
        self.server_info = info if isinstance(info, dict) else {}

    def _stateless_result(self, pair: Pair, result: dict[str, Any], number: int) -> None:
        self.modern = True
        if not self.server_info:
            meta = result.get("_meta")
            info = meta.get(META_SERVER_INFO) if isinstance(meta, dict) else None
            self.server_info = info if isinstance(info, dict) else {}
        if pair.method != "server/discover" and isinstance(result.get("resultType"), str):
            self.enveloped_results += 1
        if pair.method == "server/discover":
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
            self.flow.waits.append(InputWait(pair, number, result.get("requestState"), kinds))

    def _task_result(self, message: Message, pair: Pair, result: dict[str, Any]) -> None:
        created = result.get("task")
        if isinstance(created, dict):
            if pair.token is not None:
                self.flow.tokens[pair.channel].keep(pair.token)
            self._task_status(message, created, created=True)
        elif pair.method in ("tasks/get", "tasks/cancel"):
            self._task_status(message, result)

    def _task_status(self, message: Message, task: dict[str, Any], *, created: bool = False) -> None:
        key, status = task.get("taskId"), task.get("status")
        if not isinstance(key, str) or not isinstance(status, str):
            return
        before = self.flow.tasks.get(key)
        if before is not None or len(self.flow.tasks) < 100_000:
            self.flow.tasks[key] = status
        self.task_step = TaskStep(message.number, key, before, status, created)
