import json
import os

import pytest

from tests.helpers import END, call, handshake, record, text_result
from tests.tui.screens import at_rest, fed, opened, played, shown, until
from tests.tui.weather import CALL, NOISE


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("TERM_PROGRAM", raising=False)


def copied(pilot, words):
    """What is copied by the option with these words."""
    screen = pilot.app.screen
    next(do for said, do in screen.copying.options(screen.timeline.record) if words in said)()
    return pilot.app.clipboard


def test_text_value_path_finding_command_entry_and_test_can_be_copied_without_secrets(path, terminal):
    async def play():
        async with opened(fed(path), (160, 30)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == CALL)
            assert copied(pilot, "the text of the answer") == "first line\nsecond 漢字 🙂 line"
            assert copied(pilot, "that sends") == f"mcptap send {path} --only {CALL + 1}"
            assert list(json.loads(copied(pilot, "an entry of .mcp.json"))["mcpServers"]) == ["weather"]
            test = copied(pilot, "a test in Python")
            compile(test, "stub", "exec")
            assert "s3cret" not in test
            assert "were masked: fill them in" in test
            await pilot.press("enter")
            for word, wanted in (("Zürich", "Zürich"), ("s3cret", "‹masked:")):
                screen.search.page.entered(word)
                value = copied(pilot, "the value .params.arguments.")
                assert wanted in value
                assert "s3cret" not in value
            assert copied(pilot, "its path") == ".params.arguments.token"
            screen.set_focus(screen.timeline)
            screen.cursor.go_to(NOISE)
            finding = copied(pilot, "the finding ")
            assert "stdout-not-json" in finding
            assert "\n→ " in finding
            await pilot.press("y")
            await at_rest(pilot)
            line = next(line for line in shown(pilot) if "the raw line" in line)
            await pilot.press(line.partition(" the raw line")[0][-1])
            await until(pilot, lambda: pilot.app.clipboard == "\x1b[31mLoading model\x1b[0m")
            await until(pilot, lambda: any("(OSC 52)" in line for line in shown(pilot)))

    played(play())


def test_a_long_answer_is_copied_whole_into_the_first_clipboard_that_takes_it(tmp_path, monkeypatch):
    text = "x" * 600_000
    line = json.dumps(text_result(1, text)).encode() + b"\n"
    steps = [*handshake(), ("c2s", call(1, "f", {}))]
    steps += [("s2c", line[k : k + 65536]) for k in range(0, len(line), 65536)]
    steps += [("c2s", call(2, "g", {})), ("s2c", text_result(2, "short"))]
    path = os.fspath(record(tmp_path / "x.jsonl", [*steps, *END]))
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, body in (("wl-copy", "exit 1"), ("xclip", f'cat > "{tmp_path}/clip"')):
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o700)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("WAYLAND_DISPLAY", "x")
    monkeypatch.setenv("DISPLAY", "x")

    async def play():
        async with opened(fed(path), (120, 30)) as (pilot, screen):
            index, clip = screen.feed.index, tmp_path / "clip"
            answer = next(i for i in range(len(index)) if index.sizes[i] > 1 << 19)
            screen.cursor.go_to(answer)
            copied(pilot, "the raw line")
            assert clip.read_bytes() == line.strip()
            # What is long is masked beside the screen.
            monkeypatch.setattr("mcptap.tui.export.aside.LONG", 10)
            screen.cursor.go_to(next(i for i in range(len(index)) if b"short" in index.read(i)))
            copied(pilot, "the text of the answer")
            await until(pilot, lambda: clip.read_bytes() == b"short")
            await until(pilot, lambda: any("the clipboard (xclip)" in line for line in shown(pilot)))

    played(play())


def test_of_a_folded_run_all_lines_are_copied_marked_exported_and_opened(tmp_path, terminal, monkeypatch):
    import contextlib

    said = [b"one\n", b"password: hunter2-hunter2\n", b"\x1b[1mthree\n", b"four\n", b"five\n"]
    path = os.fspath(record(tmp_path / "x.jsonl", [*handshake(), *(("stderr", line) for line in said), *END]))
    monkeypatch.setenv("PAGER", f"cp -t {tmp_path} --backup=numbered")

    async def play():
        async with opened(fed(path), (120, 30)) as (pilot, screen):
            timeline = screen.timeline
            timeline.go(5)
            assert timeline.run == range(5, 10)
            masked = copied(pilot, "the 5 lines of stderr")
            assert masked.splitlines()[0] == "one"
            assert len(masked.splitlines()) == 5
            assert "hunter2" not in masked
            assert copied(pilot, "5 lines as on the wire") == b"".join(said).decode()
            assert copied(pilot, "5 records, as in the file").count('"k":"line"') == 5
            assert ("these 5 lines of stderr", [5, 6, 7, 8, 9]) in screen.export._selection()
            await pilot.press("m")
            assert timeline.marked == {5, 6, 7, 8, 9}
            monkeypatch.setattr(pilot.app, "suspend", contextlib.nullcontext)
            timeline.go(5)
            await pilot.press("V", "m")
            assert not timeline.marked
            await until(pilot, lambda: list(tmp_path.glob("mcptap-*")))

    played(play())
    text = next(tmp_path.glob("mcptap-*")).read_text()
    assert text.splitlines()[2:] == ["␛[1mthree", "four", "five"]
