from tests.tui.screens import fed, opened, played, until
from tests.tui.weather import CALL, NOISE


def test_a_copy_goes_to_the_terminals_clipboard(path, monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("TERM_PROGRAM", raising=False)

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(NOISE)
            await pilot.press("y")
            await pilot.pause()
            await pilot.press("2")
            await until(pilot, lambda: pilot.app.clipboard == "\x1b[31mLoading model\x1b[0m")

    played(play())


def test_an_export_is_written_without_secrets(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("m", "e")
            await pilot.pause()
            await pilot.press("1")
            await until(pilot, lambda: list(tmp_path.glob("*.md")))

    played(play())
    text = next(tmp_path.glob("*.md")).read_text()
    assert "Zürich" in text
    assert "s3cret" not in text
    assert 'Masked: value of "token" ×1.' in text


def test_the_pager_gets_a_file_without_control_sequences(path, tmp_path, monkeypatch):
    import contextlib

    monkeypatch.setenv("PAGER", f"cp -t {tmp_path} --backup=numbered")

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            monkeypatch.setattr(pilot.app, "suspend", contextlib.nullcontext)
            screen.cursor.go_to(NOISE)
            await pilot.press("V")
            await until(pilot, lambda: list(tmp_path.glob("mcptap-*")))

    played(play())
    text = next(tmp_path.glob("mcptap-*")).read_text()
    assert text == "␛[31mLoading model␛[0m"
