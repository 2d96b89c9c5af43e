"""`shard_map`: a function mapped over the parts of its arguments on a mesh of devices.

The devices of the host are virtual, so the parts lie along new first axes, one for each axis of the
mesh that splits the argument, over which the function is mapped; collectives are operations along
them. What no axis splits is not mapped over it, which is how it is known to be the same everywhere.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from oakum import lax
from oakum.errors import MappedAxisError
from oakum.primitives.rules import arguments
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.batching import move_to_front
from oakum.pytrees import pytree
from oakum.runtime.topology import manual_axes, meshes
from oakum.runtime.topology.meshes import AbstractMesh, Mesh
from oakum.runtime.topology.partition_spec import PartitionSpec
from oakum.tracing.trace import AxisData, Tracer, as_operand, aval_of
from oakum.transforms import flat_functions
from oakum.transforms.batching.batch_trace import batch_flat
from oakum.typing import ArrayLike
from oakum.values import user_frames
from oakum.values.records import dataclass
from oakum.values.traceback_filtering import api_boundary
from oakum.values.user_frames import user_frame


def shard_map(
    function: Callable[..., Any],
    in_specs: object,
    out_specs: object,
    mesh: Mesh | AbstractMesh | None,
    axis_names: frozenset[Any],
    check_vma: bool,
) -> Callable[..., Any]:
    """Returns the function mapped over the parts of its arguments."""
    flat_functions.check_callable(function)

    @api_boundary
    @user_frames.wraps(function)
    def mapped(*args: object) -> Any:
        run = _Run(function, _sizes(mesh, axis_names), check_vma)
        return run(args, in_specs, out_specs)

    return mapped


def _sizes(mesh: Mesh | AbstractMesh | None, axis_names: frozenset[Any]) -> dict[Any, int]:
    """Returns the axes to map over, in the order of the mesh, with their sizes."""
    chosen = meshes.in_force.value if mesh is None else mesh
    if chosen is None or not chosen.axis_names:
        raise MappedAxisError(
            "The context mesh cannot be empty. Either use `jax.set_mesh(mesh)` or pass a mesh to "
            "shard_map",
            hint="Pass mesh=jax.make_mesh((jax.device_count(),), ('x',)).",
            frame=user_frame(),
        )
    if unknown := axis_names - frozenset(chosen.axis_names):
        raise MappedAxisError(
            f"shard_map got axis_names={sorted(map(str, unknown))} that are not in the axes of the "
            f"mesh: {chosen.axis_names}",
            frame=user_frame(),
        )
    return {n: s for n, s in chosen.shape_tuple if not axis_names or n in axis_names}


@dataclass(frozen=True, slots=True)
class _Run:
    """One call of a function on the parts of its arguments."""

    function: Callable[..., Any]
    sizes: dict[Any, int]
    is_checked: bool
    """Whether it is followed along which axes values vary."""

    def __call__(self, args: tuple[object, ...], in_specs: object, out_specs: object) -> Any:
        """Returns the whole results for whole arguments."""
        leaves, treedef = pytree.flatten(args)
        given = self._prefix(in_specs, args, "in_specs")
        places = [place for place, spec in enumerate(given) if spec is not None]
        specs = [given[place] for place in places]
        parts = [self._split(leaves[p], s) for p, s in zip(places, specs, strict=True)]
        call = flat_functions.FlatFunction(
            self.function, treedef, keywords=False, transform="shard_map"
        )

        def innermost(*values: object) -> list[Any]:
            whole = list(leaves)  # those without a spec as they were given
            for place, value in zip(places, values, strict=True):
                whole[place] = value
            return call(*whole)

        @functools.cache
        def wanted() -> list[Any]:
            tree = pytree.unflatten(call.out_tree, [0] * call.out_tree.num_leaves)
            return self._prefix(out_specs, tree, "out_specs")

        run: Callable[..., Sequence[Any]] = innermost
        for name in reversed(self.sizes):
            run = functools.partial(self._over, name, run, specs, wanted)
        before = manual_axes.in_force.value
        names = frozenset(self.sizes)
        with manual_axes.only(before | names if self.is_checked else before - names):
            results = run(*parts)
        whole = [self._join(x, spec) for x, spec in zip(results, wanted(), strict=True)]
        return pytree.unflatten(call.out_tree, whole)

    def _over(
        self,
        name: object,
        inner: Callable[..., Sequence[Any]],
        specs: Sequence[PartitionSpec],
        wanted: Callable[[], Sequence[Any]],
        *values: ArrayLike,
    ) -> list[Any]:
        """Maps a function over one axis of the mesh, the first axis of what that splits."""
        axis = AxisData(name, self.sizes[name], None, True, self.is_checked)
        dims = [0 if name in spec.axes() else None for spec in specs]
        results, out = batch_flat(inner, axis, values, dims, self.function, "shard_map")
        settled: list[Any] = []
        for value, dim, spec in zip(results, out, wanted(), strict=True):
            if spec is not None and name in spec.axes():
                settled.append(move_to_front(value, dim, axis.size))
            elif dim is None:
                settled.append(value)
            elif self.is_checked:
                raise self._error(
                    "was given out_specs which require replication which can't be statically "
                    f"inferred given the mesh: a result may vary along {name!r}, and its spec "
                    f"{spec!r} does not name it",
                    "Reduce it (psum, pmean), name the axis in out_specs, or pass check_vma=False.",
                )
            else:
                settled.append(lax.index_in_dim(value, 0, dim, keepdims=False))
        return settled

    def _prefix(self, specs: object, tree: object, what: str) -> list[Any]:
        """Returns the spec of each leaf of a tree."""
        if what == "in_specs" and isinstance(specs, list):
            specs = tuple(cast("list[Any]", specs))
        try:
            found = pytree.broadcast_prefix(specs, tree, is_leaf=_is_none)
        except ValueError as error:
            raise self._error(
                f"was given {what} that are no tree prefix of what it describes: {specs!r} for "
                f"{pytree.structure(tree)}: {error}",
                "Give one PartitionSpec for each argument or result, or one for all.",
            ) from None
        for spec in found:
            if spec is not None and not isinstance(spec, PartitionSpec):
                raise TypeError(f"{what} of shard_map consist of PartitionSpecs, not {spec!r}")
            if unknown := {*(spec.axes() if spec is not None else ())} - {*self.sizes}:
                raise self._error(
                    f"was given {what} with axes that it does not map over: "
                    f"{sorted(map(str, unknown))} of {spec}",
                    f"The axes of the mesh are {tuple(self.sizes)}.",
                )
        return found

    def _axes(self, spec: PartitionSpec | None, rank: int, what: str) -> list[tuple[Any, ...]]:
        """Returns the axes of the mesh that split each of so many dimensions."""
        partitions = () if spec is None else spec.partitions
        if len(partitions) > rank:
            raise self._error(
                f"was given an {what} entry which is too long to be compatible with the "
                f"corresponding value: {spec} for an array of {rank} dimensions",
                "Give at most one entry for each dimension; P() for a scalar.",
            )
        several: list[tuple[Any, ...]] = []
        for part in partitions:
            axes = cast("tuple[Any, ...]", part) if isinstance(part, tuple) else (part,)
            several.append(() if part is None else axes)
        return [*several, *[()] * (rank - len(several))]

    def _split(self, leaf: object, spec: PartitionSpec) -> Any:
        """Returns the parts of an argument along new first axes, in the order of the mesh."""
        operand = as_operand(leaf)
        value = operand if isinstance(operand, Tracer) else arguments.array(operand)
        shape = shape_of(aval_of(value))
        expanded: list[int] = []
        locals_: list[int] = []
        at: dict[Any, int] = {}
        for size, axes in zip(shape, self._axes(spec, len(shape), "in_specs"), strict=True):
            count = math.prod(self.sizes[axis] for axis in axes)
            if size % count:
                raise self._error(
                    "was given argument arrays with axis sizes that are not evenly divisible by "
                    f"the corresponding mesh axis sizes: {size} of {aval_of(value)} by {count}",
                    "Pad the array, or split another dimension.",
                )
            for axis in axes:
                at[axis] = len(expanded)
                expanded.append(self.sizes[axis])
            locals_.append(len(expanded))
            expanded.append(size // count)
        order = [at[axis] for axis in self.sizes if axis in at] + locals_
        return lax.transpose(lax.reshape(value, expanded), order) if at else value

    def _join(self, value: ArrayLike, spec: PartitionSpec | None) -> Any:
        """Returns the whole of a result whose parts lie along first axes."""
        used = [axis for axis in self.sizes if spec is not None and axis in spec.axes()]
        shape = shape_of(aval_of(value))
        rest = shape[len(used) :]
        order: list[int] = []
        merged: list[int] = []
        for place, axes in enumerate(self._axes(spec, len(rest), "out_specs")):
            order += [*(used.index(axis) for axis in axes), len(used) + place]
            merged.append(rest[place] * math.prod(self.sizes[axis] for axis in axes))
        return lax.reshape(lax.transpose(value, order), merged) if used else value

    def _error(self, what: str, hint: str) -> MappedAxisError:
        name = user_frames.name_of(self.function)
        text = f"shard_map applied to the function '{name}' {what}"
        return MappedAxisError(text, hint=hint, frame=user_frame())


def _is_none(value: object) -> bool:
    return value is None
