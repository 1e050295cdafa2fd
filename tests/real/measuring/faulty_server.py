"""A server with one fault: `faulty_server.py CASE LOG`. What it hears goes to LOG as JSON lines."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.real.measuring.cases import CASES, TOOLS, Case, line

STATELESS = "2026-07-28"


def main(case: Case, log: Path) -> None:
    """Serve until the input ends."""
    server = _Server(case, log)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, server.on_signal)
    try:
        for data in sys.stdin.buffer:
            server.take(data)
    finally:
        server.note("end", "")


class _Server:
    def __init__(self, case: Case, log: Path) -> None:
        self._case = case
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._asked: Counter[str] = Counter()
        self._wrote = False
        self._injection: Any = None
        if case.mock:
            from mcptap.play.mock.faults import FAULTS, FaultInjection

            fault = FAULTS[case.mock]
            self._injection = FaultInjection(fault, "tools/list" if fault.target == "any" else None)

    def note(self, what: str, text: str) -> None:
        record = {"pid": os.getpid(), "t": round(time.time(), 3), what: text}
        os.write(self._log, json.dumps(record).encode() + b"\n")

    def on_signal(self, number: int, _frame: object) -> None:
        self.note("signal", signal.Signals(number).name)
        os._exit(0)

    def take(self, data: bytes) -> None:
        self.note("heard", data.decode(errors="replace").rstrip("\n"))
        request = json.loads(data)
        if "method" not in request or "id" not in request:
            return
        response, method = self._respond(request), request["method"]
        count, self._asked[method] = self._asked[method], self._asked[method] + 1
        case = self._case
        if case.change is not None and method == case.on and "result" in response:
            self._write(case.change(response, count))
        elif self._injection is not None:
            self._inject(line(response), data)
        elif method == "server/discover" and case.on == method and not case.stateless:
            return  # it is the discovery that stays without an answer
        else:
            self._write(line(response))

    def _inject(self, answer: bytes, request: bytes) -> None:
        from mcptap.play.mock.server_script import Exit, Write
        from mcptap.protocol.model.message import classify
        from mcptap.recording.format.model import Line
        from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

        asked = classify(Line(1, CLIENT_TO_SERVER, request.rstrip(b"\n"), "\n", 0, 0, 0))
        for step in self._injection.inject([Write(0, SERVER_TO_CLIENT, answer, is_answer=True)], asked):
            if isinstance(step, Exit):
                raise SystemExit(step.code)
            time.sleep(step.after_us / 1e6)
            self._write(step.data)

    def _write(self, data: bytes) -> None:
        case = self._case
        if data and case.first is not None and not self._wrote:
            data = case.first(data)
        if data and case.every is not None:
            data = case.every(data)
        self._wrote = self._wrote or bool(data)
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def _respond(self, request: dict[str, Any]) -> dict[str, Any]:
        method = request["method"]
        response: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        capabilities = {"tools": {}}
        about = {"name": "faulty", "version": "1"}
        meta = (request.get("params") or {}).get("_meta", {})
        stateless = "io.modelcontextprotocol/protocolVersion" in meta
        whole = {"resultType": "complete"} if stateless else {}
        kept = {**whole, "ttlMs": 0, "cacheScope": "private"} if stateless else {}
        if method == "initialize":
            asked = request["params"]["protocolVersion"]
            result = {"protocolVersion": asked, "capabilities": capabilities, "serverInfo": about}
        elif method == "server/discover" and self._case.stateless:
            meta = {"io.modelcontextprotocol/serverInfo": about}
            result = {"supportedVersions": [STATELESS], "capabilities": capabilities, "_meta": meta, **kept}
        elif method == "tools/list":
            schema = {"type": "object", "properties": {"x": {"type": "string"}}}
            result = {
                "tools": [{"name": n, "description": f"The {n}", "inputSchema": {**schema}} for n in TOOLS],
                **kept,
            }
        elif method == "tools/call":
            result = {"content": [{"type": "text", "text": "done"}], **whole}
        elif method == "ping":
            result = {}
        else:
            response["error"] = {"code": -32601, "message": f"Method not found: {method}"}
            return response
        response["result"] = result
        return response


if __name__ == "__main__":
    main(CASES[sys.argv[1]], Path(sys.argv[2]))
