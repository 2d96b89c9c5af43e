"""`vmap` of functions of trees."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from oakum import lax
from oakum.errors import InvalidValueError, MappedAxisError
from oakum.primitives.rules.arguments import shape_of
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.jaxpr_trace import Reference
from oakum.tracing.trace import AxisData, as_operand, aval_of
from oakum.transforms import flat_functions, references
from oakum.transforms.batching.batch_trace import batch_flat, to_axis
from oakum.values import user_frames
from oakum.values.traceback_filtering import api_boundary
from oakum.values.user_frames import user_frame


def _is_none(value: object) -> bool:
    return value is None


def vmap(
    function: Callable[..., Any],
    in_axes: int | Sequence[Any] | None,
    out_axes: object,
    axis_name: Hashable,
    axis_size: int | None,
    spmd_axis_name: Hashable,
    what: str = "vmap",
) -> Callable[..., Any]:
    """Returns the function mapped over axes of its arguments; `what` maps it, in messages."""
    flat_functions.check_callable(function)
    in_axes = _check_in_axes(in_axes, what)
    _check_axes(out_axes, f"{what} out_axes")

    @api_boundary
    @user_frames.wraps(function)
    def mapped(*args: object, **kwargs: object) -> Any:
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise MappedAxisError(
                f"{what} in_axes must be an int, None, or a tuple of entries corresponding to the "
                "positional arguments passed to the function, but got "
                f"len(in_axes)={len(in_axes)}, len(args)={len(args)}; each argument passed by "
                "keyword is mapped over its leading axis",
                detail=f"The function is {user_frames.place_of(function)}, and its arguments are "
                f"{', '.join(_kinds(args))}",
                hint="Give one entry of in_axes for each argument.",
                frame=user_frame(),
            )
        leaves, treedef = pytree.flatten((args, kwargs))
        leaves = [as_operand(x) for x in leaves]
        dims = flat_axes(in_axes, args, kwargs, f"{what} in_axes")
        mapped_references = [
            (at, x, dim)
            for at, (x, dim) in enumerate(zip(leaves, dims, strict=True))
            if isinstance(x, Reference) and dim is not None
        ]
        names = _names(function, args, kwargs)
        if mapped_references:
            references.argument_references.check_distinct(leaves, lambda: names, (), function)
        for at, reference, _ in mapped_references:
            leaves[at] = reference.read()
        dims = _normalise(leaves, dims, names, function, what)
        size = mapped_size(function, leaves, dims, names, axis_size, what)
        axis = AxisData(axis_name, size, spmd_axis_name, what == "pmap")
        call = flat_functions.FlatFunction(function, treedef, transform=what)
        passed: Callable[..., list[Any]] = call
        if mapped_references:
            passed = references.argument_references.with_references(
                call, [at for at, _, _ in mapped_references]
            )
        results, out = batch_flat(passed, axis, leaves, dims, function, what)
        for _, reference, dim in mapped_references:
            # A negative axis is one of the array that is held, as for arrays.
            place = dim % len(aval_of(reference.read()).shape or ())
            reference.write(to_axis(results.pop(0), out.pop(0), size, place))
        wanted = out_dims(out_axes, call.out_tree, what)
        return pytree.unflatten(call.out_tree, _place(function, results, out, wanted, axis, what))

    mapped.__doc__ = _write_documentation(function, what)
    return mapped


def _kinds(args: Sequence[object]) -> list[str]:
    """Returns what arguments are: arrays as avals, the rest by class."""
    return [str(getattr(each, "aval", type(each).__name__)) for each in args]


def _names(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> list[str]:
    """Returns names of the leaves; keyword arguments, always mapped, are under `kwargs`."""
    names = flat_functions.argument_names(function, args, {})
    return names + flat_functions.argument_names(function, (), {"kwargs": kwargs} if kwargs else {})


def _write_documentation(function: Callable[..., Any], what: str) -> str | None:
    """Returns the documentation of a mapped function, which says what it is."""
    document = getattr(function, "__doc__", None)
    if document is None or what != "vmap":
        return document
    name = user_frames.name_of(function)
    return (
        f"Vectorized version of {name}: it takes the arguments of {name} with an additional axis, "
        f"over which {name} is mapped.\n\nOriginal documentation:\n\n{document}"
    )


def _check_in_axes(in_axes: int | Sequence[Any] | None, what: str) -> Any:
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not (in_axes is None or isinstance(in_axes, tuple) or _is_int(in_axes)):
        raise InvalidValueError(
            f"{what} in_axes must be an int, None, or a tuple of entries corresponding to the "
            f"positional arguments passed to the function, but got {in_axes!r}",
            hint="Give a tuple with one entry for each argument.",
        )
    _check_axes(in_axes, f"{what} in_axes")
    return in_axes


def _is_int(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _check_axes(axes: object, name: str) -> None:
    for leaf in pytree.leaves(axes):
        if not _is_int(leaf):
            raise InvalidValueError(
                f"{name} must be an int, None, or (nested) container with those types as "
                f"leaves, but got {axes!r}",
                hint="Give the axis of each array, or None for what is not mapped.",
            )


def flat_axes(
    in_axes: int | Sequence[Any] | None,
    args: tuple[Any, ...],
    kwargs: Mapping[str, object],
    name: str,
) -> list[int | None]:
    """Returns the mapped axis of each leaf of the arguments; keyword arguments are mapped over axis
    0.
    """
    try:
        dims = pytree.broadcast_prefix(in_axes, args, is_leaf=_is_none)
    except ValueError as error:
        raise MappedAxisError(
            f"{name} specification must be a tree prefix of the corresponding value, got "
            f"specification {in_axes!r} for value tree {pytree.structure(args)}: "
            f"{_mismatch(in_axes, args, name) or error}",
            hint="Give one entry for each argument, or a tree of the argument's structure.",
            frame=user_frame(),
        ) from None
    return [*dims, *([0] * len(pytree.leaves(kwargs)))]


def _mismatch(prefix: object, tree: object, name: str) -> str:
    """Describes where a tree of axes is not a prefix of the arguments; "" if it is one."""
    found = pytree.prefix_errors(prefix, tree, is_leaf=_is_none)
    return found[0](name).message if found else ""


def _normalise(
    leaves: Sequence[Any],
    dims: Sequence[Any],
    names: Sequence[str],
    function: Callable[..., Any],
    what: str,
) -> list[int | None]:
    found: list[int | None] = []
    for leaf, dim, name in zip(leaves, dims, names, strict=True):
        if dim is None:
            found.append(None)
            continue
        shape = aval_of(leaf).shape or ()
        dim = dim.__index__()
        if not -len(shape) <= dim < len(shape):
            raise MappedAxisError(
                f"{what} was requested to map its argument along axis "
                f"{dim}, which implies that its rank should be at least "
                f"{dim + 1 if dim >= 0 else -dim}, but is only {len(shape)} (its shape is "
                f"{shape}): "
                f"argument {name} of {user_frames.name_of(function)}",
                detail=f"`{name}` is {aval_of(leaf)}",
                hint="Give None in in_axes for an argument that is not mapped.",
                frame=user_frame(),
            )
        found.append(dim % len(shape))
    return found


def mapped_size(
    function: Callable[..., Any],
    leaves: Sequence[Any],
    dims: Sequence[int | None],
    names: Sequence[str],
    axis_size: int | None,
    what: str = "vmap",
) -> int:
    """Returns the size of the mapped axes, which has to be the same in all arguments."""
    sizes: dict[int, list[str]] = {} if axis_size is None else {axis_size: []}
    for leaf, dim, name in zip(leaves, dims, names, strict=True):
        if dim is not None:
            aval = aval_of(leaf)
            size = shape_of(aval)[dim]
            kind = "" if name.startswith("kwargs[") else "argument "
            described = f"axis {dim} of {kind}{name} of type {aval.str_short()}"
            sizes.setdefault(size, []).append(described)
    if len(sizes) > 1:
        raise MappedAxisError(
            f"{what} got inconsistent sizes for array axes to be mapped:\n"
            f"{_list_sizes(sizes, axis_size)}",
            hint="Give arguments whose mapped axes have one size, or None in in_axes.",
            frame=user_frame(),
        )
    if sizes:
        return next(iter(sizes))
    if not leaves:
        text = f"{what} wrapped function must be passed at least one argument containing an array"
    else:
        text = f"{what} must have at least one non-None value in in_axes"
    raise MappedAxisError(
        f"{text}, got no mapped argument for {user_frames.name_of(function)}",
        hint="Map over an argument, or give axis_size.",
        frame=user_frame(),
    )


def _list_sizes(sizes: dict[int, list[str]], axis_size: int | None) -> str:
    """Returns the sizes that differ, the most frequent first, each with an argument that has it."""
    lines: list[str] = []
    if axis_size is not None:
        lines.append(f"  * the `axis_size` argument was {axis_size}")
    ordered = sorted(sizes.items(), key=lambda item: -len(item[1]))
    most = len(ordered[0][1]) > 1 and (len(ordered) < 2 or len(ordered[1][1]) < len(ordered[0][1]))
    for position, (size, places) in enumerate(ordered):
        if not places:
            continue
        if len(places) == 1:
            lines.append(f"  * one axis had size {size}: {places[0]}")
        else:
            how = "most" if position == 0 and most else "some"
            count = f"{how} axes ({len(places)} of them)"
            lines.append(f"  * {count} had size {size}, e.g. {places[0]}")
    return ";\n".join(lines)


def out_dims(out_axes: object, out_tree: PyTreeDef, what: str) -> list[Any]:
    """Returns the axis that each leaf of the result is to be mapped along."""
    try:
        return pytree.broadcast_prefix(
            out_axes, pytree.unflatten(out_tree, [0] * out_tree.num_leaves), is_leaf=_is_none
        )
    except ValueError as error:
        raise MappedAxisError(
            f"{what} out_axes specification must be a tree prefix of the corresponding value, got "
            f"specification {out_axes!r} for value tree {out_tree}: {error}",
            frame=user_frame(),
        ) from None


def _place(
    function: Callable[..., Any],
    results: Sequence[Any],
    dims: Sequence[Any],
    wanted: Sequence[Any],
    axis: AxisData,
    what: str,
) -> list[Any]:
    placed: list[Any] = []
    name = f"axis_name={axis.name}"
    size = axis.size
    for value, dim, place in zip(results, dims, wanted, strict=True):
        if place is None:
            if dim is not None and what == "pmap":
                value = lax.index_in_dim(value, 0, dim, keepdims=False)
            elif dim is not None:
                raise MappedAxisError(
                    f"{what} has mapped output ({name}) but out_axes is None: a result of "
                    f"{user_frames.name_of(function)} of type {aval_of(value)} depends on a "
                    "mapped argument",
                    hint="Give the axis in out_axes.",
                    frame=user_frame(),
                )
            placed.append(value)
            continue
        rank = len(aval_of(value).shape or ()) + (dim is None)
        if not -rank <= place < rank:
            raise MappedAxisError(
                f"axis {place} is out of bounds for a mapped result of "
                f"{user_frames.name_of(function)} of {rank} dimensions, in out_axes",
                frame=user_frame(),
            )
        placed.append(to_axis(value, dim, size, place % rank))
    return placed
