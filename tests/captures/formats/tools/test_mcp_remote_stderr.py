"""The stderr of mcp-remote, beside the samples."""

from tests.captures.reading import read

OPENS = '[7] [Local→Remote] initialize\n{\n  "jsonrpc": "2.0",\n  "method": "initialize",\n  "id": 5\n}\n'


def test_ids_count_up_from_that_of_initialize():
    text = (
        OPENS
        + "[7] [Remote→Local] 5\n[7] [Local→Remote] tools/list\n[7] [Remote→Local] 6\n[7] [Remote→Local] 6\n"
    )
    _, items = read(text)
    assert [item.value["id"] for item in items[:4]] == [5, 5, 6, 6]
    assert items[4].fields["text"] == "the server sent 6"


def test_nothing_is_paired_where_the_first_id_is_not_known():
    _, items = read("[7] [Local→Remote] tools/list\n[7] [Remote→Local] 1\n")
    assert [item.kind for item in items] == ["log", "log"]
