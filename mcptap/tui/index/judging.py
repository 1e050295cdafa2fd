"""What the diagnosis says at one moment, put together for the screen."""

from __future__ import annotations

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.protocol.statistics.counts import Statistics
from mcptap.tui.index.declared import Declared, why_unknown
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.index.offered import offered_by


def judgement_of(
    diagnosis: Diagnosis, statistics: Statistics, declared: Declared, *, final: bool
) -> Judgement:
    """What can be said so far; `final` if nothing more can come."""
    session, client, verdict = diagnosis.session, diagnosis.client, diagnosis.verdict()
    known = session.client.capabilities
    return Judgement(
        findings=diagnosis.findings(),
        verdict=verdict.said,
        outcome=verdict.outcome,
        statistics=statistics,
        offered=offered_by(session),
        final=final,
        cut=bool(verdict.cut),
        waits=verdict.open > 0,
        record=verdict.record,
        advice=verdict.advice,
        ending=session.process.ending if session.process.exit is not None else "",
        client=f"{client.name} {client.version}".strip(),
        revision=session.agreed_revision,
        requested=session.handshake.requested,
        client_info=session.client.info or declared.info,
        server_info=session.server.info,
        client_capabilities=declared.capabilities if known is None else known,
        unknown_why=why_unknown(session),
        server_capabilities=session.server.capabilities,
        counts=dict(session.traffic.by_method),
    )
