"""The rules of the catalogue: importing this package imports all of its modules, which register them."""

from importlib import import_module
from pkgutil import walk_packages

for _module in walk_packages(__path__, f"{__name__}."):
    import_module(_module.name)
