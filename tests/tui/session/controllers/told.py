"""A stand-in for the screen, for tests of controllers by themselves."""


class Told:
    """Keeps what the user was told."""

    def __init__(self):
        self.words = []

    def notify(self, words, **options):
        self.words.append(words)
