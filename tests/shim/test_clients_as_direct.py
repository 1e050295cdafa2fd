"""Clients of several kinds see the same of a server, started in surroundings that are hard on Python."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import LAUNCHED, MCPTAP, PYTHON, environment
from tests.shim.test_poor_surroundings import NAMESPACES, needs_namespaces

NODE = """
const child = require("child_process").spawn(process.argv[1], process.argv.slice(2));
let out = "", err = "";
child.stdout.on("data", (data) => { out += data; child.kill("SIGUSR1"); });
child.stderr.on("data", (data) => { err += data; });
child.on("close", (code, signal) => { process.stdout.write(JSON.stringify([code, signal, out, err])); });
child.stdin.write("hello\\n");
"""
ASYNCIO = """
import asyncio, signal, sys
async def main():
    child = await asyncio.create_subprocess_exec(*sys.argv[1:], stdin=-1, stdout=-1, stderr=-1)
    child.stdin.write(b"hello\\n")
    line = await child.stdout.readline()
    child.send_signal(signal.SIGUSR1)
    print(await child.wait(), line, await child.stdout.read(), await child.stderr.read())
asyncio.run(main())
"""
SHELL = (
    'mkfifo in out; "$@" <in >out 2>err & exec 3>in 4<out; echo hello >&3; read line <&4; echo $line; '
    + ("kill -USR1 $!; wait $!; echo $?; cat <&4; cat err; rm in out")
)
CLIENTS = {
    "Node": ["node", "-e", NODE],
    "asyncio": [PYTHON[0], "-I", "-c", ASYNCIO],
    "a shell": ["sh", "-c", SHELL, "sh"],
}
VARIABLES = {"PYTHONHOME": "/nowhere", "PYTHONHASHSEED": "bad", "PYTHONPATH": ":"}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("within", ["", "mount -t tmpfs none /dev"], ids=["as it is", "no /dev"])
@needs_namespaces
@pytest.mark.skipif(not LAUNCHED, reason="no launcher was compiled")
def test_a_client_sees_no_difference(start: Start, tmp_path: Path, client: str, within: str) -> None:
    if shutil.which(CLIENTS[client][0]) is None or (within and client == "a shell"):
        pytest.skip(f"no {client} here")  # it needs /dev/null itself, for what it starts in the background
    assigned = [f"{name}={value}" for name, value in VARIABLES.items()]
    server = ["sh", "-c", "read line; echo $line $PYTHONHOME; exec cat"]
    shell = [*NAMESPACES, f'{within} && exec "$@"', "sh"] if within else []
    seen = []
    for tap in ([], [*MCPTAP, "run", "--quiet", "--record", f"{tmp_path}/records/", "--"]):
        words = [*shell, *CLIENTS[client], "env", *assigned, *tap, *server]
        seen.append(start(words, direct=True, env=environment(tmp_path)).finish())
    assert seen[0] == seen[1]
    assert b"hello /nowhere" in seen[0][1]
