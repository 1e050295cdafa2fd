"""Which line of a server's stderr tells why it ended: ends of stderr as real programs wrote them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.diagnosis.explain.last_words import SHOWN, last_words

TAILS = [
    (
        "a Python traceback",
        """
        Traceback (most recent call last):
          File "/srv/server.py", line 12, in <module>
            main()
          File "/srv/server.py", line 8, in main
            raise RuntimeError("cannot reach the database at 10.0.0.7")
        RuntimeError: cannot reach the database at 10.0.0.7
        """,
        "RuntimeError: cannot reach the database at 10.0.0.7",
    ),
    (
        "a chained Python traceback",
        """
        Traceback (most recent call last):
          File "/srv/server.py", line 4, in load
            return json.loads(text)
        json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)

        The above exception was the direct cause of the following exception:

        Traceback (most recent call last):
          File "/srv/server.py", line 9, in <module>
            load("")
          File "/srv/server.py", line 6, in load
            raise SystemError("settings.json is empty") from error
        SystemError: settings.json is empty
        """,
        "SystemError: settings.json is empty",
    ),
    (
        "a Python syntax error",
        """
          File "/srv/server.py", line 3
            def forecast(city
                        ^
        SyntaxError: '(' was never closed
        """,
        "SyntaxError: '(' was never closed",
    ),
    (
        "a module that Python does not find",
        """
        /usr/bin/python3: No module named weather_mcp
        """,
        "/usr/bin/python3: No module named weather_mcp",
    ),
    (
        "a script that Python does not find",
        """
        python3: can't open file '/home/ada/server.py': [Errno 2] No such file or directory
        """,
        "python3: can't open file '/home/ada/server.py': [Errno 2] No such file or directory",
    ),
    (
        "an exception group of anyio",
        """
          + Exception Group Traceback (most recent call last):
          |   File "/srv/server.py", line 20, in <module>
          |     anyio.run(main)
          |   File "/srv/.venv/lib/python3.12/site-packages/anyio/_backends/_asyncio.py", line 772, in __aexit__
          |     raise BaseExceptionGroup(
          | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
          +-+---------------- 1 ----------------
            | Traceback (most recent call last):
            |   File "/srv/server.py", line 14, in poll
            |     raise ConnectionError("the scale does not answer")
            | ConnectionError: the scale does not answer
            +------------------------------------
        """,
        "ConnectionError: the scale does not answer",
    ),
    (
        "nested exception groups",
        """
          | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
          +-+---------------- 1 ----------------
            | Exception Group Traceback (most recent call last):
            |   File "/srv/a.py", line 4, in run
            |     async with anyio.create_task_group() as tg:
            | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
            +-+---------------- 1 ----------------
              | Traceback (most recent call last):
              |   File "/srv/a.py", line 9, in read
              |     return data["unit"]
              |            ~~~~^^^^^^^^
              | KeyError: 'unit'
              +------------------------------------
        """,
        "KeyError: 'unit'",
    ),
    (
        "settings that pydantic refuses",
        """
        Traceback (most recent call last):
          File "/srv/server.py", line 7, in <module>
            settings = Settings()
        pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings
        api_key
          Field required [type=missing, input_value={}, input_type=dict]
            For further information visit https://errors.pydantic.dev/2.11/v/missing
        """,
        "pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings",
    ),
    (
        "a coroutine that nobody awaits",
        """
        /srv/.venv/bin/scales-mcp:8: RuntimeWarning: coroutine 'main' was never awaited
          sys.exit(main())
        RuntimeWarning: Enable tracemalloc to get the object allocation traceback
        """,
        "/srv/.venv/bin/scales-mcp:8: RuntimeWarning: coroutine 'main' was never awaited",
    ),
    (
        "arguments that argparse refuses",
        """
        usage: server.py [-h] --root ROOT
        server.py: error: the following arguments are required: --root
        """,
        "server.py: error: the following arguments are required: --root",
    ),
    (
        "arguments that typer refuses",
        """
        Usage: server [OPTIONS] PATH
        Try 'server --help' for help.
        ╭─ Error ──────────────────────────────────────────────────────────────────────╮
        │ Missing argument 'PATH'.                                                     │
        ╰──────────────────────────────────────────────────────────────────────────────╯
        """,
        "Missing argument 'PATH'.",
    ),
    (
        "a script that Node does not find",
        """
        node:internal/modules/cjs/loader:1228
          throw err;
          ^

        Error: Cannot find module '/home/ada/build/index.js'
            at Function._resolveFilename (node:internal/modules/cjs/loader:1225:15)
            at Function._load (node:internal/modules/cjs/loader:1055:27)
            at node:internal/main/run_main_module:36:49 {
          code: 'MODULE_NOT_FOUND',
          requireStack: []
        }

        Node.js v22.14.0
        """,
        "Error: Cannot find module '/home/ada/build/index.js'",
    ),
    (
        "a package that Node does not find",
        """
        node:internal/modules/package_json_reader:255
          throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
                ^

        Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/dist/index.js
            at Object.getPackageJSONURL (node:internal/modules/package_json_reader:255:9) {
          code: 'ERR_MODULE_NOT_FOUND'
        }

        Node.js v22.14.0
        """,
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/dist/index.js",
    ),
    (
        "a type error of Node",
        """
        node:internal/errors:540
              throw error;
              ^

        TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string. Received undefined
            at Object.join (node:path:1268:7)
            at Object.<anonymous> (/srv/index.js:4:21) {
          code: 'ERR_INVALID_ARG_TYPE'
        }

        Node.js v20.19.0
        """,
        'TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string. Received undefined',
    ),
    (
        "JSON that Node cannot parse",
        """
        undefined:1
        {"unit": "kg"

        SyntaxError: Expected ',' or '}' after property value in JSON at position 13
            at JSON.parse (<anonymous>)
            at Object.<anonymous> (/srv/index.js:3:19)

        Node.js v20.19.0
        """,
        "SyntaxError: Expected ',' or '}' after property value in JSON at position 13",
    ),
    (
        "a rejection that Node was not told to handle",
        """
        node:internal/process/promises:394
              triggerUncaughtException(err, true /* fromPromise */);
              ^

        [UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "no token".] {
          code: 'ERR_UNHANDLED_REJECTION'
        }

        Node.js v22.14.0
        """,
        "[UnhandledPromiseRejection: This error originated",
    ),
    (
        "what zod refuses",
        """
        file:///srv/node_modules/zod/index.js:587
                const error = new ZodError(issues);
                              ^

        ZodError: [
          {
            "code": "invalid_type",
            "expected": "string",
            "received": "undefined",
            "path": [
              "apiKey"
            ],
            "message": "Required"
          }
        ]
            at get error (file:///srv/node_modules/zod/index.js:587:23)

        Node.js v22.14.0
        """,
        'ZodError: [ { "code": "invalid_type", "expected": "string", "received": "undefined", "path": [ "apiKey" ], "message": "Required" } ]',
    ),
    (
        "a package that is not in npm's registry",
        """
        npm error code E404
        npm error 404 Not Found - GET https://registry.example/notse-mcp - Not found
        npm error 404
        npm error 404  'notse-mcp@*' is not in this registry.
        npm error 404
        npm error 404 Note that you can also install from a
        npm error 404 tarball, folder, http url, or git folder.
        npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-11-30T10_00_00_000Z-debug-0.log
        """,
        "npm error code E404: Not Found - GET https://registry.example/notse-mcp - Not found; 'notse-mcp@*' is not in this registry.",
    ),
    (
        "a folder that npm may not write to",
        """
        npm ERR! code EACCES
        npm ERR! syscall mkdir
        npm ERR! path /home/you/.npm/_cacache
        npm ERR! errno -13
        npm ERR! Error: EACCES: permission denied, mkdir '/home/you/.npm/_cacache'
        npm ERR!     at async mkdir (node:internal/fs/promises:858:10) {
        npm ERR!   errno: -13,
        npm ERR!   code: 'EACCES',

        npm ERR! A complete log of this run can be found in:
        npm ERR!     /home/you/.npm/_logs/2026-11-30T10_00_00_000Z-debug-0.log
        """,
        "npm ERR! code EACCES: Error: EACCES: permission denied, mkdir '/home/you/.npm/_cacache'",
    ),
    (
        "no network for npm",
        """
        npm error code ENOTFOUND
        npm error syscall getaddrinfo
        npm error errno ENOTFOUND
        npm error network request to https://registry.example/weather-mcp failed, reason: getaddrinfo ENOTFOUND registry.example
        npm error network This is a problem related to network connectivity.
        npm error network In most cases you are behind a proxy or have bad network settings.
        npm error A complete log of this run can be found in: /home/ada/.npm/_logs/x-debug-0.log
        """,
        "npm error code ENOTFOUND: network request to https://registry.example/weather-mcp failed",
    ),
    (
        "npx does not know what to run",
        """
        npm error could not determine executable to run
        npm error A complete log of this run can be found in: /home/ada/.npm/_logs/x-debug-0.log
        """,
        "npm error could not determine executable to run",
    ),
    (
        "a script that package.json lacks",
        """
        npm error Missing script: "serve"
        npm error
        npm error To see a list of scripts, run:
        npm error   npm run
        npm error A complete log of this run can be found in: /home/ada/.npm/_logs/x-debug-0.log
        """,
        'npm error Missing script: "serve"',
    ),
    (
        "a package that uv does not find",
        """
          × No solution found when resolving tool dependencies:
          ╰─▶ Because notse-mcp was not found in the package registry and you
              require notse-mcp, we can conclude that your requirements are
              unsatisfiable.
        """,
        "Because notse-mcp was not found in the package registry and you require notse-mcp, we can conclude that your requirements are unsatisfiable.",
    ),
    (
        "a command that uv does not find",
        """
        Installed 12 packages in 31ms
        error: Failed to spawn: `weather`
          Caused by: No such file or directory (os error 2)
        """,
        "error: Failed to spawn: `weather` Caused by: No such file or directory (os error 2)",
    ),
    (
        "a package of uvx that has other commands",
        """
        An executable named `mcp-weather` is not provided by package `mcp-weather`.
        The following executables are available:
        - weather
        """,
        "An executable named `mcp-weather` is not provided by package `mcp-weather`.",
    ),
    (
        "a panic of Rust",
        """
        thread 'main' panicked at src/main.rs:21:49:
        called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: "No such file or directory" }
        note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
        """,
        "thread 'main' panicked at src/main.rs:21:49: called `Result::unwrap()` on an `Err` value: Os { code: 2,",
    ),
    (
        "an error of anyhow",
        """
        Error: could not read the settings

        Caused by:
            0: failed to open settings.toml
            1: No such file or directory (os error 2)
        """,
        "Error: could not read the settings Caused by: 0: failed to open settings.toml 1: No such file or directory (os error 2)",
    ),
    (
        "a panic of Go",
        """
        panic: runtime error: invalid memory address or nil pointer dereference
        [signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48f0a6]

        goroutine 1 [running]:
        main.main()
        	/srv/main.go:14 +0x26
        exit status 2
        """,
        "panic: runtime error: invalid memory address or nil pointer dereference",
    ),
    (
        "a fatal line of Go's log",
        """
        2026/11/30 10:00:00 listening on stdio
        2026/11/30 10:00:00 open ./weather.db: no such file or directory
        exit status 1
        """,
        "2026/11/30 10:00:00 open ./weather.db: no such file or directory",
    ),
    (
        "an exception of Java",
        """
        Exception in thread "main" java.lang.IllegalStateException: cannot start
        	at com.example.Server.main(Server.java:12)
        Caused by: java.nio.file.NoSuchFileException: settings.yaml
        	at java.base/sun.nio.fs.UnixException.translateToIOException(UnixException.java:92)
        	... 3 more
        """,
        "Caused by: java.nio.file.NoSuchFileException: settings.yaml",
    ),
    (
        "a jar that is not there",
        """
        Error: Unable to access jarfile target/server.jar
        """,
        "Error: Unable to access jarfile target/server.jar",
    ),
    (
        "an exception of .NET",
        """
        Unhandled exception. System.IO.FileNotFoundException: Could not find file '/home/ada/appsettings.json'.
        File name: '/home/ada/appsettings.json'
           at Microsoft.Win32.SafeHandles.SafeFileHandle.Open(String fullPath, FileMode mode)
           at Program.<Main>$(String[] args) in /srv/Program.cs:line 5
        """,
        "Unhandled exception. System.IO.FileNotFoundException: Could not find file '/home/ada/appsettings.json'.",
    ),
    (
        "a .NET that is not installed",
        """
        You must install or update .NET to run this application.

        App: /srv/Weather
        Architecture: x64
        Framework: 'Microsoft.NETCore.App', version '8.0.0' (x64)
        .NET location: /usr/share/dotnet/

        The following frameworks were found:
          6.0.36 at [/usr/share/dotnet/shared/Microsoft.NETCore.App]

        Learn more:
        https://aka.ms/dotnet/app-launch-failed
        """,
        "You must install or update .NET to run this application.",
    ),
    (
        "an exception of Ruby",
        """
        server.rb:3:in `require': cannot load such file -- mcp (LoadError)
        	from server.rb:3:in `<main>'
        """,
        "server.rb:3:in `require': cannot load such file -- mcp (LoadError)",
    ),
    (
        "an error of PHP",
        """
        PHP Fatal error:  Uncaught Error: Call to undefined function weather() in /srv/server.php:7
        Stack trace:
        #0 {main}
          thrown in /srv/server.php on line 7
        """,
        "PHP Fatal error:  Uncaught Error: Call to undefined function weather() in /srv/server.php:7",
    ),
    (
        "a permission that Deno was not given",
        """
        error: Uncaught (in promise) NotCapable: Requires env access to "WEATHER_KEY", run again with the --allow-env flag
            const key = Deno.env.get("WEATHER_KEY");
                                 ^
            at Object.getEnv [as get] (ext:deno_os/30_os.js:124:10)
            at file:///srv/server.ts:2:22
        """,
        'error: Uncaught (in promise) NotCapable: Requires env access to "WEATHER_KEY"',
    ),
    (
        "a module that Deno does not find",
        """
        error: Module not found "file:///srv/tools.ts".
            at file:///srv/server.ts:1:23
        """,
        'error: Module not found "file:///srv/tools.ts".',
    ),
    (
        "a package that Bun does not find",
        """
        1 | import { z } from "zod";
                              ^
        error: Cannot find package 'zod' from '/srv/server.ts'

        Bun v1.2.4 (Linux x64)
        """,
        "error: Cannot find package 'zod' from '/srv/server.ts'",
    ),
    (
        "an image that docker does not find",
        """
        Unable to find image 'weather-mcp:latest' locally
        docker: Error response from daemon: pull access denied for weather-mcp, repository does not exist or may require 'docker login'.

        Run 'docker run --help' for more information
        """,
        "docker: Error response from daemon: pull access denied for weather-mcp, repository does not exist",
    ),
    (
        "no daemon of docker",
        """
        docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?.
        See 'docker run --help'.
        """,
        "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
    ),
    (
        "no permission for docker",
        """
        permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/_ping": dial unix /var/run/docker.sock: connect: permission denied
        """,
        "permission denied while trying to connect to the Docker daemon socket",
    ),
    ("no terminal for docker -t", "the input device is not a TTY\n", "the input device is not a TTY"),
    (
        "a command that bash does not find",
        "bash: line 1: uvx: command not found\n",
        "bash: line 1: uvx: command not found",
    ),
    ("a command that dash does not find", "/bin/sh: 1: uvx: not found\n", "/bin/sh: 1: uvx: not found"),
    (
        "a command that env does not find",
        "env: 'node': No such file or directory\n",
        "env: 'node': No such file",
    ),
    (
        "a command that cmd does not find",
        """
        'npx' is not recognized as an internal or external command,
        operable program or batch file.
        """,
        "'npx' is not recognized as an internal or external command, operable program or batch file.",
    ),
    (
        "a host that ssh does not find",
        """
        Pseudo-terminal will not be allocated because stdin is not a terminal.
        ssh: Could not resolve hostname scales: Name or service not known
        """,
        "ssh: Could not resolve hostname scales: Name or service not known",
    ),
    (
        "a key that ssh does not have",
        """
        Warning: Permanently added 'scales' (ED25519) to the list of known hosts.
        ada@scales: Permission denied (publickey,password).
        """,
        "ada@scales: Permission denied (publickey,password).",
    ),
    (
        "a library that is too old",
        "./server: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./server)\n",
        "./server: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./server)",
    ),
    (
        "an exception of C++",
        """
        terminate called after throwing an instance of 'std::runtime_error'
          what():  no scale at /dev/ttyUSB0
        """,
        "terminate called after throwing an instance of 'std::runtime_error' what():  no scale at /dev/ttyUSB0",
    ),
    (
        "a module that Perl does not find",
        """
        Can't locate JSON/XS.pm in @INC (you may need to install the JSON::XS module) at server.pl line 3.
        BEGIN failed--compilation aborted at server.pl line 3.
        """,
        "Can't locate JSON/XS.pm in @INC (you may need to install the JSON::XS module) at server.pl line 3.",
    ),
    (
        "warnings that it got over, then what it died of",
        """
        WARN  cache: open /var/cache/scales: permission denied, continuing without
        Error: connect ECONNREFUSED 127.0.0.1:6379, falling back to memory
        FATAL: licence expired on 2026-11-01
        """,
        "FATAL: licence expired on 2026-11-01",
    ),
    (
        "a log in JSON",
        """
        {"level":"info","msg":"starting"}
        {"level":"fatal","msg":"no such tenant"}
        {"level":"info","msg":"bye"}
        """,
        '{"level":"fatal","msg":"no such tenant"}',
    ),
    ("words that nobody foresaw", "starting\nso long, and thanks\n", "so long, and thanks"),
]


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    margin = 8 if text.startswith("\n") else 0
    return [line[margin:] for line in lines if line.strip()]


@pytest.mark.parametrize(("tail", "telling"), [row[1:] for row in TAILS], ids=[row[0] for row in TAILS])
def test_the_telling_line_is_found(tail: str, telling: str) -> None:
    lines = _lines(tail)
    found = last_words(lines)
    assert found.telling.startswith(telling)
    assert len(found.shown) <= SHOWN


def test_a_trace_that_breaks_off_says_more_than_the_banner_before_it() -> None:
    lines = [
        "harbour 1.4.0 listens",
        "Traceback (most recent call last):",
        '  File "store.py", line 88, in read',
    ]
    assert last_words(lines).telling == 'File "store.py", line 88, in read'


def test_there_are_tails_of_all_kinds() -> None:
    assert len(TAILS) >= 40


def test_nothing_comes_of_nothing() -> None:
    assert last_words([]) == ("", ())


@given(st.lists(st.text(max_size=80), max_size=12))
def test_no_end_is_too_odd(lines: list[str]) -> None:
    found = last_words(lines)
    assert len(found.shown) <= SHOWN
    assert not any(any(map(str.isalnum, line)) for line in lines) or isinstance(found.telling, str)
