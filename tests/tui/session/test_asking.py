"""Who does what was typed into the prompt."""

from types import SimpleNamespace

import pytest

from mcptap.tui.session.asking import Asking
from mcptap.tui.widgets.prompt import Prompt


class Done:
    """Stands for a controller: what it was told, in order."""

    def __init__(self, told, name, answer=True):
        self.told, self.name, self.answer = told, name, answer

    def __getattr__(self, what):
        def do(*words):
            self.told.append((self.name, what, *words))
            return self.answer

        return do


def stage(*, is_understood=True, is_asked=False):
    told = []
    search, page = Done(told, "search"), Done(told, "page")
    page.lines, search.asked = "detail", page if is_asked else None
    screen = SimpleNamespace(set_focus=lambda widget: told.append(("focus", widget)))
    filtered = Done(told, "filter", is_understood)
    return Asking(screen, "timeline", filtered, search, Done(told, "jump")), told


@pytest.mark.parametrize(
    ("mode", "first", "focus"),
    [
        ("search", "search", "timeline"),
        ("page", "page", "detail"),
        ("findings", "page", "detail"),
        ("jump", "jump", "timeline"),
    ],
)
def test_a_text_goes_to_who_asked_for_it_and_the_focus_to_the_pane_that_it_is_about(mode, first, focus):
    asking, told = stage(is_asked=True)
    asking.take(Prompt.Changed(mode, "1"))
    assert not told
    asking.take(Prompt.Entered(mode, "12"))
    assert told == [("filter", "remind"), ("focus", focus), (first, "entered", "12")]
    told.clear()
    asking.take(Prompt.Entered(mode, ""))
    asking.take(Prompt.Left(mode, "12"))
    assert told == [("filter", "remind"), ("focus", focus)] * 2


def test_a_filter_applies_while_it_is_typed_and_holds_the_focus_until_it_is_understood():
    asking, told = stage()
    asking.take(Prompt.Changed("filter", "a"))
    asking.take(Prompt.Entered("filter", "ab"))
    asking.take(Prompt.Left("filter", "ab"))
    focus = ("focus", "timeline")
    assert told == [("filter", "typed", "a"), ("filter", "entered", "ab"), focus, ("filter", "left"), focus]
    asking, told = stage(is_understood=False)
    asking.take(Prompt.Entered("filter", "(("))
    assert told == [("filter", "entered", "((")]
