"""The client of FastMCP, a framework in Python that stands on the Python SDK."""

from __future__ import annotations

from mcptap.clients.client import Client, Opening, outcomes
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.clients.faults import Fault
from mcptap.clients.libraries.python import PYTHON_2
from mcptap.clients.outcomes import Outcome

_RUN = Source(Origin.RUN, "run of 4.2.3", "4.2.3")

CLIENTS = (
    Client(
        "fastmcp-client",
        "FastMCP client",
        "4.2.3",
        names=r"^fastmcp$",
        libraries=Fact((PYTHON_2,), Source(Origin.RUN, "its requirements", "4.2.3")),
        opening=Fact(
            Opening("2025-11-25", discovers=True, discover_wait_s=10, discover_id=1, capabilities={}), _RUN
        ),
        reactions={
            **outcomes(
                _RUN,
                {
                    Fault.CURSOR_LOOP: Outcome.KEEPS_PAGES,
                    Fault.INVALID_UTF8: Outcome.STOPS_READING,
                    Fault.PAGE_ERROR: Outcome.LOSES_LIST,
                },
            ),
            Fault.ENDLESS_LIST: Fact(Outcome.LOSES_LIST, _RUN, "after 250 pages"),
        },
    ),
)
