"""What all tests share: settings of Hypothesis, compiled modules, and a watch over the process of a test."""

import contextlib
import gc
import importlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from mcptap.play.server.process_tree import is_adopting

# Beside other work an example takes as long as it takes: a time limit would judge the machine.
settings.register_profile(
    "any machine", max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("any machine"), max_examples=1000)
settings.load_profile("any machine")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two workers a core: many tests wait for processes that they start."""
    return 2 * (os.cpu_count() or 1)


# Containers often set it. Then every process that a test starts would compile each of mcptap's modules
# anew, and every worker all tests: half of the suite's time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each worker begin compiling the tests at another one, and find compiled what others did.

    All workers collect all tests in the same order, and so would compile each of them at the same time.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    here = Path(__file__).parent
    files = sorted(here.rglob("test_*.py"))
    first = int(worker["workerid"].removeprefix("gw")) * len(files) // worker["workercount"]
    for file in files[first:] + files[:first]:
        name = ".".join((here.name, *file.relative_to(here).with_suffix("").parts))
        with contextlib.suppress(Exception, pytest.skip.Exception):  # the collection tells it
            importlib.import_module(name)


# Thousands of tests are collected and kept to the end: to look for garbage among them takes a third of that.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on garbage is looked for in what the tests make, not in the tests."""
    gc.freeze()
    gc.enable()


LONGEST = {
    "real", "hostile", "launcher", "test_pressure", "test_probe", "test_poor_surroundings",
    "test_resend_screen", "test_job", "test_consent", "test_snapshots", "test_subjects",
    "test_client_session",
}  # fmt: skip
"""The folders and files that take more than ten seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, or one worker is left with them at the end."""
    items.sort(key=lambda item: LONGEST.isdisjoint((item.path.parent.name, item.path.stem)))


# A shell without job control starts what runs in the background, and `nohup` what it runs, with
# signals ignored, and every process below would inherit that.
for _number, _usual in (
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGQUIT, signal.SIG_DFL),
):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)


@pytest.fixture(autouse=True)
def _leaves_the_worker_as_it_was() -> Iterator[None]:
    """Fail a test that leaves a child process behind, or the worker otherwise than it found it.

    Another test of the same worker would meet it, and which one that is, the random order decides.
    """
    children, state = _children(), _state()
    yield
    left = {pid: word for pid, word in _children().items() if pid not in children}
    assert not left, f"the test left processes behind: {left}"
    assert _state() == state


def _children() -> dict[int, str]:
    """The state and name of each child of this process, zombies included; none where /proc does not tell."""
    children = {}
    try:
        tasks = os.listdir("/proc/self/task")
    except OSError:
        tasks = []
    for task in tasks:
        try:
            with open(f"/proc/self/task/{task}/children", "rb") as file:
                pids = file.read().split()
        except OSError:
            continue  # the thread has ended
        for pid in pids:
            try:
                _, name, rest = Path(f"/proc/{int(pid)}/stat").read_text().replace(")", "(").split("(", 2)
            except OSError:
                continue
            children[int(pid)] = f"{name} {rest.split()[0]}"
    return children


def _state() -> dict[str, object]:
    handled = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGCHLD", "SIGWINCH", "SIGTSTP", "SIGCONT")
    return {
        "working directory": os.getcwd(),
        "adopts orphans": is_adopting(),
        **{name: signal.getsignal(getattr(signal, name)) for name in handled if hasattr(signal, name)},
        "recursion limit": sys.getrecursionlimit(),
    }
