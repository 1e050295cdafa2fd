"""The tabs of the detail pane: a module each, listed here in the order in which they are shown."""

from __future__ import annotations

from mcptap.tui.session.tabs.bytes import BytesTab
from mcptap.tui.session.tabs.capabilities import CapabilitiesTab
from mcptap.tui.session.tabs.launch import LaunchTab
from mcptap.tui.session.tabs.message import MessageTab
from mcptap.tui.session.tabs.statistics import StatisticsTab
from mcptap.tui.session.tabs.tab import Tab
from mcptap.tui.session.tabs.tools import ToolsTab
from mcptap.tui.widgets.keys import SESSION, Key

TABS: tuple[Tab, ...] = (
    MessageTab(),
    BytesTab(),
    LaunchTab(),
    CapabilitiesTab(),
    StatisticsTab(),
    ToolsTab(),
)

TAB_KEYS = tuple(Key(SESSION, tab.key, f"tab('{tab.name}')", tab.name, tab.help) for tab in TABS)
"""Their rows of the table of keys."""
