import pytest

from mcptap.masking.names import NO, PERHAPS, YES, secrecy, words_of


@pytest.mark.parametrize(
    "name",
    [
        "dbpass",
        "serviceRoleKey",
        "hmac_key",
        "password",
        "PASSWORD",
        "dbPassword",
        "DB_PASS",
        "passwordHash",
        "passphrase",
        "Pwd",
        "DB_PWD",
        "token",
        "GITHUB_TOKEN",
        "accessToken",
        "X-Auth-Token",
        "tokenValue",
        "refresh_tokens",
        "idToken",
        "apiKey",
        "api_key",
        "API-KEY",
        "apikey",
        "apiKeys",
        "X-API-Key",
        "Ocp-Apim-Subscription-Key",
        "AccountKey",
        "SharedAccessKey",
        "AWS_SECRET_ACCESS_KEY",
        "privateKey",
        "clientSecret",
        "mysecret",
        "Authorization",
        "Cookie",
        "Set-Cookie",
        "credentials",
        "jwt",
        "secretKey2",
        "_auth",
        "sig",
    ],
)
def test_names_of_secrets_are_known_in_every_spelling(name):
    assert secrecy(name) == YES


@pytest.mark.parametrize(
    "name",
    [
        "PWD",
        "OLDPWD",
        "name",
        "key",
        "id",
        "path",
        "compass",
        "passenger",
        "monkey",
        "keyboard",
        "progressToken",
        "cursor",
        "nextCursor",
        "requestState",
        "maxTokens",
        "max_tokens",
        *(
            "nextPageToken",
            "inputTokens",
            "total_tokens",
            "token_count",
            "tokenType",
            "tokenizer",
            "tokens_used",
        ),
        "passwordPolicy",
        "password_file",
        "tokenUrl",
        "secretName",
        "primaryKey",
        "sort_key",
        "publicKey",
        "authorization_endpoint",
        "authorizationUrl",
        "cookiePolicy",
        "apiKeyName",
        "secretary",
        "",
    ],
)
def test_names_that_only_sound_like_secrets_are_none(name):
    assert secrecy(name) == NO


def test_names_that_may_be_of_a_secret_leave_it_to_the_value():
    assert {secrecy(name) for name in ("auth", "signature", "tokens", "MISTRAL_EU_KEY")} == {PERHAPS}


def test_a_name_is_taken_apart_at_capitals_and_signs():
    assert words_of("X-APIKey_v2.dbPassword") == ["x", "api", "key", "v2", "db", "password"]
    assert words_of("") == words_of("--") == []
