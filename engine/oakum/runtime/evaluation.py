"""Evaluation: the trace at the bottom, which computes each operation at once on the host.

Computation follows data: an operation takes place where its committed operands are, and its results
are committed there; operands that are not committed go along. Without committed operands it takes
place on the device for new arrays. `transfer_guards` says what is forbidden to move.

Results are checked for NaN and infinity where `jax_debug_nans` and `jax_debug_infs` ask for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from oakum import config
from oakum.errors import DeviceMismatchError
from oakum.runtime import operation_programs, result_checks
from oakum.runtime.arrays import ArrayImpl, as_array, default_sharding, on_device, short
from oakum.runtime.exact_operations import is_exact
from oakum.runtime.topology import devices
from oakum.runtime.topology.named_shardings import NamedSharding
from oakum.runtime.topology.partition_spec import PartitionSpec
from oakum.runtime.topology.shardings import Sharding
from oakum.tracing import profile_spans
from oakum.tracing.custom_call import CustomCall
from oakum.tracing.ir import ClosedJaxpr, Unfinished
from oakum.tracing.trace import (
    Primitive,
    Trace,
    Tracer,
    as_operand,
    refuse_dead,
    under,
)
from oakum.typing import ArrayLike
from oakum.values import host, interruptible_work
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame

if TYPE_CHECKING:
    from oakum.runtime.device_storage import DeviceStorage


class Runnable(Protocol):
    """A compiled program."""

    def __call__(self, raws: Sequence[Any]) -> list[Any]:
        """Runs the program on the host's arrays."""
        ...

    def run(self, arrays: Sequence[ArrayImpl]) -> Sequence[host.Array | DeviceStorage]:
        """Runs the program on arrays, and leaves the results where it makes them."""
        ...


class EvaluationTrace(Trace):
    """Evaluates operations on arrays."""

    __slots__ = ("_compiled", "_repeat")

    name = "evaluation"
    evaluates = True

    def __init__(
        self, compiled: Callable[[ClosedJaxpr, str], Runnable], repeat: Callable[[], Primitive]
    ) -> None:
        super().__init__(None)
        self._compiled, self._repeat = compiled, repeat

    def constant(self, value: ArrayLike) -> ArrayImpl:
        return as_array(value)

    def process(self, primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
        try:
            arrays = [x if type(x) is ArrayImpl else _array(x) for x in operands]
        except _TracedOperand:
            return _handed_on(primitive, operands, params)
        if config.debug_key_reuse.value:
            from oakum.tracing import key_reuse  # which most programs do without

            return key_reuse.checked(
                primitive, arrays, params, lambda: self._evaluate(primitive, arrays, params)
            )
        if profile_spans.recording is not None and not primitive.compiled:
            with profile_spans.Block(primitive.name, "operation"):
                return self._evaluate(primitive, arrays, params)
        return self._evaluate(primitive, arrays, params)

    def _evaluate(
        self, primitive: Primitive, arrays: Sequence[ArrayImpl], params: dict[str, Any]
    ) -> Any:
        if primitive.interpret is not None:
            with under(self):
                return primitive.interpret(*arrays, **params)
        avals = primitive.result_avals([x.aval for x in arrays], params)
        place = _place_of(arrays, params.get("name", primitive.name))
        np = host.np
        platform = _platform_of(place)
        if platform != "cpu" and config.compile_programs.value:
            return self._on_device(primitive, arrays, avals, params, place)
        raw: Any
        raws = [x.raw for x in arrays]
        with np.errstate(all="ignore"):
            if primitive.compiled and config.compile_programs.value:
                raw = self._compiled(params["jaxpr"], platform)(raws)
            elif primitive.attempt is not None and config.compile_programs.value:
                raw = primitive.attempt(np, *raws, **params)
                if isinstance(raw, Unfinished):
                    program = operation_programs.of_loop(
                        primitive, [x.aval for x in arrays], avals, params
                    )
                    raw = self._compiled(program, platform)([*map(np.asarray, raw.operands)])
            elif (program := _program_of(primitive, arrays, avals, params)) is not None:
                raw = self._compiled(program, platform)(raws)
                raw = raw if primitive.multiple_results else raw[0]
            else:
                raw = _on_host(primitive, raws, avals, params)
        if result_checks.are_on():
            several = primitive.multiple_results
            found = result_checks.invalid_result(
                raw if several else [raw], avals if several else [avals], primitive.name, raws
            )
            if found is not None:
                result_checks.settle(found, arrays, params)
        if primitive.multiple_results:
            return [_placed(r, a, place) for r, a in zip(raw, avals, strict=True)]
        return _placed(raw, avals, place)

    def _on_device(
        self,
        primitive: Primitive,
        arrays: Sequence[ArrayImpl],
        avals: ShapedArray | Sequence[ShapedArray],
        params: dict[str, Any],
        place: _Place | None,
    ) -> Any:
        """Evaluates a program, or the program of an operation alone, on a device that has memory of
        its own: the results stay there.
        """
        wanted = (avals,) if isinstance(avals, ShapedArray) else tuple(avals)
        used = arrays
        if primitive.compiled:
            closed: ClosedJaxpr = params["jaxpr"]
        else:
            given = tuple(array.aval for array in arrays)
            numbers = tuple(_is_repeated(array) for array in arrays)
            repeat = None
            if any(numbers):
                repeat = self._repeat()
                pairs = zip(arrays, numbers, strict=True)
                used = [_number_of(x) if is_number else x for x, is_number in pairs]
            closed = operation_programs.program_of(
                primitive, given, wanted, params, numbers, repeat
            )
        found = self._compiled(closed, _platform_of(place)).run(used)
        results = [_left(x, aval, place) for x, aval in zip(found, wanted, strict=True)]
        if result_checks.are_on():
            raws = [x.raw for x in results]
            invalid = result_checks.invalid_result(
                raws, wanted, primitive.name, [x.raw for x in arrays]
            )
            if invalid is not None:
                result_checks.settle(invalid, arrays, params)
        return results if primitive.multiple_results else results[0]

    def process_custom_call(self, call: CustomCall, operands: Sequence[Any]) -> Sequence[Any]:
        if (trace := _traced_by(operands)) is not None:
            with under(trace):
                return trace.process_custom_call(call, operands)
        with under(self):
            return call.function(*operands)


def _program_of(
    primitive: Primitive,
    arrays: Sequence[ArrayImpl],
    avals: ShapedArray | Sequence[ShapedArray],
    params: dict[str, Any],
) -> ClosedJaxpr | None:
    """Returns the program of an operation alone that compiled code computes, as NumPy may round its
    results in another way; None for other operations.
    """
    if primitive.lower is None or primitive.effects is not None:
        return None
    results = (avals,) if isinstance(avals, ShapedArray) else tuple(avals)
    operands = tuple([x.aval for x in arrays])
    if is_exact(primitive, operands, results) or not config.compile_programs.value:
        return None
    if _holds_code(params):
        return None
    return operation_programs.of_rounded(primitive, operands, results, params)


def _is_repeated(array: ArrayImpl) -> bool:
    """Whether the elements are one number, which lies at one place of the host."""
    if array.storage is not None:
        return False
    raw = array.raw
    return raw.size > 1 and not any(raw.strides)


def _number_of(array: ArrayImpl) -> ArrayImpl:
    """Returns the number that an array repeats."""
    raw = array.raw
    return ArrayImpl(host.np.asarray(raw[(0,) * raw.ndim]), array.aval.update(shape=()))


def _on_host(primitive: Primitive, raws: Sequence[Any], avals: Any, params: dict[str, Any]) -> Any:
    """Evaluates an operation with NumPy."""
    # Written out: it stands on the path of each operation that is not compiled, where generators
    # and a closure cost a tenth of a gradient outside `jit`.
    elements = 0
    for raw in raws:
        elements += raw.size
    for aval in avals if primitive.multiple_results else (avals,):
        elements += math.prod(aval.shape)
    if is_long(elements, primitive.name) and not _holds_code(params):
        return interruptible_work.run(lambda: primitive.evaluate(host.np, *raws, **params))
    return primitive.evaluate(host.np, *raws, **params)


_LARGE: Final = 1 << 21
"""From this number of elements on, of operands and results, NumPy takes some milliseconds at least;
to have another thread do it takes up to one, most of it for pages of memory that are new to it."""

_LARGE_MATRIX: Final = 350_000
"""The same for factorisations: 340 rows take tens of milliseconds, 600 half a second."""

_FACTORISATIONS: Final = frozenset(
    "cholesky eig eigh geqrf hessenberg householder_product lu ormqr qr schur svd "
    "tridiagonal".split()
)


def is_long(elements: int, operation: str = "") -> bool:
    """Whether NumPy may take long over so many elements of operands and results."""
    return elements >= (_LARGE_MATRIX if operation in _FACTORISATIONS else _LARGE)


def _holds_code(params: dict[str, Any]) -> bool:
    """Whether an operation runs a program, or a function of the user's, which is to see its own
    thread.
    """
    return any(isinstance(each, ClosedJaxpr) or callable(each) for each in params.values())


def _traced_by(operands: Sequence[Any]) -> Trace | None:
    """The innermost of the traces around that the operands belong to, which handles what is done
    with them where known values are evaluated; an error for a tracer whose trace has ended.
    """
    found: Trace | None = None
    for value in operands:
        if type(value) is not ArrayImpl and isinstance(value, Tracer):
            refuse_dead(value)
            if found is None or _depth(value.owner) > _depth(found):
                found = value.owner
    return found


def _depth(trace: Trace) -> int:
    depth, parent = 0, trace.parent
    while parent is not None:
        depth, parent = depth + 1, parent.parent
    return depth


class _TracedOperand(Exception):
    """An operand is a tracer: not evaluation handles the operation, but a trace around it."""


def _handed_on(primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
    values = [as_operand(x) for x in operands]
    trace = _traced_by(values)
    assert trace is not None
    with under(trace):
        return trace.process(primitive, values, params)


def _array(value: ArrayLike) -> ArrayImpl:
    value = as_operand(value)
    if isinstance(value, Tracer):
        raise _TracedOperand
    return value if isinstance(value, ArrayImpl) else enter(value)


def enter(value: object) -> ArrayImpl:
    """Returns data of the host as an array, where the user lets them be transferred."""
    if config.transfer_guard_host_to_device.value is not None:
        from oakum.runtime import transfer_guards  # which most programs do without

        transfer_guards.guard_entry(value)
    return as_array(value)


_Place = tuple[Sharding | None, bool]
"""A sharding, None for the first device, and whether the array is committed to it."""


def _platform_of(place: _Place | None) -> str:
    """Returns the platform that computes what lies at a place."""
    if place is None or place[0] is None:
        return devices.default_platform()
    return place[0].device_list[0].platform


class IncompatibleDevices(DeviceMismatchError):
    """Operands are committed to different devices; `arrays` are those of the operation."""

    def __init__(
        self, arrays: Sequence[ArrayImpl], function: str, names: Sequence[str] | None = None
    ) -> None:
        described = _describe(arrays, function, names or [str(i) for i in range(len(arrays))])
        super().__init__(described, frame=user_frame())
        self.arrays = arrays

    def named(self, function: str, names: Sequence[str]) -> IncompatibleDevices:
        """Returns the error with the names of the arguments of the function that the user
        called.
        """
        return IncompatibleDevices(self.arrays, function, names)


def _place_of(arrays: Sequence[ArrayImpl], function: str) -> _Place | None:
    """Where the results of a function of these arrays lie; None for where most arrays do.

    Raises `IncompatibleDevices` where the arrays are committed to different devices.
    """
    for array in arrays:
        if array.own_sharding is not None:
            return _of_committed(arrays, function) or _of_new()
    return _of_new()


def _of_new() -> _Place | None:
    sharding = default_sharding()
    return None if sharding is None else (sharding, False)


def _of_committed(arrays: Sequence[ArrayImpl], function: str) -> _Place | None:
    chosen: ArrayImpl | None = None
    for array in arrays:
        if array.committed and chosen is None:
            chosen = array
        elif array.committed and chosen is not None and not _fit(chosen, array):
            raise IncompatibleDevices(arrays, function)
    return None if chosen is None else (chosen.sharding, True)


def _fit(first: ArrayImpl, second: ArrayImpl) -> bool:
    one, two = first.sharding, second.sharding
    return one is two or one.device_list == two.device_list


def _describe(arrays: Sequence[ArrayImpl], function: str, names: Sequence[str]) -> str:
    """Two of the arrays that are on different devices, for a message."""
    given = [pair for pair in zip(names, arrays, strict=True) if pair[1].committed]
    first = given[0]
    second = next(each for each in given if not _fit(first[1], each[1]))
    described = " and ".join(
        f"argument {name} of {function} with shape {short(array.aval)} and with "
        f"{devices.describe(array.sharding.device_list)}"
        for name, array in (first, second)
    )
    return f"Received incompatible devices for jitted computation. Got {described}"


def _placed(raw: host.Array, aval: ShapedArray, place: _Place | None) -> ArrayImpl:
    """Returns an array at a place."""
    raw = host.np.asarray(raw)
    if place is None:
        return ArrayImpl(raw, aval)
    return ArrayImpl(raw, aval, _fitting(place[0], raw.shape), place[1])


def _left(data: host.Array | DeviceStorage, aval: ShapedArray, place: _Place | None) -> ArrayImpl:
    """Returns an array at a place, of what a program left on a device, or on the host."""
    if isinstance(data, host.np.ndarray):
        return _placed(cast("host.Array", data), aval, place)
    storage = cast("DeviceStorage", data)  # Its class is not loaded for the CPU.
    if place is None:
        return on_device(storage, aval)
    shape = tuple(n for n in aval.shape or () if isinstance(n, int))
    return on_device(storage, aval, _fitting(place[0], shape), place[1])


def _fitting(sharding: Sharding | None, shape: tuple[int, ...]) -> Sharding | None:
    """Returns the sharding for a result of this shape: copies on all devices where it cannot be
    split.
    """
    if not isinstance(sharding, NamedSharding) or sharding.is_fully_replicated:
        return sharding
    try:
        sharding.shard_shape(shape)
    except ValueError:
        return NamedSharding(sharding.mesh, PartitionSpec())
    return sharding


def source(value: object) -> Sharding | None:
    """Returns the sharding that an array is committed to; None for an uncommitted one."""
    if isinstance(value, ArrayImpl):
        return value.sharding if value.committed else None
    concrete = getattr(value, "concrete", None)
    inner = None if concrete is None else concrete()
    return None if inner is None else source(inner)
