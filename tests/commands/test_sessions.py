"""`mcptap` alone."""

from mcptap import commands


def test_on_a_terminal_it_is_the_list_of_recordings_and_else_the_help(monkeypatch):
    for tty, name in ((True, "sessions"), (False, "--help")):
        monkeypatch.setattr("sys.stdin.isatty", lambda tty=tty: tty)
        monkeypatch.setattr("sys.stdout.isatty", lambda tty=tty: tty)
        assert commands.first_command() == name


def test_the_list_needs_a_terminal_and_says_what_does_not(capsys, monkeypatch):
    monkeypatch.setattr(commands, "first_command", lambda: "sessions")
    assert commands.main([]) == 2
    assert capsys.readouterr().err == "mcptap: the screen needs a terminal; without one, use: mcptap ls\n"
