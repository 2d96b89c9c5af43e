"""Array operators and public functions whose calls outside `jit` are made native.

A public function is watched where its declaration says that it computes element by element,
reduces, contracts or draws; operators, which call public functions, from the first call of one of
these on. They are replaced on arrays with data only.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from oakum.abstract.elementwise import Elementwise
from oakum.array import Array
from oakum.array_operators import ArrayOperators
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.exact_operations import is_exact_program
from oakum.runtime.native_call import native_calls
from oakum.runtime.native_call.hot_functions import Counted, Staged, Traits
from oakum.tracing.jaxpr_trace import EVALUATION
from oakum.transforms.flat_functions import Options
from oakum.transforms.jit.function_call import Call
from oakum.transforms.jit.jit_primitive import jit_p
from oakum.values.declarations import PublicFunction
from oakum.values.facts import Facts

_BINARY: Final = "add sub mul truediv floordiv mod matmul and or xor lshift rshift".split()
_COMPARING: Final = "eq ne lt le gt ge".split()
_UNARY: Final = "neg abs invert".split()

_NAMES: Final = (
    *(f"__{name}__" for name in (*_BINARY, *_COMPARING, *_UNARY)),
    *(f"__r{name}__" for name in _BINARY),
)
_POWERS: Final = ("__pow__", "__rpow__")
"""What `x ** 2` computes depends on the number."""

_FAMILIES: Final = {
    f"oakum.abstract.{family}": traits
    for traits, families in (
        (
            Traits(by_value=True),
            "contraction fourier linalg neural_networks padding reduction sampling",
        ),
        (
            Traits(by_value=True, exact=True),
            "diagonals indexing joining selection slicing sorting",
        ),
        (Traits(by_value=True, small=True, exact=True), "reshaping"),
        (Traits(by_value=True, small=True, host_converts=True, exact=True), "creation"),
    )
    for family in families.split()
}

_SEVERAL: Final = frozenset(
    """
    image.resize lax.complex lax.dynamic_update_index_in_dim lax.dynamic_update_slice
    lax.dynamic_update_slice_in_dim lax.gather lax.pow lax.scatter lax.scatter_add lax.scatter_max
    lax.scatter_min lax.scatter_mul numpy.allclose numpy.array_equal numpy.average
    numpy.bitwise_count numpy.bitwise_left_shift numpy.bitwise_right_shift numpy.choose
    numpy.corrcoef numpy.cov numpy.ediff1d numpy.gradient numpy.indices numpy.interp numpy.ldexp
    numpy.packbits numpy.polyadd numpy.polyder numpy.polyint numpy.polysub numpy.polyval
    numpy.put_along_axis numpy.ravel_multi_index numpy.trapezoid numpy.unpackbits numpy.vander
    """.split()
)
"""Functions of no such family that are counted too, as those of neural networks and the special
functions are.
"""

_UNCOUNTED: Final = frozenset(
    """
    lax.argmax lax.argmin lax.batch_matmul lax.bitcast_convert_type lax.broadcasted_iota lax.clamp
    lax.concatenate lax.dot lax.dot_general lax.iota lax.pad lax.select lax.select_n
    lax.sort_key_val numpy.bartlett numpy.blackman numpy.copy numpy.diag_indices
    numpy.diag_indices_from numpy.hamming numpy.hanning numpy.identity numpy.kaiser numpy.piecewise
    numpy.unravel_index scipy.linalg.hilbert
    """.split()
)
"""Functions of such families that are not counted: those of `lax` stand in programs that are
traced, where the look at each call costs 2% of a trace; the others are seldom called twice.
"""


@functools.cache
def _watch_operators() -> None:
    """Has calls of the operators of arrays watched, from now on."""
    for name in (*_NAMES, *_POWERS):
        traits = Traits(by_value=name in _POWERS)
        setattr(ArrayImpl, name, Counted(ArrayOperators.__dict__[name], traits, _stage))
    traits = Traits(by_value=True, small=True, exact=True)
    taking = Counted(ArrayOperators.__dict__["__getitem__"], traits, _stage)
    setattr(ArrayImpl, "__getitem__", taking)  # noqa: B010


def watched(function: PublicFunction[..., Any], called: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `called` wrapped in a counter if calls of the function can be native, else itself."""
    traits = traits_of(function.facts)
    if traits is None or not native_calls.are_wanted():
        return called
    _watch_operators()
    return Counted(called, traits, _stage, function)


def _stage(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Staged | None:
    """Stages a call; returns None where its program closes over tracers, or where its result is no
    array or tuple of arrays: a program would give an array for a flag.
    """
    are_arrays: list[bool] = []

    def noting(*given: object, **named: object) -> object:
        result = function(*given, **named)
        several = isinstance(result, tuple)
        parts = cast("tuple[object, ...]", result) if several else (result,)
        are_arrays.append(all(isinstance(each, Array) for each in parts))
        return cast("object", result)

    call = Call(functools.update_wrapper(noting, function), Options(), args, kwargs)
    program = call.trace(EVALUATION)
    if program.lifted or not all(are_arrays):
        return None
    closed, tree = program.jaxpr, program.out_tree

    def run(leaves: Sequence[Any]) -> Any:
        return tree.unflatten(jit_p.bind(*leaves, jaxpr=closed, name=closed.jaxpr.name))

    return Staged(closed, call.treedef, tree, is_exact_program(closed), run)


def traits_of(facts: Facts) -> Traits | None:
    """Returns how calls of a function are counted; None if compiled ones may differ in result."""
    rule: Any = facts.rule
    if facts.transform is not None or facts.needs_concrete or facts.static_result:
        return None
    if facts.name in _UNCOUNTED or facts.name.startswith(("lax.reduce_", "ops.", "scipy.stats.")):
        return None
    found = _FAMILIES.get(getattr(rule, "__module__", None) or "")
    if type(rule) is Elementwise and not facts.name.startswith("lax."):
        by_value = not facts.name.startswith(("numpy.", "Array."))
        varies = any(part in facts.name for part in ("pow", "shift"))
        return Traits(by_value=by_value or varies or bool(facts.static))
    if found is None and (
        facts.name in _SEVERAL or facts.name.startswith(("lax.linalg.", "nn.", "scipy.special."))
    ):
        return Traits(by_value=True)
    return found
