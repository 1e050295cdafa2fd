import os

from tests.helpers import END, call, handshake, record, text_result
from tests.tui.screens import at_rest, fed, opened, played, shown, typed, until


def test_a_search_in_the_detail_unfolds_what_it_finds_counts_it_and_leaves_the_list_alone(tmp_path):
    many = [{"name": f"n{k}", "deep": {"er": ["x", {"id": f"needle {k}"}]}} for k in range(3)]
    long = "y" * 9000 + "needle at the end"
    steps = [*handshake(), ("c2s", call(1, "f", {"rows": many})), ("s2c", text_result(1, long)), *END]
    path = os.fspath(record(tmp_path / "x.jsonl", steps))

    async def play():
        async with opened(fed(path), (120, 40)) as (pilot, screen):
            i = next(i for i in range(len(screen.feed.index)) if b"needle 0" in screen.feed.index.read(i))
            screen.cursor.go_to(i)
            await pilot.press("enter", "enter")
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == i)
            screen.pane.loaded.tree.fold_all(True)
            screen.pane.draw()
            await pilot.press("slash")
            await typed(pilot, "Needle")
            await pilot.press("enter")
            await until(pilot, lambda: any("'Needle' 1 of 4" in line for line in shown(pilot)))
            assert screen.pane.detail.has_focus
            detail = screen.pane.detail
            seen = []
            for _ in range(4):
                seen.append("".join(text for text, _ in detail.line_at(detail.cursor).pieces).strip())
                await pilot.press("n")
            assert [line[-10:] for line in seen[:3]] == ['"needle 0"', '"needle 1"', '"needle 2"']
            assert "needle at the end" in seen[3]
            await pilot.press("N")
            await until(pilot, lambda: any("'Needle' 4 of 4" in line for line in shown(pilot)))
            assert screen.timeline.record == i
            await pilot.press("slash")
            await typed(pilot, "nowhere")
            await pilot.press("enter")
            await until(pilot, lambda: any("'nowhere' is not on this page" in line for line in shown(pilot)))
            await pilot.press("escape")
            assert detail.needle == ""
            assert screen.pane.display
            await pilot.press("escape")
            assert not screen.pane.display

    played(play())


def test_bytes_are_searched_as_bytes(path):
    async def play():
        async with opened(fed(path), (120, 40)) as (pilot, screen):
            screen.cursor.go_to(9)
            await pilot.press("enter", "2", "enter")
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == 9)
            screen.search.page.entered("second")
            await at_rest(pilot)
            assert any("'second' 1 of 1" in line for line in shown(pilot))

    played(play())
