"""The one exception that is meant for people."""


class UserError(Exception):
    """Something the user can mend. The text is one sentence: what, where, what to do.

    `details` are lines below it.
    """

    def __init__(self, sentence: str, *details: str) -> None:
        super().__init__(sentence)
        self.details = details
