"""What a client sets for a server that is Python, or for the dynamic linker, changes nothing of the tap."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.shim.conftest import Start
from tests.shim.running import LAUNCHED, environment

pytestmark = pytest.mark.skipif(not LAUNCHED, reason="no launcher was compiled")

TRAP = "import os\nos.write(1, b'not for the tap\\n')\nos._exit(99)\n"
TRAPS = (
    "re", "types", "os", "site", "sitecustomize", "usercustomize", "encodings", "codecs", "signal", "errno",
    "_signal", "time", "orjson", "mcptap", "io", "abc", "stat", "genericpath", "posixpath", "zipimport",
)  # fmt: skip

VARIANTS: dict[str, dict[str, str]] = {
    "PYTHONPATH with modules of the same names": {"PYTHONPATH": "{traps}"},
    "PYTHONPATH with packages of the same names": {"PYTHONPATH": "{packages}"},
    "PYTHONPATH with the standard library of another Python": {"PYTHONPATH": "{library}"},
    "PYTHONPATH with our own standard library": {"PYTHONPATH": os.path.dirname(os.__file__)},
    "PYTHONPATH with empty entries": {"PYTHONPATH": "::"},
    "PYTHONPATH that is nowhere": {"PYTHONPATH": "/nowhere:/dev/null"},
    "PYTHONPATH with a zip": {"PYTHONPATH": "/nowhere.zip"},
    "PYTHONHOME that is nowhere": {"PYTHONHOME": "/nowhere"},
    "PYTHONHOME of traps": {"PYTHONHOME": "{traps}"},
    "PYTHONHOME that is empty": {"PYTHONHOME": ""},
    "PYTHONHOME with two parts": {"PYTHONHOME": "/a:/b"},
    "PYTHONPLATLIBDIR": {"PYTHONPLATLIBDIR": "lib-of-nobody"},
    "PYTHONEXECUTABLE": {"PYTHONEXECUTABLE": "/nowhere/python"},
    "__PYVENV_LAUNCHER__": {"__PYVENV_LAUNCHER__": "/nowhere/python"},
    "PYTHONUSERBASE": {"PYTHONUSERBASE": "{traps}"},
    "PYTHONNOUSERSITE": {"PYTHONNOUSERSITE": "1"},
    "PYTHONSTARTUP": {"PYTHONSTARTUP": "{traps}/os.py"},
    "PYTHONUTF8, bad": {"PYTHONUTF8": "maybe"},
    "PYTHONUTF8=0 in C": {"PYTHONUTF8": "0", "LC_ALL": "C", "LANG": "C"},
    "PYTHONCOERCECLOCALE": {"PYTHONCOERCECLOCALE": "warn", "LC_ALL": "C"},
    "PYTHONIOENCODING, bad": {"PYTHONIOENCODING": "no-such-encoding"},
    "PYTHONIOENCODING, wide": {"PYTHONIOENCODING": "utf-16"},
    "PYTHONIOENCODING, bad errors": {"PYTHONIOENCODING": "ascii:no-such-handler"},
    "PYTHONLEGACYWINDOWSSTDIO": {"PYTHONLEGACYWINDOWSSTDIO": "1"},
    "PYTHONHASHSEED, bad": {"PYTHONHASHSEED": "seed"},
    "PYTHONHASHSEED, too large": {"PYTHONHASHSEED": "99999999999999999999"},
    "PYTHONMALLOC, bad": {"PYTHONMALLOC": "nothing"},
    "PYTHONMALLOC=debug": {"PYTHONMALLOC": "debug"},
    "PYTHONMALLOCSTATS": {"PYTHONMALLOCSTATS": "1"},
    "PYTHONOPTIMIZE": {"PYTHONOPTIMIZE": "2"},
    "PYTHONOPTIMIZE, bad": {"PYTHONOPTIMIZE": "much"},
    "PYTHONWARNINGS=error": {"PYTHONWARNINGS": "error"},
    "PYTHONWARNINGS, bad": {"PYTHONWARNINGS": "no:such:filter:at:all:ever"},
    "PYTHONWARNINGS of a class of a trap": {"PYTHONWARNINGS": "error::re.Trap", "PYTHONPATH": "{traps}"},
    "PYTHONWARNDEFAULTENCODING": {"PYTHONWARNDEFAULTENCODING": "1", "PYTHONWARNINGS": "error"},
    "PYTHONBREAKPOINT": {"PYTHONBREAKPOINT": "no.such.hook"},
    "PYTHONDEVMODE": {"PYTHONDEVMODE": "1"},
    "PYTHONDEBUG": {"PYTHONDEBUG": "1"},
    "PYTHONDUMPREFS": {"PYTHONDUMPREFS": "1"},
    "PYTHONTRACEMALLOC": {"PYTHONTRACEMALLOC": "25"},
    "PYTHONTRACEMALLOC, bad": {"PYTHONTRACEMALLOC": "-1"},
    "PYTHONFAULTHANDLER": {"PYTHONFAULTHANDLER": "1"},
    "PYTHONPROFILEIMPORTTIME": {"PYTHONPROFILEIMPORTTIME": "1"},
    "PYTHONVERBOSE": {"PYTHONVERBOSE": "2"},
    "PYTHONINSPECT": {"PYTHONINSPECT": "1"},
    "PYTHONUNBUFFERED": {"PYTHONUNBUFFERED": "1"},
    "PYTHONDONTWRITEBYTECODE": {"PYTHONDONTWRITEBYTECODE": "1"},
    "PYTHONPYCACHEPREFIX": {"PYTHONPYCACHEPREFIX": "{home}/cache"},
    "PYTHONSAFEPATH": {"PYTHONSAFEPATH": "1"},
    "PYTHONINTMAXSTRDIGITS, bad": {"PYTHONINTMAXSTRDIGITS": "3"},
    "PYTHONNODEBUGRANGES": {"PYTHONNODEBUGRANGES": "1"},
    "PYTHONASYNCIODEBUG": {"PYTHONASYNCIODEBUG": "1"},
    "PYTHONCASEOK": {"PYTHONCASEOK": "1"},
    "PYTHONPERFSUPPORT": {"PYTHONPERFSUPPORT": "1"},
    "PYTHON_CPU_COUNT, bad": {"PYTHON_CPU_COUNT": "none"},
    "PYTHON_GIL": {"PYTHON_GIL": "0"},
    "PYTHON_FROZEN_MODULES": {"PYTHON_FROZEN_MODULES": "bad"},
    "PYTHONTHREADDEBUG": {"PYTHONTHREADDEBUG": "1"},
    "LD_PRELOAD that is nowhere": {"LD_PRELOAD": "/nowhere.so"},
    "LD_PRELOAD that is no library": {"LD_PRELOAD": "{traps}/os.py"},
    "LD_LIBRARY_PATH of other libraries": {"LD_LIBRARY_PATH": "{libraries}"},
    "LD_DEBUG": {"LD_DEBUG": "all"},
    "LD_BIND_NOW": {"LD_BIND_NOW": "1"},
    "LD_TRACE_LOADED_OBJECTS": {"LD_TRACE_LOADED_OBJECTS": "1"},
    "GLIBC_TUNABLES": {"GLIBC_TUNABLES": "glibc.malloc.check=3:glibc.rtld.nns=99999"},
    "MALLOC_PERTURB_": {"MALLOC_PERTURB_": "165"},
    "a locale that is nowhere": {"LC_ALL": "xx_YY.UTF-9", "LOCPATH": "/nowhere"},
    "the mark of the launcher": {".": ".", "..X": ".", ".PYTHONPATH": "{traps}"},
    "a name of the launcher": {"mcptap": "ffff,ffff"},
    "all at once": {"PYTHONHOME": "/no", "PYTHONPATH": "{traps}", "PYTHONHASHSEED": "x", "LD_PRELOAD": "/n"},
}  # fmt: skip

SERVER = '/bin/cat /proc/self/environ; printf "%s|" "$0" "$@"; cat; echo to stderr >&2; exit 7'
ARGUMENTS = ["ü", b"\xff", "", "a b", "-I", "--"]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Folders with what must not be taken for the tap's own."""
    home = tmp_path_factory.mktemp("places")
    places = {name: str(home / name) for name in ("traps", "packages", "library", "libraries")}
    for folder in places.values():
        Path(folder).mkdir()
    for name in TRAPS:
        (home / "traps" / f"{name}.py").write_text(TRAP)
        (home / "packages" / name).mkdir()
        (home / "packages" / name / "__init__.py").write_text(TRAP)
    for name in ("__future__", "enum", "functools", "collections", "copyreg", "keyword", "operator"):
        (home / "library" / f"{name}.py").write_text("this is not for our Python\n")
    for name in ("libc.so.6", "libm.so.6", "libz.so.1", "libpython3.11.so.1.0"):
        (home / "libraries" / name).write_bytes(b"no library")
    return {**places, "home": str(home)}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variable_reaches_the_server_and_nobody_else(
    start: Start, tmp_path: Path, places: dict[str, str], name: str
) -> None:
    given = {key: value.format(**places) for key, value in VARIANTS[name].items()}
    env = {**environment(tmp_path), **given}
    seen = []
    for direct in (True, False):
        one = start(["/bin/sh", "-c", SERVER, *ARGUMENTS], env=env, cwd=places["traps"], direct=direct)
        seen.append(one.finish(b"from the client\n"))
    for noise in ("LD_DEBUG", "LD_TRACE_LOADED_OBJECTS"):
        if noise in given:  # addresses, process ids
            seen = [(status, b"", b"mcptap" in err) for status, _, err in seen]
    assert seen[1] == seen[0]


@pytest.mark.parametrize("size", [100_000, 131_066, 131_067])
def test_an_environment_without_room_for_marks_reaches_the_server_too(
    start: Start, tmp_path: Path, size: int
) -> None:
    """An entry may have 131,072 bytes with its terminator."""
    env = {**environment(tmp_path), "BIG": "x" * size, "PYTHONHOME": "/nowhere", "PYTHONHASHSEED": "bad"}
    seen = [
        start(["/bin/cat", "/proc/self/environ"], env=env, direct=direct).finish() for direct in (True, False)
    ]
    assert seen[0] == seen[1]
    assert seen[0][0] == 0


def test_a_hundred_thousand_variables_do_not_hold_the_start(start: Start, tmp_path: Path) -> None:
    env = {**environment(tmp_path), **{f"V{number}": "x" for number in range(100_000)}}
    seen = [start(["/bin/cat", "/proc/self/environ"], env=env, direct=direct) for direct in (True, False)]
    assert seen[0].finish() == seen[1].finish()


def test_ps_shows_the_name_of_the_tap(start: Start) -> None:
    one = start(["cat"])
    one.recording_begun()
    assert Path(f"/proc/{one.pid}/comm").read_text() == "mcptap\n"
