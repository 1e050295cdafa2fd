from __future__ import annotations

from mcptap.clients.habits import OwnLog


def test_a_log_is_named_for_the_platform_and_left_out_where_it_is_not_known():
    log = OwnLog("~/.cache/logs", macos="~/Library/Logs", windows="?")
    assert [log.on(name) for name in ("linux", "darwin", "win32")] == ["~/.cache/logs", "~/Library/Logs", ""]


def test_a_place_without_a_platform_of_its_own_is_the_same_everywhere():
    assert OwnLog("the Output panel").on("win32") == "the Output panel"
    assert OwnLog("?", macos="~/Library/Logs").on("linux") == ""
