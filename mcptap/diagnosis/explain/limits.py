"""What a recording can't tell, in sentences: where it is cut, what is missing, what other tools omit."""

from __future__ import annotations

from mcptap.captures.evidence import Evidence, is_capture
from mcptap.protocol.contract.judgement import judged
from mcptap.protocol.model.parts.listings import MAX_LISTED
from mcptap.protocol.model.requests import MAX_OPEN
from mcptap.protocol.model.session import Session
from mcptap.text.enumeration import listed
from mcptap.text.sentences import capital
from mcptap.text.units import counted, date_time

SHOWN_REASONS = 2


def is_cut(session: Session, evidence: Evidence) -> bool:
    """Whether the recording stops before the session does, as far as it would show the end."""
    if session.state == "crashed":
        return True
    return session.ended and session.broke_off and session.state == "unknown" and evidence.process


def limits(session: Session, evidence: Evidence, lines: int = 0, passed_over: int = 0) -> str:
    """What can't be known of this session; empty if all of it was recorded.

    Of a capture: what it is, how many lines of it were read, and how many `passed_over`.
    """
    sentences: list[str] = []
    if is_capture(evidence):
        sentences.append(f"Read as {evidence.origin}{_read(lines, passed_over)}.")
        if evidence.unknown:
            unknown = listed(evidence.unknown, len(evidence.unknown))
            sentences.append(f"It does not tell {unknown}; that was not judged.")
    sentences += [f"{capital(note)}." for note in evidence.notes]
    sentences += _masked(session)
    sentences += filter(None, [cut(session, evidence)])
    losses = session.losses
    if over := losses.passed_over:
        sentences.append(f"{counted(over, 'record')} {'was' if over == 1 else 'were'} not judged here.")
    for why, count in losses.missing.most_common(SHOWN_REASONS):
        what = f"{counted(count, 'record')} {'is' if count == 1 else 'are'} missing"
        after = f" {session.lasting(losses.gap_us or 0)} after the start" if session.timed else ""
        sentences.append(f"{what}{after}: {why}.")
    for why, count in losses.damaged.most_common(SHOWN_REASONS):
        what = counted(count, "line" if is_capture(evidence) else "record")
        sentences.append(f"{what} took no part in this: {why}.")
    if large := losses.outlined:
        which = f"Record {large[0]}" + (f" and {len(large) - 1:,} more" if len(large) > 1 else "")
        sentences.append(f"{which}: too large to be taken apart; what it says was not judged.")
    if unfollowed := session.requests.unfollowed:
        sentences.append(
            f"{MAX_OPEN:,} requests were open at once; what became of {unfollowed:,} more was not followed."
        )
    if session.listings.is_cut:
        sentences.append(f"Of a list only {MAX_LISTED:,} entries were looked at.")
    compared = judged(session)
    sentences += [f"{capital(note)}." for note in (compared.notes if compared is not None else ())]
    return " ".join(sentences)


def _masked(session: Session) -> list[str]:
    """That secrets were masked when the recording was exported, and what is not judged because of that."""
    header = session.header
    if header is None or not header.is_masked:
        return []
    which = [f"{rule} (record {line})" if line else rule for rule, line in header.not_judged_again]
    if not which:
        return ["Secrets in it were masked when it was exported."]
    hang = "hangs on a masked value and was" if len(which) == 1 else "hang on masked values and were"
    return [f"Secrets in it were masked when it was exported; {listed(which)} {hang} not judged again."]


def _read(lines: int, passed_over: int) -> str:
    if not lines:
        return ""
    return f": {counted(lines, 'line')}" + (f", {passed_over:,} of them passed over" if passed_over else "")


def cut(session: Session, evidence: Evidence) -> str:
    """The sentence that the recording stops before the session does; empty if it does not."""
    if not is_cut(session, evidence):
        return ""
    if session.state != "crashed":
        return "The recording has no end: whether the session went on is not known."
    header = session.header
    start = header.start_wall_us if header is not None else 0
    at = f" at {date_time(start + session.now_us, local=False)} UTC or later" if start else ""
    last = f"the last record is {session.lasting(session.now_us)} after the start"
    copied = "or this is a copy of a live recording"
    return f"The recording ends in the middle: the tap was killed{at}, {copied}; {last}."
