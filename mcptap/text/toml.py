"""TOML files of settings, and what is wrong with one in words."""

from __future__ import annotations

import tomllib
from typing import Any


def read_toml_settings(data: bytes) -> dict[str, Any]:
    """The values of a TOML file. Raises ValueError with a reason that is fit to follow the file's name.

    The parser fails in more ways than it says: on deep nesting, and on numbers of thousands of digits.
    """
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise ValueError("is not TOML: it is not UTF-8") from None
    except RecursionError:
        raise ValueError("is not TOML that can be read: it nests too deep") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"is not TOML: {error}") from None
    except ValueError:
        raise ValueError("is not TOML that can be read: it has a number of thousands of digits") from None
