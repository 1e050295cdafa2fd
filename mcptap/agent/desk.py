"""Where calls are answered: by the tool's own module, in words, whatever happens."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable

from mcptap.agent.answers.calls import calls
from mcptap.agent.answers.compare import compare
from mcptap.agent.answers.record import record
from mcptap.agent.answers.sessions import sessions
from mcptap.agent.answers.why import why
from mcptap.agent.arguments import Arguments, ToolError
from mcptap.agent.conversation import Call
from mcptap.agent.judging import Judging
from mcptap.agent.pace import OutOfTimeError, Pace, StoppedError
from mcptap.agent.settings import Settings
from mcptap.agent.shelf import Shelf
from mcptap.agent.tools import CALLS, COMPARE, RECORD, SESSIONS, WHY
from mcptap.agent.untrusted import Answer, clipped, harmless
from mcptap.errors import UserError
from mcptap.recording import made_here
from mcptap.text.units import size

Tool = Callable[[Shelf, Judging, Arguments, Pace], Answer]

_TOOLS: dict[str, Tool] = {SESSIONS: sessions, WHY: why, CALLS: calls, RECORD: record, COMPARE: compare}


class Desk:
    """Answers calls, each in a thread of its own."""

    def __init__(self, settings: Settings) -> None:
        self._shelf = Shelf(settings)
        self._judging = Judging()
        self._told_scope = False

    def answer(self, call: Call, pace: Pace) -> bytes:
        """The line that answers a call. Never raises."""
        pace.begin()
        try:
            made = _TOOLS[call.name](self._shelf, self._judging, Arguments(call.name, call.arguments), pace)
        except ToolError as error:
            return call.answer(f"{error}.", is_error=True)
        except UserError as error:  # a recording that is damaged, or gone
            return call.answer(harmless(clipped(made_here.masker().text(str(error)), 400)), is_error=True)
        except StoppedError:
            return call.answer("It was cancelled.", is_error=True)
        except OutOfTimeError:
            read = f"{size(pace.done)} of {size(max(pace.done, pace.total))}"
            return call.answer(
                f"The recording is large: only {read} was read in time, and what was asked for lies behind. "
                "The user can see it with mcptap show.",
                is_error=True,
            )
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            return call.answer(
                f"mcptap failed ({type(error).__name__}); the user can see why in its log.", is_error=True
            )
        if not self._told_scope:
            self._told_scope = True
            made.tail = [*dict.fromkeys((*made.tail, self._shelf.scope()))]
        return call.answer(made.text())
