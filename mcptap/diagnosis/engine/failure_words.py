"""How the text of a tool's result looks that tells a failure as if it were data."""

from __future__ import annotations

import re

SHORT_TEXT = 400
"""Up to how many characters a text may be a failure that is told as data."""

_BEGINS = re.compile(
    r"""^[\W_]*(?:
        (?:error|exception|traceback|fatal|failed|failure|invalid|cannot|can['’]t|could\ not|unable\ to|
           not\ found|access\ denied|permission\ denied|unauthorized|forbidden|timed\ out)\b
          (?![\s:=-]*(?:0|none|no|nil|false|never)\b)
          (?![\s-]+(?:rates?|counts?|logs?|free|margins?|budgets?|handling|messages?|codes?|bars?|types?|reports?)\b)
      | err:
      | unknown(?:\s+[\w-]+){1,3}\s*:?\s*['"‘“`«]
    )""",
    re.I | re.X,
)


def begins_like_failure(text: str) -> bool:
    """Whether a text begins with words for a failure."""
    return _BEGINS.match(text) is not None


def may_tell_failure(text: str, tool: str) -> bool:
    """Whether the text of such a result of this tool may tell a failure; if not, no rule takes it for one."""
    return len(text) <= SHORT_TEXT and (
        (tool != "" and tool in text) or begins_like_failure(text) or text.lstrip()[:1] == "{"
    )
