from mcptap.recording.paths import make_private_folder


def test_a_folder_named_by_one_relative_word_is_made_and_may_be_there_already(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_private_folder("recordings")
    make_private_folder("recordings")
    assert (tmp_path / "recordings").stat().st_mode & 0o777 == 0o700
