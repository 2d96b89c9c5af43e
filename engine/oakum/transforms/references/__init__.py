"""Mutable references to arrays, and programs that read and write them.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

if TYPE_CHECKING:
    from oakum.transforms.references import argument_references as argument_references
    from oakum.transforms.references import captured_references as captured_references
    from oakum.transforms.references import reference as reference
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.transforms.references")
