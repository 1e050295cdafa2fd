"""The one exception that is meant for people."""


class UserError(Exception):
    """Something the user can mend. The text is one sentence: what, where, what to do."""
