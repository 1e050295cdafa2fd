from __future__ import annotations

import pytest

from mcptap.diagnosis.engine.finding import Level
from tests.setup.machines import Disk, findings, found_in, machine, worse

TOKEN = "sk_live_FAKE1234567890"  # noqa: S105
IN_ARGUMENTS = {"command": "npx", "args": ["-y", "pay", f"--api-key={TOKEN}"]}
IN_ENV = {"command": "npx", "args": ["-y", "pay"], "env": {"API_KEY": TOKEN, "LEVEL": "info"}}


def words(found):
    return " ".join(f"{one.message} {one.effect.sentence} {one.remedy}" for one in found.values())


def test_a_secret_in_the_arguments_is_told_by_its_place_and_never_shown():
    found = found_in("cursor", IN_ARGUMENTS, shared=False)
    assert worse(found) == ["secret-in-arguments"]
    assert found["secret-in-arguments"].column == 9
    assert TOKEN not in words(found)


def test_a_variable_that_is_a_secret_by_its_name_is_one_in_the_arguments_too():
    on = machine(environ={"GIT_TOKEN": "x", "REGION": "eu"})
    server = {"command": "npx", "args": ["-y", "git", "--token", "$GIT_TOKEN"]}
    assert worse(found_in("gemini-cli", server, on=on)) == ["secret-in-arguments"]
    assert worse(found_in("gemini-cli", {**server, "args": ["-y", "git", "$REGION"]}, on=on)) == []


def test_a_secret_in_a_file_that_others_share_is_a_warning_and_in_one_s_own_a_note():
    shared = found_in("cursor", IN_ENV)
    assert worse(shared) == ["secret-in-shared-file"]
    assert shared["secret-in-shared-file"].message == "1 secret in a file that others share: env.API_KEY."
    own = found_in("cursor", IN_ENV, shared=False)
    assert worse(own) == []
    assert own["secret-hidden"].level is Level.INFO
    assert TOKEN not in words(shared) + words(own)


def test_a_file_of_one_s_own_that_git_follows_is_shared_with_whoever_gets_the_repository():
    on = machine(Disk(tracked=True))
    found = found_in("cursor", IN_ENV, shared=False, on=on)["secret-in-shared-file"]
    assert found.message == "1 secret in a file that a repository of git follows: env.API_KEY."


@pytest.mark.parametrize(
    ("client", "server"),
    [
        ("cursor", {"command": "npx", "args": ["-y", "x"], "env": {"API_KEY": "${env:API_KEY}"}}),
        ("opencode", {"type": "local", "command": ["npx", "-y", "x"], "environment": {"TOKEN": "{env:T}"}}),
        ("claude-code", {"command": "npx", "args": ["-y", "x"], "env": {"TOKEN": "${TOKEN:-}"}}),
    ],
)
def test_a_variable_in_the_place_of_a_secret_is_none(client, server):
    found = found_in(client, server)
    assert "secret-in-shared-file" not in found
    assert "secret-hidden" not in found


def test_a_password_in_a_url_and_a_header_are_found():
    server = {"url": "https://a:Hunter2FAKE@x.example/h", "headers": {"Authorization": "Bearer FAKEBEARER12"}}
    found = found_in("cursor", server)["secret-hidden"]
    assert found.message == "There is a secret in url and headers.Authorization; mcptap never shows it."


def test_a_file_with_secrets_is_for_the_user_alone():
    open_to_all, private = machine(Disk(others=0o044)), machine()
    assert worse(found_in("cursor", IN_ENV, shared=False, on=open_to_all)) == ["file-open"]
    assert worse(found_in("cursor", IN_ENV, shared=False, on=private)) == []
    plain = {"command": "npx", "args": ["-y", "x"]}
    assert worse(found_in("cursor", plain, shared=False, on=open_to_all)) == []


def test_the_value_is_nowhere_in_what_is_found():
    text = '{"mcpServers": {"a": {"command": "a s.py --password Hunter2FAKE9", "env": {"PASSWORD": 17}}}}'
    assert "Hunter2FAKE9" not in words({one.check: one for one in findings("claude-code", text)})
