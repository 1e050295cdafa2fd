import json
import os

import pytest

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.masking.masker import Masker
from mcptap.recording.format.model import Damaged, Line
from mcptap.recording.reader import Reader
from mcptap.tui.export.export import as_jsonl, as_markdown, plain_text
from tests.helpers import END, Tape, call, handshake, record, text_result
from tests.tui.screens import fed


@pytest.fixture
def index(tmp_path):
    steps = [
        *handshake(),
        ("c2s", call(1, "login", {"password": "hunter22", "user": "me"})),
        ("s2c", text_result(1, "```\nBearer abcdefghijklmnop123456\n\x1b[2J")),
        ("s2c", b"\x1b[31mnoise\n"),
        *END,
    ]
    return fed(os.fspath(record(tmp_path / "x.jsonl", steps))).index


def test_an_export_is_a_recording_without_secrets(index):
    masker = Masker()
    lines = list(as_jsonl(index, [5, 6], masker))
    header, call_, answer = (json.loads(line) for line in lines)
    assert header["mcptap"] == 1
    assert header["export"]["masked"] == {'value of "password"': 1, "bearer token": 1}
    assert call_["msg"]["params"]["arguments"].pop("password").startswith("‹masked:")
    assert call_["msg"]["params"]["arguments"] == {"user": "me"}
    assert "abcdefgh" not in json.dumps(answer)


def test_a_report_names_records_findings_and_what_was_masked(index):
    finding = Finding("stdout-not-json", Level.ERROR, 8, "Record 8 is noise.")
    text = as_markdown(index, [5, 6, 7], Masker(), "The server prints noise.", [finding])
    assert "> The server prints noise." in text
    assert "- **stdout-not-json** (error): Record 8 is noise." in text
    assert "**6** `+0.005` → tools/call login" in text
    assert "hunter22" not in text
    assert "\x1b" not in text
    assert 'Masked: bearer token ×1, value of "password" ×1.' in text


def test_a_message_with_a_fence_in_it_stays_in_its_own(index):
    text = as_markdown(index, [6], Masker())
    assert "````json" in text


def test_a_long_message_is_whole_if_it_is_reported_alone_and_else_says_where_it_is_whole(tmp_path):
    steps = [*handshake(), ("c2s", call(1, "f")), ("s2c", text_result(1, "x" * 9000)), *END]
    index = fed(os.fspath(record(tmp_path / "x.jsonl", steps))).index
    i = next(i for i in range(len(index)) if b"xxx" in index.read(i))
    assert "x" * 9000 in as_markdown(index, [i - 1, i], Masker())
    many = as_markdown(index, range(len(index)), Masker())
    assert "x" * 9000 not in many
    assert (
        f"characters are left out here: an export of record {i + 1} alone, or as JSON Lines, has them" in many
    )


def test_a_report_without_secrets_says_so(index):
    assert "nothing was masked" in as_markdown(index, [2], Masker())


def test_plain_text_is_indented_json(index):
    assert json.loads(plain_text(index, 5))["params"]["name"] == "login"
    assert plain_text(index, 5).startswith('{\n  "jsonrpc"')


ODD = "a\x9b2J\u202e\u2028\u2029\x7fb"


def test_no_export_and_no_copy_can_drive_a_terminal(tmp_path):
    steps = [*handshake(), ("c2s", call(1, ODD, {"x": ODD})), ("s2c", f"noise {ODD}\n".encode()), *END]
    launch = {"argv": [ODD], "version": ODD, "platform": ODD}
    index = fed(os.fspath(record(tmp_path / "x.jsonl", steps, **launch))).index
    with open(tmp_path / "x.jsonl", "ab") as file:
        file.write(f"damaged {ODD}\n".encode())
    everything = range(len(index))
    jsonl = "".join(as_jsonl(index, everything, Masker()))
    markdown = as_markdown(index, everything, Masker(), ODD, [Finding("x", Level.ERROR, 1, ODD)])
    copies = [plain_text(index, i) for i in everything if i]
    for text in (jsonl, markdown, *copies):
        assert text.replace("\n", "").isprintable()
    assert json.loads(jsonl.splitlines()[0])["argv"] == [ODD]
    assert json.loads(jsonl.splitlines()[5])["msg"]["params"]["arguments"] == {"x": ODD}


def test_an_export_does_not_pass_for_what_was_made_here(tmp_path):
    index = fed(os.fspath(record(tmp_path / "x.jsonl", [*handshake(), *END], check="0" * 64))).index
    assert "check" not in json.loads(next(as_jsonl(index, [1], Masker())))


@pytest.fixture(params=[3000, 600_000], ids=["in two chunks", "too long for one record"])
def long_index(tmp_path, request):
    begin = json.dumps(call(1, "login", {"x": "y" * request.param, "password": "hunter22"})).encode()
    at = begin.index(b"ter22")
    steps = [
        *handshake(),
        ("c2s", begin[:at]),
        ("stderr", b"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n"),
        ("c2s", begin[at:] + b"\n"),
        ("s2c", b'{"token":"hunt'),
        ("s2c", b"er33"),
        *END,
    ]
    return fed(os.fspath(record(tmp_path / "long.jsonl", steps))).index


def test_a_secret_that_stands_in_two_parts_of_a_line_is_masked(long_index):
    lines = list(as_jsonl(long_index, range(len(long_index)), Masker()))
    assert "ter22" not in "".join(lines)
    assert "er33" not in "".join(lines)
    assert "MIIE" not in "".join(lines)
    whole = [json.loads(line) for line in lines if '"login"' in line]
    assert len(whole) == 1
    assert whole[0]["k"] == "line"
    assert "from" not in whole[0]
    assert len(whole[0]["msg"]["params"]["arguments"]["x"]) >= 3000


def test_any_part_stands_for_its_whole_line(long_index):
    records = [json.loads(long_index.read(i)) for i in range(len(long_index))]
    first = next(i for i, fields in enumerate(records) if fields["k"] == "part")
    ends = (i for i, fields in enumerate(records) if "from" in fields or "login" in str(fields.get("msg")))
    last = next(ends)
    alone = list(as_jsonl(long_index, [first], Masker(b"k" * 16)))
    with_end = list(as_jsonl(long_index, [first, last], Masker(b"k" * 16)))
    assert alone == with_end
    assert json.loads(plain_text(long_index, first))["params"]["name"] == "login"
    assert "hunter22" in plain_text(long_index, first)
    assert "hunter22" not in plain_text(long_index, first, Masker())


def test_an_export_with_parts_can_be_read_again(long_index, tmp_path):
    path = tmp_path / "export.jsonl"
    path.write_text("".join(as_jsonl(long_index, range(len(long_index)), Masker())), encoding="utf-8")
    with Reader(os.fspath(path)) as reader:
        items = [*reader.items(), *reader.unfinished()]
    assert not [item for item in items if isinstance(item, Damaged)]
    assert any(isinstance(item, Line) and b'"login"' in item.data for item in items)


def test_a_report_masks_command_findings_and_lines(tmp_path):
    argv = ["srv", "--token", "abcd1234efgh", "-H", "Authorization: Bearer xyz987"]
    steps = [*handshake(), ("stderr", b"using abcd1234efgh and password=hunter22\n"), *END]
    index = fed(os.fspath(record(tmp_path / "x.jsonl", steps, argv=argv))).index
    finding = Finding("x", Level.ERROR, 1, 'It said "abcd1234efgh".')
    text = as_markdown(index, range(len(index)), Masker(), "abcd1234efgh", [finding])
    for secret in ("abcd1234efgh", "xyz987", "hunter22"):
        assert secret not in text
    assert "--token ‹masked:" in text


def test_what_was_diverted_of_a_line_is_said_of_the_masked_one(tmp_path):
    secret = b"token=abcdefghijklmnop123456 "
    message = b'{"jsonrpc":"2.0","id":1,"result":{"password":"hunter22"}}'
    path = tmp_path / "x.jsonl"
    with Tape(path) as tape:
        tape.play(handshake())
        fields = {"ch": "s2c", "diverted": len(secret), "text": (secret + message).decode()}
        tape.event("line", **fields)
        tape.play(END)
    index = fed(os.fspath(path)).index
    export = tmp_path / "export.jsonl"
    export.write_text("".join(as_jsonl(index, range(len(index)), Masker())), encoding="utf-8")
    with Reader(os.fspath(export)) as reader:
        (line,) = [item for item in reader.items() if isinstance(item, Line) and item.diverted is not None]
    assert b"abcdefghij" not in line.data
    assert b"hunter22" not in line.data
    assert json.loads(line.delivered)["id"] == 1
