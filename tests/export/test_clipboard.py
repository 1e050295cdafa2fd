from mcptap.export.clipboard import copy, programs


def test_the_desktops_clipboard_comes_first_and_tmux_last():
    environ = {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0", "TMUX": "t"}
    names = [command[0] for _, command in programs(environ, "linux")]
    assert names == ["wl-copy", "xclip", "xsel", "tmux", "tmux"]
    assert [command[0] for _, command in programs({}, "darwin")] == ["pbcopy"]
    assert list(programs({}, "linux")) == []


def test_what_is_not_there_or_fails_is_passed_over(tmp_path):
    (tmp_path / "tmux").write_text(
        f'#!/bin/sh\n[ "$2" = -w ] && exit 1\nwhile read -r x; do echo "$x"; done > {tmp_path}/it\n'
    )
    (tmp_path / "tmux").chmod(0o700)
    environ = {"DISPLAY": ":0", "TMUX": "t", "PATH": str(tmp_path)}
    assert copy("ünï\n", environ) == "tmux's buffer"
    assert (tmp_path / "it").read_text() == "ünï\n"
    assert copy("x", {"DISPLAY": ":0", "PATH": str(tmp_path)}) == ""
