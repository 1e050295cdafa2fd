"""JSON values and texts for the tests of this room."""

from __future__ import annotations

from hypothesis import strategies as st

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
INDENTS = st.sampled_from([None, 1, "\t"])
NEARLY_JSON = st.text(alphabet='{}[]:,"\\ a1\n', max_size=30)
DEEP = 30_000
"""Levels, far more than a parser that recurses can take."""
