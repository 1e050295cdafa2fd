"""What the classes of records share: they are compared and shown by their fields."""

import pytest

from mcptap.recording.format.values import Fields


class Point(Fields):
    """A record with a field that is only kept to save work."""

    __slots__ = ("_cache", "x", "y")

    def __init__(self, x: int, y: int, cache: object = None) -> None:
        self.x, self.y, self._cache = x, y, cache


class Place(Point):
    """Another class with the same fields."""

    __slots__ = ()


def test_equal_are_two_of_one_class_whose_fields_are_equal() -> None:
    assert Point(1, 2) == Point(1, 2, cache="filled")
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2) != Place(1, 2)
    assert Point(1, 2) != (1, 2)


def test_they_are_shown_by_their_fields() -> None:
    assert repr(Point(1, 2, cache="filled")) == "Point(x=1, y=2)"


def test_they_are_no_keys_since_their_fields_may_change() -> None:
    with pytest.raises(TypeError):
        hash(Point(1, 2))
