"""Secrets that are known by their looks, wherever they stand.

Each pattern takes time linear in the text: no two matches of one can begin within the same run of
signs, or nothing has to follow that run. A secret that was cut off (`…` behind it) counts as well.
"""

from __future__ import annotations

import re

from mcptap.masking.hints import BEGINNINGS

CUT = "…"
_LEFT = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9a-f]{4}))"
"""A shape begins behind no letter or digit, but for those of an escape: `\\n`, `\\u000a`."""


def _token(prefix: str, signs: str, least: int) -> str:
    return f"{prefix}(?:[{signs}]{{{least},}}|[{signs}]{{3,}}(?={CUT}))"


_ALNUM, _WORD, _DASH = "A-Za-z0-9", "A-Za-z0-9_", "A-Za-z0-9_-"

_VENDORS = "|".join(
    _token(prefix, signs, least)
    for prefix, signs, least in (
        (r"(?:sk|rk|pk)_(?:live|test|prod)_", _ALNUM, 8),
        (r"whsec_", r"A-Za-z0-9+/=_-", 12),
        (r"gh[pousr]_", _WORD, 16),
        (r"github_pat_", _WORD, 20),
        (r"gl(?:pat|dt|rt|ptt|cbt|agent|soat|ft|imt|oas|ffct)-", r"A-Za-z0-9_.-", 12),
        (r"hf_", _ALNUM, 16),
        (r"npm_", _ALNUM, 20),
        (r"pypi-", _DASH, 20),
        (r"xox[abceoprs](?:\.xox[bp])?-", _DASH, 8),
        (r"xapp-", _DASH, 12),
        (r"(?:AKIA|ASIA|ABIA|ACCA)", "A-Z0-9", 12),
        (r"AIza", _DASH, 24),
        (r"ya29\.", r"A-Za-z0-9_.-", 16),
        (r"GOCSPX-", _DASH, 16),
        (r"do[opr]_v1_", "a-f0-9", 20),
        (r"shp(?:at|ss|ca|pa)_", "A-Fa-f0-9", 16),
        (r"sq0(?:atp|csp|idp)-", _DASH, 16),
        (r"SG\.", r"A-Za-z0-9_.-", 20),
        (r"lin_(?:api|oauth)_", _ALNUM, 16),
        (r"ntn_", _ALNUM, 20),
        (r"figd_", _DASH, 16),
        (r"tvly-", _DASH, 12),
        (r"gsk_", _ALNUM, 20),
        (r"xai-", _ALNUM, 20),
        (r"r8_", _ALNUM, 20),
        (r"pplx-", _ALNUM, 20),
        (r"nvapi-", _DASH, 20),
        (r"sbp_", "a-f0-9", 20),
        (r"dckr_pat_", _DASH, 16),
        (r"hv[sbr]\.", _DASH, 16),
        (r"PMAK-", "a-f0-9-", 20),
        (r"rubygems_", "a-f0-9", 20),
        (r"sntry[su]_", r"A-Za-z0-9_=+/-", 20),
        (r"gl(?:sa|c)_", r"A-Za-z0-9_=+/", 20),
        (r"AGE-SECRET-KEY-1", "A-Z0-9", 20),
        (r"pat-(?:na|eu)[0-9]-", "a-f0-9-", 20),
        (r"[0-9]{8,10}:AA", _DASH, 30),
    )
)

SHAPES = (
    (
        "private key",
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?!-----END)[\s\S])*+(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
    ),
    (
        "JSON web token",
        re.compile(
            r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,3}|(?=…)"
            r"|\.[A-Za-z0-9_-]*(?=…))"
        ),
    ),
    ("token", re.compile(f"{_LEFT}(?:{_VENDORS})")),
    ("webhook", re.compile(r"(?<=hooks\.slack\.com/services/)[A-Za-z0-9/]{16,}")),
    ("webhook", re.compile(r"(?<=/api/webhooks/)[0-9]{1,30}/[A-Za-z0-9_-]{16,}")),
    ("token", re.compile(r"(?<=/bot)[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}")),
)

API_KEY = re.compile(f"{_LEFT}{_token('(?:sk|rk)[-_]', _DASH, 16)}")
"""A key of OpenAI's form; words joined with hyphens look the same: it has a digit or two cases."""
_BEGINNING = re.compile("|".join(map(re.escape, BEGINNINGS)))
_SHORTEST, _SHORT = 6, 400


def _has_beginning(text: str) -> bool:
    if len(text) < _SHORT:
        return _BEGINNING.search(text) is not None
    return any(beginning in text for beginning in BEGINNINGS)


def shapes_in(text: str) -> list[tuple[int, int, str]]:
    """Start, end and kind of everything in a text that looks like a secret."""
    if len(text) < _SHORTEST or not _has_beginning(text):
        return []
    found = [(*match.span(), kind) for kind, pattern in SHAPES for match in pattern.finditer(text)]
    for match in API_KEY.finditer(text):
        key = match[0][3:]
        if any(sign.isdecimal() for sign in key) or not (key.islower() or key.isupper()):
            found.append((*match.span(), "API key"))
    return found
