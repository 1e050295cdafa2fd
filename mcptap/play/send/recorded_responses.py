"""The recorded client's responses, found for the requests of a fresh server."""

from __future__ import annotations

from mcptap.play.client.client_script import ClientResponse, ClientScript, ServerRequest
from mcptap.play.send.substitution import ValueSubstitution
from mcptap.protocol.model.message import Message


class RecordedResponses:
    """Which response of a script is for which request of the fresh server.

    Its requests have ids of their own, so they are matched by method and params. Of plain lines the
    requests are not known: there, the id decides.
    """

    def __init__(self, script: ClientScript, substitution: ValueSubstitution) -> None:
        self._script = script
        self._substitution = substitution
        self._unmatched = list(script.server_requests)

    def find(self, message: Message, sent: set[int]) -> ClientResponse | ServerRequest | None:
        """The response to this request; the recorded request itself if the client left it unanswered.

        `sent` are the `id()`s of the responses that were sent already. None if nothing is known.
        """
        if not self._script.is_recorded:
            for entry in self._script.entries:
                if (
                    isinstance(entry, ClientResponse)
                    and id(entry) not in sent
                    and entry.message.id == message.id
                ):
                    return entry
            return None
        alike = [r for r in self._unmatched if r.message.method == message.method]
        if not alike:
            return None
        exact = [r for r in alike if r.message.params == message.params]
        request = (exact or alike)[0]
        self._unmatched.remove(request)
        self._substitution.learn(request.message.params, message.params)
        return request.response or request
