"""What the classes of records share.

They are no dataclasses: the tap has them beside its encoders, and can't wait for that import.
"""

from __future__ import annotations


class Fields:
    """Equality and representation by the fields in `__slots__`; those that begin with `_` don't count."""

    __slots__: tuple[str, ...] = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._names())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._names())
        return f"{type(self).__name__}({shown})"

    def _names(self) -> list[str]:
        return [name for name in self.__slots__ if not name.startswith("_")]
