"""The trial of native calls, before they are trusted: one function, called in every way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum import dtypes
from oakum.compile.native import interruption
from oakum.pytrees import pytree
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.native_call import types
from oakum.runtime.native_call.layout import UnknownLayout
from oakum.runtime.native_call.native_calls import Form
from oakum.runtime.native_call.specs import Specification
from oakum.values import host, trace_context
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, field

if TYPE_CHECKING:
    from oakum.runtime.native_call.native_code import Runtime

TEXT: Final = """
define void @oakum_probe(ptr %buffers, ptr %context, ptr %arena) nounwind {
  %one = get ptr %buffers + 0
  %two = get ptr %buffers + 8
  %sum_data = get ptr %buffers + 16
  %difference_data = get ptr %buffers + 24
  %x = load i32, ptr %one, align 4
  %y = load i32, ptr %two, align 4
  store i32 %y, ptr %arena, align 4
  %again = load i32, ptr %arena, align 4
  %sum = add i32 %x, %again
  %difference = sub i32 %x, %again
  store i32 %sum, ptr %sum_data, align 4
  store i32 %difference, ptr %difference_data, align 4
  ret void
}
"""
"""An entry: the sum and the difference of two integers."""


class Probe:
    """What the trial calls; Python answers with what it was given."""

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return args, kwargs

    missed = __call__


def callable_type() -> Any:
    """Returns the class of the object that is called."""
    return types.callable_type(Probe)


@dataclass(frozen=True, slots=True)
class _Sums:
    """What the probe runs."""

    in_avals: Sequence[ShapedArray]
    out_avals: Sequence[ShapedArray]
    address: int | None
    context: int
    arena_bytes: int
    guard: int
    settle: None = None
    device: None = None
    origins: Sequence[None] = ()
    aliases: Mapping[int, int] = field(default_factory=dict[int, int])


def check(native: Runtime) -> None:
    """Raises `UnknownLayout` where native calls do not do what they should."""
    # With and without the interpreter's lock.
    for guard in (0, interruption.address(interruption.GUARD)):
        _check_calls(native, guard)


def _check_calls(native: Runtime, guard: int) -> None:
    aval = ShapedArray((), dtypes.int32)
    weak = ShapedArray((), dtypes.int32, True)
    probe = callable_type()()
    address = native.library["oakum_probe"]

    def add(
        args: tuple[object, ...], kwargs: dict[str, object], in_avals: list[Any], result: object
    ) -> None:
        form = Form(
            len(args), tuple(kwargs), {}, pytree.structure((args, kwargs)), pytree.structure(result)
        )
        sums = _Sums(in_avals, [aval, aval], address, 0, 64, guard)
        now = trace_context.CURRENT.get(), trace_context.generation
        native.link(probe, Specification(form, sums, *now), 8)

    one, two = _array(7), _array(5)
    pair = {"one": one, "two": [two]}
    add((one, two), {}, [aval, aval], (1, 2))
    add((pair,), {}, [aval, aval], {"sum": 1, "other": [2, None]})
    add((one,), {"y": 5}, [aval, weak], [1, 2])

    def call() -> list[int]:
        _expect(probe(one, two), lambda made: made)
        _expect(probe(one, host.np.int32(5)), lambda made: made)
        _expect(probe(pair), lambda made: (made["other"][0], made["sum"]))
        _expect(probe(one, y=5), lambda made: made)
        for args, kwargs in _MISSES:
            if probe(one, *args, **kwargs) != ((one, *args), kwargs):
                raise UnknownLayout("a call that fits nothing did not reach Python")
        held = (one, two, one.aval, probe, pair)
        return [sys.getrefcount(each) for each in held]

    call()
    counts = [call() for _ in range(3)]
    if any(each != counts[0] for each in counts):
        raise UnknownLayout(f"references are lost: {counts}")
    two.clear()
    if probe(one, two) != ((one, two), {}):
        raise UnknownLayout("an array that was deleted was read")


_MISSES: Final[tuple[tuple[tuple[Any, ...], dict[str, Any]], ...]] = (
    ((), {}),
    ((2.5,), {}),
    ((), {"y": 1 << 40}),
    ((), {"z": 5}),
)
"""Further arguments that fit no specification."""


def _array(value: int) -> ArrayImpl:
    return ArrayImpl(host.np.array(value, host.np.int32), ShapedArray((), dtypes.int32))


def _expect(made: object, read: Callable[[Any], Any]) -> None:
    """Raises unless the results are a sum and a difference, and arrays like all."""
    try:
        found = [each.raw.item() for each in read(made)]
        whole = all(type(each) is ArrayImpl and not each.raw.flags.writeable for each in read(made))
    except Exception as error:
        raise UnknownLayout(f"results have another form: {made!r}") from error
    if found != [12, 2] or not whole:
        raise UnknownLayout(f"results are not what they should be: {found}")
