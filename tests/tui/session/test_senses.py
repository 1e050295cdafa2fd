"""Which keys make sense at a moment."""

from types import SimpleNamespace

from mcptap.tui.session.senses import senses


def test_each_sense_follows_what_it_hangs_on():
    timeline = SimpleNamespace(
        record=None, is_on_run=False, index=SimpleNamespace(partner=lambda i: 8 if i == 7 else None)
    )
    play, search = SimpleNamespace(is_on=False), SimpleNamespace(text="")
    findings, rerun = SimpleNamespace(list=SimpleNamespace(findings=[])), SimpleNamespace(request=None)
    judges = senses(timeline, play, search, findings, rerun)
    assert not any(judge() for judge in judges.values())
    timeline.record = 6
    assert not judges["pair"]()
    timeline.record, timeline.is_on_run, play.is_on, search.text = 7, True, True, "x"
    findings.list.findings, rerun.request = [1], 0
    assert all(judge() for judge in judges.values())
