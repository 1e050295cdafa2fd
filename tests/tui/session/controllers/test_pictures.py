import os
from base64 import b64encode

from tests.helpers import END, call, handshake, record, result
from tests.tui.screens import at_rest, fed, opened, played, shown, until

PNG = b"\x89PNG\r\n\x1a\n" + b"pixels"
PAGE = b"<html>"


def test_pictures_are_known_by_their_bytes_and_go_where_the_user_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content = [
        {"type": "image", "data": b64encode(PNG).decode(), "mimeType": "text/html"},
        {"type": "image", "data": b64encode(PAGE).decode(), "mimeType": "image/png", "name": "../x.desktop"},
    ]
    steps = [*handshake(), ("c2s", call(1, "draw", {})), ("s2c", result(1, {"content": content})), *END]
    path = os.fspath(record(tmp_path / "x.jsonl", steps))
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    monkeypatch.setenv("TMPDIR", os.fspath(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    opener = tmp_path / "xdg-open"
    opener.write_text(
        f'#!/bin/sh\ncd {tmp_path} && echo "$1" > opened.part && exec /bin/mv opened.part opened\n'
    )
    opener.chmod(0o700)
    opener.with_name("open").symlink_to(opener)

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            i = next(i for i in range(len(screen.feed.index)) if b'"draw"' in screen.feed.index.read(i))
            screen.cursor.go_to(i)
            await pilot.press("I")
            await at_rest(pilot)
            text = "\n".join(shown(pilot))
            assert "1 open 1 (png, 14 B)" in text
            assert "save 2 (data of no known picture, 6 B)" in text
            assert "open 2" not in text
            await pilot.press("1")
            await until(pilot, (tmp_path / "opened").exists)
            await pilot.press("I")
            await at_rest(pilot)
            await pilot.press("3")
            await until(pilot, lambda: pilot.app.screen.query("#path"))
            await pilot.press("enter")
            await until(pilot, lambda: list(tmp_path.glob("weather-*.bin")))

    played(play())
    shown_file = (tmp_path / "opened").read_text().strip()
    assert os.path.basename(shown_file).startswith("weather-")
    assert shown_file.endswith("-1.png")
    assert os.stat(os.path.dirname(shown_file)).st_mode & 0o777 == 0o700
    with open(shown_file, "rb") as file:
        assert file.read() == PNG
    assert next(tmp_path.glob("weather-*-2.bin")).read_bytes() == PAGE
