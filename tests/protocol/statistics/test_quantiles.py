"""Quantiles: exact for few values, within 1 % for many, in bounded memory."""

import math
import random

from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.statistics.quantiles import EXACT, Quantiles


def taking(values: list[int]) -> Quantiles:
    quantiles = Quantiles()
    for value in values:
        quantiles.add(value)
    return quantiles


def rank(values: list[int], fraction: float) -> int:
    return sorted(values)[max(1, math.ceil(fraction * len(values))) - 1]


@given(st.lists(st.integers(0, 10**13), min_size=1, max_size=EXACT), st.sampled_from([0.0, 0.5, 0.95, 1.0]))
def test_few_values_have_exact_quantiles(values, fraction):
    assert taking(values).at(fraction) == rank(values, fraction)


@given(
    st.integers(0, 2**32),
    st.sampled_from([1, 5, 100, 10**6, 10**12]),
    st.sampled_from([0.01, 0.5, 0.95, 1.0]),
)
def test_many_values_have_quantiles_within_one_percent(seed, largest, fraction):
    generator = random.Random(seed)
    values = [generator.randint(0, largest) for _ in range(EXACT + 1 + seed % 700)]
    found = taking(values).at(fraction)
    exact = rank(values, fraction)
    assert found is not None
    assert abs(found - exact) <= max(1, exact * 0.0101)


def test_memory_does_not_follow_the_number_of_values():
    quantiles = Quantiles()
    generator = random.Random(1)
    for _ in range(50_000):
        quantiles.add(int(generator.lognormvariate(9, 4)))
    assert quantiles.count == 50_000
    assert quantiles._exact is None
    assert len(quantiles._counts) < 1600


def test_no_value_has_no_quantile():
    assert Quantiles().median is None


def test_a_clock_that_went_back_counts_as_zero():
    assert taking([-5]).median == 0
