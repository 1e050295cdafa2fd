from mcptap.tui.session.controllers.export import ExportController
from mcptap.tui.session.timeline import Timeline
from tests.tui.screens import at_rest, fed, indexed, opened, played, shown, until
from tests.tui.session.controllers.told import Told
from tests.tui.weather import CALL, NOISE


def test_an_export_is_written_without_secrets(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("m", "e")
            await pilot.pause()
            await pilot.press("1")
            await until(pilot, lambda: pilot.app.screen.query("#path"))
            await pilot.press("enter")
            await until(pilot, lambda: list(tmp_path.glob("weather-*.md")))

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


def test_marking_goes_on_to_the_next_record_and_a_second_time_takes_the_mark_away(path):
    timeline = Timeline(indexed(path))
    export = ExportController(Told(), timeline)
    export.mark()
    export.mark()
    assert timeline.marked == {0, 1}
    timeline.go(0)
    export.mark()
    assert timeline.marked == {1}


def test_what_can_be_exported_is_what_is_marked_shown_or_under_the_cursor(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            screen.timeline.marked = {2, 3}
            await pilot.press("e")
            await at_rest(pilot)
            text = "\n".join(shown(pilot))
            for words in ("2 marked records", "record 8", "the request and its answer", "all 18 records"):
                assert words in text

    played(play())


def test_a_path_that_cannot_be_written_is_told_of_and_another_one_can_be_given(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.jsonl").write_text("mine")

    async def play():
        async with opened(fed(path)) as (pilot, _):
            await pilot.press("e")
            await pilot.pause()
            await pilot.press("2")
            await until(pilot, lambda: pilot.app.screen.query("#path"))
            box = pilot.app.screen.query_one("#path")
            for name, words in (("no/such/x.jsonl", "No such file"), ("there.jsonl", "such a file already")):
                box.value = name
                await pilot.press("enter")
                await until(pilot, lambda words=words: any(words in line for line in shown(pilot)))
            box.value = ""
            await pilot.press("enter")
            await until(pilot, lambda: any("Written to" in line for line in shown(pilot)))

    played(play())
    assert (tmp_path / "there.jsonl").read_text() == "mine"
    (export,) = tmp_path.glob("weather-*.jsonl")
    assert export.stat().st_mode & 0o777 == 0o600


def test_a_large_export_is_masked_beside_the_screen_and_refused_at_once_where_it_cannot_be_written(
    path, tmp_path, monkeypatch
):
    from mcptap.tui.export import aside

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(aside, "LONG", 1)

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("m", "e")
            await pilot.pause()
            await pilot.press("1")
            await until(pilot, lambda: pilot.app.screen.query("#path"))
            box, proposed = pilot.app.screen.query_one("#path"), pilot.app.screen.query_one("#path").value
            box.value = "no/such/x.md"
            await pilot.press("enter")
            await until(pilot, lambda: any("No such file" in line for line in shown(pilot)))
            box.value = proposed
            await pilot.press("enter")
            await until(pilot, lambda: any("Written to" in line for line in shown(pilot)))

    played(play())
    text = next(tmp_path.glob("weather-*.md")).read_text()
    assert "s3cret" not in text
    assert 'Masked: value of "token" ×1.' in text
