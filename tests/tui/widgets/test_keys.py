"""The one table of keys."""

from collections import Counter

import pytest

from mcptap.tui.app import TapApp
from mcptap.tui.calls.screen import CallsScreen
from mcptap.tui.compare.screen import DiffScreen
from mcptap.tui.recordings.screen import SessionsScreen
from mcptap.tui.run.launch_form import LaunchForm
from mcptap.tui.run.resend_screen import ResendScreen
from mcptap.tui.run.screen import RunScreen
from mcptap.tui.runs.screen import RunOverview
from mcptap.tui.runs.timeline import RunTimeline
from mcptap.tui.session.tabs import TAB_KEYS
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.detail import Detail
from mcptap.tui.widgets.keys import (
    ANSWERS,
    CALLS,
    DETAIL,
    DIFF,
    EVERYWHERE,
    FINDINGS,
    FORM,
    KEYS,
    LIST,
    RUN,
    RUNS,
    SESSIONS,
    TIMELINE,
    Key,
    bindings,
    footer,
)
from mcptap.tui.widgets.line_list import LineList

OWNERS = {
    LIST: LineList,
    TIMELINE: Timeline,
    DETAIL: Detail,
    FINDINGS: LineList,
    CALLS: CallsScreen,
    SESSIONS: LineList,
    FORM: LaunchForm,
    RUN: RunScreen,
    RUNS: RunTimeline,
    ANSWERS: ResendScreen,
    DIFF: DiffScreen,
    EVERYWHERE: TapApp,
}
"""Whose actions the keys of a place are; those of a session are tested with its screen."""


SCREENS = {SESSIONS: SessionsScreen, RUNS: RunOverview}
"""Whose actions those are that a place has of its screen."""

ACTIONS = [
    key for key in KEYS if key.where in OWNERS and (key.where in SCREENS or "screen." not in key.action)
]


@pytest.mark.parametrize("key", ACTIONS, ids=lambda key: key.action)
def test_every_key_has_an_action(key):
    target, _, name = key.action.partition("(")[0].rpartition(".")
    owner = {"app": TapApp, "screen": SCREENS.get(key.where, SessionsScreen), "": OWNERS[key.where]}[target]
    # Keys of the place "Everywhere" and help on a form are the app's.
    assert any(callable(getattr(each, f"action_{name}", None)) for each in (owner, TapApp))


def test_no_place_has_two_meanings_for_one_key():
    for where in {key.where for key in KEYS}:
        keys = [name for key in (*KEYS, *TAB_KEYS) if key.where == where for name in key.keys.split(",")]
        assert [name for name, times in Counter(keys).items() if times > 1] == []


def test_every_key_says_what_it_does():
    assert all(key.help and key.label and key.display for key in KEYS)


@pytest.mark.parametrize(
    ("keys", "shown"),
    [("down,j", "↓ j"), ("ctrl+f", "^f"), ("shift+tab", "⇧tab"), ("pagedown,G", "PgDn G")],
)
def test_keys_are_written_for_people(keys, shown):
    assert Key(LIST, keys, "x", "x", "x").display == shown
    assert Key(LIST, keys, "x", "x", "x", shown="!").display == "!"


def test_bindings_are_those_of_the_places():
    made = bindings(TIMELINE, LIST)
    assert len(made) == len({(key.keys, key.action) for key in KEYS if key.where in (TIMELINE, LIST)})
    assert not any(binding.show for binding in made)


def test_the_footer_has_the_most_special_meaning_of_a_key_and_its_order():
    keys = footer(ANSWERS, RUN, EVERYWHERE)
    assert [key.where for key in keys if key.keys == "escape"] == [RUN]
    assert [key.footer for key in keys] == sorted(key.footer for key in keys)
    assert all(key.footer for key in keys)
