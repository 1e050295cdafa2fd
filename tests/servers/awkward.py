"""Servers that do one awkward thing each: `awkward.py WHAT [ARGUMENTS…]`.

Written on raw descriptors, so that nothing but the system stands between them and the tap.
"""

import json
import os
import signal
import sys
import threading

REPLY = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


def write(data: bytes, fd: int = 1) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view[: 1 << 20]) :]


def read_line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            break
        line += byte
    return line


def read_all() -> bytes:
    pieces = []
    while piece := os.read(0, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def echo() -> None:
    """Give every chunk back as it came, on stdout."""
    while piece := os.read(0, 1 << 16):
        write(piece)


def echo_twice() -> None:
    """Give every chunk back as it came, on stdout and on stderr."""
    while piece := os.read(0, 1 << 16):
        write(piece)
        write(piece, 2)


def alternate(lines: str) -> None:
    """Read all, then write lines to stdout and stderr in turn; exit with 3."""
    read_all()
    for number in range(int(lines)):
        write(b"out %d\n" % number)
        write(b"err %d\n" % number, 2)
    os._exit(3)


def count_late() -> None:
    """Read everything, and only then say how much it was."""
    write(b"%d\n" % len(read_all()))


def count_at(name: str) -> None:
    """Read nothing until a signal comes; then read everything and say how much it was."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.Signals[name]})
    write(b"ready\n")
    signal.sigwait({signal.Signals[name]})
    count_late()


def reply_and_exit(code: str) -> None:
    """Exit after one line, with stdin still open."""
    read_line()
    write(REPLY)
    os._exit(int(code))


def open_descriptors(path: str) -> None:
    """Write to a file which of 0, 1 and 2 are open, and exit with 3."""
    found = []
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            continue
        found.append(fd)
    while (fd := os.open(path, os.O_CREAT | os.O_WRONLY)) < 3:
        pass
    os.write(fd, json.dumps(found).encode())
    os._exit(3)


def exit_at_once(code: str) -> None:
    os._exit(int(code))


def die(number: str) -> None:
    """Die by a signal."""
    signal.signal(int(number), signal.SIG_DFL) if int(number) not in (9, 19) else None
    os.kill(os.getpid(), int(number))
    signal.pause()


def signals(*names: str) -> None:
    """Say which signal came, as often as one comes; end at the end of stdin."""

    def until_the_end() -> None:
        read_all()
        write(b"end\n")
        os._exit(0)

    # Waited for, not handled: Python runs a handler only when its main thread gets around to it.
    numbers = {signal.Signals[name] for name in names}
    signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    threading.Thread(target=until_the_end).start()
    write(b"ready\n")
    while True:
        write(signal.Signals(signal.sigwait(numbers)).name.encode() + b"\n")


def diary(path: str, *names: str) -> None:
    """Note in a file each line of stdin, its end (and exit), and each of these signals."""
    numbers = {signal.Signals[name] for name in names}
    signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    notes = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(words: str) -> None:
        write(words.encode() + b"\n", notes)

    def read() -> None:
        while line := read_line():
            note(f"line {line.decode().strip()}")
        note("end")
        os._exit(0)

    note("ready")
    threading.Thread(target=read).start()
    while True:
        note(signal.Signals(signal.sigwait(numbers)).name)


def ask_for_a_password(path: str) -> None:
    """Ask on the terminal, however stdin is plumbed, and note how long the answer is."""
    import getpass

    length = len(getpass.getpass("password: "))
    with open(path, "a") as notes:
        notes.write(f"{length} characters\n")
    read_all()


def exit_at(name: str, code: str) -> None:
    """Exit with a code of its own when a signal comes."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.Signals[name]})
    write(b"ready\n")
    signal.sigwait({signal.Signals[name]})
    os._exit(int(code))


def stubborn() -> None:
    """Neither the end of stdin nor a closed stdout ends it; a signal does."""
    write(b"%d\n" % os.getpid())
    while True:
        signal.pause()


def pid_until_end() -> None:
    """Say the pid, and end at the end of stdin."""
    write(b"%d\n" % os.getpid())
    read_all()


def close_stdout() -> None:
    """Close stdout, live on, and say on stderr how much came."""
    write(REPLY)
    os.close(1)
    write(b"%d\n" % len(read_all()), 2)


def answer_after_end(size: str) -> None:
    """Begin to write only when stdin has ended."""
    read_all()
    write(b"y" * (int(size) - 1) + b"\n")


def flood(lines: str, size: str) -> None:
    """Write lines as fast as they are taken."""
    line = b'{"jsonrpc":"2.0","method":"n","params":"' + b"f" * (int(size) - 43) + b'"}\n'
    assert len(line) == int(size)
    for _ in range(int(lines)):
        write(line)


def flood_and_wait(lines: str, size: str) -> None:
    """The same, and then wait for the end of stdin."""
    flood(lines, size)
    read_all()


def both_ways(size: str) -> None:
    """Write so many bytes while reading as many."""
    data = b"w" * (int(size) - 1) + b"\n"
    writer = threading.Thread(target=write, args=(data,))
    writer.start()
    received = len(read_all())
    writer.join()
    write(b"%d\n" % received)


def flood_everywhere(begin: str, middle: str, end: str, size: str) -> None:
    """Write lines of many like parts on stdout and stderr while as many are read from stdin."""
    line = (begin + middle * (int(size) // max(1, len(middle))) + end).encode() + b"\n"
    threads = [threading.Thread(target=write, args=(line * 2, fd)) for fd in (1, 2)]
    for thread in threads:
        thread.start()
    read_all()
    for thread in threads:
        thread.join()


def view() -> None:
    """Tell as one JSON line what a process can see of how it was started."""
    with open("/proc/self/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    descriptors = {}
    for name in sorted(os.listdir("/proc/self/fd"), key=int):
        try:
            descriptors[name] = os.readlink(f"/proc/self/fd/{name}").split(":")[0]
        except OSError:
            continue  # the listing's own
    import resource

    with open("/proc/self/environ", "rb") as file:
        environment = sorted(entry.hex() for entry in file.read().split(b"\0") if entry)
    umask = os.umask(0)
    facts = {
        "argv": [os.fsencode(word).hex() for word in sys.argv],
        "environment": environment,
        "cwd": os.getcwd(),
        "umask": umask,
        "descriptors": descriptors,
        "blocked signals": status["SigBlk"],
        "ignored signals": status["SigIgn"],
        "group": os.getpgrp(),
        "session": os.getsid(0),
        "nice": os.nice(0),
        "limits": [resource.getrlimit(n) for n in range(resource.RLIM_NLIMITS)]
        if hasattr(resource, "RLIM_NLIMITS")
        else [resource.getrlimit(n) for n in range(16)],
    }
    write(json.dumps(facts).encode() + b"\n")
    read_all()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:] if sys.argv[1] != "view" else ())
