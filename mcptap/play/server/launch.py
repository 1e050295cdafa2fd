"""How a server is started: its command, folder and environment; and why a start failed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcptap.masking.command_line import WordMasker
from mcptap.recording.made_here import installation_key
from mcptap.shim.resolve import NOT_EXECUTABLE, NOT_FOUND, explain, find_program


@dataclass(frozen=True, slots=True)
class Launch:
    """How a server is started; `env` and `cwd` are this process's own if None."""

    argv: Sequence[str]
    cwd: str | None = None
    env: Mapping[str, str] | None = None
    secrets: Sequence[str] = ()
    """Values in `argv` that are shown and recorded masked, whatever they look like."""

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment that the server gets."""
        return os.environ if self.env is None else self.env

    @property
    def program(self) -> str | None:
        """The file that the command names, searched as the start will; None if there is none."""
        found = find_program(self._wanted, self._environment_bytes)
        return None if found is None else os.fsdecode(found)

    @property
    def shown(self) -> list[str]:
        """The command line with masks in place of its secrets."""
        masker = WordMasker(installation_key, self.secrets)
        return [os.fsdecode(word) for word in masker.words([os.fsencode(word) for word in self.argv])[0]]

    def why_not_started(self, error: Exception) -> tuple[str, int]:
        """One sentence for a start that failed, and the exit status of a shell for it."""
        sentence, status = self._why_not_started(error)
        return sentence.replace(repr(self.argv[0]), repr(self.shown[0])), status

    def _why_not_started(self, error: Exception) -> tuple[str, int]:
        command = self.argv[0]
        if self.cwd is not None and not os.path.isdir(self.cwd):
            return (
                f"cannot start {command!r}: its working directory {self.cwd!r} is no folder",
                NOT_EXECUTABLE,
            )
        if not isinstance(error, OSError):
            return f"cannot start {command!r}: {error}", NOT_EXECUTABLE
        if command and " " not in command and os.sep not in command and self.program is None:
            path = self.environment.get("PATH", os.defpath)
            return (
                f"cannot start {command!r}: there is no such program on the PATH it gets ({path}); "
                "give its absolute path",
                NOT_FOUND,
            )
        return explain(self._wanted, self._environment_bytes, error.errno or 0)

    @property
    def _wanted(self) -> bytes:
        """The command as it is looked for: the server's process changes its directory first."""
        command = self.argv[0]
        if os.sep in command and self.cwd is not None:
            command = os.path.join(self.cwd, command)
        return os.fsencode(command)

    @property
    def _environment_bytes(self) -> dict[bytes, bytes]:
        return {os.fsencode(name): os.fsencode(value) for name, value in self.environment.items()}
