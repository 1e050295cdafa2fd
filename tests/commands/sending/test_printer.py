"""The transcript as it is printed."""

from mcptap.commands.sending.printer import Printer
from mcptap.masking.masker import Masker
from mcptap.play.server.stop import Exit
from mcptap.recording.format.model import Line

SECRET = b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"token":"s3cr3t0123456789"}}'


def test_lines_stand_in_the_order_in_which_they_pass_and_stderr_goes_to_stderr(capfd):
    printer = Printer(None, quiet=False)
    printer.sent(SECRET + b"\n")
    printer.received(Line(1, "stderr", b"working\xff", b"\n", 0, 0, 0))
    printer.received(Line(2, "s2c", b"hi", b"\n", 0, 0, 0))
    printer.ended(Exit(0, None))
    out = capfd.readouterr()
    assert out.out.splitlines() == [
        f"--> {SECRET.decode()}",
        "<-- hi",
        "    (no message: pollution of stdout)",
        "exit code: 0",
    ]
    assert out.err.startswith("working")


def test_a_quiet_one_prints_nothing_and_a_masking_one_no_secret(capfd):
    Printer(None, quiet=True).sent(SECRET + b"\n")
    assert capfd.readouterr().out == ""
    printer = Printer(None, quiet=False, masker=Masker())
    printer.sent(SECRET)
    printer.received(Line(1, "stderr", b"token=s3cr3t0123456789", b"\n", 0, 0, 0))
    out, err = capfd.readouterr()
    assert out.endswith("    (no newline at the end of this line)\n")
    assert "s3cr3t" not in out + err
