"""Kinds of uses: of what is mostly meant to be static, and conversions that the code asks for by
name.
"""

from collections.abc import Callable, Mapping

from oakum_lint.domain.events import (
    Event,
    HostCall,
    NumpyCall,
    RangeUse,
    ShapeArgument,
    SliceBound,
    StaticArgument,
)

STATIC_USES = frozenset[object]({RangeUse, ShapeArgument, SliceBound, StaticArgument})
"""Uses that need a size, an axis or an index: what they are given is mostly meant to be static."""
CONVERSIONS = frozenset({"array", "asarray", "save", "savez"})
"""Functions of NumPy that take arrays over as they are."""


def converts(event: Callable[..., Event], details: Mapping[str, object]) -> bool:
    """Whether the use is a conversion for the host that the code asks for by name."""
    return event is HostCall or (
        event is NumpyCall and str(details.get("function", "")).rpartition(".")[2] in CONVERSIONS
    )
