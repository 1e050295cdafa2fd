"""What can't be sent is refused; `test_send` has the sentences."""

import pytest

from mcptap.commands.sending.checks import require_requests, require_sense
from mcptap.commands.sending.options import parser
from mcptap.errors import UserError
from tests.play.scripts import lines
from tests.play.sessions import request
from tests.play.tape import notification

MASKED = b'{"jsonrpc":"2.0","id":2,"method":"x","params":{"token":"\\u2039masked:abc123\\u203a"}}\n'


def test_a_mask_is_found_also_if_it_is_escaped():
    with pytest.raises(UserError, match="line 2 has a mask"):
        require_requests("f", lines(request(1), MASKED), masked_values=False)
    require_requests("f", lines(request(1), MASKED), masked_values=True)


def test_notifications_alone_ask_for_nothing():
    with pytest.raises(UserError, match="there is no request"):
        require_requests("f", lines(notification("notifications/initialized")), masked_values=False)


def test_plain_lines_can_be_sent_and_not_compared(tmp_path):
    require_sense(parser().parse_args(["f"]), "f", lines(request(1)))
    with pytest.raises(UserError, match="--compare needs a recording"):
        require_sense(parser().parse_args(["f", "--compare"]), "f", lines(request(1)))
    taken = tmp_path / "taken"
    taken.write_text("x")
    with pytest.raises(UserError, match="name another"):
        require_sense(parser().parse_args(["f", "--write-expect", str(taken)]), "f", lines(request(1)))
