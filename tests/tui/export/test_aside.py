import json

from mcptap.jsontext.tree import parse
from mcptap.masking.masker import Masker
from mcptap.tui.export.aside import LONG, MESSAGE, TEXT, MaskerAside, content_text, made_aside, made_of


def test_a_process_of_its_own_makes_the_same_and_knows_the_secrets_of_the_command_line():
    value = "q8Zr4Kx1Vb7Tn2Lp9Ws3"
    line = json.dumps({"result": {"content": [{"type": "text", "text": f"ü {value} it"}]}}).encode()
    text = made_aside(TEXT, [line, line], ["x", "--token", value])
    first, second = text.split("\n")
    assert first == second
    assert value not in text
    assert first.startswith("ü ")
    assert first.endswith(" it")
    assert made_aside(MESSAGE, [b"no JSON"], []) == made_of(MESSAGE, b"no JSON", Masker()) == "no JSON"


def test_the_text_of_an_answer_is_that_of_its_contents_or_its_error():
    def said(value):
        return content_text(parse(json.dumps(value)))

    assert said({"result": {"content": [{"type": "text", "text": "a"}, {"type": "image"}, 7]}}) == "a"
    assert said({"result": {"contents": [{"uri": "x", "text": "b"}]}}) == "b"
    assert said({"result": {"messages": [{"content": {"type": "text", "text": "c"}}]}}) == "c"
    assert said({"result": {"content": [{"resource": {"text": "d"}}]}}) == "d"
    assert said({"error": {"message": "e"}}) == "e"
    assert [said(odd) for odd in ([], 7, {"result": {"content": {"text": "x"}}}, {"error": []})] == [""] * 4


def test_a_long_line_is_masked_aside_as_it_would_be_here_with_counts_and_what_the_masker_knows():
    value = "q8Zr4Kx1Vb7Tn2Lp9Ws3"
    lines = [f"so {value}", f"{'a' * LONG} {value} -----BEGIN PRIVATE KEY-----", "QUJD" * 16]
    here, beside = Masker(b"k" * 32), Masker(b"k" * 32)
    for masker in (here, beside):
        masker.learn(["x", "--token", value])
    aside = MaskerAside(beside)
    masked = [aside.line("stderr", line.encode()) for line in lines]
    assert masked == [here.line("stderr", line.encode()) for line in lines]
    assert value.encode() not in b"".join(masked)
    assert aside.masked == here.masked
    assert here.masked["private key"] == 2
