"""Which words are variables of the environment: those that the text calls so, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.diagnosis.explain.variables import wanted_variables


def _names(*lines: str) -> list[str]:
    return [name for name, _ in wanted_variables(lines)]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Error: SCALES_API_KEY environment variable is required", ["SCALES_API_KEY"]),
        ("Missing environment variable: SCALES_API_KEY", ["SCALES_API_KEY"]),
        ("environment variable `TOKEN` is empty", ["TOKEN"]),
        ("missing env var $DATABASE_URL", ["DATABASE_URL"]),
        (
            "Missing required environment variables: GITHUB_TOKEN, GITHUB_OWNER",
            ["GITHUB_TOKEN", "GITHUB_OWNER"],
        ),
        ("❌ Invalid environment variables: { API_KEY: [ 'Required' ] }", ["API_KEY"]),
        ("GITHUB_TOKEN is not set", ["GITHUB_TOKEN"]),
        ("GITHUB_TOKEN must be set", ["GITHUB_TOKEN"]),
        ("Please set GITHUB_TOKEN", ["GITHUB_TOKEN"]),
        ("export GITHUB_TOKEN=... first", ["GITHUB_TOKEN"]),
        ("$WORKSPACE is required", ["WORKSPACE"]),
        ("%WORKSPACE% must not be empty", ["WORKSPACE"]),
        ("TypeError: process.env.API_URL is undefined", ["API_URL"]),
        ("    key = os.environ['API_KEY']", ["API_KEY"]),
        ("key not found: ENV['API_KEY']", ["API_KEY"]),
        ('NotCapable: Requires env access to "API_KEY", run again', ["API_KEY"]),
        ('std::env::var("API_KEY").unwrap()', ["API_KEY"]),
    ],
)
def test_a_variable_is_one_if_the_text_says_so(line: str, names: list[str]) -> None:
    assert _names(line) == names


@pytest.mark.parametrize(
    "line",
    [
        "PERMISSION_DENIED: missing required scope",
        "VALIDATION_ERROR: field is required",
        "TypeError [ERR_INVALID_ARG_TYPE]: the argument must be a string. Received undefined",
        "CUSTOMER_ID is required",
        "ENOENT: no such file or directory",
        "Missing MAX_RESULTS",
        "HTTP_401 Unauthorized, token required",
        "LOG_LEVEL is not set, using info",
        "environment variable LOG_LEVEL is not set: falling back to info",
        "optional environment variable REDIS_URL is not set",
        "the environment is missing",
        "PORT=3000 MODE=dev listening",
    ],
)
def test_other_words_in_capitals_are_none(line: str) -> None:
    assert _names(line) == []


def test_a_key_error_is_about_a_variable_only_below_os_environ() -> None:
    assert _names('    x = os.environ["A_KEY"]', "KeyError: 'A_KEY'") == ["A_KEY"]
    assert _names('  File "<frozen os>", line 685, in __getitem__', "KeyError: 'A_KEY'") == ["A_KEY"]
    assert _names('    x = data["A_KEY"]', "KeyError: 'A_KEY'") == []


def test_a_field_of_settings_is_a_variable_and_of_another_model_it_is_none() -> None:
    field = ("API_KEY", "  Field required [type=missing, input_value={}, input_type=dict]")
    assert _names("ValidationError: 1 validation error for Settings", *field) == ["API_KEY"]
    assert _names("ValidationError: 1 validation error for Order", *field) == []


@given(st.lists(st.text(max_size=60), max_size=5))
def test_no_text_is_too_odd(lines: list[str]) -> None:
    assert all(any(name in line for line in lines) for name in _names(*lines))
