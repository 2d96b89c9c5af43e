"""Programs as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import results
from oakum.values.declarations import public


@public("export.default_export_platform", static_result=True)
def default_export_platform() -> str:
    """Names the platform that programs are exported for."""
    ...


@public("export.deserialize")
def deserialize(blob: object) -> Any:
    """Reads a program from bytes."""
    ...


@public("export.export")
def export(
    fun_jit: object,
    *,
    platforms: Sequence[str] | None = None,
    disabled_checks: object = (),
    _override_lowering_rules: Sequence[tuple[Any, Any]] | None = None,
) -> Any:
    """Returns a function that exports a compiled function."""
    ...


@public("export.is_symbolic_dim", static_result=True)
def is_symbolic_dim(p: int) -> Any:
    """Returns whether a size is symbolic."""
    ...


@public("export.register_namedtuple_serialization", results.first)
def register_namedtuple_serialization(nodetype: object, *, serialized_name: str) -> Any:
    """Registers a named tuple for programs as bytes."""
    ...


@public("export.register_pytree_node_serialization", results.first)
def register_pytree_node_serialization(
    nodetype: object,
    *,
    serialized_name: str,
    serialize_auxdata: object,
    deserialize_auxdata: object,
    from_children: object = None,
) -> Any:
    """Registers a container for programs as bytes."""
    ...


@public("export.symbolic_args_specs", static_result=True)
def symbolic_args_specs(
    args: object, shapes_specs: object, constraints: Sequence[str] = (), scope: object = None
) -> Any:
    """Makes the symbolic shapes of arguments."""
    ...


@public("export.symbolic_shape", static_result=True)
def symbolic_shape(
    shape_spec: str | None,
    *,
    constraints: Sequence[str] = (),
    scope: object = None,
    like: Sequence[int | None] | None = None,
) -> Sequence[int]:
    """Makes a shape of symbolic sizes."""
    ...
