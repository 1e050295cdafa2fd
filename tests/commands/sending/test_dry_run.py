"""What would be started and sent."""

from mcptap.commands.sending.dry_run import lines, show
from mcptap.masking.masker import Masker
from mcptap.play.server.launch import Launch
from mcptap.play.server.relaunch import Relaunch
from tests.play import scripts
from tests.play.sessions import c2s, request, result, s2c

SCRIPT = scripts.recorded(
    c2s(request(1)),
    s2c(request("r", "roots/list")),
    c2s(result("r", roots=[])),
    s2c(result(1)),
    c2s(request(2, "x", token="s3cr3t0123456789")),
)


def test_command_folder_environment_and_lines_with_their_numbers():
    plan = Relaunch(Launch(["server", "a b"], "/somewhere", {"A": "1"}), is_strange=True)
    shown = list(lines(SCRIPT, plan, Masker(), None))
    assert shown[:5] == [
        "would start server 'a b'",
        "  in /somewhere",
        "  with the recorded environment (1 variable)",
        "  once you have said yes: the recording was not made here, and it says what to start",
        "and would send 3 lines:",
    ]
    assert shown[5].startswith("     3 --> {")
    assert shown[6].endswith("  (when the server asks)")
    assert "s3cr3t" not in shown[7]


def test_it_is_printed(capsys):
    show(SCRIPT, Relaunch(Launch(["server"])), Masker(), 5)
    out = capsys.readouterr().out
    assert out.startswith("would start server\n")
    assert "…" in out
