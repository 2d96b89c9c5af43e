"""Python functions that a program calls on the host while it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.array import Array
from oakum.control_flow import scan
from oakum.dtypes import DType
from oakum.errors import CallbackError, CallbackResultError, DTypeError, InvalidValueError
from oakum.primitives.rules.batching import move_to_front
from oakum.primitives.rules.derivatives import Zero
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.runtime.arrays import ArrayImpl
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.transforms import flat_functions
from oakum.transforms.batching.batch_trace import with_axis
from oakum.transforms.make_jaxpr import described_aval
from oakum.values import codes, host, user_frames
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame


class Callback:
    """A Python function of trees, as programs call it: on flat arrays of the host."""

    __slots__ = ("function", "name", "out_avals", "out_tree", "treedef")

    def __init__(
        self,
        function: Callable[..., Any],
        treedef: PyTreeDef,
        out_tree: PyTreeDef,
        out_avals: Sequence[ShapedArray],
    ) -> None:
        self.function = function
        self.name = user_frames.name_of(function)
        self.treedef = treedef
        self.out_tree = out_tree
        self.out_avals = tuple(out_avals)

    def __call__(self, arrays: Sequence[Any], avals: Sequence[ShapedArray]) -> list[Any]:
        # An array from memory has no weak type, as in JAX.
        strong = [each.update(weak_type=False) for each in avals]
        values = [ArrayImpl(x, a) for x, a in zip(arrays, strong, strict=True)]
        args, kwargs = pytree.unflatten(self.treedef, values)
        from oakum.tracing.trace import base_trace, under

        with under(base_trace()):
            result = self.function(*args, **kwargs)
        leaves, tree = pytree.flatten(result)
        if len(leaves) != len(self.out_avals):
            raise CallbackResultError(
                f"Mismatched number of outputs from callback {self.name}: it gave a tree of "
                f"structure {tree}, and was declared to give {self.out_tree}",
                hint="Return what result_shape_dtypes declares.",
            )
        return leaves


def _fit(callback: Callback, leaves: Sequence[Any], avals: Sequence[ShapedArray]) -> list[Any]:
    """Returns the results as arrays of the host, of the declared shapes and dtypes."""
    found: list[Any] = []
    for leaf, aval in zip(leaves, avals, strict=True):
        assert aval.dtype is not None
        array = host.np.asarray(leaf.raw if isinstance(leaf, ArrayImpl) else leaf)
        if array.shape != aval.shape:
            raise CallbackResultError(
                f"Incorrect output shape for return value of the callback {callback.name}: "
                f"Expected: {aval.shape}, Actual: {array.shape}",
                detail=_declared(callback, aval, array),
                hint="Return what result_shape_dtypes declares.",
            )
        wanted = host.dtype(aval.dtype)
        if array.dtype != wanted:
            if not (_is_python_number(leaf) or _canonical(array) is aval.dtype):
                raise CallbackResultError(
                    f"Incorrect output dtype for return value of the callback {callback.name}: "
                    f"Expected: {wanted}, Actual: {array.dtype}",
                    detail=_declared(callback, aval, array),
                    hint="Return what result_shape_dtypes declares.",
                    code=codes.DTYPE_MISMATCH,
                )
            array = array.astype(wanted)
        found.append(array)
    return found


def _declared(callback: Callback, aval: ShapedArray, array: host.Array) -> str:
    """Returns the sentence that says what was declared and what a callback gave."""
    sizes = ",".join(map(str, array.shape))
    return (
        f"result_shape_dtypes declares {aval}, and {user_frames.place_of(callback.function)} "
        f"returns {array.dtype}[{sizes}]"
    )


def _canonical(array: host.Array) -> DType | None:
    """Returns the dtype that an array of the host has here; None for one without numbers."""
    try:
        return dtypes.canonicalize(host.read_dtype(array.dtype))
    except DTypeError:
        return None


def _is_python_number(value: object) -> bool:
    return type(value) in (bool, int, float, complex)


def _abstract(*avals: ShapedArray, callback: Callback, **_: object) -> list[ShapedArray]:
    return list(callback.out_avals)


def _evaluate(
    xp: ModuleType,
    *operands: object,
    callback: Callback,
    avals: tuple[ShapedArray, ...],
    **_: object,
) -> list[Any]:
    given = [xp.asarray(x) for x in operands]
    return _fit(callback, callback(given, avals), callback.out_avals)


def _no_io_jvp(*_: object, **__: object) -> Any:
    raise CallbackError(
        "IO callbacks do not support JVP",
        hint="Give the function that calls back a rule with jax.custom_jvp.",
    )


def _pure_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, callback: Callback, **params: object
) -> Any:
    raise CallbackError(
        f"Pure callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while "
        f"taking gradients: {callback.name}",
        hint="Give the function that calls back a rule with jax.custom_jvp or jax.custom_vjp.",
    )


def _pure_batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    callback: Callback,
    avals: tuple[ShapedArray, ...],
    vmap_method: str | None,
) -> tuple[list[Any], list[int]]:
    if vmap_method is None and axis.devices:
        vmap_method = "sequential"
    if vmap_method is None:
        raise CallbackError(
            "vmap is only supported for pure_callback when vmap_method is specified; the callback "
            f"is {callback.name}",
            hint="Give vmap_method='sequential', 'expand_dims' or 'broadcast_all'.",
        )
    if vmap_method.startswith("sequential"):
        return _sequential(
            axis, operands, dims, callback=callback, avals=avals, vmap_method=vmap_method
        )
    whole = [_whole(x, d, axis, vmap_method) for x, d in zip(operands, dims, strict=True)]
    out = [with_axis(a, 0, axis.size) for a in callback.out_avals]
    batched = Callback(callback.function, callback.treedef, callback.out_tree, out)
    results = pure_callback_p.bind(
        *whole, callback=batched, avals=tuple(aval_of(x) for x in whole), vmap_method=vmap_method
    )
    return results, [0] * len(out)


def _whole(operand: Array, dim: int | None, axis: AxisData, vmap_method: str) -> Any:
    """Returns an operand as a callback gets it that is called once for all elements."""
    if dim is None and vmap_method == "expand_dims":
        return lax.expand_dims(operand, (0,))
    if dim is None and vmap_method == "legacy_vectorized":
        return operand
    return move_to_front(operand, dim, axis.size)


def _sequential(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], **params: object
) -> tuple[list[Any], list[int]]:
    """Batches a callback by calling it once for each element, in order."""
    mapped = [i for i, d in enumerate(dims) if d is not None]
    moved = [move_to_front(operands[i], dims[i], axis.size) for i in mapped]

    def step(slices: Sequence[Array]) -> list[Any]:
        given = list(operands)
        for i, x in zip(mapped, slices, strict=True):
            given[i] = x
        return pure_callback_p.bind(*given, **params)

    results = scan.map_function(step, moved, None)
    return results, [0] * len(results)


pure_callback_p = Primitive(
    "pure_callback",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_pure_jvp,
    batch=_pure_batch,
    multiple_results=True,
)


def _no_io_transpose(*_: object, **__: object) -> Any:
    raise CallbackError(
        "IO callbacks do not support transpose",
        hint="Give the function that calls back a rule with jax.custom_vjp.",
    )


def _io_batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    callback: Callback,
    avals: tuple[ShapedArray, ...],
    ordered: bool,
) -> tuple[list[Any], list[int]]:
    if ordered:
        raise CallbackError(
            f"Cannot `vmap` ordered IO callback: {callback.name}", hint="Drop ordered=True."
        )
    return _one_by_one(
        io_callback_p, axis, operands, dims, callback=callback, avals=avals, ordered=False
    )


def _one_by_one(
    primitive: Primitive,
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    **params: object,
) -> tuple[list[Any], list[int]]:
    columns: list[list[Any]] = []
    for i in range(axis.size):
        part = [
            x if d is None else lax.index_in_dim(x, i, d, keepdims=False)
            for x, d in zip(operands, dims, strict=True)
        ]
        columns.append(primitive.bind(*part, **params))
    results = [
        lax.concatenate([lax.expand_dims(x, (0,)) for x in row], 0)
        for row in zip(*columns, strict=True)
    ]
    return results, [0] * len(results)


def _io_effects(*, ordered: bool, **_: object) -> frozenset[str]:
    return frozenset(("ordered io" if ordered else "io",))


io_callback_p = Primitive(
    "io_callback",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_no_io_jvp,
    transpose=_no_io_transpose,
    batch=_io_batch,
    effects=_io_effects,
    multiple_results=True,
)


def _debug_evaluate(
    xp: ModuleType,
    *operands: object,
    callback: Callback,
    avals: tuple[ShapedArray, ...],
    ordered: bool,
) -> list[Any]:
    callback([xp.asarray(x) for x in operands], avals)
    return []


def _debug_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], **params: object
) -> tuple[list[Any], list[Zero]]:
    return debug_callback_p.bind(*primals, **params), []


def _debug_batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    callback: Callback,
    avals: tuple[ShapedArray, ...],
    ordered: bool,
) -> tuple[list[Any], list[int]]:
    if ordered:
        text = "Cannot `vmap` ordered callbacks"
        if axis.devices:
            text = "The following ordered effects are not supported for more than 1 device"
        raise CallbackError(f"{text}: {callback.name}", hint="Drop ordered=True.")
    return _one_by_one(
        debug_callback_p, axis, operands, dims, callback=callback, avals=avals, ordered=False
    )


def _debug_abstract(*avals: ShapedArray, **_: object) -> list[ShapedArray]:
    return []


def _debug_transpose(cotangents: Sequence[Any], *operands: object, **_: object) -> list[Any]:
    return [None] * len(operands)


def _debug_effects(*, ordered: bool, **_: object) -> frozenset[str]:
    return frozenset(("ordered debug" if ordered else "debug",))


debug_callback_p = Primitive(
    "debug_callback",
    abstract=_debug_abstract,
    evaluate=_debug_evaluate,
    jvp=_debug_jvp,
    transpose=_debug_transpose,
    batch=_debug_batch,
    effects=_debug_effects,
    multiple_results=True,
)


def _operands(
    args: Sequence[object], kwargs: Mapping[str, object], what: str
) -> tuple[list[Any], Any]:
    leaves, treedef = pytree.flatten((args, kwargs))
    for leaf in leaves:
        try:
            aval_of(leaf)
        except InvalidValueError:
            raise InvalidValueError(
                f"{what} got an argument that is no array: {leaf!r} of type {type(leaf)}",
                hint="Close over it instead: functools.partial(callback, value).",
                frame=user_frame(),
            ) from None
    return leaves, treedef


def _declare_results(result: object) -> tuple[list[ShapedArray], Any]:
    leaves, tree = pytree.flatten(result)
    for leaf in leaves:
        wanted = host.read_dtype(leaf.dtype) if hasattr(leaf, "dtype") else None
        if wanted is not None and dtypes.canonicalize(wanted) is not wanted:
            raise CallbackResultError(
                "result_shape_dtypes cannot specify 64-bit types when `jax_enable_x64` is "
                "disabled, "
                f"and got {wanted}",
                hint="Declare a type of 32 bits, or enable x64.",
                frame=user_frame(),
                code=codes.DTYPE_MISMATCH,
            )
    return [
        described_aval(x, "a result of a callback").update(weak_type=False) for x in leaves
    ], tree


_METHODS = (
    "sequential",
    "sequential_unrolled",
    "expand_dims",
    "broadcast_all",
    "legacy_vectorized",
)


def pure_callback(
    function: Callable[..., Any],
    result: object,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    vmap_method: str | None,
) -> Any:
    """Calls a function without side effects."""
    flat_functions.check_callable(function)
    if vmap_method is not None and vmap_method not in _METHODS:
        raise CallbackError(
            f"vmap_method must be on of the allowed methods {_METHODS}, but got: {vmap_method}",
            hint="Give one of them.",
        )
    leaves, treedef = _operands(args, kwargs, "pure_callback")
    avals, tree = _declare_results(result)
    callback = Callback(function, treedef, tree, avals)
    out = pure_callback_p.bind(
        *leaves, callback=callback, avals=_describe(leaves), vmap_method=vmap_method
    )
    return pytree.unflatten(tree, out)


def _describe(leaves: Sequence[Any]) -> tuple[ShapedArray, ...]:
    return tuple(aval_of(x) for x in leaves)


def io_callback(
    function: Callable[..., Any],
    result: object,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    ordered: bool,
) -> Any:
    """Calls a function with side effects."""
    flat_functions.check_callable(function)
    leaves, treedef = _operands(args, kwargs, "io_callback")
    avals, tree = _declare_results(result)
    callback = Callback(function, treedef, tree, avals)
    out = io_callback_p.bind(*leaves, callback=callback, avals=_describe(leaves), ordered=ordered)
    return pytree.unflatten(tree, out)


def debug_callback(
    function: Callable[..., Any],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    ordered: bool,
) -> None:
    """Calls a function for its side effects; its result is dropped."""
    flat_functions.check_callable(function)
    leaves, treedef = pytree.flatten((args, kwargs))
    static = {i: x for i, x in enumerate(leaves) if not _is_array(x)}
    dynamic = [x for i, x in enumerate(leaves) if i not in static]
    # What the program keeps must hold no tracer: `call` knows how many leaves there are.
    count = len(leaves)

    def call(*arrays: object) -> None:
        values = iter(arrays)
        whole = [static[i] if i in static else next(values) for i in range(count)]
        given, keywords = pytree.unflatten(treedef, whole)
        function(*given, **keywords)

    call.__name__ = user_frames.name_of(function)
    _, flat = pytree.flatten((tuple(dynamic), dict[str, object]()))
    callback = Callback(call, flat, pytree.structure(None), ())
    debug_callback_p.bind(*dynamic, callback=callback, avals=_describe(dynamic), ordered=ordered)


def _is_array(value: object) -> bool:
    try:
        aval_of(value)
    except InvalidValueError:
        return False
    return True
