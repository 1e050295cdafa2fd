"""The checks of `mcptap doctor`: importing this package imports all of its modules, which register them."""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
