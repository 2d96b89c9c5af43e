"""`pmap`: a function mapped over devices.

The devices of the host are virtual, so the function is compiled once, mapped over the axis of the
devices; collectives are operations along that axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, SupportsIndex

from oakum.errors import DeviceCountError, MappedAxisError
from oakum.primitives.rules.arguments import shape_of
from oakum.pytrees import pytree
from oakum.runtime.topology import devices as machine
from oakum.runtime.topology.devices import Device
from oakum.transforms import flat_functions
from oakum.transforms.batching import vmap
from oakum.transforms.flat_functions import Options
from oakum.transforms.jit.compiled_function import CompiledFunction
from oakum.values import user_frames
from oakum.values.traceback_filtering import api_boundary
from oakum.values.user_frames import user_frame


class _Unnamed:
    """The name of an axis that the user did not name."""

    def __repr__(self) -> str:
        return "<unnamed axis>"


def pmap(
    function: Callable[..., Any],
    axis_name: object,
    *,
    in_axes: int | Sequence[Any] | None,
    out_axes: object,
    static_argnums: int | Iterable[int],
    devices: Sequence[Device] | None,
    backend: str | None,
    axis_size: int | None,
    donate_argnums: int | Iterable[int],
) -> Callable[..., Any]:
    """Returns the function mapped over devices."""
    flat_functions.check_callable(function)
    name = _Unnamed() if axis_name is None else axis_name
    static = _numbers(static_argnums)
    donated = _numbers(donate_argnums)
    axes = tuple(in_axes) if isinstance(in_axes, list) else in_axes

    def over_axis(*args: object, **kwargs: object) -> Any:
        dynamic, places = _dynamic(args, static)

        @user_frames.wraps(function)
        def partial(*given: object, **keywords: object) -> Any:
            whole = list(args)
            for place, value in zip(places, given, strict=True):
                whole[place] = value
            return function(*whole, **keywords)

        chosen = tuple(axes[p] for p in places) if isinstance(axes, tuple) else axes
        run = vmap.vmap(partial, chosen, out_axes, name, axis_size, None, "pmap")
        return run(*dynamic, **kwargs)

    user_frames.wraps(function)(over_axis)
    compiled = CompiledFunction(over_axis, Options(static_argnums=static, donate_argnums=donated))

    def check(args: tuple[object, ...], kwargs: Mapping[str, object]) -> None:
        if static and max(static) >= len(args):
            raise MappedAxisError(
                f"pmapped function has static_broadcasted_argnums={static} but was called with "
                "only "
                f"{len(args)} positional argument{'s' if len(args) != 1 else ''}. All static "
                "broadcasted arguments must be passed positionally",
                hint="Pass them by position.",
                frame=user_frame(),
            )
        _check_count(function, args, kwargs, axes, static, devices, backend, axis_size)

    @api_boundary
    @user_frames.wraps(function)
    def run(*args: object, **kwargs: object) -> Any:
        check(args, kwargs)
        return compiled(*args, **kwargs)

    @api_boundary
    def lower(*args: object, **kwargs: object) -> Any:
        check(args, kwargs)
        return compiled.lower(*args, **kwargs)

    vars(run)["lower"] = lower
    return run


def _numbers(value: int | Iterable[int]) -> tuple[int, ...]:
    return (int(value),) if isinstance(value, SupportsIndex) else tuple(int(each) for each in value)


def _dynamic(args: Sequence[Any], static: Sequence[int]) -> tuple[list[Any], list[int]]:
    fixed = {n % len(args) for n in static if args and -len(args) <= n < len(args)}
    places = [i for i in range(len(args)) if i not in fixed]
    return [args[i] for i in places], places


def _check_count(
    function: Callable[..., Any],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    in_axes: int | Sequence[Any] | None,
    static: Sequence[int],
    devices: Sequence[Device] | None,
    backend: str | None,
    axis_size: int | None,
) -> None:
    """Raises ValueError where the mapped axis is longer than there are devices."""
    dynamic, places = _dynamic(args, static)
    axes = in_axes
    if isinstance(in_axes, tuple):
        # With static arguments, JAX looks each entry up by the position of its argument.
        fits = max(places, default=-1) < len(in_axes) if static else len(in_axes) == len(args)
        if not fits:
            raise MappedAxisError(
                "pmap in_axes must be an int, None, or a tuple of entries corresponding to the "
                f"positional arguments, but got len(in_axes)={len(in_axes)}, "
                f"len(args)={len(args)}; each argument passed by keyword is mapped over its "
                "leading "
                "axis",
                hint="Give one entry of in_axes for each argument that is passed by position.",
                frame=user_frame(),
            )
        axes = tuple(in_axes[p] for p in places)
    dims = vmap.flat_axes(axes, tuple(dynamic), kwargs, "pmap in_axes")
    leaves = pytree.leaves((tuple(dynamic), kwargs))
    sizes = {
        shape[d]
        for shape, d in zip(map(shape_of, leaves), dims, strict=True)
        if d is not None and -len(shape) <= d < len(shape)
    }
    available = len(devices) if devices is not None else machine.get_backend(backend).device_count()
    for size in sizes if axis_size is None else {axis_size}:
        if size > available:
            raise DeviceCountError(
                f"compiling computation that requires {size} logical devices, but only {available} "
                f"XLA devices are available (num_replicas={size}): pmap of "
                f"{user_frames.name_of(function)}",
                hint="Set OAKUM_NUM_CPU_DEVICES, or map over fewer elements; jax.vmap maps over "
                "any number on one device.",
                frame=user_frame(),
            )
