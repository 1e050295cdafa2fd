"""What decoders of logs share."""

from mcptap.captures.evidence import Evidence
from mcptap.captures.logs.decoder import LogDecoder, only_name
from mcptap.wire import STDERR

SECOND = 1_000_000


def test_the_first_time_is_the_start_and_stands_in_the_header():
    decoder = LogDecoder(Evidence(), "harbour")
    first, second = (decoder.text(n, STDERR, "a", at * SECOND) for n, at in ((1, 100), (2, 103)))
    assert (first.t_us, second.t_us, second.wall_us) == (0, 3 * SECOND, 103 * SECOND)
    assert (decoder.header.name, decoder.header.start_wall_us) == ("harbour", 100 * SECOND)


def test_blank_lines_are_not_passed_over():
    decoder = LogDecoder(Evidence())
    assert [*decoder.pass_over(b" \r"), *decoder.pass_over(b"?")] == []
    assert decoder.passed_over == 1


def test_a_name_is_told_only_where_all_have_it():
    assert (only_name(["a", "a"]), only_name(["a", "b"]), only_name([])) == ("a", "server", "server")
