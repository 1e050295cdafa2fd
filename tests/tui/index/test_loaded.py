import os

from tests.helpers import END, call, handshake, record
from tests.tui.screens import fed, opened, played, until


def test_a_line_of_64_megabytes_is_shown_in_part_and_known_in_full(tmp_path):
    size = 64 << 20
    pieces = [b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"', b'"}]}}\n']
    filler = b"x" * (1 << 16)
    steps = [*handshake(), ("c2s", call(1, "big")), ("s2c", pieces[0])]
    steps += [("s2c", filler)] * (size // len(filler))
    path = record(tmp_path / "x.jsonl", [*steps, ("s2c", pieces[1]), *END])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, screen):
            answer = screen.timeline.index.partner(5)
            assert answer is not None
            assert screen.timeline.index.sizes[answer] > size
            screen.cursor.go_to(answer)
            await pilot.press("enter")
            await until(pilot, lambda: screen.pane.loaded is not None)
            assert len(screen.pane.loaded.data) <= 2 << 20
            assert screen.pane.loaded.total > size
            assert any("more bytes" in line.pieces[0][0] for line in screen.pane.detail.lines if line.pieces)

    played(play())
