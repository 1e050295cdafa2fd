"""`mcptap probe -- COMMAND`: question a server as a client would, and as none would."""

from __future__ import annotations

from mcptap.commands.forms.choice import TEXT
from mcptap.commands.probe.options import calls_of, client_of, connection_settings, parser, start_of
from mcptap.errors import UserError


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    options = parser().parse_args(arguments)
    if options.client == "list":
        _list_clients()
        return 0
    calls = calls_of(options)
    if options.client == "all":
        from mcptap.commands.probe.many import as_all, probe_many
        from mcptap.play.probe.observation import Call

        if options.cancel or options.call_read_only:
            raise UserError("--as all compares clients: leave out --cancel and --call-read-only, or name one")
        start = start_of(options)
        return probe_many(
            as_all(start),
            connection_settings(options, start.own),
            [Call(call.name, call.arguments) for call in calls],
            all_calls=options.repeat_calls,
            form=options.format,
            unmasked=options.unmasked,
        )
    from mcptap.commands.probe.one import OneProbe, masker_for, run

    client = None if options.client is None else client_of(options.client)
    start = start_of(options)
    probe = OneProbe(
        start,
        client,
        connection_settings(options, start.own),
        calls,
        call_read_only=options.call_read_only,
        repeat_calls=options.repeat_calls,
    )
    masker = masker_for(start.own, options.unmasked)
    if options.watch is not None:
        from mcptap.commands.probe.watching import watch

        if options.format != TEXT:
            raise UserError(f"--watch goes on and on, and prints text; leave out --{options.format}")
        return watch(options.watch, options.record, probe, masker)
    return run(probe, options.format, masker)


def _list_clients() -> None:
    from mcptap.clients.table import CLIENTS

    for client in CLIENTS.values():
        print(f"{client.id:17} {client.description}")
