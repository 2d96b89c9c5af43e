"""Kinds of uses: of data, of settings, of what is mostly meant to be static, and conversions that
the code asks for by name.
"""

from collections.abc import Callable, Mapping

from oakum_lint.interp.events import (
    BooleanUse,
    Condition,
    Event,
    HashUse,
    HostCall,
    NumpyCall,
    RangeUse,
    ScalarConversion,
    SequenceIndex,
    ShapeArgument,
    SliceBound,
    StaticArgument,
)

STATIC_USES = frozenset[object]({RangeUse, ShapeArgument, SliceBound, StaticArgument})
"""Uses that need a size, an axis or an index: what they are given is mostly meant to be static."""
CONVERSIONS = frozenset({"array", "asarray", "save", "savez"})
"""Functions of NumPy that take arrays over as they are."""
USES_OF_SETTINGS = frozenset[object](
    {
        Condition,
        BooleanUse,
        ScalarConversion,
        RangeUse,
        SequenceIndex,
        ShapeArgument,
        StaticArgument,
        SliceBound,
        HashUse,
    }
)
SIZED = frozenset(
    {"arange", "empty", "eye", "full", "identity", "linspace", "ones", "tri", "zeros"}
)
"""Functions of NumPy that take a size."""


def converts(event: Callable[..., Event], details: Mapping[str, object]) -> bool:
    """Whether the use is a conversion for the host that the code asks for by name."""
    return event is HostCall or (
        event is NumpyCall and str(details.get("function", "")).rpartition(".")[2] in CONVERSIONS
    )


def asks_for_static(event: Callable[..., Event], details: Mapping[str, object]) -> bool:
    """Whether the use is one of settings rather than of data: a flag, a size, a key, a name."""
    if event is NumpyCall:
        return str(details.get("function", "")).rpartition(".")[2] in SIZED
    return event in USES_OF_SETTINGS
