from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.tree import parse
from mcptap.tui.export.pictures import Picture, open_picture, pictures_in


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n..", "png"),
        (b"\xff\xd8\xff\xe0", "jpeg"),
        (b"GIF89a", "gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "webp"),
        (b"RIFF\0\0\0\0WAVE", ""),
        (b"<svg onload=", ""),
        (b"", ""),
    ],
)
def test_a_picture_is_told_by_its_bytes(data, kind):
    assert Picture(data).kind == kind
    assert Picture(data).suffix == (f".{kind}" if kind else ".bin")


def test_what_is_no_picture_is_never_opened():
    with pytest.raises(OSError, match="not opened"):
        open_picture(Picture(b"#!/bin/sh"), "x")


@given(st.binary(), st.text(max_size=20))
def test_pictures_and_blobs_are_found_in_order_and_other_data_is_not(data, text):
    made = b64encode(data).decode()
    line = (
        f'{{"a":[{{"type":"image","data":"{made}"}},{{"resource":{{"blob":"{made}"}}}},'
        f'{{"type":"text","data":"{made}"}},{{"blob":7}},{{"type":["image"],"data":"{made}"}}]}}'
    )
    assert list(pictures_in(parse(line))) == [Picture(data)] * 2
    assert list(pictures_in(text)) == []
