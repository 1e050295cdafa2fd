"""One session: the pieces put together around a server that is starting, until it is gone."""

from __future__ import annotations

import os
import time
from _thread import allocate_lock, start_new_thread

from mcptap.recording.arguments import relative_path
from mcptap.recording.file import RecordingFile
from mcptap.recording.format import events
from mcptap.recording.paths import recording_paths
from mcptap.recording.writer import ChannelRecorder, Recorder
from mcptap.shim.descriptors import close_and_keep_number
from mcptap.shim.launch import Launch
from mcptap.shim.notices import Notices
from mcptap.shim.pumps import Pump
from mcptap.shim.start import STDERR_FD, STDIN, STDOUT, Start, resolve, system
from mcptap.text.escape import excerpt
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable

    from mcptap.recording.writer import Observer
    from mcptap.shim.divert.aside import Aside
    from mcptap.shim.divert.divert import Divert
    from mcptap.shim.options import Options
    from mcptap.shim.watch import Watch

QUIET_AFTER_EXIT_NS = 200_000_000
"""A process that the server left may hold its stdout; so long without a byte, and we leave."""

LISTENING_NS = 1_000_000_000
"""If such a process goes on writing it is listened to for so long: the client is to learn of the end."""

ASKED_NS = 3_000_000_000
"""So long after a signal the end of a server is put down to it: clients wait for two seconds."""


class Session:
    """One server process from its start to its end."""

    def __init__(self, options: Options, start: Start) -> None:
        self.start = start
        program = resolve.find_program(start.argv[0], start.environ)
        self.launch = Launch(
            start.argv, program, start.environ, options.name, start.stdio, start.begun, options.record_secrets
        )
        self.launch.unrecorded = [CLIENT_TO_SERVER] if start.gives_terminal else []
        self.launch.joined = start.joins_output
        self.launch.divert = options.divert and not start.one_output and "closed" not in start.stdio[STDOUT:]
        quiet = options.quiet or start.one_output or start.stdio[STDERR_FD] == "closed"
        self.notices = Notices(STDERR_FD, quiet, self.launch.masker.sentence)
        self.file = None
        if not options.no_record:
            self.file = RecordingFile(
                recording_paths(options.record, self.launch.name, self.launch.wall_ns),
                self.launch.header,
                self.notices.say,
            )
        self.recorder = Recorder(self.launch.start_ns, self.file)
        self.watch = None if quiet else _watch(self.notices, self.recorder, self.launch.masker.text)
        self.divert = _divert(self.notices) if self.launch.divert else None
        self.pumps: list[Pump] = []
        self.asked_to_end = False
        self._asked_last = (0, 0)
        """The last signal that asked the server to end, and when it came."""

    def run(self) -> int:
        """Stay until the server is gone, and leave as it did; return only if it was not started."""
        child = self.start.child
        if child is None:
            return self._run_unrecorded(self.start.trouble)
        try:
            child.confirm()
        except system.CannotStart as failure:
            return self._could_not_start(failure.code)
        started_ns = time.monotonic_ns()
        gate = allocate_lock()
        with gate:
            try:
                self._start_pumps(self.start.outer, gate)
            except RuntimeError as error:  # no more threads
                self.start.end_unused()
                return self._run_unrecorded(str(error))
            self.start.close_servers_ends()
            self.recorder.event(events.spawn(child.pid))
        self._look_for_paths()
        self._say_hello()
        status = self._wait_for_end(child.pid)
        self.asked_to_end = self._was_asked_to_end(status)
        try:
            left = self._clean_up()
            self._record_exit(status, time.monotonic_ns() - started_ns, left)
        finally:
            system.leave(status)
        return 0

    def _watch_has_seen(self, watch: Watch) -> None:
        """Tell the watch what it could not see: lines still on their way, and channels that never were."""
        pumps = {pump.channel: pump for pump in self.pumps}
        if CLIENT_TO_SERVER in pumps and pumps[CLIENT_TO_SERVER].writing:
            watch.last_lines_undelivered()
        answers = pumps.get(SERVER_TO_CLIENT)
        if answers is None or not (answers.wait(0) or answers.is_idle(0)):
            watch.lines_missed()

    def _start_pumps(self, outer: list[int], gate: LockType) -> None:
        asked: Observer | None = self.watch.client_lines if self.watch else None
        if self.divert is not None:
            self.divert.aside.start()
            asked = self.divert.observer(asked)
        answered = self.watch.server_lines if self.watch else None
        self._add_pump(STDIN, outer[STDIN], CLIENT_TO_SERVER, asked, self._stdin_ended)
        self._add_pump(outer[STDOUT], STDOUT, SERVER_TO_CLIENT, answered, self._stdout_ended)
        self._add_pump(outer[STDERR_FD], STDERR_FD, STDERR, None, self._stderr_ended, self.notices)
        if self.watch is not None and (outer[STDIN] < 0 or self.launch.stdio[STDIN] == "null"):
            self.watch.client_ended()  # it never was there, or comes and goes unseen
        for pump in self.pumps:
            pump.start(gate)

    def _run_unrecorded(self, reason: str) -> int:
        """Let the server take our place: without descriptors, processes or threads for a tap, it
        may still do with those there are.
        """
        why = f"cannot stand in between ({reason}); the server runs unrecorded"
        self.notices.say(why)
        self._record_gap(why, rest=True)
        return self._could_not_start(self.start.become_server())

    def _add_pump(
        self,
        source: int,
        sink: int,
        channel: str,
        observer: Observer | None,
        on_end: Callable[[Pump, bool], None],
        notices: Notices | None = None,
    ) -> None:
        if source < 0 or sink < 0:
            return  # this channel was closed when we were started
        if self.divert is not None and channel == SERVER_TO_CLIENT:
            self.pumps.append(
                self.divert.pump(source, sink, self.recorder, observer, on_end, self._recording_broke)
            )
            return
        records = ChannelRecorder(self.recorder, channel, observer)
        speaks = self.divert.aside if notices and self.divert is not None else notices
        around = (speaks.server_writes, speaks.server_wrote) if speaks else (None, None)
        self.pumps.append(
            Pump(source, sink, channel, self.recorder, records, on_end, self._recording_broke, *around)
        )

    def _stdin_ended(self, pump: Pump, receiver_gone: bool) -> None:
        if not receiver_gone:
            self._client_left()
        elif self.watch is not None:
            self.watch.last_lines_undelivered()
        os.close(pump.sink)
        if receiver_gone:
            close_and_keep_number(STDIN)  # so that the client's next write fails, as it would directly

    def _stdout_ended(self, pump: Pump, receiver_gone: bool) -> None:
        if receiver_gone:
            self._client_left()
        os.close(pump.source)  # so that the server's next write fails, if the client is gone
        if receiver_gone:
            return
        if self.start.joins_output:
            close_and_keep_number(STDOUT, STDERR_FD)
        else:
            close_and_keep_number(STDOUT)

    def _stderr_ended(self, pump: Pump, receiver_gone: bool) -> None:
        os.close(pump.source)
        if self.divert is not None:
            if receiver_gone:
                self.divert.aside.receiver_gone()
        elif self.notices.quiet:  # else our own stderr stays, for what is still to be said
            close_and_keep_number(STDERR_FD)

    def _client_left(self) -> None:
        """Note that the client left, before the server learns of it; unless it did as the server was gone."""
        child = self.start.child
        if self.watch is not None and child is not None and not system.has_ended(child.pid):
            self.watch.client_ended()

    def _recording_broke(self, channel: str, error: Exception) -> None:
        why = f"recording {channel} failed ({type(error).__name__}: {error}); traffic goes on unrecorded"
        self.notices.say(why)
        if self.watch is not None:
            self.watch.lines_missed()
        self._record_gap(why)

    def _record_gap(self, why: str, rest: bool = False) -> None:
        """Say that from now on something is not recorded (with `rest`: nothing)."""
        self.recorder.event(events.gap(0, 0, self.recorder.now()[0], why, rest))

    def _look_for_paths(self) -> None:
        """Record which relative paths of the command line are there: later nobody can tell.

        In a thread that nobody waits for, since a mount that hangs would hold what looks at it.
        """
        paths = [(index, path) for index, path in enumerate(map(relative_path, self.launch.argv)) if path]
        if paths and self.file is not None:
            try:
                start_new_thread(self._record_paths, (paths,))
            except RuntimeError:  # no more threads: it is not worth one
                return

    def _record_paths(self, paths: list[tuple[int, bytes]]) -> None:
        found: list[int] = []
        missing: list[int] = []
        for index, path in paths:
            try:
                os.stat(path)
            except (FileNotFoundError, NotADirectoryError):
                missing.append(index)
            except (OSError, ValueError):  # it may be there
                continue
            else:
                found.append(index)
        self.recorder.event(events.paths(found, missing))

    def _say_hello(self) -> None:
        command = " ".join([excerpt(word, 60) for word in self.launch.shown])
        cwd = self.launch.masker.text(self.launch.cwd)
        place = f"to {self.file.path}" if self.file is not None and self.file.path else "nothing"
        aside = "; what is no message on stdout goes to stderr (--divert)" if self.divert is not None else ""
        but = "; not what is typed: the terminal is the server's own" if self.start.gives_terminal else ""
        self.notices.say(
            f"started {excerpt(command, 400)} in {excerpt(cwd, 200) or 'a deleted folder'}; "
            f"recording {place}{but}{aside}"
        )

    def _could_not_start(self, code: int) -> int:
        command = self.launch.argv[0]
        sentence, status = resolve.explain(command, self.launch.environ, code)
        if self.launch.shown[0] != command:  # a whole command line, given as one word
            masked, exact = repr(os.fsdecode(self.launch.shown[0])), repr(os.fsdecode(command))
            sentence = self.launch.masker.sentence(sentence.replace(exact, masked))
        self.recorder.event(events.failed_spawn(code, excerpt(sentence, 2000), status))
        self.recorder.close()
        if self.launch.stdio[STDERR_FD] != "closed":
            # Said even if told to be quiet: a direct start would have failed aloud.
            Notices(STDERR_FD, quiet=False).say(excerpt(sentence, 2000))
        os._exit(status)

    def _wait_for_end(self, pid: int) -> int:
        """Pass signals on until the server is gone; return its wait status."""
        signals = self.start.signals
        job = system.job_of(pid, self.start.gives_terminal)
        stopping = 0
        while True:
            caught = signals.wait()
            if caught is not None and caught[0] != system.CHILD_ENDED:
                number, sender, from_terminal = caught
                if number in system.ENDING and number not in signals.ignored:
                    self._asked_last = number, time.monotonic_ns()
                # As with lines: recorded before it goes on, so it stands before what the server does then.
                group = job.moved_to() if from_terminal or number == system.CONTINUING else 0
                receiver = -group if from_terminal or group else pid
                self.recorder.event(events.signal(system.signal_name(number), sender, receiver != 0))
                if receiver:
                    system.send(receiver, number)
                stopping = number if number in system.STOPPING else 0
            if stopping and system.is_stopped(pid):
                system.stop(stopping)
                stopping = 0
            status = system.reap(pid)
            if status is not None:
                job.over()
                return status

    def _was_asked_to_end(self, status: int) -> bool:
        """Whether a signal is why the server is gone, and not one that it handled long ago."""
        number, when_ns = self._asked_last
        if not when_ns or number == system.death_signal(status):
            return bool(when_ns)
        went_on = any(pump.channel == CLIENT_TO_SERVER and pump.moved_ns > when_ns for pump in self.pumps)
        return not went_on and time.monotonic_ns() - when_ns < ASKED_NS

    def _clean_up(self) -> list[int]:
        """See that what the server wrote arrives, and end what it left behind if it was to end.

        Returns the pids of processes that are left running.
        """
        if self.asked_to_end and system.has_children():
            system.end_tree(self.start.signals, self.start.earlier)
        self._drain()
        for pump in self.pumps:
            pump.let_go()
        return system.descendants(self.start.earlier) if system.has_children() else []

    def _drain(self) -> None:
        """Wait until all that the server wrote was forwarded, however slow the client is.

        A process that the server left may hold its end open: it is not waited for if it does
        not write, and not for long if it does. A client that wanted the server gone and does
        not read is not waited for either, and a signal that would have ended the server ends
        this as well.
        """
        begun = time.monotonic_ns()
        outputs: list[Pump | Aside] = [pump for pump in self.pumps if pump.channel != CLIENT_TO_SERVER]
        if self.divert is not None:
            outputs.append(self.divert.aside)
        while not all(pump.wait(0.02) for pump in outputs):
            caught = self.start.signals.wait(0)
            if caught is not None and caught[0] in system.ENDING:
                return
            passed = time.monotonic_ns() - begun
            # Not at once: a chunk may just have been read by a thread that waits for its turn.
            if passed > QUIET_AFTER_EXIT_NS and all(
                pump.wait(0)
                or pump.is_idle(QUIET_AFTER_EXIT_NS)
                or (pump.writing and self.asked_to_end)
                or (passed > LISTENING_NS and pump.has_delivered())
                for pump in outputs
            ):
                return

    def _record_exit(self, status: int, life_ns: int, left: list[int]) -> None:
        how, code, signal_name = system.describe(status)
        self.recorder.event(events.exited(code, signal_name, life_ns // 1000, left))
        if self.watch is not None:
            self._watch_has_seen(self.watch)
            self.watch.server_ended(how, code != 0, self.asked_to_end, not left)
        if left:
            pids = ", ".join(map(str, left))
            self.notices.say(f"the started process is gone but left processes running: {pids}")
        self.notices.close()
        self.recorder.close()


def _divert(notices: Notices) -> Divert:
    """Imported only if it was asked for."""
    from mcptap.shim.divert.divert import Divert

    return Divert(STDERR_FD, notices)


def _watch(notices: Notices, recorder: Recorder, hide: Callable[[bytes], bytes]) -> Watch:
    """Imported only if there is somebody to listen."""
    from mcptap.shim.watch import Watch

    return Watch(notices.say, lambda: recorder.numbers_lines, hide)
